"""Conditions of a pay table: "when these facts hold".

A condition names facts and the values they may have; all of them must hold. What it does not name does not
matter. Facts of the winning or losing hand hold for no tie. This vocabulary, and not code, is what a designer
of a new bet works with: docs/guides/write-a-rule-book.md lists it.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Any

import msgspec

from punto.rules.facts import Winner
from punto.rules.text.card_test import CardComparison, CardTest, ComparedBy, GroupTest
from punto.rules.text.number import Numbers, expand


class Reads(Flag):
    """What a condition looks at: one of the three facts of a deal, or its single cards."""

    NOTHING = 0
    TOTALS = auto()
    PLAYER_PAIR = auto()
    BANKER_PAIR = auto()
    CARDS = auto()
    """Single cards, or how a hand stood after two: nothing that the three facts could say."""


Groups = GroupTest | tuple[GroupTest, ...]
"""One test on a group of cards, or several that must all hold."""


class When(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, repr_omit_defaults=True
):
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
        """Which facts it looks at."""
        reads = Reads.NOTHING
        for name in self.__struct_fields__:
            if getattr(self, name) is not None:
                reads |= _READS.get(name, Reads.TOTALS)
        return reads

    @property
    def card_fact(self) -> str | None:
        """The first fact named of single cards or of other bets."""
        return next((name for name in self.named if _READS.get(name) is Reads.CARDS), None)

    @property
    def names_suits(self) -> bool:
        """Whether it names a suit, a colour or a card, so that suits are not all alike to it."""
        groups = [group for name in CARD_GROUPS for group in _each(getattr(self, name))]
        tests = [getattr(self, name) for name in CARD_PLACES]
        tests += [test for group in groups for test in (group.all, group.none, group.of)]
        if any(one.by is ComparedBy.CARD for one in _each(self.compare)):
            return True
        return any(test is not None and (test.suit or test.colour or test.card) for test in tests)

    @property
    def named(self) -> tuple[str, ...]:
        """The facts that it names."""
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is not None)

    def number_of(self, name: str) -> tuple[int, ...]:
        """The numbers that a fact may have by this condition."""
        return expand(getattr(self, name), RANGES[name])

    @property
    def reads_suits(self) -> bool:
        """Whether it looks at the suits of a pair."""
        return any(getattr(self, name) is not None for name in _SUIT_FACTS)


_SUIT_FACTS = ("player_pair_suited", "banker_pair_suited", "suited_pairs")
_BOTH = Reads.PLAYER_PAIR | Reads.BANKER_PAIR
CARD_PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
CARD_GROUPS = ("player_two", "banker_two", "player_hand", "banker_hand", "first_four", "round")
TWO_POINTS = ("player_two_points", "banker_two_points")

_READS = {
    "player_pair": Reads.PLAYER_PAIR,
    "player_pair_of": Reads.PLAYER_PAIR,
    "player_pair_suited": Reads.PLAYER_PAIR,
    "banker_pair": Reads.BANKER_PAIR,
    "banker_pair_of": Reads.BANKER_PAIR,
    "banker_pair_suited": Reads.BANKER_PAIR,
    "pairs": _BOTH,
    "suited_pairs": _BOTH,
    "same_pair": _BOTH,
    **dict.fromkeys((*CARD_PLACES, *CARD_GROUPS, *TWO_POINTS, "compare", "wins"), Reads.CARDS),
}

RANGES: dict[str, range] = {
    **dict.fromkeys(("player_points", "banker_points", "winning_points", "losing_points"), range(10)),
    **dict.fromkeys(("either_points", "both_points", "margin", *TWO_POINTS), range(10)),
    "points_sum": range(19),
    **dict.fromkeys(("player_cards", "banker_cards", "winning_cards", "losing_cards"), range(2, 4)),
    **dict.fromkeys(("either_cards", "both_cards"), range(2, 4)),
    "cards": range(4, 7),
    "pairs": range(3),
    "suited_pairs": range(3),
}
"""Facts that are numbers, and which numbers they can be."""


def _each(value: Any) -> tuple[Any, ...]:
    return () if value is None else value if isinstance(value, tuple) else (value,)
