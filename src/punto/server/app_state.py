"""The state of the running server that all requests share, made once at the start; giving a command, and
finding a book, with it.

Commands that come in during one turn of the loop go to the floor together and come back so: crossing to
the thread that commits costs as much as reading a bet.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeVar

import msgspec

from punto.books import NAMES, load
from punto.dealer.dealer import Pace
from punto.floor.absence import Absences
from punto.floor.alert import AlertBook
from punto.floor.automatic_tables import House, HouseClock
from punto.floor.board import Boards
from punto.floor.book_shelf import BookShelf
from punto.floor.caretaker import Caretaker
from punto.floor.desk import Desk
from punto.floor.device import Devices
from punto.floor.dispute import Disputes
from punto.floor.errand import Errands
from punto.floor.floor import HUMAN_PACE, Floor, pace_of_seconds
from punto.floor.integrity import check_software
from punto.floor.invitation import Invitations
from punto.floor.job import Accepted, Job, encode_command
from punto.floor.lease import LeaseKeeper, machine_ms
from punto.floor.loaded_table import Change, LoadedTable
from punto.floor.orders import OrderBoard
from punto.floor.people import People
from punto.floor.pit import Approvals, PitCalls, decision_of, outcome_of, second_of, whose_word
from punto.floor.protection import Protections
from punto.floor.results_watch import ResultsDifference, tell_differences
from punto.floor.second_factor import SecondFactors
from punto.floor.shift import Shifts
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of
from punto.server.access import PasswordDesk, PendingConnections, Throttle, slow_down, whole_wait
from punto.server.broadcast import Broadcaster, ViewCache
from punto.server.count_room import CountRoom, compare_results
from punto.server.event_loop import fulfil, hand_over
from punto.server.feeds import Feeds
from punto.server.floor_protocol import StreamProtocol
from punto.server.gallery import Gallery
from punto.server.messages import ApprovalFrame, CommandRequest, command_of, frame_encoder
from punto.server.metrics import Figures, MetricsPage, ServerState, ServerTally
from punto.server.sessions import Caller, SessionBook
from punto.server.settings import Settings
from punto.server.telemetry import Traces
from punto.server.validation import Rejected, ServerReason, not_there
from punto.store import TABLE_ID
from punto.store.connection import DatabaseKind
from punto.store.errors import StoreError
from punto.store.lease import standing_of
from punto.store.notice import Notice
from punto.store.pit import StoredApproval
from punto.store.reader import Reader
from punto.store.store import Store
from punto.table.command import Command
from punto.table.header import Person
from punto.views.pit_view import Wall

CommandAnswered = asyncio.Future[Accepted | Refusal]
_T = TypeVar("_T")


class CommandQueue:
    """What waits to be given to a floor, on the loop of the server."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._jobs: list[Job] = []
        self._answers: list[CommandAnswered] = []

    def give(self, table: str, command: Command, expected: int | None = None) -> CommandAnswered:
        """Give a command; the answer comes when what it caused is durable."""
        loop = asyncio.get_running_loop()
        if not self._jobs:
            loop.call_soon(self._submit, loop)
        answer: CommandAnswered = loop.create_future()
        self._jobs.append(Job(table, command, expected))
        self._answers.append(answer)
        return answer

    def _submit(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs, answers = self._jobs, self._answers
        self._jobs, self._answers = [], []
        try:
            self._floor.submit_all(jobs, partial(hand_over, loop, _set_answers, answers))
        except StoreError as error:  # the floor is closing
            _set_answers(answers, [error] * len(answers))


def _set_answers(answers: Sequence[CommandAnswered], outcomes: Sequence[Accepted | Refusal | BaseException]) -> None:
    for answer, outcome in zip(answers, outcomes, strict=True):
        fulfil(answer, outcome)


LOOK_S = 15.0  # How often to check for expiry; the system clock may be set forward.
RETRY_S = 2.0  # After the store could not be reached, the next try.
_log = logging.getLogger("punto.server")


class ApprovalDesk(Approvals):
    """What waits for a second person: whom a change concerns is told of it on the streams, and what expires or was
    left undone is looked after for as long as the server runs.
    """

    def __init__(self, app_state: AppState) -> None:
        floor, desk, lifetime_ms = app_state.floor, app_state.desk, app_state.settings.approval_ms
        super().__init__(floor, desk, lifetime_ms, app_state.now, self._changed, app_state.wait_to_keep)
        self._app_state, self._woken = app_state, asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked_at: set[str] = set()
        """Tables where something waits: what happens there may make it too late."""

    async def finish_agreed(self, approval: StoredApproval, second: Person) -> Accepted | Refusal | None:
        """Carry out what was agreed to; where the store fails, it is tried again by itself."""
        try:
            return await asyncio.to_thread(self.carry_out, approval.id, second)
        except StoreError:
            self._woken.set()
            raise

    async def keep_running(self) -> None:
        """Until cancelled: finish what was left undone, and let expire what nobody decided."""
        self._loop = asyncio.get_running_loop()
        unsubscribe = self._app_state.floor.subscribe(partial(hand_over, self._loop, self._hear))
        try:
            await self._look_after()
        finally:
            unsubscribe()

    async def _look_after(self) -> None:
        while True:
            try:
                before = set(self._asked_at)
                end = await asyncio.to_thread(self.finish)
                still = {one.table for one in await asyncio.to_thread(self.waiting) if one.table is not None}
                self._asked_at = (self._asked_at - before) | still
                seconds = LOOK_S if end is None else min(LOOK_S, max(0, end - self._app_state.now()) / 1000)
                await asyncio.wait_for(self._woken.wait(), seconds)
                self._woken.clear()
            except TimeoutError:
                continue
            except Exception:
                _log.exception("approvals are looked at again")
                await asyncio.sleep(RETRY_S)

    def _hear(self, changes: Sequence[Change]) -> None:
        if any(change.table in self._asked_at for change in changes):
            self._woken.set()

    def _changed(self, approval: StoredApproval) -> None:
        """In the thread that made the change."""
        hand_over(self._loop, self.tell_watchers, approval)

    def tell_watchers(self, approval: StoredApproval) -> None:
        """Tell the staff who watch the table, whoever asked, and whose word it is."""
        if approval.decision is None:
            self._woken.set()  # it may be the next to expire
            if approval.table is not None:
                self._asked_at.add(approval.table)
        needs, outcome, named = Role(approval.needs), outcome_of(approval), {approval.actor, whose_word(approval)}
        decision = decision_of(approval, self._app_state.now())
        refusal = outcome.refusal.text if outcome.refusal is not None else None
        frame = ApprovalFrame(approval.id, needs, approval.expires_ms, decision, outcome.version, refusal)
        self._app_state.broadcaster.tell(
            approval.table,
            frame_encoder.encode(frame),
            lambda watcher: watcher.viewer.role.is_at_least(needs) or watcher.viewer.name in named,
        )


class ServerCaretaker(Caretaker):
    """The caretaker, for as long as the server runs: it begins with the start, and ends with the stop."""

    async def keep_running(self) -> None:
        """Until cancelled: write down the start, then whatever comes together."""
        while True:
            try:
                await asyncio.to_thread(self.tidy if self.is_started else self.start)
                await asyncio.sleep(LOOK_S)
            except StoreError as error:
                self.note_trouble(str(error))
                await asyncio.sleep(RETRY_S)
            except Exception:
                _log.exception("the caretaker looks again")
                await asyncio.sleep(LOOK_S)

    async def finish(self) -> None:
        """Write down the stop; a database that cannot be written to any more does not keep the server."""
        try:
            await asyncio.to_thread(self.stop)
        except StoreError as error:
            _log.warning("the stop could not be written down", extra={"problem": str(error)})


class ServerResultsWatch:
    """Looks at the results of all tables as long as the server runs, and tells the pit where one differs."""

    def __init__(self, store: Store, counting: CountRoom, clock: Callable[[], int], name: str) -> None:
        self._store, self._counting, self._clock, self._name = store, counting, clock, name

    async def keep_running(self) -> None:
        """Until cancelled: look, then wait for an hour, or for longer where looking takes long."""
        wait = FIRST_RESULTS_S
        while True:
            await asyncio.sleep(wait)
            begun = time.monotonic()
            try:
                if await asyncio.to_thread(self._is_ours):
                    await self.look()
            except (StoreError, Rejected) as error:
                _log.warning("the results could not be compared", extra={"problem": str(error)})
            except Exception:
                _log.exception("the results are compared again later")
            wait = max(RESULTS_S, RESULTS_SHARE * (time.monotonic() - begun))

    async def look(self) -> None:
        """Compare now; what differs is written down, and is an alert of the pit."""
        found = await self._counting.ask_afresh("the house", compare_results)
        differing = msgspec.json.decode(found, type=tuple[ResultsDifference, ...])
        await asyncio.to_thread(tell_differences, self._store, differing, self._clock())

    def _is_ours(self) -> bool:
        """Whether it falls to this server: one of a house is enough."""
        with self._store.read() as reader:
            names = [server.name for server in standing_of(reader).servers]
        return not names or min(names) == self._name


FIRST_RESULTS_S = 600.0  # A server that has just started has other things to do.
RESULTS_S = 3_600.0
RESULTS_SHARE = 20  # At most such a part of the time is spent looking.
CHECKED_S = 1.0  # How long it is believed that the database can be written, or cannot.
WRITING_S = 2.0  # How long writing may take before it counts as impossible.


class WriteCheck:
    """Whether the database can be written, known by writing to it. One at a time looks, for all who ask."""

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._looking: asyncio.Task[bool] | None = None
        self._found, self._until = False, 0.0

    async def is_possible(self) -> bool:
        if time.monotonic() < self._until:
            return self._found
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
            self._looking.add_done_callback(self._looked)
        done, _ = await asyncio.wait((self._looking,), timeout=WRITING_S)
        return bool(done) and self._found

    async def _look(self) -> bool:
        try:
            await asyncio.to_thread(self._write)
        except StoreError:
            return False
        return True

    def _looked(self, looking: asyncio.Task[bool]) -> None:
        self._looking = None
        self._found = not looking.cancelled() and looking.exception() is None and looking.result()
        self._until = time.monotonic() + CHECKED_S


BETS_PER_CARD = 20  # How many times longer bets are open than it takes from card to card, where nothing else is said.
OPEN_RATE = 20.0  # Requests a second of one address without a session, such as log-ins.
GUEST_RATE = 100.0  # Requests and streams a second of all guests of one address: a hall may share one.
FRAMES_PER_REQUEST = 2  # Frames that all streams of a session together may send for each request it may make.
DAY_S = 86_400
KEPT_A_DAY = 40_000
"""Bytes of refused commands, questions and calls that are kept for one account in a day, for each request a
second that it may send. They are never thrown away, so their number has to end somewhere."""
GIVEN_A_DAY = 3_000
"""Commands that one account gives in a day, for each request a second: far above all play, and an end."""
PROTECTED_A_DAY = 100
"""Changes of limits, reality check and exclusion that a player makes in a day: each is a significant event for ever."""


class AppState:
    def __init__(self, settings: Settings, store: Store, floor: Floor, pace: Pace = HUMAN_PACE) -> None:
        self.settings, self.store, self.floor = settings, store, floor
        self.passwords = PasswordDesk()
        self.name = store.server = secrets.token_hex(4)  # By which other servers of the house know this one.
        is_shared = store.address.kind is DatabaseKind.POSTGRESQL
        self.leases = LeaseKeeper(store, self.name) if is_shared else None
        """Who deals where, on a database that several servers may have; its clock is that of the house."""
        self._clock = HouseClock(self.leases.time if self.leases else machine_ms, self._clock_went_back)
        self.caretaker = ServerCaretaker(store, self.now, settings.told, check_software, self.name)
        self.orders = OrderBoard(store)
        self.absences = Absences(floor, self.now)
        self.sessions = SessionBook(
            store, self.passwords, settings.session_ms, self.now, self.orders, floor.seal, self.absences
        )
        self.by_account = Throttle(settings.rate)
        self.bytes_kept = _a_day(settings.rate * KEPT_A_DAY)
        self.commands_given = _a_day(settings.rate * GIVEN_A_DAY)
        self.wait_to_keep = partial(whole_wait, self.bytes_kept)
        floor.bound_refusals(self.wait_to_keep)
        self.by_address = Throttle(OPEN_RATE, 20 * OPEN_RATE)
        self.by_guest = Throttle(GUEST_RATE, 5 * GUEST_RATE)  # By address too, for those who only watch.
        self.desk = Desk(store, self.wait_to_keep)
        self.shifts = Shifts(store)
        self.people = People(store, self.now)
        self.invitations = Invitations(store, self.people, self.now)
        self.second_factors = SecondFactors(store, self.people, floor.seal, self.now)
        self.protections = Protections(store, self.now, partial(whole_wait, _a_day(PROTECTED_A_DAY)))
        self.book_shelf = BookShelf(self.people, self.now)
        self.listed_books: dict[str, Any] = {}
        """What the list of books says of a stored one, by digest: that never changes."""
        self.errands = Errands(store, lambda: floor, self.now)
        self.command_line_key: str | None = None
        """By which the command line of this machine is known; None where it writes to the database itself."""
        self.pit_calls = PitCalls(store, self.now, self.wait_to_keep)
        self.disputes = Disputes(store, self.now, self.wait_to_keep)
        self.house = House(floor, self.now, pace, self.orders, self.leases)
        self.counting = CountRoom(store.address, "counting")  # For what takes up to a few tenths of a second.
        self.devices = Devices(store, self.people, self.now)
        self.boards = Boards(self.people, self.now)
        self.feeds = Feeds(lambda table: self.broadcaster.refresh(table), self._tell, self.now)
        self.wall, self.alerts = Wall(), AlertBook()
        self.view_cache = ViewCache(store, self.counting, self.house.pace_of, self.now, self.orders, self.feeds.of)
        self.gallery = Gallery(self.read, self.now, self._watch_delay, self.house.pace_of, self.counting)
        self.broadcaster = Broadcaster(floor, self.view_cache)
        self.orders.listen(self.house.hear_orders)
        self.orders.listen(self.broadcaster.hear_orders)
        self.queue = CommandQueue(floor)
        self.long_counting = CountRoom(store.address, "long-counting")
        """For what can take a minute: verification, and searching whole logs."""
        self.results = ServerResultsWatch(store, self.long_counting, self.now, self.name)
        self.approvals = ApprovalDesk(self)
        if self.leases is not None:
            self.leases.attach(self.house.hold, self.house.problems)
        self.frames_sent = Throttle(FRAMES_PER_REQUEST * settings.rate)
        self.greeting: PendingConnections[StreamProtocol] = PendingConnections()
        """Streams whose client has not said yet who it is, or never did and does not go."""
        self.is_started = self.is_stopping = False
        self.writing = WriteCheck(self.caretaker.check_writing)
        self.tally = ServerTally() if settings.has_metrics else None
        self.metrics: MetricsPage | None = None
        self.traces: Traces | None = None
        if self.tally is not None:
            floor.observe_commits(self.tally.committed)
            self.metrics = MetricsPage(settings, Figures(store, self.tally, self._moment))

    def trace(self, traces: Traces) -> None:
        """Have requests, commands, commits and frames traced from now on."""
        self.traces, self.broadcaster.observe_frames = traces, traces.frames
        self.floor.observe_commits(traces.committed)

    def _moment(self) -> ServerState:
        broadcaster, streams = self.broadcaster, self.broadcaster.count()
        return ServerState(
            self.is_serving, streams, self.gallery.count(), self.house.dealt(), broadcaster.watched_versions()
        )

    @property
    def is_serving(self) -> bool:
        """Whether requests are wanted: it has started, and does not stop."""
        return self.is_started and not self.is_stopping

    def close(self) -> None:
        self.counting.close()
        self.long_counting.close()

    def now(self) -> int:
        """The time of the house, in milliseconds."""
        return self._clock()

    def _watch_delay(self) -> int | None:
        return self.orders().rules.watch_delay_seconds

    def _tell(self, notice: Notice) -> None:
        """Tell the other servers of something, where there are any."""
        if self.store.tell is not None:
            self.store.tell([notice])

    def _clock_went_back(self, back: int, now: int) -> None:
        self.caretaker.note_clock(back, now)

    async def read(self, work: Callable[[Reader], _T]) -> _T:
        """What is read of the store, in a thread."""

        def read() -> _T:
            with self.store.read() as reader:
                return work(reader)

        return await asyncio.to_thread(read)

    def hurry(self) -> None:
        """Tables may be free to deal at."""
        if self.leases is not None:
            self.leases.hurry()

    async def table(self, id: str, *, is_fresh: bool = False) -> LoadedTable:
        """A table by its id; `Rejected` where there is none.

        It may be behind what another server has kept by as long as a notice takes. Where it must not, and there
        are others, the database is asked.
        """
        is_fresh = is_fresh and self.leases is not None and bool(self.leases.others)
        loaded = await self.broadcaster.table(id, is_fresh=is_fresh) if TABLE_ID.fullmatch(id) else None
        if loaded is None:
            raise not_there(f"table {id}")
        return loaded


def _a_day(number: float) -> Throttle:
    """As much as this at once, and as much again within a day."""
    return Throttle(number / DAY_S, max(1.0, number))


def house_pace(settings: Settings) -> Pace:
    pace = pace_of_seconds(BETS_PER_CARD * settings.pace)
    if settings.bets is None:
        return pace
    bets = int(settings.bets * 1000)
    return replace(pace, bets=bets, antes=bets, insurance=bets, squeeze=bets, options=bets, draw=bets)


@cache
def house_books(files: tuple[str, ...]) -> dict[str, Book]:
    """The books of a house by name: the built-in ones, then its own."""
    return {book.name: book for book in (load(name) for name in (*NAMES, *files))}


def book_named(app_state: AppState, name: str) -> Book:
    """A book by its name or by the digest it is stored under; `Rejected` where there is none."""
    books = house_books(app_state.settings.books)
    by_digest = (book for book in books.values() if digest_of(book) == name)
    book = books.get(name) or next(by_digest, None) or app_state.floor.stored_book(name)
    if book is None:
        raise Rejected(404, ServerReason.UNKNOWN_BOOK, book=name, books=", ".join(books))
    return book


LARGEST_COMMAND = 16 * 1024
"""Bytes of one command: the longest that anybody can mean, terms with every entry, has a third."""


async def give_command(
    app_state: AppState, caller: Caller, table: str, request: CommandRequest
) -> Accepted | Refusal | StoredApproval:
    """Give a command for a table, and count what became of it."""
    if app_state.tally is None and app_state.traces is None:
        return await _give(app_state, caller, table, request)
    began, kind = time.perf_counter(), str(request.command.__struct_config__.tag)
    traced = nullcontext() if app_state.traces is None else app_state.traces.command(table, kind, request.key)
    with traced as came_of:
        outcome: Accepted | Refusal | StoredApproval | Exception
        try:
            outcome = await _give(app_state, caller, table, request)
        except (Rejected, StoreError) as error:
            outcome = error
        if app_state.tally is not None:
            app_state.tally.command(outcome, time.perf_counter() - began)
        if came_of is not None:
            came_of(outcome)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


async def _give(
    app_state: AppState, caller: Caller, table: str, request: CommandRequest
) -> Accepted | Refusal | StoredApproval:
    """Give a command for a table. Where book or terms ask for a second person, it waits for one: exactly this
    command, for this version of the table, until it expires.
    """
    role, expected = caller.role(request.role), request.expected
    loaded = await app_state.table(table)
    command = command_of(request.command, actor=caller.handle, role=role, key=request.key, time=app_state.now())
    if len(encode_command(command)) > LARGEST_COMMAND:
        raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_COMMAND)
    slow_down(app_state.commands_given, caller.handle)
    needs = second_of(loaded.table, command)
    if needs is not None:
        return await asyncio.to_thread(app_state.approvals.ask, table, command, expected, needs)
    if role is not Role.PLAYER:
        before = await asyncio.to_thread(app_state.approvals.asked_before, table, command, expected)
        if before is not None:
            return before
    return await app_state.queue.give(table, command, expected)
