"""Games that are kept in the user's data folder, each in a database of its own that is a table like any
other: events, commands and ledger. A game as earlier versions saved it, a JSON file, is read once and
stored anew.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from punto.books import BookNotFound
from punto.books import load as load_book
from punto.cli.database_options import now_ms
from punto.cli.files import CannotRead, CannotWrite, data_file, kept_form, read_kept, write_whole
from punto.cli.output import refuse
from punto.cli.play_table import HOUSE, PLAYER, SoloTable
from punto.floor.floor import JobBatch, Memory
from punto.floor.job import Job, decode_command
from punto.floor.loaded_table import LoadedTable, Shelf, book_document, load_table
from punto.floor.shoe import given_seeds, without_cards
from punto.ledger.movement import MovementKind, buy_in, held_account, player_account
from punto.ledger.results import purse_of
from punto.money import format_money
from punto.refusal import Refusal
from punto.rules.book import Book, digest_of
from punto.rules.validation import BookError
from punto.store.connection import Address, DatabaseKind
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import Record, StoredAccount
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.store.transaction import Transaction
from punto.suggestion import did_you_mean
from punto.table.command import Command

OLD_SAVE_KIND = "punto-game"
OLD_SAVE_VERSION = 1


class WrongSave(Exception):
    """A file that is not a saved game; the sentence says what is wrong with it."""


class NotKept(Exception):
    """A game cannot be kept; the sentence says why."""


class SavedGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=OLD_SAVE_KIND):
    """Everything that a game is."""

    version: int = OLD_SAVE_VERSION
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


def read_saved_game(path: Path) -> SavedGame | None:
    """The game in a file, None where there is no file; `WrongSave` if there is no game in it."""
    try:
        content = read_kept(path)
    except CannotRead as error:
        raise WrongSave(str(error)) from None
    if content is None:
        return None
    version = kept_form(content, OLD_SAVE_KIND)
    if version is None:
        raise WrongSave(f"{path} is not a saved game of punto")
    if version != OLD_SAVE_VERSION:
        raise WrongSave(f"{path} was saved in version {version}, and this punto reads version {OLD_SAVE_VERSION}")
    try:
        return msgspec.json.decode(content, type=SavedGame)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WrongSave(f"{path} is a damaged game: {error}") from None


def restore_saved_game(path: Path, game: SavedGame) -> SoloTable:
    """The table that a saved game was played at; `WrongSave` where it cannot have been one."""
    try:
        book = load_book(game.book)
    except BookNotFound as error:
        raise WrongSave(f"{path} needs its book: {error}") from None
    except BookError:
        raise WrongSave(f"{path} needs the book {game.book}, which has mistakes; punto check lists them") from None
    solo = SoloTable(book, game.seed)
    problem = solo.replay(list(game.commands)) if game.bankroll > 0 else "nobody brought money to it"
    if problem is not None and not game.is_of(book):
        raise WrongSave(f"{path} was played by another version of {game.book}, and does not go on: {problem}")
    if problem is not None:
        raise WrongSave(f"{path} is a damaged game: {problem}")
    return solo


# A game in a database of its own, which is a table like any other: events, commands and ledger.
#
# Whatever the player does is decided again by the floor and is durable before anything of it is shown, so a
# game that is killed at any moment goes on where it was. The seed is sealed with a key that everybody has: a
# game's cards are no secret from whoever owns the file, and a copied file can be gone on with.


SEAL = Seal(hashlib.sha256(b"punto play").digest())
BOTS_MONEY = 10**12
"""What each bot brings: more than it can lose."""
DATABASE_ENDINGS = ("", "-wal", "-shm")
"""The files of one database, by what follows its path."""
MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class GameLook:
    """What a stored game is, at a look."""

    table: LoadedTable
    in_hand: int
    bought: int
    """All the money that the player has brought."""


class StoredGame:
    """A game that is being played, and its database."""

    def __init__(self, path: Path, store: Store, table: str, solo: SoloTable) -> None:
        self.path, self.table, self._store = path, table, store
        self._memory = Memory(SEAL, given_seeds(solo.seed))
        self._version = 0
        """How many events of the game are known to be in the database."""

    @classmethod
    def begin(cls, path: Path, table: str, solo: SoloTable, bankroll: int) -> StoredGame:
        """Keep a game from now on, with all that has happened in it; `NotKept` says why it cannot be."""
        with _store_trouble_told():
            path.parent.mkdir(parents=True, exist_ok=True)
            store = open_store(_game_address(path))
            game = cls(path, store, table, solo)
            try:
                with store.write() as transaction:
                    if transaction.tables():
                        raise NotKept(f"there is a game in {path} already")
                    game._open(transaction, solo, bankroll)
                    tables = game._carry_out(transaction, solo)
            except BaseException:
                store.close()
                raise
        game._remember(solo, tables)
        return game

    def _open(self, transaction: Transaction, solo: SoloTable, bankroll: int) -> None:
        """The table without its events, and everybody's account with money."""
        now, currency = now_ms(), solo.table.terms.currency
        transaction.add_book(digest_of(solo.book), solo.book.name, book_document(solo.book))
        transaction.add_table(self.table, digest_of(solo.book), now)
        for handle, amount in ((PLAYER, bankroll), *((bot, BOTS_MONEY) for bot in solo.bots().values())):
            transaction.add_account(StoredAccount(handle, currency, now))
            _bring(transaction, handle, currency, amount)

    def keep(self, solo: SoloTable) -> None:
        """Make everything durable that was done since; `NotKept` says why it cannot be."""
        if self._version == len(solo.events):
            return
        with _store_trouble_told(), self._store.write() as transaction:
            tables = self._carry_out(transaction, solo)
        self._remember(solo, tables)

    def buy(self, solo: SoloTable, amount: int) -> None:
        """More money for the player; `NotKept` says why it is not there."""
        self.keep(solo)
        with _store_trouble_told(), self._store.write() as transaction:
            _bring(transaction, PLAYER, solo.table.terms.currency, amount)

    def _carry_out(self, transaction: Transaction, solo: SoloTable) -> dict[str, LoadedTable]:
        """The floor decides every new command again, and must come to the same events; the table then.

        What is new is for the database to say: a Ctrl-C may have come between its commit and our knowing.
        """
        version = transaction.lock_tables([self.table])[self.table].version
        if version != self._version and not _is_ours(transaction.records(self.table, version - 1), solo):
            raise NotKept(_ELSEWHERE)
        kept = bisect_left(solo.versions, version)
        new = zip(solo.commands[kept:], solo.versions[kept:], strict=True)
        jobs = [Job(self.table, without_cards(command), before) for command, before in new]
        batch, came = JobBatch(transaction, self._memory, jobs), []
        for answer in batch.run():
            if isinstance(answer, Refusal):
                raise NotKept(answer.sentence)
            came += [record.event for record in answer.records]
        assert came == solo.events[len(solo.events) - len(came) :], "two readings of a game agree"
        return batch.tables

    def _remember(self, solo: SoloTable, tables: dict[str, LoadedTable]) -> None:
        """Only once it is kept: what is rolled back is read again from the database."""
        self._memory.tables, self._version = tables, len(solo.events)

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def remove(self) -> None:
        """Delete the game for good."""
        self.close()
        remove_game_files(self.path)


