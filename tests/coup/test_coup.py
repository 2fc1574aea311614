import pytest

from punto import books
from punto.cards import parse_cards
from punto.coup import deal_exactly, points
from punto.rules import Hand, Winner

COMMISSION = books.load("commission")


@pytest.mark.parametrize(
    ("cards", "winner", "natural"),
    [
        ("KS 3H 8D 4C", Winner.PLAYER, True),
        ("KS 3H KD 6C", Winner.BANKER, True),
        ("KS KH 8D 8C", Winner.TIE, True),
        ("KS KH 6D 7C", Winner.BANKER, False),
        ("KS KH 6D 6C", Winner.TIE, False),
        ("KS KH 6D 5C 3S", Winner.BANKER, False),
        ("KS KH 5D 7C 3S", Winner.PLAYER, False),
        ("KS KH KD KC 9S 9H", Winner.TIE, False),
    ],
)
def test_winner_and_natural(cards: str, winner: Winner, natural: bool) -> None:
    coup = deal_exactly(COMMISSION.play, parse_cards(cards))
    assert coup.winner is winner
    assert coup.is_natural(COMMISSION) is natural


def test_hands_and_cards_in_dealing_order() -> None:
    coup = deal_exactly(COMMISSION.play, parse_cards("KS 2H 3D 3C 4S 5H"))
    assert coup.hand(Hand.PLAYER) == parse_cards("KS 3D 4S")
    assert coup.hand(Hand.BANKER) == parse_cards("2H 3C 5H")
    assert coup.cards == parse_cards("KS 2H 3D 3C 4S 5H")
    only_banker_draws = deal_exactly(COMMISSION.play, parse_cards("KS 2H 6D 3C 4S"))
    assert only_banker_draws.hand(Hand.BANKER) == parse_cards("2H 3C 4S")
    assert only_banker_draws.cards == parse_cards("KS 2H 6D 3C 4S")


def test_points_are_the_units() -> None:
    assert points(()) == 0
    assert points(parse_cards("9S 9H 9D")) == 7
    assert points(parse_cards("10S KH")) == 0
    assert points(parse_cards("AS 9H")) == 0


@pytest.mark.parametrize(
    ("cards", "declared"),
    [
        ("KS 3H 8D 4C", ("natural",)),
        ("KS KH 8D 8C", ("natural", "tie")),
        ("KS KH KD 5C 4C 2C", ("dragon-7",)),
        ("KS KH 5D 7C 3C", ("panda-8",)),
        ("KS KH 6D 6C", ("tie",)),
        ("KS KH 6D 7C", ()),
    ],
)
def test_what_the_dealer_calls_out(cards: str, declared: tuple[str, ...]) -> None:
    book = books.load("ez")
    assert deal_exactly(book.play, parse_cards(cards)).declared(book) == declared
