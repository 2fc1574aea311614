"""Connections that ask for nothing, or for too much: they end, and cost neither memory nor time."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Queue
from typing import Any

import pytest

from punto.client import Refused
from punto.server.http import floor_protocol
from punto.server.http.floor_protocol import LARGEST_HEAD, FloorProtocol
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


def test_an_answer_that_nobody_takes_ends_its_connection(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_streams_are_not_requests_that_never_arrive(
    floor: RunningFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: Queue[tuple[Any, bool]] = Queue()

    def look(protocol: FloorProtocol) -> None:
        looked.put((protocol.client, protocol in protocol.connections))  # what became a stream is not in it

    monkeypatch.setattr(FloorProtocol, "_look", look)
    monkeypatch.setattr(floor_protocol, "ARRIVING_S", 0.2)
    stream = floor.client("Lee").stream(floor.new_table("ez"))
    assert not isinstance(stream, Refused)
    with stream, connected(floor) as younger:
        address = younger.getsockname()
        while (one := looked.get(timeout=20))[0] != address:
            assert one[1], "a stream is looked at like a request"
