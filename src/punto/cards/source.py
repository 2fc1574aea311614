"""Where cards come from: a shoe shuffled without bias from given bytes, a person who names the cards, or a
continuous shuffler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Composition

WORD_VALUES = 1 << 16
"""Number of different words a draw is made from."""


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


def seeded_bytes(seed: int | str) -> Iterator[int]:
    """Endless bytes that a seed fixes for ever: SHA-256 of seed and block number, block after block.

    For demonstrations, examples and tests. A floor takes fresh bytes from its operating system.
    """
    import hashlib  # here, because whoever settles a deal shuffles nothing, and it takes long to load

    block = 0
    while True:
        yield from hashlib.sha256(f"{seed}/{block}".encode()).digest()
        block += 1


# Where cards come from: a shuffled shoe, a person who names them, or a continuous shuffler.
#
# Each source is a value: taking a card gives the card and the source that is left.


class SourceKind(Enum):
    """The three sources a table may name in its terms."""

    SHUFFLED = "shuffled"
    ENTERED = "entered"
    CONTINUOUS = "continuous"


class SourceEmpty(Exception):
    """A card was asked for and there is none."""


class Source(Protocol):
    """Anything that gives cards one by one."""

    @property
    def cards_left(self) -> int:
        """Cards that can still be taken."""
        ...

    def take(self) -> tuple[Card, Source]:
        """The next card, and the source without it."""
        ...


class Shuffled(msgspec.Struct, frozen=True):
    """A shoe that the system put in order once; cards come off the front."""

    order: tuple[Card, ...]
    taken: int = 0

    @classmethod
    def of_decks(cls, decks: int, random: Iterable[int]) -> Shuffled:
        """A full shoe shuffled with these bytes."""
        return cls(shuffled(Composition.of_decks(decks).cards(), random))

    @property
    def cards_left(self) -> int:
        return len(self.order) - self.taken

    def take(self) -> tuple[Card, Shuffled]:
        if not self.cards_left:
            raise SourceEmpty("the shoe is empty")
        return self.order[self.taken], replace(self, taken=self.taken + 1)


class Entered(msgspec.Struct, frozen=True):
    """A physical shoe: a person names each card as it leaves, and it must still be possible."""

    unseen: Composition
    named: tuple[Card, ...] = ()
    """Cards named and not yet taken."""

    @classmethod
    def of_decks(cls, decks: int) -> Entered:
        """A full physical shoe."""
        return cls(Composition.of_decks(decks))

    @property
    def cards_left(self) -> int:
        return len(self.named)

    def name(self, card: Card) -> Entered:
        """The source after a person named its next card; `ValueError` if no such card can be left."""
        return Entered(self.unseen.less((card,)), (*self.named, card))

    def take(self) -> tuple[Card, Entered]:
        if not self.named:
            raise SourceEmpty("no card has been named")
        return self.named[0], replace(self, named=self.named[1:])


class Continuous(msgspec.Struct, frozen=True):
    """A continuous shuffler: each card comes from all that are not on the table."""

    inside: Composition
    random: Iterator[int]
    """Random bytes, used up as cards are taken."""

    @classmethod
    def of_decks(cls, decks: int, random: Iterable[int]) -> Continuous:
        """A full shuffler fed with these bytes."""
        return cls(Composition.of_decks(decks), iter(random))

    @property
    def cards_left(self) -> int:
        return self.inside.size

    def take(self) -> tuple[Card, Continuous]:
        if not self.cards_left:
            raise SourceEmpty("the shuffler is empty")
        card = self.inside.cards()[draw_number(self.inside.size, self.random)]
        return card, replace(self, inside=self.inside.less((card,)))

    def put_back(self, cards: Iterable[Card]) -> Continuous:
        """The shuffler with the cards of a finished round inside again."""
        counts = list(self.inside.counts)
        for card in cards:
            counts[card.index] += 1
        return replace(self, inside=Composition(tuple(counts)))
