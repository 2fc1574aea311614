"""Facts of single cards: what a bet may know of one hand, as a small value that grows card by card, and how a
condition becomes questions to the two hands and a test of their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from operator import add, eq, ne
from typing import Any

import msgspec

from punto.cards.card import DECK, Card, Rank, Suit
from punto.rules import condition
from punto.rules.condition import (
    Alike,
    CardComparison,
    CardTest,
    Colour,
    Compared,
    ComparedBy,
    GroupTest,
    PokerClass,
    When,
)
from punto.rules.entry import each_of, expand_numbers
from punto.rules.outcome import Hand, is_pair_suited, pair_index, totals_index

PokerHalf = tuple[int, int, str | None]  # Two ranks in order, and the suit of both cards if they share it.

_STRAIGHTS = {frozenset(range(low, low + 4)) for low in range(1, 11)} | {frozenset((11, 12, 13, 1))}
_ROYAL = frozenset((Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK))


def poker_class(one: PokerHalf, other: PokerHalf) -> PokerClass:
    return _class_of_four(*one[:2], *other[:2], one[2] is not None and one[2] == other[2])


@lru_cache(maxsize=1 << 15)
def _class_of_four(a: int, b: int, c: int, d: int, is_flush: bool) -> PokerClass:
    ranks = (a, b, c, d)
    held = frozenset(ranks)
    counts = sorted(map(ranks.count, held), reverse=True)
    is_straight = len(held) == 4 and held in _STRAIGHTS
    classes = {
        PokerClass.MINI_ROYAL: is_flush and held == _ROYAL,
        PokerClass.STRAIGHT_FLUSH: is_flush and is_straight,
        PokerClass.FOUR_OF_A_KIND: counts[0] == 4,
        PokerClass.THREE_OF_A_KIND: counts[0] == 3,
        PokerClass.FLUSH: is_flush,
        PokerClass.STRAIGHT: is_straight,
        PokerClass.TWO_PAIR: counts == [2, 2],
        PokerClass.PAIR: counts[0] == 2,
        PokerClass.HIGH_CARD: True,
    }
    return next(best for best, holds in classes.items() if holds)


Value = Any  # What a fact comes to, always hashable.
MIXED = "mixed"  # Stands for "not all the same".


class HandFact(msgspec.Struct, frozen=True):
    """Something about a hand; by itself it tells nothing apart.

    Each fact says what it tells apart in a card (`sees`), what two cards come to, and what a third card makes of
    that. A hand never needs to be remembered card by card: two hands with the same values are one to the bet. That
    keeps proof, odds and simulation small, however many cards there are.
    """

    @property
    def reads_third(self) -> bool:
        """Whether a third card changes it."""
        return False

    def sees(self, card: Card) -> Value:  # noqa: ARG002
        return None

    def two(self, first: Card, second: Card) -> Value:  # noqa: ARG002
        """What the first two cards come to."""
        return None

    def third(self, value: Value, card: Card) -> Value:  # noqa: ARG002
        return value

    def stood(self, value: Value) -> Value:
        """What it is if no third card comes."""
        return value


class PointsAndCards(HandFact, frozen=True):
    @property
    def reads_third(self) -> bool:
        return True

    def two(self, first: Card, second: Card) -> Value:
        return (first.points + second.points) % 10

    def third(self, value: Value, card: Card) -> Value:
        return (value + card.points) % 10, 3

    def stood(self, value: Value) -> Value:
        return value, 2


class TwoPoints(HandFact, frozen=True):
    """Points of the first two cards."""

    def sees(self, card: Card) -> Value:
        return card.points

    def two(self, first: Card, second: Card) -> Value:
        return (first.points + second.points) % 10


class PairOf(HandFact, frozen=True):
    """The pair of the first two cards, as the facts of a deal have it; without suits, none is suited."""

    has_suits: bool

    def sees(self, card: Card) -> Value:
        return card if self.has_suits else card.rank

    def two(self, first: Card, second: Card) -> Value:
        pair = pair_index(first, second)
        return pair - 1 if is_pair_suited(pair) and not self.has_suits else pair


class OfOneCard(HandFact, frozen=True):
    """What is seen of the card at a place, 1 to 3; None where there is none."""

    place: int

    @property
    def reads_third(self) -> bool:
        return self.place == 3

    def two(self, first: Card, second: Card) -> Value:
        return None if self.place == 3 else self.sees((first, second)[self.place - 1])

    def third(self, value: Value, card: Card) -> Value:
        return self.sees(card) if self.place == 3 else value


class Placed(OfOneCard, frozen=True):
    """Whether the card at a place is one of these."""

    cards: frozenset[Card]

    def sees(self, card: Card) -> Value:
        return card in self.cards


_SUIT_ORDER = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
"""From the lowest to the highest, as in other games that rank suits."""


class Key(OfOneCard, frozen=True):
    """What of the card at a place is compared with another card."""

    by: ComparedBy

    def sees(self, card: Card) -> Value:
        if self.by is ComparedBy.POINTS:
            return card.points
        if self.by is ComparedBy.CARD:
            return int(card.rank) * len(_SUIT_ORDER) + _SUIT_ORDER.index(card.suit)
        is_high_ace = self.by is ComparedBy.RANK_ACE_HIGH and card.rank is Rank.ACE
        return Rank.KING + 1 if is_high_ace else int(card.rank)


class OfAllCards(HandFact, frozen=True):
    """What the first two cards come to, or the whole hand."""

    is_whole: bool

    @property
    def reads_third(self) -> bool:
        return self.is_whole


class Counted(OfAllCards, frozen=True):
    """How many cards are among these."""

    cards: frozenset[Card]

    def sees(self, card: Card) -> Value:
        return card in self.cards

    def two(self, first: Card, second: Card) -> Value:
        return (first in self.cards) + (second in self.cards)

    def third(self, value: Value, card: Card) -> Value:
        return value + (card in self.cards) if self.is_whole else value


class Common(OfAllCards, frozen=True):
    """What all cards have in common, or `MIXED`."""

    what: Alike

    def sees(self, card: Card) -> Value:
        return _ALIKE[self.what](card)

    def two(self, first: Card, second: Card) -> Value:
        one = self.sees(first)
        return one if one == self.sees(second) else MIXED

    def third(self, value: Value, card: Card) -> Value:
        return value if not self.is_whole or value == self.sees(card) else MIXED


class RanksHeld(OfAllCards, frozen=True):
    """The ranks of the cards in order; others than these are one."""

    ranks: frozenset[Rank]

    def sees(self, card: Card) -> Value:
        return int(card.rank) if card.rank in self.ranks else 0

    def two(self, first: Card, second: Card) -> Value:
        return tuple(sorted((self.sees(first), self.sees(second))))

    def third(self, value: Value, card: Card) -> Value:
        return tuple(sorted((*value, self.sees(card)))) if self.is_whole else value


class HalfOfFour(HandFact, frozen=True):
    """The ranks of the first two cards in order, and their suit if they share it: half of a poker hand."""

    def sees(self, card: Card) -> Value:
        return card

    def two(self, first: Card, second: Card) -> Value:
        low, high = sorted((int(first.rank), int(second.rank)))
        return low, high, first.suit.value if first.suit is second.suit else None


def is_red(card: Card) -> bool:
    return card.suit in (Suit.HEARTS, Suit.DIAMONDS)


_ALIKE: dict[Alike, Callable[[Card], Value]] = {
    Alike.RANK: lambda card: card.rank,
    Alike.SUIT: lambda card: card.suit,
    Alike.COLOUR: is_red,
    Alike.CARD: lambda card: card,
}

Test = Callable[[Any], bool]
Join = Callable[[Any, Any], Any]


class JoinedFact(msgspec.Struct, frozen=True):
    """A question to Player's hand, to Banker's or to both: every fact in a condition becomes one or several. One
    hand alone answers with yes or no; a question to both is decided by the two values together.
    """

    player: HandFact | None
    banker: HandFact | None
    test: Test  # Whether the value of the one hand, or of both joined, is what is asked for.
    join: Join | None = None  # How the values of both hands make one.


def joined_facts(when: When, naturals: frozenset[int]) -> Iterator[JoinedFact]:
    """All questions of a condition but those after other bets; every one must be met."""
    if when.reads & condition.Reads.TOTALS:
        yield _question(None, PointsAndCards(), condition.totals_met(when, naturals).__contains__, _totals)
    yield from _pairs(when)
    for name in when.named:
        value = getattr(when, name)
        if name in condition.TWO_POINTS:
            yield _question(_hand(name), TwoPoints(), frozenset(when.number_of(name)).__contains__)
        elif name in condition.CARD_PLACES:
            yield _question(_hand(name), Placed(int(name[-1]), cards_meeting(value)), bool)
        elif name in condition.CARD_GROUPS:
            for group in each_of(value):
                yield from _group(name, group)
        elif name == "compare":
            yield from map(_compared, each_of(value))


def _pairs(when: When) -> Iterator[JoinedFact]:
    test, fact = condition.pairs_test(when), PairOf(when.reads_suits)
    is_player, is_banker = condition.Reads.PLAYER_PAIR in when.reads, condition.Reads.BANKER_PAIR in when.reads
    if is_player and is_banker:
        yield _question(None, fact, lambda v: test(*v), _side_by_side)
    elif is_player:
        yield _question(Hand.PLAYER, fact, lambda v: test(v, 0))
    elif is_banker:
        yield _question(Hand.BANKER, fact, lambda v: test(0, v))


@lru_cache(maxsize=1024)
def cards_meeting(test: CardTest) -> frozenset[Card]:
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


_SUITS_BY_NAME = {name: Suit[name.name] for name in condition.SuitName}


def _group(name: str, group: GroupTest) -> Iterator[JoinedFact]:
    is_whole = name in ("player_hand", "banker_hand", "round")
    hand = _hand(name) if name.startswith(("player", "banker")) else None
    counted = []
    if group.all is not None:
        counted.append((frozenset(DECK) - cards_meeting(group.all), frozenset((0,))))
    if group.none is not None:
        counted.append((cards_meeting(group.none), frozenset((0,))))
    if group.number is not None and group.of is not None:
        counted.append((cards_meeting(group.of), frozenset(expand_numbers(group.number, range(7)))))
    for cards, numbers in counted:
        # That there is no card is answered by each hand for itself.
        for one in Hand if hand is None and numbers == {0} else (hand,):
            yield _question(one, Counted(is_whole, cards), numbers.__contains__, add)
    for alike in each_of(group.same):
        yield _question(hand, Common(is_whole, alike), partial(ne, MIXED), _common)
    for alike in each_of(group.not_same):
        yield _question(hand, Common(is_whole, alike), partial(eq, MIXED), _common)
    if group.ranks is not None:
        ranks = sorted(int(Rank.parse(text)) for text in group.ranks)
        yield _question(hand, RanksHeld(is_whole, frozenset(map(Rank, ranks))), partial(eq, tuple(ranks)), _together)
    if group.poker is not None:
        yield _question(None, HalfOfFour(), frozenset(each_of(group.poker)).__contains__, poker_class)


def _compared(comparison: CardComparison) -> JoinedFact:
    results, places = frozenset(each_of(comparison.result)), (comparison.first.value, comparison.second.value)
    hand, other = map(_hand, places)
    first, second = (Key(int(place[-1]), comparison.by) for place in places)
    if hand is other:
        return _question(hand, _TwoKeys(first, second), lambda v: _order(*v) in results)
    if hand is Hand.PLAYER:
        return JoinedFact(first, second, results.__contains__, _order)
    return JoinedFact(second, first, results.__contains__, _order_of_second)


class _TwoKeys(HandFact, frozen=True):
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


def _hand(name: str) -> Hand:
    return Hand.PLAYER if name.startswith("player") else Hand.BANKER


def _question(hand: Hand | None, fact: HandFact, test: Test, join: Join | None = None) -> JoinedFact:
    """What is asked of one hand alone; or of both, joined."""
    if hand is None:
        return JoinedFact(fact, fact, test, join)
    return JoinedFact(fact, None, test) if hand is Hand.PLAYER else JoinedFact(None, fact, test)


def _totals(player: tuple[int, int], banker: tuple[int, int]) -> int:
    return totals_index(*player, *banker)


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
