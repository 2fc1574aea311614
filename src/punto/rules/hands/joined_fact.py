"""Facts of a condition as questions to the two hands: what is asked of each, and what the answers must be.

Every fact that stands in a condition becomes one or several of these. A question to one hand alone is
answered with yes or no there; a question to both is decided by the two values together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import Any

from punto.cards.card import DECK, Card, Rank, Suit
from punto.rules.facts import Hand, totals_index
from punto.rules.hands.hand_fact import (
    MIXED,
    Common,
    Counted,
    HalfOfFour,
    HandFact,
    Key,
    PairOf,
    Placed,
    PointsAndCards,
    RanksHeld,
    TwoPoints,
    is_red,
)
from punto.rules.hands.poker import poker_class
from punto.rules.text.card_test import (
    CardComparison,
    CardPlace,
    CardTest,
    Colour,
    Compared,
    GroupTest,
    SuitName,
)
from punto.rules.text.fact import pairs_test, totals_met
from punto.rules.text.number import expand
from punto.rules.text.when import CARD_GROUPS, CARD_PLACES, TWO_POINTS, Reads, When

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
            for group in value if isinstance(value, tuple) else (value,):
                yield from _group(name, group)
        elif name == "compare":
            for comparison in value if isinstance(value, tuple) else (value,):
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
        (test.rank is None or card.rank in map(Rank.parse, _many(test.rank)))
        and (test.points is None or card.points in expand(test.points, range(10)))
        and (test.face is None or (card.rank > Rank.TEN) == test.face)
        and (test.suit is None or card.suit in [_SUITS[name] for name in _many(test.suit)])
        and (test.colour is None or is_red(card) == (test.colour is Colour.RED))
        and (test.card is None or card in map(Card.parse, _many(test.card)))
    )


_SUITS = {name: Suit[name.name] for name in SuitName}


def _group(name: str, group: GroupTest) -> Iterator[JoinedFact]:
    is_whole = name in ("player_hand", "banker_hand", "round")
    hand = _hand(name) if name.startswith(("player", "banker")) else None
    if group.all is not None:
        others = frozenset(DECK) - cards_meeting(group.all)
        yield from _counted(hand, Counted(others, is_whole), frozenset((0,)))
    if group.none is not None:
        yield from _counted(hand, Counted(cards_meeting(group.none), is_whole), frozenset((0,)))
    if group.number is not None and group.of is not None:
        numbers = frozenset(expand(group.number, range(7)))
        yield from _counted(hand, Counted(cards_meeting(group.of), is_whole), numbers)
    for alike in _many(group.same):
        yield _same(hand, Common(alike, is_whole), True)
    for alike in _many(group.not_same):
        yield _same(hand, Common(alike, is_whole), False)
    if group.ranks is not None:
        ranks = sorted(int(Rank.parse(text)) for text in group.ranks)
        held = RanksHeld(frozenset(map(Rank, ranks)), is_whole)
        if hand is not None:
            yield _one(hand, held, lambda v: v == tuple(ranks))
        else:
            yield _both(held, _together, lambda v: v == tuple(ranks))
    if group.poker is not None:
        yield _both(HalfOfFour(), poker_class, frozenset(_many(group.poker)).__contains__)


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
    results = frozenset(_many(comparison.result))
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


def _many(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)
