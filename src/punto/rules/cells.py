"""Cells of a flat pay table: the combinations of facts, where each stands, and which can happen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from punto.cards.card import Rank
from punto.rules.facts import NO_PAIR, PAIRS, TOTALS
from punto.rules.play import Play
from punto.rules.text.when import Reads

Cell = tuple[int, int, int]
"""Totals, Player's pair and Banker's pair; 0 for what is not read."""


def possible_cells(play: Play, reads: Reads) -> Iterable[Cell]:
    """Every combination of these facts that some finished deal has."""
    if reads.value == Reads.TOTALS.value:
        return ((totals, NO_PAIR, NO_PAIR) for totals in _possible_totals(play))
    if Reads.TOTALS not in reads:
        players = range(PAIRS) if Reads.PLAYER_PAIR in reads else (NO_PAIR,)
        bankers = range(PAIRS) if Reads.BANKER_PAIR in reads else (NO_PAIR,)
        return ((0, p, b) for p in players for b in bankers)
    return _mixed_cells(play, reads)


@lru_cache(maxsize=16)
def _mixed_cells(play: Play, reads: Reads) -> tuple[Cell, ...]:
    """Points and pairs together: a pair of fours in two cards is eight points and no other number."""
    only_none = (NO_PAIR,)
    found: set[Cell] = set()
    for player_points, banker_points, totals in play.finishes():
        players = _pairs_making(player_points) if Reads.PLAYER_PAIR in reads else only_none
        bankers = _pairs_making(banker_points) if Reads.BANKER_PAIR in reads else only_none
        found.update((totals.index, player, banker) for player in players for banker in bankers)
    return tuple(sorted(found))


@lru_cache(maxsize=16)
def _possible_totals(play: Play) -> tuple[int, ...]:
    return tuple(sorted({totals.index for _, _, totals in play.finishes()}))


@lru_cache(maxsize=10)
def _pairs_making(points: int) -> tuple[int, ...]:
    """No pair, and every pair whose two cards make these points."""
    ranks = [rank for rank in Rank if 2 * rank.points % 10 == points]
    return (NO_PAIR, *(2 * rank - unsuited for rank in ranks for unsuited in (1, 0)))


def strides_of(reads: Reads) -> Cell:
    """By how many cells each fact moves on; 0 for what is not read."""
    banker = 1 if Reads.BANKER_PAIR in reads else 0
    player = (PAIRS if banker else 1) if Reads.PLAYER_PAIR in reads else 0
    totals = (PAIRS if player else 1) * (PAIRS if banker else 1) if Reads.TOTALS in reads else 0
    return totals, player, banker


def number_of_cells(reads: Reads) -> int:
    """Cells of a table over these facts, possible or not."""
    size = TOTALS if Reads.TOTALS in reads else 1
    for pair in (Reads.PLAYER_PAIR, Reads.BANKER_PAIR):
        size *= PAIRS if pair in reads else 1
    return size
