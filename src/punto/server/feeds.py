"""Which tables are fed by a device that reads the cards of their shoe, as far as the house has heard of it.

All of it is in memory: a reader that is not heard of for a few seconds is lost, and everybody at the table is told.
Then the dealer names the cards, as at a table that never had one. A device speaks to any server of the house; that one
tells the others, and where they do not hear it, the next word of the device tells them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from punto.floor.answers import FeedState, FeedView, RefusedReading
from punto.store.device import StoredDevice
from punto.store.notice import LARGEST_NOTICE, Notice, NoticeKind

LOST_S = 15.0  # Without a word from a device for so long, it is lost.
TELL_S = 4.0  # How often the other servers are told that a device is there.


class Feeds:
    """Which tables are fed by a device, as far as this server has heard of them, or of what others have."""

    def __init__(
        self,
        changed: Callable[[str], None],
        tell: Callable[[Notice], None] = lambda _: None,
        clock: Callable[[], int] = lambda: 0,
    ) -> None:
        self._changed, self._tell, self._clock = changed, tell, clock
        self._lost: dict[str, int] = {}  # Since when a device is lost, in milliseconds.
        self._feeds: dict[str, FeedView] = {}
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._told: dict[str, float] = {}  # When the other servers were told last of each table.

    def know(self, devices: Iterable[StoredDevice]) -> None:
        """These are the devices of the house: whoever is new among them is to be heard of first."""
        names = {device.table_id: device.name for device in devices if device.revoked_ms is None}
        for table in self._feeds.keys() - names.keys():
            self.forget(table)
        for table, name in names.items():
            if table not in self._feeds or self._feeds[table].device != name:
                self.expect(table, name)

    def of(self, table: str) -> FeedView | None:
        return self._feeds.get(table)

    def lost_since(self, table: str) -> int | None:
        """Since when the device of a table is not heard of; None where it is, or there is none."""
        return self._lost.get(table)

    def expect(self, table: str, name: str) -> None:
        """A key was issued; nothing was heard of the device yet."""
        self._set(table, FeedView(FeedState.LOST, name))

    def hear(self, device: StoredDevice) -> None:
        table, known = device.table_id, self._feeds.get(device.table_id)
        self._wait_for(table)
        if known is None or known.state is not FeedState.DEVICE or known.device != device.name:
            self._set(table, FeedView(FeedState.DEVICE, device.name))
            self._tell_others(table)
        elif self._told.get(table, 0.0) + TELL_S <= asyncio.get_running_loop().time():
            self._tell_others(table)

    def read(self, table: str, refused: RefusedReading | None) -> None:
        """What came of a reading: one that was refused is shown to the dealer, until the next one."""
        known = self._feeds.get(table)
        if known is not None and known.refused != refused:
            self._set(table, msgspec.structs.replace(known, refused=refused))
            self._tell_others(table)

    def hear_elsewhere(self, said: str) -> None:
        """Another server has heard of a device. Of one that is not known here the next word comes soon enough."""
        table, _, told = said.partition(" ")
        with suppress(msgspec.MsgspecError):  # of a newer version
            feed, known = msgspec.json.decode(told, type=FeedView), self._feeds.get(table)
            if known is not None and known.device == feed.device:
                self._wait_for(table)
                if known != feed:
                    self._set(table, feed)

    def forget(self, table: str) -> None:
        if (alarm := self._alarms.pop(table, None)) is not None:
            alarm.cancel()
        self._set(table, None)

    def _tell_others(self, table: str) -> None:
        self._told[table] = asyncio.get_running_loop().time()
        notice = Notice(NoticeKind.FEED, f"{table} {msgspec.json.encode(self._feeds[table]).decode()}")
        if len(notice.topic.encode()) <= LARGEST_NOTICE:
            self._tell(notice)

    def _wait_for(self, table: str) -> None:
        """From now on, the time runs in which a device must be heard of again."""
        if (alarm := self._alarms.pop(table, None)) is not None:
            alarm.cancel()
        self._alarms[table] = asyncio.get_running_loop().call_later(LOST_S, self._lose, table)

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
        if feed is not None and feed.state is FeedState.LOST:
            self._lost.setdefault(table, self._clock())
        else:
            self._lost.pop(table, None)
        self._changed(table)
