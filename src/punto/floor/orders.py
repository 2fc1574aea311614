"""What the house orders for its whole floor at this moment: its rules, and what is stopped.

A stop lets rounds that are in play finish: what lies is dealt and settled by the book, antes and insurance of that
round are decided as ever, and bets can be taken back. No other round is called and no new bet is taken. The
shortest round of a profile counts from one call for bets to the next, and bets stay open for as long as the rules
say. All are judged in the transaction that writes a command, whichever process it comes from; views and the
automatic dealer have what was last read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from threading import Lock

import msgspec

from punto.dealer.dealer import Pace, clock_start
from punto.floor.answers import Stop, TableStop
from punto.floor.house_rules import HouseRules, house_rules
from punto.floor.loaded_table import LoadedTable
from punto.floor.people import refuse_long_reason, refuse_reason
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, Role
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.stop import StoredStop, add_stop, remove_stop, stop_subject, stopped_book, stored_stops
from punto.store.store import Store
from punto.table.betting import BetsCalled, CallBets, CloseBets, PlaceBet, ReopenBets
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.state import Phase, State
from punto.table.terms import Audience

ORDERED = (CallBets, PlaceBet, ReopenBets)  # What a stop of the house refuses.
CLOSING = (CloseBets, DealCard)  # What closes bets that are open.
LOOK_S = 2.0  # How often a server looks whether somebody else has ordered something.
_log = logging.getLogger("punto.house")


class HouseOrders(msgspec.Struct, frozen=True):
    """What holds for the whole floor at one moment."""

    rules: HouseRules = HouseRules()
    stops: tuple[Stop, ...] = ()

    def stop_at(self, loaded: LoadedTable) -> TableStop | None:
        """The stop that holds at a table: that of the floor first."""
        book = loaded.table.book.name
        holding = (each for each in self.stops if each.book in (None, book))
        stop = min(holding, key=lambda each: each.book is not None, default=None)
        return TableStop(stop.book, stop.since) if stop is not None else None

    def pace(self, pace: Pace) -> Pace:
        """A pace with every clock as long as the profile has it, and that for bets no shorter than the rules allow."""
        percent, shortest = self.rules.profile.clock_percent, self.rules.shortest_betting_seconds * 1000
        clocks = {name: getattr(pace, name) for name in Pace.__dataclass_fields__} if percent != 100 else {}
        pace = replace(pace, **{name: clock * percent // 100 for name, clock in clocks.items() if clock is not None})
        return replace(pace, bets=max(pace.bets, shortest)) if pace.bets is not None and shortest else pace

    def next_call(self, called: int | None, now: int) -> int:
        """The earliest time of a call for bets after the last one."""
        shortest = self.rules.profile.shortest_round_seconds * 1000
        return 0 if called is None or not shortest else clock_start(called, now) + shortest


NO_ORDERS = HouseOrders()


def house_orders(reader: Reader) -> HouseOrders:
    return HouseOrders(house_rules(reader), stops_of(reader))


def stops_of(reader: Reader) -> tuple[Stop, ...]:
    """Everything that is stopped."""
    stored = stored_stops(reader)
    return tuple(Stop(stopped_book(each.what), each.stopped_ms, each.stopped_by, each.reason) for each in stored)


def refuse_ordered(
    orders: HouseOrders, loaded: LoadedTable, command: Command, called: Callable[[], int | None]
) -> Refusal | None:
    """Why the house lets nobody call for bets, bet or close bets now; `called` is when bets were last called for."""
    if isinstance(command, ORDERED) and orders.stop_at(loaded) is not None:
        return Refusal(Reason.STOPPED, None)
    if isinstance(command, CLOSING):
        return _refuse_closing(orders.rules.shortest_betting_seconds, loaded, command.time)
    least = orders.rules.profile.shortest_round_seconds
    if not isinstance(command, CallBets) or not least or loaded.table.state.phase is not Phase.IDLE:
        return None
    left = orders.next_call(called(), command.time) - command.time
    return Refusal(Reason.TOO_SOON, None, {"least": least, "seconds": -(-left // 1000)}) if left > 0 else None


def _refuse_closing(least: int, loaded: LoadedTable, now: int) -> Refusal | None:
    if not least:
        return None  # whatever the clock says
    left = clock_start(loaded.table.state.since, now) + least * 1000 - now
    return Refusal(Reason.CLOSED_TOO_SOON, None, {"least": least, "seconds": -(-left // 1000)}) if left > 0 else None


def is_ordered(loaded: LoadedTable, command: Command) -> bool:
    """Whether the house may have ordered something about a command; a card that closes no bets it does not."""
    is_closing = isinstance(command, CLOSING) and loaded.table.state.phase is Phase.BETTING
    return is_closing or isinstance(command, ORDERED)


STAFF = (*LADDER, Role.AUDITOR)  # Who works at tables or looks after them.


def advice_audience(orders: HouseOrders, state: State) -> Audience:
    """Who has help at a table: by its terms, else by the profile."""
    audience = state.terms.advice if state.terms is not None else None
    return orders.rules.profile.advice if audience is None else audience


def refuse_advice(
    orders: HouseOrders, loaded: LoadedTable, name: str | None, roles: Collection[Role]
) -> Refusal | None:
    """Why somebody may not have help from the cards that have shown: live odds, and advice.

    By the terms of the table, else by the profile. Whoever plays at the table is a player there, in whatever roles.
    """
    state = loaded.table.state
    audience = advice_audience(orders, state)
    is_playing = name is not None and (name in state.seats.values() or name in state.bettors)
    is_staff = bool(set(STAFF) & set(roles)) and not is_playing
    if audience is Audience.EVERYBODY or (audience is Audience.STAFF and is_staff):
        return None
    return Refusal(Reason.NOT_ALLOWED_HERE, None)


_CALLED = f'{{"type":"{BetsCalled.name()}"'


def last_call(reader: Reader, table: str) -> int | None:
    """When bets were last called for at a table; None where they never were."""
    statement = "SELECT seq FROM events WHERE table_id = ? AND body LIKE ? ORDER BY seq DESC LIMIT 1"
    for (seq,) in reader.rows(statement, (table, f"{_CALLED}%")):
        [record] = reader.records(table, seq - 1, 1)
        return record.event.time
    return None


def stop_play(store: Store, book: str | None, reason: str, by: str, now: int) -> tuple[Stop, ...] | Refusal:
    """Stop the floor, or the tables of one book; everything that is stopped then."""
    if (refusal := refuse_reason(reason)) is not None:
        return refusal
    with store.write() as transaction:
        known = [name for (name,) in transaction.rows("SELECT DISTINCT name FROM books ORDER BY name")]
        if book is not None and book not in known:
            return Refusal(Reason.NO_BOOK, None, {"book": book, "books": ", ".join(known) or "none"})
        if not add_stop(transaction, StoredStop(stop_subject(book), by, now, reason)):
            return Refusal(Reason.STOPPED_ALREADY, None)
        return stops_of(transaction)


def start_play(store: Store, book: str | None, by: str, now: int, reason: str = "") -> tuple[Stop, ...] | Refusal:
    """Let the floor, or a book, be played again; everything that is still stopped."""
    if (refusal := refuse_long_reason(reason)) is not None:
        return refusal
    with store.write() as transaction:
        if not remove_stop(transaction, stop_subject(book), by, now, reason):
            return Refusal(Reason.NOT_STOPPED, None)
        return stops_of(transaction)


class OrderBoard:
    """The orders of the house as they were last read, for whatever cannot wait for the store."""

    def __init__(self, store: Store) -> None:
        self._store, self._orders, self._lock = store, HouseOrders(), Lock()
        self._listeners: list[Callable[[], None]] = []
        self.look()

    def __call__(self) -> HouseOrders:
        return self._orders

    def listen(self, tell: Callable[[], None]) -> None:
        """Have a change told, in the thread that notices it."""
        self._listeners.append(tell)

    def look(self) -> None:
        """Read what is ordered now, and tell of it where it is something else."""
        with self._lock, self._store.read() as reader:
            before, self._orders = self._orders, house_orders(reader)
            is_new = self._orders != before
        for tell in self._listeners if is_new else ():
            tell()

    async def keep_running(self) -> None:
        """Until cancelled: look now and then; another process, or the command line, may order something."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await asyncio.to_thread(self.look)
            except StoreError as error:
                _log.warning("the orders of the house could not be read: %s", error)
