"""What one bet and one frame cost on PostgreSQL, and how far that goes: the measured points of docs/internals/scale.md.

The aims, on two cores with the load and the database on the same machine: two processes take at least as many bets as
one; 99 of 100 frames reach watchers at another process within 250 ms; metrics cost at most 5 % of the bets. Baselines
in the same run: `pgbench -N` on the same server, and a bare `websockets` broadcast to as many clients.

    python bench/bench_scale.py                 everything
    python bench/bench_scale.py --small         a fifth of it
    python bench/bench_scale.py bets fan        a part of it: bets, metrics, fan, pages, pgbench, takeover
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx
import psycopg
import uvloop

from bench.load_generator import Watching, request_of, send_all
from bench.prepared_floor import make_administrator, prepare
from bench.scale_model import Point, fitted
from tests.server.served import ServedFloor
from tests.server.served_house import found_house, served_house, wait_until
from tests.store.postgres_server import PostgresServer

SMALL = "--small" in sys.argv
TABLES, PLAYERS = 20, 100
BETS = 2_000 if SMALL else 10_000
POINTS = (1, 4, 16, 50, 100)  # Connections at which bets are measured.
WATCHERS, EVENTS = (200, 30) if SMALL else (1_000, 100)
OPTIONS = ("--rate", "1000000", "--no-demonstration")
os.environ["PUNTO_KEY"] = "ab" * 32
_keys = iter(range(1_000_000))


class Bench:
    """A durable PostgreSQL server with a house in it, and servers that are started on it."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack, self.postgres = stack, PostgresServer(is_durable=True)
        stack.callback(self.postgres.close)
        self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.database = self.postgres.new_database()
        self.tokens = prepare(self.database, TABLES, PLAYERS)
        make_administrator(self.database)
        self.found: dict[str, Any] = {}

    def serve(self, stack: ExitStack, *options: str) -> ServedFloor | None:
        """One more server; None where the database lets only one in."""
        home = Path(tempfile.mkdtemp(dir=self.folder))
        floor = ServedFloor(home, *OPTIONS, *options, database=self.database)
        try:
            return stack.enter_context(floor)
        except AssertionError:
            assert "in use" in (home / "serve.log").read_text(), (home / "serve.log").read_text()[-500:]
            return None

    def ask(self, question: str) -> int:
        with psycopg.connect(self.database) as connection:
            row = connection.execute(question.encode()).fetchone()
        assert row is not None
        return int(row[0])

    def database_cpu(self) -> float:
        """Processor time of the PostgreSQL server and of all who were its processes."""
        master = int((self.postgres.folder / "data/postmaster.pid").read_text().split()[0])
        own = [stat for pid, stat in _stats() if pid == master or int(stat[1]) == master]
        live = sum(int(stat[11]) + int(stat[12]) for stat in own)
        gone = sum(int(stat[13]) + int(stat[14]) for pid, stat in _stats() if pid == master)
        return (live + gone) / os.sysconf("SC_CLK_TCK")


