"""The stream of a table: every event once and in order, whatever happens to the line."""

from __future__ import annotations

import asyncio
import json
import random
import socket
from threading import Thread
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.client import Client, Refused, Stream, StreamClosed
from punto.rules.authority import Role
from punto.server import stream as connection
from punto.server.broadcast import MOST_FRAMES_WAITING, Watcher
from punto.server.messages import CloseCode, HelloFrame
from punto.server.sessions import Caller
from punto.server.stream import MOST_MISSED, StreamEnded
from punto.store.people import StoredSession
from punto.table.legality import legal_commands
from punto.views.viewer import Viewer
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import give
from tests.server.test_table_routes_commands import BET, opened_round


def opened(client: Client, id: str, **asked: Any) -> Stream:
    stream = client.stream(id, **asked)
    assert not isinstance(stream, Refused), stream
    return stream


def move(floor: RunningFloor, id: str, times: int) -> None:
    """Let something happen at a table this often."""
    sue = floor.client("Sue")
    for number in range(times):
        word = "pause-table" if number % 2 == 0 else "resume-table"
        assert not isinstance(sue.give(id, {"type": word}, Role.PIT_SUPERVISOR), Refused)


def events_until(stream: Stream, last: int) -> list[tuple[int, dict[str, Any]]]:
    found: list[tuple[int, dict[str, Any]]] = []
    while not found or found[-1][0] < last:
        frame = stream.next(60)
        if frame["type"] == "event":
            found.append((frame["seq"], frame["event"]))
    return found


def test_a_stream_begins_with_the_table_as_it_is(floor: RunningFloor) -> None:
    id = opened_round(floor)
    with opened(floor.client("Lee"), id) as stream:
        first = stream.next(60)
        shown = floor.client("Lee").table(id)
        assert not isinstance(shown, Refused)
        assert first["type"] == "snapshot" and first["seq"] == shown.version
        assert [entry["command"] for entry in first["legal"]] == [legal.command for legal in shown.legal]
        shown_view = {**shown.view, "now": None}
        assert {**first["view"], "now": None} == shown_view
        assert floor.client("Lee").give(id, BET) is not None
        [(seq, event)] = events_until(stream, first["seq"] + 1)
        assert event["type"] == "bet-placed" and seq == first["seq"] + 1
        assert stream.next(60)["type"] == "legal"


def test_a_stream_can_be_left_while_frames_wait(floor: RunningFloor) -> None:
    id = floor.new_table("ez")
    stream = opened(floor.client("Lee"), id)
    assert stream.next(60)["type"] == "snapshot"
    move(floor, id, 40)
    stream._socket.close_timeout = 600  # it would give up the waiting, later than this test does
    leaving = Thread(target=stream.close, daemon=True)
    leaving.start()
    leaving.join(60)
    assert not leaving.is_alive(), "it would wait for a reader that has left"


@pytest.mark.slow
@pytest.mark.gli("2.6.4")
def test_a_line_that_is_cut_again_and_again_misses_nothing_and_repeats_nothing(floor: RunningFloor) -> None:
    """Events are made all the while; the reader leaves at random and comes back by its last number."""
    id, chance = floor.new_table("ez"), random.Random(7)
    mover = Thread(target=move, args=(floor, id, 120))
    kim = floor.client("Kim")
    floor.client("Sue")
    mover.start()
    seen: list[tuple[int, dict[str, Any]]] = []
    after = 1
    while after < 121:
        with opened(kim, id, after=after) as stream:
            for _ in range(chance.randrange(1, 15)):
                if stream.seq == 121:
                    break
                frame = stream.next(60)
                if frame["type"] == "event":
                    seen.append((frame["seq"], frame["event"]))
            after = stream.seq
    mover.join()
    stored = kim.events(id, 1, 1000)
    assert not isinstance(stored, Refused)
    assert seen == [(record.seq, record.event) for record in stored.events]


@pytest.mark.parametrize("after", [10**9, None])
def test_who_is_too_far_away_gets_a_snapshot(floor: RunningFloor, after: int | None) -> None:
    id = floor.new_table("ez")
    with opened(floor.client("Lee"), id, after=after) as stream:
        assert stream.next(60)["type"] == "snapshot"


def test_who_missed_too_much_gets_a_snapshot(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "MOST_MISSED", 3)
    assert MOST_MISSED > 3
    id = floor.new_table("ez")
    move(floor, id, 5)
    with opened(floor.client("Lee"), id, after=2) as stream:
        assert stream.next(60)["type"] == "snapshot"
    with opened(floor.client("Lee"), id, after=3) as stream:
        assert [seq for seq, _ in events_until(stream, 6)] == [4, 5, 6]


