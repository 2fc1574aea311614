import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto import books
from punto.cards import DECK, Card
from punto.coup import deal, format_coup, parse_coup

PLAY = books.load("commission").play


@given(st.lists(st.sampled_from(DECK), min_size=6, max_size=6))
def test_a_deal_reads_back(cards: list[Card]) -> None:
    coup = deal(PLAY, cards)
    text = format_coup(coup)
    assert parse_coup(text, PLAY) == coup
    assert parse_coup(f"  {text.lower()} ", PLAY) == coup
    assert parse_coup(text.replace("10", "T"), PLAY) == coup
    assert format_coup(parse_coup(text, PLAY)) == text


def test_what_it_looks_like() -> None:
    assert format_coup(parse_coup("P KS 2D 5H B 3H KC 6D", PLAY)) == "P KS 2D 5H B 3H KC 6D"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not a deal; write P and Player's cards, then B and Banker's cards"),
        ("KS 9D 3H 2C", "is not a deal"),
        ("B KS 9D P 3H 2C", "is not a deal"),
        ("P KS 9D B 3H 2C P KS", "is not a deal"),
        ("P KS 9X B 3H 2C", "'9X' is not a card"),
        ("P KS B 3H 2C", "each hand has at least two cards"),
        ("P KS 9D B 3H", "each hand has at least two cards"),
        ("P KS 2D B 3H 2C", "4 cards are too few to finish the deal"),
        ("P KS 9D 2H B 3H 2C", "the deal is finished after 4 cards, but 5 were given"),
        ("P KS 2D B 3H 4C 5C", "by the table of play the fifth card goes to the other hand"),
        ("P KS 6D 5C B 3H 2C", "by the table of play the fifth card goes to the other hand"),
        ("P KS 9D 2H 3H B 3H 2C", "the deal is finished after 4 cards"),
    ],
)
def test_what_is_no_deal_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_coup(text, PLAY)
