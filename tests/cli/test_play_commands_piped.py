"""A script at the table: lines from a pipe, options that cannot be, and games that are none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from punto.documents.text import width
from tests.cli.called import refusal
from tests.cli.piped_game import piped
from tests.cli.pseudo_terminal import SCRIPT


def test_a_script_plays_without_a_question_and_keeps_nothing(tmp_path: Path) -> None:
    done = piped(tmp_path, "banker 100 tie 10\n\nsame deal\nwhy\nodds\nroads\n", "commission", "--seed", "1272")
    assert (done.returncode, done.stderr) == (0, "")
    assert "your bets> banker 100 tie 10" in done.stdout
    assert "2 rounds from 1 shoe." in done.stdout
    end = done.stdout.split("roads\n")[-1].split("Your statement")[0]
    for road in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach"):
        assert road in end
    assert "\x1b" not in done.stdout
    assert [line for line in done.stdout.split("\n") if width(line) > 80] == []
    assert list(tmp_path.iterdir()) == []


def test_the_same_seed_is_the_same_game_and_the_shoe_of_punto_deal(tmp_path: Path) -> None:
    lines = "deal\n" * 3
    first = piped(tmp_path, lines, "ez", "--seed", "4", "--decks", "6").stdout
    assert piped(tmp_path, lines, "ez", "--seed", "4", "--decks", "6").stdout == first
    assert piped(tmp_path, lines, "ez", "--seed", "5", "--decks", "6").stdout != first
    fresh = {piped(tmp_path, lines, "ez").stdout for _ in range(2)}
    assert len(fresh) == 2


def test_a_plain_terminal_gets_plain_letters(tmp_path: Path) -> None:
    done = piped(tmp_path, "b 10 deal\n", "ez", "--seed", "4", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "?" not in done.stdout.replace("? for help", "")
    assert "KC is shown" in done.stdout
    assert "+---++---+" in done.stdout
    assert any(f"| {suit} |" in done.stdout for suit in "SHDC")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "there is no book nothing"),
        (("ez", "--decks", "7"), "decks cannot be 7 at a table: the book allows 6, 8"),
        (("ez", "--layout", "round"), "layout cannot be round at a table"),
        (("ez", "--layout", ""), "--layout takes one of house"),
        (("ez", "--box", "8"), "the table has boxes 1 to 7, not 8"),
        (("ez", "--box", "0"), "the table has boxes 1 to 7, not 0"),
        (("ez", "--bankroll", "much"), "--bankroll: 'much' is not a positive amount"),
        (("ez", "--bankroll", "-5"), "--bankroll: '-5' is not a positive amount"),
        (("ez", "--min", "0"), "--min: the amount is zero"),
        (("ez", "--min", "10.50"), "it is not a whole number of chips"),
        (("ez", "--min", "50", "--max", "20"), "it is less than the minimum"),
        (("insurance", "--min", "50", "--max", "20"), "differential cannot be 20"),
        (("ez", "--pace", "-1"), "--pace takes 0 to 60 seconds, not -1"),
        (("ez", "--pace", "nan"), "'nan' is not a number"),
        (("ez", "--save", "."), "--save takes the path of a file"),
        (("ez", "--save", ""), "--save takes the path of a file"),
    ],
)
def test_a_game_that_cannot_be_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal("play", *arguments)


def test_a_book_of_ones_own(tmp_path: Path) -> None:
    done = piped(
        tmp_path, "b 10 tt 10 deal\nquit\n", "docs/examples/side-bets.toml", "--save", str(tmp_path / "game.json")
    )
    assert (done.returncode, done.stderr) == (0, "")
    again = piped(tmp_path, "quit\n", "--save", str(tmp_path / "game.json"))
    assert "1 round from 1 shoe." in again.stdout


def test_what_is_no_text_or_much_too_long_is_answered(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "play", "ez", "--seed", "4"],
        input=b"\xff\xfe\n" + b"x" * 9_000 + b"\nb " + b"9" * 5000 + b"\np 5000 deal\n",
        capture_output=True,
        check=False,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    assert shown.count("is not understood here") == 2
    assert "is longer than any amount here" in shown
    # Banker won that round, 4 over 3: nothing is left of the 5,000 on Player.
    assert "Less in hand than the minimum bet" in shown
    assert len(shown) < 5000


def test_a_bet_beyond_the_maximum_is_refused_by_the_table_and_not_for_want_of_chips(tmp_path: Path) -> None:
    done = piped(tmp_path, "banker 20000\nbanker 6000\nquit\n", "commission").stdout
    assert "The maximum on banker is 10,000; this bet would be 20,000" in done
    assert "That is 6,000. You have 5,000 in hand; type buy 1000 for more chips." in done
