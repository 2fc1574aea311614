"""Conditions of a pay table, "when these facts hold": the tests on cards that a book writes, the closed
vocabulary of facts, and which deals meet a condition on points, numbers of cards and pairs.

A condition names facts and the values they may have; all of them must hold. What it does not name does not matter.
Facts of the winning or losing hand hold for no tie. This vocabulary, and not code, is what a designer of a new bet
works with: docs/guides/write-a-rule-book.md lists it. Facts of single cards are read by `hand_fact`: they need more
than the three numbers of a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, Flag, auto
from functools import lru_cache, reduce
from operator import or_

from punto.cards.card import Rank
from punto.rules.entry import Entry, Numbers, each_of, expand_numbers
from punto.rules.outcome import ALL_TOTALS, Hand, Totals, Winner, is_pair_suited, pair_rank


class SuitName(Enum):
    """A suit as books write it."""

    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"


class Colour(Enum):
    """Hearts and diamonds are red, spades and clubs are black."""

    RED = "red"
    BLACK = "black"


class Alike(Enum):
    """What cards of a group may have in common."""

    RANK = "rank"
    SUIT = "suit"
    COLOUR = "colour"
    CARD = "card"  # Rank and suit: identical cards.


class PokerClass(Enum):
    """What four cards make as a poker hand, best first. Each hand belongs to its best class only."""

    MINI_ROYAL = "mini-royal"  # Ace, king, queen and jack of one suit.
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    THREE_OF_A_KIND = "three-of-a-kind"
    FLUSH = "flush"
    STRAIGHT = "straight"  # Four ranks in a row; an ace is below the two or above the king.
    TWO_PAIR = "two-pair"
    PAIR = "pair"
    HIGH_CARD = "high-card"


class CardPlace(Enum):
    """A card by the hand it was dealt to, and its place in that hand."""

    PLAYER_1 = "player-1"
    PLAYER_2 = "player-2"
    PLAYER_3 = "player-3"
    BANKER_1 = "banker-1"
    BANKER_2 = "banker-2"
    BANKER_3 = "banker-3"


class Compared(Enum):
    """How one card compares with another."""

    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"


class ComparedBy(Enum):
    """What of two cards is compared."""

    RANK = "rank"  # Ace low, king high.
    RANK_ACE_HIGH = "rank-ace-high"
    POINTS = "points"
    CARD = "card"  # Rank, ace low, and of one rank the suit: clubs, diamonds, hearts, spades. Equal is the same card.


class CardTest(Entry, frozen=True):
    """A test on one card; everything that is named must hold."""

    rank: str | tuple[str, ...] | None = None
    """A rank, or any of several: A, 2 to 10, J, Q, K."""
    points: Numbers | None = None
    """What the card counts, 0 to 9; a ten or a picture card counts 0."""
    face: bool | None = None
    """A jack, queen or king (true), or any other card (false)."""
    suit: SuitName | tuple[SuitName, ...] | None = None
    """A suit, or any of several."""
    colour: Colour | None = None
    """Red or black."""
    card: str | tuple[str, ...] | None = None
    """One exact card, or any of several: 9D is the nine of diamonds."""


class GroupTest(Entry, frozen=True):
    """A test on a group of cards; everything that is named must hold."""

    all: CardTest | None = None
    """Every card of the group meets this test."""
    none: CardTest | None = None
    """No card of the group meets this test."""
    number: Numbers | None = None
    """How many cards of the group meet the test `of`, exactly; at least two is "2-6"."""
    of: CardTest | None = None
    """The test that `number` counts by."""
    same: Alike | tuple[Alike, ...] | None = None
    """All cards of the group have the same rank, suit or colour, or are the same card."""
    not_same: Alike | tuple[Alike, ...] | None = None
    """The cards of the group do not all have the same; of several, none of them."""
    ranks: tuple[str, ...] | None = None
    """The ranks of the group are exactly these, in any order."""
    poker: PokerClass | tuple[PokerClass, ...] | None = None
    """What the first four cards make as a poker hand."""


class CardComparison(Entry, frozen=True):
    """Two cards compared; it never holds where one of them was not dealt."""

    first: CardPlace
    """The card that is higher, lower or equal."""
    second: CardPlace
    """The card that it is compared with."""
    result: Compared | tuple[Compared, ...]
    """How the first card compares with the second: higher, lower or equal."""
    by: ComparedBy = ComparedBy.RANK
    """What is compared: rank (default, ace low), rank-ace-high, points, or card (rank, and of one rank the suit)."""


class Reads(Flag):
    """What a condition looks at: one of the three facts of a deal, or its single cards."""

    NOTHING = 0
    TOTALS = auto()
    PLAYER_PAIR = auto()
    BANKER_PAIR = auto()
    CARDS = auto()  # Single cards, or how a hand stood after two: nothing that the three facts could say.


Groups = GroupTest | tuple[GroupTest, ...]  # One test on a group of cards, or several that must all hold.


class When(Entry, frozen=True):
    """A condition on the facts of a finished deal."""

    winner: Winner | tuple[Winner, ...] | None = None
    """Who won: player, banker or tie."""
    player_points: Numbers | None = None
    """Points of the finished Player hand, 0 to 9."""
    banker_points: Numbers | None = None
    """Points of the finished Banker hand, 0 to 9."""
    winning_points: Numbers | None = None
    """Points of the winning hand; never true on a tie."""
    losing_points: Numbers | None = None
    """Points of the losing hand; never true on a tie."""
    either_points: Numbers | None = None
    """At least one of the two hands has one of these points."""
    both_points: Numbers | None = None
    """Each of the two hands has one of these points."""
    margin: Numbers | None = None
    """Points of the higher hand less those of the lower; 0 is a tie."""
    points_sum: Numbers | None = None
    """Points of both hands together, 0 to 18."""
    player_cards: Numbers | None = None
    """Cards in the Player hand, 2 or 3."""
    banker_cards: Numbers | None = None
    """Cards in the Banker hand, 2 or 3."""
    winning_cards: Numbers | None = None
    """Cards in the winning hand, 2 or 3; never true on a tie."""
    losing_cards: Numbers | None = None
    """Cards in the losing hand, 2 or 3; never true on a tie."""
    either_cards: Numbers | None = None
    """At least one of the two hands has this number of cards, 2 or 3."""
    both_cards: Numbers | None = None
    """Each of the two hands has this number of cards, 2 or 3."""
    cards: Numbers | None = None
    """Number of cards of both hands, 4 to 6."""
    natural: bool | None = None
    """A natural in either hand."""
    player_natural: bool | None = None
    """The Player hand is a natural."""
    banker_natural: bool | None = None
    """The Banker hand is a natural."""
    winning_natural: bool | None = None
    """The winning hand is a natural; neither value matches a tie."""
    losing_natural: bool | None = None
    """The losing hand is a natural; neither value matches a tie."""
    player_pair: bool | None = None
    """Player's first two cards have the same rank."""
    banker_pair: bool | None = None
    """Banker's first two cards have the same rank."""
    player_pair_of: str | tuple[str, ...] | None = None
    """Ranks: a pair of one of these."""
    banker_pair_of: str | tuple[str, ...] | None = None
    """Ranks: a pair of one of these."""
    player_pair_suited: bool | None = None
    """A pair of one suit (true), or anything but that (false)."""
    banker_pair_suited: bool | None = None
    """A pair of one suit (true), or anything but that (false)."""
    pairs: Numbers | None = None
    """In how many hands there is a pair, 0 to 2."""
    suited_pairs: Numbers | None = None
    """In how many hands there is a suited pair, 0 to 2."""
    same_pair: bool | None = None
    """Both hands hold pairs of the same rank."""
    player_two_points: Numbers | None = None
    """Points of Player's first two cards, 0 to 9, whatever came after them."""
    banker_two_points: Numbers | None = None
    """Points of Banker's first two cards, 0 to 9, whatever came after them."""
    player_1: CardTest | None = None
    """A test on Player's first card."""
    player_2: CardTest | None = None
    """A test on Player's second card."""
    player_3: CardTest | None = None
    """A test on Player's third card; never true where there is none."""
    banker_1: CardTest | None = None
    """A test on Banker's first card."""
    banker_2: CardTest | None = None
    """A test on Banker's second card."""
    banker_3: CardTest | None = None
    """A test on Banker's third card; never true where there is none."""
    player_two: Groups | None = None
    """A test on Player's first two cards, or several that must all hold."""
    banker_two: Groups | None = None
    """A test on Banker's first two cards, or several that must all hold."""
    player_hand: Groups | None = None
    """A test on all cards of the Player hand, or several that must all hold."""
    banker_hand: Groups | None = None
    """A test on all cards of the Banker hand, or several that must all hold."""
    first_four: Groups | None = None
    """A test on the first two cards of both hands, or several that must all hold."""
    round: Groups | None = None
    """A test on all cards of the round, four to six, or several that must all hold."""
    compare: CardComparison | tuple[CardComparison, ...] | None = None
    """Two cards compared, or several comparisons that must all hold."""
    wins: str | tuple[str, ...] | None = None
    """Betting areas of the book: at least one of these bets wins."""

    @property
    def reads(self) -> Reads:
        return reduce(or_, (_READS.get(name, Reads.TOTALS) for name in self.named), Reads.NOTHING)

    @property
    def card_fact(self) -> str | None:
        """The first fact named of single cards or of other bets."""
        return next((name for name in self.named if _READS.get(name) is Reads.CARDS), None)

    @property
    def names_suits(self) -> bool:
        """Whether it names a suit, a colour or a card, so that suits are not all alike to it."""
        groups = [group for name in CARD_GROUPS for group in each_of(getattr(self, name))]
        tests = [getattr(self, name) for name in CARD_PLACES]
        tests += [test for group in groups for test in (group.all, group.none, group.of)]
        if any(one.by is ComparedBy.CARD for one in each_of(self.compare)):
            return True
        return any(test is not None and (test.suit or test.colour or test.card) for test in tests)

    @property
    def named(self) -> tuple[str, ...]:
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is not None)

    def number_of(self, name: str) -> tuple[int, ...]:
        return expand_numbers(getattr(self, name), NUMBER_RANGES[name])

    @property
    def reads_suits(self) -> bool:
        """Whether it looks at the suits of a pair."""
        return any(name in self.named for name in ("player_pair_suited", "banker_pair_suited", "suited_pairs"))


