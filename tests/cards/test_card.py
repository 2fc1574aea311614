import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import DECK, Card, Rank, Suit, format_cards, parse_cards

cards = st.sampled_from(DECK)


def test_a_deck_has_52_cards_each_at_its_index() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert [card.index for card in DECK] == list(range(52))
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in Rank for suit in Suit}


def test_a_new_deck_lists_the_suits_in_their_order_ace_to_king() -> None:
    assert format_cards(DECK[:13]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    assert [card.suit for card in DECK[::13]] == [Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS]


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        ("A", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("8", 8), ("9", 9),
        ("10", 0), ("J", 0), ("Q", 0), ("K", 0),
    ],
)  # fmt: skip
def test_points_of_each_rank(rank: str, points: int) -> None:
    assert Rank.parse(rank).points == points
    assert [card.points for card in DECK if card.rank is Rank.parse(rank)] == [points] * 4


@given(cards)
def test_notation_reads_back(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert Card(str(card)) is card
    assert Card.parse(str(card).lower()) is card
    assert Card.parse(f"  {card}\n") is card


@pytest.mark.parametrize(
    ("text", "card"),
    [("KS", Card.SK), ("10H", Card.H10), ("TH", Card.H10), ("th", Card.H10), ("10h", Card.H10), ("aC", Card.CA)],
)
def test_notation_people_write(text: str, card: Card) -> None:
    assert Card.parse(text) is card


def test_ten_is_written_with_its_number() -> None:
    assert str(Card.parse("td")) == "10D"
    assert repr(Card.D10) == "Card('10D')"
    assert Rank.parse("t") is Rank.TEN
    assert Rank.TEN.notation == "10"


@pytest.mark.parametrize(
    "text", ["", "K", "S", "1S", "0S", "11S", "SK", "KX", "KSS", "K S", "10", "♠K", "ks5", "joker"]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a card( \(did you mean \w+\?\))?; write rank then suit"):
        Card.parse(text)


def test_what_is_no_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="'1' is not a rank; ranks are A 2 3 4 5 6 7 8 9 10 J Q K"):
        Rank.parse("1")


@given(st.lists(cards))
def test_lists_of_cards_read_back(some: list[Card]) -> None:
    assert parse_cards(format_cards(some)) == tuple(some)


def test_cards_may_be_separated_by_commas() -> None:
    assert parse_cards(" KS,3h , TD  ") == (Card.SK, Card.H3, Card.D10)
    assert parse_cards("") == ()


def test_one_bad_card_spoils_the_list() -> None:
    with pytest.raises(ValueError, match="'3X' is not a card"):
        parse_cards("KS 3X 4D")


def test_symbols_are_for_people() -> None:
    assert [Card.parse(text).symbol for text in ("KS", "10H", "AD", "2C")] == ["K♠", "10♥", "A♦", "2♣"]


@pytest.mark.parametrize("card", DECK)
def test_a_card_is_read_with_the_sign_of_its_suit(card: Card) -> None:
    signs = {Suit.SPADES: "♠♤", Suit.HEARTS: "♥♡", Suit.DIAMONDS: "♦♢", Suit.CLUBS: "♣♧"}[card.suit]
    for sign in (*signs, f"{signs[0]}\ufe0f", f"{signs[0]}\ufe0e"):
        assert Card.parse(f"{card.rank.notation}{sign}") is card
    assert Card.parse(card.symbol.lower()) is card
    if card.rank is Rank.TEN:
        assert Card.parse(f"T{signs[0]}") is Card.parse(f"t{signs[1]}") is card


@pytest.mark.parametrize(
    ("text", "meant"),
    [("S2", "2S"), ("♠10", "10S"), ("♥T", "10H"), ("1S", "AS"), ("1♦", "AD"), ("2skh10♦", "2S KH 10D")],
)
def test_what_was_most_likely_meant(text: str, meant: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{text!r} is not a card (did you mean {meant}?); write")):
        Card.parse(text)


@pytest.mark.parametrize("text", ["hello", "", "♠", "10", "1", "S", "KSX", "2S" * 12])
def test_nothing_is_suggested_where_nothing_is_near(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card; write rank then suit, such as KS or 10H"):
        Card.parse(text)
