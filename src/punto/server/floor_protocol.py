"""HTTP and streams as uvicorn reads them, with bounds of our own on everything that a stranger can send.

uvicorn leaves them to a proxy. Without them one connection could fill the memory or keep the loop busy for
everybody: a head or a trailer that never ends, requests in a row whose answers nobody reads, thousands of
empty frames in one piece of data. What is not HTTP is refused in the same form as everything else, and what
is over is over: a connection whose client does not take the last bytes is cut off.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, NoReturn

import msgspec
from uvicorn.protocols.http.httptools_impl import (
    HEADER_RE,
    HEADER_VALUE_RE,
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState, ProtocolError
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from punto.floor.log_ins import network_of
from punto.server.access import Message, PendingConnections, Receive, Send
from punto.server.validation import RefusalAnswer, malformed

LARGEST_HEAD = 64 * 1024
"""Bytes of the address and the headers of a request; as many again of what stands around its body."""
MOST_HEADERS = 200  # Headers of a request, those after its body with them.
MOST_CHUNKS = 1_000  # Chunks in which the body of a request may come.
MOST_PIPELINED = 8  # Requests that may wait on one connection for the answer before them.
MOST_CONNECTIONS = 2_000
"""Connections of one address, streams not counted; beyond them, the one that asked longest ago is ended."""
ARRIVING_S = 20.0  # Seconds that a request may take to arrive, and a client to take some of its answer.
ENDING_S = 10.0  # Seconds that a client has to take the last bytes of a stream that is over.
LAST_S = 1.0  # Seconds that a client has to take them when the server stops.
FRAMES_BEFORE_HELLO = 8  # Frames of any kind before a client has said who it is, and again once its stream is over.
LARGEST_HELLO = 4 * 1024  # Bytes of a message before that.
TOO_MANY_FRAMES = 4400  # The code that ends a stream with more frames than that; `CloseCode` has all of them.
LARGEST_PLAIN = 1_024
"""Bytes of a frame that is not packed on a connection that may pack: an event for a thousand watchers is made once and
written a thousand times, and packing it for each of them would cost more than all the rest."""
LINE = "punto.line"  # Where the application finds the line of a stream, among the extensions of its scope.
_ENTRANCE = "punto.entrance"


Header = tuple[bytes, bytes]


class _TooMany(Exception):
    """Stops the parser in the middle of what it was given."""


class _Answer:
    """Sends an answer whole, as our application gives it: the head waits for the body, and both go out together.

    uvicorn looks at each header of each answer anew, which takes longer than deciding some bets, and writes head and
    body one after the other, so that the system sends two packets and the client is woken twice.
    """

    def __init__(self, cycle: RequestResponseCycle, send: Send) -> None:
        self._cycle, self._send = cycle, send
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif self._start is None or message.get("more_body", False):
            if self._start is not None:
                await self._send(self._start)
                self._start = None
            await self._send(message)
        else:
            if self._cycle.flow.write_paused and not self._cycle.disconnected:
                await self._cycle.flow.drain()
            if not self._cycle.disconnected:
                self._write(self._start["status"], (*self._start["headers"],), message["body"])

    def _write(self, status: int, headers: tuple[Header, ...], content: bytes) -> None:
        cycle, named = self._cycle, dict(headers)
        is_without = cycle.scope["method"] == "HEAD" or status in (204, 304)
        assert is_without or int(named[b"content-length"]) == len(content), "an answer says how long it is"
        if b"connection" in named:
            cycle.keep_alive = False  # the only thing that we ever say of it
        elif not cycle.keep_alive:
            headers += ((b"connection", b"close"),)
        # The token in a cookie is kept nowhere.
        lines = _lines_of(headers) if b"set-cookie" not in named else _lines_of.__wrapped__(headers)
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(STATUS_LINE[status] + _lines_of((*cycle.default_headers,)) + lines + b"\r\n" + content)
        cycle.message_event.set()
        if not cycle.keep_alive:
            cycle.transport.close()
        cycle.on_response()


@lru_cache(maxsize=1_024)
def _lines_of(headers: tuple[Header, ...]) -> bytes:
    """Headers as lines. Thousands of answers have the same ones, and only these are looked at and put together."""
    for name, value in headers:
        assert not HEADER_RE.search(name) and not HEADER_VALUE_RE.search(value), "a header is one line"
    return b"".join([b"%b: %b\r\n" % header for header in headers])


class FloorProtocol(HttpToolsProtocol):
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._began: float | None = None  # When the request began that is still arriving; None between two of them.
        self._head: int | None = 0  # Bytes of its head so far; None once the head is complete.
        self._around = 0  # Bytes since then that are not its body: heads of chunks, and the headers after the last one.
        self._headers = self._chunks = 0
        self._problem: str | None = None  # Why nothing more is read of this connection.
        self._left = 0  # Bytes of an answer that the client had not taken when it was last checked.
        self._timer: asyncio.TimerHandle | None = None
        self._running: RequestResponseCycle | None = None
        """What is being answered, or was last; uvicorn knows only the one that came last."""
        self._entrance: PendingConnections[FloorProtocol] = self.app_state.setdefault(_ENTRANCE, PendingConnections())

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._began = self.loop.time()
        self._timer = self.loop.call_later(ARRIVING_S, self._check_progress)
        if not self._is_of_proxy():
            self._enter()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_checking()
        self._entrance.leave(self._address, self)
        self.pipeline.clear()  # whoever waits there has nobody to answer
        super().connection_lost(exc)
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        def answered(scope: Any, receive: Receive, send: Send) -> Any:
            return app(scope, receive, _Answer(cycle, send).send)

        self._running = cycle
        super()._start_asgi_task(cycle, answered)  # type: ignore[arg-type]

    @property
    def _address(self) -> str:
        """Whose connection it is: of IPv6 addresses one customer has a whole network."""
        return network_of(self.client[0]) if self.client else ""

    def _is_of_proxy(self) -> bool:
        """A proxy that is named brings everybody's requests; it counts them itself."""
        named = self.config.forwarded_allow_ips
        if not self.config.proxy_headers or not self.client or not isinstance(named, list):
            return False
        address = ipaddress.ip_address(self.client[0])
        return any(address in ipaddress.ip_network(one, strict=False) for one in named)

    def _enter(self) -> None:
        if self._entrance.of(self._address) >= MOST_CONNECTIONS:
            idle = next((one for one in self._entrance.waiting(self._address) if not one.is_answering), None)
            if idle is None:
                self._abort()
                return
            self._entrance.leave(self._address, idle)
            idle._abort()
        self._entrance.enter(self._address, self)

    @property
    def is_answering(self) -> bool:
        """Whether a request has arrived whole and waits for its answer."""
        return self._running is not None and not (self._running.response_complete or self._running.more_body)

    def data_received(self, data: bytes) -> None:
        if self._problem is not None:
            return
        if self._began is None:
            self._began = self.loop.time()
        if self._head is not None:
            self._head += len(data)
        else:
            self._around += len(data)
        super().data_received(data)
        if self._head is not None and self._head > LARGEST_HEAD:
            self._refuse(f"its address and headers are larger than {LARGEST_HEAD} bytes")
        elif self._around > LARGEST_HEAD:
            self._refuse(f"what stands around its body is larger than {LARGEST_HEAD} bytes")

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            self._stop(f"more than {MOST_PIPELINED} requests wait for the answer before them")
        super().on_message_begin()
        self._head, self._around, self._headers, self._chunks = self._head or 0, 0, 0, 0
        self._began = self.loop.time()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers += 1
        if self._headers > MOST_HEADERS:
            self._stop(f"it has more than {MOST_HEADERS} headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head, self._around = None, 0
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._chunks += 1
        if self._chunks > MOST_CHUNKS:
            self._stop(f"its body comes in more than {MOST_CHUNKS} chunks")

    def on_body(self, body: bytes) -> None:
        self._around = max(0, self._around - len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._began, self._around = None, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._entrance.renew(self._address, self)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        if self.is_answering or self.pipeline:
            self._refuse("a stream begins when every answer before it has been sent")
        elif self.scope["method"] != "GET" or self.scope["http_version"] != "1.1":
            self._refuse("a stream is opened by GET and HTTP/1.1")
        else:
            self._stop_checking()
            self._entrance.leave(self._address, self)
            super().handle_websocket_upgrade()

    def _check_progress(self) -> None:
        """End a connection whose request does not arrive, or whose client takes nothing of its answer."""
        left = self.transport.get_write_buffer_size()
        if 0 < left == self._left:
            self._abort()
            return
        self._left = left
        wait = ARRIVING_S
        if self._began is not None and not self.pipeline and not self.transport.is_closing():
            wait = self._began + ARRIVING_S - self.loop.time()
        if wait <= 0:
            if self._head:
                self._refuse(f"it took longer than {ARRIVING_S:g} s to arrive")
            else:
                self.transport.close()  # nothing came, or the body of a request whose endpoint waits for it
            wait = ARRIVING_S
        self._timer = self.loop.call_later(wait, self._check_progress)

    def shutdown(self) -> None:
        super().shutdown()
        self._stop_checking()
        self._left = 0
        self._check_while_stopping()

    def _check_while_stopping(self) -> None:
        """While the server stops: end a connection whose client takes nothing, or that sends nothing."""
        left = self.transport.get_write_buffer_size()
        if 0 < left == self._left or self._running is None or self._running.more_body:
            self._abort()
            return
        self._left = left
        self._timer = self.loop.call_later(LAST_S, self._check_while_stopping)

    def _abort(self) -> None:
        abort(self.transport)

    def _stop_checking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop(self, problem: str) -> NoReturn:
        """Stop the parser at once: one piece of data may hold much more of the same."""
        self._problem = problem
        raise _TooMany

    def send_400_response(self, _: str) -> None:
        self._refuse(self._problem or "it is not HTTP")

    def _refuse(self, problem: str) -> None:
        """Read no more; say why, unless answers to requests before it are still to come."""
        self._problem = problem
        if self.transport.is_closing():
            return
        if self.is_answering or self.pipeline:
            self.cycle.keep_alive = False  # the connection ends after the last answer
            if self.cycle.more_body:
                self.transport.close()
            return
        self.transport.write(_refusal(problem))
        self.transport.close()


def _refusal(problem: str) -> bytes:
    body = msgspec.json.encode(RefusalAnswer(malformed(problem).text))
    head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncache-control: no-store\r\n"
    return head + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body) + body


def abort(transport: asyncio.Transport) -> None:
    """End a connection at once, and let the system forget what is left of the answer."""
    line = transport.get_extra_info("socket")
    if line is not None:
        with suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


class _CountedFrames(ServerProtocol):
    """The frames of a client, as long as they are not too many.

    A frame of six bytes costs as much work as a large one, and one piece of data may hold tens of thousands:
    they are counted as they are read, not when they have been read.
    """

    def __init__(self, before: ServerProtocol) -> None:
        super().__init__(extensions=before.available_extensions, max_size=LARGEST_HELLO, logger=before.logger)
        self.is_allowed = _handful()

    def recv_frame(self, frame: Frame) -> None:
        if not self.is_allowed():
            self.fail(TOO_MANY_FRAMES, "too many frames")
            raise ProtocolError("too many frames")
        super().recv_frame(frame)


def _handful() -> Callable[[], bool]:
    left = iter(range(FRAMES_BEFORE_HELLO))
    return lambda: next(left, None) is not None


class StreamProtocol(WebSocketsSansIOProtocol):
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn: _CountedFrames = _CountedFrames(self.conn)
        self.close_timeout = ENDING_S / 2
        self._end: asyncio.TimerHandle | None = None
        self._when_lost: list[Callable[[], None]] = []

    def greet(self, is_allowed: Callable[[], bool]) -> None:
        """The client has said who it is: larger messages, and frames as long as this says yes to each."""
        self.allow(is_allowed)
        self.conn.max_message_size = self.config.ws_max_size

    def allow(self, is_allowed: Callable[[], bool]) -> None:
        """Frames as long as this says yes to each; a client that only listens answers whether it is still there."""
        self.conn.is_allowed = is_allowed

    def when_lost(self, callback: Callable[[], None]) -> None:
        """Call this when the line is gone."""
        if self.disconnected:
            callback()
        else:
            self._when_lost.append(callback)

    def dismiss(self, code: int, reason: str) -> None:
        """End a stream that nobody listens to; one that is over already, at once."""
        if self.close_sent or self.transport.is_closing():
            self._abort()
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    def end_within(self, seconds: float) -> None:
        """The stream is over: whatever the client has not taken by then is thrown away."""
        if self.disconnected:
            return
        self.conn.is_allowed = _handful()
        due = self.loop.time() + seconds
        if self._end is not None:
            if self._end.when() <= due:
                return
            self._end.cancel()
        self._end = self.loop.call_later(seconds, self._abort)

    def _abort(self) -> None:
        if not self.disconnected:
            abort(self.transport)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated and self.conn.handshake_exc is not None:
            self.handshake_complete = self.close_sent = True  # there is nothing to be shut down
            self.transport.write(_refusal(f"it opens no stream: {self.conn.handshake_exc}"))
            self.transport.close()
            self.end_within(ENDING_S)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: Any = self.scope["extensions"]
            extensions[LINE] = self
        else:
            self.end_within(ENDING_S)

    def put_text(self, content: bytes) -> bool:
        """Write a text frame at once; False where it has to wait, is worth packing, or nothing more can be written."""
        size = len(content)
        if size > LARGEST_PLAIN and self.conn.extensions:
            return False
        is_open = self.conn.state is State.OPEN and not self.close_sent and not self.transport.is_closing()
        if not is_open or not self.writable.is_set():
            return False
        if size < 126:
            head = bytes((0x81, size))
        elif size < 65_536:
            head = b"\x81\x7e" + size.to_bytes(2, "big")
        else:
            head = b"\x81\x7f" + size.to_bytes(8, "big")
        self.transport.write(head + content)
        return True

    def handle_ping(self) -> None:
        output = self.conn.data_to_send()
        if self.writable.is_set():  # whoever does not read needs no answer
            self.transport.write(b"".join(output))

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self.end_within(ENDING_S)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.end_within(ENDING_S)

    def eof_received(self) -> None:
        self.end_within(ENDING_S)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(exc)
        callbacks, self._when_lost = self._when_lost, []
        for callback in callbacks:
            callback()

    def shutdown(self) -> None:
        if self.transport.is_closing():
            self._abort()
            return
        with suppress(InvalidState):
            super().shutdown()
        self.end_within(LAST_S)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if self._end is None:
            self.end_within(ENDING_S)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # one that was refused with an answer is not an error in the log
