"""A house of several servers in one thread and in simulated time, with everything that can go wrong between them.

The floor, the house, the leases, the broadcaster and the switchboard are the real ones, on one database in memory.
What is simulated is around them: the time, the threads (work is done at once, or when the seed says), the network
between servers and between servers and clients, and faults. Servers die between a commit and its answer, are held up
for seconds and come back, lose the database, and have clocks that are seconds apart; notices are lost, doubled and
late. Everything follows from a seed, so a failure is repeated by its number:

    python -m tests.server.simulated_house 17            seed 17
    python -m tests.server.simulated_house 0 10000       ten thousand of them, from 0 on
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from queue import SimpleQueue
from random import Random
from threading import Lock
from types import SimpleNamespace
from typing import Any, ClassVar

import msgspec

from punto import books
from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor import automatic_tables, floor, shoe
from punto.floor.automatic_tables import House
from punto.floor.desk import Desk
from punto.floor.floor import DealtBy, Floor, TableRun, keep_table_run
from punto.floor.job import Accepted, Job
from punto.floor.lease import LeaseKeeper
from punto.floor.loaded_table import BookCache
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.broadcast import Broadcaster, Watcher
from punto.server.feeds import Feeds
from punto.server.switchboard import Switchboard
from punto.store.connection import Address, DatabaseKind
from punto.store.errors import CommitUnknown, NoServer, StoreError
from punto.store.migration import make_newest
from punto.store.notice import LOOK_S, LogReader, Notice
from punto.store.reader import Reader
from punto.store.record import Record, StoredAccount
from punto.store.seal import Seal
from punto.store.sqlite import MEMORY, SqliteConnection
from punto.store.store import GroupCommit, Store
from punto.store.transaction import Transaction
from punto.table.betting import PlaceBet
from punto.table.command import Command
from punto.table.header import Person
from punto.table.house import OpenTable, TakeSeat
from punto.table.state import Phase
from punto.table.terms import default_terms
from punto.views.viewer import Viewer
from tests.floor.ledger_check import check_store

START_MS = 1_700_000_000_000
PACE = Pace(bets=700, antes=300, insurance=300, squeeze=200, options=300, draw=300, cards=60, rounds=250)
TABLES = ("t1", "t2", "t3")
BOOKS = ("ez", "commission", "insurance")
PLAYERS = ("Lee", "Kim")
TROUBLED_MS, HEALING_MS, GOING_ON_MS, DEAF_MS = 4_500, 4_600, 1_200, 1_200
"""How long things go wrong, how long it may take until that is over, and how long it is watched then."""
SEAL = Seal(b"k" * 32)


class Crash(BaseException):
    """The process is gone in the middle of this."""


class SimConnection(SqliteConnection):
    """A database that several servers have open, with a clock of its own."""

    clock: ClassVar[str] = "sim_now()"
    is_shared: ClassVar[bool] = True
    world: SimWorld

    def begin_read(self) -> None:
        self.run("BEGIN")


class SimStore(Store):
    """How one server reaches the database: now and then it does not."""

    def __init__(self, world: SimWorld, server: SimServer | None) -> None:
        super().__init__(Address(DatabaseKind.SQLITE, str(MEMORY)), world.connection)
        self._world, self._of = world, server

    @contextmanager
    def connection(self) -> Iterator[SqliteConnection]:
        if self._of is not None:
            self._of.check()
            if self._world.chance("no-database"):
                raise NoServer("the database does not answer")
        yield self._world.connection

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        with super().write() as transaction:
            yield transaction
            if self._of is not None and self._world.chance("undone"):
                raise NoServer("the connection was lost before the commit")
        if self._of is not None and self._world.chance("crash-after-commit"):
            self._of.die()
            raise Crash
        if self._of is not None and self._world.chance("unknown"):
            raise CommitUnknown("the connection was lost while a change was being kept")


class SimGroup(GroupCommit[Any, Any]):
    """Commits when the scheduler says so, and not in a thread."""

    def __init__(self, store: Store, run_batch: Any, *, committed: Any = None, largest: int = 1_000) -> None:
        self._store, self._run_batch, self._committed, self._largest = store, run_batch, committed, largest
        self._waiting, self._lock, self._is_closed = SimpleQueue(), Lock(), False

    def work(self) -> bool:
        """Carry out what waits; whether anything did."""
        parcels = []
        while not self._waiting.empty():
            parcel = self._waiting.get()
            assert parcel is not None
            if parcel.is_wanted():
                parcels.append(parcel)
        outcomes = iter(self._outcomes([job for parcel in parcels for job in parcel.jobs])) if parcels else iter(())
        for parcel in parcels:
            answers = [next(outcomes) for _ in parcel.jobs]
            if not any(isinstance(answer, Crash) for answer in answers):
                parcel.answered(answers)
        return bool(parcels)

    def close(self) -> None:
        self._is_closed = True


class InlineExecutor(ThreadPoolExecutor):
    """What would be done in a thread is done at once."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)
        return future


