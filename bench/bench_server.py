"""How much a served floor carries: bets over HTTP, watchers of one table, tables in memory, cold start.

The aims, on two cores with the load on the same machine: 6,000 accepted durable bets a second (one process,
SQLite, 50 tables, 200 kept-alive connections); 1,000 watchers on one table at 10 events a second, 150 ms for
99 of 100 of what they are sent; 200 automatic tables in 400 MB; `punto serve` answers within 2 seconds.
A bet of a player who has limits costs at most 10 % more than one of a player who has none.
While one account asks for the dearest things as often as it may, 99 of 100 bets and reads of the others take
less than 100 ms. Baselines, measured in the same run: the same bets given to a floor without a server, the
same number of bare requests, a process that only imports the web server, the same people without the greedy
one.

    python bench/bench_server.py              everything
    python bench/bench_server.py --small      a tenth of it
    python bench/bench_server.py bets         a part of it: start, bets, limits, greedy or memory
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx

from bench.load_generator import Asking, Watching, request_of, send_all
from bench.prepared_floor import make_administrator, make_auditor, now, play_rounds, prepare
from punto import books
from punto.dealer.bot import BOTS
from punto.floor.answers import Guardian, Limit, PlayMeasure, PlayPeriod
from punto.floor.automatic_tables import House
from punto.floor.floor import DealtBy, Floor, TableRun
from punto.floor.protection import Protections
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.store import open_store
from punto.table import default_terms
from punto.table.betting import PlaceBet
from punto.table.house import OpenTable
from tests.server.served import ServedFloor

SMALL = "--small" in sys.argv
TABLES, CONNECTIONS = 50, 200
BETS = 2_000 if SMALL else 20_000
WATCHERS, EVENTS = (300, 40) if SMALL else (1_000, 150)
AUTOMATIC = 20 if SMALL else 200


def main() -> None:
    parts = {"start": start_up, "bets": bets_and_watchers, "limits": limits, "greedy": greedy, "memory": memory}
    for name in [name for name in parts if name in sys.argv] or parts:
        with tempfile.TemporaryDirectory() as folder:
            parts[name](Path(folder))


def line(what: str, value: str, aim: str, *, is_met: bool, beside: str = "") -> None:
    told = "" if is_met else "   MISSES THE AIM"
    print(f"{what:<44} {value:>14}   aim {aim:<10} {beside}{told}")


# ── Cold start ───────────────────────────────────────────────────────────────────────────────────


def start_up(folder: Path) -> None:
    floor, times = ServedFloor(folder), []
    for _ in range(4):
        begin = time.perf_counter()
        floor.start()
        assert httpx.get(f"{floor.url}/health").status_code == 200
        times.append(time.perf_counter() - begin)
        floor.stop()
    bare = min(_timed([sys.executable, "-c", "import uvicorn, httptools, websockets, msgspec"]) for _ in range(3))
    first, best = times[0], min(times[1:])
    beside = f"{best / bare:.1f} × importing uvicorn and what it reads with; the very first start {first:.2f} s"
    line("cold start, until it answers", f"{best:.2f} s", "2 s", is_met=best < 2, beside=beside)


def _timed(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begin


# ── Bets and watchers ────────────────────────────────────────────────────────────────────────────


def bets_and_watchers(folder: Path) -> None:
    tokens = prepare(folder / "house.db", TABLES, CONNECTIONS)
    alone = _without_server(folder / "house.db")
    options = ("--rate", "1000000", "--no-demonstration")
    make_administrator(folder / "house.db")
    with ServedFloor(folder, *options) as floor:
        before = _cpu(floor.pid)
        rate, statuses = asyncio.run(_bets(floor.url, tokens))
        spent = _cpu(floor.pid) - before
        bare = asyncio.run(_bare(floor.url, tokens))
        accepted = statuses.get(200, 0)
        assert accepted == BETS, (statuses, (folder / "serve.log").read_text()[-3000:])
        beside = (
            f"{BETS / spent:,.0f} per second of the server's processor time; "
            f"{rate / alone:.2f} of a floor without a server, {rate / bare:.2f} of bare requests"
        )
        line("durable bets a second over HTTP", f"{rate:,.0f}", "6,000", is_met=rate >= 6_000, beside=beside)
        before = _cpu(floor.pid)
        times = asyncio.run(_watch(floor.url, tokens))
        each = (_cpu(floor.pid) - before) / len(times) * 1e6
        times.sort()
        middle, late = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.99))
        beside = f"median {middle:.0f} ms; {each:.0f} µs of the server's processor time for each of {len(times):,}"
        what = f"{WATCHERS:,} watchers, 99 of 100 within"
        line(what, f"{late:.0f} ms", "150 ms", is_met=late < 150, beside=beside)


def _without_server(database: Path) -> float:
    """The same kind of bets straight to a floor, as many at once: bets a second."""
    number = BETS // 4
    with open_store(str(database)) as store, Floor(store) as floor:
        begin = time.perf_counter()
        for first in range(0, number, CONNECTIONS):
            waiting = [
                floor.submit(
                    f"b{n % TABLES}",
                    PlaceBet(
                        actor=f"p{n}",
                        role=Role.PLAYER,
                        key=f"alone-{first + n}",
                        box=n // TABLES + 1,
                        area="banker",
                        amount=1000,
                        round=1,
                    ),
                )
                for n in range(CONNECTIONS)
            ]
            assert not any(isinstance(future.result(), Refusal) for future in waiting)
        return number / (time.perf_counter() - begin)


def _bet(host: str, tokens: dict[str, str], n: int, key: str) -> bytes:
    command = {"type": "place-bet", "round": 1, "box": n // TABLES + 1, "area": "banker", "amount": 1000}
    path, body = f"/api/v1/tables/b{n % TABLES}/commands", {"key": key, "role": "player", "command": command}
    return request_of(host, "POST", path, tokens[f"p{n}"], body)


async def _bets(url: str, tokens: dict[str, str], keys: str = "k") -> tuple[float, dict[int, int]]:
    host = urlsplit(url).netloc

    def row(n: int) -> Iterator[bytes]:
        for number in range(BETS // CONNECTIONS):
            yield _bet(host, tokens, n, f"{keys}{number}")

    seconds, statuses = await send_all(url, [row(n) for n in range(CONNECTIONS)])
    return BETS / seconds, statuses


async def _bare(url: str, tokens: dict[str, str]) -> float:
    """Requests that ask for nothing, over as many connections: requests a second."""
    host = urlsplit(url).netloc
    asking = [request_of(host, "GET", "/api/v1/sessions/current", token) for token in tokens.values()]
    rows = [iter([each] * (BETS // CONNECTIONS // 2)) for each in asking]
    seconds, statuses = await send_all(url, rows)
    return sum(statuses.values()) / seconds


async def _watch(url: str, tokens: dict[str, str]) -> list[float]:
    """Watchers of one table, an event every tenth of a second: how long each took to reach each of them."""
    address, loop = urlsplit(url), asyncio.get_running_loop()
    host, port = str(address.hostname), int(address.port or 80)
    sent: dict[int, float] = {}
    times: list[float] = []

    def came(seq: int) -> None:
        if seq in sent:
            times.append(time.perf_counter() - sent[seq])

    names = list(tokens)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60) as client:
        shown = await client.get("/tables/b0", headers=_bearer(tokens["p0"]))
        version = shown.json()["version"]
        watchers = []
        for n in range(WATCHERS):
            # Most of them have nothing to do with the table, as at a display that many look at.
            token = tokens[names[1 + n % (CONNECTIONS - 1)]]
            ticket = (await client.post("/tickets", headers=_bearer(token))).json()["ticket"]
            hello = f'{{"type":"hello","ticket":"{ticket}","after":{version}}}'.encode()
            path = "/api/v1/tables/b0/stream"
            watching = Watching(address.netloc, path, hello, came, loop.create_future())
            await loop.create_connection(partial(_itself, watching), host, port)
            watchers.append(watching)
        await asyncio.gather(*(asyncio.wait_for(watching.is_ready, 60) for watching in watchers))
        begin = loop.time()
        for number in range(EVENTS):
            await asyncio.sleep(max(0, begin + number / 10 - loop.time()))
            sent[version + number + 1] = time.perf_counter()
            command = {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 1000}
            body = {"key": f"w{number}", "role": "player", "command": command}
            answer = await client.post("/tables/b0/commands", json=body, headers=_bearer(tokens["p0"]))
            assert answer.status_code == 200, answer.text
        async with asyncio.timeout(60):
            while len(times) < WATCHERS * EVENTS:
                await asyncio.sleep(0.05)
    return times


def _itself(watching: Watching) -> Watching:
    return watching


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


# ── Bets under limits ────────────────────────────────────────────────────────────────────────────

TURNS = 8  # How often bets without limits and bets with them follow each other.
AGREED = tuple(
    Limit(what, period, 10**14)
    for what in (PlayMeasure.STAKE, PlayMeasure.LOSS)
    for period in (PlayPeriod.SESSION, PlayPeriod.DAY, PlayPeriod.WEEK, PlayPeriod.MONTH)
)


def limits(folder: Path) -> None:
    """The same bets to two floors in turn: at one of them everybody has eight limits."""
    floors, tokens = [], []
    for name in ("without", "with"):
        (folder / name).mkdir()
        tokens.append(prepare(folder / name / "house.db", TABLES, CONNECTIONS))
        make_administrator(folder / name / "house.db")
        floors.append(ServedFloor(folder / name, "--rate", "1000000", "--no-demonstration"))
    with open_store(str(folder / "with" / "house.db")) as store:
        for player in tokens[1]:
            kept = Protections(store, now).set_limits(player, AGREED, player, Guardian.PLAYER)
            assert not isinstance(kept, Refusal)
    with floors[0] as without, floors[1] as limited:
        spent: tuple[list[float], list[float]] = ([], [])
        took: tuple[list[float], list[float]] = ([], [])
        for turn in range(TURNS + 1):
            for place in (0, 1) if turn % 2 else (1, 0):
                floor = (without, limited)[place]
                before = _cpu(floor.pid)
                rate, statuses = asyncio.run(_bets(floor.url, tokens[place], f"turn{turn}-"))
                assert statuses == {200: BETS}, statuses
                if turn:  # the first bets load everything
                    spent[place].append((_cpu(floor.pid) - before) / BETS * 1e6)
                    took[place].append(1e6 / rate)
    ratios = sorted(b / a for a, b in zip(*spent, strict=True))
    ratio = ratios[len(ratios) // 2]
    without_us, with_us = (sorted(each)[len(each) // 2] for each in spent)
    wall = [sorted(each)[len(each) // 2] for each in took]
    beside = (
        f"{with_us:.0f} µs of the server's processor time for a bet against {without_us:.0f}; "
        f"{wall[1]:.0f} µs of time against {wall[0]:.0f}"
    )
    line("a bet under eight limits", f"{ratio:.2f} ×", "1.10 ×", is_met=ratio <= 1.10, beside=beside)


# ── One greedy account ───────────────────────────────────────────────────────────────────────────

DEAR: dict[str, tuple[str, str, object]] = {
    "exact odds": ("GET", "odds?shoe=live", None),
    "advice": ("POST", "advice", {"cards": ["KS", "2H"]}),
    "200 rounds of history": ("GET", "history?limit=200", None),
    "1,000 events": ("GET", "events?limit=1000&after={after}", None),
    "statistics": ("GET", "statistics", None),
    "cases": ("GET", "cases", None),
    "the list of tables": ("GET", "", None),
    "verification": ("POST", "verify", {}),
}
"""What one account asks for, as often as it may."""


def greedy(folder: Path) -> None:
    """Bets and reads of six others, alone and beside an account that asks for one thing after the other."""
    tokens = prepare(folder / "house.db", 4, 8)
    play_rounds(folder / "house.db", "long", 40 if SMALL else 400)
    make_auditor(folder / "house.db", "p0")
    make_administrator(folder / "house.db")
    with ServedFloor(folder, "--no-demonstration") as floor:
        asyncio.run(_others(floor.url, tokens, None))  # everything is loaded once
        alone = asyncio.run(_others(floor.url, tokens, None))
        for what in DEAR:
            beside = asyncio.run(_others(floor.url, tokens, what))
            late, told = _late(beside), f"alone {_late(alone):.0f} ms, {_late(beside) / _late(alone):.1f} ×"
            line(f"others, beside {what}", f"{late:.0f} ms", "100 ms", is_met=late < 100, beside=told)


def _late(times: list[float]) -> float:
    """What 99 of 100 take less than, in milliseconds."""
    return sorted(times)[int(len(times) * 0.99)] * 1000


async def _others(url: str, tokens: dict[str, str], what: str | None) -> list[float]:
    """How long bets and reads of six people take, beside whoever asks for something dear."""
    times, end = list[float](), time.perf_counter() + (3 if SMALL else 10)
    host = urlsplit(url).netloc

    async def honest(n: int) -> None:
        connection, number = await Asking.at(url), 0
        path, token = f"/api/v1/tables/b{n % 4}", tokens[f"p{n}"]
        while time.perf_counter() < end:
            number += 1
            command = {"type": "place-bet", "round": 1, "box": n // 4 + 1, "area": "banker", "amount": 1000}
            bet = {"key": f"{what}{end}{number}", "role": "player", "command": command}
            for request in (
                request_of(host, "POST", f"{path}/commands", token, bet),
                request_of(host, "GET", path, token),
            ):
                status, seconds = await connection.ask(request)
                assert status == 200, status
                times.append(seconds)
                await asyncio.sleep(0.05)

    async def dear(name: str) -> None:
        method, path, body = DEAR[name]
        connection, number = await Asking.at(url), 0
        while time.perf_counter() < end:
            number += 1
            where = f"/tables/long/{path.format(after=number % 50)}" if path else "/tables"
            where = "/audit/verify" if path == "verify" else where
            status, _ = await connection.ask(request_of(host, method, f"/api/v1{where}", tokens["p0"], body))
            await asyncio.sleep(1 if status == 429 else 0.01)

    asking = [asyncio.create_task(dear(what)) for _ in range(10 if what is not None else 0) if what]
    await asyncio.gather(*(honest(n) for n in range(1, 7)))
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    return times


# ── Memory ───────────────────────────────────────────────────────────────────────────────────────


def memory(folder: Path) -> None:
    """Automatic tables with bots, dealing for a while: the most memory that the process had."""
    floor = ServedFloor(folder, "--pace", "0.1")
    floor.start()  # hashes the passwords that it draws, which takes more memory than tables
    floor.stop()
    floor.start()
    few = _peak(floor.pid)
    floor.stop()
    with open_store(str(floor.database)) as store, Floor(store) as opened:
        house = House(opened, now)
        for n in range(AUTOMATIC):
            book = books.load(books.NAMES[n % len(books.NAMES)])
            opening = OpenTable(actor="house", role=Role.SHIFT_MANAGER, terms=default_terms(book))
            assert not isinstance(opened.open_table(f"m{n}", book, opening), Refusal)
            run = TableRun(DealtBy.AUTOMATIC, bots=tuple(BOTS)[:3])
            assert house.run_table(f"m{n}", run) is None
    floor.start()
    time.sleep(5 if SMALL else 30)
    peak = _peak(floor.pid)
    floor.stop()
    with open_store(str(floor.database)) as store, store.read() as reader:
        events = sum(stored.version for stored in reader.tables())
    beside = f"{few:.0f} MB with 5 tables; {events:,} events in that time"
    line(f"{AUTOMATIC} automatic tables", f"{peak:.0f} MB", "400 MB", is_met=peak < 400, beside=beside)


def _cpu(pid: int) -> float:
    """Seconds of processor time that a process has had."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    for row in Path(f"/proc/{pid}/status").read_text().splitlines():
        if row.startswith("VmHWM"):
            return int(row.split()[1]) / 1024
    raise AssertionError("the kernel says how much memory a process had")


if __name__ == "__main__":
    main()
