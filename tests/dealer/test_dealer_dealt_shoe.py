from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.cards.source import seeded_bytes
from punto.dealer.dealer import SeededShoe, deal_shoe


@pytest.mark.parametrize("book", NAMES)
def test_a_shoe_is_burned_and_dealt_one_round_past_the_cut_card(book: str) -> None:
    shoe = deal_shoe(8, seeded_bytes(3))
    rounds = list(shoe.rounds(load(book).play))
    dealt = [card for coup in rounds for card in coup.cards]
    assert tuple(dealt) == shoe.order[shoe.burned : shoe.burned + len(dealt)]
    assert shoe.burned == 1 + (shoe.order[0].points or 10)
    left = len(shoe.order) - shoe.burned - len(dealt)
    before_last = left + len(rounds[-1].cards)
    assert before_last <= 14 < before_last + len(rounds[-2].cards)


def test_a_seeded_shoe_is_the_one_that_its_bytes_deal() -> None:
    book = load("ez")
    shoe, bare = SeededShoe.of(book, 6, 4), deal_shoe(6, seeded_bytes(4))
    assert (shoe.order, shoe.burned, shoe.decks) == (bare.order, bare.burned, 6)
    assert [*shoe] == [*shoe.rounds] == [*bare.rounds(book.play)] and len(shoe) == len(shoe.rounds)
    grid = shoe.table
    assert len(grid.rows) == len(shoe) and grid.title == f"EZ Baccarat: {len(shoe)} rounds, 6 decks, seed 4"
