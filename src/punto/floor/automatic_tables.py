"""The house: sees to every table that deals by itself, by a clock that never goes back, in one asyncio task.
A turn says who is next, bots or dealer, and when; a place is what the house knows of one such table and of
the last step there.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Lock
from typing import cast

from msgspec.structs import replace as changed

from punto.cards.source import SourceKind, seeded_bytes
from punto.dealer import dealer
from punto.dealer.bot import BOTS, next_bot
from punto.dealer.dealer import AUTOMATIC, Awaited, DrawCard, Due, Give, Pace, Wait, clock_start
from punto.floor.desk import Desk
from punto.floor.floor import HUMAN_PACE, Floor, TableRun, keep_table_run, refuse_run, table_runs, with_clocks
from punto.floor.job import Accepted
from punto.floor.lease import LeaseKeeper
from punto.floor.loaded_table import Change, LoadedTable
from punto.floor.orders import HouseOrders, last_call
from punto.floor.shoe import without_drawn_cards
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.errors import ContentBroken, StoreError
from punto.store.record import AccountOwner, StoredPerson
from punto.store.transaction import OPENER
from punto.table.acting import refusal_of
from punto.table.betting import BetsCalled, CallBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import AnswerSqueeze, DealCard
from punto.table.header import Person
from punto.table.house import TakeSeat
from punto.table.irregularity_events import ChooseOption, Option
from punto.table.shuffling import ClosePledges
from punto.table.state import Phase, SqueezeKind, State, Table
from punto.table.terms import boxes_of

CLOCK_TOLD_MS = 1_000  # The log is told of a clock that goes back by more than this.
_log = logging.getLogger("punto.house")


class HouseClock:
    """The time of a house in milliseconds: that of the machine, except that it never goes back. Any thread may ask.

    A machine's clock is put right, or wrong, by hours while a floor runs. Where it is put on, the house
    follows: what was to last until then is over. Where it is put back, the house goes on from where it was, as
    fast as the machine's clock goes. So events stay in the order of their times, no table waits until it is
    late again, and what has expired stays expired. The next process begins with the time of the machine.
    """

    def __init__(self, clock: Callable[[], int], tell: Callable[[int, int], None] | None = None) -> None:
        """By this clock; `tell` is told by how much it went back, and what time the house has then."""
        self._clock, self._last, self._ahead, self._lock = clock, clock(), 0, Lock()
        self._tell = tell

    def __call__(self) -> int:
        with self._lock:
            machine = self._clock()
            if machine >= self._last:
                self._ahead = 0
            elif machine + self._ahead < self._last:
                back = self._last - self._ahead - machine
                self._ahead = self._last - machine
                if back > CLOCK_TOLD_MS:
                    _log.warning(
                        "the clock of this machine went back by %d s; the house goes on without it until it "
                        "is started again",
                        back // 1000,
                    )
                    if self._tell is not None:
                        self._tell(back, machine + self._ahead)
            self._last = machine + self._ahead
            return self._last


SEATING_PHASES = (Phase.IDLE, Phase.BETTING)  # When a bot sits down.


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is at a table that deals by itself, and when: its bots, then its dealer.

    Pure, like the dealer and the bots themselves. What is due follows from the table, from how it is run and
    from the time, so a process that takes over knows as much as the one before it.
    """

    loaded: LoadedTable
    pace: Pace
    bots: tuple[str, ...]
    now: int
    moved: int  # When the table last changed: pledges for a shuffle get their time from there.
    barred: Collection[str] = ()  # Bots that do nothing more in this round.
    is_stopped: bool = False  # The house has stopped play: the round ends, and no other begins.
    next_call: int = 0  # No round is called before this time.

    @property
    def table(self) -> Table:
        return self.loaded.table

    def command(self) -> Command | None:
        """What is to be given now; None where it is too early, or for people to do."""
        for name, at in self._bot_times():
            if at <= self.now and (command := self._bot_command(name)) is not None:
                return command
        due = self._due()
        if isinstance(due, Give):
            # A card that was carried over is named by the dealer, and filled in by the floor like all others.
            return due.command if self._is_entered else without_drawn_cards(due.command)
        # The floor fills the card of a draw in.
        return due.command if isinstance(due, DrawCard) and not self._is_entered else None

    def time(self) -> int | None:
        """When something is due, unless the table changes before; None where it is for people to do."""
        times = [at for _, at in self._bot_times()]
        due = self._due()
        if isinstance(due, Give) or (isinstance(due, DrawCard) and not self._is_entered):
            times.append(self.now)
        elif isinstance(due, Wait) and due.until is not None:
            times.append(due.until)
        return min(times, default=None)

    def problem(self) -> str | None:
        """Why the dealer cannot go on, in a sentence."""
        due = self._due()
        if isinstance(due, dealer.Halt):
            return due.sentence
        if isinstance(due, DrawCard) and self._is_entered:
            return "the cards of a physical shoe are dealt by a person"
        if isinstance(due, Wait) and due.what is Awaited.BETS and due.until is None:
            players = ", ".join(dict.fromkeys(due.whom))
            return f"bets under the minimum are raised, withdrawn or ruled on first: {players}"
        return None

    @property
    def _is_entered(self) -> bool:
        return self.table.terms.source is SourceKind.ENTERED

    def _due(self) -> Due | None:
        state = self.table.state
        if state.phase in (Phase.NEW, Phase.CLOSED) or (state.phase is Phase.IDLE and not state.seats):
            return None  # nobody to deal for
        if self.is_stopped and state.phase is Phase.IDLE:
            return None
        if is_shuffle_open(state) and not state.is_paused and state.case is None and (waiting := self._shuffle()):
            return waiting
        due = dealer.next_step(self.table, self.now, self.pace)
        if isinstance(due, Give) and isinstance(due.command, CallBets) and self.now < self.next_call:
            return Wait(Awaited.PACE, until=self.next_call)
        if isinstance(due, Wait) and due.what is Awaited.DRAWER and due.whom[0] in self.bots:
            return Give(DealCard(actor=due.whom[0], role=Role.PLAYER, time=self.now))
        is_asked = isinstance(due, Wait) and due.what is Awaited.SQUEEZE and not due.whom
        if is_asked and state.squeezes[-1].kind is SqueezeKind.CARD:
            # A card that its player turns costs nobody anything; what waives insurance is for people.
            answer = AnswerSqueeze(actor=AUTOMATIC.name, role=AUTOMATIC.role, time=self.now, consent=True)
            return Give(answer) if refusal_of(self.table, answer) is None else due
        return due

    def _shuffle(self) -> Due | None:
        """A fresh shoe: who wants to add bytes to its shuffle has as long as there is between rounds."""
        state, until = self.table.state, clock_start(self.moved, self.now) + self.pace.rounds
        if state.pledges_closed and all(pledge.opened is not None for pledge in state.pledges):
            return None
        if self.now < until:
            return Wait(Awaited.PACE, until=until)
        if state.pledges and not state.pledges_closed:
            return Give(ClosePledges(actor=AUTOMATIC.name, role=AUTOMATIC.role, time=self.now))
        return None

    def _bot_times(self) -> Iterator[tuple[str, int]]:
        """When each bot that has something to do does it: one after the other over the time there is."""
        state, clock = self.table.state, self._clock()
        if state.case is not None:
            # A choice after an error: nobody waits for a bot.
            yield from ((name, self.now) for name in self.bots if self._bot_command(name) is not None)
            return
        if state.is_paused or clock is None:
            return
        for place, name in enumerate(self.bots, start=1):
            if self._bot_command(name) is not None:
                yield name, clock_start(state.since, self.now) + clock * place // (len(self.bots) + 2)

    def _clock(self) -> int | None:
        """How long players have for what they are asked now; None where they are asked nothing."""
        clocks = {Phase.IDLE: 0, Phase.BETTING: self.pace.bets or 0, Phase.ANTES: self.pace.antes or 0}
        if self.table.state.window is not None:
            clocks[Phase.DEALING] = self.pace.insurance or 0
        return clocks.get(self.table.state.phase)

    def _bot_command(self, name: str) -> Command | None:
        state = self.table.state
        if state.case is not None:  # a bot that may have its bets back continues
            number, option = state.round, Option.CONTINUE
            choose = ChooseOption(actor=name, role=Role.PLAYER, time=self.now, option=option, round=number)
            return choose if refusal_of(self.table, choose) is None else None
        seat = state.box_of(name)
        if seat is None:
            return self._seating(name) if state.phase in SEATING_PHASES and not self.is_stopped else None
        if name in self.barred:
            return None
        held = sum(bet.player == name for bet in state.bets)
        # The same bytes whenever it is asked: a bot that lets a round pass does not think again.
        random = seeded_bytes(f"{self.loaded.id}/{state.round}/{seat}/{state.window}/{held}")
        command = next_bot(self.table, seat, random)
        if command is None or (self.is_stopped and isinstance(command, PlaceBet)):
            return None
        # A player's command names its round, and its window where there is one.
        named = {"round": state.round, "window": state.window}
        fields = {key: value for key, value in named.items() if key in command.__struct_fields__}
        return changed(command, time=self.now, **fields)

    def _seating(self, name: str) -> Command | None:
        """The last box that is free: people find the first ones."""
        boxes = range(boxes_of(self.table.book, self.table.terms), 0, -1)
        for box in (box for box in boxes if box not in self.table.state.seats):
            sit = TakeSeat(actor=name, role=Role.PLAYER, time=self.now, box=box)
            return sit if refusal_of(self.table, cast("Command", sit)) is None else None
        return None


