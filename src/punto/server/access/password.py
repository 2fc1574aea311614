"""Passwords: hashed with argon2id, compared in constant time, never logged and never kept plain.

Hashing takes 46 MiB for a moment, so only a few are done at once.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

LEAST, MOST = 8, 200
"""Characters of a password."""
AT_ONCE = 2
"""Passwords that are hashed at the same time."""

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
        self._places = asyncio.Semaphore(AT_ONCE)

    def place(self) -> asyncio.Semaphore:
        """A place to compare at, to be held from looking a password up until what came of it is counted."""
        return self._places

    async def compare(self, kept: str | None, password: str) -> bool:
        """Whether this is the password; by whoever holds a place."""
        return await asyncio.to_thread(is_password, kept, password)

    async def hash(self, password: str) -> str:
        async with self._places:
            return await asyncio.to_thread(hash_password, password)


@cache
def nobody() -> str:
    """The hash of a password that nobody has; made at the start, since it takes as long as a log-in."""
    return hash_password(secrets.token_hex(16))
