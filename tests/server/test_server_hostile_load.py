"""One hostile stranger beside an honest client, whose work is compared with the same run alone.

The stranger has a process of its own, sends as fast as it can, and comes back whenever it is cut off. Each of
these kept the loop busy for seconds at a time before everything that a stranger sends was bounded.
"""

from __future__ import annotations

import multiprocessing
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.server.served import ServedFloor
from tests.server.test_floor_protocol import AT, CHUNKED, UPGRADE

ASKED = 60
"""Requests of the honest client, each on a connection of its own."""
MOST_TIMES = 12
"""How many times longer they may take beside the stranger, on a machine that both share with the server."""
_OPEN = b"GET" + AT + UPGRADE + b"\r\n"
_EMPTY = b"\x80\0\0\0\0"
ATTACKS = {
    "a trailer that never ends": (CHUNKED + b"0\r\nx: ", b"a" * 65536),
    "tiny chunks": (CHUNKED, b"1\r\n{\r\n" * 10_000),
    "headers without end": (b"GET / HTTP/1.1\r\nhost: localhost\r\n", b"a: a\r\n" * 10_000),
    "requests in a row": (b"", b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n" * 4_000),
    "pings before the hello": (_OPEN, (b"\x89" + _EMPTY) * 10_000),
    "fragments before the hello": (_OPEN + b"\x01" + _EMPTY, (b"\x00" + _EMPTY) * 10_000),
    "streams that say nothing": (_OPEN, b""),
}


def attack(port: int, first: bytes, more: bytes) -> None:
    """Send as fast as it goes, and come back when it is cut off; for ever."""
    silent: list[socket.socket] = []
    while True:
        line = socket.create_connection(("127.0.0.1", port), 20)
        with suppress(OSError):
            line.sendall(first)
            if not more:
                silent.append(line)
                del silent[:-400]
                line.recv(1)
                continue
            while True:
                line.sendall(more)
        line.close()


@contextmanager
def attacked(port: int, name: str) -> Iterator[None]:
    process = multiprocessing.get_context("spawn").Process(target=attack, args=(port, *ATTACKS[name]))
    process.start()
    try:
        yield
        assert process.is_alive(), "it attacked until the end"
    finally:
        process.kill()
        process.join()


def seconds_of(port: int, token: str) -> float:
    """How long the honest client needs."""
    began = time.perf_counter()
    for _ in range(ASKED):
        line = HTTPConnection("127.0.0.1", port, timeout=60)
        line.request("GET", "/api/v1/sessions/current", headers={"authorization": f"Bearer {token}"})
        answer = line.getresponse()
        said = answer.read()
        assert answer.status == 200, said
        answer.close()
        line.close()
    return time.perf_counter() - began


@pytest.mark.slow
def test_a_stranger_who_sends_without_end_does_not_stop_an_honest_client(tmp_path: Path) -> None:
    with ServedFloor(tmp_path, "--rate", "100000") as served:
        port = int(served.url.rpartition(":")[2])
        token = served.client("admin").http.headers["authorization"].removeprefix("Bearer ")
        work = partial(seconds_of, port, token)
        work()
        alone, beside = work(), dict[str, float]()
        for name in ATTACKS:
            with attacked(port, name):
                work()  # the stranger has begun by then
                beside[name] = work()
        alone = max(alone, work())
    times = {name: round(found / alone, 1) for name, found in beside.items()}
    assert max(times.values()) < MOST_TIMES, times