def _stats() -> Iterator[tuple[int, list[str]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield int(entry.name), (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue


def cpu(pid: int) -> float:
    stat = dict(_stats())[pid]
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parts: dict[str, Callable[[Bench], None]] = {"bets": bets, "metrics": metrics, "fan": fan, "pgbench": pgbench}
    parts |= {"takeover": takeover, "pages": pages}
    with ExitStack() as stack:
        bench = Bench(stack)
        for name in [name for name in parts if name in sys.argv] or parts:
            parts[name](bench)
        if "--json" in sys.argv:
            print(json.dumps(bench.found, indent=1))


def line(what: str, value: str, beside: str = "") -> None:
    print(f"{what:<46} {value:>14}   {beside}", flush=True)


# ── Bets ─────────────────────────────────────────────────────────────────────────────────────────


def bets(bench: Bench) -> None:
    """Bets a second by connections, what one costs, what the model says of it, and two processes beside one."""
    points = list[Point]()
    with ExitStack() as stack:
        floor = bench.serve(stack, "--metrics-port", "0")
        assert floor is not None
        _bet([floor.url], bench.tokens, 50, BETS // 10)  # what is loaded late is loaded now
        for connections in POINTS:
            number = max(200, BETS * connections // POINTS[-1]) // connections * connections
            before = _cost(bench, floor)
            rate = _bet([floor.url], bench.tokens, connections, number)
            after = _cost(bench, floor)
            each = {name: (after[name] - before[name]) / number for name in before}
            points.append(Point(connections, rate, 1 / each["batches"], each["server"], each["database"], each["wal"]))
            beside = (
                f"{points[-1].batch:.1f} in a batch; for each {each['server'] * 1e6:,.0f} µs of the server's "
                f"processor, {each['database'] * 1e6:,.0f} µs of the database's, {each['wal']:,.0f} bytes of its log"
            )
            line(f"bets a second, {connections} connections", f"{rate:,.0f}", beside)
        bench.found["points"] = [asdict(point) for point in points]
        costs = fitted([points[0], points[-1]])
        for point in points[1:-1]:
            beside = f"{costs.server(point.batch) / point.server:.2f} of what was measured"
            line(f"  the model says of {point.clients}", f"{costs.server(point.batch) * 1e6:,.0f} µs", beside)
        _two_beside_one(bench, stack, floor)


def _two_beside_one(bench: Bench, stack: ExitStack, floor: ServedFloor) -> None:
    second = bench.serve(stack)
    if second is None:
        line("two processes", "left out", "this version lets one server have a database")
        return
    _bet([second.url], bench.tokens, 50, BETS // 10)
    one, two = list[float](), list[float]()
    for _ in range(3):
        one.append(_bet([floor.url], bench.tokens, PLAYERS, BETS // 2))
        two.append(_bet([floor.url, second.url], bench.tokens, PLAYERS, BETS // 2))
    bench.found["two_over_one"] = max(two) / max(one)
    beside = f"{max(two):,.0f} and {max(one):,.0f}; aim 1 ×"
    line("two processes beside one", f"{max(two) / max(one):.2f} ×", beside)


def _cost(bench: Bench, floor: ServedFloor) -> dict[str, float]:
    figures = httpx.get(f"http://127.0.0.1:{floor.metrics_port}/metrics").text
    return {
        "batches": float(re.findall(r"^punto_commit_batch_size_count (\S+)", figures, re.MULTILINE)[0]),
        "server": cpu(floor.pid),
        "database": bench.database_cpu(),
        "wal": bench.ask("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"),
    }


def _bet(urls: list[str], tokens: dict[str, str], connections: int, number: int) -> float:
    """Bets over this many connections, spread over servers: bets a second."""
    keys = next(_keys)

    def row(url: str, n: int) -> Iterator[bytes]:
        command = {"type": "place-bet", "round": 1, "box": n // TABLES + 1, "area": "banker", "amount": 1000}
        path = f"/api/v1/tables/b{n % TABLES}/commands"
        for k in range(number // connections):
            body = {"key": f"{keys}-{k}", "role": "player", "command": command}
            yield request_of(urlsplit(url).netloc, "POST", path, tokens[f"p{n}"], body)

    async def send() -> float:
        begin = time.perf_counter()
        rows = {url: [row(url, n) for n in range(place, connections, len(urls))] for place, url in enumerate(urls)}
        done = await asyncio.gather(*(send_all(url, each) for url, each in rows.items() if each))
        assert all(set(statuses) == {200} for _, statuses in done), done
        return (number // connections) * connections / (time.perf_counter() - begin)

    return asyncio.run(send())


def metrics(bench: Bench) -> None:
    """The same bets with figures being counted, and without: by processor time, which a busy machine changes less."""
    spent: dict[str, list[float]] = {"off": [], "on": []}
    for _ in range(4):
        # A server that only this machine reaches has figures without being asked; one with another host name has none.
        for name, options in (("off", ("--hosts", "floor.example")), ("on", ("--metrics-port", "0"))):
            with ExitStack() as stack:
                floor = bench.serve(stack, *options)
                assert floor is not None
                _bet([floor.url], bench.tokens, PLAYERS, BETS // 10)
                before = cpu(floor.pid)
                _bet([floor.url], bench.tokens, PLAYERS, BETS // 2)
                spent[name].append((cpu(floor.pid) - before) / (BETS // 2))
    off, on = min(spent["off"]), min(spent["on"])
    bench.found["metrics_ratio"] = off / on
    beside = f"aim 0.95 ×; {off * 1e6:,.0f} µs of processor for a bet without, {on * 1e6:,.0f} with"
    line("bets with metrics beside bets without", f"{off / on:.3f} ×", beside)


def pgbench(bench: Bench) -> None:
    """PostgreSQL's own bench on the same server: three statements a transaction, as many clients."""
    name, clients = urlsplit(bench.postgres.new_database()).path[1:], 16
    own = ("-h", str(bench.postgres.folder), "-U", "punto")
    bench.postgres.run("pgbench", "-i", "-q", "-s", "10", *own, name)
    seconds = "5" if SMALL else "15"
    told = bench.postgres.run("pgbench", "-N", "-c", str(clients), "-j", "2", "-T", seconds, *own, name)
    rate = float(re.findall(r"tps = ([\d.]+)", told)[0])
    bench.found["pgbench"] = rate
    beside = ""
    if bench.found.get("points"):
        ours = bench.found["points"][-1]["rate"]
        beside = f"bets over HTTP: {ours / rate:.2f} of them"
        bench.found["bets_over_pgbench"] = ours / rate
    line(f"pgbench -N, {clients} clients, transactions a second", f"{rate:,.0f}", beside)


# ── Taking over ──────────────────────────────────────────────────────────────────────────────────


def takeover(bench: Bench) -> None:
    """A server that deals at many tables is killed: how long each of its tables is without one."""
    tables, kills = (30, 2) if SMALL else (100, 9)
    database, taken = bench.postgres.new_database(), list[float]()
    found_house(database, tables)
    options = ("--pace", "1", "--rate", "1000000")
    with served_house(bench.folder, database, 3, *options) as house, psycopg.connect(database, autocommit=True) as look:

        def holders() -> dict[str, str]:
            return dict(look.execute("SELECT table_id, holder FROM leases").fetchall())

        def is_spread() -> bool:
            shares = Counter(holders().values()).values()
            return len(shares) == 3 and sum(shares) == tables and max(shares) - min(shares) <= 1

        for number in range(kills):
            wait_until(is_spread)
            time.sleep(0.37 * number % 1)  # at another moment of the beat each time
            server = house.servers[number % 3]
            latest = "SELECT name FROM servers WHERE url = %s ORDER BY seen_ms DESC LIMIT 1"
            [[name]] = look.execute(latest, (server.url,)).fetchall()
            server.end()
            began = time.monotonic()
            waiting = {table for table, holder in holders().items() if holder == name}
            while waiting:
                now, passed = holders(), time.monotonic() - began
                free = {table for table in waiting if now.get(table, name) != name}
                waiting -= free
                taken += [passed] * len(free)
                time.sleep(0.01)
            if "--verbose" in sys.argv:
                print(f"  kill {number + 1}: the last of its tables after {taken[-1]:.2f} s", flush=True)
            server.start()
    taken.sort()
    bench.found |= {"takeover_p99": _late(taken), "takeovers": len(taken)}
    beside = f"median {taken[len(taken) // 2]:.1f} s, longest {taken[-1]:.1f} s, {len(taken)} tables in {kills} kills"
    line("take-over after a kill, 99 of 100 within", f"{_late(taken):.1f} s", f"aim 5 s; {beside}")


# ── Fan-out ──────────────────────────────────────────────────────────────────────────────────────

BARE = """
import asyncio, sys
from websockets.asyncio.server import broadcast, serve
lines = set()
async def stay(line):
    lines.add(line)
    await line.recv()
    await line.send('{"type":"ready"}')
    await line.wait_closed()
async def main():
    async with serve(stay, "127.0.0.1", 0, max_queue=None, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        loop = asyncio.get_running_loop()
        while text := await loop.run_in_executor(None, sys.stdin.readline):
            broadcast(lines, '{"type":"event","seq":%d,"event":"%s"}' % (int(text), "x" * 230))
asyncio.run(main())
"""


def fan(bench: Bench) -> None:
    """Events to many watchers: of the process that wrote them, of another one, and a bare broadcast."""
    with ExitStack() as stack:
        floor = bench.serve(stack)
        assert floor is not None
        own = _fan(bench, floor, floor, "frames to watchers of the process that wrote")
        bench.found |= {"frame_seconds": own[1], "own_p99": own[0]}
        second = bench.serve(stack)
        if second is not None:
            bench.found["other_p99"] = _fan(bench, floor, second, "frames to watchers of another process")[0]
    bare = subprocess.Popen([sys.executable, "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert bare.stdin is not None and bare.stdout is not None
    try:
        port, pipe = int(bare.stdout.readline()), bare.stdin

        async def send(seq: int) -> None:
            pipe.write(f"{seq}\n")
            pipe.flush()

        async def hello(_: int) -> tuple[str, bytes]:
            return "/", b"{}"

        times, each = uvloop.run(_watched(f"127.0.0.1:{port}", hello, send, 0, bare.pid))
        bench.found |= {"bare_seconds": each, "frame_over_bare": own[1] / each}
        beside = f"{each * 1e6:.1f} µs of processor for each; ours costs {own[1] / each:.2f} times as much"
        line("a bare websockets broadcast, 99 of 100 within", f"{_late(times) * 1000:.0f} ms", beside)
    finally:
        bare.stdin.close()
        bare.kill()
        bare.wait()


def pages(bench: Bench) -> None:
    """The same to pages, which want a view after every few events, each with their own balance in it."""
    with ExitStack() as stack:
        floor, second = bench.serve(stack), bench.serve(stack)
        if floor is not None and second is not None:
            bench.found["pages_p99"] = _fan(bench, floor, second, "frames to pages at another process", is_page=True)[0]


def _fan(
    bench: Bench, writes: ServedFloor, shows: ServedFloor, what: str, *, is_page: bool = False
) -> tuple[float, float]:
    """Events to watchers; pages also want views after them, and have what is large packed."""
    headers = [{"authorization": f"Bearer {token}"} for token in bench.tokens.values()]
    with httpx.Client(base_url=f"{shows.url}/api/v1", timeout=60) as client:
        version = int(client.get("/tables/b0", headers=headers[0]).json()["version"])
    keys, writer = next(_keys), httpx.AsyncClient(base_url=f"{writes.url}/api/v1", timeout=60)

    async def send(seq: int) -> None:
        command = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 1000}
        body = {"key": f"{keys}-{seq}", "role": "player", "command": command}
        answer = await writer.post("/tables/b0/commands", json=body, headers=headers[0])
        assert answer.status_code == 200, answer.text

    asking = httpx.AsyncClient(base_url=f"{shows.url}/api/v1", timeout=60)

    async def hello(n: int) -> tuple[str, bytes]:
        ticket = (await asking.post("/tickets", headers=headers[1 + n % (PLAYERS - 1)])).json()["ticket"]
        wants = json.dumps({"type": "hello", "ticket": ticket, "after": version, "views": is_page})
        return "/api/v1/tables/b0/stream", wants.encode()

    times, each = uvloop.run(_watched(urlsplit(shows.url).netloc, hello, send, version, shows.pid, is_page))
    middle = times[len(times) // 2] * 1000
    beside = f"median {middle:.0f} ms, {each * 1e6:.1f} µs of processor for each of {len(times):,}"
    line(f"{what}, 99 of 100 within", f"{_late(times) * 1000:.0f} ms", f"aim 250 ms; {beside}")
    return _late(times), each


def _late(times: list[float]) -> float:
    return times[int(len(times) * 0.99)]


async def _watched(
    place: str, hello: Callable[..., object], send: Callable[..., object], last: int, pid: int, is_page: bool = False
) -> tuple[list[float], float]:
    """An event every tenth of a second to all watchers: how long each took to reach each, sorted; and the processor
    time of the process for each frame.
    """
    host, port = place.split(":")
    sent, times, loop = dict[int, float](), list[float](), asyncio.get_running_loop()

    def came(seq: int) -> None:
        if seq in sent:
            times.append(time.perf_counter() - sent[seq])

    watchers = []
    for n in range(WATCHERS):
        path, greeting = await hello(n)  # type: ignore[misc]
        watching = Watching(place, path, greeting, came, loop.create_future(), is_page)
        await loop.create_connection(partial(_itself, watching), host, int(port))
        watchers.append(watching)
    await asyncio.gather(*(asyncio.wait_for(each.is_ready, 60) for each in watchers))
    begin, before, own = loop.time(), cpu(pid), time.process_time()
    for number in range(1, EVENTS + 1):
        await asyncio.sleep(max(0, begin + number / 10 - loop.time()))
        sent[last + number] = time.perf_counter()
        await send(last + number)  # type: ignore[misc]
    async with asyncio.timeout(120):
        while len(times) < WATCHERS * EVENTS:
            await asyncio.sleep(0.05)
    spent = cpu(pid) - before
    if "--verbose" in sys.argv:
        print(f"  the load itself: {(time.process_time() - own) / len(times) * 1e6:.1f} µs of processor a frame")
    return sorted(times), spent / len(times)


def _itself(watching: Watching) -> Watching:
    return watching


if __name__ == "__main__":
    main()