def is_shuffle_open(state: State) -> bool:
    """Whether bytes may still be added to the shuffle of the shoe in play."""
    shoe = state.shoe
    if shoe is None or state.phase is not Phase.IDLE or shoe.cards_left < shoe.size:
        return False
    return state.round_shoe != state.shoe_number and any(each.shoe == state.shoe_number for each in state.committed)


def is_only_a_bet(before: LoadedTable, after: LoadedTable) -> bool:
    """Whether nothing changed but bets while they are open: the clock goes on as it was."""
    old, new = before.table.state, after.table.state
    return (
        old.phase is new.phase is Phase.BETTING
        and (old.since, old.seats, old.away, old.is_paused) == (new.since, new.seats, new.away, new.is_paused)
        and old.case is new.case is None
    )


RETRY_MS = 2_000  # After something that could not be done, the next try.
LONGEST_RETRY_MS = 64_000
"""Between two tries of what is refused again and again; each is kept, and nothing may fill the database."""


@dataclass(slots=True)
class AutomaticPlace:
    """One of the tables of the house. All of it is a cache: the store has what matters."""

    run: TableRun
    loaded: LoadedTable
    moved: int  # When the table last changed.
    called: int | None = None  # When bets were last called for.
    due: int | None = None
    is_busy: bool = False  # A step was handed in and is not answered yet.
    command: Command | None = None  # What the last step came to.
    barred: dict[str, int] = field(default_factory=dict)  # Bots that do nothing more in a round, with its number.
    problem: str | None = None  # Why the dealer cannot go on.
    failed: str | None = None  # What the last step failed by, as the log was told.
    refused: int = 0  # How often the dealer was refused since the last step that was done.

    @property
    def retry_ms(self) -> int:
        """How long to wait before the dealer tries again: twice as long each time."""
        return int(min(LONGEST_RETRY_MS, RETRY_MS * 2 ** min(self.refused - 1, 16)))


