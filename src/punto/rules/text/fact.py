"""How facts of points, numbers of cards and pairs are read off a deal, and which deals meet a condition.

Facts of single cards are read elsewhere (`rules.hands`): they need more than the three numbers of a deal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from punto.cards.card import Rank
from punto.rules.facts import ALL_TOTALS, Hand, Totals, Winner, is_pair_suited, pair_rank
from punto.rules.text.when import RANGES, When

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
    met = _ALL
    for name in when.named:
        if name in _TOTALS_FACTS:
            column, allowed = _column(name, naturals), _allowed(when, name)
            values = (value for value in column if _is_allowed(name, value, allowed))
            met &= _NONE.union(*(column[value] for value in values))
    return met


def _is_allowed(name: str, value: object, allowed: frozenset[object]) -> bool:
    if isinstance(value, frozenset):
        return bool(value & allowed) if name.startswith("either_") else value <= allowed
    return value in allowed


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
    asked = [(_PAIR_FACTS[name], _allowed(when, name)) for name in when.named if name in _PAIR_FACTS]
    return lambda player, banker: all(fact(player, banker) in allowed for fact, allowed in asked)


def _allowed(when: When, name: str) -> frozenset[object]:
    """The values that a fact may have by a condition."""
    value = getattr(when, name)
    if name in RANGES:
        return frozenset(when.number_of(name))
    values = value if isinstance(value, tuple) else (value,)
    if name.endswith("_pair_of"):
        values = tuple(Rank.parse(str(text)) for text in values)
    return frozenset(values)
