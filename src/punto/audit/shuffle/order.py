"""From a seed to the order of a shoe, and the digest that binds the house to the seed before anybody bets.

Everything here is a function of its arguments, so that whoever deals a shoe and whoever checks it years later
ask the same code. The way from seed to order is named, so that another one can be added and an old shoe is
still checked by its own.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence

from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.shuffle import seeded_bytes, shuffled

CHACHA20 = "chacha20-fisher-yates-1"
"""A keystream of ChaCha20 under a seed of 256 bits; Fisher and Yates without bias."""
TEXT = "sha256-fisher-yates-1"
"""SHA-256 in counter mode of a text that a person chose: `punto deal --seed` deals the same shoe."""
CHECKABLE = (CHACHA20,)
"""Ways to which the house commits: a seed that a person chose is no secret to be promised."""

SEED_BYTES = 32
WHOLE_SHOE, ONE_CARD = 0, 1
"""What a keystream is used for: the two never share a byte."""
_BLOCK = 4096


class UnknownAlgorithm(Exception):
    """A seed names a way that this version of Punto does not know."""


def order_of(
    algorithm: str, secret: bytes, decks: int, contributions: Sequence[bytes] = ()
) -> tuple[Card, ...]:
    """All cards of a shoe in the order in which they leave it."""
    key = shuffle_key(secret, contributions)
    return shuffled(Composition.of_decks(decks).cards(), random_bytes(algorithm, key, WHOLE_SHOE, 0))


def shuffle_key(secret: bytes, contributions: Sequence[bytes]) -> bytes:
    """The key of the keystream: the seed itself, or the seed and the bytes that players added.

    Each contribution stands behind its length, so that two lists of bytes never look the same.
    """
    if not contributions:
        return secret
    added = b"".join(len(value).to_bytes(2, "big") + value for value in contributions)
    return hmac.digest(secret, added, "sha256")


def commitment_of(table: str, shoe: int, decks: int, algorithm: str, secret: bytes) -> str:
    """The digest that binds the house to a seed for this shoe of this table and for no other."""
    bound = {"algorithm": algorithm, "decks": decks, "seed": secret.hex(), "shoe": shoe, "table": table}
    text = json.dumps(bound, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def random_bytes(algorithm: str, key: bytes, use: int, number: int) -> Iterator[int]:
    """Endless bytes for one purpose."""
    if algorithm == TEXT:
        text = key.decode()
        return seeded_bytes(text if use == WHOLE_SHOE else f"{text}, card {number}")
    if algorithm == CHACHA20:
        return _keystream(key, use, number)
    raise UnknownAlgorithm(f"this version of Punto cannot deal by {algorithm}")


def _keystream(key: bytes, use: int, number: int) -> Iterator[int]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    # The first eight of the 16 bytes count blocks; purpose and number are the nonce.
    nonce = bytes(8) + (use << 56 | number).to_bytes(8, "little")
    stream = Cipher(algorithms.ChaCha20(key, nonce), mode=None).encryptor()
    while True:
        yield from stream.update(bytes(_BLOCK))
