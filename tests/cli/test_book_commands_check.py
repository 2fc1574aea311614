from __future__ import annotations

import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

from punto.books import load
from punto.cli import book_commands
from tests.cli.called import answer, call, refusal

EXAMPLE = "docs/examples/side-bets.toml"


def built_in(name: str) -> str:
    return resources.files("punto.books").joinpath(f"{name}.toml").read_text(encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(built_in("ez"), encoding="utf-8")
    return file


def test_a_book_in_order(book: Path) -> None:
    said = answer("check", str(book)).out
    assert said.startswith(f"{book}: EZ Baccarat (ez) is in order: 5 bets, 1 layout, 4 declarations,")
    told = answer("check", str(book), "--json").json
    assert (told["file"], told["ok"], told["problems"]) == (str(book), True, [])
    assert told["digest"] == answer("rules", "ez", "--digest").out.strip()


def test_the_example_is_in_order() -> None:
    assert "is in order" in answer("check", EXAMPLE).out


def test_every_wrong_place_is_told_with_its_line(book: Path) -> None:
    text = built_in("ez")
    wrong = text.replace('odds = "40:1"', 'odds = "forty"').replace("allowed = [6, 8]", "allowed = []")
    book.write_text(wrong, encoding="utf-8")
    lines = wrong.splitlines()
    decks = next(n for n, line in enumerate(lines, 1) if line == "allowed = []")
    odds = next(n for n, line in enumerate(lines, 1) if "forty" in line)
    refused = call("check", str(book))
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.splitlines() == [
        f"{book}: line {decks}: decks.allowed: allow at least one number of decks",
        f"{book}: line {odds}: bets[3].pays[0].odds: 'forty' is not valid odds; "
        "write what is won, a colon and the stake, such as 8:1 or 1.5:1",
    ]
    answered = call("check", str(book), "--json")
    assert (answered.status, answered.err) == (2, "")
    assert answered.json["file"] == str(book)
    assert answered.json["ok"] is False
    assert [(problem["place"], problem["line"]) for problem in answered.json["problems"]] == [
        ("decks.allowed", decks),
        ("bets[3].pays[0].odds", odds),
    ]


LUCKY = """\
extends = "ez"
name = "lucky"

[[bets]]
area = "lucky-seven"
kind = "side"
labels = { en = "Lucky Seven" }
clause = "5"
pays = [
  { when = { winning_points = 7, winning_cards = 3 }, odds = "12:1", clause = "5" },
  { when = { winning_points = 7, winning_cards = 2 }, odds = "5.5:1", clause = "5" },
  { otherwise = true, result = "lose", clause = "5" },
]
"""


def test_edges_and_warnings_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(LUCKY, encoding="utf-8")
    told = answer("check", str(file), "--json").json
    (lucky,) = (bet for bet in told["bets"] if bet["bet"] == "lucky-seven")
    odds = {decks: answer("odds", str(file), "--decks", str(decks), "--json").json for decks in (6, 8)}
    for entry in lucky["edges"]:
        (same,) = (bet for bet in odds[entry["decks"]]["bets"] if bet["bet"] == "lucky-seven")
        assert (entry["ev"], entry["edge"]) == (same["ev"], same["edge"])
    new = [warning for warning in told["warnings"] if warning["acknowledged"] is None]
    assert [(warning["warning"], warning["line"], warning["file"]) for warning in new] == [
        ("favours-player/lucky-seven", 4, str(file)),
        ("small-coins/lucky-seven", 11, str(file)),
    ]
    said = answer("check", str(file)).out
    assert f"{file}: line 4: bets[0]: the player has an edge of " in said
    assert "2 warnings." in said
    assert "Lucky Seven" in said


def test_strict_refuses_what_is_not_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(LUCKY, encoding="utf-8")
    assert call("check", str(file)).status == 0
    assert call("check", str(file), "--strict").status == 2
    assert call("check", str(file), "--strict", "--json").json["ok"] is True
    names = ("favours-player/lucky-seven", "small-coins/lucky-seven")
    known = "".join(f'[[acknowledged]]\nwarning = "{name}"\nreason = "We like it."\n' for name in names)
    file.write_text(LUCKY + known, encoding="utf-8")
    strict = answer("check", str(file), "--strict").out
    assert "acknowledged: favours-player/lucky-seven: We like it." in strict
    assert "No other warnings." in strict


def test_a_built_in_book_can_be_checked_by_its_name() -> None:
    assert "is in order" in answer("check", "commission", "--strict").out


@pytest.mark.parametrize("chip", ["0", "-1", "a", "1/0", "1e9", ""])
def test_what_is_no_chip(chip: str) -> None:
    assert "--chip takes the amount" in refusal("check", "ez", "--chip", chip)


@pytest.mark.parametrize("name", ["high-edge", "high-edge/", "lucky/tie", ""])
def test_only_warnings_can_be_acknowledged(name: str, tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(LUCKY + f'[[acknowledged]]\nwarning = "{name}"\nreason = "So."\n', encoding="utf-8")
    assert f"{file}: line 15: acknowledged[0].warning: " in refusal("check", str(file))


@pytest.mark.slow
def test_a_countable_bet_is_told_on_request() -> None:
    told = answer("check", "ez", "--count", "--json").json
    (dragon,) = (one for one in told["warnings"] if one["warning"] == "countable/dragon-7")
    assert dragon["acknowledged"]
    assert "units a shoe (2000 shoes of 8 decks, seed 1)" in dragon["sentence"]


def test_a_gap_in_a_pay_table_is_told(book: Path) -> None:
    book.write_text(
        built_in("ez").replace(
            '{ when = { winner = "tie" }, odds', '{ when = { winner = "tie", margin = 0, cards = 4 }, odds', 1
        ),
        encoding="utf-8",
    )
    refused = call("check", str(book))
    assert refused.status == 2
    assert "no row covers" in refused.err


@pytest.mark.parametrize("command", ["rules", "deal", "settle"])
def test_other_commands_tell_the_same_places(book: Path, command: str) -> None:
    book.write_text(built_in("ez").replace("allowed = [6, 8]", "allowed = []"), encoding="utf-8")
    options = ("--cards", "KS 3H 9D 5C", "--bet", "player=1") if command == "settle" else ()
    refused = call(command, str(book), *options)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == call("check", str(book)).err


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_is_no_book_file_at_all(tmp_path: Path, form: tuple[str, ...]) -> None:
    empty, binary = (tmp_path / name for name in ("empty", "binary"))
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(256)))
    assert f"{empty} is empty" in refusal("check", str(empty), *form)
    assert f"{binary} cannot be read: it is not UTF-8 text" in refusal("check", str(binary), *form)
    assert f"{tmp_path} cannot be read: Is a directory" in refusal("check", str(tmp_path), *form)
    assert "there is no file nowhere.toml" in refusal("check", "nowhere.toml", *form)
    assert "no book was named" in refusal("check", "", *form)


