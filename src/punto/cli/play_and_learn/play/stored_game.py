"""A game in a database of its own, which is a table like any other: events, commands and ledger.

Whatever the player does is decided again by the floor and is durable before anything of it is shown, so a
game that is killed at any moment goes on where it was. The seed is sealed with a key that everybody has: a
game's cards are no secret from whoever owns the file, and a copied file can be gone on with.
"""

from __future__ import annotations

import hashlib
import secrets
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from punto.cli.options.database import now_ms
from punto.cli.play_and_learn.play.saved_game import NotKept, WrongSave
from punto.cli.play_and_learn.play.solo_table import HOUSE, PLAYER, SoloTable
from punto.floor.batch import JobBatch, Memory
from punto.floor.cards import without_cards
from punto.floor.job import Job, decode_command
from punto.floor.loaded import LoadedTable, load
from punto.floor.seed import given_seeds
from punto.floor.shelf import Shelf, book_document
from punto.ledger import buy_in, held_account, player_account
from punto.ledger.movement import MovementKind
from punto.refusal import Refusal
from punto.rules.digest import digest_of
from punto.store.address import Address, DatabaseKind
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import Record
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.store.stored import StoredAccount
from punto.store.transaction import Transaction

SEAL = Seal(hashlib.sha256(b"punto play").digest())
BOTS_MONEY = 10**12
"""What each bot brings: more than it can lose."""
BESIDE = ("", "-wal", "-shm")
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
        with _told():
            path.parent.mkdir(parents=True, exist_ok=True)
            store = open_store(_address(path))
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
        with _told(), self._store.write() as transaction:
            tables = self._carry_out(transaction, solo)
        self._remember(solo, tables)

    def buy(self, solo: SoloTable, amount: int) -> None:
        """More money for the player; `NotKept` says why it is not there."""
        self.keep(solo)
        with _told(), self._store.write() as transaction:
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
        remove_files(self.path)


_ELSEWHERE = "it is being played in another window"


def _is_ours(last: Sequence[Record], solo: SoloTable) -> bool:
    """Whether the last event in the database is one of the game that is being played here."""
    return all(each.seq <= len(solo.events) and solo.events[each.seq - 1] == each.event for each in last)


def look_at(path: Path) -> GameLook | None:
    """What the game in a database is; None where there is none in it yet."""
    with _opened(path) as store, store.read() as reader:
        table = _only_table(reader, path)
        return None if table is None else _look(reader, table)


def resume(path: Path) -> tuple[StoredGame, SoloTable, int]:
    """A stored game, its table and the money that was brought to it; there must be one."""
    with _opened(path, is_left_open=True) as store:
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


def remove_files(path: Path) -> None:
    """Delete a database, with the files beside it that a killed program leaves."""
    for suffix in BESIDE:
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
    return load(reader, Shelf(), tables[0])


def _bring(transaction: Transaction, handle: str, currency: str, amount: int) -> None:
    free = transaction.balances([player_account(handle)])[player_account(handle)]
    movement = buy_in(handle, currency, amount, free=free)
    if isinstance(movement, Refusal):
        raise NotKept(movement.sentence)
    transaction.post([movement], time_ms=now_ms(), actor=HOUSE)


def _address(path: Path) -> Address:
    return Address(DatabaseKind.SQLITE, str(path))


@contextmanager
def _opened(path: Path, *, is_left_open: bool = False) -> Iterator[Store]:
    """The database of a game; `WrongSave` says what is wrong with it."""
    try:
        store = open_store(_address(path), create=False)
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
def _told() -> Iterator[None]:
    """What goes wrong with a database, as a sentence for the player."""
    try:
        yield
    except StoreError as error:
        raise NotKept(str(error)) from None
    except OSError as error:
        raise NotKept(f"{error.filename} cannot be written: {error.strerror}") from None