class SimLoop(asyncio.SelectorEventLoop):
    """An event loop that has the time of the simulation, and runs when it is told to."""

    def __init__(self, world: SimWorld) -> None:
        super().__init__()
        self._sim = world
        self.set_default_executor(InlineExecutor())
        self.set_exception_handler(self._note)
        self.problems: list[str] = []

    def _note(self, _: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Crash | StoreError):
            self.problems.append(f"{context.get('message')}: {error!r}")

    def time(self) -> float:
        return self._sim.now_ms / 1000

    def turn(self) -> None:
        """Run what is ready, once."""
        self.call_soon(self.stop)
        self.run_forever()

    def next_ms(self) -> float:
        """When something is due."""
        if self._ready:  # type: ignore[attr-defined]
            return self._sim.now_ms
        return min((handle.when() * 1000 for handle in self._scheduled), default=float("inf"))  # type: ignore[attr-defined]


class NoViews:
    """What watchers see beside events is not looked at here."""

    async def send(self, *_: object) -> None:
        return None

    async def send_past(self, *_: object) -> None:
        return None


class SimServer:
    """One server of the house, from its start to its death."""

    def __init__(self, world: SimWorld, number: int) -> None:
        self.world, self.number = world, number
        self.name = f"s{number}x{world.starts}"
        self.is_dead = False
        self.held_up_until = 0.0
        self.apart_ms = world.random.randint(-5_000, 5_000)
        self.loop = SimLoop(world)
        self.store = SimStore(world, self)
        self.store.server = self.name
        self.store.tell = self._tell
        self.floor = Floor(self.store, SEAL, world.seed_of)
        self.floor._memory.books = world.books
        self.group: SimGroup = self.floor._group  # type: ignore[assignment]
        self.leases = LeaseKeeper(self.store, self.name, self._machine, self.loop.time)
        self.leases._thread = InlineExecutor()
        self.house = House(self.floor, self.leases.time, PACE, leases=self.leases)
        self.leases.attach(self.house.hold, self.house.problems)
        self.broadcaster = Broadcaster(self.floor, NoViews())  # type: ignore[arg-type]
        around = SimpleNamespace(broadcaster=self.broadcaster, house=self.house, hurry=self.leases.hurry)
        around.sessions = SimpleNamespace(forget=lambda _: None, forget_all=lambda: None)
        around.orders = SimpleNamespace(look=lambda: None)
        around.pit_calls = SimpleNamespace(live=list)
        around.approvals = SimpleNamespace(waiting=list)
        around.feeds, around.read = Feeds(self.broadcaster.refresh, clock=self._machine), self._read
        self.switchboard = Switchboard(around)  # type: ignore[arg-type]
        self._reader = LogReader(self.name)
        self._tasks = [self.loop.create_task(part) for part in (self._begin(), self._look())]

    async def _read(self, work: Callable[[Reader], Any]) -> Any:
        def read() -> Any:
            with self.store.read() as reader:
                return work(reader)

        return await asyncio.to_thread(read)

    def _machine(self) -> int:
        return int(START_MS + self.world.now_ms) + self.apart_ms

    async def _begin(self) -> None:
        self.broadcaster.start()
        self._tasks += [asyncio.ensure_future(self.house.keep_running())]
        self._tasks += [asyncio.ensure_future(self.leases.keep_running())]

    async def _look(self) -> None:
        """What the wire does once a second."""
        while True:
            try:
                with self.store.connection() as connection:
                    found = self._reader.look(connection)
                self.switchboard.route(found)
            except StoreError:
                pass
            await asyncio.sleep(LOOK_S)

    def _tell(self, notices: Sequence[Notice]) -> None:
        self.world.send_notices(self, notices)

    def hear(self, notices: Sequence[Notice]) -> None:
        if self.runs:
            self.loop.call_soon(self.switchboard.route, notices)

    @property
    def runs(self) -> bool:
        return not self.is_dead

    @property
    def is_held_up(self) -> bool:
        return self.world.now_ms < self.held_up_until

    def check(self) -> None:
        if self.is_dead:
            raise Crash

    def die(self) -> None:
        self.is_dead = True

    def bury(self) -> None:
        """Nothing of it is ever run again; what it had in hand is dropped without a word."""
        self.is_dead = True
        for task in asyncio.all_tasks(self.loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            task.get_coro().close()
        self.loop._ready.clear()  # type: ignore[attr-defined]
        self.loop._scheduled.clear()  # type: ignore[attr-defined]
        self.loop.close()


@dataclass
class SimStream:
    """Somebody who watches a table, at one server after the other, by the last event that came."""

    world: SimWorld
    table: str
    seqs: list[int] = field(default_factory=list)
    server: SimServer | None = None
    watcher: Watcher | None = None
    is_joining: bool = False

    def go_on(self) -> None:
        """Take what has come; find another server where this one is gone."""
        if self.server is not None and not self.server.runs:
            self.server, self.watcher, self.is_joining = None, None, False
        if self.watcher is not None:
            assert not self.watcher.is_cut_off, "a watcher was cut off"
            while self.watcher._waiting:
                self._take(msgspec.json.decode(self.watcher._waiting.popleft()))
        elif not self.is_joining and (server := self.world.some_server()) is not None:
            self.server, self.is_joining = server, True
            server.loop.create_task(self._join(server))

    def _take(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "event":
            last = self.seqs[-1] if self.seqs else 0
            assert frame["seq"] == last + 1, f"after event {last} of {self.table} came {frame['seq']}"
            self.seqs.append(frame["seq"])

    async def _join(self, server: SimServer) -> None:
        try:
            last = self.seqs[-1] if self.seqs else 0
            if await server.broadcaster.table(self.table, at_least=last) is None:
                return
            watcher = Watcher(self.table, Viewer("Aud", Role.AUDITOR), wants_views=False)
            loaded = server.broadcaster.add(watcher)
            if loaded.version < last:  # what a client that comes back with a later event is never shown
                server.broadcaster.remove(watcher)
                return
            with server.store.read() as reader:
                missed = reader.records(self.table, last, loaded.version - last)
            for state, record in await server.broadcaster.steps(self.table, missed):
                assert state is not None
                self._take({"type": "event", "seq": record.seq})
            self.watcher = watcher
        except StoreError:
            pass
        finally:
            self.is_joining = False


@dataclass
class SimSent:
    """A command of a player, under its key, until somebody says what came of it."""

    job: Job
    answer: tuple[str, Any] | None = None
    waits_until: float = 0.0


@dataclass
class SimPlayer:
    """Sends commands to any server, again with the same key where no answer comes, and some of them again anyway."""

    world: SimWorld
    name: str
    journal: list[SimSent] = field(default_factory=list)
    waiting: SimSent | None = None
    next_ms: float = 0.0

    def go_on(self) -> None:
        world, random = self.world, self.world.random
        if self.waiting is not None and self.waiting.answer is not None:
            self.waiting, self.next_ms = None, world.now_ms + random.randint(20, 400)
        if self.waiting is None and world.now_ms >= self.next_ms:
            again = random.random() < 0.15 and self.journal
            self.waiting = random.choice(self.journal) if again else self._fresh()
            if self.waiting is None:
                self.next_ms = world.now_ms + 50
            elif again:
                self._send(self.waiting)
                self.waiting, self.next_ms = None, world.now_ms + random.randint(20, 200)
        if self.waiting is not None and world.now_ms >= self.waiting.waits_until:
            self._send(self.waiting)

    def _fresh(self) -> SimSent | None:
        random, table = self.world.random, self.world.random.choice(TABLES)
        server = self.world.some_server()
        loaded = server.floor._memory.tables.get(table) if server is not None else None
        if loaded is None:
            return None
        state, key = loaded.table.state, f"{self.name}-{len(self.journal)}"
        about: dict[str, Any] = {"actor": self.name, "role": Role.PLAYER, "time": self.world.house_ms(), "key": key}
        box = state.box_of(self.name)
        command: Command
        if box is None:
            command = TakeSeat(**about, box=random.randint(1, 5))
        elif state.phase is Phase.BETTING:
            area = random.choice(("banker", "player"))
            command = PlaceBet(**about, box=box, area=area, amount=loaded.table.terms.minimum, round=state.round)
        else:
            return None
        expected = loaded.version if random.random() < 0.2 else None
        self.journal.append(SimSent(Job(table, command, expected)))
        return self.journal[-1]

    def _send(self, sent: SimSent) -> None:
        sent.waits_until = self.world.now_ms + 900
        server = self.world.some_server()
        if server is None or self.world.chance("request-lost"):
            return
        future = server.floor.submit(sent.job.table, sent.job.command, sent.job.expected)
        future.add_done_callback(lambda done: self._answered(sent, done))

    def _answered(self, sent: SimSent, done: Future[Accepted | Refusal]) -> None:
        if self.world.chance("answer-lost") or done.exception() is not None:
            return
        outcome = done.result()
        told = ("refused", outcome.reason) if isinstance(outcome, Refusal) else ("done", outcome.records)
        assert sent.answer in (None, told), f"{sent.job.command.key} had {sent.answer}, and now {told}"
        sent.answer = told


RATES = {
    **{"notice-lost": 0.2, "notice-doubled": 0.1, "request-lost": 0.05, "answer-lost": 0.05},
    **{"no-database": 0.004, "undone": 0.01, "unknown": 0.01, "crash-after-commit": 0.006},
    **{"crash": 0.004, "hold-up": 0.006},
}


class SimWorld:
    def __init__(self, seed: int, servers: int = 3) -> None:
        self.seed, self.random, self.now_ms = seed, Random(seed), 0.0
        self.is_troubled = False
        self.is_deaf = False  # Every notice is lost: what a stream gets then comes from the look once a second.
        self.starts = 0
        self.books = shared_books()
        self.connection = SimConnection(MEMORY)
        template().driver.backup(self.connection.driver)
        self.connection.driver.create_function("sim_now", 0, self.database_ms)
        self.rates = {name: rate * self.random.choice((0, 0.5, 1, 2)) for name, rate in RATES.items()}
        self._mail: list[tuple[float, int, SimServer, list[Notice]]] = []
        self._restarts: list[tuple[float, int]] = []
        self.servers = [self._start(n) for n in range(servers)]
        self.streams = [SimStream(self, table) for table in TABLES]
        self.players = [SimPlayer(self, name) for name in PLAYERS]
        self.dead: list[SimServer] = []

    def house_ms(self) -> int:
        return int(START_MS + self.now_ms)

    def database_ms(self) -> int:
        return self.house_ms() + 60_000  # the machine of the database has another clock

    def chance(self, what: str) -> bool:
        return self.is_troubled and self.random.random() < self.rates[what]

    def seed_of(self, table: str, number: int) -> shoe.Seed:
        drawn = sha256(f"{self.seed}/{table}/{number}/{self.random.random()}".encode()).digest()
        return msgspec.structs.replace(template_seed(), secret=drawn)

    def some_server(self) -> SimServer | None:
        running = [server for server in self.servers if server.runs]
        return self.random.choice(running) if running else None

    def _start(self, number: int) -> SimServer:
        self.starts += 1
        return SimServer(self, number)

    def send_notices(self, sender: SimServer, notices: Sequence[Notice]) -> None:
        if self.is_deaf:
            return
        for server in self.servers:
            for _ in range(2 if self.chance("notice-doubled") else 1):
                if server is not sender and not self.chance("notice-lost"):
                    late = self.random.choice((1, 1, 2, 5, 40, 1_500 if self.is_troubled else 5))
                    self._mail.append((self.now_ms + late, len(self._mail), server, list(notices)))

    def run(self, ms: float) -> None:
        end = self.now_ms + ms
        while self.now_ms < end:
            self._deliver()
            for server in self.random.sample(self.servers, len(self.servers)):
                self._turn(server)
            for stream in self.streams:
                stream.go_on()
            for player in self.players:
                player.go_on()
            self._advance(end)

    def heal(self) -> None:
        """Nothing goes wrong any more, and whoever is held up or gone is back soon."""
        self.is_troubled = False
        for server in self.servers:
            server.held_up_until = min(server.held_up_until, self.now_ms + 500)
        self._restarts = [(min(at, self.now_ms + 500), number) for at, number in self._restarts]

    def _deliver(self) -> None:
        due = [mail for mail in self._mail if mail[0] <= self.now_ms]
        self._mail = [mail for mail in self._mail if mail[0] > self.now_ms]
        for _, _, server, notices in due:
            server.hear(notices)
        for at, number in list(self._restarts):
            if at <= self.now_ms:
                self._restarts.remove((at, number))
                self._begin_again(number)

    def _begin_again(self, number: int) -> None:
        try:
            self.servers[number] = self._start(number)
        except StoreError:
            self._restarts.append((self.now_ms + 100, number))

    def _turn(self, server: SimServer) -> None:
        if server in self.dead or server.is_held_up:
            return
        if server.runs:
            if self.chance("hold-up"):
                server.held_up_until = self.now_ms + self.random.randint(200, 6_000)
                return
            if server.loop.next_ms() <= self.now_ms:
                server.loop.turn()
            if not server.is_dead and self.random.random() < 0.7:
                server.group.work()
        if self.chance("crash") or server.is_dead:
            server.bury()
            assert server.loop.problems == [], server.loop.problems
            self.dead.append(server)
            longest = 3_000 if self.is_troubled else 500
            self._restarts.append((self.now_ms + self.random.randint(50, longest), server.number))

    def _advance(self, end: float) -> None:
        """To what comes next; with some grain, so that things happen together."""
        running = [server for server in self.servers if server.runs]
        times = [max(server.loop.next_ms(), server.held_up_until) for server in running]
        times += [mail[0] for mail in self._mail] + [at for at, _ in self._restarts]
        times += [player.next_ms for player in self.players if player.waiting is None]
        times += [player.waiting.waits_until for player in self.players if player.waiting is not None]
        if any(not server.group._waiting.empty() for server in running):
            times.append(self.now_ms)
        self.now_ms = min(end, max(self.now_ms + self.random.choice((1, 2, 10)), min(times, default=end)))

    def close(self) -> None:
        for server in self.servers:
            if server not in self.dead:
                server.bury()
        self.connection.close()


def template_seed() -> shoe.Seed:
    return shoe.fresh_seed("t", 1)


@cache
def shared_books() -> BookCache:
    made = BookCache()
    for name in BOOKS:
        made.put(books.load(name))
    return made


@cache
def template() -> SqliteConnection:
    """A house with its tables and people, to be copied."""
    connection = SqliteConnection(MEMORY)
    make_newest(connection, DatabaseKind.SQLITE)
    store = Store(Address(DatabaseKind.SQLITE, str(MEMORY)), connection)
    with Floor(store, SEAL) as opening:
        for name in PLAYERS:
            with store.write() as transaction:
                transaction.add_account(StoredAccount(name, "USD", 0))
            assert not isinstance(Desk(store).buy_in(name, 10**9, Person("Cas", Role.CASHIER), START_MS), Refusal)
        for n, (table, name) in enumerate(zip(TABLES, BOOKS, strict=True)):
            book = books.load(name)
            command = OpenTable(actor="Rob", role=Role.SHIFT_MANAGER, time=START_MS, terms=default_terms(book))
            assert not isinstance(opening.open_table(table, book, command), Refusal)
            with store.write() as transaction:
                run = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[n : n + 1])
                keep_table_run(transaction, table, run, "Rob", START_MS)
    return connection


@contextmanager
def deterministic(seed: int) -> Iterator[None]:
    """Nothing but the seed decides: names, groups, nonces."""
    chance = Random(f"names-{seed}")
    patched: list[tuple[Any, str, Any]] = [
        (floor, "GroupCommit", _SimGroups),
        (secrets, "token_bytes", chance.randbytes),
        (secrets, "token_hex", lambda n=16: chance.randbytes(n).hex()),
    ]
    before = [(place, name, getattr(place, name)) for place, name, _ in patched]
    level = logging.getLogger("punto").level
    try:
        template()
        shared_books()
        logging.getLogger("punto").setLevel(logging.CRITICAL)
        for place, name, value in patched:
            setattr(place, name, value)
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)
        logging.getLogger("punto").setLevel(level)


