"""The page on exact odds: its Python runs, and the figures in its words are those that come out."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from punto.books import load
from punto.odds import Undealt, ante_odds, insurance_odds
from punto.odds.insurance import gains_with_cards, gains_with_third_card

PAGE = Path(__file__).parents[2] / "docs/reference/odds.md"
TEXT = re.sub(r"\s+", " ", PAGE.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_its_python_runs() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0
    assert tried >= 12


def test_what_it_says_of_insurance() -> None:
    odds = insurance_odds(load("insurance"), Undealt.of_decks(8))
    assert f"{len(odds.for_players)} of the {len(odds.offers)} offers of the book `insurance` favour the player" in TEXT
    player, banker = odds.bets
    for bet, name in ((banker, "Banker"), (player, "Player")):
        assert f"{name} from {float(bet.bet.edge):.4%} to {float(bet.edge):.4%}".replace("%", " %") in TEXT


def test_what_it_says_of_knowledge() -> None:
    full = Undealt.of_decks(8)
    player, banker = insurance_odds(load("insurance"), full).bets
    for gains, words in (
        (gains_with_third_card(load("insurance"), full), "the first totals and the third card"),
        (gains_with_cards(load("insurance"), full), "every card on the table"),
    ):
        edges = [float(bet.bet.edge - gains[bet.hand]) for bet in (banker, player)]
        assert f"| {words} | {edges[0]:.4%} | {edges[1]:.4%} |".replace("%", " %") in TEXT


def test_what_it_says_of_antes() -> None:
    player, banker = ante_odds(load("knockout"), Undealt.of_decks(8)).sides
    assert f"{float(player.edge):.2%} of each Ante (Player)".replace("%", " %") in TEXT
    assert f"{float(banker.edge):.2%} of each Ante (Banker)".replace("%", " %") in TEXT
    assert f"{float(player.edge_at_risk):.2%} and {float(banker.edge_at_risk):.2%}".replace("%", " %") in TEXT
    assert all(decision.best == "play" for side in (player, banker) for decision in side.decisions)
