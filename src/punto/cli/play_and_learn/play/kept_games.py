"""The games that are kept in the user's data folder, each in a database of its own.

A game is named after its book, and the second of a book `ez-2`; `--game` gives it another name. A new game
never takes the place of one that is kept: only `leave` at the table and `--delete` remove a game. Games that
earlier versions kept as JSON files are found too, and become databases when they are gone on with.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from pathlib import Path

from punto.cli.files.kept_file import data_file, kept
from punto.cli.files.writer import CannotWrite, write_whole
from punto.cli.play_and_learn.play.saved_game import NotKept, SavedGame, WrongSave, read_game, restore
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable
from punto.cli.play_and_learn.play.stored_game import (
    BESIDE,
    StoredGame,
    is_database,
    look_at,
    remove_files,
    resume,
)
from punto.cli.terminal.say import refuse
from punto.ledger import purse_of
from punto.money import format_money
from punto.rules.book import Book
from punto.suggestion import did_you_mean

FOLDER = "games"
KEPT, OLD = ".db", ".json"
ONLY = "game"
"""The name of the one game that earlier versions kept, beside the folder."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that can be gone on with."""

    name: str
    file: Path
    book: Book
    round: int
    in_hand: int
    saved: SavedGame | None = None
    """As an earlier version kept it."""

    @property
    def sentence(self) -> str:
        """Where it stands, in words."""
        return f"{self.book.title}: round {self.round}, in hand {format_money(self.in_hand)}"


def game_file(name: str) -> Path:
    """The file of a kept game; the name must be one that `NAME` matches."""
    new, old = data_file(f"{FOLDER}/{name}{KEPT}"), data_file(f"{FOLDER}/{name}{OLD}")
    if name == ONLY and not old.exists():
        old = data_file(f"{ONLY}{OLD}")
    return old if not new.exists() and old.exists() else new


def game_names() -> list[str]:
    """Every kept game, the one that was played last first."""
    folder = data_file(FOLDER)
    paths = [*folder.iterdir()] if folder.is_dir() else []
    paths += [data_file(f"{ONLY}{OLD}")] if data_file(f"{ONLY}{OLD}").is_file() else []
    names = {path.stem for path in paths if path.suffix in (KEPT, OLD) and NAME.fullmatch(path.stem)}
    return sorted(names, key=lambda name: (_played(game_file(name)), name), reverse=True)


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
    if is_database(file):
        look = look_at(file)
        if look is None:
            return None
        table = look.table.table
        return KeptGame(name, file, table.book, table.state.round, look.in_hand)
    if file.is_file() and not file.stat().st_size:
        return None  # what a program leaves that was killed in the moment of making it
    saved = read_game(file)
    if saved is None:
        return None
    solo = restore(file, saved)
    in_hand = purse_of(PLAYER, saved.bankroll, solo.events).in_hand
    return KeptGame(name, file, solo.book, solo.state.round, in_hand, saved)


def go_on(game: KeptGame) -> tuple[StoredGame, SoloTable, int]:
    """A kept game, its table and the money that was brought to it; an old one is stored anew first."""
    file = game.file
    if game.saved is not None:
        file = _stored_anew(game, game.saved)
    return resume(file)


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
    """Print every kept game with where it stands."""
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
    file = _file_of(name)
    remove_files(file)
    if file.suffix == OLD:
        data_file(f"{FOLDER}/{name}{OLD}").unlink(missing_ok=True)
    print(f"The game {name} is deleted.")


def export_game(name: str | None, save: Path | None, output: str) -> None:
    """Write a game to a file: FILE.punto is a session for `punto run`, any other name has JSON Lines."""
    from punto.cli.stored_tables.table.export import export

    if name is None and save is None:
        names = game_names()
        if not names:
            refuse("no games are kept")
        if len(names) > 1:
            refuse(f"name the game to export with --game: {', '.join(names)}")
        name = names[0]
    file = save if save is not None else _file_of(name or "")
    try:
        game = open_game(name or file.stem, file)
        if game is None:
            refuse(f"there is no game in {file}")
        stored, _, _ = go_on(game)
    except (WrongSave, NotKept) as error:
        refuse(str(error))
    stored.close()
    export(stored.table, output=output, database=str(stored.path), json=False)


def _file_of(name: str) -> Path:
    """The file of a game that must be there."""
    if not NAME.fullmatch(name) or not game_file(name).exists():
        refuse(f"there is no game {name}{did_you_mean(name, game_names())}; punto play --list shows all")
    return game_file(name)


def _stored_anew(game: KeptGame, saved: SavedGame) -> Path:
    """An old game as a database; its JSON file goes only when the database is there, whole."""
    solo = restore(game.file, saved)
    if game.file.parent in (data_file(""), data_file(FOLDER)):
        file = data_file(f"{FOLDER}/{game.name}{KEPT}")
        StoredGame.begin(file, game.name, solo, saved.bankroll).close()
        game.file.unlink()
        return file
    # A file that the player has named keeps its name: the database takes its place in one stroke.
    draft = game.file.with_name(f".punto-{secrets.token_hex(8)}")
    try:
        StoredGame.begin(draft, ONLY, solo, saved.bankroll).close()
        write_whole(game.file, kept(draft) or b"")
    except CannotWrite as error:
        raise NotKept(str(error)) from None
    finally:
        remove_files(draft)
    return game.file


def _played(path: Path) -> int:
    """When a game was last played: a killed program leaves the last of it beside the database."""
    files = [path.with_name(path.name + suffix) for suffix in BESIDE]
    return max((file.stat().st_mtime_ns for file in files if file.exists()), default=0)
