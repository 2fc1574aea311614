"""What takes long is worked out elsewhere: accounts take turns, queues end, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import os
import pickle
import select
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from punto.rules.authority import Role
from punto.server import count_room
from punto.server.access import Throttle
from punto.server.app import INSIDE
from punto.server.count_room import EACH_MAY_WAIT, CountRoom, read_roads, verify_stored_chain
from punto.server.validation import Rejected
from punto.store.connection import parse_address
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.served import ServedFloor
from tests.server.test_stream import opened

DEAR = (
    *("odds", "odds?shoe=live", "history", "statistics", "roads", "cases", "events"),
    *("history?limit=200", "events?limit=1000"),
)


class SlowRoom(CountRoom):
    """A room whose process only takes notes, and goes on when it is told to."""

    def __init__(self) -> None:
        super().__init__(parse_address("nowhere.db"), "slow")
        self.goes_on, self.notes = Event(), list[str]()

    def _running(self) -> Any:
        return None

    def _worked_out(self, task: Any) -> bytes:
        self.goes_on.wait()
        self.notes.append(str(pickle.loads(task.content)[1][0]))
        return task.content  # type: ignore[no-any-return]


@contextmanager
def slow_room() -> Iterator[SlowRoom]:
    room = SlowRoom()
    try:
        yield room
    finally:
        room.goes_on.set()
        room.close()


async def asked(room: CountRoom, account: str, what: str, key: str | None = None) -> asyncio.Task[Any]:
    """A question that is in the queue when this comes back."""
    task = asyncio.create_task(room.ask(account, read_roads, what, key=key))
    await asyncio.sleep(0)
    return task


def test_accounts_take_turns_however_much_one_asks() -> None:
    async def play(room: SlowRoom) -> None:
        greedy = [await asked(room, "Lee", f"Lee {n}") for n in range(10)]
        others = [await asked(room, name, name) for name in ("Kim", "Max")]
        room.goes_on.set()
        await asyncio.gather(*greedy, *others)

    with slow_room() as room:
        asyncio.run(play(room))
    assert {"Kim", "Max"} <= set(room.notes[:4]), room.notes
    assert [note for note in room.notes if note.startswith("Lee")] == [f"Lee {n}" for n in range(10)]


def test_a_full_queue_says_when_to_come_back_and_others_may_still_ask() -> None:
    async def play(room: SlowRoom) -> None:
        waiting = [await asked(room, "Lee", "first")]
        while room.waiting():  # until it is begun
            await asyncio.sleep(0)
        waiting += [await asked(room, "Lee", f"{n}") for n in range(EACH_MAY_WAIT)]
        with pytest.raises(Rejected) as refused:
            await room.ask("Lee", read_roads, "too much")
        assert refused.value.status == 429 and refused.value.retry_after == 1
        waiting.append(await asked(room, "Kim", "Kim"))
        room.goes_on.set()
        await asyncio.gather(*waiting)

    with slow_room() as room:
        asyncio.run(play(room))


def test_what_is_asked_for_again_is_worked_out_once() -> None:
    async def play(room: SlowRoom) -> None:
        same = [await asked(room, name, "odds", key="k") for name in ("Lee", "Kim", "Max", "Lee")]
        room.goes_on.set()
        answers = await asyncio.gather(*same)
        assert len(set(map(bytes, answers))) == 1 and room.notes == ["odds"]
        assert bytes(await room.ask("Ann", read_roads, "odds", key="k")) == bytes(answers[0])
        await room.ask("Ann", read_roads, "odds", key="another")

    with slow_room() as room:
        asyncio.run(play(room))
    assert room.notes == ["odds", "odds"]


def test_a_verification_is_shared_and_never_older_than_the_question() -> None:
    async def play(room: SlowRoom) -> None:
        async def verified() -> asyncio.Task[Any]:
            task = asyncio.create_task(room.ask_afresh("Aud", verify_stored_chain, "all"))
            await asyncio.sleep(0)
            return task

        first = await verified()
        while room.waiting():  # until it is begun
            await asyncio.sleep(0)
        later = [await verified() for _ in range(8)]
        room.goes_on.set()
        await asyncio.gather(first, *later)
        assert room.notes == ["all"] * 2, "the eight share one, which began after they asked"
        await (await verified())
        assert room.notes == ["all"] * 3, "nothing is kept of it"

    with slow_room() as room:
        asyncio.run(play(room))


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_room, "KEPT_BYTES", 1_000)

    async def play(room: SlowRoom) -> None:
        room.goes_on.set()
        for n in range(100):
            await room.ask("Lee", read_roads, f"{n}", key=n)

    with slow_room() as room:
        asyncio.run(play(room))
        assert sum(map(len, room._kept.values())) == room._kept_bytes <= 1_000


def test_a_task_that_nobody_waits_for_is_not_begun() -> None:
    async def play(room: SlowRoom) -> None:
        first = await asked(room, "Lee", "first")
        while room.waiting():
            await asyncio.sleep(0)
        gone = await asked(room, "Lee", "gone")
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert room.waiting() == 0
        room.goes_on.set()
        await first

    with slow_room() as room:
        asyncio.run(play(room))
    assert room.notes == ["first"]


# ── The process itself ───────────────────────────────────────────────────────────────────────────


def stopped(floor: RunningFloor) -> list[int]:
    """Both count rooms of a floor, held still."""
    app_state = floor.app_state
    floor.client("Aud").http.post("/audit/verify", json={})
    floor.client("Lee").http.get(f"/tables/{floor.new_table()}/roads")
    found = [room._process.pid for room in (app_state.counting, app_state.long_counting) if room._process is not None]
    assert len(found) == 2
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
    return found


@pytest.mark.slow
def test_bets_and_reads_go_on_while_everything_dear_stands_still(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, lee, kim, aud = floor.new_table(), floor.client("Lee"), floor.client("Kim"), floor.client("Aud")
        rooms = stopped(floor)
        with ThreadPoolExecutor(40) as greedy:
            try:
                dear: list[Future[Any]] = [
                    *(greedy.submit(lee.http.get, f"/tables/{id}/{path}", timeout=120) for path in DEAR),
                    greedy.submit(lee.http.post, f"/tables/{id}/advice", json={"shoe": "fresh"}, timeout=120),
                    greedy.submit(lee.http.get, f"/audit/shoes/{id}/2", timeout=120),
                    *(greedy.submit(aud.http.post, "/audit/verify", json={}, timeout=120) for _ in range(10)),
                    greedy.submit(aud.http.get, "/audit/rounds", timeout=120),
                ]
                for number in range(1, 6):  # more than there are threads
                    seat = kim.give(id, {"type": "take-seat", "box": number}, Role.PLAYER)
                    left = kim.give(id, {"type": "leave-seat"}, Role.PLAYER)
                    assert "Refused" not in f"{type(seat)}{type(left)}"
                    for path in ("/tables", f"/tables/{id}", "/accounts/me", "/accounts/me/statement"):
                        assert kim.http.get(path).status_code == 200
                assert not any(each.done() for each in dear), "nothing dear was worked out where bets are"
            finally:
                for pid in rooms:
                    os.kill(pid, signal.SIGCONT)
            assert {each.result(120).status_code for each in dear} <= {200, 404}


def test_every_dear_call_counts_as_several_requests(tmp_path: Path) -> None:
    costs = {(each.method, each.path): each.cost for each in INSIDE}
    for path in ("odds", "roads", "history", "statistics", "cases", "events"):
        assert costs["GET", f"/tables/{{id}}/{path}"] != 1
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, lee, kim = floor.new_table(), floor.client("Lee"), floor.client("Kim")
        floor.app_state.by_account = Throttle(1, 30, clock=lambda: 0.0)  # nothing is given back
        statuses = [lee.http.get(f"/tables/{id}/history?limit=200").status_code for _ in range(4)]
        assert statuses == [200, 200, 429, 429]
        assert kim.http.get(f"/tables/{id}/events?limit=1000").status_code == 200
        assert kim.http.get(f"/tables/{id}/events?limit=1000").status_code == 429
        assert kim.http.get(f"/tables/{id}/events?limit=10").status_code == 200


def test_a_stream_that_missed_much_is_caught_up_by_the_room_as_often_as_it_may(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, lee = floor.new_table(), floor.client("Lee")
        for _ in range(40):
            for command in ({"type": "take-seat", "box": 1}, {"type": "leave-seat"}):
                assert "Refused" not in str(type(lee.give(id, command, Role.PLAYER)))
        version = floor.version(id)
        told = lee.http.get(f"/tables/{id}/events?limit=1000").json()["events"]
        with opened(lee, id, after=1) as stream:
            frames = [stream.next(60) for _ in range(version - 1)]
        assert [(frame["type"], frame["seq"]) for frame in frames] == [("event", seq) for seq in range(2, version + 1)]
        assert [frame["event"] for frame in frames] == [record["event"] for record in told[1:]]
        assert floor.app_state.counting.done == 2, "events, and what the stream missed"
        floor.app_state.by_account = Throttle(1, 2, clock=lambda: 0.0)
        with opened(lee, id, after=1) as stream:  # two requests: a ticket, and what was missed
            assert stream.next(60)["type"] == "event"
        with opened(floor.client("Kim"), id, after=1) as stream:
            assert stream.next(60)["type"] == "event"
        floor.app_state.by_account = Throttle(1, 1, clock=lambda: 0.0)
        with opened(lee, id, after=1) as stream:
            assert stream.next(60)["type"] == "snapshot"


def test_a_room_that_was_ended_is_opened_again(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        id, lee = floor.new_table(), floor.client("Lee")
        assert lee.http.get(f"/tables/{id}/odds").status_code == 200
        process = floor.app_state.counting._process
        assert process is not None
        process.kill()
        process.wait()
        assert lee.http.get(f"/tables/{id}/history").status_code == 200
        assert floor.app_state.counting._process is not process


def test_a_room_ends_with_the_server_however_that_ends(tmp_path: Path) -> None:
    with ServedFloor(tmp_path) as floor:
        for end in (floor.kill, floor.stop):
            lee = floor.client("player")
            assert lee.http.get("/accounts/me/costs").status_code == 200
            table = lee.http.get("/tables").json()["tables"][0]["table"]
            assert lee.http.get(f"/tables/{table}/odds").status_code == 200
            rooms = children(floor.pid)
            assert rooms
            handles = [os.pidfd_open(pid) for pid in rooms]
            end()
            for handle in handles:
                assert select.select([handle], [], [], 60)[0], "the process of a count room is left over"
                os.close(handle)
            floor.start()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
