"""Watching without an account, where the house allows it: tables as they were some time ago, the rounds and shoes that
were over by then, and the books that they are played by.

Whoever asks is told nobody's name and learns nothing that a player could still use: what is answered is the table after
the last event that is older than the delay of the house. Where nobody may watch, it is as if they had to log in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from punto.audit.shuffle import ShoeCheck
from punto.floor.loaded_table import LoadedTable
from punto.refusal import Reason, Refusal
from punto.server import count_room
from punto.server.book_routes import BookAnswer, book_answer
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.gallery import GUESTS
from punto.server.history_routes import path_number
from punto.server.messages import RoadsAnswer, RoundStepsAnswer
from punto.server.validation import not_there, rejected
from punto.views.history_view import RoadView, RoundView
from punto.views.spectator_view import UNTOLD, WatchedTable
from punto.views.table_view import TableView


class WatchedTables(msgspec.Struct, frozen=True):
    """The tables of a floor, for somebody without an account."""

    delay: int  # By how many seconds everything here is late.
    tables: tuple[WatchedTable, ...]


class WatchedTableAnswer(msgspec.Struct, frozen=True):
    """One table, for somebody without an account: in its view nobody has a name, and numbers of events are 0."""

    delay: int
    view: TableView
    roads: RoadView
    rounds: tuple[RoundView, ...]  # The last ones, the latest first.


async def watch_tables(ask: Inquiry) -> WatchedTables:
    """Every table, as it was before the delay that the house has set; for anybody, where the house allows it."""
    delay = _delay(ask)
    return WatchedTables(delay, tuple(await ask.app_state.gallery.tables()))


async def watch_table(ask: Inquiry) -> WatchedTableAnswer:
    """A table, as it was before the delay that the house has set; for anybody, where the house allows it."""
    delay, gallery, id = _delay(ask), ask.app_state.gallery, ask.path["id"]
    past = await gallery.past(id)
    return WatchedTableAnswer(delay, await gallery.view(id), past.roads, past.rounds)


async def watch_roads(ask: Inquiry) -> RoadsAnswer:
    """The five roads of the shoe that was in play then; for anybody, where the house allows it."""
    _delay(ask)
    return RoadsAnswer(ask.path["id"], UNTOLD, (await ask.app_state.gallery.past(ask.path["id"])).roads)


async def watch_round(ask: Inquiry) -> msgspec.Raw:
    """A round that was over then, step by step, without anybody's bets; for anybody, where the house allows it."""
    number = path_number(ask, "round")
    return await _looked_back(ask, count_room.read_watched_round, number, lambda at: number < at.table.state.round)


async def watch_shoe(ask: Inquiry) -> msgspec.Raw:
    """Whether a shoe that was out of play then was dealt in the order that was promised; for anybody, where the house
    allows it."""
    number = path_number(ask, "shoe")
    return await _looked_back(ask, count_room.check_watched_shoe, number, lambda at: number < at.table.state.round_shoe)


async def watch_book(ask: Inquiry) -> BookAnswer:
    """The rule book of a table that is watched; for anybody, where the house allows it."""
    _delay(ask)
    digest = ask.path["digest"]
    is_watched = digest in {one.book.digest for one in await ask.app_state.gallery.tables()}
    book = await asyncio.to_thread(ask.app_state.floor.stored_book, digest) if is_watched else None
    if book is None:
        raise not_there("such book to read")
    return await asyncio.to_thread(book_answer, book)


async def _looked_back(
    ask: Inquiry, work: Callable[..., Any], number: int, is_final: Callable[[LoadedTable], bool]
) -> msgspec.Raw:
    """What the count room finds in the log as guests have it; what cannot change any more is worked out once."""
    _delay(ask)
    loaded = (await ask.app_state.gallery.table(ask.path["id"])).loaded
    key = (loaded.id, number, None if is_final(loaded) else loaded.version)
    return await ask.app_state.counting.ask(GUESTS, work, loaded.id, loaded.version, number, key=key)


def _delay(ask: Inquiry) -> int:
    """By how many seconds; where nobody may watch, it is as if they had to log in."""
    delay = ask.app_state.gallery.delay
    if delay is None:
        raise rejected(Refusal(Reason.NO_SESSION, None))
    return delay


_watch = partial(Endpoint, tag="watch", is_open=True, is_for_guests=True, is_act=False, refuses=(401, 404))
_look_back = partial(_watch, cost=5, refuses=(401, 404, 409))
WATCH_ENDPOINTS = (
    _watch("GET", "/watch/tables", watch_tables, answer=WatchedTables),
    _watch("GET", "/watch/tables/{id}", watch_table, cost=2, answer=WatchedTableAnswer),
    _watch("GET", "/watch/tables/{id}/roads", watch_roads, answer=RoadsAnswer),
    _look_back("GET", "/watch/rounds/{id}/{round}", watch_round, answer=RoundStepsAnswer),
    _look_back("GET", "/watch/shoes/{id}/{shoe}", watch_shoe, answer=ShoeCheck),
    _watch("GET", "/watch/books/{digest}", watch_book, answer=BookAnswer),
)
