"""Seeds: the secret from which the order of a shoe follows, and the ways from one to the other.

A seed is drawn once, when its shoe is loaded, and kept sealed beside the log. The next card is a function of
the seed and of a place in the shoe, never of an iterator that a restart would lose: a process that was killed
in mid-round draws the card that was coming. The way is named with the seed, so that another way can be added
and an old shoe is still dealt by its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec

from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.shuffle import draw, seeded_bytes, shuffled

CHACHA20 = "chacha20-fisher-yates-1"
"""A keystream of ChaCha20 under a seed of 256 bits; Fisher and Yates without bias."""
TEXT = "sha256-fisher-yates-1"
"""SHA-256 in counter mode of a text that a person chose: `punto deal --seed` deals the same shoe."""

SEED_BYTES = 32
_BLOCK = 4096
_WHOLE_SHOE, _ONE_CARD = 0, 1
"""What a keystream is used for: the two never share a byte."""


class Seed(msgspec.Struct, frozen=True):
    """The secret of one shoe, and how its order follows from it."""

    algorithm: str
    secret: bytes

    def __repr__(self) -> str:
        return f"<Seed for {self.algorithm}>"  # never the secret: messages and logs are read by many


Seeds = Callable[[str, int], Seed]
"""The seed of a table's new shoe, by table and number of the shoe."""


class UnknownAlgorithm(Exception):
    """A seed names a way that this version of Punto does not know."""


def fresh_seed(table: str, shoe: int) -> Seed:  # noqa: ARG001
    """A new seed from the generator of the operating system."""
    return Seed(CHACHA20, secrets.token_bytes(SEED_BYTES))


def given_seeds(text: str) -> Seeds:
    """The seeds of a game that a person gave a seed: the first shoe is that of `punto deal --seed`."""

    def seed(_: str, shoe: int) -> Seed:
        return Seed(TEXT, (text if shoe == 1 else f"{text}, shoe {shoe}").encode())

    return seed


@lru_cache(maxsize=256)
def shoe_order(seed: Seed, decks: int) -> tuple[Card, ...]:
    """All cards of a shoe in the order in which they leave it."""
    return shuffled(Composition.of_decks(decks).cards(), _bytes(seed, _WHOLE_SHOE, 0))


def drawn_card(seed: Seed, inside: Composition, seq: int) -> Card:
    """A card of a continuous shuffler: any of those inside, by the seed and the place of its event."""
    return inside.cards()[draw(inside.size, _bytes(seed, _ONE_CARD, seq))]


def _bytes(seed: Seed, use: int, number: int) -> Iterator[int]:
    """Endless bytes for one purpose."""
    if seed.algorithm == TEXT:
        text = seed.secret.decode()
        return seeded_bytes(text if use == _WHOLE_SHOE else f"{text}, card {number}")
    if seed.algorithm == CHACHA20:
        return _keystream(seed.secret, use, number)
    raise UnknownAlgorithm(f"this version of Punto cannot deal by {seed.algorithm}")


def _keystream(secret: bytes, use: int, number: int) -> Iterator[int]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

    # The first eight of the 16 bytes count blocks; purpose and number are the nonce.
    nonce = bytes(8) + (use << 56 | number).to_bytes(8, "little")
    stream = Cipher(algorithms.ChaCha20(secret, nonce), mode=None).encryptor()
    while True:
        yield from stream.update(bytes(_BLOCK))
