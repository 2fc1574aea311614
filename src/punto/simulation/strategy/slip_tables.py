"""A strategy's bets as arrays: stakes, pay tables in whole numbers, insurance offers and ante policies."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.outcome import Result
from punto.simulation.kernels.workspace import CODE_RANKS
from punto.simulation.strategy.strategy import Insuring, Strategy

NO_ENTRY = -1
STAKE, START, BY_TOTALS, BY_PLAYER_PAIR, BY_BANKER_PAIR, DENOMINATOR, WAGER, MAIN_HAND = range(8)
"""Columns of a bet: its stake, where its pay table begins and what each fact moves on by there, what its nets
are to be divided by, the place of the wager that follows it, and the hand if it is a main bet.
"""
EXACT = 0
"""In place of a denominator: one unit's nets are whole minor units, and nothing is ever rounded."""
WINDOWS = (4, 5)
"""Cards on the table at the two windows of insurance."""
CHOICES = (Insuring.PASS, Insuring.INSURE, Insuring.HOLD)
INSURED_AREAS = tuple((hand, cards) for hand in Hand for cards in WINDOWS)


class SlipTables(NamedTuple):
    """Everything a kernel needs to lay and settle a strategy's bets."""

    bets: NDArray[np.int64]
    """A row for each bet: the strategy's, then the wagers that follow its antes, with nothing staked yet."""
    nets: NDArray[np.int64]
    """All pay tables behind each other: net of one unit, or of a stake as large as the denominator."""
    capped: NDArray[np.int64]
    """In the places of `nets`: the net of a stake at the table's maximum, or of the wager that follows it."""
    giving_up: NDArray[np.uint8]
    """Of each bet, by shown points: whether the ante is given up."""
    offers: NDArray[np.int64]
    """A row for each hand, window and points: odds as two numbers, what a tie does, and the choice."""
    tags: NDArray[np.int64]
    """What each code adds to the running count."""


def slip_tables(book: Book, strategy: Strategy) -> SlipTables:
    """The arrays of a strategy at a table of this book."""
    areas = slip_areas(book, strategy)
    mains = {book.main_area(hand): i for i, hand in enumerate(Hand)}
    rows: list[tuple[int, ...]] = []
    nets: list[int] = []
    capped: list[int] = []
    for area in areas:
        table = book.pay_tables[area]
        values = table.nets
        stake, denominator = strategy.stakes.get(area, 0), lcm(*(value.denominator for value in values))
        unit = stake or _wager_stake(book, strategy, area)
        follows = book.wager_of(area)
        wager = areas.index(follows) if follows is not None else NO_ENTRY
        strides = (table.totals_stride, table.player_stride, table.banker_stride)
        is_exact = unit % denominator == 0
        row = (
            stake,
            len(nets),
            *strides,
            EXACT if is_exact else denominator,
            wager,
            mains.get(area, NO_ENTRY),
        )
        rows.append(row)
        nets += [int(value * (unit if is_exact else denominator)) for value in values]
        most = (strategy.maximum or 0) * (1 if stake else _multiple(book))
        capped += [rounded_net(most, value) for value in values]
    ante = book.ante
    giving_up = np.zeros((len(areas), 10 ** (ante.shown_cards if ante else 0)), np.uint8)
    for area, shown in strategy.giving_up.items():
        if area in areas:
            giving_up[areas.index(area), list(shown)] = 1
    return SlipTables(
        np.array(rows, np.int64),
        np.array(nets, np.int64),
        np.array(capped, np.int64),
        giving_up,
        _offers(book, strategy),
        _tags(strategy),
    )


def rounded_net(stake: int, net: Fraction) -> int:
    """What a stake gains, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * net.numerator + net.denominator) // (2 * net.denominator)


def _multiple(book: Book) -> int:
    return book.ante.multiple if book.ante else 0


def _wager_stake(book: Book, strategy: Strategy, area: str) -> int:
    """What is staked on a wager beside one unit on its ante."""
    rules, ante = book.ante, book.ante_of(area)
    assert rules is not None and ante is not None, "only a wager has no stake of its own"
    return rules.multiple * strategy.stakes[ante]


def slip_areas(book: Book, strategy: Strategy) -> list[str]:
    """The betting areas in the order of the arrays."""
    wagers = [pair.wager for pair in book.ante.pairs if pair.ante in strategy.stakes] if book.ante else []
    return [*strategy.stakes, *wagers]


def _offers(book: Book, strategy: Strategy) -> NDArray[np.int64]:
    offers = np.zeros((len(Hand), len(WINDOWS), 10, 10, 4), np.int64)
    ties = {Result.WIN: 1, Result.PUSH: 0, Result.LOSE: -1}
    for (cards, player, banker), made in book.offers.cells.items():
        for offer in made:
            place = (list(Hand).index(offer.hand), WINDOWS.index(cards), player, banker)
            offers[place][:3] = offer.odds.numerator, offer.odds.denominator, ties[offer.on_tie.result]
    for cell in strategy.insuring:
        hand, window = list(Hand).index(cell.hand), WINDOWS.index(cell.cards)
        offers[hand, window, cell.player_points, cell.banker_points, 3] = CHOICES.index(cell.choice)
    return offers.reshape(-1, 4)


def _tags(strategy: Strategy) -> NDArray[np.int64]:
    if strategy.count is None:
        return np.zeros(len(CODE_RANKS), np.int64)
    tags = strategy.count.tags
    return np.array([tags[min(rank, len(tags)) - 1] for rank in CODE_RANKS], np.int64)
