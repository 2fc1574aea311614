"""The games that are kept in the user's data folder, each in a file of its own.

A game is named after its book, and the second of a book `ez-2`; `--game` gives it another name. A new game
never takes the place of one that is kept: only `leave` at the table removes a game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from punto.cli.files.kept_file import data_file
from punto.cli.play_and_learn.play.saved_game import SavedGame, WrongSave, read_game, restore
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.ledger import purse_of
from punto.money import format_money

FOLDER = "games"
ONLY = "game"
"""The name of the one game that earlier versions kept, beside the folder."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that can be gone on with."""

    name: str
    file: Path
    saved: SavedGame
    solo: SoloTable

    @property
    def sentence(self) -> str:
        """Where it stands, in words."""
        in_hand = format_money(purse_of(PLAYER, self.saved.bankroll, self.solo.events).in_hand)
        return f"{self.solo.book.title}: round {self.solo.state.round}, in hand {in_hand}"


def game_file(name: str) -> Path:
    """The file of a kept game; the name must be one that `NAME` matches."""
    old = data_file(f"{ONLY}.json")
    return old if name == ONLY and old.exists() else data_file(f"{FOLDER}/{name}.json")


def game_names() -> list[str]:
    """Every kept game, the one that was played last first."""
    folder = data_file(FOLDER)
    files = [path for path in folder.glob("*.json") if NAME.fullmatch(path.stem)] if folder.is_dir() else []
    files += [data_file(f"{ONLY}.json")] if data_file(f"{ONLY}.json").is_file() else []
    return [path.stem for path in sorted(files, key=_played, reverse=True)]


def free_name(book: str) -> str:
    """A name for a new game of a book that no kept game has."""
    base = "-".join(re.findall(r"[a-z0-9]+", book.lower()))[:30] or ONLY
    taken, number, name = {*game_names()}, 1, base
    while name in taken or game_file(name).exists():
        number += 1
        name = f"{base}-{number}"
    return name


def open_game(name: str, file: Path) -> KeptGame | None:
    """The game in a file, None where there is none; `WrongSave` says what is wrong with it."""
    saved = read_game(file)
    return None if saved is None else KeptGame(name, file, saved, restore(file, saved))


def kept_games() -> tuple[list[KeptGame], list[str]]:
    """All kept games that can be gone on with, the last one first; and a sentence for each that cannot."""
    games, wrong = list[KeptGame](), list[str]()
    for name in game_names():
        try:
            game = open_game(name, game_file(name))
        except WrongSave as error:
            wrong.append(str(error))
        else:
            games += [game] if game is not None else []
    return games, wrong


def _played(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, path.stem
