"""The facts of recorded rounds, worked out from the cards and without a kernel."""

from __future__ import annotations

from punto.rules.outcome import NO_PAIR, Facts, Totals
from punto.simulation.deals import Recorded


def facts_of(recorded: Recorded, shoe: int, number: int) -> Facts:
    """The facts of a recorded round; its pairs count as pairs of two suits."""
    codes = int(recorded.cards[shoe, number])
    player_drew, banker_drew = codes >> 24 & 1, codes >> 25 & 1
    ranks = recorded.round_ranks(shoe, number)
    thirds = ranks[4:]
    player = [ranks[0], ranks[2], *thirds[:player_drew]]
    banker = [ranks[1], ranks[3], *thirds[player_drew:]]
    points = [sum(rank.points for rank in hand) % 10 for hand in (player, banker)]
    totals = Totals(points[0], 2 + player_drew, points[1], 2 + banker_drew).index
    pairs = [2 * hand[0] - 1 if hand[0] is hand[1] else NO_PAIR for hand in (player, banker)]
    return Facts(totals, *pairs)
