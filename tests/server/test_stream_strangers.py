"""Streams of strangers and of clients that do not read: few frames, few places, and an end that is one."""

from __future__ import annotations

import asyncio
import json
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.protocol import Protocol
from websockets.sync.client import ClientConnection, connect

from punto.client import Refused
from punto.server import floor_protocol
from punto.server import stream as connection
from punto.server.access import PendingConnections, Throttle
from punto.server.floor_protocol import FRAMES_BEFORE_HELLO, LARGEST_HELLO
from tests.server.running_floor import RunningFloor
from tests.server.served import ServedFloor
from tests.server.test_floor_protocol import AT, UPGRADE, received

PING, TEXT, MORE, PONG = (bytes([kind, 0x80, 0, 0, 0, 0]) for kind in (0x89, 0x01, 0x00, 0x8A))
"""Empty frames of a client; the text is the first of several."""


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


@contextmanager
def opened(url: str, table: str = "t1", address: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A stream whose client says nothing, and reads nothing by itself."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(20)
        line.bind((address, 0))
        line.connect(("127.0.0.1", port_of(url)))
        line.sendall(b"GET" + AT.replace(b"t1", table.encode()) + UPGRADE + b"\r\n")
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        yield line


def is_cut(line: socket.socket, seconds: int = 20) -> bool:
    """Whether the server ends the connection, although nobody reads from it."""
    ended = select.poll()
    ended.register(line, select.POLLRDHUP)
    return bool(ended.poll(seconds * 1000))


def hello(floor: RunningFloor, name: str = "Lee") -> str:
    ticket = floor.client(name).ticket()
    assert not isinstance(ticket, Refused)
    return json.dumps({"type": "hello", "ticket": ticket.ticket})


def code_of(line: ClientConnection) -> int:
    try:
        while True:
            line.recv(20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 1006


# ── Frames ───────────────────────────────────────────────────────────────────────────────────────────

FLOODS = {"pings": PING, "pongs": PONG, "fragments": MORE, "texts": b"\x81" + TEXT[1:]}


@pytest.mark.parametrize("name", FLOODS)
def test_before_the_hello_a_handful_of_frames_is_read(
    floor: RunningFloor, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Any] = []
    taken = Protocol.recv_frame

    def counted(self: Protocol, frame: Any) -> None:
        read.append(frame)
        taken(self, frame)

    monkeypatch.setattr(Protocol, "recv_frame", counted)
    blast = TEXT + MORE * 20_000 if name == "fragments" else FLOODS[name] * 20_000
    with opened(floor.url) as line:
        with suppress(OSError):
            line.sendall(blast)
        received(line)
    assert 0 < len(read) <= FRAMES_BEFORE_HELLO


def test_before_the_hello_messages_are_small(floor: RunningFloor) -> None:
    with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/t1/stream", compression=None) as line:
        line.send("x" * (LARGEST_HELLO + 1))
        assert code_of(line) == 1009
    with opened(floor.url) as half:
        half.sendall(b"\x81\xfe" + (LARGEST_HELLO + 1).to_bytes(2, "big") + b"\0\0\0\0")  # and nothing of it
        assert is_cut(half)


def test_after_the_hello_frames_are_counted_for_all_streams_of_a_session(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor.app_state, "frames_sent", Throttle(1.0, 20.0))
    address = f"{floor.url.replace('http', 'ws')}/api/v1/tables/{floor.new_table('ez')}/stream"
    lee, kim = hello(floor), hello(floor, "Kim")
    again = hello(floor)
    with connect(address) as line, connect(address) as second, connect(address) as other:
        for one, said in ((line, lee), (second, again), (other, kim)):
            one.send(said)
            assert json.loads(one.recv(20))["type"] == "snapshot"
        for _ in range(15):
            line.ping()
        with suppress(ConnectionClosed):
            for _ in range(30):
                second.ping()
        assert code_of(second) == 4400
        assert other.ping().wait(20), "others are not concerned"


def test_who_does_not_read_is_sent_no_pongs(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[Any] = []
    greet = floor_protocol.StreamProtocol.greet

    def noted(self: Any, is_allowed: Any) -> None:
        lines.append(self)
        greet(self, is_allowed)

    pings: list[Any] = []
    ping = floor_protocol.StreamProtocol.handle_ping

    def counted(self: Any) -> None:
        pings.append(self)
        ping(self)

    monkeypatch.setattr(floor_protocol.StreamProtocol, "greet", noted)
    monkeypatch.setattr(floor_protocol.StreamProtocol, "handle_ping", counted)
    id, said = floor.new_table("ez"), hello(floor).encode()
    with opened(floor.url, id) as line:
        line.sendall(b"\x81" + bytes([0x80 | 126]) + len(said).to_bytes(2, "big") + b"\0\0\0\0" + said)
        assert _becomes(floor, lambda: floor.app_state.broadcaster._watchers.get(id))
        line.sendall((b"\x89\xfd\0\0\0\0" + b"x" * 125) * 20_000)  # 2.6 MB
        assert _becomes(floor, lambda: len(pings) == 20_000)
        [left] = asyncio.run_coroutine_threadsafe(_left(lines), _loop(floor)).result(20)
    assert left < 512 * 1024


async def _left(lines: list[Any]) -> list[int]:
    return [line.transport.get_write_buffer_size() for line in lines]


def _loop(floor: RunningFloor) -> asyncio.AbstractEventLoop:
    assert floor.app_state.broadcaster._loop is not None
    return floor.app_state.broadcaster._loop


# ── Ends ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_stream_that_is_over_does_not_linger(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client neither answers nor goes; its place is taken until it is gone."""
    for module in (floor_protocol, connection):
        monkeypatch.setattr(module, "ENDING_S", 0.3)
    with opened(floor.url) as line:
        line.sendall(b"\x81\x82\0\0\0\0{}")
        assert line.recv(100)[2:4] == b"\x11\x30", "4400, and no answer to it"
        assert len(floor.app_state.greeting) == 1
        assert is_cut(line)
    assert _becomes(floor, lambda: len(floor.app_state.greeting) == 0)


def _becomes(floor: RunningFloor, what: Any) -> bool:
    """Whether something becomes true while the floor answers a thousand requests."""
    http = floor.client("Lee").http
    return any(what() for _ in range(1000) if http.get("/sessions/current").status_code == 200)


def test_a_client_that_never_reads_is_cut_off(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code 4408 waits behind what it did not read; it has so long to come for it, and no longer."""
    monkeypatch.setattr(connection, "CLOSE_S", 0.3)
    id = floor.new_table("ez")
    said = hello(floor).encode()
    with opened(floor.url, id) as line:
        line.sendall(b"\x81" + bytes([0x80 | 126]) + len(said).to_bytes(2, "big") + b"\0\0\0\0" + said)
        assert _becomes(floor, lambda: floor.app_state.broadcaster._watchers.get(id))
        [watcher] = floor.app_state.broadcaster._watchers[id]

        async def flood() -> None:
            while not watcher.is_cut_off:
                watcher.push(b'{"type":"x","text":"' + b"x" * 2800 + b'"}')
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(flood(), _loop(floor)).result(60)
        assert is_cut(line), "the server holds it open"
    assert _becomes(floor, lambda: id not in floor.app_state.broadcaster._watchers)


def test_who_does_not_take_what_it_missed_can_be_cut_off_as_well(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CLOSE_S", 0.3)
    id = floor.new_table("ez")

    async def stuck(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(connection.TableStream, "_catch_up", stuck)
    said = hello(floor).encode()
    with opened(floor.url, id) as line:
        line.sendall(b"\x81" + bytes([0x80 | 126]) + len(said).to_bytes(2, "big") + b"\0\0\0\0" + said)
        assert _becomes(floor, lambda: floor.app_state.broadcaster._watchers.get(id))
        [watcher] = floor.app_state.broadcaster._watchers[id]
        _loop(floor).call_soon_threadsafe(watcher.cut_off)
        assert is_cut(line) or received(line)


# ── Places ───────────────────────────────────────────────────────────────────────────────────────────


def test_silent_streams_of_an_address_take_places_from_one_another_only(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MOST_GREETING_OF_ADDRESS", 3)
    id = floor.new_table("ez")
    with ExitStack() as stack:
        silent = [stack.enter_context(opened(floor.url, id, "127.0.0.7")) for _ in range(3)]
        other = stack.enter_context(opened(floor.url, id, "127.0.0.8"))
        stack.enter_context(opened(floor.url, id, "127.0.0.7"))
        assert received(silent[0])[2:4] == b"\x03\xf5", "1013: it has waited longest"
        honest = stack.enter_context(
            connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream", source_address=("127.0.0.7", 0))
        )
        honest.send(hello(floor))
        assert json.loads(honest.recv(20))["type"] == "snapshot", "who says who they are comes in"
        assert not is_cut(other, 0), "other addresses are not concerned"


def test_where_every_place_is_taken_the_address_with_most_of_them_gives_one(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _becomes(floor, lambda: len(floor.app_state.greeting) == 0)
    monkeypatch.setattr(connection, "MOST_GREETING", 3)
    id = floor.new_table("ez")
    with ExitStack() as stack:
        silent = [stack.enter_context(opened(floor.url, id, "127.0.0.7")) for _ in range(3)]
        with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as honest:
            honest.send(hello(floor))
            assert json.loads(honest.recv(20))["type"] == "snapshot"
        assert received(silent[0])[2:4] == b"\x03\xf5"


@given(st.lists(st.tuples(st.sampled_from("elr"), st.sampled_from("ab"), st.integers(0, 4))))
def test_the_entrance_counts_as_a_list_would(acts: list[tuple[str, str, int]]) -> None:
    entrance: PendingConnections[int] = PendingConnections()
    twin: list[tuple[str, int]] = []
    for act, address, one in acts:
        if act == "e" and (address, one) not in twin:
            entrance.enter(address, one)
            twin.append((address, one))
        elif act == "l":
            entrance.leave(address, one)
            twin = [each for each in twin if each != (address, one)]
        elif act == "r":
            entrance.renew(address, one)
            if (address, one) in twin:
                twin.remove((address, one))
                twin.append((address, one))
        assert len(entrance) == len(twin)
        for where in "ab":
            assert list(entrance.waiting(where)) == [one for home, one in twin if home == where]
            assert entrance.of(where) <= entrance.of(entrance.fullest())


# ── Stopping ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_nothing_that_strangers_leave_open_disturbs_the_end(tmp_path: Path) -> None:
    """SIGTERM ends the server with status 0 and without a word, whatever hangs on its lines."""
    with ServedFloor(tmp_path) as served, ExitStack() as stack:

        def line() -> socket.socket:
            made = stack.enter_context(socket.socket())
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            made.connect(("127.0.0.1", port_of(served.url)))
            return made

        line()
        line().sendall(b"GET /health HTTP/1.1\r\nhost: loc")
        line().sendall(b"POST" + AT + UPGRADE + b"\r\n")
        line().sendall(b"GET" + AT + UPGRADE + b"x: " + b"a" * 20_000 + b"\r\n\r\n")
        line().sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n" * 8)
        line().sendall(b"POST /api/v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n")
        for said in (b"", b"\x81\x82\0\0\0\0{}", b"\x88\x80\0\0\0\0", PING * 7):
            stack.enter_context(opened(served.url)).sendall(said or PING)
        half = stack.enter_context(opened(served.url))
        half.shutdown(socket.SHUT_WR)
        assert served.client("admin").http.get("/sessions/current").status_code == 200
        assert served.stop() == 0
    assert (tmp_path / "serve.log").read_text() == ""
