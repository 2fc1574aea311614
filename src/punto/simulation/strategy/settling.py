"""Settling in kernels: a recorded round taken apart, what a stake gains by its pay table, and its sums.

All of it is made part of whatever loop uses it, so that every kind of strategy settles by the same code.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from punto.simulation.kernels.compiling import inlined
from punto.simulation.kernels.wide import add_number, add_product
from punto.simulation.kernels.workspace import COURTS
from punto.simulation.strategy.slip_tables import (
    BY_BANKER_PAIR,
    BY_PLAYER_PAIR,
    BY_TOTALS,
    DENOMINATOR,
    EXACT,
    START,
)

TO_THE_END, RUINED, AT_GOAL, STOPPED = range(4)
"""How a session ended."""

NET, DRAWDOWN, ROUNDS, END = range(4)
"""Columns of a session's result."""

SUMS = 6
MADE, STAKED, WON, NET_SQUARED, CROSS, STAKE_SQUARED = range(SUMS)
"""Wide numbers summed for each bet: bets made, staked, net, and products for the error of net to stake."""

FACTS = 9
"""Of a round: totals, pairs, points after two cards and at the end, and who drew."""
TOTALS, PLAYER_PAIR, BANKER_PAIR, PLAYER_TWO, BANKER_TWO, PLAYER, BANKER, PLAYER_DREW, BANKER_DREW = range(9)

COVER = 5
MAIN, MAIN_STAKE, MAIN_NET, PROMISED, INSURED = range(COVER)
"""Of a main bet while it is insured: its stake until an offer is passed up, its stake and net, pay-outs
promised, and what insurance won.
"""


@inlined
def points(code: Any) -> Any:
    return max(code - COURTS, 0)


@inlined
def total(one: Any, two: Any) -> Any:
    """Points of both, without tens; a division would cost more than all the rest."""
    both = one + two
    return both - 10 if both >= 10 else both


@inlined
def pair(one: Any, two: Any) -> Any:
    """The pair of the facts, of two suits, that two codes make."""
    if one != two:
        return 0
    return 2 * (one - COURTS if one > COURTS else 10 + one) - 1


@inlined
def read_round(cards: Any, codes: Any, facts: Any) -> Any:
    """Take a recorded round apart; gives its number of cards."""
    cards = int64(cards)
    for i in range(6):
        codes[i] = (cards >> (4 * i)) & 15
    player_drew, banker_drew = (cards >> 24) & 1, (cards >> 25) & 1
    player, banker = total(points(codes[0]), points(codes[2])), total(points(codes[1]), points(codes[3]))
    facts[PLAYER_TWO], facts[BANKER_TWO] = player, banker
    if player_drew:
        player = total(player, points(codes[4]))
    if banker_drew:
        banker = total(banker, points(codes[4 + player_drew]))
    facts[PLAYER], facts[BANKER] = player, banker
    facts[PLAYER_DREW], facts[BANKER_DREW] = player_drew, banker_drew
    facts[TOTALS] = player * 40 + banker * 4 + player_drew * 2 + banker_drew
    facts[PLAYER_PAIR], facts[BANKER_PAIR] = pair(codes[0], codes[2]), pair(codes[1], codes[3])
    return 4 + player_drew + banker_drew


@inlined
def place_of(bet: Any, bets: Any, facts: Any) -> Any:
    """Where the pay table of a bet has these facts."""
    place = bets[bet, START] + facts[TOTALS] * bets[bet, BY_TOTALS]
    place += facts[PLAYER_PAIR] * bets[bet, BY_PLAYER_PAIR] + facts[BANKER_PAIR] * bets[bet, BY_BANKER_PAIR]
    return place


@inlined
def rounded(stake: Any, gain: Any, unit: Any) -> Any:
    """What a stake gains at gain to unit, to the minor unit, halves rounded up as at the table."""
    return (2 * stake * gain + unit) // (2 * unit)


@inlined
def rounded_up(stake: Any, gain: Any, unit: Any) -> Any:
    """What insurance promises at gain to unit: rounded up, as the table counts it against the bet."""
    return (stake * gain + unit - 1) // unit


@inlined
def net_of(
    factor: Any, stake: Any, is_capped: Any, bet: Any, bets: Any, nets: Any, capped: Any, facts: Any
) -> Any:
    """What a stake gains by its pay table; one at the table's maximum has a table of its own."""
    place = place_of(bet, bets, facts)
    if is_capped:
        return capped[place]
    denominator, net = bets[bet, DENOMINATOR], nets[place]
    if denominator == EXACT:
        return factor * net
    return rounded(stake, net, denominator)


@inlined
def is_window_open(window: Any, facts: Any) -> Any:
    """Whether a card is still to come at a window: a third card, or Banker's after Player's."""
    return facts[PLAYER_DREW] + facts[BANKER_DREW] > window


@inlined
def offer_place(hand: Any, window: Any, facts: Any) -> Any:
    """Where the offers have this hand at this window, by the points that are then on the table."""
    player = facts[PLAYER_TWO] if window == 0 else facts[PLAYER]
    return ((hand * 2 + window) * 10 + player) * 10 + facts[BANKER_TWO]


@inlined
def insured_net(hand: Any, stake: Any, gain: Any, unit: Any, on_tie: Any, facts: Any) -> Any:
    """What insurance on a hand gains: it wins when the hand loses."""
    margin = facts[PLAYER] - facts[BANKER] if hand == 0 else facts[BANKER] - facts[PLAYER]
    result = 1 if margin < 0 else (-1 if margin > 0 else on_tie)
    return rounded(stake, gain, unit) if result > 0 else (-stake if result < 0 else 0)


@inlined
def note(entry: Any, stake: Any, net: Any, sums: Any) -> None:
    """Add a bet to the sums of its entry."""
    place = entry * SUMS
    sums[entry, MADE, 0] += 1  # of a batch, these never need more
    add_number(sums, place + STAKED, stake)
    add_number(sums, place + WON, net)
    add_product(sums, place + NET_SQUARED, net, net)
    add_product(sums, place + CROSS, net, stake)
    add_product(sums, place + STAKE_SQUARED, stake, stake)
