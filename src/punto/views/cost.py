"""What play costs on average: the exact house edge of every bet, and the expected cost of stakes.

The edge is that of a full shoe of the table's decks, computed by enumeration. It says what a bet costs on
average; it says nothing about the next round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

import msgspec

from punto.money import Rounding
from punto.odds.ante import ante_odds
from punto.odds.odds import odds_of
from punto.odds.undealt import Undealt
from punto.rules.book import Book

MOST_KEPT = 64
"""Books with their decks whose edges are kept."""


class CostView(msgspec.Struct, frozen=True):
    """What stakes on one betting area come to. Amounts are minor units."""

    area: str
    staked: int
    edge: float | None
    """The part of a stake that the house keeps on average; None where it depends on the cards (insurance)."""
    expected: int | None
    """What these stakes cost on average, exactly computed and rounded once."""
    actual: int
    """What they brought or cost in fact."""


@lru_cache(maxsize=MOST_KEPT)
def edges_of(book: Book, decks: int) -> Mapping[str, Fraction]:
    """The house edge of each betting area with a full shoe; an ante with its wager, with optimal play."""
    undealt = Undealt.of_decks(decks)
    edges = {bet.area: bet.edge for bet in odds_of(book, undealt).bets}
    for side in ante_odds(book, undealt).sides:
        edges[side.pair.ante] = side.edge
    return edges


def edge_of(book: Book, decks: int, area: str) -> float | None:
    """The house edge of one betting area, for people; None where it has none of its own."""
    edge = edges_of(book, decks).get(area)
    return None if edge is None else float(edge)


def cost_views(book: Book, decks: int, stakes: Iterable[tuple[str, int, int]]) -> tuple[CostView, ...]:
    """What stakes cost on average and in fact, by area; each stake is an area, an amount and its net."""
    edges, staked, nets = edges_of(book, decks), dict[str, int](), dict[str, int]()
    for area, amount, net in stakes:
        staked[area] = staked.get(area, 0) + amount
        nets[area] = nets.get(area, 0) + net
    return tuple(
        CostView(area, total, edge_of(book, decks, area), _expected(edges.get(area), total), nets[area])
        for area, total in staked.items()
    )


def _expected(edge: Fraction | None, staked: int) -> int | None:
    if edge is None:
        return None
    exact = edge * staked
    return Rounding.HALF_UP.apply(exact.numerator, exact.denominator)
