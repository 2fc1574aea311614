"""Conditions of a pay table: "when these facts hold".

A condition names facts and the values they may have; all of them must hold. What it does not name does not
matter. Facts of the winning or losing hand hold for no tie. This vocabulary, and not code, is what a designer
of a new bet works with: docs/guides/write-a-rule-book.md lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from functools import lru_cache

import msgspec

from punto.cards.card import Rank
from punto.rules.facts import ALL_TOTALS, Hand, Totals, Winner, is_pair_suited, pair_rank

Numbers = int | tuple[int, ...]
"""One number, or any of several."""


class Reads(Flag):
    """Which of the three facts a condition looks at."""

    NOTHING = 0
    TOTALS = auto()
    PLAYER_PAIR = auto()
    BANKER_PAIR = auto()


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

    @property
    def reads(self) -> Reads:
        """Which facts it looks at."""
        reads = Reads.NOTHING
        for name in self.__struct_fields__:
            if getattr(self, name) is not None:
                reads |= _PAIR_READS.get(name, Reads.TOTALS)
        return reads

    @property
    def reads_suits(self) -> bool:
        """Whether it looks at the suits of a pair."""
        return any(getattr(self, name) is not None for name in _SUIT_FACTS)


_SUIT_FACTS = ("player_pair_suited", "banker_pair_suited", "suited_pairs")
_BOTH = Reads.PLAYER_PAIR | Reads.BANKER_PAIR
_PAIR_READS = {
    "player_pair": Reads.PLAYER_PAIR,
    "player_pair_of": Reads.PLAYER_PAIR,
    "player_pair_suited": Reads.PLAYER_PAIR,
    "banker_pair": Reads.BANKER_PAIR,
    "banker_pair_of": Reads.BANKER_PAIR,
    "banker_pair_suited": Reads.BANKER_PAIR,
    "pairs": _BOTH,
    "suited_pairs": _BOTH,
    "same_pair": _BOTH,
}

Naturals = frozenset[int]

_ALL = frozenset(range(len(ALL_TOTALS)))
_NONE: frozenset[int] = frozenset()


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
    "margin": lambda t, _: abs(t.player_points - t.banker_points),
    "points_sum": lambda t, _: t.player_points + t.banker_points,
    "player_cards": lambda t, _: t.player_cards,
    "banker_cards": lambda t, _: t.banker_cards,
    "winning_cards": lambda t, _: (hand := _winning(t)) and t.of(hand)[1],
    "losing_cards": lambda t, _: (hand := _winning(t)) and t.of(hand.other)[1],
    "cards": lambda t, _: t.player_cards + t.banker_cards,
    "natural": lambda t, ns: any(_is_natural(t, hand, ns) for hand in Hand),
    "player_natural": lambda t, ns: _is_natural(t, Hand.PLAYER, ns),
    "banker_natural": lambda t, ns: _is_natural(t, Hand.BANKER, ns),
    "winning_natural": lambda t, ns: (hand := _winning(t)) and _is_natural(t, hand, ns),
}
"""How each fact of points and cards is read off; None where there is no winning hand."""

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

_RANGES: dict[str, range] = {
    **dict.fromkeys(
        ("player_points", "banker_points", "winning_points", "losing_points", "margin"), range(10)
    ),
    "points_sum": range(19),
    **dict.fromkeys(("player_cards", "banker_cards", "winning_cards", "losing_cards"), range(2, 4)),
    "cards": range(4, 7),
    "pairs": range(3),
    "suited_pairs": range(3),
}


def complaints(when: When) -> list[tuple[str, str]]:
    """What is wrong with the values of a condition: name of the fact, and a sentence."""
    found = []
    for name, allowed in _RANGES.items():
        wrong = [number for number in _many(getattr(when, name)) if number not in allowed]
        if wrong:
            found.append((name, f"{wrong[0]} is not between {allowed[0]} and {allowed[-1]}"))
    for name in ("player_pair_of", "banker_pair_of"):
        for text in _many(getattr(when, name)):
            try:
                Rank.parse(str(text))
            except ValueError as error:
                found.append((name, str(error)))
    found += [(name, "an empty list can never hold") for name in _named(when) if getattr(when, name) == ()]
    if not _named(when):
        found.append(("", "a condition names at least one fact; use otherwise = true for all the rest"))
    return found


def totals_met(when: When, naturals: Naturals) -> frozenset[int]:
    """The `totals` that meet the part of a condition that looks at points and numbers of cards."""
    met = _ALL
    for name in _named(when):
        if name in _TOTALS_FACTS:
            column = _column(name, naturals)
            met &= _NONE.union(*(column.get(value, _NONE) for value in _many(getattr(when, name))))
    return met


def totals_test(when: When, naturals: Naturals) -> Callable[[Totals], bool]:
    """The same part, asked of one `Totals`."""
    met = totals_met(when, naturals)
    return lambda totals: totals.index in met


@lru_cache(maxsize=64)
def _column(name: str, naturals: Naturals) -> dict[object, frozenset[int]]:
    """For each value of a fact the `totals` that have it, read off once for all conditions."""
    fact = _TOTALS_FACTS[name]
    found: dict[object, list[int]] = {}
    for i, totals in enumerate(ALL_TOTALS):
        found.setdefault(fact(totals, naturals), []).append(i)
    return {value: frozenset(indexes) for value, indexes in found.items()}


def pairs_test(when: When) -> Callable[[int, int], bool]:
    """The part of a condition that looks at the pairs of the two hands."""
    asked = []
    for name in _named(when):
        if name in _PAIR_FACTS:
            values = _many(getattr(when, name))
            if name.endswith("_pair_of"):
                values = tuple(Rank.parse(str(text)) for text in values)
            asked.append((_PAIR_FACTS[name], values))
    return lambda player, banker: all(fact(player, banker) in allowed for fact, allowed in asked)


def _named(when: When) -> list[str]:
    return [name for name in when.__struct_fields__ if getattr(when, name) is not None]


def _many(value: object) -> tuple[object, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)
