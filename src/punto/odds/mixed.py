"""The general path: pairs, suits and totals at once, for bets that ask about all of them together.

The first four cards are taken by ranks and pairs; what the third cards then bring depends only on points.
"""

from __future__ import annotations

from collections import defaultdict

from punto.odds.pairs import FirstFour
from punto.odds.round_so_far import RoundSoFar, Stage
from punto.odds.totals import third_cards, totals_weights
from punto.odds.undealt import Undealt
from punto.rules.facts import Facts, pair_index
from punto.rules.play import Play


def facts_weights(play: Play, undealt: Undealt, dealt: RoundSoFar, four: FirstFour) -> dict[Facts, int]:
    """Ordered draws by the facts of the finished deal; `four` are the ways to complete the first four."""
    if dealt.stage in (Stage.PLAYERS_THIRD, Stage.FINISHED):
        pairs = pair_index(*dealt.player[:2]), pair_index(*dealt.banker[:2])
        weights = totals_weights(play, undealt.points, dealt)
        return {Facts(totals, *pairs): weight for totals, weight in enumerate(weights) if weight}
    found: dict[Facts, int] = defaultdict(int)
    for (players, bankers), by_pairs in four.items():
        n = list(undealt.points)
        for points in (*players, *bankers):
            n[points] -= 1
        s = sum(dealt.player_points + players) % 10
        t = sum(dealt.banker_points + bankers) % 10
        for totals, weight in third_cards(play, n, s, t):
            for pairs, ways in by_pairs.items():
                found[Facts(totals, *pairs)] += weight * ways
    return found
