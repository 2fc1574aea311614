"""Passwords: hashed with argon2id, compared in constant time, never logged and never kept plain.

Hashing takes 46 MiB for a moment, so only a few are done at once, in threads of their own. Whoever waits is
served in turn: each address once, and there each name once, so that nobody waits for all that one account or
one address has sent.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.server.http.rejection import Rejected, ServerReason

LEAST, MOST = 8, 200
"""Characters of a password."""
AT_ONCE = 2
"""Passwords that are hashed at the same time."""
MOST_OF_NAME, MOST_OF_ADDRESS, MOST_WAITING = 16, 64, 1_024
"""Who can wait for a place: of one name at an address, of one address, and altogether."""
_T = TypeVar("_T")
_threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="punto-password")

_hasher = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
"""A recommended setting of argon2id: a tenth of a second per log-in. With four lanes, as the library has it,
two cores took four times as long, and people had to wait to read that they had mistyped.
"""
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""


def hash_password(password: str) -> str:
    """What is kept of a password."""
    return _hasher.hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Whether this is the password; where none is kept, the answer takes just as long."""
    try:
        _hasher.verify(kept if kept is not None else nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def draw_password() -> str:
    """A password of 70 random bits that can be read aloud."""
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(15))
    return "-".join((letters[:5], letters[5:10], letters[10:]))


class PasswordDesk:
    """Compares passwords in threads, a few at once."""

    def __init__(self) -> None:
        self._free, self._waiting = AT_ONCE, 0
        self._queues: OrderedDict[str, OrderedDict[str, deque[asyncio.Future[None]]]] = OrderedDict()
        """Who waits, by address and then by name; whose turn is next stands first in each."""

    @asynccontextmanager
    async def place(self, address: str, name: str) -> AsyncIterator[None]:
        """A place to compare at, to be held from looking a password up until what came of it is counted."""
        await self._come(address, name)
        try:
            yield
        finally:
            self._leave()

    async def compare(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; by whoever holds a place."""
        return await _apart(lambda: is_password(kept, password))

    async def hash(self, password: str, address: str = "", name: str = "") -> str:
        """What is kept of a new password."""
        async with self.place(address, name):
            return await _apart(lambda: hash_password(password))

    # ── Whose turn it is ─────────────────────────────────────────────────────────────────────────

    async def _come(self, address: str, name: str) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        there = self._queues.get(address) or OrderedDict()
        of_address = sum(map(len, there.values()))
        if (
            len(there.get(name, ())) >= MOST_OF_NAME
            or of_address >= MOST_OF_ADDRESS
            or self._waiting >= MOST_WAITING
        ):
            raise Rejected(429, ServerReason.TOO_OFTEN, retry_after=1, seconds=1)
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, OrderedDict()).setdefault(name, deque()).append(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._leave()  # it was given away at the same moment
            raise

    def _leave(self) -> None:
        """Give a place to whoever is next."""
        while self._queues:
            turn = self._next()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _next(self) -> asyncio.Future[None]:
        """Whose turn it is; their address, and their name there, then stand behind all others."""
        address, names = self._queues.popitem(last=False)
        name, queue = names.popitem(last=False)
        turn = queue.popleft()
        self._waiting -= 1
        if queue:
            names[name] = queue
        if names:
            self._queues[address] = names
        return turn


async def _apart(work: Callable[[], _T]) -> _T:
    """Done in a thread that is for passwords only: others do not wait for it, nor it for others."""
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


@cache
def nobody() -> str:
    """The hash of a password that nobody has; made at the start, since it takes as long as a log-in."""
    return hash_password(secrets.token_hex(16))
