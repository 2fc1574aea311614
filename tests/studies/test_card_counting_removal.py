from __future__ import annotations

from fractions import Fraction

import pytest

from punto.books import base_of, load, take_bet
from punto.cards.card import DECK, Rank, parse_cards
from punto.odds import Undealt, ante_odds, book_odds
from punto.rules.book import Book, read_book
from punto.studies.card_counting import best_tags, correlation, removals


def test_an_effect_is_the_difference_of_two_exact_expectations() -> None:
    book = load("ez")
    [dragon] = [one for one in removals(book, 6).bets if one.area == "dragon-7"]
    without = book_odds(book, Undealt.of_decks(6).less(parse_cards("8H"))).bet("dragon-7").ev
    assert dragon.effects[Rank.EIGHT - 1] == without - dragon.full
    assert dragon.full == book_odds(book, Undealt.of_decks(6)).bet("dragon-7").ev


@pytest.mark.slow
def test_what_is_removed_on_average_changes_nothing() -> None:
    """A card gone unseen leaves every expectation as it was: effects over all cards sum to zero."""
    for one in removals(load("knockout"), 4).bets:
        if not one.area.startswith("ante"):
            assert sum(one.effects, Fraction(0)) == 0, one.area


@pytest.mark.slow
def test_antes_are_studied_with_the_best_decisions() -> None:
    book = load("knockout")
    found = {one.area: one.full for one in removals(book, 4).bets}
    sides = ante_odds(book, Undealt.of_decks(4)).sides
    assert [found[side.pair.ante] for side in sides] == [side.ev for side in sides]


CARD_BETS = "docs/examples/card-bets.toml"
SUITED = """
extends = "commission"
name = "suited"
take = ["lucky-nines", "lucky-pair-player", "player-red"]
[decks]
allowed = [1, 8]
[[bets]]
area = "after-red"
kind = "side"
labels = { en = "After red" }
clause = "h"
pays = [
  { when = { wins = "player-red" }, odds = "2:1", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
[[bets]]
area = "every-suit"
kind = "side"
labels = { en = "Every suit" }
clause = "h"
pays = [
  { when = { player_1 = { card = ["9S", "9H", "9D", "9C"] } }, odds = "9:1", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
[[clauses]]
number = "h"
kind = "behaviour"
sense = "House."
"""


def suited() -> Book:
    return read_book(SUITED, "suited.toml", base_of, take_bet)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 8])
def test_effects_are_those_of_every_single_card(decks: int) -> None:
    """The twin: every card of a deck taken out alone, whatever the bet says of suits."""
    book, full = suited(), Undealt.of_decks(decks)
    found = {one.area: one for one in removals(book, decks).bets}
    whole = book_odds(book, full)
    shoes = {card: book_odds(book, full.less([card])) for card in DECK}
    for area, one in found.items():
        effects = {card: shoes[card].bet(area).ev - whole.bet(area).ev for card in DECK}
        for i, card in enumerate(DECK):
            assert one.effects[i if one.is_by_card else i % len(Rank)] == effects[card], (area, card)
        assert sum(effects.values()) == 0
    # One deck has no two fours of diamonds, so that no suit matters to the bet on such pairs.
    pairs = {"lucky-pair-player"} if decks > 1 else set()
    assert {area for area, one in found.items() if one.is_by_card} == {
        *("lucky-nines", "player-red", "after-red", *pairs)
    }


@pytest.mark.slow
def test_suits_are_not_averaged() -> None:
    """All Black: a black eight gone costs 1.33 %, a red one gains; the average of both hides it."""
    [black] = [one for one in removals(load(CARD_BETS), 8).bets if one.area == "all-black"]
    effects = dict(zip(black.names, black.effects, strict=True))
    assert float(effects["8S"]) == pytest.approx(-0.0133348, abs=1e-7)
    assert effects["8S"] == effects["8C"] < 0 < effects["8H"] == effects["8D"]
    assert [suits for suits, _ in black.by_suits(black.effects)] == ["spades, clubs", "hearts, diamonds"]
    tags = best_tags([float(effect) for effect in black.effects])
    assert sum(tags.values) == 0
    assert tags.correlation > 0.99
    by_rank = [sum(black.effects[rank::13], Fraction(0)) / 4 for rank in range(13)]
    averaged = best_tags(list(map(float, by_rank))).values * 4
    assert correlation(averaged, list(map(float, black.effects))) < 0.5