@pytest.mark.parametrize("value", ["[" * 3900, "[\n" * 100_000], ids=["deep", "deep over lines"])
def test_what_the_toml_reader_gives_up_on(tmp_path: Path, value: str) -> None:
    file = tmp_path / "monster.toml"
    file.write_text(f"a = {value}", encoding="utf-8")
    assert "nested too deeply, or holds a number that is too long" in refusal("check", str(file))
    assert "too long" in call("check", str(file), "--json").json["problems"][0]["problem"]


def test_what_is_no_toml(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear book,\n", encoding="utf-8")
    assert f"{file}: " in refusal("check", str(file))
    assert "not TOML" in call("check", str(file), "--json").json["problems"][0]["problem"]


def test_a_file_is_meant_even_where_it_is_called_like_a_built_in_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ez").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "ez is empty" in refusal("check", "ez")


@pytest.mark.parametrize("name", ["commission", "insurance", "knockout"])
def test_a_check_waits_for_no_kernel(name: str) -> None:
    """Neither NumPy nor Numba is loaded for bets on points and pairs, so it takes a fraction of a second."""
    script = (
        "import sys; from punto.cli.main import run; status = run(['check', sys.argv[1], '--json']);"
        "sys.exit(status or any(name in sys.modules for name in ('numpy', 'numba', 'rich')))"
    )
    done = subprocess.run([sys.executable, "-c", script, name], capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.slow
def test_counting_says_which_bets_it_has_not_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bets on single cards are not followed through shoes: silence would look like "not countable"."""
    study = book_commands._study(load("docs/examples/side-bets.toml"))
    monkeypatch.setattr(book_commands, "_study", lambda _: study)  # counted once, and told twice
    told = answer("check", "docs/examples/side-bets.toml", "--count", "--json").json
    assert "player-pair" not in told["not_counted"]
    assert told["not_counted"], "the example has bets that are not followed"
    said = " ".join(answer("check", "docs/examples/side-bets.toml", "--count").out.split())
    assert "--count has not examined every bet. Not followed, because" in said
    assert "not_counted" not in answer("check", "commission", "--json").json


def test_a_book_has_another_name_than_its_base(tmp_path: Path) -> None:
    (file := tmp_path / "mine.toml").write_text('extends = "ez"\nname = "ez"\n')
    told = call("check", str(file))
    assert told.status == 2
    assert told.err.startswith(f"{file}: line 2: name: the book that this one extends is called ez too")
    file.write_text('extends = "ez"\nname = "night"\n')
    assert "is in order" in answer("check", str(file)).out


def test_other_rules_under_the_name_of_a_built_in_book_are_a_warning(tmp_path: Path) -> None:
    text = answer("rules", "ez", "--toml").out
    (file := tmp_path / "mine.toml").write_text(text)
    assert "name-taken" not in answer("check", str(file)).out  # It is the built-in book.
    file.write_text(text.replace('odds = "40:1"', 'odds = "41:1"'))
    [found] = [one for one in answer("check", str(file), "--json").json["warnings"] if "name-taken" in one["warning"]]
    assert (found["warning"], found["place"], found["line"]) == ("name-taken/ez", "name", 1)
    assert call("check", str(file), "--strict").status == 2
