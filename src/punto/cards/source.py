"""Where cards come from: a shuffled shoe, a person who names them, or a continuous shuffler.

Each source is a value: taking a card gives the card and the source that is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.shuffle import draw, shuffled


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
        card = self.inside.cards()[draw(self.inside.size, self.random)]
        return card, replace(self, inside=self.inside.less((card,)))

    def put_back(self, cards: Iterable[Card]) -> Continuous:
        """The shuffler with the cards of a finished round inside again."""
        counts = list(self.inside.counts)
        for card in cards:
            counts[card.index] += 1
        return replace(self, inside=Composition(tuple(counts)))
