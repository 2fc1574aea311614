"""The house: sees to every table that deals by itself, by the clock, in one asyncio task.

It keeps a list of times at which something is due, and is woken by changes. What is done is decided in the
batch that writes it, on the table as it is then, so bets that come in cannot hold the dealer up. Nothing
here is worth keeping: a process that takes over finds the same in the store.
"""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import count

from punto.dealer import BOTS, SKEW_MS, Pace
from punto.floor.change import Change
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import Accepted
from punto.floor.loaded import LoadedTable
from punto.floor.running.automatic_place import RETRY_MS, AutomaticPlace
from punto.floor.running.house_clock import HouseClock
from punto.floor.running.run import HUMAN, TableRun, all_runs, keep, with_clocks, wrong_run
from punto.floor.running.turn import Turn, is_only_a_bet, is_shuffle_open
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.store.errors import ContentBroken, StoreError
from punto.store.stored import StoredPerson
from punto.store.transaction import OPENER
from punto.table.command import Command
from punto.table.header import Person

PAUSE_MS = 50
"""After a step that came to nothing, the next try."""
BOT_BUYS = 1_000
"""A bot buys chips for this many minimum bets."""
CASHIER = Person("the house", Role.CASHIER)
"""Who sells chips to bots."""

_log = logging.getLogger("punto.house")


