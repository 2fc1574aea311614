"""Where cards come from: the sources that a table may name, and a shuffle without bias from given bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from punto.cards.card import Card
from punto.cards.shoe import Composition


class SourceKind(Enum):
    """The three sources a table may name in its terms."""

    SHUFFLED = "shuffled"
    ENTERED = "entered"
    CONTINUOUS = "continuous"


WORD_VALUES = 1 << 16  # Number of different words a draw is made from.


class BytesRanOut(Exception):
    """The random bytes given were not enough to finish the shuffle."""


def draw_below(n: int, word: int) -> int | None:
    """The number below n that a 16-bit word stands for, or None when the word must be thrown away.

    Over all words each number below n comes up equally often.
    """
    assert 1 <= n <= WORD_VALUES and 0 <= word < WORD_VALUES
    return word % n if word < WORD_VALUES - WORD_VALUES % n else None


def draw_number(n: int, random: Iterator[int]) -> int:
    """A number below n from as many random bytes as it takes."""
    while True:
        try:
            word = next(random) << 8 | next(random)
        except StopIteration:
            raise BytesRanOut("the random bytes ran out in the middle of a shuffle") from None
        number = draw_below(n, word)
        if number is not None:
            return number


def shuffled(cards: Iterable[Card], random: Iterable[int]) -> tuple[Card, ...]:
    """The cards in an order chosen by the random bytes (Fisher and Yates, from the last place down)."""
    order = list(cards)
    bytes_left = iter(random)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_number(last + 1, bytes_left)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def shuffled_shoe(decks: int, random: Iterable[int]) -> tuple[Card, ...]:
    """A full shoe of this many decks, in an order chosen by the random bytes."""
    return shuffled(Composition.of_decks(decks).cards(), random)


def seeded_bytes(seed: int | str) -> Iterator[int]:
    """Endless bytes that a seed fixes for ever: SHA-256 of seed and block number, block after block.

    For demonstrations, examples and tests. A floor takes fresh bytes from its operating system.
    """
    import hashlib  # here, because whoever settles a deal shuffles nothing, and it takes long to load

    block = 0
    while True:
        yield from hashlib.sha256(f"{seed}/{block}".encode()).digest()
        block += 1
