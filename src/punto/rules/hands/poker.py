"""Four cards as a poker hand, from the two halves that the hands hold."""

from __future__ import annotations

from functools import lru_cache

from punto.cards.card import Rank
from punto.rules.text.card_test import PokerClass

Half = tuple[int, int, str | None]
"""Two ranks in order, and the suit of both cards if they share it."""

_STRAIGHTS = {frozenset(range(low, low + 4)) for low in range(1, 11)} | {frozenset((11, 12, 13, 1))}
_ROYAL = frozenset((Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK))


def poker_class(one: Half, other: Half) -> PokerClass:
    """The best class of the four cards of two halves."""
    return _class(*one[:2], *other[:2], one[2] is not None and one[2] == other[2])


@lru_cache(maxsize=1 << 15)
def _class(a: int, b: int, c: int, d: int, is_flush: bool) -> PokerClass:
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
