"""HTTP as uvicorn reads it, with bounds of our own: how large the head of a request is, how long it takes.

uvicorn leaves both to a proxy. Without them anybody could send a header that never ends, and fill the memory,
or hold connections open for nothing. What is not HTTP is refused in the same form as everything else.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from punto.server.http.rejection import RefusalAnswer
from punto.server.http.strict import malformed

LARGEST_HEAD = 64 * 1024
"""Bytes of the address and the headers of a request."""
ARRIVING_S = 20.0
"""Seconds that a request may take to arrive, and a client to take some of its answer."""


class FloorProtocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._began: float | None = None
        """When the request began that is still arriving; None between two of them."""
        self._head: int | None = 0
        """Bytes of its head so far; None once the head is complete."""
        self._left = 0
        """Bytes of an answer that the client had not taken when it was last looked at."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._began = self.loop.time()
        self._timer = self.loop.call_later(ARRIVING_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_looking()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_looking()
        super().handle_websocket_upgrade()

    # ── Arriving ─────────────────────────────────────────────────────────────────────────────────

    def data_received(self, data: bytes) -> None:
        if self._began is None:
            self._began = self.loop.time()
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > LARGEST_HEAD and not self.transport.is_closing():
            self._refuse(f"its address and headers are larger than {LARGEST_HEAD} bytes")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = self._head or 0
        self._began = self.loop.time()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._began = None
        super().on_message_complete()

    # ── Looking ──────────────────────────────────────────────────────────────────────────────────

    def _look(self) -> None:
        """End a connection whose request does not arrive, or whose client takes nothing of its answer."""
        left = self.transport.get_write_buffer_size()
        if 0 < left == self._left:
            self._abort()
            return
        self._left = left
        wait = ARRIVING_S
        if self._began is not None and not self.pipeline:
            wait = self._began + ARRIVING_S - self.loop.time()
        if wait > 0:
            self._timer = self.loop.call_later(wait, self._look)
        elif self._head:
            self._refuse(f"it took longer than {ARRIVING_S:g} s to arrive")
        else:
            self.transport.close()  # nothing came, or the body of a request whose endpoint waits for it

    def _abort(self) -> None:
        """End it at once, and let the system forget what is left of the answer."""
        line = self.transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _stop_looking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # ── Refusing ─────────────────────────────────────────────────────────────────────────────────

    def send_400_response(self, _: str) -> None:
        self._refuse("it is not HTTP")

    def _refuse(self, problem: str) -> None:
        body = msgspec.json.encode(RefusalAnswer(malformed(problem).text))
        lines = (
            b"HTTP/1.1 400 Bad Request",
            b"content-type: application/json",
            b"cache-control: no-store",
            b"content-length: %d" % len(body),
            b"connection: close",
            b"",
            body,
        )
        self.transport.write(b"\r\n".join(lines))
        self.transport.close()


class StreamProtocol(WebSocketsSansIOProtocol):
    """A stream as uvicorn has it; one that was refused with an answer is not an error in the log."""

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True
