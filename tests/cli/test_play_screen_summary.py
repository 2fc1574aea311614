from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from punto.books import load
from punto.cards import parse_cards
from punto.cards.shoe import Shoe
from punto.cli.play_screen import PlayedRound, coach_grid, coach_lines, expected_cost, streak, summary_lines
from punto.rules.outcome import Hand, Result, Winner
from punto.table.state import OfferMade, SettledBet
from tests.agreement.oracle_deal import play_out
from tests.agreement.oracle_insurance import insurance_odds
from tests.cli.called import answer


def settled(area: str, stake: int, net: int) -> SettledBet:
    result = Result.WIN if net > 0 else Result.LOSE if net < 0 else Result.PUSH
    return SettledBet(1, "the player", area, stake, result, net, "1")


def played(number: int, cards: str, *bets: SettledBet) -> PlayedRound:
    points = {Hand.PLAYER: 0, Hand.BANKER: 0}
    return PlayedRound(number, Shoe(8), parse_cards(cards), points, Winner.PLAYER, bets)


def rounds(nets: list[int]) -> list[PlayedRound]:
    return [played(n, "KS KH KD KC", settled("banker", 100, net)) for n, net in enumerate(nets, start=1)]


@given(st.lists(st.integers(-3, 3)))
def test_streaks_are_those_of_the_rounds_that_brought_something(nets: list[int]) -> None:
    letters = "".join("W" if net > 0 else "L" for net in nets if net)
    assert streak(rounds(nets), 1) == max(map(len, letters.split("L")))
    assert streak(rounds(nets), -1) == max(map(len, letters.split("W")))


def test_what_bets_cost_is_the_edge_that_punto_odds_prints() -> None:
    book = load("ez")
    edges = {bet["bet"]: -Fraction(bet["ev"]) for bet in answer("odds", "ez", "--json").json["bets"]}
    bets = [settled(area, 1000 * n, 0) for n, area in enumerate(edges, start=1)]
    cost = expected_cost(book, 8, [played(1, "KS KH KD KC", *bets)])
    assert cost == sum(edges[bet.area] * bet.stake for bet in bets)
    assert cost > 0


def test_insurance_is_judged_by_the_cards_at_its_window() -> None:
    """Against a second reading: every sixth card dealt out of those that are left."""
    book, five = load("insurance"), "KS KH AD 4C 2H"
    odds, left = Fraction(3, 2), {points: 128 if points == 0 else 32 for points in range(10)}
    for points in (0, 0, 1, 4, 2):
        left[points] -= 1
    names = ("K", "A", "2", "3", "4", "5", "6", "7", "8", "9")
    worth = Fraction(0)
    for points, count in left.items():
        deal = play_out([*five.split(), f"{names[points]}S"])
        assert insurance_odds("insurance-banker-5", deal) == odds
        net = odds if deal.winner == "player" else Fraction(0) if deal.winner == "tie" else Fraction(-1)
        worth += Fraction(count, sum(left.values())) * net
    bets = settled("banker", 100, -100), settled("insurance-banker-5", 60, 90)
    grid = coach_grid(book, played(1, f"{five} 8S", *bets))
    assert grid is not None
    insured = next(row for row in grid.rows if row[0].startswith("Insurance"))
    assert insured[2] == f"{float(-100 * worth):.2f} %"
    assert insured[5] == ("worth it" if worth > 0 else "not worth it")


def test_insurance_that_was_not_taken_is_judged_too() -> None:
    """By the house edge that `punto advise` gives for these cards."""
    book, cards = load("insurance"), "5S 6S KS KD"
    advice = answer("advise", "insurance", "--round", cards, "--json").json
    edge = -100 * Fraction(advice["insurance"][0]["ev"])
    offers = ((4, OfferMade(1, "the player", Hand.BANKER, "3:1", 3300)),)
    bet, insured = settled("banker", 10_000, -10_000), settled("insurance-banker-4", 3300, 9900)
    passed = replace(played(1, f"{cards} 4S", bet), offers=offers)
    assert list(coach_lines(book, passed)) == [
        f"Insurance on Banker at 3:1, not taken: its house edge was {float(edge):.2f} %. It would have been worth it."
    ]
    assert edge < 0
    taken = replace(played(1, f"{cards} 4S", bet, insured), offers=offers)
    assert list(coach_lines(book, taken)) == []


def test_a_coach_names_the_better_choice_on_an_ante() -> None:
    ante, wager = settled("ante-player", 100, 100), settled("wager-player", 200, 100)
    assert [line.endswith("Wagering was the better choice.") for line in _coached("9S", ante, wager)] == [True]
    assert [line.endswith("Giving up was the worse choice.") for line in _coached("9S", ante)] == [True]
    for words in ("will", "next", "due"):
        assert words not in " ".join(_coached("9S", ante)).split()


def _coached(first: str, *bets: SettledBet) -> list[str]:
    return list(coach_lines(load("knockout"), played(1, f"{first} KH KD KC", *bets)))


def test_a_game_in_a_few_sentences() -> None:
    lines = list(summary_lines(load("ez"), 8, rounds([100, 100, -100, 0, -100, -100, 300])))
    assert lines[0] == "Biggest win: +3 in round 7."
    assert lines[1] == "Biggest loss: -1 in round 3."
    assert lines[2] == "Longest streaks: 2 rounds won, 3 rounds lost."
    assert lines[3].startswith("Staked 7. On average that costs 0.07; it brought you 2.")
    assert list(summary_lines(load("ez"), 8, [])) == []