class _SimGroups:
    def __class_getitem__(cls, _: object) -> Callable[..., SimGroup]:
        return SimGroup


def simulate(seed: int) -> tuple[int, int, int]:
    """Live through a seed and check it; how many events, deaths and acknowledged commands there were."""
    assert automatic_tables.House is House
    with deterministic(seed):
        world = SimWorld(seed)
        try:
            world.run(1_000)
            world.is_troubled = True
            world.run(TROUBLED_MS)
            world.heal()
            world.run(HEALING_MS)
            before = versions(world)
            world.run(GOING_ON_MS)
            check(world, before)
            world.is_deaf = True
            world.run(DEAF_MS)
            reached = versions(world)
            world.run(DEAF_MS)
            for stream in world.streams:
                assert len(stream.seqs) >= reached[stream.table], f"a stream of {stream.table} waits for a lost notice"
            done = sum(sent.answer is not None for player in world.players for sent in player.journal)
            return sum(versions(world).values()), len(world.dead), done
        finally:
            world.close()


def versions(world: SimWorld) -> dict[str, int]:
    return dict(world.connection.all("SELECT id, version FROM tables"))


def check(world: SimWorld, before: dict[str, int]) -> None:
    """Nothing lost, nothing twice, the ledger exact, streams complete, and every table goes on."""
    for table, version in versions(world).items():
        assert version > before[table] + 2, f"{table} stands still at {version}"
    for stream in world.streams:
        assert stream.seqs == list(range(1, len(stream.seqs) + 1))
        assert len(stream.seqs) >= before[stream.table], f"a stream of {stream.table} is behind: {len(stream.seqs)}"
    holders: dict[str, str] = dict(world.connection.all("SELECT table_id, holder FROM leases"))
    shares = [list(holders.values()).count(server.name) for server in world.servers]
    assert shares == [1, 1, 1], f"{holders}"
    store = SimStore(world, None)
    check_store(store)
    kept: dict[str, list[Record]] = {}
    with store.read() as reader:
        for table in TABLES:
            for record in reader.records(table):
                kept.setdefault(record.key or "", []).append(record)
    for sent in (sent for player in world.players for sent in player.journal):
        records = kept.get(sent.job.command.key, [])
        if sent.answer is not None and sent.answer[0] == "done":
            assert tuple(records) == sent.answer[1], f"{sent.job.command.key} was acknowledged and is another"
            expected = sent.job.expected
            assert expected is None or records[0].seq == expected + 1, "it was decided on another version"
        elif sent.answer is not None:
            assert records == [], f"{sent.job.command.key} was refused and is in the log"
        placed = [record for record in records if record.event.name() == "bet-placed"]
        assert len(placed) <= 1, "a bet was placed twice"


def main() -> int:
    first = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    total = [0, 0, 0]
    for seed in range(first, first + number):
        try:
            lived = simulate(seed)
            total = [a + b for a, b in zip(total, lived, strict=True)]
        except BaseException:
            traceback.print_exc()
            print(f"seed {seed}: python -m tests.server.simulated_house {seed}")
            return 1
    print(f"{number:,} seeds: {total[0]:,} events, {total[1]:,} servers died, {total[2]:,} commands were answered")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
