import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import DECK, Card, CardNotThere, Composition, Shoe, parse_cards, seeded_bytes, shuffled


def test_a_fresh_shoe_is_full() -> None:
    shoe = Shoe(decks=6)
    assert (shoe.size, shoe.cards_left, shoe.is_cut_card_out) == (312, 312, False)
    assert shoe.composition == Composition.of_decks(6)


@given(st.integers(1, 8), st.integers(), st.data())
def test_what_is_out_and_what_is_left_make_the_whole(decks: int, seed: int, data: st.DataObject) -> None:
    order = shuffled(Composition.of_decks(decks).cards(), seeded_bytes(seed))
    number = data.draw(st.integers(0, len(order)))
    shoe = Shoe(decks).drawn(order[:number])
    assert shoe.out == order[:number]
    assert shoe.cards_left == len(order) - number
    assert shoe.composition == Composition.of_cards(order[number:])
    one_by_one = Shoe(decks)
    for card in order[:number]:
        one_by_one = one_by_one.drawn((card,))
    assert one_by_one == shoe


@pytest.mark.parametrize("behind_cut", [0, 1, 14, 208, 416])
def test_the_cut_card_is_out_when_only_the_cards_behind_it_are_left(behind_cut: int) -> None:
    order = Composition.of_decks(8).cards()
    in_front = 416 - behind_cut
    if in_front:
        assert not Shoe(8, behind_cut).drawn(order[: in_front - 1]).is_cut_card_out
    assert Shoe(8, behind_cut).drawn(order[:in_front]).is_cut_card_out


def test_burned_cards_are_gone_but_unseen() -> None:
    shoe = Shoe(8, behind_cut=14).drawn(parse_cards("5H")).burned(5)
    assert shoe.cards_left == 416 - 6
    assert shoe.composition == Composition.of_decks(8).less(parse_cards("5H"))
    assert shoe.burned(2).burned_unseen == 7
    assert Shoe(1, behind_cut=10).burned(42).is_cut_card_out
    assert not Shoe(1, behind_cut=10).burned(41).is_cut_card_out


def test_a_card_that_the_shoe_cannot_hold_is_refused() -> None:
    shoe = Shoe(decks=2).drawn(parse_cards("KS KS"))
    with pytest.raises(CardNotThere, match="all 2 KS of this shoe are already out"):
        shoe.drawn((Card.SK,))
    with pytest.raises(CardNotThere):
        Shoe(decks=2).drawn((Card.SK,) * 3)
    assert shoe.drawn((Card.HK,)).cards_left == 101


def test_an_empty_shoe_has_no_card() -> None:
    with pytest.raises(CardNotThere, match="the shoe has no card left"):
        Shoe(decks=1).burned(1).drawn(DECK)
    with pytest.raises(CardNotThere, match="53 cards cannot be burned, 52 are left"):
        Shoe(decks=1).burned(53)
    assert Shoe(decks=1).drawn(DECK).cards_left == 0


@pytest.mark.parametrize(("decks", "behind_cut"), [(0, 0), (1, -1), (1, 53)])
def test_a_shoe_has_decks_and_a_cut_card_within_them(decks: int, behind_cut: int) -> None:
    with pytest.raises(AssertionError):
        Shoe(decks, behind_cut)


@given(st.integers(1, 8), st.integers(), st.data())
def test_cards_out_are_counted_however_a_shoe_came_about(decks: int, seed: int, data: st.DataObject) -> None:
    """What a shoe remembers of its own counts is no part of its record."""
    order = shuffled(Composition.of_decks(decks).cards(), seeded_bytes(seed))
    number = data.draw(st.integers(1, len(order)))
    shoe = Shoe(decks).drawn(order[:number])
    record = msgspec.json.encode(shoe)
    assert set(msgspec.json.decode(record)) == {"decks", "behind_cut", "out", "burned_unseen"}
    read = msgspec.json.decode(record, type=Shoe)
    back = shoe.returned(order[number - 1])
    for each in (shoe, read, read.returned(order[number - 1]).drawn(order[number - 1 : number]), back):
        assert [each.count_out(card) for card in DECK] == [each.out.count(card) for card in DECK]
