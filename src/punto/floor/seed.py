"""Seeds: the secret from which the order of a shoe follows.

A seed is drawn once, when its shoe is loaded, and kept sealed beside the log. The next card is a function of
the seed and of a place in the shoe, never of an iterator that a restart would lose: a process that was killed
in mid-round draws the card that was coming. The way from seed to order is `audit/shuffle/order.py`, which
anybody can follow once the seed is opened.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import lru_cache

import msgspec

from punto.audit.shuffle.order import CHACHA20, ONE_CARD, SEED_BYTES, TEXT, order_of, random_bytes
from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.shuffle import draw


class Seed(msgspec.Struct, frozen=True):
    """The secret of one shoe, and how its order follows from it."""

    algorithm: str
    secret: bytes

    def __repr__(self) -> str:
        return f"<Seed for {self.algorithm}>"  # never the secret: messages and logs are read by many


Seeds = Callable[[str, int], Seed]
"""The seed of a table's new shoe, by table and number of the shoe."""


def fresh_seed(table: str, shoe: int) -> Seed:  # noqa: ARG001
    """A new seed from the generator of the operating system."""
    return Seed(CHACHA20, secrets.token_bytes(SEED_BYTES))


def given_seeds(text: str) -> Seeds:
    """The seeds of a game that a person gave a seed: the first shoe is that of `punto deal --seed`."""

    def seed(_: str, shoe: int) -> Seed:
        return Seed(TEXT, (text if shoe == 1 else f"{text}, shoe {shoe}").encode())

    return seed


@lru_cache(maxsize=256)
def shoe_order(seed: Seed, decks: int, contributions: tuple[str, ...] = ()) -> tuple[Card, ...]:
    """All cards of a shoe as they leave it; what players added to the shuffle is in hexadecimal digits."""
    return order_of(seed.algorithm, seed.secret, decks, [bytes.fromhex(value) for value in contributions])


def drawn_card(seed: Seed, inside: Composition, seq: int) -> Card:
    """A card of a continuous shuffler: any of those inside, by the seed and the place of its event."""
    return inside.cards()[draw(inside.size, random_bytes(seed.algorithm, seed.secret, ONE_CARD, seq))]
