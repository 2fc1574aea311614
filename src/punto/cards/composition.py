"""How many of each card there are: of a full shoe, of what is left, of what was seen.

Order is forgotten on purpose: exact odds, card counters and the check that a card can still be in
the shoe all ask only how many are left.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from punto.cards.card import DECK, Card, Rank


class Composition(msgspec.Struct, frozen=True):
    """Counts of the 52 cards, each at the card's index."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        assert len(self.counts) == len(DECK), "a composition counts each of the 52 cards"
        assert min(self.counts) >= 0, "there are never fewer than none of a card"

    @classmethod
    def of_decks(cls, decks: int) -> Composition:
        """A full set of this many decks."""
        return cls((decks,) * len(DECK))

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> Composition:
        """These cards and no others."""
        counts = [0] * len(DECK)
        for card in cards:
            counts[card.index] += 1
        return cls(tuple(counts))

    @property
    def size(self) -> int:
        """Number of cards."""
        return sum(self.counts)

    def count(self, card: Card) -> int:
        """How many of this card there are."""
        return self.counts[card.index]

    def rank_count(self, rank: Rank) -> int:
        """How many of this rank there are, over all suits."""
        return sum(self.counts[rank - 1 :: 13])

    def points_counts(self) -> tuple[int, ...]:
        """How many cards count 0, 1, … 9 points: all that drawing and winning depend on."""
        counts = [0] * 10
        for rank in Rank:
            counts[rank.points] += self.rank_count(rank)
        return tuple(counts)

    def less(self, cards: Iterable[Card]) -> Composition:
        """What is left when these cards are taken out; `ValueError` names a card that is not there."""
        counts = list(self.counts)
        for card in cards:
            if counts[card.index] == 0:
                raise ValueError(f"there is no {card} left to take out")
            counts[card.index] -= 1
        return Composition(tuple(counts))

    def cards(self) -> tuple[Card, ...]:
        """All its cards, in the order of a new deck."""
        return tuple(card for card, count in zip(DECK, self.counts, strict=True) for _ in range(count))