def test_views_follow_for_who_asks_for_them(floor: RunningFloor) -> None:
    id = opened_round(floor)
    with opened(floor.client("Lee"), id, views=True) as stream:
        assert stream.next(60)["type"] == "snapshot"
        floor.client("Lee").give(id, BET)
        frames: list[dict[str, Any]] = []
        while not frames or frames[-1]["type"] != "view":
            frames.append(stream.next(60))
        view = frames[-1]["view"]
        assert view["mine"]["staked"] == 10_000 and view["seq"] == frames[-1]["seq"]
        account = floor.client("Lee").account()
        assert not isinstance(account, Refused) and view["mine"]["balance"]["free"] == account.free


def play_round(floor: RunningFloor, id: str) -> None:
    """The dealer does what comes next until the round is paid."""
    dealer = floor.client("Dan")
    while True:
        shown = dealer.table(id)
        assert not isinstance(shown, Refused)
        if shown.view["result"] is not None and shown.view["result"]["settled"]:
            return
        command = shown.view["next"]["command"]
        assert not isinstance(dealer.give(id, command, Role.DEALER, expected=shown.version), Refused)


def past_of(stream: Stream) -> dict[str, dict[str, Any]]:
    """The next roads and the next history."""
    past: dict[str, dict[str, Any]] = {}
    while len(past) < 2:
        frame = stream.next(60)
        if frame["type"] in ("roads", "history"):
            past[frame["type"]] = frame
    return past


def test_roads_and_history_come_with_the_stream_and_after_every_round(floor: RunningFloor) -> None:
    id = opened_round(floor)
    lee, kim = floor.client("Lee"), floor.client("Kim")
    with opened(lee, id, views=True) as stream, opened(kim, id, views=True) as other, opened(kim, id) as bare:
        begun = past_of(stream)
        assert begun["roads"]["roads"]["results"] == "" and begun["history"]["rounds"] == []
        past_of(other)
        lee.give(id, BET)
        play_round(floor, id)
        past, of_kim = past_of(stream), past_of(other)
        assert past["roads"]["roads"] == lee.http.get(f"/tables/{id}/roads").json()["roads"]
        assert past["roads"]["roads"]["counts"]["rounds"] == 1
        assert past["history"]["rounds"] == lee.http.get(f"/tables/{id}/history?role=player").json()["rounds"]
        assert past["history"]["rounds"][0]["lines"][0]["mine"]
        assert of_kim["roads"] == past["roads"] and of_kim["history"]["rounds"][0]["lines"] == []
        last = stream.seq
        floor.client("Dan").give(id, {"type": "call-bets"}, Role.DEALER, expected=floor.version(id))
        events_until(bare, floor.version(id))
    with opened(lee, id, after=last, views=True) as stream:
        again = past_of(stream)
        assert again["roads"]["roads"] == past["roads"]["roads"]
        assert again["history"]["rounds"] == past["history"]["rounds"]


def test_who_does_not_ask_for_views_is_sent_no_past(floor: RunningFloor) -> None:
    id = opened_round(floor)
    with opened(floor.client("Lee"), id) as stream:
        kinds = {stream.next(60)["type"]}
        play_round(floor, id)
        while stream.seq < floor.version(id):
            kinds.add(stream.next(60)["type"])
        assert kinds == {"snapshot", "event", "legal"}


