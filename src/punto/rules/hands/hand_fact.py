"""What a bet may know of one hand: a small value that grows card by card.

Each fact says what it tells apart in a card (`sees`), what two cards come to, and what a third card makes of
that. A hand never needs to be remembered card by card: two hands with the same values are one to the bet.
That keeps proof, odds and simulation small, however many cards there are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from punto.cards.card import Card, Rank, Suit
from punto.rules.facts import is_pair_suited, pair_index
from punto.rules.text.card_test import Alike, ComparedBy

Value = Hashable
MIXED = "mixed"
"""Stands for "not all the same"."""


@dataclass(frozen=True, slots=True)
class HandFact:
    """Something about a hand; by itself it tells nothing apart."""

    @property
    def reads_third(self) -> bool:
        """Whether a third card changes it."""
        return False

    def sees(self, card: Card) -> Value:  # noqa: ARG002
        """What it tells apart in a card."""
        return None

    def two(self, first: Card, second: Card) -> Value:  # noqa: ARG002
        """What the first two cards come to."""
        return None

    def third(self, value: Value, card: Card) -> Value:  # noqa: ARG002
        """What a third card makes of that."""
        return value

    def stood(self, value: Value) -> Value:
        """What it is if no third card comes."""
        return value


@dataclass(frozen=True, slots=True)
class PointsAndCards(HandFact):
    """Points and number of cards of the finished hand."""

    @property
    def reads_third(self) -> bool:
        return True

    def two(self, first: Card, second: Card) -> Value:
        return (first.points + second.points) % 10

    def third(self, value: Value, card: Card) -> Value:
        assert isinstance(value, int)
        return (value + card.points) % 10, 3

    def stood(self, value: Value) -> Value:
        return value, 2


@dataclass(frozen=True, slots=True)
class TwoPoints(HandFact):
    """Points of the first two cards."""

    def sees(self, card: Card) -> Value:
        return card.points

    def two(self, first: Card, second: Card) -> Value:
        return (first.points + second.points) % 10


@dataclass(frozen=True, slots=True)
class PairOf(HandFact):
    """The pair of the first two cards, as the facts of a deal have it; without suits, none is suited."""

    has_suits: bool

    def sees(self, card: Card) -> Value:
        return card if self.has_suits else card.rank

    def two(self, first: Card, second: Card) -> Value:
        pair = pair_index(first, second)
        return pair - 1 if is_pair_suited(pair) and not self.has_suits else pair


@dataclass(frozen=True, slots=True)
class Placed(HandFact):
    """Whether the card at a place, 1 to 3, is one of these; None where there is none."""

    place: int
    cards: frozenset[Card]

    @property
    def reads_third(self) -> bool:
        return self.place == 3

    def sees(self, card: Card) -> Value:
        return card in self.cards

    def two(self, first: Card, second: Card) -> Value:
        return None if self.place == 3 else (first, second)[self.place - 1] in self.cards

    def third(self, value: Value, card: Card) -> Value:
        return card in self.cards if self.place == 3 else value


_SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
"""From the lowest to the highest, as in other games that rank suits."""


@dataclass(frozen=True, slots=True)
class Key(HandFact):
    """What of the card at a place is compared with another card; None where there is none."""

    place: int
    by: ComparedBy

    @property
    def reads_third(self) -> bool:
        return self.place == 3

    def sees(self, card: Card) -> Value:
        if self.by is ComparedBy.POINTS:
            return card.points
        if self.by is ComparedBy.CARD:
            return int(card.rank) * len(_SUITS) + _SUITS.index(card.suit)
        is_high_ace = self.by is ComparedBy.RANK_ACE_HIGH and card.rank is Rank.ACE
        return Rank.KING + 1 if is_high_ace else int(card.rank)

    def two(self, first: Card, second: Card) -> Value:
        return None if self.place == 3 else self.sees((first, second)[self.place - 1])

    def third(self, value: Value, card: Card) -> Value:
        return self.sees(card) if self.place == 3 else value


@dataclass(frozen=True, slots=True)
class Counted(HandFact):
    """How many cards are among these: of the first two, or of the whole hand."""

    cards: frozenset[Card]
    is_whole: bool

    @property
    def reads_third(self) -> bool:
        return self.is_whole

    def sees(self, card: Card) -> Value:
        return card in self.cards

    def two(self, first: Card, second: Card) -> Value:
        return (first in self.cards) + (second in self.cards)

    def third(self, value: Value, card: Card) -> Value:
        assert isinstance(value, int)
        return value + (card in self.cards) if self.is_whole else value


@dataclass(frozen=True, slots=True)
class Common(HandFact):
    """What all cards have in common, or `MIXED`: of the first two, or of the whole hand."""

    what: Alike
    is_whole: bool

    @property
    def reads_third(self) -> bool:
        return self.is_whole

    def sees(self, card: Card) -> Value:
        return _ALIKE[self.what](card)

    def two(self, first: Card, second: Card) -> Value:
        one = self.sees(first)
        return one if one == self.sees(second) else MIXED

    def third(self, value: Value, card: Card) -> Value:
        return value if not self.is_whole or value == self.sees(card) else MIXED


@dataclass(frozen=True, slots=True)
class RanksHeld(HandFact):
    """The ranks of the cards in order, of the first two or of the whole hand; others than these are one."""

    ranks: frozenset[Rank]
    is_whole: bool

    @property
    def reads_third(self) -> bool:
        return self.is_whole

    def sees(self, card: Card) -> Value:
        return int(card.rank) if card.rank in self.ranks else 0

    def two(self, first: Card, second: Card) -> Value:
        return self._sorted(self.sees(first), self.sees(second))

    def third(self, value: Value, card: Card) -> Value:
        assert isinstance(value, tuple)
        return self._sorted(*value, self.sees(card)) if self.is_whole else value

    def _sorted(self, *ranks: Value) -> Value:
        return tuple(sorted(ranks))  # type: ignore[type-var]


@dataclass(frozen=True, slots=True)
class HalfOfFour(HandFact):
    """The ranks of the first two cards in order, and their suit if they share it: half of a poker hand."""

    def sees(self, card: Card) -> Value:
        return card

    def two(self, first: Card, second: Card) -> Value:
        low, high = sorted((int(first.rank), int(second.rank)))
        return low, high, first.suit.value if first.suit is second.suit else None


def is_red(card: Card) -> bool:
    """Hearts and diamonds are red."""
    return card.suit in (Suit.HEARTS, Suit.DIAMONDS)


_ALIKE: dict[Alike, Callable[[Card], Value]] = {
    Alike.RANK: lambda card: card.rank,
    Alike.SUIT: lambda card: card.suit,
    Alike.COLOUR: is_red,
    Alike.CARD: lambda card: card,
}
