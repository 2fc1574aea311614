"""Watching without an account, where the house allows it: tables as they were some time ago.

Whoever asks knows nobody's name and learns nothing that a player could still use: what is answered is the table after
the last event that is older than the delay of the house.
"""

from __future__ import annotations

from functools import partial

import msgspec

from punto.refusal import Reason, Refusal
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.validation import not_there, rejected
from punto.views.spectator_view import WatchedTable


class WatchedTables(msgspec.Struct, frozen=True):
    """The tables of a floor, for somebody without an account."""

    delay: int  # By how many seconds everything here is late.
    tables: tuple[WatchedTable, ...]


class WatchedTableAnswer(msgspec.Struct, frozen=True):
    """One table, for somebody without an account."""

    delay: int
    table: WatchedTable


async def watch_tables(ask: Inquiry) -> WatchedTables:
    """Every table, as it was before the delay that the house has set; for anybody, where the house allows it."""
    delay = _delay(ask)
    return WatchedTables(delay, tuple((await ask.app_state.gallery.tables(delay)).values()))


async def watch_table(ask: Inquiry) -> WatchedTableAnswer:
    """A table, as it was before the delay that the house has set; for anybody, where the house allows it."""
    delay = _delay(ask)
    table = (await ask.app_state.gallery.tables(delay)).get(ask.path["id"])
    if table is None:
        raise not_there("such table to watch")
    return WatchedTableAnswer(delay, table)


def _delay(ask: Inquiry) -> int:
    """By how many seconds; where nobody may watch, it is as if they had to log in."""
    delay = ask.app_state.orders().rules.watch_delay_seconds
    if delay is None:
        raise rejected(Refusal(Reason.NO_SESSION, None))
    return delay


_watch = partial(Endpoint, tag="watch", is_open=True, is_act=False, refuses=(401, 404))
WATCH_ENDPOINTS = (
    _watch("GET", "/watch/tables", watch_tables, answer=WatchedTables),
    _watch("GET", "/watch/tables/{id}", watch_table, answer=WatchedTableAnswer),
)
