from itertools import repeat

import pytest

from punto.cards import (
    DECK,
    Card,
    Composition,
    Continuous,
    Entered,
    Shuffled,
    Source,
    SourceEmpty,
    parse_cards,
    seeded_bytes,
    shuffled,
)


def taken(source: Source, number: int) -> tuple[tuple[Card, ...], Source]:
    cards: list[Card] = []
    for _ in range(number):
        card, source = source.take()
        cards.append(card)
    return tuple(cards), source


def test_a_shuffled_shoe_gives_its_order_from_the_front() -> None:
    source = Shuffled.of_decks(2, seeded_bytes(1))
    assert source.cards_left == 104
    cards, left = taken(source, 104)
    assert cards == shuffled(Composition.of_decks(2).cards(), seeded_bytes(1))
    assert left.cards_left == 0
    with pytest.raises(SourceEmpty, match="the shoe is empty"):
        left.take()


def test_taking_changes_nothing_behind_ones_back() -> None:
    source = Shuffled.of_decks(1, seeded_bytes(1))
    assert source.take() == source.take()
    assert source.cards_left == 52


def test_a_physical_shoe_gives_what_a_person_names() -> None:
    source = Entered.of_decks(8)
    with pytest.raises(SourceEmpty, match="no card has been named"):
        source.take()
    for card in parse_cards("KS 3H 3H"):
        source = source.name(card)
    assert source.cards_left == 3
    assert source.unseen == Composition.of_decks(8).less(parse_cards("KS 3H 3H"))
    cards, left = taken(source, 3)
    assert cards == parse_cards("KS 3H 3H")
    with pytest.raises(SourceEmpty):
        left.take()


def test_a_named_card_must_be_possible() -> None:
    source = Entered.of_decks(1).name(Card.SK)
    _, source = source.take()
    with pytest.raises(ValueError, match="there is no KS left"):
        source.name(Card.SK)


def test_a_continuous_shuffler_gives_every_card_once_before_any_comes_back() -> None:
    source: Source = Continuous.of_decks(1, seeded_bytes(3))
    cards, source = taken(source, 52)
    assert sorted(cards, key=DECK.index) == list(DECK)
    with pytest.raises(SourceEmpty, match="the shuffler is empty"):
        source.take()


def test_a_continuous_shuffler_takes_cards_back() -> None:
    source = Continuous.of_decks(1, seeded_bytes(3))
    card, less = source.take()
    assert less.cards_left == 51
    assert less.inside.count(card) == 0
    assert less.put_back((card,)).inside == Composition.of_decks(1)


def test_each_card_of_a_continuous_shuffler_comes_from_all_that_are_inside() -> None:
    """One word, one card: words 0 to 51 stand for the cards of a new deck in their order."""
    drawn = [Continuous.of_decks(1, divmod(word, 256)).take()[0] for word in range(52)]
    assert drawn == list(DECK)
    two_decks = [Continuous.of_decks(2, divmod(word, 256)).take()[0] for word in range(104)]
    assert Composition.of_cards(two_decks) == Composition.of_decks(2)
    first_only = Continuous.of_decks(1, repeat(0))
    assert taken(first_only, 3)[0] == DECK[:3]
