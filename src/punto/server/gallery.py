"""The gallery: tables for people who have no account, as they were some time ago, and those who watch them on streams.

Everything is worked out once for all guests of a table: where the delayed table stands, the frame of what has changed
since the last one, the roads. It is read from the store and not from what this server commits, so a guest sees the
same at every server of a house. Guests are kept apart from the watchers of the broadcaster: none of its frames ever
comes to them.

Frames leave at the beats of one clock, and only for tables that are shown: when others move, nothing here does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from punto.dealer.dealer import Pace
from punto.floor.loaded_table import BookCache, Change, LoadedTable
from punto.floor.watching import DelayedTable
from punto.server.access import Throttle, slow_down
from punto.server.broadcast import ENDINGS, Watcher
from punto.server.count_room import CountRoom, WatchedPast, read_watched_past
from punto.server.messages import ChangesFrame, HistoryFrame, RoadsFrame, SnapshotFrame, WatchingFrame, frame_encoder
from punto.server.validation import Rejected, not_there, too_often
from punto.store import TABLE_ID
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.views.legal_view import clock_view
from punto.views.spectator_view import UNTOLD, WatchedTable, guest_view, watched_table
from punto.views.table_view import TableView
from punto.views.viewer import BOARD

BEAT_S = 0.25  # How often guests are told what is old enough by now.
WANTED_S = 30.0  # How long a table that somebody asked for is followed.
ASKED_A_SECOND = 500.0  # How often all guests together may ask.
MOST_GUESTS = 5_000  # Guests on streams of this server.
MOST_GUESTS_OF_ADDRESS = 200  # Those of one address: a hall may share one.
GUESTS_AT_ONCE = 200  # Guests who are sent a frame in one go, before whatever else has come is looked at.
EVERY_TABLE = ""  # What is wanted where somebody looks at the list of tables.
GUESTS = "/guests"  # Whose turn it is in the count room: all guests together are one account there.
_log = logging.getLogger("punto.server")
_T = TypeVar("_T")


class Read(Protocol):
    def __call__(self, work: Callable[[Reader], _T]) -> Awaitable[_T]: ...


@dataclass(eq=False)
class GuestTable:
    """A table and its guests: where it stands for them, and what they were sent last."""

    delayed: DelayedTable
    guests: set[Watcher] = field(default_factory=set)
    paces: deque[tuple[int, Pace | None]] = field(default_factory=deque)  # From when on the table was run in which way.
    view: TableView | None = None  # As they have it; None while nobody watches.
    past: WatchedPast | None = None
    is_past_due: bool = True  # A round has ended since the past was read.
    told: tuple[int, Pace | None] | None = None  # The version and the pace that the view was last made of.
    line: tuple[int, WatchedTable] | None = None

    @property
    def loaded(self) -> LoadedTable:
        return self.delayed.loaded

    def note_pace(self, now: int, moment: int, pace: Pace | None) -> None:
        """Remember how the table is run from now on; what was before the moment is over."""
        if not self.paces or self.paces[-1][1] != pace:
            self.paces.append((now, pace))
        while len(self.paces) > 1 and self.paces[1][0] < moment:
            self.paces.popleft()

    def pace_at(self, moment: int) -> Pace | None:
        """How it was run then. None too where nobody has looked for so long: how it is run now would be news."""
        since, pace = self.paces[0] if self.paces else (moment, None)
        return pace if since < moment else None

    def watched(self) -> WatchedTable:
        """Its line in the list of tables."""
        if self.line is None or self.line[0] != self.loaded.version:
            self.line = self.loaded.version, watched_table(self.loaded)
        return self.line[1]

    def seen(self, moment: int) -> TableView:
        return guest_view(self.loaded, self.pace_at(moment), moment)

    def is_to_be_told(self, moment: int) -> bool:
        """Whether the view may be another one: the table has moved, is run in another way, or its clock has run out."""
        clock = self.view.clock if self.view is not None else None
        return (self.loaded.version, self.pace_at(moment)) != self.told or (
            clock is not None and clock.ends_at <= moment
        )


class Gallery:
    """On the loop of the server."""

    def __init__(
        self,
        read: Read,
        now: Callable[[], int],
        delay: Callable[[], int | None],
        pace_of: Callable[[str], Pace | None],
        counting: CountRoom,
    ) -> None:
        self._read, self._now, self._delay, self._pace_of, self._counting = read, now, delay, pace_of, counting
        self._books, self._asked = BookCache(), Throttle(ASKED_A_SECOND)
        self._tables: dict[str, GuestTable] = {}
        self._behind: int | None = None  # The delay of what is remembered.
        self._wanted: dict[str, float] = {}  # Until when somebody wants to see what, beside the guests on streams.
        self._looking: asyncio.Task[None] | None = None
        self._looked = 0.0  # When that was last done.
        self._woken = asyncio.Event()
        self._pasts: dict[str, asyncio.Task[None]] = {}
        self._addresses: Counter[str] = Counter()

    @property
    def delay(self) -> int | None:
        """By how many seconds guests are behind; None where the house lets nobody watch."""
        return self._delay()

    async def tables(self) -> list[WatchedTable]:
        """The tables that guests see, in the order of their names."""
        slow_down(self._asked, GUESTS)
        await self._follow(EVERY_TABLE)
        return [self._tables[id].watched() for id in sorted(self._tables) if self._tables[id].delayed.is_shown]

    async def table(self, id: str) -> GuestTable:
        """A table that guests see. Whoever asks for another one waits as long whether it is there or not."""
        slow_down(self._asked, GUESTS)
        began = time.monotonic()
        if TABLE_ID.fullmatch(id) is not None:
            await self._follow(id)
        found = self._tables.get(id)
        if found is None or not found.delayed.is_shown:
            if found is None:
                self._wanted.pop(id, None)
            await asyncio.sleep(began + BEAT_S - time.monotonic())
            raise not_there("such table to watch")
        return found

    async def view(self, id: str) -> TableView:
        return (await self.table(id)).seen(self._moment())

    async def past(self, id: str) -> WatchedPast:
        """The roads and the last rounds of a table."""
        found = await self.table(id)
        if found.past is None or found.is_past_due:
            self._look_back(found)
            await asyncio.shield(self._pasts[id])
        if found.past is None:
            raise too_often()  # the count room has no room for it now
        return found.past

    def enter(self, address: str) -> bool:
        """Take a place for a stream; False where an address has its share, or all have."""
        if self._addresses[address] >= MOST_GUESTS_OF_ADDRESS or self._addresses.total() >= MOST_GUESTS:
            return False
        self._addresses[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]

    async def add(self, id: str) -> Watcher:
        """Begin to watch a table: what has been up to now is waiting for the guest, and whatever comes will be told."""
        found, guest = await self.table(id), Watcher(id, BOARD, wants_views=True)
        found.guests.add(guest)
        if found.view is None:
            found.view = found.seen(self._moment())
        for frame in self._beginning(found):
            guest.push(frame)
        if found.past is None or found.is_past_due:
            self._look_back(found)
        self._woken.set()
        return guest

    def remove(self, guest: Watcher) -> None:
        found = self._tables.get(guest.table)
        if found is not None:
            found.guests.discard(guest)
            if not found.guests:
                found.view = None

    def is_shown_to(self, guest: Watcher) -> bool:
        """Whether a guest still sees the table."""
        found = self._tables.get(guest.table)
        return found is not None and guest in found.guests and found.delayed.is_shown

    def count(self) -> int:
        """How many watch on streams; may be asked from any thread."""
        return sum(len(each.guests) for each in tuple(self._tables.values()))

    def send_away(self, kept: int) -> None:
        """End streams until this many are left: the server stops, and its guests go on elsewhere."""
        guests = list(chain.from_iterable(each.guests for each in self._tables.values()))
        for guest in guests[: max(0, len(guests) - kept)]:
            guest.send_away()

    async def keep_running(self) -> None:
        """Until cancelled: follow what somebody wants to see, beat by beat."""
        while True:
            if not self._is_wanted():
                self._tables.clear()
                self._woken.clear()
                await self._woken.wait()
            try:
                await self._look_once()
            except StoreError as error:
                _log.warning("what guests see could not be read: %s", error)
            except Exception:
                _log.exception("the gallery looks again")
            await asyncio.sleep(BEAT_S)

    def _moment(self) -> int:
        """The time for which guests see the tables."""
        assert self._behind is not None, "tables are remembered only where the house allows watching"
        return self._now() - self._behind * 1000

    def _is_wanted(self) -> bool:
        now = time.monotonic()
        self._wanted = {what: until for what, until in self._wanted.items() if until > now}
        return bool(self._wanted) or any(each.guests for each in self._tables.values())

    async def _follow(self, what: str) -> None:
        """See to it that a table, or every table, is there as of this moment, and goes on for a while."""
        is_new = what not in self._wanted
        self._wanted[what] = time.monotonic() + WANTED_S
        self._woken.set()
        is_old = self._looked + 2 * BEAT_S < time.monotonic()
        if is_new and self._looking is not None:
            await self._look_once()  # it began before anybody wanted this
        if is_new or is_old or self._behind != self._delay():
            await self._look_once()

    async def _look_once(self) -> None:
        """Look; all who want it at the same time share it."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(self._end_looking)
        await asyncio.shield(self._looking)

    def _end_looking(self, _: asyncio.Task[None]) -> None:
        self._looking = None

    async def _look(self) -> None:
        """Bring every table that is wanted up to what is old enough, and tell its guests."""
        delay = self._delay()
        if delay != self._behind:
            self._begin_anew(delay)
        if delay is None:
            return
        now = self._now()
        moment, tables = now - delay * 1000, self._tables
        is_all = EVERY_TABLE in self._wanted
        wanted = {*self._wanted, *(id for id, each in tables.items() if each.guests)} - {EVERY_TABLE}
        for id in [] if is_all else set(tables) - wanted:
            del tables[id]
        known = {id: each.delayed for id, each in tables.items()}
        found, changes = await self._read(lambda reader: _followed(reader, self._books, known, wanted, moment, is_all))
        for id, delayed in found.items():
            if id in tables:
                tables[id].delayed = delayed
            else:
                tables[id] = GuestTable(delayed)
        for change in changes:
            each = tables[change.table]
            each.is_past_due |= any(isinstance(record.event, ENDINGS) for record in change.records)
        for id, each in tables.items():
            each.note_pace(now, moment, self._pace_of(id))
        self._looked = time.monotonic()
        for each in [each for each in tables.values() if each.guests]:
            await self._tell(each, moment)

    def _begin_anew(self, delay: int | None) -> None:
        """The house has set another delay: what was shown by the one before is not taken for true any more."""
        before, self._tables, self._behind = self._tables, {}, delay
        for guest in chain.from_iterable(each.guests for each in before.values()):
            guest.recheck()

    async def _tell(self, each: GuestTable, moment: int) -> None:
        """Send the guests of a table what has changed for them since the last frame."""
        if not each.delayed.is_shown:
            for guest in each.guests:
                guest.recheck()
            return
        if each.is_to_be_told(moment):
            each.told = each.loaded.version, each.pace_at(moment)
            before, each.view = each.view, each.seen(moment)
            changes = {} if before is None else changed_fields(before, each.view)
            if changes:
                await _send(each.guests, frame_encoder.encode(ChangesFrame(changes)))
        if each.is_past_due:
            self._look_back(each)

    def _beginning(self, each: GuestTable) -> Iterator[bytes]:
        """What a guest needs to begin."""
        assert self._behind is not None and each.view is not None
        yield frame_encoder.encode(WatchingFrame(self._behind))
        # The view that the others have, which the next frame says the changes of; only the clock has gone on.
        moment = self._moment()
        view = replace(each.view, now=moment, clock=clock_view(each.loaded.table, each.pace_at(moment), moment))
        yield frame_encoder.encode(SnapshotFrame(UNTOLD, view, ()))
        if each.past is not None:
            yield from _past_frames(each.past)

    def _look_back(self, each: GuestTable) -> None:
        id = each.loaded.id
        if id not in self._pasts:
            self._pasts[id] = asyncio.create_task(self._send_past(id, each))

    async def _send_past(self, id: str, each: GuestTable) -> None:
        """Read the roads and the last rounds, and tell everybody who watches."""
        try:
            version = each.loaded.version
            each.is_past_due = False
            told = await self._counting.ask(GUESTS, read_watched_past, id, version, key=(id, version))
            if self._tables.get(id) is each:
                each.past = msgspec.json.decode(told, type=WatchedPast)
                await _send(each.guests, *_past_frames(each.past))
        except (Rejected, StoreError) as error:  # the next beat tries again
            each.is_past_due = True
            _log.warning("the past of table %s could not be sent to guests: %s", id, error)
        finally:
            del self._pasts[id]


