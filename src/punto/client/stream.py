"""The stream of a table: frames as they come, each event once and in order, and commands on the same line.

A stream that was cut is opened again with `after=stream.seq`: nothing is missed and nothing comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.rules.role import Role

OPENING_S = 30
"""Seconds in which the server must answer, as for any other call."""


class StreamClosed(Exception):
    """The stream has ended; the code says why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the stream has ended ({code}){': ' if reason else ''}{reason}")
        self.code, self.reason = code, reason


class Stream:
    """A table as it happens."""

    def __init__(
        self,
        url: str,
        table: str,
        ticket: str,
        *,
        after: int | None = None,
        role: Role | None = None,
        views: bool = False,
    ) -> None:
        address = f"{url.replace('http', 'ws', 1)}/api/v1/tables/{table}/stream"
        self.seq = after or 0
        """The last event that came."""
        self._stack = ExitStack()
        # Unbounded: a full queue stops the reading, and then a stream could not be left while frames wait.
        self._socket = self._stack.enter_context(
            connect(address, max_size=None, max_queue=None, compression=None, open_timeout=OPENING_S)
        )
        hello: dict[str, Any] = {"type": "hello", "ticket": ticket, "views": views}
        if after is not None:
            hello["after"] = after
        if role is not None:
            hello["role"] = role.value
        self.send(hello)

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave."""
        self._stack.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Every frame until the stream ends."""
        try:
            while True:
                yield self.next()
        except StreamClosed as closed:
            if closed.code not in (1000, 1001):
                raise

    def next(self, timeout: float | None = None) -> dict[str, Any]:
        """The next frame; `StreamClosed` when there is no more, `TimeoutError` when none came in time."""
        try:
            content = self._socket.recv(timeout)
        except ConnectionClosed as closed:
            raise _closed(closed) from None
        frame: dict[str, Any] = msgspec.json.decode(content)
        if frame.get("type") in ("event", "snapshot"):
            self.seq = frame["seq"]
        return frame

    def send(self, frame: dict[str, Any]) -> None:
        """Send a frame as it is."""
        try:
            self._socket.send(msgspec.json.encode(frame).decode())
        except ConnectionClosed as closed:
            raise _closed(closed) from None


def _closed(closed: ConnectionClosed) -> StreamClosed:
    code = closed.rcvd.code if closed.rcvd is not None else 1006
    return StreamClosed(code, closed.rcvd.reason if closed.rcvd is not None else "")
