"""Telling everybody who watches a table what happens there: events at once, views, legal commands and the
clock when it is quiet.

Each event is encoded once for all who see it alike, and what people in the same place see is worked out once.
Each watcher has a bounded queue of frames. All of it is a cache: the store has everything.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain

import msgspec

from punto.dealer.dealer import Pace
from punto.floor.answers import NO_MONEY, Balance, FeedView, LegalView, TableStop
from punto.floor.balance import balances_of
from punto.floor.floor import Floor
from punto.floor.loaded_table import Change, LoadedTable
from punto.floor.orders import HouseOrders
from punto.floor.protection import play_shown
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.server import messages
from punto.server.count_room import CountRoom, read_past
from punto.server.event_loop import hand_over
from punto.server.messages import FoldedFrame, FoldFrame, frame_encoder
from punto.server.validation import Rejected
from punto.store.errors import StoreError
from punto.store.notice import Notice, NoticeKind
from punto.store.protection import stored_plays
from punto.store.record import Dispute, PitCall, Record
from punto.store.store import Store
from punto.table.house import ShoeLoaded
from punto.table.irregularity_events import RoundVoided
from punto.table.legality import Legal
from punto.table.replay import replayed
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import Phase, State
from punto.views.legal_view import ClockView, clock_view, commands_of, legal_of
from punto.views.spectator_view import board_view
from punto.views.table_view import TableView, feed_view, view_of
from punto.views.viewer import BOARD, Viewer, is_alike, seen_event

_log = logging.getLogger("punto.server")

MOST_FRAMES_WAITING = 512  # Frames that may wait; whoever is further behind is cut off, and can come back by `after`.
MOST_BYTES_WAITING = 1024 * 1024
VIEWS_AT_ONCE = 50  # Views that are sent in one go, before whatever else has come is looked at.
MOST_REMEMBERED = 20_000  # Players whose balances are remembered.


def _no_way_at_once(_: bytes) -> bool:
    return False


class Watcher:
    def __init__(
        self, table: str, viewer: Viewer, *, wants_views: bool, roles: tuple[Role, ...] = (), is_board: bool = False
    ) -> None:
        self.table, self.viewer, self.wants_views, self.is_board = table, viewer, wants_views, is_board
        self.roles = roles  # Every role that this person holds, beside the one they watch in.
        self.is_cut_off = self.is_sent_away = False
        self.last_legal: tuple[LegalView, ...] | None = None
        """The last list of legal commands that was sent, to send only what has changed."""
        self.last_clock: tuple[str, int] | None = None
        self.last_balance: Balance | None = None
        self.last_past = -1  # The version of the roads and the history that were sent last.
        self._passing: bytes | None = None  # What only counts while it is the latest.
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._recheck_due = asyncio.Event()
        self._cut_off = asyncio.Event()
        self._is_waited_for = False  # Whether the writer of the stream waits for the next frame: nothing is on its way.
        self.send_now: Callable[[bytes], bool] = _no_way_at_once
        """Hands a frame to the connection at once, if that can be done."""

    def push(self, frame: bytes) -> None:
        """Send a frame at once, or queue it where others wait; a watcher that is too far behind gets no more."""
        if self.is_cut_off or (self._is_waited_for and not self._waiting and self.send_now(frame)):
            return
        self._waiting.append(frame)
        self._bytes += len(frame)
        if len(self._waiting) > MOST_FRAMES_WAITING or self._bytes > MOST_BYTES_WAITING:
            self.cut_off()
        self._wake.set()

    def pass_by(self, frame: bytes) -> None:
        """Send this when nothing else waits; a later one takes its place, so that none of them ever pile up."""
        self._passing = frame
        self._wake.set()

    def cut_off(self) -> None:
        """Send nothing more; the stream ends, and the client can come back by its last event."""
        self.is_cut_off = True
        self._waiting.clear()
        self._cut_off.set()

    def send_away(self) -> None:
        """The server stops: nothing more is sent, and the client goes on at another one, by its last event."""
        self.is_sent_away = True
        self.cut_off()

    def recheck(self) -> None:
        """The session or the roles of this person have changed: check at once whether they may still watch."""
        self._recheck_due.set()

    async def to_be_rechecked(self, seconds: float) -> None:
        """Wait until somebody asks for it, but no longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._recheck_due.wait(), seconds)
        self._recheck_due.clear()

    async def to_be_cut_off(self) -> None:
        await self._cut_off.wait()

    async def next(self) -> bytes:
        while not self._waiting:
            if (passing := self._passing) is not None:
                self._passing = None
                return passing
            self._wake.clear()
            self._is_waited_for = True
            try:
                await self._wake.wait()
            finally:
                self._is_waited_for = False
        frame = self._waiting.popleft()
        self._bytes -= len(frame)
        return frame