CARD_PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
CARD_GROUPS = ("player_two", "banker_two", "player_hand", "banker_hand", "first_four", "round")
TWO_POINTS = ("player_two_points", "banker_two_points")

_READS = {
    **dict.fromkeys(("player_pair", "player_pair_of", "player_pair_suited"), Reads.PLAYER_PAIR),
    **dict.fromkeys(("banker_pair", "banker_pair_of", "banker_pair_suited"), Reads.BANKER_PAIR),
    **dict.fromkeys(("pairs", "suited_pairs", "same_pair"), Reads.PLAYER_PAIR | Reads.BANKER_PAIR),
    **dict.fromkeys((*CARD_PLACES, *CARD_GROUPS, *TWO_POINTS, "compare", "wins"), Reads.CARDS),
}

_HANDS = ("player", "banker", "winning", "losing", "either", "both")
NUMBER_RANGES: dict[str, range] = {
    **{f"{name}_points": range(10) for name in _HANDS},
    **{f"{name}_cards": range(2, 4) for name in _HANDS},
    **dict.fromkeys(("margin", *TWO_POINTS), range(10)),
    **{"points_sum": range(19), "cards": range(4, 7), "pairs": range(3), "suited_pairs": range(3)},
}
"""Facts that are numbers, and which numbers they can be."""


