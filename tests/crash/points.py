"""Every crash point: a worker carries out one command, and is killed or meets an error at any writing call.

The moments are a bet, the close of bets, a settlement and a void, and the closing of a database. After each
the house must hold every answer, and sending again what was not answered must come to the same end.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from punto.floor.job import Job
from punto.store.store import open_store
from tests.crash.checking import check
from tests.crash.house import due, floor_of, found
from tests.crash.journal import Journal, Known
from tests.crash.tracing import Point, disturb, writing_calls
from tests.crash.worker import LOST, give, work

TABLE = "t1"
MOMENTS = {"bet": "place-bet", "close": "close-bets", "settle": "settle-round", "void": "void-round"}
CLOSING = "closing"
"""The database is closed after a worker left it open: the log goes into the file."""
KILL = "signal=KILL"
KILLED = -9


@dataclass(frozen=True)
class Moment:
    """A house just before a command."""

    name: str
    folder: Path
    points: tuple[Point, ...] = ()
    """The writing calls of the command, where nothing goes wrong."""

    @property
    def steps(self) -> str:
        return "0" if self.name == CLOSING else "1"


def moments(folder: Path, names: tuple[str, ...] = (*MOMENTS, CLOSING)) -> Iterator[Moment]:
    """Play a house from moment to moment, keeping a copy of it at each."""
    address, journal = str(folder / "house.db"), Journal(folder / "journal")
    found(address, (TABLE,))
    wanted = [name for name in names if name != CLOSING]
    while wanted:
        with open_store(address) as store, floor_of(store) as floor:
            loaded = floor.table(TABLE)
            assert loaded is not None
            jobs = due(loaded)
        # A copy is taken while nobody has the database open, so it is the file alone.
        for name in [name for name in wanted if jobs[0].command.name() == MOMENTS[name]]:
            wanted.remove(name)
            yield _kept(folder, name)
        with open_store(address) as store, floor_of(store) as floor:
            assert not give(floor, journal, jobs)
    if CLOSING in names:
        yield _kept(folder, CLOSING)


def _kept(folder: Path, name: str) -> Moment:
    kept = folder / name
    kept.mkdir()
    shutil.copy(folder / "house.db", kept)
    shutil.copy(folder / "journal", kept)
    moment = Moment(name, kept)
    place = _placed(moment, folder / "counting")
    points = tuple(writing_calls(folder, (*place, moment.steps, "alone")))
    shutil.rmtree(folder / "counting")
    return Moment(name, kept, points)


def strike_at(moment: Moment, folder: Path, fault: str, point: Point) -> Counter[str]:
    """Let a worker meet a fault at a writing call; check what is left, send again, and check again."""
    place = _placed(moment, folder)
    tries = "tries=1" if fault == KILL else "tries=3"
    ended = disturb(fault, point, (*place, moment.steps, "alone", tries))
    known = Known()
    known.read(folder / "journal")
    # Whoever is to be killed at a call is killed there: every point is reached.
    assert ended.status in ((KILLED,) if fault == KILL else (0, LOST)), f"{ended.status}: {ended.stderr}"
    counts = Counter(
        {"points": 1, "killed": ended.status == KILLED, "gave up": ended.status == LOST, "errors told": known.failures}
    )
    address = str(folder / "house.db")
    check(address, known)
    waiting: list[Job] = known.unanswered
    counts["answered"] += moment.steps == "1" and not waiting
    work(address, folder / "journal", waiting, steps=6)
    known.read(folder / "journal")
    assert known.unanswered == []
    check(address, known)
    shutil.rmtree(folder)
    return counts


def _placed(moment: Moment, folder: Path) -> tuple[str, str]:
    return _left_open(moment, folder) if moment.name == CLOSING else _copied(moment, folder)


def _copied(moment: Moment, folder: Path) -> tuple[str, str]:
    folder.mkdir()
    shutil.copy(moment.folder / "house.db", folder)
    shutil.copy(moment.folder / "journal", folder)
    return str(folder / "house.db"), str(folder / "journal")


def _left_open(moment: Moment, folder: Path) -> tuple[str, str]:
    """A house whose last worker left the log beside the file."""
    place = _copied(moment, folder)
    with open_store(place[0]) as store, floor_of(store) as floor:
        loaded = floor.table(TABLE)
        assert loaded is not None
        assert not give(floor, Journal(folder / "journal"), due(loaded))
        for name in ("house.db", "house.db-wal"):
            shutil.copy(folder / name, folder / f"{name}-left")
    for name in ("house.db", "house.db-wal"):
        (folder / f"{name}-left").rename(folder / name)
    return place