_ELSEWHERE = "it is being played in another window"


def _is_ours(last: Sequence[Record], solo: SoloTable) -> bool:
    """Whether the last event in the database is one of the game that is being played here."""
    return all(each.seq <= len(solo.events) and solo.events[each.seq - 1] == each.event for each in last)


def look_at_game(path: Path) -> GameLook | None:
    """What the game in a database is; None where there is none in it yet."""
    with _opened_game(path) as store, store.read() as reader:
        table = _only_table(reader, path)
        return None if table is None else _look(reader, table)


def resume_game(path: Path) -> tuple[StoredGame, SoloTable, int]:
    """A stored game, its table and the money that was brought to it; there must be one."""
    with _opened_game(path, is_left_open=True) as store:
        with store.read() as reader:
            table = _only_table(reader, path)
            assert table is not None, "looked at before"
            seed = reader.seed(table.id, 1)
            # Before the first shoe is loaded any seed will do.
            text = SEAL.open(table.id, 1, seed.sealed).decode() if seed else secrets.token_hex(32)
            solo = SoloTable(table.table.book, text, now_ms)
            commands = [decode_command(each.body) for each in reader.commands(table.id) if not each.refusal]
            solo.take_up((record.event for record in reader.each_record(table.id)), commands)
            bought = _look(reader, table).bought
        game = StoredGame(path, store, table.id, solo)
        game._version = len(solo.events)
        return game, solo, bought


