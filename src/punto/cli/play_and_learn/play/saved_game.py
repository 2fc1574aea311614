"""A game as earlier versions saved it: a JSON file of its seed and its commands, which is read once.

Nothing of the state is in it, so a file cannot say anything that the table would not have allowed: it is
replayed command by command, and a card that the seed does not bring is found out. Then it is kept as a
database (stored_game.py), and never written as JSON again.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from punto.books import BookNotFound, load
from punto.cli.files.kept_file import form_of, kept
from punto.cli.files.reader import CannotRead
from punto.cli.play_and_learn.play.solo_table import SoloTable
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.rules.reading.problem import BookError
from punto.table.command import Command

KIND = "punto-game"
VERSION = 1


class WrongSave(Exception):
    """A file that is not a saved game; the sentence says what is wrong with it."""


class NotKept(Exception):
    """A game cannot be kept; the sentence says why."""


class SavedGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=KIND):
    """Everything that a game is."""

    version: int = VERSION
    book: str
    """A built-in book, or the path of a file."""
    seed: str
    bankroll: int
    """All the money that was brought to the table."""
    commands: tuple[Command, ...]
    digest: str | None = None
    """The digest of the book by which it was played; None in games saved before there were any."""

    def is_of(self, book: Book) -> bool:
        """Whether the book still says what it said when the game was saved, as far as is known."""
        return self.digest is None or self.digest == digest_of(book)


def read_game(path: Path) -> SavedGame | None:
    """The game in a file, None where there is no file; `WrongSave` if there is no game in it."""
    try:
        content = kept(path)
    except CannotRead as error:
        raise WrongSave(str(error)) from None
    if content is None:
        return None
    version = form_of(content, KIND)
    if version is None:
        raise WrongSave(f"{path} is not a saved game of punto")
    if version != VERSION:
        raise WrongSave(f"{path} was saved in version {version}, and this punto reads version {VERSION}")
    try:
        return msgspec.json.decode(content, type=SavedGame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WrongSave(f"{path} is a damaged game: {error}") from None


def restore(path: Path, game: SavedGame) -> SoloTable:
    """The table that a saved game was played at; `WrongSave` where it cannot have been one."""
    try:
        book = load(game.book)
    except BookNotFound as error:
        raise WrongSave(f"{path} needs its book: {error}") from None
    except BookError:
        raise WrongSave(
            f"{path} needs the book {game.book}, which has mistakes; punto check lists them"
        ) from None
    solo = SoloTable(book, game.seed)
    problem = solo.replay(list(game.commands)) if game.bankroll > 0 else "nobody brought money to it"
    if problem is not None and not game.is_of(book):
        raise WrongSave(f"{path} was played by another version of {game.book}, and does not go on: {problem}")
    if problem is not None:
        raise WrongSave(f"{path} is a damaged game: {problem}")
    return solo