def _followed(
    reader: Reader, books: BookCache, known: dict[str, DelayedTable], wanted: set[str], moment: int, is_all: bool
) -> tuple[dict[str, DelayedTable], list[Change]]:
    """The tables that are wanted, at this moment, and what was added to those that are known; in a thread."""
    versions = reader.versions()
    ids = set(versions) if is_all else wanted & set(versions)
    # A database that was put back to an earlier time has another log.
    kept = {id: known[id] for id in ids if id in known and known[id].loaded.version <= versions[id]}
    new = (reader.table(id) for id in sorted(ids - set(kept)))
    found = {stored.id: DelayedTable.at(reader, books, stored, moment) for stored in new if stored is not None}
    due = (each for id, each in kept.items() if each.is_due(versions[id], moment))
    changes = (each.advance(reader, moment) for each in due)
    return found, [change for change in changes if change is not None]


def changed_fields(before: TableView, after: TableView) -> dict[str, Any]:
    """The fields of a view that are others now, with the time and the clock; empty where nothing has changed but time.

    A clock that goes on tells another rest of time in every view: it is the same clock until its end is another.
    """
    plain = {"now": 0, "clock": None}
    names = TableView.__struct_fields__
    old, new = replace(before, **plain), replace(after, **plain)
    changed = {name: getattr(new, name) for name in names if getattr(old, name) != getattr(new, name)}
    if not changed and _clock_end(before) == _clock_end(after):
        return {}
    return {**changed, "now": after.now, "clock": after.clock}


def _clock_end(view: TableView) -> tuple[str, int] | None:
    return None if view.clock is None else (view.clock.what.value, view.clock.ends_at)


def _past_frames(past: WatchedPast) -> Iterator[bytes]:
    yield frame_encoder.encode(RoadsFrame(UNTOLD, past.roads))
    yield frame_encoder.encode(HistoryFrame(UNTOLD, past.rounds))


async def _send(guests: Iterable[Watcher], *frames: bytes) -> None:
    """Send frames to guests, some at a time."""
    for number, guest in enumerate(tuple(guests), start=1):
        for frame in frames:
            guest.push(frame)
        if number % GUESTS_AT_ONCE == 0:
            await asyncio.sleep(0)  # somebody who plays does not wait for a thousand who watch
