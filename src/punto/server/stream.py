"""One stream: greeting, catching up, then frames out and commands in until somebody leaves."""

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
from punto.floor.loaded_table import LoadedTable
from punto.refusal import Refusal
from punto.rules.authority import LADDER, Role
from punto.server.access import slow_down
from punto.server.app_state import AppState, give_command
from punto.server.broadcast import (
    RECENT_EVENTS,
    Watcher,
    encode_call,
    encode_clock,
    encode_event_frame,
    hears_call,
    live_calls,
)
from punto.server.count_room import read_missed_events
from punto.server.floor_protocol import ENDING_S, LINE, StreamProtocol
from punto.server.messages import (
    AnswerFrame,
    CloseCode,
    CommandFrame,
    CommandRequest,
    HelloFrame,
    client_frame_decoder,
    frame_encoder,
)
from punto.server.sessions import Caller
from punto.server.validation import LARGEST_BODY, RefusalText, Rejected, ServerReason, read_json, text_of
from punto.store.errors import StoreError
from punto.views.viewer import Viewer

# One stream: greeting, catching up, then frames out and commands in until somebody leaves.
#
# The client may be slow, hostile or cut off at any moment. What it sends is read as strictly as a body; what
# it is sent comes from a bounded queue; and it begins again where it was, by the number of its last event.


Socket = WebSocket[Any, Any, Any]

MOST_GREETING = 2_000
"""Streams that may wait at the same time for their client to say who it is."""
MOST_GREETING_OF_ADDRESS = 500
"""Those of one address; beyond them, the one that has waited longest is ended."""
TOO_MANY_STREAMS = "too many streams begin at the same time; try again"
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


async def serve_stream(app_state: AppState, socket: Socket, table: str) -> None:
    """One stream from its first frame to its end."""
    extensions: Any = socket.scope["extensions"]
    line: StreamProtocol = extensions[LINE]
    await socket.accept()
    try:
        caller, hello = await _greeted(app_state, socket, line)
        await _served(app_state, socket, table, caller, hello)
    except StreamEnded as closing:
        line.end_within(CLOSE_S if closing.code is CloseCode.TOO_SLOW else ENDING_S)
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close(code=int(closing.code), reason=closing.told)
    except WebSocketDisconnect:
        pass


async def _greeted(app_state: AppState, socket: Socket, line: StreamProtocol) -> tuple[Caller, HelloFrame]:
    """Who it is. Whoever does not say so keeps a place of their address until the line is gone."""
    address = socket.client.host if socket.client else ""
    _take_place(app_state, address, line)
    hello = await _hello(socket)
    caller = await app_state.sessions.redeem(hello.ticket)
    if caller is None:
        raise StreamEnded(CloseCode.SESSION, "the ticket was used, has expired or was never given")
    app_state.greeting.leave(address, line)
    line.greet(lambda: not app_state.by_frames.wait(caller.session.token))
    return caller, hello


def _take_place(app_state: AppState, address: str, line: StreamProtocol) -> None:
    """Take a place; where an address has its share already, its place that has waited longest goes."""
    crowded = None
    if app_state.greeting.of(address) >= MOST_GREETING_OF_ADDRESS:
        crowded = address
    elif len(app_state.greeting) >= MOST_GREETING:
        crowded = app_state.greeting.fullest()
        if app_state.greeting.of(crowded) <= app_state.greeting.of(address):
            raise StreamEnded(CloseCode.BUSY, TOO_MANY_STREAMS)
    if crowded is not None:
        oldest = next(app_state.greeting.waiting(crowded))
        app_state.greeting.leave(crowded, oldest)
        oldest.dismiss(int(CloseCode.BUSY), TOO_MANY_STREAMS)
    app_state.greeting.enter(address, line)
    line.when_lost(lambda: app_state.greeting.leave(address, line))


async def _served(app_state: AppState, socket: Socket, table: str, caller: Caller, hello: HelloFrame) -> None:
    try:
        role = caller.role(hello.role)
    except Rejected as refused:
        raise StreamEnded(CloseCode.ROLE, refused.text.sentence) from None
    if not caller.roles:
        raise StreamEnded(CloseCode.ROLE, "you have no role")
    if TABLE_ID.fullmatch(table) is None or await app_state.broadcaster.table(table) is None:
        raise StreamEnded(CloseCode.TABLE, "there is no such table")
    if app_state.broadcaster.streams_of(caller.handle) >= MOST_STREAMS:
        raise StreamEnded(CloseCode.BUSY, f"you have {MOST_STREAMS:,} streams open; close one first")
    watcher = Watcher(table, Viewer(caller.handle, role), wants_views=hello.views, roles=caller.roles)
    loaded = app_state.broadcaster.add(watcher)
    try:
        await _run(app_state, socket, watcher, caller, partial(_begin, app_state, socket, watcher, loaded, hello))
    finally:
        app_state.broadcaster.remove(watcher)


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
        return read_json(content, client_frame_decoder)
    except Rejected as refused:
        raise StreamEnded(CloseCode.BAD_FRAME, refused.text.sentence) from None


