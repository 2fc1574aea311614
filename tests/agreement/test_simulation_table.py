"""Simulated shoes dealt again at the table: the same rounds, and the table ends the shoe just there."""

from __future__ import annotations

import pytest

from punto.books import NAMES
from punto.cards.card import DECK, Card, Rank
from punto.cards.source import SourceKind
from punto.simulation.deals import ShoeTerms, record_shoes
from punto.simulation.run import deals_of
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, LoadShoe, is_shoe_finished
from punto.table.settlement import SettleRound
from tests.table.scenes import Scene

TERMS = (ShoeTerms(decks=8), ShoeTerms(decks=6, behind_cut=40), ShoeTerms(decks=6, rounds_after_cut=3, behind_cut=26))


class Cards:
    """Cards of a physical shoe: the simulation knows ranks, and any suit that is left will do."""

    def __init__(self, decks: int) -> None:
        self._left = {rank: [card for card in DECK if card.rank is rank] * decks for rank in Rank}

    def take(self, rank: Rank) -> Card:
        return self._left[rank].pop()


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.gli("4.6.5")
def test_the_table_deals_the_same_rounds_and_ends_the_shoe_there(name: str, terms: ShoeTerms) -> None:
    scene = Scene(
        name,
        load=False,
        decks=terms.decks,
        source=SourceKind.ENTERED,
        burn="first-card",
        behind_cut=terms.behind_cut,
        rounds_after_cut=terms.rounds_after_cut,
    )
    book = scene.table.book
    recorded = record_shoes(deals_of(book, terms, 77), 0, 2)
    for shoe in range(2):
        cards = Cards(terms.decks)
        shown = recorded.shown_rank(shoe)
        assert shown is not None
        scene.do(LoadShoe)
        scene.do(BurnCards, card=cards.take(shown))
        rounds = int(recorded.lengths[shoe])
        for number in range(rounds):
            assert not is_shoe_finished(scene.state), f"the table ended the shoe after {number} of {rounds}"
            scene.call()
            if book.betting.closes.by.value == "call":
                scene.close()
            ranks = recorded.round_ranks(shoe, number)
            for i, rank in enumerate(ranks):
                events = scene.do(DealCard, card=cards.take(rank))
                finished = any(type(event).__name__ == "DealFinished" for event in events)
                assert finished == (i == len(ranks) - 1)
            scene.do(SettleRound)
        assert is_shoe_finished(scene.state), f"the table would deal more than {rounds} rounds"
