"""One stream: greeting, catching up, then frames out and commands in until somebody leaves.

The client may be slow, hostile or cut off at any moment. What it sends is read as strictly as a body; what
it is sent comes from a bounded queue; and it begins again where it was, by the number of its last event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import msgspec

from punto.floor.board import BoardSettings, is_board_key, opens_board, stored_board
from punto.floor.job import Accepted
from punto.floor.loaded_table import LoadedTable
from punto.floor.log_ins import network_of
from punto.floor.pit import waiting_of
from punto.refusal import Refusal
from punto.rules.authority import LADDER, PIT_ROLES
from punto.server import messages
from punto.server.access import Receive, Send, Throttle, slow_down, whole_wait
from punto.server.app_state import AppState, give_command
from punto.server.broadcast import (
    RECENT_EVENTS,
    Watcher,
    encode_call,
    encode_clock,
    encode_dispute,
    encode_event_frame,
    hears_call,
)
from punto.server.count_room import read_missed_events
from punto.server.endpoint import Gone, rejection_of
from punto.server.floor_protocol import ENDING_S, FRAMES_BEFORE_HELLO, LINE, StreamProtocol
from punto.server.messages import (
    AnswerFrame,
    CloseCode,
    CommandFrame,
    CommandRequest,
    FoldFrame,
    HelloFrame,
    frame_encoder,
)
from punto.server.metrics import ServerTally
from punto.server.sessions import Caller
from punto.server.validation import LARGEST_BODY, Rejected, read_json
from punto.store import TABLE_ID
from punto.store.errors import StoreError
from punto.views.viewer import BOARD, Viewer

MOST_GREETING = 2_000  # Streams that may wait at the same time for their client to say who it is.
MOST_GREETING_OF_ADDRESS = 500  # Those of one address; beyond them, the one that has waited longest is ended.
TOO_MANY_STREAMS = "too many streams begin at the same time; try again"
MOST_STREAMS = 2_000
"""Streams of one person at the same time, enough for a hall of screens; each may have a long queue."""
MOST_BOARDS = 50  # Screens of one table.
TOO_MANY_GUESTS = "too many people watch from here without an account; try again later"
GUEST_FRAMES = 1.0  # Frames a second from a guest, who has nothing to say but whether the line still holds.
NO_GUESTS = "this house lets nobody watch without an account"
NO_BOARD_KEY = "this is not the key of the board; somebody at the console can make another"
HELLO_S = 10.0  # Seconds in which a client must say who it is.
MOST_MISSED = 1_000  # Events that are sent again; whoever missed more gets a snapshot.
MISSED_PER_REQUEST = 50  # Events that a stream has missed count as a request when there are this many of them.
CHECK_S = 20.0  # How often to check whether the session still holds.
LONGEST_REASON = 123  # Bytes of the reason in a closing frame.
CLOSE_S = 30.0  # Seconds that a slow client has to read on and take the reason why its stream ends; then it is cut off.
FAILED_CODE = 1011  # The code that ends a stream where something failed here, as RFC 6455 has it.
_log = logging.getLogger("punto.server")


class StreamEnded(Exception):
    def __init__(self, code: CloseCode, reason: str = "") -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason

    @property
    def closing_reason(self) -> str:
        """The reason as a closing frame can hold it."""
        content = self.reason.encode()
        if len(content) <= LONGEST_REASON:
            return self.reason
        return f"{content[: LONGEST_REASON - 3].decode(errors='ignore')}…"


class Socket:
    """A stream's two directions, as ASGI has them."""

    def __init__(self, scope: Any, receive: Receive, send: Send, tally: ServerTally | None = None) -> None:
        self._receive, self._send = receive, send
        self.address = network_of(scope["client"][0]) if scope.get("client") else ""
        self.line: StreamProtocol = scope["extensions"][LINE]
        self.tally = tally

    async def accept(self) -> None:
        await self._receive()
        await self._send({"type": "websocket.accept"})

    async def send(self, frame: bytes) -> None:
        if self.tally is not None:
            self.tally.frame(len(frame))
        await self._send({"type": "websocket.send", "text": frame.decode()})

    def send_now(self, frame: bytes) -> bool:
        """Send a frame without waiting, where that can be done: a thousand watchers cost as many writes and no task."""
        if not self.line.put_text(frame):
            return False
        if self.tally is not None:
            self.tally.frame(len(frame))
        return True

    async def close(self, code: int, reason: str) -> None:
        with suppress(RuntimeError, OSError):
            await self._send({"type": "websocket.close", "code": code, "reason": reason})

    async def receive(self) -> HelloFrame | CommandFrame | FoldFrame:
        """The next frame of the client, read strictly."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Gone
        content = message.get("text")
        if content is None:
            raise StreamEnded(CloseCode.BAD_FRAME, "frames are text")
        if len(content) > LARGEST_BODY:
            raise StreamEnded(CloseCode.BAD_FRAME, f"a frame has at most {LARGEST_BODY} bytes")
        try:
            return read_json(content, messages.client_frame_decoder)
        except Rejected as refused:
            raise StreamEnded(CloseCode.BAD_FRAME, refused.text.sentence) from None

    async def receive_hello(self) -> HelloFrame:
        with suppress(TimeoutError):
            frame = await asyncio.wait_for(self.receive(), HELLO_S)
            if isinstance(frame, HelloFrame):
                return frame
        raise StreamEnded(CloseCode.BAD_FRAME, "the first frame must be a hello")


async def serve_guest(app_state: AppState, socket: Socket, table: str) -> None:
    """The stream of somebody without an account, who says nothing at all."""
    await socket.accept()
    async with _ended(socket):
        # Nobody can be asked who it is: what an address may have is all that bounds it.
        if whole_wait(app_state.by_guest, socket.address) or not app_state.gallery.enter(socket.address):
            raise StreamEnded(CloseCode.BUSY, TOO_MANY_GUESTS)
        socket.line.when_lost(partial(app_state.gallery.leave, socket.address))
        said = Throttle(GUEST_FRAMES, FRAMES_BEFORE_HELLO)
        socket.line.allow(lambda: not said.wait(""))
        if app_state.gallery.delay is None:
            raise StreamEnded(CloseCode.SESSION, NO_GUESTS)
        try:
            guest = await app_state.gallery.add(table)
        except Rejected as refused:
            code = CloseCode.TABLE if refused.status == 404 else CloseCode.BUSY
            raise StreamEnded(code, refused.text.sentence) from None
        try:
            await GuestStream(app_state, socket, guest).watch()
        finally:
            app_state.gallery.remove(guest)


async def serve_stream(app_state: AppState, socket: Socket, table: str) -> None:
    await socket.accept()
    async with _ended(socket):
        hello = await _hello(app_state, socket)
        if is_board_key(hello.ticket):
            watcher, board = await _board_watcher(app_state, socket, table, hello)
            stream: TableStream = BoardStream(app_state, socket, watcher, hello.ticket, board)
        else:
            caller = await _greeted(app_state, socket, hello)
            watcher = await _watcher(app_state, table, caller, hello)
            stream = PersonStream(app_state, socket, watcher, caller)
        loaded = app_state.broadcaster.add(watcher)
        try:
            await stream.run(loaded, hello)
        finally:
            app_state.broadcaster.remove(watcher)


@asynccontextmanager
async def _ended(socket: Socket) -> AsyncIterator[None]:
    """Say why a stream ends, whatever it is."""
    try:
        yield
    except StreamEnded as ended:
        socket.line.end_within(CLOSE_S if ended.code is CloseCode.TOO_SLOW else ENDING_S)
        await socket.close(int(ended.code), ended.closing_reason)
    except (Gone, OSError):
        pass
    except Exception:
        _log.exception("a stream failed")
        await socket.close(FAILED_CODE, "something failed here; it is in the server's log")


async def _hello(app_state: AppState, socket: Socket) -> HelloFrame:
    """What it says first. Whoever does not say who it is keeps a place of their address until the line is gone."""
    _take_place(app_state, socket.address, socket.line)
    return await socket.receive_hello()


async def _greeted(app_state: AppState, socket: Socket, hello: HelloFrame) -> Caller:
    """Who it is."""
    caller = await app_state.sessions.redeem(hello.ticket)
    if caller is None:
        raise StreamEnded(CloseCode.SESSION, "the ticket was used, has expired or was never given")
    app_state.greeting.leave(socket.address, socket.line)
    socket.line.greet(lambda: not app_state.frames_sent.wait(caller.session.token))
    return caller


async def _board_watcher(
    app_state: AppState, socket: Socket, table: str, hello: HelloFrame
) -> tuple[Watcher, BoardSettings]:
    """A screen, if its key is that of the board of this table."""
    try:
        slow_down(app_state.by_address, socket.address)
    except Rejected as refused:
        raise StreamEnded(CloseCode.BUSY, refused.text.sentence) from None
    known = await app_state.broadcaster.table(table, at_least=hello.after or 0) if TABLE_ID.fullmatch(table) else None
    board = await app_state.read(lambda reader: stored_board(reader, table)) if known is not None else None
    if board is None or not opens_board(board, hello.ticket):
        raise StreamEnded(CloseCode.SESSION, NO_BOARD_KEY)
    if app_state.broadcaster.boards_of(table) >= MOST_BOARDS:
        raise StreamEnded(CloseCode.BUSY, f"{MOST_BOARDS} screens show this table; close one first")
    app_state.greeting.leave(socket.address, socket.line)
    socket.line.greet(lambda: not app_state.frames_sent.wait(hello.ticket))
    return Watcher(table, BOARD, wants_views=True, is_board=True), board.settings


def _take_place(app_state: AppState, address: str, line: StreamProtocol) -> None:
    """Take a place; where an address has its share already, its place that has waited longest goes."""
    greeting, crowded = app_state.greeting, None
    if greeting.of(address) >= MOST_GREETING_OF_ADDRESS:
        crowded = address
    elif len(greeting) >= MOST_GREETING:
        crowded = greeting.fullest()
        if greeting.of(crowded) <= greeting.of(address):
            raise StreamEnded(CloseCode.BUSY, TOO_MANY_STREAMS)
    if crowded is not None:
        oldest = next(greeting.waiting(crowded))
        greeting.leave(crowded, oldest)
        oldest.dismiss(int(CloseCode.BUSY), TOO_MANY_STREAMS)
    greeting.enter(address, line)
    line.when_lost(lambda: greeting.leave(address, line))


async def _watcher(app_state: AppState, table: str, caller: Caller, hello: HelloFrame) -> Watcher:
    """Whoever has greeted, if they may watch this table."""
    try:
        role = caller.role(hello.role)
    except Rejected as refused:
        raise StreamEnded(CloseCode.ROLE, refused.text.sentence) from None
    known = await app_state.broadcaster.table(table, at_least=hello.after or 0) if TABLE_ID.fullmatch(table) else None
    if known is None:
        raise StreamEnded(CloseCode.TABLE, "there is no such table")
    if app_state.broadcaster.streams_of(caller.handle) >= MOST_STREAMS:
        raise StreamEnded(CloseCode.BUSY, f"you have {MOST_STREAMS:,} streams open; close one first")
    return Watcher(table, Viewer(caller.handle, role), wants_views=hello.views, roles=caller.roles)


class TableStream:
    """What a person and a screen have alike: frames go out until somebody leaves."""

    def __init__(self, app_state: AppState, socket: Socket, watcher: Watcher) -> None:
        self._app_state, self._socket, self._watcher = app_state, socket, watcher

    async def _read_commands(self) -> None:
        raise NotImplementedError

    async def _recheck(self) -> None:
        raise NotImplementedError

    async def run(self, loaded: LoadedTable, hello: HelloFrame) -> None:
        """Frames out, commands in, and a look at the session now and then, until one of them ends."""
        await self._run_all(self._write(loaded, hello))

    async def _run_all(self, writing: Coroutine[Any, Any, None]) -> None:
        parts = (writing, self._read_commands(), self._recheck(), self._drop())
        tasks = [asyncio.create_task(part) for part in parts]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _write(self, loaded: LoadedTable, hello: HelloFrame) -> None:
        # A screen has missed no events, which it is never sent: it begins with the table as it is.
        await self._catch_up(loaded, None if self._watcher.is_board else hello.after)
        if self._watcher.wants_views:
            self._app_state.broadcaster.look_back(self._watcher.table)
        if any(role in LADDER for role in self._watcher.roles):
            for call in await asyncio.to_thread(self._app_state.pit_calls.live):
                if hears_call(self._watcher, call):
                    await self._socket.send(encode_call(call))
        if any(role in PIT_ROLES for role in self._watcher.roles):
            for dispute in await asyncio.to_thread(self._app_state.disputes.open):
                await self._socket.send(encode_dispute(dispute))
        await self._send_all()

    async def _send_all(self) -> None:
        self._watcher.send_now = self._socket.send_now
        while True:
            await self._socket.send(await self._watcher.next())

    async def _catch_up(self, loaded: LoadedTable, after: int | None) -> None:
        """What the client missed, or the table as it is; what happens meanwhile waits in the queue."""
        app_state, watcher, last = self._app_state, self._watcher, loaded.version
        if after is None or not last - MOST_MISSED <= after <= last or not self._may_catch_up(last - after):
            await self._socket.send(await app_state.view_cache.snapshot(loaded, watcher))
            running = app_state.view_cache.clock(loaded)
            if running is not None:
                watcher.last_clock = (running.what.value, running.ends_at)
                await self._socket.send(encode_clock(running))
            return
        if last - after > RECENT_EVENTS:
            wanted = (watcher.table, after, last, watcher.viewer)
            frames = await app_state.counting.ask(watcher.viewer.name or "", read_missed_events, *wanted, key=wanted)
            for frame in msgspec.json.decode(frames, type=list[msgspec.Raw]):
                await self._socket.send(bytes(frame))
        elif after < last:
            records = await app_state.read(lambda reader: reader.records(watcher.table, after, last - after))
            for state, record in await app_state.broadcaster.steps(watcher.table, records):
                await self._socket.send(encode_event_frame(state, record, watcher.viewer))
        await app_state.view_cache.send(loaded, (watcher,))

    def _may_catch_up(self, missed: int) -> bool:
        """Whoever comes back again and again for much gets the table as it is."""
        name, cost = self._watcher.viewer.name or "", missed // MISSED_PER_REQUEST
        return missed <= RECENT_EVENTS or not self._app_state.by_account.wait(name, cost)

    async def _drop(self) -> None:
        """A writer that is stuck cannot say so itself."""
        await self._watcher.to_be_cut_off()
        if self._watcher.is_sent_away:
            raise StreamEnded(CloseCode.STOPPING, "the server stops; come back with after")
        if self._app_state.tally is not None:
            self._app_state.tally.cut_off += 1
        raise StreamEnded(CloseCode.TOO_SLOW, "you are too far behind; come back with after")


class BoardStream(TableStream):
    """The stream of a screen: it is told what the board shows, and nothing that it says does anything."""

    def __init__(
        self, app_state: AppState, socket: Socket, watcher: Watcher, key: str, settings: BoardSettings
    ) -> None:
        super().__init__(app_state, socket, watcher)
        self._key = key
        self._show(settings)

    def _show(self, settings: BoardSettings) -> None:
        self._settings = settings
        self._watcher.push(frame_encoder.encode(messages.BoardFrame(settings)))

    async def _recheck(self) -> None:
        """Now and then, and when somebody has changed the board: its key may have ended, or it shows something else."""
        while True:
            await self._watcher.to_be_rechecked(CHECK_S)
            board = await self._app_state.read(lambda reader: stored_board(reader, self._watcher.table))
            if not opens_board(board, self._key):
                raise StreamEnded(CloseCode.SESSION, NO_BOARD_KEY)
            if board.settings != self._settings:
                self._show(board.settings)

    async def _read_commands(self) -> None:
        await self._socket.receive()
        raise StreamEnded(CloseCode.BAD_FRAME, "a screen says nothing after its hello")


class GuestStream(TableStream):
    """The stream of somebody without an account: what the gallery sends. Nothing that it says does anything."""

    def __init__(self, app_state: AppState, socket: Socket, guest: Watcher) -> None:
        super().__init__(app_state, socket, guest)
        self._gallery, self._delay = app_state.gallery, app_state.gallery.delay

    async def watch(self) -> None:
        await self._run_all(self._send_all())

    async def _recheck(self) -> None:
        """When the gallery says so: the house may have thought again, and a table can become private."""
        while True:
            await self._watcher.to_be_rechecked(CHECK_S)
            if self._gallery.delay is None:
                raise StreamEnded(CloseCode.SESSION, NO_GUESTS)
            if self._gallery.delay != self._delay:
                raise StreamEnded(CloseCode.STOPPING, "the house has set another delay; come back")
            if not self._gallery.is_shown_to(self._watcher):
                raise StreamEnded(CloseCode.TABLE, "this table is not for guests any more")

    async def _read_commands(self) -> None:
        await self._socket.receive()
        raise StreamEnded(CloseCode.BAD_FRAME, "whoever watches without an account says nothing")


class PersonStream(TableStream):
    """The stream of somebody who is logged in."""

    def __init__(self, app_state: AppState, socket: Socket, watcher: Watcher, caller: Caller) -> None:
        super().__init__(app_state, socket, watcher)
        self._caller = caller

    async def _recheck(self) -> None:
        """Whoever has logged out, or does not have the role any more, watches no longer."""
        while True:
            left = self._caller.session.expires_ms - self._app_state.now()
            idle = self._app_state.sessions.idle_ms(self._caller)
            left = left if idle is None else min(left, idle)
            await self._watcher.to_be_rechecked(max(0.0, min(CHECK_S, left / 1000)))
            roles, role = (await self._fresh_caller()).roles, self._watcher.viewer.role
            if role not in roles:
                raise StreamEnded(CloseCode.ROLE, f"you do not have the role {role.value} any more")
            self._watcher.roles = roles

    async def _fresh_caller(self) -> Caller:
        """Who it is, with the roles of now."""
        fresh = await self._app_state.sessions.still(self._caller)
        if fresh is None:
            raise StreamEnded(CloseCode.SESSION, "the session has ended")
        if (idle := self._app_state.sessions.refuse_idle(fresh)) is not None:
            raise StreamEnded(CloseCode.SESSION, idle.sentence)
        if (missing := self._app_state.sessions.refuse_unenrolled(fresh)) is not None:
            raise StreamEnded(CloseCode.SESSION, missing.sentence)
        return fresh

    async def _read_commands(self) -> None:
        while True:
            frame = await self._socket.receive()
            if isinstance(frame, FoldFrame):
                self._app_state.broadcaster.show_fold(self._watcher, frame)
                continue
            if not isinstance(frame, CommandFrame):
                raise StreamEnded(CloseCode.BAD_FRAME, "a hello comes once")
            self._watcher.push(frame_encoder.encode(await self._answer(frame)))

    async def _answer(self, frame: CommandFrame) -> AnswerFrame:
        fresh = await self._fresh_caller()
        request = CommandRequest(frame.key, frame.role, frame.command, frame.expected)
        try:
            slow_down(self._app_state.by_account, fresh.handle)
            self._app_state.sessions.note_act(fresh)
            outcome = await give_command(self._app_state, fresh, self._watcher.table, request)
        except (Rejected, StoreError) as error:
            return AnswerFrame(frame.id, refusal=rejection_of(error).text)
        if isinstance(outcome, Accepted):
            return AnswerFrame(frame.id, version=outcome.version)
        if isinstance(outcome, Refusal):
            return AnswerFrame(frame.id, refusal=outcome.text)
        return AnswerFrame(frame.id, **msgspec.structs.asdict(waiting_of(outcome)))
