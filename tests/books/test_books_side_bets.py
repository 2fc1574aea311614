"""The example book: bets that other casinos offer, written without a line of code."""

from fractions import Fraction
from pathlib import Path

import pytest

from punto import books
from punto.cards import parse_cards
from punto.coup import deal_exactly
from punto.rules import Result
from punto.table import Reason, Refusal, settle_slip

BOOK = books.load(str(Path(__file__).parents[2] / "docs" / "examples" / "side-bets.toml"))

BANKER_6_ON_TWO = "KS KH 4D 6C AS"
BANKER_6_ON_THREE = "KS KH KD KC 5S 6S"
TIE_0_0 = "KS QH QD KC KS KH"
TIE_6_6 = "KS KH 6D 6C"
TIE_7_7 = "KS KH 7D 7C"
NATURAL_8_0 = "KS QH 8D KC"
NATURAL_8_8 = "KS QH 8D 8C"
PLAYER_7_6 = "KS KH 7D 6C"

LOSE, PUSH = Fraction(-1), Fraction(0)


@pytest.mark.parametrize(
    ("area", "cards", "net"),
    [
        # Dragon Bonus: naturals, then the margin of other wins
        ("dragon-bonus-player", NATURAL_8_0, 1),
        ("dragon-bonus-player", NATURAL_8_8, PUSH),
        ("dragon-bonus-player", TIE_6_6, LOSE),
        ("dragon-bonus-player", "KS KH 4D KC 5S KH", 30),
        ("dragon-bonus-player", "KS KH 4D KC 5S AH", 10),
        ("dragon-bonus-player", "KS KH 7D KC KS", 6),
        ("dragon-bonus-player", "KS KH 7D AC KS", 4),
        ("dragon-bonus-player", "KS KH 7D 2C KS", 2),
        ("dragon-bonus-player", "KS KH 7D 3C KS", 1),
        ("dragon-bonus-player", "KS KH 7D 4C KS", LOSE),
        ("dragon-bonus-player", BANKER_6_ON_TWO, LOSE),
        ("dragon-bonus-banker", "KS KH KD 9C", 1),
        ("dragon-bonus-banker", "KS KH KD 3C KS 6H", 30),
        ("dragon-bonus-banker", "KS KH KD 7C 3S", 1),
        ("dragon-bonus-banker", NATURAL_8_0, LOSE),
        # Lucky 6 and the Tigers: a Banker six on two cards or three, and a tie on six
        ("lucky-6", BANKER_6_ON_TWO, 12),
        ("lucky-6", BANKER_6_ON_THREE, 20),
        ("lucky-6", TIE_6_6, LOSE),
        ("tiger", BANKER_6_ON_TWO, 12),
        ("tiger", BANKER_6_ON_THREE, 20),
        ("tiger", PLAYER_7_6, LOSE),
        ("small-tiger", BANKER_6_ON_TWO, 22),
        ("small-tiger", BANKER_6_ON_THREE, LOSE),
        ("big-tiger", BANKER_6_ON_THREE, 50),
        ("big-tiger", BANKER_6_ON_TWO, LOSE),
        ("tiger-tie", TIE_6_6, 35),
        ("tiger-tie", TIE_7_7, LOSE),
        # Pairs, in one hand or both, by rank and suit
        ("tiger-pair", "4S 4H 4D 4C", 100),
        ("tiger-pair", "8S 9H 8D 9C", 20),
        ("tiger-pair", "8S 9H 8D KC", 4),
        ("tiger-pair", "8S 9H QD KC", LOSE),
        ("perfect-pair", "8S 9H 8S 9H", 200),
        ("perfect-pair", "8S 9H 8S 9C", 25),
        ("perfect-pair", "8S 9H 8D 9C", LOSE),
        ("either-pair", "8S 9H 8D 9C", 5),
        ("either-pair", "8S KH QD KC", 5),
        ("either-pair", "8S 10H QD KC", LOSE),
        # Big and Small: four cards, or five and six
        ("big", NATURAL_8_0, LOSE),
        ("big", BANKER_6_ON_TWO, Fraction(27, 50)),
        ("big", BANKER_6_ON_THREE, Fraction(27, 50)),
        ("small", NATURAL_8_0, Fraction(3, 2)),
        ("small", BANKER_6_ON_TWO, LOSE),
        # Egalité: a tie on its own total
        ("egalite-0", TIE_0_0, 150),
        ("egalite-1", TIE_0_0, LOSE),
        ("egalite-6", TIE_6_6, 45),
        ("egalite-7", TIE_7_7, 45),
        ("egalite-8", NATURAL_8_8, 80),
        ("egalite-9", PLAYER_7_6, LOSE),
        # Naturals, whoever wins
        ("player-natural", "KS KH 8D 9C", 4),
        ("banker-natural", "KS KH 8D 9C", 4),
        ("banker-natural", NATURAL_8_0, LOSE),
        # Facts mixed
        ("royal-match", "KS 9H 2D 9C", 30),
        ("royal-match", "KS 9H 9D 9C", LOSE),
        ("royal-match", "KS KH 2D 9C", LOSE),
        ("three-card-nine", "KS KH 4D KC 5S KH", 10),
        ("three-card-nine", "KS KH 9D KC", LOSE),
        ("both-ends", TIE_0_0, 50),
        ("both-ends", "KS KH 9D 9C", 25),
        ("both-ends", PLAYER_7_6, LOSE),
    ],
)
def test_side_bets_of_other_casinos(area: str, cards: str, net: Fraction | int) -> None:
    coup = deal_exactly(BOOK.play, parse_cards(cards))
    outcome = BOOK.pay_tables[area].outcome(coup.facts)
    assert outcome.net == net
    assert outcome.result is (Result.WIN if net > 0 else Result.PUSH if net == 0 else Result.LOSE)


@pytest.mark.parametrize("points", range(10))
def test_egalite_has_a_bet_for_every_total(points: int) -> None:
    ties = {6: TIE_6_6, 7: TIE_7_7, 8: NATURAL_8_8, 9: "KS KH 9D 9C"}
    rank = "KA23456789"[points]
    cards = ties.get(points, f"KS QH QD KC {rank}S {rank}H")
    facts = deal_exactly(BOOK.play, parse_cards(cards)).facts
    won = [n for n in range(10) if BOOK.pay_tables[f"egalite-{n}"].outcome(facts).result is Result.WIN]
    assert won == [points]


def test_a_bet_that_needs_another() -> None:
    coup = deal_exactly(BOOK.play, parse_cards(PLAYER_7_6))
    refusal = settle_slip(BOOK, coup, {"close-call": 100, "tie": 100})
    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.clause) == (Reason.NEEDS_BET, "6.13")
    lines = settle_slip(BOOK, coup, {"close-call": 100, "banker": 100})
    assert not isinstance(lines, Refusal)
    assert [line.net for line in lines] == [300, -100]
