"""Reconstruction: the order of the cards says everything."""

from hypothesis import given
from hypothesis import strategies as st

from punto import books
from punto.cards.card import DECK, Card
from punto.coup.coup import reconstruct
from tests.agreement import oracle_deal

PLAY = books.load("insurance").play


@given(st.lists(st.sampled_from(DECK), max_size=9))
def test_an_order_makes_the_hands_that_the_documents_deal(order: list[Card]) -> None:
    player, banker, over = reconstruct(PLAY, order)
    filled = [str(card) for card in order] + ["KS"] * 6
    deal = oracle_deal.play_out(filled)
    assert [str(card) for card in player] == deal.player[: len(player)]
    assert [str(card) for card in banker] == deal.banker[: len(banker)]
    used = len(player) + len(banker)
    assert over == tuple(order[used:])
    assert used == len(order) or used == len(deal.player) + len(deal.banker)


@given(st.lists(st.sampled_from(DECK), max_size=9))
def test_putting_right_what_is_right_changes_nothing(order: list[Card]) -> None:
    player, banker, over = reconstruct(PLAY, order)
    again = [card for pair in zip(player[:2], banker[:2], strict=False) for card in pair]
    again += player[len(banker[:2]) : 2]
    assert reconstruct(PLAY, [*again, *player[2:], *banker[2:], *over]) == (player, banker, over)
