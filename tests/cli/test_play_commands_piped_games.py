"""A script goes on with a saved game: by the book it began with, and never over what is not a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from punto.books import load
from punto.cli.database_options import now_ms
from punto.cli.play_table import PLAYER, SoloTable
from punto.floor.desk import Desk
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.record import StoredPerson
from punto.store.store import open_store
from punto.table import default_terms
from punto.table.betting import CloseBets, PlaceBet
from punto.table.dealing import DealCard
from punto.table.header import Person
from punto.table.house import TakeSeat
from tests.cli.called import refusal
from tests.cli.piped_game import piped


def kept(folder: Path) -> Path:
    """A game of one round, kept in a file."""
    file = folder / "game.db"
    done = piped(folder, "banker 100 deal\n", "ez", "--seed", "4", "--save", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{file}" in done.stdout.replace("\n", "")
    return file


def resumed_game(file: Path) -> SoloTable:
    solo = SoloTable.resume(file)
    solo.close()
    return solo


def test_a_kept_game_goes_on(tmp_path: Path) -> None:
    file = kept(tmp_path)
    before = resumed_game(file)
    done = piped(tmp_path, "statement\n", "--save", str(file))
    assert "1 round from 1 shoe." in done.stdout
    more = piped(tmp_path, "same deal\nbuy 500\nquit\n", "ez", "--save", str(file))
    assert "2 rounds from 1 shoe." in more.stdout
    assert "Bought 5,500" in more.stdout
    after = resumed_game(file)
    assert after.commands[: len(before.commands)] == before.commands
    assert (after.seed, after.bankroll) == ("4", 550_000)
    assert not [path for path in tmp_path.iterdir() if path != file]
    over = piped(tmp_path, "leave\n", "--save", str(file))
    assert over.returncode == 0
    assert list(tmp_path.iterdir()) == []


OWN = """\
extends = "ez"
name = "own"

[[bets]]
area = "tie"
kind = "side"
labels = { en = "Tie" }
clause = "5"
pays = [
  { when = { winner = "tie" }, odds = "8:1", clause = "5" },
  { otherwise = true, result = "lose", clause = "5" },
]
"""

BEGAN = "The game goes on by the rules it began with."


def test_a_game_goes_on_by_the_book_it_began_with(tmp_path: Path) -> None:
    book, file = tmp_path / "own.toml", tmp_path / "game.db"
    book.write_text(OWN, encoding="utf-8")
    piped(tmp_path, "banker 100 deal\nquit\n", str(book), "--save", str(file), "--seed", "3")

    def resumed(*arguments: str) -> str:
        return " ".join(piped(tmp_path, "bets\nquit\n", *arguments, "--save", str(file)).stdout.split())

    assert BEGAN not in resumed(str(book))
    book.write_text(f"# Another word, the same rules.\n{OWN}", encoding="utf-8")
    assert BEGAN not in resumed(str(book))
    book.write_text(OWN.replace("8:1", "9:1"), encoding="utf-8")
    assert BEGAN in resumed(str(book))
    assert "tie 8:1" in resumed(str(book))
    book.unlink()
    assert "tie 8:1" in resumed(), "the game does not need the file"


@pytest.mark.slow
def test_what_is_no_game_is_one_sentence_and_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "game"
    for content, words in (
        ('{"version": 1}', "is not a saved game of punto"),
        ("hello", "is not a saved game of punto"),
        ("[" * 5000, "is not a saved game of punto"),
        ('{"type": "punto-game", "version": 1}', "is not a saved game of punto"),
        ("SQLite format 3\0 and nothing else", "is not a database"),
    ):
        file.write_text(content)
        done = piped(tmp_path, "", "--save", str(file))
        assert (done.returncode, done.stdout) == (2, ""), words
        assert done.stderr.count("\n") == 1
        assert words in done.stderr
        assert "--new begins a game in its place" in done.stderr
        assert file.read_text() == content
    piped(tmp_path, "quit\n", "ez", "--save", str(file), "--new")
    assert "holds a game of ez, not of commission" in refusal("play", "commission", "--save", str(file))
    fresh = piped(tmp_path, "quit\n", "commission", "--save", str(file), "--new")
    assert fresh.returncode == 0
    assert "a game of commission, not of ez" in refusal("play", "ez", "--save", str(file))


def test_a_game_that_cannot_be_kept_is_played_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = piped(tmp_path, "b 10 deal\nquit\n", "ez", "--save", str(tmp_path / "file" / "game.json"))
    assert done.returncode == 0
    assert done.stdout.count("The game is not being kept:") == 1
    assert "1 round from 1 shoe." in done.stdout


def test_bots_sit_at_the_other_boxes_and_a_game_with_them_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "bots.json"
    lines = "banker 100 deal\n\nsame deal\n\nbox 1 banker 50 deal\nquit\n"
    options = ("commission", "--seed", "4", "--box", "3", "--bots", "4")
    first = piped(tmp_path, lines, *options, "--save", str(file))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == piped(tmp_path, lines, *options, "--save", str(tmp_path / "same.json")).stdout.replace(
        "same.json", "bots.json"
    )
    assert "At the table: Amber (box 1) banker 10" in first.stdout
    assert first.stdout.count("At the other boxes: Amber ") == 3
    assert "3 rounds from 1 shoe." in first.stdout
    again = piped(tmp_path, "statement\nquit\n", "--save", str(file))
    assert "3 rounds from 1 shoe." in again.stdout
    assert "in all           3    " in again.stdout
    assert "Amber (box 1)" in again.stdout
    assert "the table has room for 8 bots, not 9" in refusal("play", "commission", "--bots", "9")


@pytest.mark.slow
def test_a_saved_game_that_waits_for_the_ante_of_somebody_else_stops(tmp_path: Path) -> None:
    """Nobody at this terminal can decide it: the game names the player it waits for, and ends."""
    file, book = tmp_path / "game", load("knockout")
    terms = replace(default_terms(book), layout="bean-6", maximum=1_000_000)
    solo = SoloTable(book, "1", 500_000, now_ms)
    assert solo.open(terms, 3) is None
    solo.keep_in(file)
    solo.close()
    with open_store(str(file)) as store:
        desk = Desk(store)
        desk.open_account(StoredPerson("Lee"), terms.currency, 0)
        desk.buy_in("Lee", 500_000, Person("Ada", Role.CASHIER), 0)
    solo = SoloTable.resume(file)
    assert not isinstance(solo.give(TakeSeat(actor="Lee", role=Role.PLAYER, box=4)), Refusal)
    solo.go_on()
    for actor, box in ((PLAYER, 3), ("Lee", 4)):
        bet = PlaceBet(actor=actor, role=Role.PLAYER, box=box, area="ante-player", amount=5000)
        assert not isinstance(solo.give(bet), Refusal)
    for step in (CloseBets, DealCard):
        assert not isinstance(solo.give(step(actor="the dealer", role=Role.DEALER)), Refusal)
    solo.close()
    done = piped(tmp_path, "give up\n" * 9, "--save", str(file))
    assert done.returncode == 2
    assert done.stderr == "punto: the game cannot go on: the table waits for antes of Lee\n"
    assert "Traceback" not in done.stdout
