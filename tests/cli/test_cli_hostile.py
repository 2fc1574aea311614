"""Command lines and files that once hung, gave a traceback or were read somehow: one sentence each, and 2."""

import io
import json
from pathlib import Path

import pytest

from tests.cli.called import call, refusal

FLAT = ("simulate", "ez", "--rounds", "1000", "--strategy", "flat")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("deal", "ez", "--rounds", "1" + "0" * 20), "--rounds must be from 1 to 1,000,000"),
        ((*FLAT, "--bet", "banker=1e999999"), "the stake on banker: '1e999999' is not a positive amount"),
        ((*FLAT, "--session-shoes", "0"), "a session has from 1 to 1000 shoes, not 0"),
        ((*FLAT, "--bet", "banker=100", "--bet", "banker=200"), "--bet banker is given more than once"),
        ((*FLAT, "--bet", "banker", "--bet", "banker=100"), "--bet banker is given more than once"),
        ((*FLAT, "--bet", "banker=１００"), "'１００' is not a positive amount"),
        ((*FLAT, "--bet", "banker=1_00"), "'1_00' is not a positive amount"),
        (("settle", "ez", "--cards", "KS 9H KD KC", "--bet", "banker=1_0"), "'1_0' is not a positive amount"),
        (("simulate", "ez", "--rounds", "１０００"), "'１０００' is no"),
        ((*FLAT[:4], "--strategy", "labouchere", "--line", "1,２"), "'1,２' is not a list of line"),
        ((*FLAT[:4], "--strategy", "labouchere", "--line", "1_0"), "'1_0' is not a list of line"),
        ((*FLAT[:4], "--strategy", "count", "--tags", "1,1", "--trigger", "1_0"), "'1_0' is not a number"),
        ((*FLAT[:4], "--strategy", "count", "--tags", "1,1", "--trigger", "nan"), "'nan' is not a number"),
        (("odds", "ez", "--composition", "/dev/zero"), "/dev/zero cannot be read: it is larger than 64 KiB"),
        (("simulate", "insurance", *FLAT[2:], "--insure", "/dev/zero"), "'/dev/zero' is not a policy"),
        (("check", "/dev/zero"), "/dev/zero cannot be read: it is larger than 512 KiB"),
        (("run", "/dev/zero"), "/dev/zero cannot be read: it is larger than 16 MiB"),
        (("check", "a" * 300 + ".toml"), "File name too long"),
        (("run", "\udcff.punto"), "there is no file"),
        (("--", "--seed"), "no such command '--seed'"),
    ],
)
def test_one_sentence(arguments: tuple[str, ...], what: str) -> None:
    assert what in refusal(*arguments)


def test_many_keys_in_a_composition(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps({f"{i}": 1 for i in range(60_000)}), encoding="utf-8")
    assert "it is larger than 64 KiB" in refusal("odds", "ez", "--composition", str(file))
    file.write_text('{"A": 1, "2": 1, "A": 2}', encoding="utf-8")
    assert "A is counted twice" in refusal("odds", "ez", "--composition", str(file))


CELL = {"hand": "player", "cards": 4, "player_points": 6, "banker_points": 5}


def test_a_policy_decides_once(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    rules = [{**CELL, "choice": choice} for choice in ("insure", "pass")]
    file.write_text(json.dumps(rules), encoding="utf-8")
    arguments = ("simulate", "insurance", *FLAT[2:], "--bet", "player=100", "--insure", str(file))
    assert "it decides twice on the player hand at 4 cards, Player 6, Banker 5" in refusal(*arguments)
    file.write_text('{"ante-player": [1], "ante-player": [2]}', encoding="utf-8")
    assert "ante-player stands there twice" in refusal("simulate", "knockout", *FLAT[2:], "--give-up", str(file))


@pytest.mark.parametrize("script", ["raise SystemExit(4)", "import sys\ndef bets(view): sys.exit(3)"])
def test_a_strategy_of_ones_own_that_exits(tmp_path: Path, script: str) -> None:
    file = tmp_path / "own.py"
    file.write_text(script, encoding="utf-8")
    ended = call(*FLAT[:-1], f"{file}:bets")
    assert (ended.status, ended.out) == (2, "")
    assert "SystemExit" in ended.err.splitlines()[-1]  # kernels may have been compiled before
    assert "Traceback" not in ended.err


def test_lines_of_a_session(tmp_path: Path) -> None:
    file = tmp_path / "s.punto"
    file.write_text(f"Ann as pit-manager: open ez house{' chip=1' * 500_000}\n", encoding="utf-8")
    assert "line 1: a line has at most 10,000 characters, and not 3,500,0" in refusal("run", str(file))
    file.write_text('"\\ud800": sit 1\n', encoding="utf-8")
    assert "it holds half of a character" in refusal("run", str(file))


@pytest.mark.parametrize("command", [("play", "ez"), ("drill", "ez"), ("drill", "ez", "--json")])
def test_an_endless_line_on_stdin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("x" * 1_000_000))
    ended = call(*command)
    assert ended.status == 2
    assert "a line of more than 10,000 characters came in" in ended.err


def elsewhere(folder: Path, entry: str) -> str:
    """A book that gives a step of the dealer to somebody else."""
    file = folder / "elsewhere.toml"
    text = f'format = 1\nextends = "insurance"\nname = "elsewhere"\n\n[[authority]]\n{entry}\n'
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(
    "entry",
    [
        'command = "call-bets"\nroles = ["pit-supervisor"]',
        'command = "deal-card"\nroles = ["dealer"]\nsecond = "dealer"',
    ],
)
def test_a_book_that_gives_the_dealers_steps_to_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, entry: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    command = entry.split('"')[1]
    book = elsewhere(tmp_path, entry)
    for arguments in (("play", book), ("drill", book, "--only", "insurance")):
        monkeypatch.setattr("sys.stdin", io.StringIO("banker 100\ndeal\n\n\n"))
        ended = call(*arguments)
        assert ended.status == 2, ended
        assert command in ended.out + ended.err
