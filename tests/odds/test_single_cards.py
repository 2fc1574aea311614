"""Draws counted with one card gone, for all kinds of cards in one pass, against a count for each card."""

from __future__ import annotations

import pytest

from punto.books import base_of, load, take_bet
from punto.odds import Undealt
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import RoundSoFar
from punto.odds.single_cards import MOST_BY_KIND
from punto.rules.book import Book, read_book

HEARTS = """
extends = "commission"
name = "hearts"
[decks]
allowed = [1, 8]
[[bets]]
area = "hearts"
kind = "side"
labels = { en = "Hearts" }
clause = "h"
pays = [
  { when = { round = { number = "5-6", of = { suit = "hearts" } } }, odds = "100:1", clause = "h" },
  { when = { round = { number = 4, of = { suit = "hearts" } } }, odds = "20:1", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
[[bets]]
area = "first-two"
kind = "side"
labels = { en = "First two" }
clause = "h"
pays = [
  { when = { player_two = { same = "suit", ranks = ["K", "Q"] } }, odds = "25:1", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
[[clauses]]
number = "h"
kind = "behaviour"
sense = "House."
"""


@pytest.fixture(scope="module")
def hearts() -> Book:
    return read_book(HEARTS, "hearts.toml", base_of, take_bet)


@pytest.mark.parametrize("area", ["hearts", "first-two"])
@pytest.mark.parametrize("decks", [1, 8])
def test_every_card_gone_alone_has_the_ways_of_its_own_count(hearts: Book, area: str, decks: int) -> None:
    table, full = hearts.pay_tables[area].cards, Undealt.of_decks(decks)
    assert table is not None
    without = Weighing(hearts, full, RoundSoFar()).odds_without(area)
    assert without is not None
    for card in (table.kinds.cards[kind] for kind in range(len(table.kinds))):
        alone = Weighing(hearts, full.less([card]), RoundSoFar()).odds(area)
        assert without(card) == alone, card


def test_a_bet_on_points_has_no_pass_of_its_own() -> None:
    assert Weighing(load("ez"), Undealt.of_decks(8), RoundSoFar()).odds_without("dragon-7") is None


def test_a_shoe_whose_draws_do_not_fit_is_counted_card_by_card(hearts: Book) -> None:
    larger = Undealt.of_decks(MOST_BY_KIND // 52 + 1)
    assert Weighing(hearts, larger, RoundSoFar()).odds_without("hearts") is None
    fits = Weighing(hearts, Undealt.of_decks(MOST_BY_KIND // 52), RoundSoFar()).odds_without("hearts")
    [card, *_] = hearts.pay_tables["hearts"].cards.kinds.cards  # type: ignore[union-attr]
    assert fits is not None
    alone = Weighing(hearts, Undealt.of_decks(MOST_BY_KIND // 52).less([card]), RoundSoFar()).odds("hearts")
    assert fits(card) == alone
