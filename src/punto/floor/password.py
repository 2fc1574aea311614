"""Passwords: what is a good one, drawing one, and what is kept of it: an argon2id hash, compared in constant time.

Plain passwords are never kept and never logged. Who hashes where is for others to say: a server does so in
threads of their own, a few at once.
"""

from __future__ import annotations

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.refusal import Reason, Refusal

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200  # Characters of a password.
_hasher = PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)
"""A recommended setting of argon2id: a tenth of a second per log-in. With four lanes, as the library has it,
two cores took four times as long, and people had to wait to read that they had mistyped.
"""
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # Without letters and digits that look alike.


def hash_password(password: str, shortest: int = SHORTEST_PASSWORD) -> str | Refusal:
    """What is kept of a new password; one that is too short, or that nobody could type again, is refused.

    How short it may be is said by the profile of the house.
    """
    if not shortest <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
        return Refusal(Reason.WEAK_PASSWORD, None, {"least": shortest, "most": LONGEST_PASSWORD})
    return _hasher.hash(password)


def is_password(hashed: str | None, password: str) -> bool:
    """Whether this is the password; where none is kept, the answer takes just as long."""
    try:
        _hasher.verify(hashed if hashed is not None else hash_of_nobody(), password)
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None


@cache
def hash_of_nobody() -> str:
    """The hash of a password that nobody has; made at the start, since it takes as long as a log-in."""
    return _hasher.hash(secrets.token_hex(16))


def draw_password(shortest: int = SHORTEST_PASSWORD) -> str:
    """A password of at least 74 random bits that can be read aloud, and is as long as asked for."""
    groups = max(3, -(-(shortest + 1) // 6))
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(5)) for _ in range(groups))