class House:
    """Runs the automatic tables of a floor."""

    def __init__(self, floor: Floor, clock: Callable[[], int], pace: Pace = HUMAN) -> None:
        self._floor, self._clock, self._pace = floor, HouseClock(clock), pace
        self._places: dict[str, AutomaticPlace] = {}
        self._heap: list[tuple[int, int, str]] = []
        self._numbers = count()
        self._woken = asyncio.Event()
        self._changes: list[Change] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._buying: set[asyncio.Task[None]] = set()

    # ── What others ask ──────────────────────────────────────────────────────────────────────────

    def pace_of(self, table: str) -> Pace | None:
        """The pace of a table that deals by itself; None where a person deals."""
        place = self._places.get(table)
        return (place.run.pace or self._pace) if place is not None and place.run.is_automatic else None

    def problem_of(self, table: str) -> str | None:
        """Why the dealer of a table cannot go on, in a sentence."""
        place = self._places.get(table)
        return place.problem if place is not None else None

    def run_table(self, table: str, run: TableRun, by: str = OPENER) -> Refusal | None:
        """Keep how a table is run, and run it so from now on; may be called from any thread."""
        loaded, run = self._floor.table(table), with_clocks(run)
        if loaded is None:
            return Refusal(Reason.NO_TABLE, None, {"table": table})
        refusal = wrong_run(loaded.table, run)
        if refusal is not None:
            return refusal
        with self._floor.store.write() as transaction:
            keep(transaction, table, run, by, self._clock())
        if self._loop is not None:
            moved = self._last_change(loaded)
            self._loop.call_soon_threadsafe(self._take_up, table, run, loaded, moved)
        return None

    # ── Running ──────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Run every automatic table until cancelled; steps that were handed in are finished then."""
        self._loop = asyncio.get_running_loop()
        end = self._floor.subscribe(self._told)
        try:
            with self._floor.store.read() as reader:
                runs = all_runs(reader)
            for table, run in runs.items():
                try:
                    loaded = await asyncio.to_thread(self._floor.table, table)
                except ContentBroken as error:
                    _log.error("table %s is damaged and stands still: %s", table, error)
                    continue  # the others are in order
                if loaded is not None:
                    self._take_up(table, run, loaded, await asyncio.to_thread(self._last_change, loaded))
            while True:
                await self._wait()
                self._catch_up()
                self._act()
        finally:
            end()
            self._loop = None
            self._places, self._heap, self._changes = {}, [], []

    async def keep_running(self) -> None:
        """The same, and begin anew after whatever goes wrong: all of it is in the store."""
        while True:
            try:
                await self.run()
            except Exception:
                _log.exception("the house begins anew")
                await asyncio.sleep(RETRY_MS / 1000)

    def _last_change(self, loaded: LoadedTable) -> int:
        """When a table last changed: the clock of a shuffle runs from there, also in another process."""
        if not is_shuffle_open(loaded.table.state):
            return self._clock()
        with self._floor.store.read() as reader:
            return reader.records(loaded.id, loaded.version - 1, 1)[0].event.time

    def _take_up(self, table: str, run: TableRun, loaded: LoadedTable, moved: int) -> None:
        known = self._places.get(table)
        if known is not None and known.loaded.version > loaded.version:
            loaded = known.loaded
        place = AutomaticPlace(run, loaded, known.moved if known is not None else moved)
        place.is_busy = known.is_busy if known is not None else False
        self._places[table] = place
        self._plan(table, place)

    async def _wait(self) -> None:
        """Until a change, or until something is due."""
        alarm = None
        if self._heap:
            left = min(SKEW_MS, max(0, self._heap[0][0] - self._clock())) / 1000
            alarm = asyncio.get_running_loop().call_later(left, self._woken.set)
        try:
            await self._woken.wait()
        finally:
            if alarm is not None:
                alarm.cancel()
        self._woken.clear()

    def _told(self, changes: Sequence[Change]) -> None:
        """In the thread that commits: only hand on what is ours."""
        mine = [change for change in changes if change.table in self._places]
        if mine and self._loop is not None:
            self._loop.call_soon_threadsafe(self._note, mine)

    def _note(self, changes: list[Change]) -> None:
        self._changes += changes
        self._woken.set()

    def _catch_up(self) -> None:
        """Take up what has changed."""
        changes, self._changes = self._changes, []
        for change in changes:
            place = self._places.get(change.table)
            if place is None or change.after.version <= place.loaded.version:
                continue
            is_bet = is_only_a_bet(place.loaded, change.after) and place.due is not None
            place.loaded, place.moved = change.after, change.records[-1].event.time
            if not (is_bet and not place.run.bots):
                self._plan(change.table, place)

    def _plan(self, table: str, place: AutomaticPlace, *, at: int | None = None) -> None:
        """Note when something is due at a table."""
        if not place.run.is_automatic or place.loaded.imported:
            place.due = None
            return
        turn = self._turn(place, self._clock())
        place.due = turn.time() if at is None else at
        self._note_problem(table, place, turn.problem())
        if place.due is not None and not place.is_busy:
            heapq.heappush(self._heap, (place.due, next(self._numbers), table))
            self._woken.set()

    def _note_problem(self, table: str, place: AutomaticPlace, problem: str | None) -> None:
        if problem is not None and problem != place.problem:
            _log.warning("table %s stands still: %s", table, problem)
        place.problem = problem

    def _act(self) -> None:
        """Hand in every step that is due."""
        now = self._clock()
        while self._heap and self._heap[0][0] <= now:
            due, _, table = heapq.heappop(self._heap)
            place = self._places[table]
            if place.is_busy or place.due != due:
                continue  # planned anew since
            place.is_busy, place.due, place.given = True, None, None
            try:
                step = self._floor.submit_step(table, partial(self._decide, place))
            except StoreError:
                return  # the floor is closing
            step.add_done_callback(partial(self._answered, table))

    def _decide(self, place: AutomaticPlace, loaded: LoadedTable) -> Command | None:
        """In the thread that commits: what is due on the table as it is in this batch."""
        place.given = self._turn(place, self._clock(), loaded).command()
        return place.given

    def _turn(self, place: AutomaticPlace, now: int, loaded: LoadedTable | None = None) -> Turn:
        loaded = loaded or place.loaded
        barred = [bot for bot, number in place.barred.items() if number == loaded.table.state.round]
        return Turn(loaded, place.run.pace or self._pace, place.run.bots, now, place.moved, barred)

    # ── Answers ──────────────────────────────────────────────────────────────────────────────────

    def _answered(self, table: str, future: Future[Accepted | Refusal]) -> None:
        """In the thread that commits."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._go_on, table, future)

    def _go_on(self, table: str, future: Future[Accepted | Refusal]) -> None:
        place = self._places.get(table)
        if place is None:
            return
        self._catch_up()
        place.is_busy = False
        error = future.exception()
        if error is not None:
            self._try_again(table, place, logging.ERROR, f"a step failed: {error}", RETRY_MS)
            return
        answer = future.result()
        if not isinstance(answer, Refusal):
            place.failed, place.refused = None, 0
            self._plan(table, place)
            if not answer.records and place.due is not None:
                # Somebody else was first; whatever the reason, a table is never asked without a pause.
                self._plan(table, place, at=max(place.due, self._clock() + PAUSE_MS))
        elif place.given is not None and place.given.actor in BOTS:
            self._bar(table, place, place.given.actor, answer)
        else:
            place.refused += 1
            self._try_again(
                table, place, logging.WARNING, f"the dealer was refused: {answer.sentence}", place.retry_ms
            )
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
        if refusal.reason in (Reason.NO_ACCOUNT, Reason.NOT_ENOUGH_FUNDS):
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
        place = self._places.get(table)
        if place is not None:
            place.barred = {name: number for name, number in place.barred.items() if name != bot}
            self._plan(table, place)


def _buy_in(floor: Floor, bot: str, currency: str, amount: int, now: int) -> object:
    desk = Desk(floor.store)
    opened = desk.open_account(StoredPerson(bot), currency, now)
    if isinstance(opened, Refusal) and opened.reason is not Reason.ACCOUNT_EXISTS:
        return opened
    return desk.buy_in(bot, amount, CASHIER, now)
