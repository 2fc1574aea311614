"""Theoretical win against brute force over every deal of one deck, and its bounds against exact distributions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from punto import books
from punto.odds import Undealt, ante_odds, insurance_odds
from punto.odds.theoretical_win import FINE, LEVEL, bet_theory, win_bounds

DECK = [16, *[4] * 9]  # Cards of one deck by points: tens and pictures count nothing.
THIRD = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}}
"""With how many points Banker stands against which third card of Player's; with 0 to 2 never, with 7 always."""


def all_deals() -> dict[tuple[int, int], int]:
    """How many ordered draws of six cards end with which points, by the third-card rules as players know them."""
    ends: dict[tuple[int, int], int] = defaultdict(int)
    left = list(DECK)

    def draw(points: int) -> int:
        ways, left[points] = left[points], left[points] - 1
        return ways

    for first in product(range(10), repeat=4):
        weight = 1
        for points in first:
            weight *= draw(points)
        player, banker = (first[0] + first[2]) % 10, (first[1] + first[3]) % 10
        if weight > 0:
            _finish(ends, left, weight, player, banker)
        for points in first:
            left[points] += 1
    return ends


def _finish(ends: dict[tuple[int, int], int], left: list[int], weight: int, player: int, banker: int) -> None:
    rest = sum(left)
    if max(player, banker) >= 8 or (player >= 6 and banker >= 6):
        ends[player, banker] += weight * rest * (rest - 1)
        return
    if player >= 6:
        for card in range(10):
            ends[player, (banker + card) % 10] += weight * left[card] * (rest - 1)
        return
    for third in range(10):
        ways = weight * left[third]
        if banker == 7 or third in THIRD.get(banker, ()):
            ends[(player + third) % 10, banker] += ways * (rest - 1)
            continue
        for card in range(10):
            ends[(player + third) % 10, (banker + card) % 10] += ways * (left[card] - (card == third))


@pytest.mark.slow
def test_edges_are_those_of_every_deal_of_one_deck() -> None:
    book, ends = books.load("commission"), all_deals()
    total = sum(ends.values())
    assert total == 52 * 51 * 50 * 49 * 48 * 47
    for area, pays in (
        ("player", {1: Fraction(1), 0: Fraction(0), -1: Fraction(-1)}),
        ("banker", {1: Fraction(-1), 0: Fraction(0), -1: Fraction(19, 20)}),
        ("tie", {1: Fraction(-1), 0: Fraction(8), -1: Fraction(-1)}),
    ):
        nets = [(pays[(player > banker) - (player < banker)], ways) for (player, banker), ways in ends.items()]
        mean = sum((net * ways for net, ways in nets), Fraction(0)) / total
        variance = sum(((net - mean) ** 2 * ways for net, ways in nets), Fraction(0)) / total
        theory = bet_theory(book, 1, area)
        assert theory is not None and theory.edge == -mean
        assert (theory.deviation - 1) ** 2 < variance * FINE**2 <= theory.deviation**2, "rounded up, by less than one"
        assert theory.reach >= max(abs(net - mean) for net, _ in nets) * FINE


def test_an_ante_counts_with_its_wager_and_insurance_by_its_totals() -> None:
    knockout, insurance = books.load("knockout"), books.load("insurance")
    [side, _] = ante_odds(knockout, Undealt.of_decks(8)).sides
    ante, wager = (bet_theory(knockout, 8, area) for area in (side.pair.ante, side.pair.wager))
    assert ante is not None and wager is not None
    assert (ante.edge, wager.edge, wager.deviation) == (side.edge, Fraction(0), 0)
    offer = insurance_odds(insurance, Undealt.of_decks(8)).offers[0]
    taken = bet_theory(insurance, 8, offer.offer.area, (offer.player_points, offer.banker_points))
    assert taken is not None and taken.edge == -offer.ev
    assert bet_theory(insurance, 8, offer.offer.area, (0, 99)) is None, "no such totals"
    assert bet_theory(insurance, 8, offer.offer.area) is None


@pytest.mark.parametrize("area", ["banker", "tie", "player-pair"])
@pytest.mark.parametrize("rounds", [1, 10, 300])
def test_an_honest_table_is_beyond_its_bounds_at_most_once_in_a_hundred(area: str, rounds: int) -> None:
    """The exact distribution of the win of flat bets, round by round."""
    from punto.odds import book_odds

    book, stake = books.load("commission"), 2_000
    theory, odds = bet_theory(book, 8, area), book_odds(book, Undealt.of_decks(8)).bet(area)
    assert theory is not None
    chances = {0: 1.0}
    for _ in range(rounds):
        following: dict[int, float] = defaultdict(float)
        for win, chance in chances.items():
            for net, ways in odds.net_ways():
                following[win - int(net * stake)] += chance * ways / odds.total
        chances = following
    deviation, reach = theory.deviation * stake, theory.reach * stake
    least, greatest = win_bounds(theory.edge * stake * rounds, rounds * deviation**2, reach, rounds * reach)
    beyond = sum(chance for win, chance in chances.items() if not least <= win <= greatest)
    assert beyond <= float(LEVEL)
    if rounds == 300:
        assert greatest - least < rounds * stake * 4, "and says something"


def test_without_bets_the_bounds_are_nothing() -> None:
    assert win_bounds(Fraction(0), 0, 0, 0) == (0, 0)
    assert win_bounds(Fraction(1, 3), -5, 0, 0) == (0, 1)
