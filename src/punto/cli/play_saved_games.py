"""The games that are kept in the user's data folder, each in a database of its own.

A game is named after its book, and the second of a book `ez-2`; `--game` gives it another name. A new game
never takes the place of one that is kept: only `leave` at the table and `--delete` remove a game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from punto.cli.files import CannotRead, data_file, named_file, read_start
from punto.cli.output import refuse
from punto.cli.play_table import (
    GAME_NAME,
    UNNAMED_GAME,
    GameLook,
    WrongSave,
    game_files,
    look_at_game,
    remove_game_files,
)
from punto.money import format_money
from punto.rules.book import Book
from punto.suggestion import did_you_mean

GAMES_FOLDER = "games"
GAME_ENDING = ".db"
MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class KeptGame:
    name: str
    file: Path
    look: GameLook

    @property
    def book(self) -> Book:
        return self.look.stored.table.book

    @property
    def sentence(self) -> str:
        """Where it stands, in words."""
        round_number = self.look.stored.table.state.round
        return f"{self.book.title}: round {round_number}, in hand {format_money(self.look.in_hand)}"


def game_file(name: str) -> Path:
    """The file of a kept game; the name must be one that `GAME_NAME` matches."""
    return data_file(f"{GAMES_FOLDER}/{name}{GAME_ENDING}")


def game_names() -> list[str]:
    """Every kept game, the one that was played last first."""
    paths = data_file(GAMES_FOLDER).glob(f"*{GAME_ENDING}")
    names = [path.stem for path in paths if GAME_NAME.fullmatch(path.stem)]
    return sorted(names, key=lambda name: (_played(game_file(name)), name), reverse=True)


def free_name(book: str) -> str:
    """A name for a new game of a book that no kept game has."""
    base = "-".join(re.findall(r"[a-z0-9]+", book.lower()))[:30] or UNNAMED_GAME
    names = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(name for name in names if not game_file(name).exists())


def open_game(name: str, file: Path) -> KeptGame | None:
    """The game in a file, None where there is none; `WrongSave` says what is wrong with it."""
    try:
        content = read_start(file, len(MAGIC))
    except CannotRead as error:
        raise WrongSave(str(error)) from None
    if not content:
        return None  # an empty file is what a program leaves that was killed in the moment of making it
    if content != MAGIC:
        raise WrongSave(f"{file} is not a saved game of punto")
    look = look_at_game(file)
    return KeptGame(name, file, look) if look is not None else None


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


def list_games() -> None:
    games, wrong = kept_games()
    room = max((len(game.name) for game in games), default=0)
    for game in games:
        print(f"{game.name:<{room}}  {game.sentence}")
    for sentence in wrong:
        print(f"{sentence}.")
    if not games and not wrong:
        print("No games are kept. punto play begins one.")


def delete_game(name: str) -> None:
    """Remove a kept game, whatever is wrong with it."""
    remove_game_files(_file_of(name))
    print(f"The game {name} is deleted.")


def export_game(name: str | None, save: str | None, output: str) -> None:
    """Write a game to a file: FILE.punto is a session for `punto run`, any other name has JSON Lines."""
    from punto.cli.table_commands import table_export

    if name is None and save is None:
        names = game_names()
        if not names:
            refuse("no games are kept")
        if len(names) > 1:
            refuse(f"name the game to export with --game: {', '.join(names)}")
        name = names[0]
    file = named_file("--save", save) if save is not None else _file_of(name or "")
    game = open_game(name or file.stem, file)
    if game is None:
        refuse(f"there is no game in {file}")
    table_export(game.look.stored.id, output=output, database=str(file), json=False)


def _file_of(name: str) -> Path:
    """The file of a game that must be there."""
    if not GAME_NAME.fullmatch(name) or not game_file(name).exists():
        refuse(f"there is no game {name}{did_you_mean(name, game_names())}; punto play --list shows all")
    return game_file(name)


def _played(path: Path) -> int:
    """When a game was last played: a killed program leaves the last of it beside the database."""
    return max((file.stat().st_mtime_ns for file in game_files(path) if file.exists()), default=0)
