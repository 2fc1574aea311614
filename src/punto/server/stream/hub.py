"""The hub: tables as they are now, and everybody who watches them.

The floor tells it of every commit. Events go out at once, each encoded once for all who see it alike. What a
watcher may do, the view and the clock follow when the table is quiet for a moment, so that a crowd of bets
costs one of them and not one each. All of it is a cache: the store has everything.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence

from punto.floor.change import Change, steps_from
from punto.floor.floor import Floor
from punto.floor.loaded import LoadedTable
from punto.rules.role import Role
from punto.server.stream.frames import EventFrame, encoder
from punto.server.stream.outlook import Outlook
from punto.server.stream.watcher import Watcher
from punto.store.record import Record
from punto.table.state import State
from punto.views.felt.next_view import ClockView
from punto.views.seen import is_alike, seen_event
from punto.views.viewer import Viewer

RECENT = 64
"""Events of a table that are kept with the state before each."""
QUIET_S = 0.05
"""Between two lists of legal commands for the same table."""


class Hub:
    """Tables and their watchers, on the loop of the server."""

    def __init__(self, floor: Floor, outlook: Outlook) -> None:
        self._floor, self._outlook = floor, outlook
        self._tables: dict[str, LoadedTable] = {}
        self._recent: dict[str, deque[tuple[State, Record]]] = {}
        self._watchers: dict[str, set[Watcher]] = {}
        self._people: Counter[str | None] = Counter()
        self._flushes: dict[str, asyncio.Task[None]] = {}
        self._stale: set[str] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: Callable[[], None] | None = None

    def start(self) -> None:
        """Listen to the floor, from the running loop."""
        self._loop = asyncio.get_running_loop()
        self._end = self._floor.subscribe(self._committed)

    def stop(self) -> None:
        """Listen no more."""
        if self._end is not None:
            self._end()
            self._end = None
        for task in self._flushes.values():
            task.cancel()
        for alarm in self._alarms.values():
            alarm.cancel()

    async def table(self, id: str) -> LoadedTable | None:
        """A table as it is now."""
        found = self._tables.get(id)
        if found is None:
            loaded = await asyncio.to_thread(self._floor.table, id)
            if loaded is None:
                return None
            found = self._tables.get(id)
            if found is None or found.version < loaded.version:
                self._tables[id] = found = loaded
        return found

    async def steps(self, id: str, records: Sequence[Record]) -> list[tuple[State, Record]]:
        """Records of a table in a row, each with the state before it."""
        if not records:
            return []
        first = records[0].seq
        known = self._state_before(id, first)
        if known is None:
            before = await asyncio.to_thread(self._floor.table, id, first - 1)
            assert before is not None
            known = before.table.state
        return list(steps_from(known, records))

    def _state_before(self, id: str, seq: int) -> State | None:
        """The state before a recent event, counted from the last one; None where it is not remembered."""
        recent = self._recent.get(id)
        back = recent[-1][1].seq - seq + 1 if recent else 0
        if recent is None or not 0 < back <= len(recent):
            return None
        state, record = recent[-back]
        return state if record.seq == seq else None

    # ── Watching ─────────────────────────────────────────────────────────────────────────────────

    def add(self, watcher: Watcher) -> LoadedTable:
        """Begin to watch; the table as it is at this moment. Whatever comes after it will be told."""
        self._people[watcher.viewer.name] += 1
        self._watchers.setdefault(watcher.table, set()).add(watcher)
        return self._tables[watcher.table]

    def streams_of(self, person: str) -> int:
        """How many streams somebody has open."""
        return self._people[person]

    def remove(self, watcher: Watcher) -> None:
        self._people[watcher.viewer.name] -= 1
        if not self._people[watcher.viewer.name]:
            del self._people[watcher.viewer.name]
        watchers = self._watchers.get(watcher.table)
        if watchers is not None:
            watchers.discard(watcher)
            if not watchers:
                del self._watchers[watcher.table]

    def tell(self, table: str | None, frame: bytes, whom: Callable[[Watcher], bool]) -> None:
        """Send a frame to some of the watchers of a table, or of all tables."""
        for id, watchers in self._watchers.items():
            if table in (None, id):
                for watcher in watchers:
                    if whom(watcher):
                        watcher.push(frame)

    def look(self, person: str) -> None:
        """The session or the roles of somebody have changed: look at every stream of theirs."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                if watcher.viewer.name == person:
                    watcher.look()

    def count(self) -> int:
        """How many watch."""
        return sum(len(watchers) for watchers in self._watchers.values())

    def _committed(self, changes: Sequence[Change]) -> None:
        """In the thread of the commit: hand over to the loop."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, changes)

    def _deliver(self, changes: Sequence[Change]) -> None:
        for change in changes:
            known = self._tables.get(change.table)
            if known is not None and known.version >= change.after.version:
                continue
            if known is not None and known.version < change.before.version:
                self._drop_all(change.table)  # another process wrote: the store has what we missed
            self._tables[change.table] = change.after
            recent = self._recent.setdefault(change.table, deque(maxlen=RECENT))
            steps = list(change.steps())
            recent.extend(steps)
            watchers = self._watchers.get(change.table)
            if watchers:
                for state, record in steps:
                    _send_event(watchers, state, record)
                self._flush_soon(change.table)

    def _drop_all(self, table: str) -> None:
        self._recent.pop(table, None)
        for watcher in self._watchers.get(table, ()):
            watcher.cut_off()

    def _flush_soon(self, table: str) -> None:
        self._stale.add(table)
        if table not in self._flushes:
            task = asyncio.get_running_loop().create_task(self._flush(table))
            self._flushes[table] = task

    def _look_again(self, table: str, running: ClockView | None) -> None:
        """When a clock has run out another one may run, without any event between them."""
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()
        if running is not None:
            seconds = running.ends_in_ms / 1000 + QUIET_S
            self._alarms[table] = asyncio.get_running_loop().call_later(seconds, self._flush_soon, table)

    async def _flush(self, table: str) -> None:
        """Legal commands, views and clocks, once for whatever came in a moment."""
        try:
            while table in self._stale:
                self._stale.discard(table)
                watchers = tuple(self._watchers.get(table, ()))
                running = await self._outlook.send(self._tables[table], watchers)
                self._look_again(table, running if watchers else None)
                await asyncio.sleep(QUIET_S)
        finally:
            del self._flushes[table]


def _send_event(watchers: Iterable[Watcher], state: State, record: Record) -> None:
    """An event for everybody, encoded once for all who see it alike."""
    if is_alike(record.event):
        frame = encode_event_frame(state, record, Viewer())
        for watcher in watchers:
            watcher.push(frame)
        return
    frames: dict[Hashable, bytes] = {}
    for watcher in watchers:
        viewer = watcher.viewer
        group = (viewer.role, viewer.name if viewer.role is Role.PLAYER else None)
        if group not in frames:
            frames[group] = encode_event_frame(state, record, viewer)
        watcher.push(frames[group])


def encode_event_frame(state: State, record: Record, viewer: Viewer) -> bytes:
    """The frame of an event for a viewer; `state` is the one before it."""
    return encoder.encode(EventFrame(record.seq, seen_event(state, record.event, viewer)))
