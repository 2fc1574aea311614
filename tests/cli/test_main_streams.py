"""The command and its streams: readers that go away, a full disk, closed streams, other encodings, Ctrl-C."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.called import answer, call
from tests.cli.started import SETTLE, process, redirected


@pytest.mark.parametrize("arguments", [("rules", "insurance"), ("--version",), (*SETTLE, "--json"), ("books",)])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_error(
    arguments: tuple[str, ...], unbuffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)  # whether the first line fails, or the last flush
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = process(*arguments, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [("books",), ("rules", "ez", "--json"), ("--version",), ("--help",)])
def test_a_closed_stdout_is_a_pipe_that_nobody_reads(arguments: tuple[str, ...]) -> None:
    done = redirected(">&-", *arguments)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [("deal", "ez"), ("deal", "ez", "--json"), ("rules", "insurance")])
def test_a_full_disk_is_one_sentence(arguments: tuple[str, ...]) -> None:
    done = redirected(">/dev/full", *arguments)
    assert done.returncode == 2
    assert done.stderr == "punto: the answer cannot be written: No space left on device\n"


@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full", ">&- 2>&-", ">/dev/full 2>/dev/full"])
def test_a_refusal_that_nobody_can_read_still_has_its_status(where: str) -> None:
    done = redirected(where, "rules", "nothing")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")
    assert redirected(where, "check", "pyproject.toml").returncode == 2


def test_a_closed_stdin_is_an_empty_one() -> None:
    done = redirected("<&-", "run", "-")
    assert (done.returncode, done.stderr) == (2, "punto: - is empty: there is no session in it\n")
    assert redirected("<&-", "play", "ez").returncode == 0


def test_suits_become_letters_on_a_terminal_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    shown = process(*SETTLE).stdout
    assert "Player  KS 9D        9  wins" in shown
    assert "?" not in shown
    assert "?" not in process("deal", "ez", "--rounds", "9").stdout


@pytest.mark.parametrize("arguments", [("deal", "ez", "--rounds", "9", "--seed", "1"), ("books",), ("demo",), SETTLE])
def test_no_line_ends_in_blanks(arguments: tuple[str, ...]) -> None:
    lines = answer(*arguments).out.splitlines()
    assert lines == [line.rstrip() for line in lines]


def test_json_is_utf_8_and_text_is_readable_on_a_terminal_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    done = process("rules", "ez", "--json")
    assert json.loads(done.stdout)["bets"][0]["labels"]["zh_hans"] == "闲"
    assert "EZ Baccarat" in process("rules", "ez").stdout


def test_ctrl_c_ends_a_command_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("punto.books.load", interrupted)
    assert call("books") == (130, "", "")