PaceOf = Callable[[str], Pace | None]  # The pace of a table's automatic dealer; None where a person deals.
Balances = dict[str, Balance]  # What players have, by name.


@dataclass
class GroupView:
    """What everybody of one group sees and may do at one version of a table; only their money is their own."""

    loaded: LoadedTable
    viewer: Viewer  # One of them.
    pace: Pace | None
    orders: HouseOrders

    @cached_property
    def commands(self) -> tuple[Legal, ...]:
        """Every command that would be accepted: the dearest part of a list and of a view, worked out once for both."""
        return commands_of(self.loaded.table, self.viewer, is_stopped=self.orders.stop_at(self.loaded) is not None)

    @cached_property
    def legal(self) -> tuple[LegalView, ...]:
        return legal_of(self.loaded, self.viewer, self.commands)

    @cached_property
    def view(self) -> TableView:
        since = self.loaded.table.state.since
        if self.viewer == BOARD:
            return board_view(self.loaded, self.pace, since, self.orders)
        return view_of(self.loaded, self.viewer, None, since, self.pace, self.commands, self.orders)


class _CachedTable:
    """What was worked out of a table at one version, by who sees and may do the same."""

    def __init__(self, loaded: LoadedTable, pace: Pace | None, orders: HouseOrders) -> None:
        self.loaded, self.pace, self.orders, self._names = loaded, pace, orders, names_at(loaded.table.state)
        self._groups: dict[Hashable, GroupView] = {}

    def group(self, viewer: Viewer) -> GroupView:
        """Everybody in a role who has nothing to do with the table is one person to it."""
        is_known = viewer.name in self._names or viewer.role is not Role.PLAYER
        # A screen has no name and may do nothing, which is less than somebody whom the table does not know yet.
        key = viewer.role, viewer.name if is_known else None, viewer.name is None
        if key not in self._groups:
            self._groups[key] = GroupView(self.loaded, viewer, self.pace, self.orders)
        return self._groups[key]