def is_database(path: Path) -> bool:
    """Whether a file is a database, and not a game as earlier versions kept it."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def remove_game_files(path: Path) -> None:
    """Delete a database, with the files beside it that a killed program leaves."""
    for suffix in DATABASE_ENDINGS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _look(reader: Reader, table: LoadedTable) -> GameLook:
    wallets = (player_account(PLAYER), held_account(table.id, PLAYER))
    bought = sum(
        line.amount
        for line in reader.statement(player_account(PLAYER))
        if line.movement.kind == MovementKind.BUY_IN.value
    )
    return GameLook(table, sum(reader.balances(wallets).values()), bought)


def _only_table(reader: Reader, path: Path) -> LoadedTable | None:
    tables = reader.tables()
    if not tables:
        return None
    if len(tables) > 1 or reader.account(PLAYER) is None:
        raise WrongSave(f"{path} is a database of tables, not a game")
    return load_table(reader, Shelf(), tables[0])


def _bring(transaction: Transaction, handle: str, currency: str, amount: int) -> None:
    free = transaction.balances([player_account(handle)])[player_account(handle)]
    movement = buy_in(handle, currency, amount, free=free)
    if isinstance(movement, Refusal):
        raise NotKept(movement.sentence)
    transaction.post([movement], time_ms=now_ms(), actor=HOUSE)


def _game_address(path: Path) -> Address:
    return Address(DatabaseKind.SQLITE, str(path))


@contextmanager
def _opened_game(path: Path, *, is_left_open: bool = False) -> Iterator[Store]:
    """The database of a game; `WrongSave` says what is wrong with it."""
    try:
        store = open_store(_game_address(path), create=False)
        try:
            yield store
        except BaseException:
            store.close()
            raise
        if not is_left_open:
            store.close()
    except StoreError as error:
        raise WrongSave(str(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WrongSave(f"{path} is a damaged game: {error}") from None


@contextmanager
def _store_trouble_told() -> Iterator[None]:
    """What goes wrong with a database, as a sentence for the player."""
    try:
        yield
    except StoreError as error:
        raise NotKept(str(error)) from None
    except OSError as error:
        raise NotKept(f"{error.filename} cannot be written: {error.strerror}") from None


# The games that are kept in the user's data folder, each in a database of its own.
#
# A game is named after its book, and the second of a book `ez-2`; `--game` gives it another name. A new game
# never takes the place of one that is kept: only `leave` at the table and `--delete` remove a game. Games
# that earlier versions kept as JSON files are found too, and become databases when they are gone on with.


GAMES_FOLDER = "games"
KEPT, OLD = ".db", ".json"
ONLY_TABLE = "game"
"""The name of the one game that earlier versions kept, beside the folder."""
GAME_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


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
    new, old = data_file(f"{GAMES_FOLDER}/{name}{KEPT}"), data_file(f"{GAMES_FOLDER}/{name}{OLD}")
    if name == ONLY_TABLE and not old.exists():
        old = data_file(f"{ONLY_TABLE}{OLD}")
    return old if not new.exists() and old.exists() else new


def game_names() -> list[str]:
    """Every kept game, the one that was played last first."""
    folder = data_file(GAMES_FOLDER)
    paths = [*folder.iterdir()] if folder.is_dir() else []
    paths += [data_file(f"{ONLY_TABLE}{OLD}")] if data_file(f"{ONLY_TABLE}{OLD}").is_file() else []
    names = {path.stem for path in paths if path.suffix in (KEPT, OLD) and GAME_NAME.fullmatch(path.stem)}
    return sorted(names, key=lambda name: (_played(game_file(name)), name), reverse=True)


def free_name(book: str) -> str:
    """A name for a new game of a book that no kept game has."""
    base = "-".join(re.findall(r"[a-z0-9]+", book.lower()))[:30] or ONLY_TABLE
    taken, number, name = {*game_names()}, 1, base
    while name in taken or game_file(name).exists():
        number += 1
        name = f"{base}-{number}"
    return name


def open_game(name: str, file: Path) -> KeptGame | None:
    """The game in a file, None where there is none; `WrongSave` says what is wrong with it."""
    if is_database(file):
        look = look_at_game(file)
        if look is None:
            return None
        table = look.table.table
        return KeptGame(name, file, table.book, table.state.round, look.in_hand)
    if file.is_file() and not file.stat().st_size:
        return None  # what a program leaves that was killed in the moment of making it
    saved = read_saved_game(file)
    if saved is None:
        return None
    solo = restore_saved_game(file, saved)
    in_hand = purse_of(PLAYER, saved.bankroll, solo.events).in_hand
    return KeptGame(name, file, solo.book, solo.state.round, in_hand, saved)


def go_on_with(game: KeptGame) -> tuple[StoredGame, SoloTable, int]:
    """A kept game, its table and the money that was brought to it; an old one is stored anew first."""
    file = game.file
    if game.saved is not None:
        file = _stored_anew(game, game.saved)
    return resume_game(file)


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
    remove_game_files(file)
    if file.suffix == OLD:
        data_file(f"{GAMES_FOLDER}/{name}{OLD}").unlink(missing_ok=True)
    print(f"The game {name} is deleted.")


def export_game(name: str | None, save: Path | None, output: str) -> None:
    """Write a game to a file: FILE.punto is a session for `punto run`, any other name has JSON Lines."""
    from punto.cli.table_commands import table_export

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
        stored, _, _ = go_on_with(game)
    except (WrongSave, NotKept) as error:
        refuse(str(error))
    stored.close()
    table_export(stored.table, output=output, database=str(stored.path), json=False)


def _file_of(name: str) -> Path:
    """The file of a game that must be there."""
    if not GAME_NAME.fullmatch(name) or not game_file(name).exists():
        refuse(f"there is no game {name}{did_you_mean(name, game_names())}; punto play --list shows all")
    return game_file(name)


def _stored_anew(game: KeptGame, saved: SavedGame) -> Path:
    """An old game as a database; its JSON file goes only when the database is there, whole."""
    solo = restore_saved_game(game.file, saved)
    if game.file.parent in (data_file(""), data_file(GAMES_FOLDER)):
        file = data_file(f"{GAMES_FOLDER}/{game.name}{KEPT}")
        StoredGame.begin(file, game.name, solo, saved.bankroll).close()
        game.file.unlink()
        return file
    # A file that the player has named keeps its name: the database takes its place in one stroke.
    draft = game.file.with_name(f".punto-{secrets.token_hex(8)}")
    try:
        StoredGame.begin(draft, ONLY_TABLE, solo, saved.bankroll).close()
        write_whole(game.file, read_kept(draft) or b"")
    except CannotWrite as error:
        raise NotKept(str(error)) from None
    finally:
        remove_game_files(draft)
    return game.file


def _played(path: Path) -> int:
    """When a game was last played: a killed program leaves the last of it beside the database."""
    files = [path.with_name(path.name + suffix) for suffix in DATABASE_ENDINGS]
    return max((file.stat().st_mtime_ns for file in files if file.exists()), default=0)
