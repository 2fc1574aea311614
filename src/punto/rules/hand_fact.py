"""Facts of single cards: what a bet may know of one hand, as a small value that grows card by card, and how a
condition becomes questions to the two hands and a test of their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import Any

from punto.cards.card import DECK, Card, Rank, Suit
from punto.rules.condition import (
    CARD_GROUPS,
    CARD_PLACES,
    TWO_POINTS,
    Alike,
    CardComparison,
    CardPlace,
    CardTest,
    Colour,
    Compared,
    ComparedBy,
    GroupTest,
    PokerClass,
    Reads,
    SuitName,
    When,
    pairs_test,
    totals_met,
)
from punto.rules.entry import each_of, expand_numbers
from punto.rules.outcome import Hand, is_pair_suited, pair_index, totals_index

PokerHalf = tuple[int, int, str | None]
"""Two ranks in order, and the suit of both cards if they share it."""

_STRAIGHTS = {frozenset(range(low, low + 4)) for low in range(1, 11)} | {frozenset((11, 12, 13, 1))}
_ROYAL = frozenset((Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK))


def poker_class(one: PokerHalf, other: PokerHalf) -> PokerClass:
    """The best class of the four cards of two halves."""
    return _class_of_four(*one[:2], *other[:2], one[2] is not None and one[2] == other[2])


@lru_cache(maxsize=1 << 15)
def _class_of_four(a: int, b: int, c: int, d: int, is_flush: bool) -> PokerClass:
    ranks = (a, b, c, d)
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    held = frozenset(ranks)
    if is_flush and held == _ROYAL:
        return PokerClass.MINI_ROYAL
    if counts[0] == 4:
        return PokerClass.FOUR_OF_A_KIND
    is_straight = len(held) == 4 and held in _STRAIGHTS
    if is_straight and is_flush:
        return PokerClass.STRAIGHT_FLUSH
    if counts[0] == 3:
        return PokerClass.THREE_OF_A_KIND
    if is_flush:
        return PokerClass.FLUSH
    if is_straight:
        return PokerClass.STRAIGHT
    if counts == [2, 2]:
        return PokerClass.TWO_PAIR
    return PokerClass.PAIR if counts[0] == 2 else PokerClass.HIGH_CARD


# Each fact says what it tells apart in a card (`sees`), what two cards come to, and what a third card makes
# of that. A hand never needs to be remembered card by card: two hands with the same values are one to the
# bet. That keeps proof, odds and simulation small, however many cards there are.


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
class OfOneCard(HandFact):
    """What is seen of the card at a place, 1 to 3; None where there is none."""

    place: int

    @property
    def reads_third(self) -> bool:
        return self.place == 3

    def two(self, first: Card, second: Card) -> Value:
        return None if self.place == 3 else self.sees((first, second)[self.place - 1])

    def third(self, value: Value, card: Card) -> Value:
        return self.sees(card) if self.place == 3 else value


@dataclass(frozen=True, slots=True)
class Placed(OfOneCard):
    """Whether the card at a place is one of these."""

    cards: frozenset[Card]

    def sees(self, card: Card) -> Value:
        return card in self.cards


_SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
"""From the lowest to the highest, as in other games that rank suits."""


@dataclass(frozen=True, slots=True)
class Key(OfOneCard):
    """What of the card at a place is compared with another card."""

    by: ComparedBy

    def sees(self, card: Card) -> Value:
        if self.by is ComparedBy.POINTS:
            return card.points
        if self.by is ComparedBy.CARD:
            return int(card.rank) * len(_SUIT_ORDER) + _SUIT_ORDER.index(card.suit)
        is_high_ace = self.by is ComparedBy.RANK_ACE_HIGH and card.rank is Rank.ACE
        return Rank.KING + 1 if is_high_ace else int(card.rank)


@dataclass(frozen=True, slots=True)
class OfAllCards(HandFact):
    """What the first two cards come to, or the whole hand."""

    is_whole: bool

    @property
    def reads_third(self) -> bool:
        return self.is_whole


@dataclass(frozen=True, slots=True)
class Counted(OfAllCards):
    """How many cards are among these."""

    cards: frozenset[Card]

    def sees(self, card: Card) -> Value:
        return card in self.cards

    def two(self, first: Card, second: Card) -> Value:
        return (first in self.cards) + (second in self.cards)

    def third(self, value: Value, card: Card) -> Value:
        assert isinstance(value, int)
        return value + (card in self.cards) if self.is_whole else value


@dataclass(frozen=True, slots=True)
class Common(OfAllCards):
    """What all cards have in common, or `MIXED`."""

    what: Alike

    def sees(self, card: Card) -> Value:
        return _ALIKE[self.what](card)

    def two(self, first: Card, second: Card) -> Value:
        one = self.sees(first)
        return one if one == self.sees(second) else MIXED

    def third(self, value: Value, card: Card) -> Value:
        return value if not self.is_whole or value == self.sees(card) else MIXED


@dataclass(frozen=True, slots=True)
class RanksHeld(OfAllCards):
    """The ranks of the cards in order; others than these are one."""

    ranks: frozenset[Rank]

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


# Every fact that stands in a condition becomes one or several of these. A question to one hand alone is
# answered with yes or no there; a question to both is decided by the two values together.


Test = Callable[[Any], bool]
Join = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class JoinedFact:
    """A question to Player's hand, to Banker's or to both."""

    player: HandFact | None
    banker: HandFact | None
    test: Test
    """Whether the value of the one hand, or of both joined, is what is asked for."""
    join: Join | None = None
    """How the values of both hands make one."""


def joined_facts(when: When, naturals: frozenset[int]) -> Iterator[JoinedFact]:
    """All questions of a condition but those after other bets; every one must be met."""
    if when.reads & Reads.TOTALS:
        met = totals_met(when, naturals)
        yield _both(PointsAndCards(), _totals, met.__contains__)
    yield from _pairs(when)
    for name in when.named:
        value = getattr(when, name)
        if name in TWO_POINTS:
            yield _one(_hand(name), TwoPoints(), frozenset(when.number_of(name)).__contains__)
        elif name in CARD_PLACES:
            placed = Placed(int(name[-1]), cards_meeting(value))
            yield _one(_hand(name), placed, lambda v: v is True)
        elif name in CARD_GROUPS:
            for group in each_of(value):
                yield from _group(name, group)
        elif name == "compare":
            for comparison in each_of(value):
                yield from _compared(comparison)


def _pairs(when: When) -> Iterator[JoinedFact]:
    test, fact = pairs_test(when), PairOf(when.reads_suits)
    is_player, is_banker = Reads.PLAYER_PAIR in when.reads, Reads.BANKER_PAIR in when.reads
    if is_player and is_banker:
        yield _both(fact, _side_by_side, lambda v: test(*v))
    elif is_player:
        yield _one(Hand.PLAYER, fact, lambda v: test(v, 0))
    elif is_banker:
        yield _one(Hand.BANKER, fact, lambda v: test(0, v))


@lru_cache(maxsize=1024)
def cards_meeting(test: CardTest) -> frozenset[Card]:
    """The cards that meet a test."""
    return frozenset(card for card in DECK if _meets(card, test))


def _meets(card: Card, test: CardTest) -> bool:
    return (
        (test.rank is None or card.rank in map(Rank.parse, each_of(test.rank)))
        and (test.points is None or card.points in expand_numbers(test.points, range(10)))
        and (test.face is None or (card.rank > Rank.TEN) == test.face)
        and (test.suit is None or card.suit in [_SUITS_BY_NAME[name] for name in each_of(test.suit)])
        and (test.colour is None or is_red(card) == (test.colour is Colour.RED))
        and (test.card is None or card in map(Card.parse, each_of(test.card)))
    )


_SUITS_BY_NAME = {name: Suit[name.name] for name in SuitName}


def _group(name: str, group: GroupTest) -> Iterator[JoinedFact]:
    is_whole = name in ("player_hand", "banker_hand", "round")
    hand = _hand(name) if name.startswith(("player", "banker")) else None
    if group.all is not None:
        others = frozenset(DECK) - cards_meeting(group.all)
        yield from _counted(hand, Counted(is_whole, others), frozenset((0,)))
    if group.none is not None:
        yield from _counted(hand, Counted(is_whole, cards_meeting(group.none)), frozenset((0,)))
    if group.number is not None and group.of is not None:
        numbers = frozenset(expand_numbers(group.number, range(7)))
        yield from _counted(hand, Counted(is_whole, cards_meeting(group.of)), numbers)
    for alike in each_of(group.same):
        yield _same(hand, Common(is_whole, alike), True)
    for alike in each_of(group.not_same):
        yield _same(hand, Common(is_whole, alike), False)
    if group.ranks is not None:
        ranks = sorted(int(Rank.parse(text)) for text in group.ranks)
        held = RanksHeld(is_whole, frozenset(map(Rank, ranks)))
        if hand is not None:
            yield _one(hand, held, lambda v: v == tuple(ranks))
        else:
            yield _both(held, _together, lambda v: v == tuple(ranks))
    if group.poker is not None:
        yield _both(HalfOfFour(), poker_class, frozenset(each_of(group.poker)).__contains__)


def _counted(hand: Hand | None, fact: Counted, numbers: frozenset[int]) -> Iterator[JoinedFact]:
    if hand is not None:
        yield _one(hand, fact, numbers.__contains__)
    elif numbers == {0}:  # no card: each hand answers for itself
        for one in Hand:
            yield _one(one, fact, lambda v: v == 0)
    else:
        yield _both(fact, add, numbers.__contains__)


def _same(hand: Hand | None, fact: Common, is_same: bool) -> JoinedFact:
    if hand is not None:
        return _one(hand, fact, lambda v: (v != MIXED) == is_same)
    return _both(fact, _common, lambda v: (v != MIXED) == is_same)


def _compared(comparison: CardComparison) -> Iterator[JoinedFact]:
    results = frozenset(each_of(comparison.result))
    first, second = _key(comparison.first, comparison), _key(comparison.second, comparison)
    if first[0] is second[0]:
        yield _one(first[0], _TwoKeys(first[1], second[1]), lambda v: _order(*v) in results)
    elif first[0] is Hand.PLAYER:
        yield JoinedFact(first[1], second[1], results.__contains__, _order)
    else:
        yield JoinedFact(second[1], first[1], results.__contains__, _order_of_second)


@dataclass(frozen=True, slots=True)
class _TwoKeys(HandFact):
    """Two cards of one hand that are compared."""

    one: Key
    other: Key

    @property
    def reads_third(self) -> bool:
        return self.one.reads_third or self.other.reads_third

    def sees(self, card: Card) -> Any:
        return self.one.sees(card)

    def two(self, first: Card, second: Card) -> Any:
        return self.one.two(first, second), self.other.two(first, second)

    def third(self, value: Any, card: Card) -> Any:
        return self.one.third(value[0], card), self.other.third(value[1], card)


def _key(place: CardPlace, comparison: CardComparison) -> tuple[Hand, Key]:
    return _hand(place.value), Key(int(place.value[-1]), comparison.by)


def _hand(name: str) -> Hand:
    return Hand.PLAYER if name.startswith("player") else Hand.BANKER


def _one(hand: Hand, fact: HandFact, test: Test) -> JoinedFact:
    return JoinedFact(fact, None, test) if hand is Hand.PLAYER else JoinedFact(None, fact, test)


def _both(fact: HandFact, join: Join, test: Test) -> JoinedFact:
    return JoinedFact(fact, fact, test, join)


def _totals(player: tuple[int, int], banker: tuple[int, int]) -> int:
    return totals_index(player[0], player[1], banker[0], banker[1])


def _side_by_side(player: int, banker: int) -> tuple[int, int]:
    return player, banker


def _together(player: tuple[int, ...], banker: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(player + banker))


def _common(player: Any, banker: Any) -> Any:
    return player if player == banker else MIXED


def _order(one: int | None, other: int | None) -> Compared | None:
    """How one card compares with another; None where one of them was not dealt."""
    if one is None or other is None:
        return None
    return Compared.EQUAL if one == other else Compared.HIGHER if one > other else Compared.LOWER


def _order_of_second(player: int | None, banker: int | None) -> Compared | None:
    return _order(banker, player)