Naturals = frozenset[int]


def _is_natural(t: Totals, hand: Hand, naturals: Naturals) -> bool:
    points, cards = t.of(hand)
    return cards == 2 and points in naturals


def _winning(t: Totals) -> Hand | None:
    return None if t.winner is Winner.TIE else Hand(t.winner.value)


_TOTALS_FACTS: dict[str, Callable[[Totals, Naturals], object]] = {
    "winner": lambda t, _: t.winner,
    "player_points": lambda t, _: t.player_points,
    "banker_points": lambda t, _: t.banker_points,
    "winning_points": lambda t, _: (hand := _winning(t)) and t.of(hand)[0],
    "losing_points": lambda t, _: (hand := _winning(t)) and t.of(hand.other)[0],
    "either_points": lambda t, _: frozenset((t.player_points, t.banker_points)),
    "both_points": lambda t, _: frozenset((t.player_points, t.banker_points)),
    "margin": lambda t, _: abs(t.player_points - t.banker_points),
    "points_sum": lambda t, _: t.player_points + t.banker_points,
    "player_cards": lambda t, _: t.player_cards,
    "banker_cards": lambda t, _: t.banker_cards,
    "winning_cards": lambda t, _: (hand := _winning(t)) and t.of(hand)[1],
    "losing_cards": lambda t, _: (hand := _winning(t)) and t.of(hand.other)[1],
    "either_cards": lambda t, _: frozenset((t.player_cards, t.banker_cards)),
    "both_cards": lambda t, _: frozenset((t.player_cards, t.banker_cards)),
    "cards": lambda t, _: t.player_cards + t.banker_cards,
    "natural": lambda t, ns: any(_is_natural(t, hand, ns) for hand in Hand),
    "player_natural": lambda t, ns: _is_natural(t, Hand.PLAYER, ns),
    "banker_natural": lambda t, ns: _is_natural(t, Hand.BANKER, ns),
    "winning_natural": lambda t, ns: (hand := _winning(t)) and _is_natural(t, hand, ns),
    "losing_natural": lambda t, ns: (hand := _winning(t)) and _is_natural(t, hand.other, ns),
}
"""How each fact of points and cards is read off; None where there is no winning hand, and the values of both
hands where either or both of them count."""

