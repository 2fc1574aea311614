"""One stream: greeting, catching up, then frames out and commands in until somebody leaves.

The client may be slow, hostile or cut off at any moment. What it sends is read as strictly as a body; what
it is sent comes from a bounded queue; and it begins again where it was, by the number of its last event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from punto.floor.floor import TABLE_ID
from punto.floor.job import Accepted
from punto.floor.loaded import LoadedTable
from punto.refusal import Refusal
from punto.rules.role import LADDER, Role
from punto.server import counting
from punto.server.access.session_book import Caller
from punto.server.access.throttle import slow_down
from punto.server.commanding import give
from punto.server.hall import Hall
from punto.server.http.command_body import CommandRequest
from punto.server.http.floor_protocol import ENDING_S, LINE, StreamProtocol
from punto.server.http.rejection import RefusalText, Rejected, ServerReason, text_of
from punto.server.http.strict import LARGEST_BODY, read_json
from punto.server.stream.frames import (
    AnswerFrame,
    CloseCode,
    CommandFrame,
    HelloFrame,
    client_decoder,
    encoder,
)
from punto.server.stream.hub import RECENT, encode_event_frame
from punto.server.stream.outlook import encode_clock
from punto.server.stream.pit_calls import encode_call, hears_call, live_calls
from punto.server.stream.watcher import Watcher
from punto.store.errors import StoreError
from punto.views.viewer import Viewer

Socket = WebSocket[Any, Any, Any]

MOST_GREETING = 2_000
"""Streams that may wait at the same time for their client to say who it is."""
MOST_GREETING_OF_ADDRESS = 500
"""Those of one address; beyond them, the one that has waited longest is ended."""
BUSY = "too many streams begin at the same time; try again"
MOST_STREAMS = 2_000
"""Streams of one person at the same time, enough for a hall of screens; each may have a long queue."""
HELLO_S = 10.0
"""Seconds in which a client must say who it is."""
MOST_MISSED = 1_000
"""Events that are sent again; whoever missed more gets a snapshot."""
MISSED_PER_REQUEST = 50
"""Events that a stream has missed count as a request when there are this many of them."""
CHECK_S = 20.0
"""How often it is looked up whether the session still holds."""
LONGEST_REASON = 123
"""Bytes of the reason in a closing frame."""
CLOSE_S = 30.0
"""Seconds that a slow client has to read on and take the reason why its stream ends; then it is cut off."""
_log = logging.getLogger("punto.server")


class StreamEnded(Exception):
    """Ends a stream with a code."""

    def __init__(self, code: CloseCode, reason: str = "") -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason

    @property
    def told(self) -> str:
        """The reason as a closing frame can hold it."""
        content = self.reason.encode()
        if len(content) <= LONGEST_REASON:
            return self.reason
        return f"{content[: LONGEST_REASON - 3].decode(errors='ignore')}…"


async def serve_stream(hall: Hall, socket: Socket, table: str) -> None:
    """One stream from its first frame to its end."""
    extensions: Any = socket.scope["extensions"]
    line: StreamProtocol = extensions[LINE]
    await socket.accept()
    try:
        caller, hello = await _greeted(hall, socket, line)
        await _served(hall, socket, table, caller, hello)
    except StreamEnded as closing:
        line.end_within(CLOSE_S if closing.code is CloseCode.TOO_SLOW else ENDING_S)
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close(code=int(closing.code), reason=closing.told)
    except WebSocketDisconnect:
        pass


async def _greeted(hall: Hall, socket: Socket, line: StreamProtocol) -> tuple[Caller, HelloFrame]:
    """Who it is. Whoever does not say so keeps a place of their address until the line is gone."""
    address = socket.client.host if socket.client else ""
    _take_place(hall, address, line)
    hello = await _hello(socket)
    caller = await hall.sessions.redeem(hello.ticket)
    if caller is None:
        raise StreamEnded(CloseCode.SESSION, "the ticket was used, has expired or was never given")
    hall.greeting.leave(address, line)
    line.greet(lambda: not hall.by_frames.wait(caller.session.token))
    return caller, hello


def _take_place(hall: Hall, address: str, line: StreamProtocol) -> None:
    """Take a place; where an address has its share already, its place that has waited longest goes."""
    crowded = None
    if hall.greeting.of(address) >= MOST_GREETING_OF_ADDRESS:
        crowded = address
    elif len(hall.greeting) >= MOST_GREETING:
        crowded = hall.greeting.fullest()
        if hall.greeting.of(crowded) <= hall.greeting.of(address):
            raise StreamEnded(CloseCode.BUSY, BUSY)
    if crowded is not None:
        oldest = next(hall.greeting.waiting(crowded))
        hall.greeting.leave(crowded, oldest)
        oldest.dismiss(int(CloseCode.BUSY), BUSY)
    hall.greeting.enter(address, line)
    line.when_lost(lambda: hall.greeting.leave(address, line))


async def _served(hall: Hall, socket: Socket, table: str, caller: Caller, hello: HelloFrame) -> None:
    try:
        role = caller.role(hello.role)
    except Rejected as refused:
        raise StreamEnded(CloseCode.ROLE, refused.text.sentence) from None
    if not caller.roles:
        raise StreamEnded(CloseCode.ROLE, "you have no role")
    if TABLE_ID.fullmatch(table) is None or await hall.hub.table(table) is None:
        raise StreamEnded(CloseCode.TABLE, "there is no such table")
    if hall.hub.streams_of(caller.handle) >= MOST_STREAMS:
        raise StreamEnded(CloseCode.BUSY, f"you have {MOST_STREAMS:,} streams open; close one first")
    watcher = Watcher(table, Viewer(caller.handle, role), wants_views=hello.views, roles=caller.roles)
    loaded = hall.hub.add(watcher)
    try:
        await _run(hall, socket, watcher, caller, partial(_begin, hall, socket, watcher, loaded, hello))
    finally:
        hall.hub.remove(watcher)


async def _hello(socket: Socket) -> HelloFrame:
    try:
        frame = await asyncio.wait_for(_frame(socket), HELLO_S)
    except TimeoutError:
        raise StreamEnded(CloseCode.BAD_FRAME, "the first frame must be a hello") from None
    if not isinstance(frame, HelloFrame):
        raise StreamEnded(CloseCode.BAD_FRAME, "the first frame must be a hello")
    return frame


async def _frame(socket: Socket) -> HelloFrame | CommandFrame:
    """The next frame of the client, read strictly."""
    message: Any = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="gone")
    content = message.get("text")
    if content is None:
        raise StreamEnded(CloseCode.BAD_FRAME, "frames are text")
    if len(content) > LARGEST_BODY:
        raise StreamEnded(CloseCode.BAD_FRAME, f"a frame has at most {LARGEST_BODY} bytes")
    try:
        return read_json(content, client_decoder)
    except Rejected as refused:
        raise StreamEnded(CloseCode.BAD_FRAME, refused.text.sentence) from None


async def _begin(
    hall: Hall, socket: Socket, watcher: Watcher, loaded: LoadedTable, hello: HelloFrame
) -> None:
    """What is sent before anything from the queue."""
    await _catch_up(hall, socket, watcher, loaded, hello)
    if any(held in LADDER for held in watcher.roles):
        for call in await asyncio.to_thread(live_calls, hall.store, hall.now()):
            if hears_call(watcher, call):
                await _send(socket, encode_call(call))


async def _catch_up(
    hall: Hall, socket: Socket, watcher: Watcher, loaded: LoadedTable, hello: HelloFrame
) -> None:
    """What the client missed, or the table as it is; what happens meanwhile waits in the queue."""
    after, last = hello.after, loaded.version
    is_known = after is not None and last - MOST_MISSED <= after <= last
    if is_known and after is not None and last - after > RECENT:
        # Whoever comes back again and again for much gets the table as it is.
        is_known = not hall.by_account.wait(watcher.viewer.name or "", (last - after) // MISSED_PER_REQUEST)
    if not is_known or after is None:
        await _send(socket, await hall.outlook.snapshot(loaded, watcher))
        running = hall.outlook.clock(loaded)
        if running is not None:
            watcher.last_clock = (running.what.value, running.ends_at)
            await _send(socket, encode_clock(running))
        return
    if last - after > RECENT:
        wanted = (watcher.table, after, last, watcher.viewer)
        found = await hall.counting.ask(watcher.viewer.name or "", counting.missed, *wanted, key=wanted)
        for frame in msgspec.json.decode(found, type=list[msgspec.Raw]):
            await _send(socket, bytes(frame))
    elif after < last:
        records = await asyncio.to_thread(_read, hall, watcher.table, after, last)
        for state, record in await hall.hub.steps(watcher.table, records):
            await _send(socket, encode_event_frame(state, record, watcher.viewer))
    await hall.outlook.send(loaded, (watcher,))


def _read(hall: Hall, table: str, after: int, last: int) -> Any:
    with hall.store.read() as reader:
        return reader.records(table, after, last - after)


async def _run(
    hall: Hall,
    socket: Socket,
    watcher: Watcher,
    caller: Caller,
    begin: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Frames out, commands in, and a look at the session now and then, until one of them ends."""
    tasks = [
        asyncio.create_task(_write(socket, watcher, begin)),
        asyncio.create_task(_read_commands(hall, socket, watcher, caller)),
        asyncio.create_task(_look(hall, watcher, caller)),
        asyncio.create_task(_drop(watcher)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _write(socket: Socket, watcher: Watcher, begin: Callable[[], Awaitable[None]] | None) -> None:
    if begin is not None:
        await begin()
    while True:
        await _send(socket, await watcher.next())


async def _drop(watcher: Watcher) -> None:
    """A writer that is stuck cannot say so itself."""
    await watcher.to_be_cut_off()
    raise StreamEnded(CloseCode.TOO_SLOW, "you are too far behind; come back with after")


async def _send(socket: Socket, frame: bytes) -> None:
    await socket.send({"type": "websocket.send", "bytes": None, "text": frame.decode()})


async def _look(hall: Hall, watcher: Watcher, caller: Caller) -> None:
    """Whoever has logged out, or does not have the role any more, watches no longer."""
    while True:
        left = (caller.session.expires_ms - hall.now()) / 1000
        await watcher.to_be_looked_at(max(0.0, min(CHECK_S, left)))
        fresh = await hall.sessions.still(caller)
        if fresh is None:
            raise StreamEnded(CloseCode.SESSION, "the session has ended")
        if (role := watcher.viewer.role) not in fresh.roles:
            raise StreamEnded(CloseCode.ROLE, f"you do not have the role {role.value} any more")
        watcher.roles = fresh.roles


async def _read_commands(hall: Hall, socket: Socket, watcher: Watcher, caller: Caller) -> None:
    while True:
        frame = await _frame(socket)
        if not isinstance(frame, CommandFrame):
            raise StreamEnded(CloseCode.BAD_FRAME, "a hello comes once")
        watcher.push(encoder.encode(await _answer(hall, watcher.table, caller, frame)))


async def _answer(hall: Hall, table: str, caller: Caller, frame: CommandFrame) -> AnswerFrame:
    """What comes of one command frame."""
    fresh = await hall.sessions.still(caller)
    if fresh is None:
        raise StreamEnded(CloseCode.SESSION, "the session has ended")
    request = CommandRequest(frame.key, frame.role, frame.command, frame.expected)
    try:
        slow_down(hall.by_account, caller.handle)
        found = await give(hall, fresh, table, request)
    except Rejected as refused:
        return _refused(frame, refused.text)
    except StoreError as error:
        _log.error("store failed", extra={"problem": str(error)})
        return _refused(frame, Rejected(503, ServerReason.STORE_FAILED).text)
    if isinstance(found, Accepted):
        return AnswerFrame(frame.id, version=found.version)
    if isinstance(found, Refusal):
        return _refused(frame, text_of(found))
    return AnswerFrame(frame.id, approval=found.id, needs=Role(found.needs), expires=found.expires_ms)


def _refused(frame: CommandFrame, text: RefusalText) -> AnswerFrame:
    return AnswerFrame(frame.id, refusal=text)