def test_what_may_be_done_is_worked_out_once_for_each_group_and_event(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the list, for the view and for everybody who may do the same."""
    id = opened_round(floor)
    states: list[Any] = []
    worked_out: list[tuple[int, str, Role]] = []

    def counted(table: Any, name: str, role: Role) -> Any:
        if not any(state is table.state for state in states):
            states.append(table.state)
        number = next(number for number, state in enumerate(states) if state is table.state)
        worked_out.append((number, name, role))
        return legal_commands(table, name, role)

    monkeypatch.setattr("punto.views.legal_view.legal_commands", counted)
    lee, kim, sue = floor.client("Lee"), floor.client("Kim"), floor.client("Sue")
    with (
        opened(kim, id, views=True) as first,
        opened(kim, id, views=True) as second,
        opened(sue, id, views=True) as pit,
    ):
        for stream in (first, second, pit):
            assert stream.next(60)["type"] == "snapshot"
        lee.give(id, BET)
        for stream in (first, second, pit):
            while stream.next(60)["type"] != "view":
                pass
        kim.table(id)
    assert worked_out and len(worked_out) == len(set(worked_out))


def test_a_command_on_a_stream_is_answered_there(floor: RunningFloor) -> None:
    id = opened_round(floor)
    with opened(floor.client("Lee"), id) as stream:
        answer = give(stream, {"role": "player", "command": BET})
        assert answer["version"] == floor.version(id)
        refused = give(stream, {"role": "player", "command": {**BET, "area": "nowhere"}})
        assert refused["refusal"]["reason"] == "unknown-area" and "version" not in refused
        again = {"type": "command", "id": "a", "key": "same", "role": "player", "command": BET}
        versions = []
        for _ in range(2):
            stream.send(again)
            while (frame := stream.next(60))["type"] != "answer":
                pass
            versions.append(frame["version"])
        assert versions[0] == versions[1]


FIRST: dict[str, tuple[str | bytes, int]] = {
    "not JSON": ("{", 4400),
    "a command": ('{"type":"command"}', 4400),
    "an unknown field": ('{"type":"hello","ticket":"x","color":"red"}', 4400),
    "no ticket": ('{"type":"hello"}', 4400),
    "a negative number": ('{"type":"hello","ticket":"x","after":-1}', 4400),
    "bytes": (b"\x00\x01", 4400),
    "a ticket that was never given": ('{"type":"hello","ticket":"x"}', 4401),
}


@pytest.mark.parametrize("name", FIRST)
def test_a_bad_first_frame_ends_the_stream(floor: RunningFloor, name: str) -> None:
    frame, code = FIRST[name]
    assert closed_with(floor, floor.new_table("ez"), [frame]) == code


def closed_with(floor: RunningFloor, id: str, frames: list[str | bytes]) -> int:
    """The code with which the server closes a stream after these frames."""
    from websockets.exceptions import ConnectionClosed

    with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as socket:
        try:
            for frame in frames:
                socket.send(frame)
            while True:
                socket.recv(60)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006


def test_a_table_or_a_role_that_is_not_there_ends_the_stream(floor: RunningFloor) -> None:
    for id, role, code in (("nowhere", None, 4404), (floor.new_table("ez"), Role.DEALER, 4403)):
        with opened(floor.client("Lee"), id, role=role) as stream, pytest.raises(StreamClosed) as closed:
            stream.next(60)
        assert closed.value.code == code


def test_a_second_hello_and_a_huge_frame_end_the_stream(floor: RunningFloor) -> None:
    id = floor.new_table("ez")
    for frame in ({"type": "hello", "ticket": "x"}, {"type": "hello", "ticket": "x" * 70_000}):
        with opened(floor.client("Lee"), id) as stream:
            stream.next(60)
            stream.send(frame)
            with pytest.raises(StreamClosed) as closed:
                list(stream)
            assert closed.value.code == 4400


def test_who_logs_out_is_told_on_the_next_command(floor: RunningFloor) -> None:
    id, lee = floor.new_table("ez"), floor.fresh_client("Lee")
    with opened(lee, id) as stream:
        stream.next(60)
        lee.log_out()
        with pytest.raises(StreamClosed) as closed:
            give(stream, {"role": "player", "command": {"type": "walk-away"}})
        assert closed.value.code == 4401


# ── Slow ones ────────────────────────────────────────────────────────────────────────────────────


class StuckSocket:
    """A line on which nothing moves any more."""

    async def send(self, _: Any) -> None:
        await asyncio.Event().wait()

    async def receive(self) -> Any:
        await asyncio.Event().wait()


def _read_to_the_end(line: ClientConnection) -> None:
    while True:
        line.recv(10)


def test_a_client_that_does_not_read_is_cut_off_and_told_so(floor: RunningFloor) -> None:
    """Over a real line, where the system keeps what was sent: that must not hide that nobody reads."""
    id, lee = floor.new_table("ez"), floor.client("Lee")
    ticket = lee.ticket()
    assert not isinstance(ticket, Refused)
    url = f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream"
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
    own.connect(("127.0.0.1", int(floor.url.rpartition(":")[2])))
    with connect(url, sock=own, compression=None, ping_interval=None, max_queue=4) as line:
        line.send(json.dumps({"type": "hello", "ticket": ticket.ticket}))
        assert json.loads(line.recv(10))["type"] == "snapshot"
        [watcher] = floor.app_state.broadcaster._watchers[id]

        async def flood() -> int:
            for number in range(4_000):
                watcher.push(b'{"type":"x","text":"' + b"x" * 280 + b'"}')
                await asyncio.sleep(0)  # the writer writes what it can
                if watcher.is_cut_off:
                    return number
            return 4_000

        loop = floor.app_state.broadcaster._loop
        assert loop is not None
        assert MOST_FRAMES_WAITING < asyncio.run_coroutine_threadsafe(flood(), loop).result(60) < 4_000
        with pytest.raises(ConnectionClosed) as ended:
            _read_to_the_end(line)
        assert ended.value.rcvd is not None and ended.value.rcvd.code == 4408
    assert id not in floor.app_state.broadcaster._watchers


def test_who_is_too_slow_is_cut_off(floor: RunningFloor) -> None:
    """A writer that is stuck holds a bounded number of frames, and then the stream ends."""

    async def watched() -> StreamEnded | None:
        id = floor.new_table("ez")
        watcher = Watcher(id, Viewer("Lee", Role.PLAYER), wants_views=False)
        caller = Caller("Lee", (Role.PLAYER,), StoredSession("", "Lee", 0, floor.app_state.now() + 60_000, 0), "")
        line: Any = StuckSocket()
        loaded = floor.app_state.floor.table(id)
        assert loaded is not None
        stream = connection.PersonStream(floor.app_state, line, watcher, caller)
        running = asyncio.ensure_future(stream.run(loaded, HelloFrame("")))
        await asyncio.sleep(0)
        for _ in range(MOST_FRAMES_WAITING + 1):
            watcher.push(b"{}")
        assert not running.done()
        watcher.push(b"{}")
        try:
            await asyncio.wait_for(running, 60)
        except StreamEnded as ended:
            return ended
        return None

    ended = asyncio.run(watched())
    assert ended is not None and ended.code is CloseCode.TOO_SLOW and int(ended.code) == 4408


SIZES = (1, 100, 125, 126, 1_023, 1_024, 1_025, 20, 65_535, 65_536, 300)
"""Around everything at which a frame begins otherwise, is packed, or has to wait for one before it."""


@pytest.mark.parametrize("compression", [None, "deflate"])
def test_frames_of_every_size_come_whole_and_in_their_order(floor: RunningFloor, compression: str | None) -> None:
    """Small ones are written at once, large ones are packed where the client can have them so: the order stays."""
    id, lee = floor.new_table("ez"), floor.client("Lee")
    ticket = lee.ticket()
    assert not isinstance(ticket, Refused)
    sent = [(f'{{"type":"x","text":"{number}' + "x" * size)[: size - 2] + '"}' for number, size in enumerate(SIZES * 3)]
    url = f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream"
    with connect(url, compression=compression, max_size=None) as line:
        line.send(json.dumps({"type": "hello", "ticket": ticket.ticket}))
        assert json.loads(line.recv(10))["type"] == "snapshot"
        [watcher] = floor.app_state.broadcaster._watchers[id]

        async def push() -> None:
            for number, frame in enumerate(sent):
                watcher.push(frame.encode())
                if number % 4 == 3:
                    await asyncio.sleep(0)  # some come while the writer is at work

        loop = floor.app_state.broadcaster._loop
        assert loop is not None
        asyncio.run_coroutine_threadsafe(push(), loop).result(60)
        assert [line.recv(10) for _ in sent] == sent


def test_a_frame_is_written_at_once_only_where_none_is_before_it() -> None:
    async def told() -> None:
        watcher, written, is_open = Watcher("t1", Viewer("Kim"), wants_views=False), list[bytes](), True

        def write(frame: bytes) -> bool:
            if is_open:
                written.append(frame)
            return is_open

        watcher.send_now = write
        watcher.push(b"1")
        assert written == [] and await watcher.next() == b"1", "nobody waits for it: the stream still catches up"
        waiting = asyncio.ensure_future(watcher.next())
        await asyncio.sleep(0)
        watcher.push(b"2")
        assert written == [b"2"] and not waiting.done()
        is_open = False
        watcher.push(b"3")
        is_open = True
        watcher.push(b"4")
        assert written == [b"2"], "4 waits behind 3"
        assert [await waiting, await watcher.next()] == [b"3", b"4"]
        watcher.push(b"5")
        assert written == [b"2"], "the writer is at work with what it has"

    asyncio.run(told())
