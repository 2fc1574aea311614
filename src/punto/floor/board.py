"""The board over a table: what it shows, and the key with which a screen on a wall shows it.

A screen hangs there for weeks and nobody logs in at it, so it has a key of its own for one table, made by whoever deals
or by the pit, told once and kept as a digest. It holds until another is made or it is taken back. With it a screen sees
cards, results and roads, no names and no bets, and can do nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from enum import Enum
from typing import Annotated

import msgspec

from punto.floor.people import Author, People
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER
from punto.store.reader import Reader
from punto.store.transaction import Transaction
from punto.store.witness import mark_of, set_mark

KEY_PREFIX = "punto-board-"  # How keys begin, so that one that was left lying about is known for what it is.


BoardAddress = Annotated[str, msgspec.Meta(pattern=r"^(https?://[A-Za-z0-9.:\[\]-]{1,190})?$")]
"""Where phones reach the floor: a scheme, a host and perhaps a port."""


class BoardRoad(Enum):
    """A road that a board can show."""

    BIG = "big"
    BEAD = "bead"
    BIG_EYE = "bigEye"
    SMALL = "small"
    COCKROACH = "cockroach"


class BoardSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the board of a table shows."""

    on: bool = True
    language: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    """A language by its tag, such as zh-Hant; default: that of the screen."""
    roads: Annotated[tuple[BoardRoad, ...], msgspec.Meta(max_length=len(BoardRoad))] = tuple(BoardRoad)
    mirrored: bool = False  # Banker on the left and Player on the right, as the dealer sees them.
    code: bool = True  # Whether the code that leads to the table is shown.
    address: BoardAddress = ""
    """Where phones reach the floor, such as https://floor.example; default: where the screen reached it."""


class StoredBoard(msgspec.Struct, frozen=True):
    """The board of a table as it is kept."""

    settings: BoardSettings = BoardSettings()
    digest: str | None = None  # What is kept of the key; None where no screen has one.
    linked_by: str | None = None
    linked_ms: int | None = None


class BoardAnswer(msgspec.Struct, frozen=True):
    """The board of a table, and who made the key of its screens."""

    table: str
    settings: BoardSettings
    linked_by: str | None = None  # None where no screen has a key.
    linked_ms: int | None = None


class BoardKey(msgspec.Struct, frozen=True):
    """A key for the screens of a table, told only here."""

    table: str
    key: str


def stored_board(reader: Reader, table: str) -> StoredBoard:
    """What the house has said of a board; the defaults where it has said nothing."""
    kept = mark_of(reader, _mark(table))
    return StoredBoard() if kept is None else msgspec.json.decode(kept, type=StoredBoard)


def board_answer(table: str, board: StoredBoard) -> BoardAnswer:
    return BoardAnswer(table, board.settings, board.linked_by, board.linked_ms)


def is_board_key(key: str) -> bool:
    return key.startswith(KEY_PREFIX)


def opens_board(board: StoredBoard, key: str) -> bool:
    """Whether this is the key of a board."""
    return board.digest is not None and hmac.compare_digest(board.digest, _digest(key))


class Boards:
    """Changes what boards show, and makes and takes back the keys of their screens."""

    def __init__(self, people: People, clock: Callable[[], int]) -> None:
        self._people, self._clock = people, clock

    def change(self, table: str, settings: BoardSettings, by: Author) -> BoardAnswer | Refusal:
        return self._keep(table, by, lambda board: msgspec.structs.replace(board, settings=settings))

    def link(self, table: str, by: Author) -> BoardKey | Refusal:
        """A key for the screens of a table; the one before it ends."""
        key, now = KEY_PREFIX + secrets.token_urlsafe(32), self._clock()
        made = {"digest": _digest(key), "linked_by": by.name, "linked_ms": now}
        kept = self._keep(table, by, lambda board: msgspec.structs.replace(board, **made))
        return kept if isinstance(kept, Refusal) else BoardKey(table, key)

    def unlink(self, table: str, by: Author) -> BoardAnswer | Refusal:
        """Take the key back: every screen of the table goes dark."""
        return self._keep(table, by, lambda board: StoredBoard(board.settings))

    def _keep(self, table: str, by: Author, change: Callable[[StoredBoard], StoredBoard]) -> BoardAnswer | Refusal:
        def act(transaction: Transaction) -> BoardAnswer | Refusal:
            if all(stored.id != table for stored in transaction.tables()):
                return Refusal(Reason.NO_TABLE, None, {"table": table})
            board = change(stored_board(transaction, table))
            set_mark(transaction, _mark(table), msgspec.json.encode(board).decode())
            return board_answer(table, board)

        return self._people.change(by, act, LADDER)


def _mark(table: str) -> str:
    return f"board/{table}"


def _digest(key: str) -> str:
    return hashlib.sha256(f"board/{key}".encode("utf-8", "surrogatepass")).hexdigest()