PAUSE_MS = 50  # After a step that came to nothing, the next try.
BOT_BUYS = 1_000  # A bot buys chips for this many minimum bets.
CASHIER = Person("the house", Role.CASHIER)  # Who sells chips to bots.


class House:
    """Runs the automatic tables of a floor.

    It keeps a list of times at which something is due, and is woken by changes. What is done is decided in the batch
    that writes it, on the table as it is then, so bets that come in cannot hold the dealer up. Nothing here is worth
    keeping: a process that takes over finds the same in the store.
    """

    def __init__(
        self,
        floor: Floor,
        clock: Callable[[], int],
        pace: Pace = HUMAN_PACE,
        orders: Callable[[], HouseOrders] = HouseOrders,
        leases: LeaseKeeper | None = None,
    ) -> None:
        """By a clock; without `leases` this process runs all automatic tables."""
        self._floor, self._clock, self._pace, self._orders = floor, HouseClock(clock), pace, orders
        self._leases = leases
        self._runs: dict[str, TableRun] = {}  # How every table is run, whoever deals there.
        self._places: dict[str, AutomaticPlace] = {}
        self._heap: list[tuple[int, int, str]] = []
        self._numbers = count()
        self._woken = asyncio.Event()
        self._changes: list[Change] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._buying: set[asyncio.Task[None]] = set()

    def pace_of(self, table: str) -> Pace | None:
        """The pace of a table that deals by itself, as the house stretches it; None where a person deals."""
        run = self._runs.get(table)
        return self._stretched(run) if run is not None and run.is_automatic else None

    @property
    def usual_pace(self) -> Pace:
        """The pace of tables that have none of their own."""
        return self._pace

    def dealt(self) -> int:
        """How many tables are dealt here; may be asked from any thread."""
        return sum(place.run.is_automatic for place in tuple(self._places.values()))

    def _stretched(self, run: TableRun) -> Pace:
        return self._orders().pace(run.pace or self._pace)

    def hear_orders(self) -> None:
        """The house has ordered something else: plan anew. May be called from any thread."""
        if (loop := self._loop) is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._plan_all)

    def _plan_all(self) -> None:
        for table, place in self._places.items():
            if not place.is_busy:
                self._plan(table, place)

    def problem_of(self, table: str) -> str | None:
        if table in self._places:
            return self._places[table].problem
        return self._leases.problem_of(table) if self._leases is not None else None

    def run_table(self, table: str, run: TableRun, by: str = OPENER) -> Refusal | None:
        """Keep how a table is run, and run it so from now on; may be called from any thread."""
        loaded, run = self._floor.table(table), with_clocks(run)
        if loaded is None:
            return Refusal(Reason.NO_TABLE, None, {"table": table})
        if (refusal := refuse_run(loaded.table, run)) is not None:
            return refusal
        with self._floor.store.write() as transaction:
            keep_table_run(transaction, table, run, by, self._clock())
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._run_now, table, run, loaded, *self._last_times(loaded))
        return None

    def _run_now(self, table: str, run: TableRun, loaded: LoadedTable, moved: int, called: int | None) -> None:
        """A table is run in another way; where nobody deals there yet, somebody will."""
        self._runs[table] = run
        if self._leases is None or table in self._places:
            self._take_up(table, run, loaded, moved, called)
        if self._leases is not None:
            self._leases.hurry()

    async def run(self) -> None:
        """Run every automatic table until cancelled; steps that were handed in are finished then."""
        self._loop = asyncio.get_running_loop()
        end = self._floor.subscribe(self._hear)
        try:
            await self._read_runs()
            await self._hold(self._runs if self._leases is None else self._leases.held())
            while True:
                await self._wait()
                self._catch_up()
                self._act()
        finally:
            end()
            self._loop = None
            self._places, self._heap, self._changes = {}, [], []

    async def keep_running(self) -> None:
        """Run, and begin anew after whatever goes wrong: all of it is in the store."""
        while True:
            try:
                await self.run()
            except Exception:
                _log.exception("the house begins anew")
                await asyncio.sleep(RETRY_MS / 1000)

    async def _read_runs(self) -> None:
        """How tables are run, from the store. What is changed here while it is being read is newer, and stays."""
        before = dict(self._runs)
        stored = await asyncio.to_thread(self._stored_runs)
        self._runs = stored | {table: run for table, run in self._runs.items() if run is not before.get(table)}

    def _stored_runs(self) -> dict[str, TableRun]:
        with self._floor.store.read() as reader:
            return table_runs(reader)

    async def look_at_runs(self) -> None:
        """Another process may have changed how tables are run."""
        before = dict(self._runs)
        await self._read_runs()
        for table, place in self._places.items():
            if (run := self._runs.get(table)) is not None and run != before.get(table):
                place.run = run
                self._plan(table, place)

    async def hold(self, tables: Collection[str]) -> None:
        """Run these tables from now on, and no others; where the house is not running yet, it asks itself."""
        if self._loop is not None:
            await self._hold(tables)

    async def _hold(self, tables: Collection[str]) -> None:
        for table in self._places.keys() - set(tables):
            del self._places[table]
        if any(table not in self._runs for table in tables):
            await self._read_runs()
        for table in sorted(table for table in tables if table not in self._places and table in self._runs):
            try:
                loaded = await asyncio.to_thread(self._floor.table, table)
            except ContentBroken as error:
                _log.error("table %s is damaged and stands still: %s", table, error)
                continue  # the others are in order
            if loaded is not None:
                times = await asyncio.to_thread(self._last_times, loaded)
                self._take_up(table, self._runs[table], loaded, *times)

    def is_behind(self, table: str, version: int) -> bool:
        """Whether a table that this process runs has gone on elsewhere to this version."""
        return (place := self._places.get(table)) is not None and place.loaded.version < version

    async def catch_up_with(self, table: str) -> None:
        """Read what another process has added to a table that this one runs."""
        while (place := self._places.get(table)) is not None:
            change = await asyncio.to_thread(self._floor.follow, place.loaded)
            if change is None:
                return
            self._note([change])
            self._catch_up()

    def _last_times(self, loaded: LoadedTable) -> tuple[int, int | None]:
        """When a table last changed, and when bets were last called for there.

        The clock of a shuffle runs from the first, the shortest round from the other, also in another process.
        """
        with self._floor.store.read() as reader:
            called = last_call(reader, loaded.id)
            if not is_shuffle_open(loaded.table.state):
                return self._clock(), called
            return reader.records(loaded.id, loaded.version - 1, 1)[0].event.time, called

    def _take_up(self, table: str, run: TableRun, loaded: LoadedTable, moved: int, called: int | None) -> None:
        place = AutomaticPlace(run, loaded, moved, called)
        if (known := self._places.get(table)) is not None:
            place.moved, place.called, place.is_busy = known.moved, known.called, known.is_busy
            place.loaded = max(loaded, known.loaded, key=lambda each: each.version)
        self._places[table] = place
        self._plan(table, place)

    async def _wait(self) -> None:
        """Until a change, or until something is due."""
        alarm = None
        if self._heap:
            left = min(dealer.SKEW_MS, max(0, self._heap[0][0] - self._clock())) / 1000
            alarm = asyncio.get_running_loop().call_later(left, self._woken.set)
        try:
            await self._woken.wait()
        finally:
            if alarm is not None:
                alarm.cancel()
        self._woken.clear()

    def _hear(self, changes: Sequence[Change]) -> None:
        """In the thread that commits: only hand on what is ours."""
        own = [change for change in changes if change.table in self._places]
        if own and self._loop is not None:
            self._loop.call_soon_threadsafe(self._note, own)

    def _note(self, changes: list[Change]) -> None:
        self._changes += changes
        self._woken.set()

    def _catch_up(self) -> None:
        changes, self._changes = self._changes, []
        for change in changes:
            place = self._places.get(change.table)
            if place is None or change.after.version <= place.loaded.version:
                continue
            is_bet = is_only_a_bet(place.loaded, change.after) and place.due is not None
            place.loaded, place.moved = change.after, change.records[-1].event.time
            calls = [record.event.time for record in change.records if isinstance(record.event, BetsCalled)]
            place.called = calls[-1] if calls else place.called
            if not is_bet or place.run.bots:
                self._plan(change.table, place)

    def _plan(self, table: str, place: AutomaticPlace, *, at: int | None = None) -> None:
        if not place.run.is_automatic or place.loaded.imported:
            place.due = None
            return
        turn = self._turn(place, self._clock())
        place.due = turn.time() if at is None else at
        problem = turn.problem()
        if problem is not None and problem != place.problem:
            _log.warning("table %s stands still: %s", table, problem)
        place.problem = problem
        if place.due is not None and not place.is_busy:
            heapq.heappush(self._heap, (place.due, next(self._numbers), table))
            self._woken.set()

    def _act(self) -> None:
        now = self._clock()
        while self._heap and self._heap[0][0] <= now:
            due, _, table = heapq.heappop(self._heap)
            place = self._places.get(table)
            if place is None or place.is_busy or place.due != due:
                continue  # planned anew since, or given up
            place.is_busy, place.due, place.command = True, None, None
            try:
                step = self._floor.submit_step(table, partial(self._decide, table, place))
            except StoreError:
                return  # the floor is closing
            step.add_done_callback(partial(self._answered, table))

    def _decide(self, table: str, place: AutomaticPlace, loaded: LoadedTable) -> Command | None:
        """In the thread that commits: what is due on the table as it is in this batch."""
        if self._leases is not None and not self._leases.holds(table):
            return None  # this process was held up for so long that another one deals there now
        place.command = self._turn(place, self._clock(), loaded).command()
        return place.command

    def _turn(self, place: AutomaticPlace, now: int, loaded: LoadedTable | None = None) -> Turn:
        loaded = loaded or place.loaded
        barred = [bot for bot, number in place.barred.items() if number == loaded.table.state.round]
        orders = self._orders()
        return Turn(
            *(loaded, self._stretched(place.run), place.run.bots, now, place.moved, barred),
            *(orders.stop_at(loaded) is not None, orders.next_call(place.called, now)),
        )

    def _answered(self, table: str, future: Future[Accepted | Refusal]) -> None:
        if (loop := self._loop) is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._go_on, table, future)

    def problems(self) -> dict[str, str | None]:
        """Why dealers of this process cannot go on, by table."""
        return {table: place.problem for table, place in self._places.items()}

    def _go_on(self, table: str, future: Future[Accepted | Refusal]) -> None:
        if (place := self._places.get(table)) is None:
            return  # another process deals there now
        self._catch_up()
        place.is_busy = False
        if (error := future.exception()) is not None:
            self._try_again(table, place, logging.ERROR, f"a step failed: {error}", RETRY_MS)
            return
        answer = future.result()
        if not isinstance(answer, Refusal):
            place.failed, place.refused = None, 0
            self._plan(table, place)
            if not answer.records and place.due is not None:
                # Somebody else was first; whatever the reason, a table is never asked without a pause.
                self._plan(table, place, at=max(place.due, self._clock() + PAUSE_MS))
        elif place.command is not None and place.command.actor in BOTS:
            self._bar(table, place, place.command.actor, answer)
        else:
            place.refused += 1
            self._try_again(table, place, logging.WARNING, f"the dealer was refused: {answer.sentence}", place.retry_ms)
            place.problem = answer.sentence

    def _try_again(self, table: str, place: AutomaticPlace, level: int, why: str, after_ms: int) -> None:
        """Later; the log is told once, however often the same comes of it."""
        if why != place.failed:
            _log.log(level, "table %s: %s", table, why)
        self._plan(table, place, at=self._clock() + after_ms)
        place.failed = why

    def _bar(self, table: str, place: AutomaticPlace, bot: str, refusal: Refusal) -> None:
        """A bot that was refused lets the round pass, and buys chips where it had too few."""
        place.barred = {**place.barred, bot: place.loaded.table.state.round}
        if refusal.reason in (Reason.NO_ACCOUNT, Reason.NOT_ENOUGH_FUNDS, Reason.FUNDS_HELD):
            terms = place.loaded.table.terms
            buying = asyncio.create_task(self._buy_in(table, bot, terms.currency, BOT_BUYS * terms.minimum))
            self._buying.add(buying)
            buying.add_done_callback(self._buying.discard)
        self._plan(table, place)

    async def _buy_in(self, table: str, bot: str, currency: str, amount: int) -> None:
        try:
            answer = await asyncio.to_thread(_buy_in, self._floor, bot, currency, amount, self._clock())
        except StoreError as error:
            _log.error("%s cannot buy chips: %s", bot, error)
            return
        if isinstance(answer, Refusal):
            _log.warning("%s cannot buy chips: %s", bot, answer.sentence)
            return
        if (place := self._places.get(table)) is not None:
            place.barred = {name: number for name, number in place.barred.items() if name != bot}
            self._plan(table, place)


def _buy_in(floor: Floor, bot: str, currency: str, amount: int, now: int) -> object:
    desk = Desk(floor.store)
    opened = desk.open_account(StoredPerson(bot), currency, now, kind=AccountOwner.BOT)
    if isinstance(opened, Refusal) and opened.reason is not Reason.ACCOUNT_EXISTS:
        return opened
    desk.mark_account(bot, AccountOwner.BOT, now)  # where it is of a time before accounts were marked
    return desk.buy_in(bot, amount, CASHIER, now)