_PAIR_FACTS: dict[str, Callable[[int, int], object]] = {
    "player_pair": lambda p, _: p > 0,
    "banker_pair": lambda _, b: b > 0,
    "player_pair_of": lambda p, _: pair_rank(p),
    "banker_pair_of": lambda _, b: pair_rank(b),
    "player_pair_suited": lambda p, _: is_pair_suited(p),
    "banker_pair_suited": lambda _, b: is_pair_suited(b),
    "pairs": lambda p, b: (p > 0) + (b > 0),
    "suited_pairs": lambda p, b: is_pair_suited(p) + is_pair_suited(b),
    "same_pair": lambda p, b: p > 0 and pair_rank(p) == pair_rank(b),
}
"""How each fact of pairs is read off."""


def totals_met(when: When, naturals: Naturals) -> frozenset[int]:
    """The `totals` that meet the part of a condition that looks at points and numbers of cards."""
    met = frozenset(range(len(ALL_TOTALS)))
    for name in when.named:
        if name in _TOTALS_FACTS:
            allowed, column = _allowed(when, name), _column(name, naturals).items()
            met &= frozenset[int]().union(*(deals for value, deals in column if _is_allowed(name, value, allowed)))
    return met


def _is_allowed(name: str, value: object, allowed: frozenset[object]) -> bool:
    if isinstance(value, frozenset):
        return bool(value & allowed) if name.startswith("either_") else value <= allowed
    return value in allowed


@lru_cache(maxsize=64)
def _column(name: str, naturals: Naturals) -> dict[object, frozenset[int]]:
    """For each value of a fact the `totals` that have it, read off once for all conditions."""
    fact = _TOTALS_FACTS[name]
    deals: dict[object, list[int]] = {}
    for i, totals in enumerate(ALL_TOTALS):
        deals.setdefault(fact(totals, naturals), []).append(i)
    return {value: frozenset(indexes) for value, indexes in deals.items()}


def pairs_test(when: When) -> Callable[[int, int], bool]:
    """The part of a condition that looks at the pairs of the two hands."""
    tests = [(_PAIR_FACTS[name], _allowed(when, name)) for name in when.named if name in _PAIR_FACTS]
    return lambda player, banker: all(fact(player, banker) in allowed for fact, allowed in tests)


def _allowed(when: When, name: str) -> frozenset[object]:
    if name in NUMBER_RANGES:
        return frozenset(when.number_of(name))
    values = each_of(getattr(when, name))
    return frozenset(map(Rank.parse, values) if name.endswith("_pair_of") else values)