class ViewCache:
    """Works out what watchers see and may do."""

    def __init__(
        self,
        store: Store,
        counting: CountRoom,
        pace_of: PaceOf,
        clock: Callable[[], int],
        orders: Callable[[], HouseOrders] = HouseOrders,
        feed_of: Callable[[str], FeedView | None] = lambda _: None,
    ) -> None:
        self._feed_of = feed_of
        self._store, self._counting, self._pace_of, self._clock = store, counting, pace_of, clock
        self._orders = orders
        self._tables: dict[str, _CachedTable] = {}
        self._looks = 0
        self._balances: dict[str, tuple[int, Balance]] = {}
        """What was read of players last, and in which look: an earlier look that ends later tells nothing older."""

    async def balances(self, viewers: Iterable[Viewer]) -> Balances:
        """What the players among these have."""
        names = sorted({v.name for v in viewers if v.name is not None and v.role is Role.PLAYER})

        def read() -> Balances:
            with self._store.read() as reader:
                return balances_of(reader, names)

        self._looks = look = self._looks + 1
        found = await asyncio.to_thread(read) if names else {}
        for name, balance in found.items():
            if self._balances.get(name, (0, balance))[0] < look:
                self._balances[name] = look, balance
        if len(self._balances) > MOST_REMEMBERED:
            self._balances.clear()
        return {name: self._balances.get(name, (look, balance))[1] for name, balance in found.items()}

    async def send_balances(self, watchers: Sequence[Watcher]) -> None:
        """Tell players what they have now, where that is not what they were told last."""
        balances = await self.balances(watcher.viewer for watcher in watchers)
        for watcher in watchers:
            balance = balances.get(watcher.viewer.name or "")
            if balance is not None and balance != watcher.last_balance:
                watcher.last_balance = balance
                watcher.push(frame_encoder.encode(messages.BalanceFrame(balance)))

    def view(self, loaded: LoadedTable, viewer: Viewer, balances: Balances, running: ClockView | None) -> TableView:
        """The view of everybody in the same place, with what is this viewer's own and the time."""
        view, name = self.group(loaded, viewer).view, viewer.name
        mine = view.mine
        if mine is not None and name:
            mine = msgspec.structs.replace(mine, name=name, balance=balances.get(name, NO_MONEY))
        feed = feed_view(loaded.table.state, viewer, self._feed_of(loaded.id))
        return msgspec.structs.replace(view, mine=mine if name else None, clock=running, now=self._clock(), feed=feed)

    def stopped(self, loaded: LoadedTable) -> TableStop | None:
        """The stop that holds at a table."""
        return self._orders().stop_at(loaded)

    def legal(self, loaded: LoadedTable, viewer: Viewer) -> tuple[LegalView, ...]:
        return self.group(loaded, viewer).legal

    def clock(self, loaded: LoadedTable) -> ClockView | None:
        return clock_view(loaded.table, self._pace_of(loaded.id), self._clock())

    async def snapshot(self, loaded: LoadedTable, watcher: Watcher) -> bytes:
        """Everything that a watcher needs to begin."""
        watcher.last_legal = legal = self.legal(loaded, watcher.viewer)
        balances = await self.balances((watcher.viewer,))
        view = self.view(loaded, watcher.viewer, balances, self.clock(loaded))
        return frame_encoder.encode(messages.SnapshotFrame(loaded.version, view, legal))

    async def send(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> ClockView | None:
        """Tell watchers what has changed for them; the clock that runs now."""
        self._send_legal(loaded, watchers)
        running = self._send_clock(loaded, watchers)
        await self._send_views(loaded, [watcher for watcher in watchers if watcher.wants_views])
        return running

    async def send_past(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        """Send the roads and the last rounds, worked out once for all who see the same."""
        viewers = tuple({past_viewer(watcher.viewer): None for watcher in watchers})
        key = (loaded.id, loaded.version, viewers)
        past = await self._counting.ask(f"/{loaded.id}", read_past, loaded.id, loaded.version, viewers, key=key)
        roads, histories = msgspec.json.decode(past, type=tuple[msgspec.Raw, list[msgspec.Raw]])
        by_viewer = dict(zip(viewers, histories, strict=True))
        for watcher in watchers:
            watcher.last_past = max(watcher.last_past, loaded.version)
            watcher.push(bytes(roads))
            watcher.push(bytes(by_viewer[past_viewer(watcher.viewer)]))
        await self._send_play(watchers)

    async def _send_play(self, watchers: Sequence[Watcher]) -> None:
        """Tell players what their sessions have come to: time and net are in sight at all times."""
        names = sorted({w.viewer.name for w in watchers if w.viewer.name and w.viewer.role is Role.PLAYER})

        def read() -> dict[str, bytes]:
            with self._store.read() as reader:
                shown = {name: play_shown(reader, name, self._clock()) for name in stored_plays(reader, names)}
            return {name: frame_encoder.encode(messages.PlayFrame(play)) for name, play in shown.items()}

        frames = await asyncio.to_thread(read) if names else {}
        for watcher in watchers:
            if watcher.viewer.role is Role.PLAYER and watcher.viewer.name in frames:
                watcher.push(frames[watcher.viewer.name])

    def group(self, loaded: LoadedTable, viewer: Viewer) -> GroupView:
        """Everybody who sees and may do the same."""
        return self._cached(loaded).group(viewer)

    def _cached(self, loaded: LoadedTable) -> _CachedTable:
        cached, pace, orders = self._tables.get(loaded.id), self._pace_of(loaded.id), self._orders()
        if cached is None or (cached.loaded.version, cached.pace, cached.orders) != (loaded.version, pace, orders):
            cached = self._tables[loaded.id] = _CachedTable(loaded, pace, orders)
        return cached

    def _send_legal(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        frames: dict[int, bytes] = {}
        cached = self._cached(loaded)
        compared: dict[tuple[int, int], tuple[object, bool]] = {}
        """By what was sent and what is now: lists are long, and watchers who had the same one share it."""
        for watcher in watchers:
            before, legal = watcher.last_legal, cached.group(watcher.viewer).legal
            pair = id(before), id(legal)
            if pair not in compared:
                compared[pair] = before, before != legal
            watcher.last_legal = legal
            if compared[pair][1]:
                if id(legal) not in frames:
                    frames[id(legal)] = frame_encoder.encode(messages.LegalFrame(loaded.version, legal))
                watcher.push(frames[id(legal)])

    def _send_clock(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> ClockView | None:
        running = self.clock(loaded)
        now = (running.what.value, running.ends_at) if running is not None else None
        frame = encode_clock(running) if running is not None else None
        for watcher in watchers:
            if watcher.last_clock != now:
                watcher.last_clock = now
                if frame is not None:
                    watcher.push(frame)
        return running

    async def _send_views(self, loaded: LoadedTable, watchers: Sequence[Watcher]) -> None:
        if not watchers:
            return
        balances = await self.balances(watcher.viewer for watcher in watchers)
        encoder = _ViewEncoder(self, loaded, balances)
        for number, watcher in enumerate(watchers, start=1):
            watcher.last_balance = balances.get(watcher.viewer.name or "")
            watcher.push(encoder.frame(watcher.viewer))
            if number % VIEWS_AT_ONCE == 0:
                await asyncio.sleep(0)  # an event that comes now does not wait for the views of a thousand


class _ViewEncoder:
    """Views of one version of a table as frames: encoded once for each group, with what is somebody's own put in."""

    def __init__(self, views: ViewCache, loaded: LoadedTable, balances: Balances) -> None:
        self._views, self._loaded, self._balances = views, loaded, balances
        self._running = views.clock(loaded)
        self._parts: dict[int, tuple[GroupView, bytes, bytes]] = {}  # By group: what stands before and after it.

    def frame(self, viewer: Viewer) -> bytes:
        view = self._views.view(self._loaded, viewer, self._balances, self._running)
        group = self._views.group(self._loaded, viewer)
        if id(group) not in self._parts:
            shared = msgspec.structs.replace(view, mine=None)
            before, found, after = frame_encoder.encode(messages.ViewFrame(self._loaded.version, shared)).partition(
                _OWN
            )
            assert found, "a view says what is the viewer's own, or null"
            self._parts[id(group)] = group, before + _OWN[: -len(b"null")], after
        _, before, after = self._parts[id(group)]
        return before + frame_encoder.encode(view.mine) + after


_OWN = b'"mine":null'  # In a string the quotation marks would have a backslash before them.


def encode_clock(running: ClockView) -> bytes:
    return frame_encoder.encode(messages.ClockFrame(running.what.value, running.ends_in_ms))


def names_at(state: State) -> frozenset[str]:
    """Everybody whom a table knows: who sits, has bets or commission due, walked away or has added to a shuffle."""
    pledged = (pledge.player for pledge in state.pledges)
    return frozenset((*state.seats.values(), *state.bettors, *state.away, *state.due, *pledged))


def past_viewer(viewer: Viewer) -> Viewer:
    """Who looks back in the same way: a player sees own bets, everybody who works at tables the same."""
    return viewer if viewer.role is Role.PLAYER else Viewer(None, viewer.role)


ObserveFrames = Callable[[str, Sequence[Record], int, int], None]
"""Is told of events that were sent: the table, the events, to how many, and when that began in nanoseconds."""
ENDINGS = (ShoeLoaded, RoundSettled, RoundVoided, SettlementReversed)
"""Events that change the roads or the history of a table."""
RECENT_EVENTS = 64  # Events of a table that are kept, with the table before them.
QUIET_S = 0.05  # Between two lists of legal commands for the same table.
FOLD_S = 0.1  # Between two frames of a card that is squeezed at the same table.
MEND_AGAIN_S = 0.5  # After what was missed could not be read, the next try.


class Broadcaster:
    """Tables and their watchers, on the loop of the server.

    The floor tells it of every commit. Events go out at once. What a watcher may do, the view and the clock follow
    when the table is quiet for a moment, so that a crowd of bets costs one of them and not one each.
    """

    def __init__(self, floor: Floor, view_cache: ViewCache) -> None:
        self._floor, self._view_cache = floor, view_cache
        self._tables: dict[str, LoadedTable] = {}
        self._recent: dict[str, deque[Change]] = {}
        self._watchers: dict[str, set[Watcher]] = {}
        self._people: dict[str | None, set[Watcher]] = {}
        self._known: dict[str, frozenset[str]] = {}  # By table: whom it knew when it was last told of.
        self._flushes: dict[str, asyncio.Task[None]] = {}
        self._last_ending: dict[str, int] = {}  # The event of each table that changed its roads or its history last.
        self._looking_back: dict[str, asyncio.Task[None]] = {}
        self._folds: dict[str, tuple[Watcher, FoldFrame] | None] = {}  # After one was shown: the latest that waits.
        self._stale: set[str] = set()
        self._heard: dict[str, int] = {}  # The versions that other servers have told of, by table.
        self._mending: dict[str, asyncio.Task[None]] = {}  # What was missed is being read.
        self._telling: set[asyncio.Task[None]] = set()
        self._alarms: dict[str, asyncio.TimerHandle] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.observe_frames: ObserveFrames | None = None
        self._unsubscribe: Callable[[], None] | None = None

    def start(self) -> None:
        """Listen to the floor, from the running loop."""
        self._loop = asyncio.get_running_loop()
        self._unsubscribe = self._floor.subscribe(partial(hand_over, self._loop, self._deliver))

    def stop(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        tasks = (self._flushes, self._looking_back, self._mending)
        for task in (*chain.from_iterable(each.values() for each in tasks), *self._telling):
            task.cancel()
        for alarm in self._alarms.values():
            alarm.cancel()

    async def table(self, id: str, *, at_least: int = 0, is_fresh: bool = False) -> LoadedTable | None:
        """A table as it was last heard of; as the store has it, where somebody has seen more of it or asks for that."""
        if id not in self._tables:
            loaded = await asyncio.to_thread(self._floor.table, id)
            # Where it has become known meanwhile, whoever watches it is sent what comes after that, event by event.
            if loaded is not None and id not in self._tables:
                self._tables[id] = loaded
        elif is_fresh or self._tables[id].version < max(at_least, self._heard.get(id, 0)):
            await asyncio.shield(self._mend_soon(id))
        return self._tables.get(id)

    def hear(self, table: str, version: int) -> None:
        """Another server says that a table has this version: whoever watches it here is sent what was missed."""
        known = self._tables.get(table)
        if known is None or known.version >= version:
            return
        self._heard[table] = max(version, self._heard.get(table, 0))
        if self._watchers.get(table):
            self._mend_soon(table)

    def _mend_soon(self, table: str) -> asyncio.Task[None]:
        if table not in self._mending:
            self._mending[table] = asyncio.create_task(self._mend(table))
        return self._mending[table]

    async def _mend(self, table: str) -> None:
        """Read what other servers have added to a table until nothing is missing."""
        try:
            heard, change = -1, None
            while change is not None or heard != self._heard.get(table, 0):
                heard = self._heard.get(table, 0)
                change = await asyncio.to_thread(self._floor.follow, self._tables[table])
                if change is not None:
                    self._deliver((change,))
                if self._tables[table].version >= self._heard.get(table, 0):
                    break
            self._heard.pop(table, None)
        except StoreError as error:
            _log.warning("what happened at table %s could not be read: %s", table, error)
            if self._watchers.get(table):
                asyncio.get_running_loop().call_later(MEND_AGAIN_S, self._mend_soon, table)
        finally:
            del self._mending[table]

    async def steps(self, id: str, records: Sequence[Record]) -> list[tuple[State, Record]]:
        """Records of a table in a row, each with the state before it."""
        if not records:
            return []
        state = self._state_before(id, records[0].seq)
        if state is None:
            before = await asyncio.to_thread(self._floor.table, id, records[0].seq - 1)
            assert before is not None
            state = before.table.state
        return list(replayed(records, state))

    def _state_before(self, id: str, seq: int) -> State | None:
        """The state before a recent event; None where it is not remembered."""
        for change in reversed(self._recent.get(id, ())):
            if change.before.version < seq <= change.after.version:
                return next((state for state, record in change.steps() if record.seq == seq), None)
        return None

    def _remember(self, change: Change) -> None:
        """Keep a change, and of those before it as many as the last events take."""
        recent = self._recent.setdefault(change.table, deque())
        recent.append(change)
        while change.after.version - recent[0].after.version >= RECENT_EVENTS:
            recent.popleft()

    def add(self, watcher: Watcher) -> LoadedTable:
        """Begin to watch; the table as it is at this moment. Whatever comes after it will be told."""
        self._people.setdefault(watcher.viewer.name, set()).add(watcher)
        self._watchers.setdefault(watcher.table, set()).add(watcher)
        loaded = self._tables[watcher.table]
        if loaded.version < self._heard.get(watcher.table, 0):
            self._mend_soon(watcher.table)
        return loaded

    def streams_of(self, person: str) -> int:
        return len(self._people.get(person, ()))

    def remove(self, watcher: Watcher) -> None:
        own = self._people.get(watcher.viewer.name, set())
        own.discard(watcher)
        if not own:
            self._people.pop(watcher.viewer.name, None)
        watchers = self._watchers.get(watcher.table, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(watcher.table, None)

    def tell(self, table: str | None, frame: bytes, whom: Callable[[Watcher], bool]) -> None:
        """Send a frame to some of the watchers of a table, or of all tables."""
        watched = self._watchers.values() if table is None else (self._watchers.get(table, ()),)
        for watcher in chain.from_iterable(watched):
            if whom(watcher):
                watcher.push(frame)

    def show_fold(self, watcher: Watcher, fold: FoldFrame) -> None:
        """Let the others watch how somebody bends a card. Whoever does not squeeze this card now shows nothing, and
        however often it is said, a table sees the latest at most every `FOLD_S`.
        """
        table, player = watcher.table, watcher.viewer.name
        state = self._tables[table].table.state
        if player is None or not _is_squeezed(state, watcher.viewer, fold):
            return
        if table in self._folds:
            self._folds[table] = watcher, fold
            return
        self._folds[table] = None
        asyncio.get_running_loop().call_later(FOLD_S, self._next_fold, table)
        folded = FoldedFrame(state.round, player, fold.hand, fold.number, fold.edge, fold.part)
        self.tell_fold(table, folded)
        if (tell := self._floor.store.tell) is not None:
            tell([Notice(NoticeKind.FOLD, f"{table} {frame_encoder.encode(folded).decode()}")])

    def _next_fold(self, table: str) -> None:
        waiting = self._folds.pop(table)
        if waiting is not None:
            self.show_fold(*waiting)  # judged again: the card may have been turned

    def hear_fold(self, said: str) -> None:
        """A fold that another server has judged and tells of; what cannot be read is of a newer version."""
        table, _, folded = said.partition(" ")
        with suppress(msgspec.MsgspecError):
            self.tell_fold(table, msgspec.json.decode(folded, type=FoldedFrame))

    def tell_fold(self, table: str, folded: FoldedFrame) -> None:
        """Send a fold to everybody else who watches a table here."""
        frame = frame_encoder.encode(folded)
        for watcher in self._watchers.get(table, ()):
            if watcher.wants_views and not watcher.is_board and not watcher.viewer.owns(folded.player):
                watcher.pass_by(frame)

    def recheck(self, person: str) -> None:
        """The session or the roles of somebody have changed: check every stream of theirs."""
        for watcher in chain.from_iterable(self._watchers.values()):
            if watcher.viewer.name == person:
                watcher.recheck()

    def recheck_all(self) -> None:
        """Anybody's session may have ended."""
        for watcher in chain.from_iterable(self._watchers.values()):
            watcher.recheck()

    def boards_of(self, table: str) -> int:
        """How many screens show the board of a table."""
        return sum(watcher.is_board for watcher in self._watchers.get(table, ()))

    def recheck_boards(self, table: str) -> None:
        """The board of a table shows something else, or its key has ended."""
        for watcher in self._watchers.get(table, ()):
            if watcher.is_board:
                watcher.recheck()

    def hear_orders(self) -> None:
        """The house has ordered something else: views are sent again. May be called from any thread."""
        hand_over(self._loop, self._flush_all)

    def refresh(self, table: str) -> None:
        """Something of a table has changed that no event tells of: views are sent again."""
        if table in self._watchers and table in self._tables:
            self._flush_soon(table)

    def _flush_all(self) -> None:
        for table in self._watchers:
            self._flush_soon(table)

    def count(self) -> int:
        """How many watch; may be asked from any thread."""
        return sum(map(len, tuple(self._watchers.values())))

    def watched_versions(self) -> dict[str, int]:
        """How far everybody was told of each table that is watched; may be asked from any thread."""
        tables = ((table, self._tables.get(table)) for table in tuple(self._watchers))
        return {table: loaded.version for table, loaded in tables if loaded is not None}

    def send_away(self, kept: int) -> None:
        """End streams until this many are left: the server stops, and their clients go on elsewhere."""
        watchers = list(chain.from_iterable(self._watchers.values()))
        for watcher in watchers[: max(0, len(watchers) - kept)]:
            watcher.send_away()

    def _deliver(self, changes: Sequence[Change]) -> None:
        for change in changes:
            known = self._tables.get(change.table)
            if known is not None and known.version >= change.after.version:
                continue
            if known is not None and known.version < change.before.version:
                # Another server wrote before: the store has what is missing, and this.
                self._heard[change.table] = max(change.after.version, self._heard.get(change.table, 0))
                self._mend_soon(change.table)
                continue
            self._tables[change.table] = change.after
            self._remember(change)
            seen = known.version if known is not None else 0
            watchers = self._watchers.get(change.table)
            ended = [each.seq for each in change.records if each.seq > seen and isinstance(each.event, ENDINGS)]
            if ended:
                self._last_ending[change.table] = ended[-1]
            if watchers:
                steps = [step for step in change.steps() if step[1].seq > seen]
                began = time.time_ns() if self.observe_frames is not None else 0
                told = [watcher for watcher in watchers if not watcher.is_board]  # events say who bets how much
                for state, record in steps:
                    _send_event(told, state, record)
                if self.observe_frames is not None:
                    self.observe_frames(change.table, [record for _, record in steps], len(told), began)
                self._flush_soon(change.table)
                if ended:
                    self.look_back(change.table)
            elif self._people and any(name in self._people for name in names_at(change.after.table.state)):
                self._flush_soon(change.table)

    def _flush_soon(self, table: str) -> None:
        self._stale.add(table)
        if table not in self._flushes:
            self._flushes[table] = asyncio.create_task(self._flush(table))

    def look_back(self, table: str) -> None:
        """Send roads and history to whoever wants views and has older ones."""
        if table not in self._looking_back:
            self._looking_back[table] = asyncio.create_task(self._look_back(table))

    async def _look_back(self, table: str) -> None:
        def is_behind(watcher: Watcher) -> bool:
            return watcher.wants_views and watcher.last_past < self._last_ending.get(table, 0)

        try:
            while behind := list(filter(is_behind, self._watchers.get(table, ()))):
                await self._view_cache.send_past(self._tables[table], behind)
        except (Rejected, StoreError) as error:  # the next round tries again
            _log.warning("the past of table %s could not be sent: %s", table, error)
        finally:
            del self._looking_back[table]

    def _flush_when_clock_ends(self, table: str, running: ClockView | None) -> None:
        """When a clock has run out another one may run, without any event between them."""
        alarm = self._alarms.pop(table, None)
        if alarm is not None:
            alarm.cancel()
        if running is not None:
            seconds = running.ends_in_ms / 1000 + QUIET_S
            self._alarms[table] = asyncio.get_running_loop().call_later(seconds, self._flush_soon, table)

    async def _tell_elsewhere(self, table: str) -> None:
        """Whoever has money at a table has one balance, also on pages of other tables."""
        names = names_at(self._tables[table].table.state)
        known, self._known[table] = self._known.get(table, frozenset()), names
        elsewhere = [watcher for name in names | known for watcher in self._people.get(name, ())]
        wants = [w for w in elsewhere if w.wants_views and w.table != table and w.viewer.role is Role.PLAYER]
        if wants:
            await self._view_cache.send_balances(wants)

    def hear_money(self, person: str) -> None:
        """Money of a player has moved at the cashier."""
        wants = [watcher for watcher in self._people.get(person, ()) if watcher.wants_views]
        if wants:
            task = asyncio.get_running_loop().create_task(self._view_cache.send_balances(wants))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _flush(self, table: str) -> None:
        """Legal commands, views and clocks, once for whatever came in a moment."""
        try:
            while table in self._stale:
                self._stale.discard(table)
                watchers = tuple(self._watchers.get(table, ()))
                running = await self._view_cache.send(self._tables[table], watchers)
                await self._tell_elsewhere(table)
                self._flush_when_clock_ends(table, running if watchers else None)
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


def _is_squeezed(state: State, viewer: Viewer, fold: FoldFrame) -> bool:
    """Whether the viewer has this card in hand, and it still lies face down."""
    lying = state.slots(fold.hand)[fold.number - 1 : fold.number] if state.phase is Phase.DEALING else ()
    return any(not slot.face_up for slot in lying) and viewer.sees_card(state, fold.hand, fold.number)


def encode_event_frame(state: State, record: Record, viewer: Viewer) -> bytes:
    """Without what this viewer may not see; `state` is the one before the event."""
    return frame_encoder.encode(messages.EventFrame(record.seq, seen_event(state, record.event, viewer)))


def hears_call(watcher: Watcher, call: PitCall) -> bool:
    """Everybody in the pit, whatever they watch and in whichever role; and who works at that table."""
    is_there = watcher.table == call.table and watcher.viewer.role in LADDER
    return is_there or any(role in PIT_ROLES for role in watcher.roles)


def tell_call(broadcaster: Broadcaster, call: PitCall) -> None:
    broadcaster.tell(None, encode_call(call), lambda watcher: hears_call(watcher, call))


def encode_call(call: PitCall) -> bytes:
    return frame_encoder.encode(messages.PitCallFrame(call))


def hears_dispute(watcher: Watcher, dispute: Dispute) -> bool:
    """Everybody in the pit, and whoever raised it."""
    return watcher.viewer.name == dispute.player or any(role in PIT_ROLES for role in watcher.roles)


def tell_dispute(broadcaster: Broadcaster, dispute: Dispute) -> None:
    broadcaster.tell(None, encode_dispute(dispute), lambda watcher: hears_dispute(watcher, dispute))


def encode_dispute(dispute: Dispute) -> bytes:
    return frame_encoder.encode(messages.DisputeFrame(dispute))
