"""A script goes on with a saved game: by the book it began with, and never over what is not a game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punto.cli.play_saved_games import remove_game_files
from tests.cli.called import refusal
from tests.cli.play_and_learn.play.old_game import old_form
from tests.cli.play_and_learn.play.piped_game import piped


def kept(folder: Path) -> Path:
    """A game of one round, kept in a file."""
    file = folder / "game.db"
    done = piped(folder, "banker 100 deal\n", "ez", "--seed", "4", "--save", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{file}" in done.stdout.replace("\n", "")
    return file


def test_a_kept_game_goes_on(tmp_path: Path) -> None:
    file = kept(tmp_path)
    before = old_form(file, "ez")
    done = piped(tmp_path, "statement\n", "--save", str(file))
    assert "1 round from 1 shoe." in done.stdout
    more = piped(tmp_path, "same deal\nbuy 500\nquit\n", "ez", "--save", str(file))
    assert "2 rounds from 1 shoe." in more.stdout
    assert "Bought 5,500" in more.stdout
    after = old_form(file, "ez")
    assert after["commands"][: len(before["commands"])] == before["commands"]
    assert (after["seed"], after["bankroll"]) == ("4", 550_000)
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

CHANGED = "has changed since this game was saved"
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


def test_a_book_that_changed_since_an_old_game_was_saved_is_noticed(tmp_path: Path) -> None:
    book, file = tmp_path / "own.toml", tmp_path / "game.json"
    book.write_text(OWN, encoding="utf-8")
    piped(tmp_path, "banker 100 deal\nquit\n", str(book), "--save", str(file), "--seed", "3")
    game = old_form(file, str(book))
    book.write_text(OWN.replace("8:1", "9:1"), encoding="utf-8")
    remove_game_files(file)
    file.write_text(json.dumps({**game, "seed": "4"}))
    assert "was played by another version of" in piped(tmp_path, "", "--save", str(file)).stderr
    file.write_text(json.dumps({key: value for key, value in game.items() if key != "digest"}))
    assert CHANGED not in piped(tmp_path, "quit\n", "--save", str(file)).stdout
    file.write_text(json.dumps(game))
    assert CHANGED in " ".join(piped(tmp_path, "quit\n", "--save", str(file)).stdout.split())
    assert CHANGED not in piped(tmp_path, "quit\n", "--save", str(file)).stdout, "it is read once"


def changed(game: dict[str, Any], **parts: Any) -> str:
    return json.dumps({**game, **parts})


@pytest.mark.slow
def test_what_is_no_game_is_one_sentence_and_is_left_alone(tmp_path: Path) -> None:
    file = kept(tmp_path)
    game = old_form(file, "ez")
    remove_game_files(file)
    commands = game["commands"]
    dealt = next(n for n, command in enumerate(commands) if command["type"] == "deal-card")
    other = {**commands[dealt], "card": "2C" if commands[dealt]["card"] != "2C" else "3C"}
    for content, words in (
        ('{"version": 1}', "is not a saved game of punto"),
        ("hello", "is not a saved game of punto"),
        ("[" * 5000, "is not a saved game of punto"),
        ('{"type": "punto-drill", "version": 1}', "is not a saved game of punto"),
        (changed(game, version=9), "was saved in version 9, and this punto reads version 1"),
        (changed(game, more=1), "is a damaged game"),
        (json.dumps(game)[:-40], "is not a saved game of punto"),
        (changed(game, bankroll=0), "nobody brought money"),
        (changed(game, book="missing.toml"), "needs its book: there is no file"),
        (changed(game, commands=[]), "nobody has sat down in it"),
        (changed(game, commands=commands[1:]), "command 1 is refused: the table has not been opened"),
        (changed(game, commands=[*commands[:dealt], other]), "which its seed does not bring"),
        (changed(game, seed="5"), "which its seed does not bring"),
        (changed(game, commands=[*commands, {"type": "fly"}]), "is a damaged game"),
    ):
        file.write_text(content)
        done = piped(tmp_path, "", "--save", str(file))
        assert (done.returncode, done.stdout) == (2, ""), words
        assert done.stderr.count("\n") == 1
        assert words in done.stderr
        assert "--new begins a game in its place" in done.stderr
        assert file.read_text() == content
    file.write_text(json.dumps(game))
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
    dealer = {"actor": "the dealer", "role": "dealer"}
    terms = {"book": "knockout", "layout": "bean-6", "maximum": 1_000_000}
    bets = [
        {"type": what, "actor": actor, "role": "player", "box": box, **more}
        for what, more in (("take-seat", {}), ("place-bet", {"area": "ante-player", "amount": 5000}))
        for actor, box in (("the player", 3), ("Lee", 4))
    ]
    commands = [
        {"type": "open-table", "actor": "the house", "role": "pit-supervisor", "terms": terms},
        *bets[:2],
        {"type": "load-shoe", **dealer},
        {"type": "burn-cards", **dealer, "card": "2S"},
        {"type": "call-bets", **dealer},
        *bets[2:],
        {"type": "close-bets", **dealer},
        {"type": "deal-card", **dealer, "card": "9D"},
    ]
    game = {"type": "punto-game", "version": 1, "book": "knockout", "seed": "1", "bankroll": 500_000}
    file = tmp_path / "game"
    file.write_text(json.dumps({**game, "commands": commands}), encoding="utf-8")
    done = piped(tmp_path, "give up\n" * 9, "--save", str(file))
    assert done.returncode == 2
    assert done.stderr == "punto: the game cannot go on: the table waits for antes of Lee\n"
    assert "Traceback" not in done.stdout
