"""People who watch without an account: what one of them costs the server, and how long a frame takes to reach all.

Guests of one table are told the same frames at the same beats, so what grows with them is the sending alone: the
processor time of one frame to one guest has to stay what it is, however many they are. So have the memory of one
guest and the processor time of what is worked out once. Guests of the lobby ask every three seconds instead.

    python bench/bench_guests.py              2,000 guests, then 4,000
    python bench/bench_guests.py --small      200, then 400

Guests come from many addresses of the loopback device, because one address may have 200 streams.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx

from bench.bench_server import _cpu, line
from bench.load_generator import Asking, Watching, request_of
from punto.floor.house_rules import change_rules
from punto.refusal import Refusal
from punto.store.store import open_store
from tests.server.served import ServedFloor

SMALL = "--small" in sys.argv
GUESTS = (200, 400) if SMALL else (2_000, 4_000)
OF_ADDRESS = 150
SECONDS = 5 if SMALL else 20
ASKED, A_SECOND, CONNECTIONS = (800 if SMALL else 4_000), 400, 40


class Crowd:
    """The guests of a table, and what they were sent."""

    def __init__(self, url: str, table: str) -> None:
        self.address, self.path = urlsplit(url), f"/api/v1/watch/tables/{table}/stream"
        self.watching: list[Watching] = []
        self.frames = self.bytes = 0
        self.waits: list[float] = []
        self._first, self._came = 0.0, 0

    def _hear(self, size: int) -> None:
        """A frame came to one of them; those that come to all of them at once are one frame of the server."""
        self.frames += 1
        self.bytes += size
        now = time.perf_counter()
        if self._came == 0:
            self._first = now
        self._came += 1
        if self._came == len(self.watching):
            self.waits.append(now - self._first)
            self._came = 0

    async def grow(self, number: int) -> None:
        """So many guests, each with the table before it when this ends; some come at the same time."""
        loop = asyncio.get_running_loop()
        while len(self.watching) < number:
            new = list[Watching]()
            for _ in range(min(100, number - len(self.watching))):
                place = len(self.watching) + len(new)
                guest = Watching(self.address.netloc, self.path, None, self._hear, loop.create_future())
                made = partial(_itself, guest)
                await loop.create_connection(
                    made, str(self.address.hostname), int(self.address.port or 80), local_addr=(_address(place), 0)
                )
                new.append(guest)
            await asyncio.gather(*(asyncio.wait_for(guest.is_ready, 60) for guest in new))
            self.watching += new
        await asyncio.sleep(1)
        self.frames = self.bytes = self._came = 0
        self.waits.clear()


def _itself(guest: Watching) -> Watching:
    return guest


async def watched(floor: ServedFloor, table: str) -> None:
    """Processor time without guests, and then with more and more of them."""
    crowd = Crowd(floor.url, table)
    await crowd.grow(1)
    await asyncio.sleep(SECONDS)
    before = _cpu(floor.pid)
    await asyncio.sleep(SECONDS)
    alone = (_cpu(floor.pid) - before) / SECONDS
    line("one guest: the server's processor", f"{alone * 100:.1f} %", "–", is_met=True)
    memory, costs = _resident(floor.pid), list[float]()
    for number in GUESTS:
        await crowd.grow(number)
        before, frames = _cpu(floor.pid), crowd.frames
        begin = time.perf_counter()
        await asyncio.sleep(SECONDS)
        took = time.perf_counter() - begin
        spent, sent = _cpu(floor.pid) - before, crowd.frames - frames
        each = (spent - alone * took) / sent * 1e6
        costs.append(each)
        late = sorted(crowd.waits)[int(len(crowd.waits) * 0.99)] * 1000
        beside = (
            f"{sent / took:,.0f} frames a second ({sent / took / number:.1f} to each), "
            f"{spent / took * 100:.0f} % of a core; first to last guest {late:.0f} ms in 99 of 100"
        )
        line(f"{number:,} guests: a frame to one of them", f"{each:.1f} µs", "25 µs", is_met=each < 25, beside=beside)
        kilobytes = (_resident(floor.pid) - memory) / number
        line(f"{number:,} guests: memory of one", f"{kilobytes:.0f} kB", "100 kB", is_met=kilobytes < 100)
    ratio = costs[-1] / costs[0]
    line("twice as many: a frame costs", f"{ratio:.2f} ×", "1.2 ×", is_met=ratio < 1.2)


async def asked(floor: ServedFloor) -> None:
    """What one look of the lobby costs. All guests of a server together may ask 500 times a second."""
    host = urlsplit(floor.url).netloc
    asking = request_of(host, "GET", "/api/v1/watch/tables", None)
    connections = [await Asking.at(floor.url, _address(n * OF_ADDRESS)) for n in range(CONNECTIONS)]
    before, times, statuses = _cpu(floor.pid), list[float](), Counter[int]()
    begin = time.perf_counter()
    for number in range(ASKED):
        await asyncio.sleep(max(0, begin + number / A_SECOND - time.perf_counter()))
        status, seconds = await connections[number % CONNECTIONS].ask(asking)
        statuses[status] += 1
        times.append(seconds)
    each = (_cpu(floor.pid) - before) / ASKED * 1e6
    late = sorted(times)[int(len(times) * 0.99)] * 1000
    beside = (
        f"with the play of the tables in it; 99 of 100 within {late:.0f} ms; answered {statuses[200]:,} of {ASKED:,}"
    )
    line(f"{A_SECOND} looks of the lobby a second, each", f"{each:.0f} µs", "500 µs", is_met=each < 500, beside=beside)


def _address(place: int) -> str:
    """Which address of the loopback device this guest comes from."""
    return f"127.0.{1 + place // OF_ADDRESS // 250}.{1 + place // OF_ADDRESS % 250}"


def _resident(pid: int) -> int:
    """Kilobytes of memory that a process has now."""
    for row in Path(f"/proc/{pid}/status").read_text().splitlines():
        if row.startswith("VmRSS"):
            return int(row.split()[1])
    raise AssertionError("the kernel says how much memory a process has")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        floor = ServedFloor(Path(folder), "--pace", "0.5", "--bets", "2", "--rate", "1000000")
        floor.start()
        floor.stop()
        with open_store(str(floor.database)) as store:
            changed = change_rules(store, {"watch_delay_seconds": 0}, "house", time.time_ns() // 1_000_000, "bench")
            assert not isinstance(changed, Refusal), changed
        with floor:
            tables = httpx.get(f"{floor.url}/api/v1/watch/tables").json()["tables"]
            table = next(one["table"] for one in tables if one["table"] != "by-hand")  # where the house deals
            asyncio.run(watched(floor, table))
            asyncio.run(asked(floor))


if __name__ == "__main__":
    main()
