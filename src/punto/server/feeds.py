"""Which tables are fed by a device that reads the cards of their shoe, as far as this server has heard of it.

All of it is in memory: a reader that is not heard of for a few seconds is lost, and everybody at the table is told.
Then the dealer names the cards, as at a table that never had one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from punto.floor.answers import FeedState, FeedView, RefusedReading
from punto.store.device import StoredDevice, stored_devices
from punto.store.reader import Reader

LOST_S = 15.0  # Without a word from a device for so long, it is lost.


class Feeds:
    """Which tables are fed by a device, as far as this server has heard of them."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        self._changed = changed
        self._feeds: dict[str, FeedView] = {}
        self._alarms: dict[str, asyncio.TimerHandle] = {}

    def start(self, reader: Reader) -> None:
        """At the start every device is to be heard of first."""
        for device in stored_devices(reader):
            if device.revoked_ms is None:
                self._feeds[device.table_id] = FeedView(FeedState.LOST, device.name)

    def of(self, table: str) -> FeedView | None:
        return self._feeds.get(table)

    def expect(self, table: str, name: str) -> None:
        """A key was issued; nothing was heard of the device yet."""
        self._set(table, FeedView(FeedState.LOST, name))

    def hear(self, device: StoredDevice) -> None:
        table, known = device.table_id, self._feeds.get(device.table_id)
        if (alarm := self._alarms.pop(table, None)) is not None:
            alarm.cancel()
        self._alarms[table] = asyncio.get_running_loop().call_later(LOST_S, self._lose, table)
        if known is None or known.state is not FeedState.DEVICE or known.device != device.name:
            self._set(table, FeedView(FeedState.DEVICE, device.name))

    def read(self, table: str, refused: RefusedReading | None) -> None:
        """What came of a reading: one that was refused is shown to the dealer, until the next one."""
        known = self._feeds.get(table)
        if known is not None and known.refused != refused:
            self._set(table, msgspec.structs.replace(known, refused=refused))

    def forget(self, table: str) -> None:
        if (alarm := self._alarms.pop(table, None)) is not None:
            alarm.cancel()
        self._set(table, None)

    def _lose(self, table: str) -> None:
        self._alarms.pop(table, None)
        known = self._feeds.get(table)
        if known is not None:
            self._set(table, msgspec.structs.replace(known, state=FeedState.LOST))

    def _set(self, table: str, feed: FeedView | None) -> None:
        if feed is None:
            self._feeds.pop(table, None)
        else:
            self._feeds[table] = feed
        self._changed(table)
