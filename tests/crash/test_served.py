"""`punto serve` is killed in the middle of rounds and started again: nothing acknowledged is lost, nothing
happens twice, the ledger is exact, and streams go on where they were.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from punto.client import Refused, Stream, StreamClosed
from punto.rules.authority import Role
from punto.store.store import open_store
from punto.table.state import Phase
from tests.crash.bettor import Bettor, check_acknowledged
from tests.floor.ledger_check import check_store
from tests.server.served import ServedFloor

KILLS = 10


class Follower:
    """Follows a table through one server after the other, by the number of the last event that came."""

    def __init__(self) -> None:
        self.seqs: list[int] = []
        self.enough = Event()
        self._thread: Thread | None = None

    def follow(self, floor: ServedFloor, table: str, events: int) -> None:
        """Begin after the last event that came; `enough` is set once this many more have."""
        self.enough.clear()
        after = self.seqs[-1] if self.seqs else 0
        stream = floor.client("auditor").stream(table, after=after, role=Role.AUDITOR)
        assert isinstance(stream, Stream), stream
        self._thread = Thread(target=self._read, args=(stream, len(self.seqs) + events), daemon=True)
        self._thread.start()

    def _read(self, stream: Stream, until: int) -> None:
        try:
            while True:
                frame = stream.next()
                if frame["type"] == "event":
                    self.seqs.append(frame["seq"])
                    if len(self.seqs) >= until:
                        self.enough.set()
        except (StreamClosed, OSError, EOFError):
            self.enough.set()

    def end(self) -> None:
        assert self._thread is not None
        self._thread.join(60)


@pytest.mark.slow
def test_a_server_killed_ten_times_in_mid_round_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    random = Random(16)
    with ServedFloor(tmp_path, "--pace", "0.02", "--rate", "100000") as floor:
        bought = floor.client("cashier").buy_in("player", 10**9)
        assert not isinstance(bought, Refused), bought
        bettors = [Bettor(floor.client("player"), table, 1, random) for table in ("commission", "insurance")]
        follower, phases = Follower(), set()
        for _ in range(KILLS):
            follower.follow(floor, "insurance", random.randint(6, 40))
            for bettor in bettors:
                bettor.start()
            assert follower.enough.wait(60)
            floor.kill()
            for bettor in bettors:
                bettor.stop()
            follower.end()
            with open_store(str(floor.database)) as store:
                check_store(store)
                for bettor in bettors:
                    assert bettor.problems == []
                    check_acknowledged(store, bettor.journal)
                with store.read() as reader:
                    last = reader.table("insurance")
            assert last is not None and follower.seqs[-1] <= last.version, "nothing is told that is not kept"
            floor.start()
            shown = floor.client("player").table("insurance", Role.PLAYER)
            assert not isinstance(shown, Refused)
            phases.add(shown.view["phase"])
        follower.follow(floor, "insurance", 30)
        assert follower.enough.wait(60)
        assert floor.stop() == 0
        follower.end()
        assert follower.seqs == list(range(1, len(follower.seqs) + 1)), "every event once, without a gap"
        assert sum(sent.done is not None for bettor in bettors for sent in bettor.journal) > KILLS
        assert phases - {Phase.IDLE.value}, "it was killed in the middle of things"
        with open_store(str(floor.database)) as store:
            check_store(store)
            for bettor in bettors:
                check_acknowledged(store, bettor.journal)


@pytest.mark.slow
def test_a_server_that_is_told_to_stop_at_once_stops_in_good_order(tmp_path: Path) -> None:
    with ServedFloor(tmp_path) as floor:
        assert floor.stop() == 0
        floor.start()
        assert floor.stop() == 0
