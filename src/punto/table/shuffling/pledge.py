"""What stands behind the order of a shoe: the house's commitment, and the bytes that players add.

The house binds itself to a seed before anybody bets, by publishing a digest of it. A player who does not want
to take the house's word adds bytes: first only their digest, so that nobody, the house included, can choose
with knowledge of the others; then, once the list is closed, the bytes themselves.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

MOST_PLEDGES = 64
"""Pledges for one shoe."""
MOST_BYTES = 64
"""Bytes that one player adds."""
DIGEST_DIGITS = 64


class Pledge(msgspec.Struct, frozen=True):
    """Bytes that a player adds to the shuffle of a shoe."""

    player: str
    digest: str
    """SHA-256 of the bytes, in hexadecimal digits."""
    opened: str | None = None
    """The bytes, in hexadecimal digits, once they are known."""


class Committed(msgspec.Struct, frozen=True):
    """A shoe whose seed the house has bound itself to and not opened yet."""

    shoe: int
    decks: int
    algorithm: str
    commitment: str
    """SHA-256 over table, shoe, decks, algorithm and seed, in hexadecimal digits."""
    contributions: tuple[str, ...] = ()
    """The bytes that players opened, in the order of their pledges."""


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 in small hexadecimal digits."""
    return len(text) == DIGEST_DIGITS and set(text) <= set("0123456789abcdef")


def digest_of_bytes(text: str) -> str | None:
    """The SHA-256 of bytes that are given in hexadecimal digits; None where they are not, or too many."""
    if not text or len(text) > 2 * MOST_BYTES or len(text) % 2 or not set(text) <= set("0123456789abcdef"):
        return None
    return sha256(bytes.fromhex(text)).hexdigest()
