from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import NAMES, load
from punto.cards.card import DECK, Card, Rank, parse_cards
from punto.odds import Stage, StageError, Undealt, UndealtError, advise, ante_odds, book_odds, insurance_odds
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import RoundSoFar
from punto.rules.book_text import Area

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")


def test_bets_are_those_that_open_before_the_deal_without_antes() -> None:
    book = load("knockout")
    areas = [bet.area for bet in book_odds(book, Undealt.of_decks(8)).bets]
    assert areas == [bet.area for bet in book.bets if bet.kind in (Area.MAIN, Area.SIDE)]
    assert not any("ante" in area or "wager" in area for area in areas)


def test_suits_are_asked_for_only_where_a_bet_pays_them() -> None:
    book = load(SIDE_BETS)
    assert not any(table.reads_suits for name in NAMES for table in load(name).pay_tables.values())
    assert any(table.reads_suits for table in book.pay_tables.values())
    with pytest.raises(UndealtError, match="asks for suits, so the cards must be counted by card"):
        book_odds(book, Undealt.of_counts({rank.notation: 32 for rank in Rank}))


@pytest.mark.parametrize("name", NAMES)
def test_counts_by_rank_give_the_same_odds_as_counts_by_card(name: str) -> None:
    by_rank = Undealt.of_counts({rank.notation: 32 for rank in Rank})
    assert book_odds(load(name), by_rank).bets == book_odds(load(name), Undealt.of_decks(8)).bets


@pytest.mark.slow
@settings(max_examples=8)
@given(cards=st.lists(st.sampled_from(DECK), min_size=9, max_size=30), known=st.integers(0, 4))
def test_a_stage_is_the_average_of_the_stages_after_it(cards: list[Card], known: int) -> None:
    """The law of total expectation: on average the next card does not change what a bet is worth."""
    book = load(SIDE_BETS)
    dealt, undealt = cards[:known], _of_cards(cards[known:])
    try:
        now = book_odds(book, undealt, dealt)
    except StageError:
        return
    if now.dealt.stage is Stage.FINISHED:
        return
    after: dict[str, Fraction] = {bet.area: Fraction(0) for bet in now.bets}
    for card in set(cards[known:]):
        chance = Fraction(undealt.count(card), undealt.size)
        for bet in book_odds(book, undealt.less([card]), [*dealt, card]).bets:
            after[bet.area] += chance * bet.ev
    assert after == {bet.area: bet.ev for bet in now.bets}


def _of_cards(cards: list[Card]) -> Undealt:
    counts: dict[str, object] = {}
    for card in cards:
        counts[str(card)] = cards.count(card)
    return Undealt.of_counts(counts)


def test_cards_that_the_table_of_play_cannot_have_brought() -> None:
    with pytest.raises(StageError, match="the round is finished after 4 cards, but 5 were given"):
        advise(load("ez"), Undealt.of_decks(8), parse_cards("9S AS KS KD 2C"))


def test_advice_offers_insurance_and_antes_when_they_are_open() -> None:
    insurance = load("insurance")
    cards = parse_cards("5S 6S KS KD")
    advice = advise(insurance, Undealt.of_decks(8).less(cards), cards)
    assert [offer.offer.area for offer in advice.offers] == ["insurance-banker-4"]
    assert advice.offers[0].ev > 0
    assert advise(insurance, Undealt.of_decks(8)).offers == ()
    knockout = load("knockout")
    [player, banker] = advise(knockout, Undealt.of_decks(8).less(cards[:1]), cards[:1]).antes
    by_points = {d.shown[0]: d.play for d in ante_odds(knockout, Undealt.of_decks(8)).sides[0].decisions}
    assert player.play == by_points[5]
    assert banker.ante == "ante-banker"
    assert advise(knockout, Undealt.of_decks(8)).antes == ()


def test_advice_after_players_third_card() -> None:
    cards = parse_cards("AS 3S KS KD 8D")
    advice = advise(load("insurance"), Undealt.of_decks(8).less(cards), cards)
    assert advice.stage.value == "finished"  # Banker stands on three beside an eight
    cards = parse_cards("AS 3S KS KD 7D")
    advice = advise(load("insurance"), Undealt.of_decks(8).less(cards), cards)
    assert advice.stage.value == "players-third-card"
    assert [offer.offer.odds for offer in advice.offers] == [7]


def test_results_render_as_tables() -> None:
    shoe = Undealt.of_decks(6)
    for result in (
        book_odds(load("ez"), shoe),
        insurance_odds(load("insurance"), shoe),
        ante_odds(load("knockout"), shoe),
        advise(load("ez"), shoe),
    ):
        html = result._repr_html_()
        assert html.startswith('<div style="overflow-x:auto"><table><caption>')
        assert html.count("<tr>") == len(result.table.rows) + 1


def test_an_ante_by_the_general_path_is_the_same() -> None:
    """Where points are enough the short path is taken; the general one must agree."""
    book, shoe = load("knockout"), Undealt.of_decks(4)
    for points in range(10):
        short = Weighing(book, shoe, RoundSoFar(), (points,)).odds("ante-player")
        weighing = Weighing(book, shoe, RoundSoFar(), (points,))
        general = sum(weight * book.pay_tables["ante-player"].outcome(facts).net for facts, weight in weighing._facts)
        assert general / short.total == short.ev


@pytest.mark.parametrize("study", [book_odds, ante_odds, insurance_odds])
def test_a_name_where_a_book_is_needed_is_told_how_to_read_it(study: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=r"not a name; punto\.books\.load\('insurance'\) reads it"):
        study("insurance", Undealt.of_decks(8))
