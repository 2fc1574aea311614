import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import DECK, Card, Composition, Rank

some_cards = st.lists(st.sampled_from(DECK), max_size=60)


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_full_set(decks: int) -> None:
    full = Composition.of_decks(decks)
    assert full.size == 52 * decks
    assert all(full.count(card) == decks for card in DECK)
    assert all(full.rank_count(rank) == 4 * decks for rank in Rank)
    assert full.points_counts() == (16 * decks, *[4 * decks] * 9)


@given(some_cards)
def test_counts_are_those_of_the_cards(some: list[Card]) -> None:
    counted = Composition.of_cards(some)
    assert counted.size == len(some)
    assert sorted(counted.cards(), key=DECK.index) == sorted(some, key=DECK.index)
    assert [counted.count(card) for card in DECK] == [some.count(card) for card in DECK]
    assert [counted.rank_count(rank) for rank in Rank] == [sum(c.rank is rank for c in some) for rank in Rank]
    assert counted.points_counts() == tuple(sum(card.points == p for card in some) for p in range(10))


@given(some_cards, st.data())
def test_taking_out_and_what_is_left_make_the_whole(some: list[Card], data: st.DataObject) -> None:
    taken = some[: data.draw(st.integers(0, len(some)))]
    left = Composition.of_cards(some).less(taken)
    assert left == Composition.of_cards(some[len(taken) :])


def test_a_card_that_is_not_there_cannot_be_taken_out() -> None:
    with pytest.raises(ValueError, match="there is no KS left to take out"):
        Composition.of_decks(1).less((Card.SK, Card.HK, Card.SK))


def test_cards_come_in_the_order_of_a_new_deck() -> None:
    assert Composition.of_cards((Card.C2, Card.SA, Card.C2)).cards() == (Card.SA, Card.C2, Card.C2)


@pytest.mark.parametrize("counts", [(1,) * 51, (1,) * 53, (*(0,) * 51, -1)])
def test_only_52_counts_of_none_or_more_are_a_composition(counts: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        Composition(counts)
