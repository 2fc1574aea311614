"""The exact engine against figures in print.

Permutations, edges and deviations: Wizard of Odds ("one to twelve decks"; EZ Baccarat; half pay on a Banker
six). Insurance: the expectations published for the same pay table at Marina Bay Sands.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.books import NAMES, load
from punto.odds import Undealt, book_odds, insurance_odds, totals_weights
from punto.rules.outcome import ALL_TOTALS, Hand, Result, Winner


def wins(decks: int) -> dict[Winner, int]:
    """Ordered draws of six cards by winner."""
    weights = totals_weights(load("commission").play, Undealt.of_decks(decks).points)
    found = dict.fromkeys(Winner, 0)
    for totals, weight in zip(ALL_TOTALS, weights, strict=True):
        found[totals.winner] += weight
    return found


@pytest.mark.parametrize(
    ("decks", "player", "banker", "tie", "total"),
    [
        (8, 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216, 4_998_398_275_503_360),
        (6, 392_220_492_728_832, 403_095_751_234_560, 83_552_962_932_288, 878_869_206_895_680),
        (1, 6_548_674_432, 6_737_232_640, 1_372_227_328, 14_658_134_400),
    ],
)
def test_permutations_by_winner(decks: int, player: int, banker: int, tie: int, total: int) -> None:
    found = wins(decks)
    assert found == {Winner.PLAYER: player, Winner.BANKER: banker, Winner.TIE: tie}
    assert sum(found.values()) == total


EDGES = [
    ("commission", 8, "banker", "1.0579"),
    ("commission", 6, "banker", "1.0558"),
    ("commission", 8, "player", "1.2351"),
    ("commission", 6, "player", "1.2374"),
    ("commission", 8, "tie", "14.3596"),
    ("commission", 6, "tie", "14.4382"),
    ("commission", 8, "player-pair", "10.3614"),
    ("commission", 6, "banker-pair", "11.2540"),
    ("ez", 8, "banker", "1.0183"),
    ("ez", 8, "dragon-7", "7.6113"),
    ("ez", 8, "panda-8", "10.1876"),
    ("insurance", 8, "banker", "1.4581"),
    ("insurance", 6, "banker", "1.4548"),
    ("knockout", 8, "banker", "1.4581"),
    ("insurance", 8, "super-six-plus", "16.6836"),
]


@pytest.mark.parametrize(("book", "decks", "area", "percent"), EDGES)
def test_house_edges(book: str, decks: int, area: str, percent: str) -> None:
    bet = book_odds(load(book), Undealt.of_decks(decks)).bet(area)
    assert f"{float(bet.edge) * 100:.4f}" == percent


@pytest.mark.gli("4.7.1")
@pytest.mark.parametrize("book", NAMES)
def test_every_bet_of_the_built_in_books_returns_three_quarters(book: str) -> None:
    loaded = load(book)
    for decks in loaded.decks.allowed:
        for bet in book_odds(loaded, Undealt.of_decks(decks)).bets:
            assert bet.edge <= Fraction(1, 4), (bet.area, decks)


@pytest.mark.parametrize(
    ("book", "area", "deviation"),
    [
        ("commission", "banker", ".927372"),
        ("commission", "player", ".951153"),
        ("commission", "tie", "2.640872"),
        ("ez", "dragon-7", "6.0849"),
    ],
)
def test_standard_deviations(book: str, area: str, deviation: str) -> None:
    bet = book_odds(load(book), Undealt.of_decks(8)).bet(area)
    places = len(deviation.partition(".")[2])
    assert f"{bet.sd:.{places}f}".lstrip("0") == deviation


@pytest.mark.parametrize(
    ("book", "area", "odds", "permutations"),
    [
        ("ez", "dragon-7", 40, 112_633_011_329_024),
        ("ez", "panda-8", 25, 172_660_763_262_976),
        ("insurance", "super-six-plus", 12, 186_173_936_904_192),
        ("insurance", "super-six-plus", 20, 83_058_367_551_488),
    ],
)
def test_winning_permutations(book: str, area: str, odds: int, permutations: int) -> None:
    bet = book_odds(load(book), Undealt.of_decks(8)).bet(area)
    assert [ways for outcome, ways in bet.ways if outcome.odds == odds] == [permutations]
    assert bet.total == 4_998_398_275_503_360


def test_cards_in_a_round() -> None:
    weights = totals_weights(load("commission").play, Undealt.of_decks(8).points)
    shares = dict.fromkeys((4, 5, 6), Fraction(0))
    for totals, weight in zip(ALL_TOTALS, weights, strict=True):
        shares[totals.player_cards + totals.banker_cards] += Fraction(weight, sum(weights))
    assert [f"{float(share):.6f}" for share in shares.values()] == ["0.378868", "0.303444", "0.317687"]
    assert f"{float(sum(cards * share for cards, share in shares.items())):.6f}" == "4.938819"


INSURANCE = {
    5: ["+.001185", "-.107027", "-.154193", "-.085786", "-.014426"],
    6: ["+.024389", "-.107975", "-.060646", "-.014235", "+.033478", "+.084397"],
    7: ["-.152035", "-.156852", "-.156814", "-.152294", "-.156882", "-.152312"],
}
"""Banker's points to the expectations beside Player's 0, 1, 2 …"""


def test_insurance_after_four_cards() -> None:
    found = {
        (o.offer.window.cards, o.offer.hand, o.player_points, o.banker_points): o.ev
        for o in insurance_odds(load("insurance"), Undealt.of_decks(8)).offers
    }
    for banker, expectations in INSURANCE.items():
        for player, printed in enumerate(expectations):
            value = float(found[4, Hand.BANKER, player, banker])
            assert f"{value:+.6f}".replace("0.", ".") == printed
    assert (4, Hand.BANKER, 5, 5) not in found
    assert f"{float(found[4, Hand.PLAYER, 5, 4]):+.6f}" == "-0.018352"


def test_a_result_of_every_kind_adds_up() -> None:
    for bet in book_odds(load("knockout"), Undealt.of_decks(5)).bets:
        assert bet.win + bet.push + bet.lose == 1
        assert sum(bet.probability(result) for result in Result) == 1