async def _begin(app_state: AppState, socket: Socket, watcher: Watcher, loaded: LoadedTable, hello: HelloFrame) -> None:
    """What is sent before anything from the queue."""
    await _catch_up(app_state, socket, watcher, loaded, hello)
    if any(held in LADDER for held in watcher.roles):
        for call in await asyncio.to_thread(live_calls, app_state.store, app_state.now()):
            if hears_call(watcher, call):
                await _send(socket, encode_call(call))


async def _catch_up(
    app_state: AppState, socket: Socket, watcher: Watcher, loaded: LoadedTable, hello: HelloFrame
) -> None:
    """What the client missed, or the table as it is; what happens meanwhile waits in the queue."""
    after, last = hello.after, loaded.version
    is_known = after is not None and last - MOST_MISSED <= after <= last
    if is_known and after is not None and last - after > RECENT_EVENTS:
        # Whoever comes back again and again for much gets the table as it is.
        is_known = not app_state.by_account.wait(watcher.viewer.name or "", (last - after) // MISSED_PER_REQUEST)
    if not is_known or after is None:
        await _send(socket, await app_state.view_cache.snapshot(loaded, watcher))
        running = app_state.view_cache.clock(loaded)
        if running is not None:
            watcher.last_clock = (running.what.value, running.ends_at)
            await _send(socket, encode_clock(running))
        return
    if last - after > RECENT_EVENTS:
        wanted = (watcher.table, after, last, watcher.viewer)
        found = await app_state.counting.ask(watcher.viewer.name or "", read_missed_events, *wanted, key=wanted)
        for frame in msgspec.json.decode(found, type=list[msgspec.Raw]):
            await _send(socket, bytes(frame))
    elif after < last:
        records = await asyncio.to_thread(_read, app_state, watcher.table, after, last)
        for state, record in await app_state.broadcaster.steps(watcher.table, records):
            await _send(socket, encode_event_frame(state, record, watcher.viewer))
    await app_state.view_cache.send(loaded, (watcher,))


def _read(app_state: AppState, table: str, after: int, last: int) -> Any:
    with app_state.store.read() as reader:
        return reader.records(table, after, last - after)


async def _run(
    app_state: AppState,
    socket: Socket,
    watcher: Watcher,
    caller: Caller,
    begin: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Frames out, commands in, and a look at the session now and then, until one of them ends."""
    tasks = [
        asyncio.create_task(_write(socket, watcher, begin)),
        asyncio.create_task(_read_commands(app_state, socket, watcher, caller)),
        asyncio.create_task(_look(app_state, watcher, caller)),
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


async def _look(app_state: AppState, watcher: Watcher, caller: Caller) -> None:
    """Whoever has logged out, or does not have the role any more, watches no longer."""
    while True:
        left = (caller.session.expires_ms - app_state.now()) / 1000
        await watcher.to_be_looked_at(max(0.0, min(CHECK_S, left)))
        fresh = await app_state.sessions.still(caller)
        if fresh is None:
            raise StreamEnded(CloseCode.SESSION, "the session has ended")
        if (role := watcher.viewer.role) not in fresh.roles:
            raise StreamEnded(CloseCode.ROLE, f"you do not have the role {role.value} any more")
        watcher.roles = fresh.roles


async def _read_commands(app_state: AppState, socket: Socket, watcher: Watcher, caller: Caller) -> None:
    while True:
        frame = await _frame(socket)
        if not isinstance(frame, CommandFrame):
            raise StreamEnded(CloseCode.BAD_FRAME, "a hello comes once")
        watcher.push(frame_encoder.encode(await _answer(app_state, watcher.table, caller, frame)))


async def _answer(app_state: AppState, table: str, caller: Caller, frame: CommandFrame) -> AnswerFrame:
    """What comes of one command frame."""
    fresh = await app_state.sessions.still(caller)
    if fresh is None:
        raise StreamEnded(CloseCode.SESSION, "the session has ended")
    request = CommandRequest(frame.key, frame.role, frame.command, frame.expected)
    try:
        slow_down(app_state.by_account, caller.handle)
        found = await give_command(app_state, fresh, table, request)
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
