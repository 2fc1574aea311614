"""A watcher: one open stream as the hub sees it, with a bounded queue of frames that wait to be sent."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from punto.rules.role import Role
from punto.views.legal import LegalView
from punto.views.viewer import Viewer

MOST_WAITING = 512
"""Frames that may wait; whoever is further behind is cut off, and can come back by `after`."""
MOST_BYTES = 1024 * 1024


class Watcher:
    """Somebody who watches a table."""

    def __init__(
        self, table: str, viewer: Viewer, *, wants_views: bool, roles: tuple[Role, ...] = ()
    ) -> None:
        self.table, self.viewer, self.wants_views = table, viewer, wants_views
        self.roles = roles
        """Every role that this person holds, beside the one they watch in."""
        self.is_too_slow = False
        self.last_legal: tuple[LegalView, ...] | None = None
        """The last list of legal commands that was sent, to send only what has changed."""
        self.last_clock: tuple[str, int] | None = None
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._looked_at = asyncio.Event()
        self._cut_off = asyncio.Event()

    def push(self, frame: bytes) -> None:
        """Queue a frame; a watcher that is too far behind gets no more."""
        if self.is_too_slow:
            return
        self._waiting.append(frame)
        self._bytes += len(frame)
        if len(self._waiting) > MOST_WAITING or self._bytes > MOST_BYTES:
            self.cut_off()
        self._wake.set()

    def cut_off(self) -> None:
        """Send nothing more; the stream ends, and the client can come back by its last event."""
        self.is_too_slow = True
        self._waiting.clear()
        self._cut_off.set()

    def look(self) -> None:
        """The session or the roles of this person have changed: look at once whether they may still watch."""
        self._looked_at.set()

    async def to_be_looked_at(self, seconds: float) -> None:
        """Wait until somebody asks for it, but no longer than this."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._looked_at.wait(), seconds)
        self._looked_at.clear()

    async def to_be_cut_off(self) -> None:
        """Wait until the watcher is too far behind."""
        await self._cut_off.wait()

    async def next(self) -> bytes:
        """The next frame to send."""
        while not self._waiting:
            self._wake.clear()
            await self._wake.wait()
        frame = self._waiting.popleft()
        self._bytes -= len(frame)
        return frame
