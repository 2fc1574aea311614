"""A model of how far a floor goes, from what one bet and one frame cost; docs/internals/scale.md tells of both.

    python bench/scale_model.py                          what 1,000 tables, 100,000 players and 1,000,000 watchers need
    python bench/scale_model.py --draw docs/internals     the curves, as SVG
    python bench/scale_model.py --costs FILE             with other figures of bench_scale.py --json

Bets wait for each other at one place: the thread of a process that commits. While it commits one batch the next one
gathers. A batch costs something whatever is in it (`fixed`: the transaction, the commit) and something for each bet
(`each`). So the cost of a bet falls as the load rises, from `fixed + each` towards `each`. `simulated` lets clients
bet at such a process, event by event. Frames cost processor time alone: nobody waits for them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Point:
    """What was measured with so many clients that each wait for their answer."""

    clients: int
    rate: float  # Bets a second.
    batch: float  # Bets in one batch, in the mean.
    server: float  # Processor seconds of the server for one bet.
    database: float  # The same of the database.
    wal: float  # Bytes of the database's log for one bet.


@dataclass(frozen=True)
class Line:
    """A cost of a batch, and of each bet in it."""

    fixed: float
    each: float

    def __call__(self, batch: float) -> float:
        """Of one bet, in batches of this size."""
        return self.each + self.fixed / batch


@dataclass(frozen=True)
class Costs:
    server: Line
    database: Line
    wal: Line
    frame: float = 0.0  # Processor seconds of a server for one frame to one watcher.

    @property
    def most(self) -> float:
        """Bets a second of one process with a core of its own, however many wait."""
        return 1 / self.server.each


def fitted(points: Sequence[Point], frame: float = 0.0) -> Costs:
    """The costs that lie nearest to what was measured, by least squares over one part in the size of a batch.

    >>> points = [Point(1, 0, 1, 5.0, 1, 1), Point(9, 0, 2, 4.0, 1, 1)]
    >>> fitted(points).server
    Line(fixed=2.0, each=3.0)
    """

    def line(values: Sequence[float]) -> Line:
        parts = [1 / point.batch for point in points]
        mean_part, mean_value = sum(parts) / len(parts), sum(values) / len(values)
        spread = sum((part - mean_part) ** 2 for part in parts)
        fixed = sum((p - mean_part) * (v - mean_value) for p, v in zip(parts, values, strict=True)) / spread
        return Line(fixed, mean_value - fixed * mean_part)

    server, database, wal = ([getattr(p, name) for p in points] for name in ("server", "database", "wal"))
    return Costs(line(server), line(database), line(wal), frame)


def simulated(
    cost: Line, clients: int, think_s: float, bets: int = 20_000, seed: int = 1
) -> tuple[float, float, float]:
    """Clients that bet, wait for the answer and think for a while: bets a second, bets in a batch, and the time within
    which 99 of 100 bets were answered.
    """
    random = Random(seed)
    coming = [random.expovariate(1 / think_s) for _ in range(clients)]
    heapify(coming)
    now, batches, waits = 0.0, 0, list[float]()
    while len(waits) < bets:
        now = max(now, coming[0])
        batch = list[float]()
        while coming and coming[0] <= now:
            batch.append(heappop(coming))
        now += cost.fixed + len(batch) * cost.each
        batches += 1
        for came in batch:
            waits.append(now - came)
            heappush(coming, now + random.expovariate(1 / think_s))
    waits.sort()
    return len(waits) / now, len(waits) / batches, waits[int(len(waits) * 0.99)]


def batch_at(cost: Line, rate: float) -> float:
    """Bets in a batch of a process that has so many a second: what comes while one batch is carried out.

    >>> batch_at(Line(0.004, 0.0005), 1000)
    8.0
    """
    assert rate * cost.each < 1, "one process can do no more"
    return max(1.0, rate * cost.fixed / (1 - rate * cost.each))


AT_ONCE_S = 1e-9  # Clients that send the next bet as soon as they have an answer, as those that were measured do.
USED = 0.7  # The part of a core that is used where a house is planned.
FILE = Path(__file__).with_name("scale_costs.json")


def measured(file: Path = FILE) -> tuple[Costs, list[Point]]:
    """The costs that bench_scale.py found, and its points."""
    found = json.loads(file.read_text(encoding="utf-8"))
    points = [Point(**each) for each in found["points"]]
    return fitted(points, found["frame_seconds"]), points


@dataclass(frozen=True)
class House:
    """A floor as its players use it."""

    tables: int
    players: int
    watchers: int
    round_s: float = 45.0  # From call to call.
    bets: float = 2.0  # Bets of one player in a round.
    events: float = 12.0  # Events of a round beside its bets: calls, cards, settlement.

    @property
    def bets_a_second(self) -> float:
        return self.players * self.bets / self.round_s

    @property
    def events_a_second(self) -> float:
        return self.bets_a_second + self.tables * self.events / self.round_s

    @property
    def frames_a_second(self) -> float:
        """Every watcher of a table is told of each of its events; players watch too."""
        each = self.events_a_second / self.tables
        return (self.watchers + self.players) * each


HOUSES = {
    "a club": House(20, 200, 500),
    "1,000 tables": House(1_000, 10_000, 20_000),
    "100,000 players": House(10_000, 100_000, 100_000),
    "1,000,000 watchers": House(10_000, 100_000, 1_000_000),
}


def needs(costs: Costs, houses: Mapping[str, House] = HOUSES) -> list[dict[str, object]]:
    """What each house needs, one row each, with every core used to `USED`."""
    rows: list[dict[str, object]] = []
    for name, house in houses.items():
        bets, frames = house.bets_a_second, house.frames_a_second
        processes = max(2, -(-int(bets) // int(costs.most * USED)))  # two, so that one may go
        batch = batch_at(costs.server, bets / processes)
        rows.append(
            {
                "house": name,
                "bets a second": round(bets),
                "frames a second": round(frames),
                "processes": processes,
                "bets in a batch": round(batch, 1),
                "cores for bets": round(bets * costs.server(batch) / USED, 1),
                "cores of the database": round(bets * costs.database(batch) / USED, 1),
                "log, MB a second": round(bets * costs.wal(batch) / 1e6, 2),
                "cores for frames": round(frames * costs.frame / USED, 1),
            }
        )
    return rows


def draw(costs: Costs, points: Sequence[Point], folder: Path) -> None:
    """The curves, with the points that were measured."""
    from punto.reports.charts import BRASS, INK, drawn

    sizes = [1, 2, 4, 8, 16, 32, 64, 128]
    with drawn(7, 3, 2, 2) as canvas:
        left, right = canvas.axes[:2]
        for name, style in (("server", "-"), ("database", "--")):
            cost: Line = getattr(costs, name)
            left.plot(sizes, [cost(n) * 1e6 for n in sizes], style, color=BRASS, linewidth=1.4, label=name)
            found = [getattr(point, name) * 1e6 for point in points]
            left.plot([point.batch for point in points], found, "o", color=INK, markersize=3.5)
        left.set_xscale("log")
        left.legend(fontsize=7, frameon=False)
        left.set_title("µs of processor for a bet, by bets in a batch", fontsize=8.5, loc="left", color=INK)
        watchers = [1_000, 10_000, 100_000, 1_000_000]
        for house, style in ((House(1_000, 10_000, 0), "-"), (House(10_000, 100_000, 0), "--")):
            cores = [replace(house, watchers=n).frames_a_second * costs.frame / USED for n in watchers]
            right.plot(watchers, cores, style, color=BRASS, linewidth=1.4, label=f"{house.players:,} players")
        right.set_xscale("log")
        right.set_yscale("log")
        right.legend(fontsize=7, frameon=False)
        right.set_title("cores for frames, by watchers", fontsize=8.5, loc="left", color=INK)
    (folder / "scale.svg").write_text(canvas.svg + "\n", encoding="utf-8")


def main() -> None:
    words = sys.argv[1:]
    costs, points = measured(Path(words[words.index("--costs") + 1]) if "--costs" in words else FILE)
    for name in ("server", "database"):
        cost: Line = getattr(costs, name)
        print(f"{name}: {cost.fixed * 1e6:,.0f} µs for a batch and {cost.each * 1e6:,.0f} µs for each bet in it")
    print(f"log: {costs.wal.fixed:,.0f} bytes for a batch and {costs.wal.each:,.0f} for each bet")
    print(f"frame: {costs.frame * 1e6:.1f} µs")
    for point in points:
        _, batch, late = simulated(costs.server, point.clients, AT_ONCE_S)
        print(
            f"{point.clients:>5} clients: {point.server * 1e6:,.0f} µs for a bet measured, "
            f"{costs.server(point.batch) * 1e6:,.0f} by the model; {point.batch:.1f} in a batch measured, "
            f"{batch:.1f} simulated on a core of its own, 99 of 100 within {late * 1000:.0f} ms"
        )
    for row in needs(costs):
        told = (f"{name} {value:,}" if isinstance(value, int | float) else str(value) for name, value in row.items())
        print(", ".join(told))
    if "--draw" in words:
        draw(costs, points, Path(words[words.index("--draw") + 1]))


if __name__ == "__main__":
    main()
