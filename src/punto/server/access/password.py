"""Passwords: hashed with argon2id, compared in constant time, never logged and never kept plain.

Hashing takes 64 MiB for a moment, so only a few are done at once.
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

_hasher = PasswordHasher()
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""


def hash_password(password: str) -> str:
    """What is kept of a password."""
    return _hasher.hash(password)


def is_password(kept: str | None, password: str) -> bool:
    """Whether this is the password; where none is kept, the answer takes just as long."""
    try:
        _hasher.verify(kept if kept is not None else _nobody(), password)
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

    async def compare(self, kept: str | None, password: str) -> bool:
        async with self._places:
            return await asyncio.to_thread(is_password, kept, password)

    async def hash(self, password: str) -> str:
        async with self._places:
            return await asyncio.to_thread(hash_password, password)


@cache
def _nobody() -> str:
    return hash_password(secrets.token_hex(16))
