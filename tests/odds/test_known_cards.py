from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards.card import DECK, Card, Rank, parse_cards
from punto.cards.shoe import Composition
from punto.odds.known_cards import Undealt, UndealtError


def test_a_full_shoe_by_rank_and_by_points() -> None:
    shoe = Undealt.of_decks(8)
    assert shoe.size == 416
    assert shoe.ranks == (32,) * 13
    assert shoe.points == (128, *(32,) * 9)
    assert shoe.suits(Rank.ACE) == (8, 8, 8, 8)


@given(st.lists(st.sampled_from(DECK), max_size=60))
def test_counts_by_card_are_those_of_the_composition(cards: list[Card]) -> None:
    composition = Composition.of_cards(cards)
    undealt = Undealt.of_counts({str(card): composition.count(card) for card in DECK})
    if cards:
        assert undealt == Undealt.of_composition(composition)
    assert undealt.points == composition.points_counts()


def test_counts_by_rank_know_no_suits() -> None:
    undealt = Undealt.of_counts({"A": 3, "10": 2, "k": 4})
    assert undealt.cards is None
    assert undealt.points == (6, 3, 0, 0, 0, 0, 0, 0, 0, 0)
    assert undealt.suits(Rank.ACE) is None


def test_seen_cards_are_taken_out() -> None:
    assert Undealt.of_decks(1).less(parse_cards("AS KD")).size == 50
    by_rank = Undealt.of_counts({"A": 1, "9": 6}).less(parse_cards("AH"))
    assert by_rank.ranks[0] == 0


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"X": 1}, "'X' is neither a rank, such as A or 10, nor a card, such as AS or 10H"),
        ({"A": -1}, "the count of A is -1; a count is a whole number, 0 or more"),
        ({"A": 1.5}, "the count of A is 1.5; a count is a whole number, 0 or more"),
        ({"A": True}, "the count of A is True; a count is a whole number, 0 or more"),
        ({"A": "1"}, "the count of A is '1'; a count is a whole number, 0 or more"),
        ({"10": 1, "T": 1}, "T is counted twice"),
        ({"A": 1, "AS": 1}, "counts go by rank or by card, not by both"),
    ],
)
def test_counts_that_no_shoe_can_have(counts: dict[str, object], sentence: str) -> None:
    with pytest.raises(UndealtError) as error:
        Undealt.of_counts(counts)
    assert str(error.value) == sentence


def test_more_seen_than_there_are() -> None:
    with pytest.raises(UndealtError, match="AS was seen more often than it is in the shoe"):
        Undealt.of_decks(1).less(parse_cards("AS AS"))
    with pytest.raises(UndealtError, match="KC was seen more often than it is in the shoe"):
        Undealt.of_counts({"K": 1, "2": 8}).less(parse_cards("KS KC"))


def test_a_round_needs_six_cards() -> None:
    with pytest.raises(UndealtError, match="a round may take 6 cards, and there are only 5"):
        Undealt.of_counts({"A": 5}).require_a_round()
    Undealt.of_counts({"A": 5}).require_a_round(dealt=1)
