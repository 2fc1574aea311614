"""The gallery: tables for people who have no account, as they were some time ago. It is worked out once a second for
everybody who asks, so that many who watch cost no more than one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from punto.floor.loaded_table import BookCache, LoadedTable, load_table
from punto.floor.watching import version_before
from punto.server.access import Throttle, slow_down
from punto.store.reader import Reader
from punto.views.spectator_view import WatchedTable, watched_table

KEPT_S = 1.0  # How long what was worked out is answered again.
ASKED_A_SECOND = 500.0  # How often all of them together may ask.
Watched = dict[str, WatchedTable]
Read = Callable[[Callable[[Reader], list[LoadedTable]]], Awaitable[list[LoadedTable]]]


class Gallery:
    def __init__(self, read: Read, now: Callable[[], int]) -> None:
        self._read, self._now, self._books = read, now, BookCache()
        self._asked = Throttle(ASKED_A_SECOND)
        self._kept: tuple[int, float, asyncio.Future[Watched]] | None = None

    async def tables(self, delay: int) -> Watched:
        """The tables as they were that number of seconds ago, by id; private ones are not among them."""
        slow_down(self._asked, "everybody")
        kept = self._kept
        if kept is None or kept[0] != delay or kept[1] <= time.monotonic():
            self._kept = kept = (delay, time.monotonic() + KEPT_S, asyncio.ensure_future(self._look(delay)))
        return await asyncio.shield(kept[2])

    async def _look(self, delay: int) -> Watched:
        moment = self._now() - delay * 1000

        def read(reader: Reader) -> list[LoadedTable]:
            versions = ((stored, version_before(reader, stored, moment)) for stored in reader.tables())
            return [load_table(reader, self._books, stored, at=version) for stored, version in versions if version]

        tables = await self._read(read)
        shown = (loaded for loaded in tables if (terms := loaded.table.state.terms) is not None and not terms.private)
        return {loaded.id: watched_table(loaded) for loaded in shown}
