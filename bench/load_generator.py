"""Load for a served floor: kept-alive connections that send requests back to back, and many watchers.

Written on bare sockets, so that the two cores are spent on the server and not on a client library.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit


class Asking:
    """One connection that asks now and then, and knows how long each answer took."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def at(cls, url: str, local: str | None = None) -> Asking:
        address = urlsplit(url)
        own = None if local is None else (local, 0)
        return cls(*await asyncio.open_connection(address.hostname, address.port, local_addr=own))

    async def ask(self, request: bytes) -> tuple[int, float]:
        """Send a request: the status of its answer, and the seconds until all of it was there."""
        begin = time.perf_counter()
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        await self._reader.readexactly(int(head[at:].split(b"\r\n", 1)[0]))
        return int(head[9:12]), time.perf_counter() - begin


class KeptAlive(asyncio.Protocol):
    """One connection: sends a request, reads its answer, sends the next."""

    def __init__(self, requests: Iterator[bytes], done: asyncio.Future[int], counts: dict[int, int]) -> None:
        self._requests, self._done, self._counts = requests, done, counts
        self._buffer = b""
        self._sent = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def _next(self) -> None:
        request = next(self._requests, None)
        if request is None:
            self._transport.close()
            if not self._done.done():
                self._done.set_result(self._sent)
            return
        self._sent += 1
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, rest = self._buffer.partition(b"\r\n\r\n")
        if not end:
            return
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        length = int(head[at:].split(b"\r\n", 1)[0])
        if len(rest) < length:
            return
        status = int(head[9:12])
        self._counts[status] = self._counts.get(status, 0) + 1
        if status >= 400 and self._counts[status] == 1:
            print(f"an answer was {status}: {rest[:200]!r}")
        self._buffer = rest[length:]
        self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._done.done():
            self._done.set_exception(error or ConnectionError("the connection was closed"))


def request_of(host: str, method: str, path: str, token: str | None, body: object | None = None) -> bytes:
    """A request as it goes over the wire."""
    content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(content)}"]
    lines += [f"Authorization: Bearer {token}"] if token is not None else []
    lines += ["Content-Type: application/json"] if body is not None else []
    return "\r\n".join((*lines, "", "")).encode() + content


async def send_all(url: str, requests: list[Iterator[bytes]]) -> tuple[float, dict[int, int]]:
    """Send each row of requests over a connection of its own; the seconds it took, and answers by status."""
    address, counts = urlsplit(url), dict[int, int]()
    loop = asyncio.get_running_loop()
    start, waiting = time.perf_counter(), []
    for row in requests:
        done: asyncio.Future[int] = loop.create_future()
        waiting.append(done)

        def made(row: Iterator[bytes] = row, done: asyncio.Future[int] = done) -> KeptAlive:
            return KeptAlive(row, done, counts)

        await loop.create_connection(made, str(address.hostname), int(address.port or 80))
    await asyncio.gather(*waiting)
    return time.perf_counter() - start, counts


@dataclass
class Watching(asyncio.Protocol):
    """A watcher of a table: answers pings, and notes when each event came. Without a greeting it is a guest."""

    host: str
    path: str
    hello: bytes | None
    came: Callable[[int], None]
    is_ready: asyncio.Future[None]
    is_page: bool = False  # Offers to have frames packed, as a browser does; events come as they are.
    _buffer: bytearray = field(default_factory=bytearray)
    _is_open: bool = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        packed = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" if self.is_page else ""
        self._transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{packed}\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, end, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_open, self._buffer = True, bytearray(rest)
            if self.hello is not None:
                self._send(1, self.hello)
        while (frame := self._frame()) is not None:
            code, content = frame
            if code == 9:
                self._send(10, content)
            elif content.startswith(b'{"type":"event","seq":'):
                self.came(int(content[22 : content.index(b",", 22)]))
            else:
                if self.hello is None:
                    self.came(len(content))
                if not self.is_ready.done():
                    self.is_ready.set_result(None)

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame; the server's are not masked."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length == 126:
            length, start = int.from_bytes(buffer[2:4], "big"), 4
        elif length == 127:
            length, start = int.from_bytes(buffer[2:10], "big"), 10
        if len(buffer) < start + length:
            return None
        found = buffer[0] & 15, bytes(buffer[start : start + length])
        del buffer[: start + length]
        return found

    def _send(self, code: int, content: bytes) -> None:
        """A frame of ours, masked with nothing."""
        size = len(content)
        length = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
        self._transport.write(bytes([128 | code]) + length + bytes(4) + content)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.is_ready.done():
            self.is_ready.set_exception(error or ConnectionError("the stream was closed"))
