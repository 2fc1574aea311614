"""The table of play of every book, over every state it can meet, against the documents' charts."""

from itertools import product

import pytest

from punto import books
from punto.cards import Card
from punto.coup import deal, next_hand
from punto.rules import Hand
from punto.rules.table_of_play import STOOD
from tests.agreement import oracle_deal

POINT_CARDS = ("KS", "AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S")
"""A card of each number of points."""

PAIRS_OF_POINTS = list(product(range(10), range(10)))

State = tuple[int, int, int, int]

STATES: list[State] = [(*two, *next_two) for two in PAIRS_OF_POINTS for next_two in PAIRS_OF_POINTS]
"""Two-card points of Player and of Banker, and the points of the next two cards."""


def cards_of(state: State) -> list[str]:
    """Six cards in dealing order that make a state; the first two of a hand are a king and the points."""
    player, banker, fifth, sixth = state
    return ["KH", "KH", *(POINT_CARDS[points] for points in (player, banker, fifth, sixth))]


def test_the_two_printed_charts_are_one() -> None:
    assert oracle_deal.ez_chart() == oracle_deal.four_books_chart()
    assert set(oracle_deal.ez_chart()) == set(product(range(8), range(10)))


@pytest.mark.parametrize("name", books.NAMES)
def test_compiled_rows_are_the_charts(name: str) -> None:
    play = books.load(name).play
    assert play.naturals == {8, 9}
    for player, banker in product(range(10), repeat=2):
        natural = player >= 8 or banker >= 8
        assert play.ends[player * 10 + banker] == natural
        assert play.player_draws[player * 10 + banker] == (not natural and player <= 5)
    for banker in range(8):
        assert play.banker_draws[STOOD][banker] == (banker <= 5)
        for third in range(10):
            assert play.banker_draws[third][banker] == oracle_deal.CHART[banker, third]


def test_the_five_books_play_one_and_the_same_table() -> None:
    plays = [books.load(name).play for name in books.NAMES]
    for play in plays[1:]:
        assert play.ends == plays[0].ends
        assert play.player_draws == plays[0].player_draws
        assert play.banker_draws == plays[0].banker_draws
        assert play.naturals == plays[0].naturals


@pytest.mark.clause("commission", "3.6")
@pytest.mark.clause("easy-six", "3.6")
@pytest.mark.clause("ez", "3")
@pytest.mark.clause("insurance", "3.15")
@pytest.mark.clause("knockout", "3.7")
@pytest.mark.parametrize("name", books.NAMES)
def test_every_state_is_dealt_as_the_documents_say(name: str) -> None:
    """All 10,000: two-card points of both hands × the next card × the one after."""
    play = books.load(name).play
    cards = {text: Card.parse(text) for text in (*POINT_CARDS, "KH")}
    for state in STATES:
        texts = cards_of(state)
        by_document = oracle_deal.play_out(texts)
        dealt = deal(play, [cards[text] for text in texts])
        assert [str(card) for card in dealt.player] == by_document.player, state
        assert [str(card) for card in dealt.banker] == by_document.banker, state
        assert (dealt.player_points, dealt.banker_points) == (by_document.p, by_document.b), state
        assert dealt.winner.value == by_document.winner, state


@pytest.mark.parametrize("name", books.NAMES)
def test_every_state_is_dealt_card_by_card_as_the_documents_say(name: str) -> None:
    """The same by `next_hand`, which answers one card at a time."""
    play = books.load(name).play
    for state in STATES:
        texts = cards_of(state)
        by_document = oracle_deal.play_out(texts)
        player: tuple[Card, ...] = ()
        banker: tuple[Card, ...] = ()
        left = iter(texts)
        while (hand := next_hand(play, player, banker)) is not None:
            card = Card.parse(next(left))
            if hand is Hand.PLAYER:
                player += (card,)
            else:
                banker += (card,)
        assert [str(card) for card in player] == by_document.player, state
        assert [str(card) for card in banker] == by_document.banker, state
