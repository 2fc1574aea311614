"""Connections that ask for nothing, or for too much: they end, and cost neither memory nor time."""

from __future__ import annotations

import gc
import json
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from typing import Any

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from punto.client import Refused
from punto.server import floor_protocol
from punto.server.floor_protocol import LARGEST_HEAD, FloorProtocol
from tests.server.running_floor import RunningFloor

HEAD = b"POST /api/v1/sessions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


@contextmanager
def connected(floor: RunningFloor) -> Iterator[socket.socket]:
    host, port = floor.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 20) as line:
        yield line


def received(line: socket.socket) -> bytes:
    """Everything until the server ends the connection."""
    content = b""
    with suppress(ConnectionResetError):
        while more := line.recv(65536):
            content += more
    return content


def problem(answer: bytes) -> str:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"content-type: application/json" in head
    found = json.loads(body)["refusal"]
    assert found["reason"] == "malformed"
    return str(found["params"]["problem"])


ENDLESS = {
    "a header": b"GET / HTTP/1.1\r\nhost: localhost\r\nx-long: ",
    "an address": b"GET /",
    "names of headers": b"GET / HTTP/1.1\r\nhost: localhost\r\n",
    "headers after a first request": b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HTTP/1.1\r\nx: ",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_head_that_never_ends_is_cut_off(floor: RunningFloor, name: str) -> None:
    more = b"a: a\r\n" * 1000 if name == "names of headers" else b"a" * 6000
    sent = 0
    with connected(floor) as line:
        line.sendall(ENDLESS[name])
        with suppress(OSError):  # it may be over while we send
            while sent < 100 * LARGEST_HEAD:
                sent += line.send(more)
        assert sent < 100 * LARGEST_HEAD, "the server has taken all of it"


def test_a_head_that_is_too_large_is_refused_in_words_and_a_large_one_is_not(floor: RunningFloor) -> None:
    for size, status in ((LARGEST_HEAD // 2, 200), (LARGEST_HEAD + 400, 400)):
        with connected(floor) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx: ")
            line.sendall(b"a" * size)
            if status == 200:
                line.sendall(b"\r\n\r\n")
                assert received(line).startswith(b"HTTP/1.1 200 ")
            else:
                assert problem(received(line)).startswith("its address and headers are larger than")


SLOW = {
    "nothing": b"",
    "blank lines": b"\r\n\r\n",
    "half a head": b"GET /health HTTP/1.1\r\nhost: localhost\r\n",
    "half a body": HEAD + b'content-length: 40\r\n\r\n{"name": ',
    "half a chunk": HEAD + b"transfer-encoding: chunked\r\n\r\n40\r\n{",
}


@pytest.mark.parametrize("name", SLOW)
def test_a_request_that_does_not_arrive_ends_its_connection(
    floor: RunningFloor, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_protocol, "ARRIVING_S", 0.2)
    with connected(floor) as line:
        line.sendall(SLOW[name])
        answer = received(line)
    if name in ("half a head", "blank lines"):
        assert problem(answer) == "it took longer than 0.2 s to arrive"
    else:
        assert answer == b""


@pytest.mark.parametrize("after", [b"\r\n", b"GET /health HT", HEAD + b"content-length: 40\r\n\r\n{"])
def test_a_second_request_on_the_same_connection_has_the_same_bound(
    floor: RunningFloor, after: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_protocol, "ARRIVING_S", 0.2)
    with connected(floor) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n" + after)
        assert received(line).startswith(b"HTTP/1.1 200 ")


def test_an_answer_that_nobody_takes_ends_its_connection(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor_protocol, "ARRIVING_S", 0.2)
    host, port = floor.url.removeprefix("http://").split(":")
    asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(20)
        line.connect((host, int(port)))
        line.sendall(asked * 200)  # nothing is read: the answers fill every buffer between us
        ended = select.poll()
        ended.register(line, 0)
        assert ended.poll(20_000), "the server holds it open"


def test_streams_are_not_requests_that_never_arrive(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: Queue[tuple[Any, bool]] = Queue()

    def check(protocol: FloorProtocol) -> None:
        looked.put((protocol.client, protocol in protocol.connections))  # what became a stream is not in it

    monkeypatch.setattr(FloorProtocol, "_check_progress", check)
    monkeypatch.setattr(floor_protocol, "ARRIVING_S", 0.2)
    stream = floor.client("Lee").stream(floor.new_table("ez"))
    assert not isinstance(stream, Refused)
    with stream, connected(floor) as younger:
        address = younger.getsockname()
        while (one := looked.get(timeout=20))[0] != address:
            assert one[1], "a stream is looked at like a request"


# ── What a stranger can make us keep or do ───────────────────────────────────────────────────────────

CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
AROUND = {
    "a trailer": (CHUNKED + b"0\r\nx: ", b"a" * 6000),
    "names of trailers": (CHUNKED + b"0\r\n", b"a: a\r\n" * 1000),
    "an extension of a chunk": (CHUNKED + b"1;", b"a" * 6000),
    "tiny chunks": (CHUNKED, b"1\r\n{\r\n" * 1000),
    "blank lines after a request": (b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n", b"\r\n" * 3000),
}


@pytest.mark.parametrize("name", AROUND)
def test_what_stands_around_a_body_is_bounded_like_a_head(floor: RunningFloor, name: str) -> None:
    first, more = AROUND[name]
    sent = 0
    with connected(floor) as line:
        line.sendall(first)
        with suppress(OSError):
            while sent < 100 * LARGEST_HEAD:
                sent += line.send(more)
        assert sent < 100 * LARGEST_HEAD, "the server has taken all of it"


MANY = {
    "headers": (b"GET /health HTTP/1.1\r\nhost: localhost\r\n" + b"a: a\r\n" * 201 + b"\r\n", "headers"),
    "trailers": (CHUNKED + b"0\r\n" + b"a: a\r\n" * 201 + b"\r\n", "headers"),
    "chunks": (CHUNKED + b"1\r\n{\r\n" * 1001 + b"0\r\n\r\n", "chunks"),
}


@pytest.mark.parametrize("name", MANY)
def test_parts_of_a_request_are_counted_as_they_are_read(
    floor: RunningFloor, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(
        FloorProtocol, "on_header", _noting(FloorProtocol.on_header, read)
    )  # the work that a stranger makes
    monkeypatch.setattr(FloorProtocol, "on_body", _noting(FloorProtocol.on_body, read))
    content, what = MANY[name]
    with connected(floor) as line:
        line.sendall(content * 20)
        assert what in problem(received(line))
    assert len(read) <= floor_protocol.MOST_CHUNKS + 10


def _noting(function: Any, noted: list[bytes]) -> Any:
    def noting(self: Any, *given: bytes) -> None:
        noted.append(given[0])
        function(self, *given)

    return noting


def test_requests_in_a_row_are_read_as_far_as_they_can_wait(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[bytes] = []
    monkeypatch.setattr(FloorProtocol, "on_url", _noting(FloorProtocol.on_url, read))
    with connected(floor) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n" * 5000)
        answers = received(line)
    most = floor_protocol.MOST_PIPELINED + 1
    assert len(read) <= most
    assert 0 < answers.count(b"HTTP/1.1 200 OK") <= most, "those before it are answered in order"
    assert answers.count(b"HTTP/1.1") == answers.count(b"HTTP/1.1 200 OK")
    assert b"connection: close" in answers.rpartition(b"HTTP/1.1")[2]


def test_a_few_requests_in_a_row_are_all_answered(floor: RunningFloor) -> None:
    asked = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n" * 5
    last = b"GET /ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    with connected(floor) as line:
        line.sendall(asked + last)
        assert received(line).count(b"HTTP/1.1 200 OK") == 6


def test_the_head_of_an_answer_and_its_body_are_written_together(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []

    class Noted:
        """A transport, with everything that an answer has written to it."""

        def __init__(self, transport: Any) -> None:
            self.is_closing, self.close, self._transport = transport.is_closing, transport.close, transport

        def write(self, content: bytes) -> None:
            written.append(content)
            self._transport.write(content)

    begin = FloorProtocol._start_asgi_task

    def noted(protocol: FloorProtocol, cycle: Any, app: Any) -> None:
        cycle.transport = Noted(cycle.transport)
        begin(protocol, cycle, app)

    monkeypatch.setattr(FloorProtocol, "_start_asgi_task", noted)
    last = b"connection: close\r\nhost: localhost\r\n\r\n"
    posted = HEAD + b"expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"
    for request, pieces in (
        (b"GET /health HTTP/1.1\r\n" + last, 1),
        (b"HEAD /health HTTP/1.1\r\n" + last, 1),
        (posted, 2),
    ):
        written.clear()
        with connected(floor) as line:
            line.sendall(request)
            answer = received(line)
        assert answer == b"".join(written) and len(written) == pieces
        head, _, body = answer.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n").partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 ") and bool(body) is not request.startswith(b"HEAD")
    assert written[0] == b"HTTP/1.1 100 Continue\r\n\r\n", "a client that asks for it is let go on at once"


def test_an_address_has_so_many_connections_and_the_one_that_asked_longest_ago_goes(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floor_protocol, "MOST_CONNECTIONS", 3)
    asked = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
    host, port = floor.url.removeprefix("http://").split(":")

    def other() -> socket.socket:
        return socket.create_connection((host, int(port)), 20, ("127.0.0.9", 0))

    def ask(line: socket.socket) -> None:
        line.sendall(asked)
        answer = b""
        while not answer.endswith(b"}"):
            more = line.recv(65536)
            assert more, "it was ended"
            answer += more

    with other() as first, other() as second, other() as third:
        for line in (second, third, first):
            ask(line)
        with connected(floor) as elsewhere, other() as fourth:
            for line in (elsewhere, fourth, third, first):
                ask(line)
            assert received(second) == b"", "it was the one that asked longest ago"


# ── Streams that are none ────────────────────────────────────────────────────────────────────────────

UPGRADE = (
    b"host: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
AT = b" /api/v1/tables/t1/stream HTTP/1.1\r\n"
NO_STREAMS = {
    "POST": b"POST" + AT + UPGRADE + b"\r\n",
    "POST with a body": b"POST" + AT + UPGRADE + b"content-length: 2\r\n\r\n{}",
    "CONNECT": b"CONNECT" + AT + UPGRADE + b"\r\n",
    "a body": b"GET" + AT + UPGRADE + b"content-length: 2\r\n\r\n{}",
    "chunks": b"GET" + AT + UPGRADE + b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "a long header": b"GET" + AT + UPGRADE + b"x: " + b"a" * 20_000 + b"\r\n\r\n",
    "a long address": b"GET /" + b"a" * 20_000 + AT[1:] + UPGRADE + b"\r\n",
    "many headers": b"GET" + AT + UPGRADE + b"a: a\r\n" * 150 + b"\r\n",
    "HTTP/1.0": b"GET" + AT.replace(b"1.1", b"1.0") + UPGRADE + b"\r\n",
    "no key": b"GET" + AT + UPGRADE.replace(b"-key", b"-lock") + b"\r\n",
    "after a request": b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nPOST" + AT + UPGRADE + b"\r\n",
    "while one is answered": b"GET /ready HTTP/1.1\r\nhost: localhost\r\n\r\nGET" + AT + UPGRADE + b"\r\n",
}


@pytest.mark.parametrize("name", NO_STREAMS)
def test_what_asks_for_a_stream_and_cannot_have_one_is_answered_and_ended(floor: RunningFloor, name: str) -> None:
    with connected(floor) as line:
        line.settimeout(5)
        line.sendall(NO_STREAMS[name])
        answer = received(line)
    assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 4")), answer[:80]
    assert b" 101 " not in answer


def test_what_a_request_made_is_gone_with_its_answer(floor: RunningFloor) -> None:
    # Whatever waits for the garbage collector instead costs every bet a tenth of its time.
    def answering() -> int:
        return sum(isinstance(each, RequestResponseCycle) for each in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        with connected(floor) as line:
            before = answering()
            for _ in range(20):
                line.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
                answer = b""
                while not answer.endswith(b"}"):
                    answer += line.recv(65536)
            assert answering() <= before + 2, "only what this connection was asked last is still there"
    finally:
        gc.enable()
