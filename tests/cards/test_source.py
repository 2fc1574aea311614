from itertools import repeat

from punto.cards import DECK, Composition, seeded_bytes, shuffled, shuffled_shoe
from punto.cards.source import draw_number


def test_a_shuffled_shoe_has_every_card_of_its_decks_in_the_order_of_its_bytes() -> None:
    order = shuffled_shoe(2, seeded_bytes(1))
    assert order == shuffled(Composition.of_decks(2).cards(), seeded_bytes(1)) == shuffled_shoe(2, seeded_bytes(1))
    assert Composition.of_cards(order) == Composition.of_decks(2)


def test_one_word_one_card() -> None:
    """Words 0 to 51 stand for the cards of a new deck in their order, and so on for two."""
    assert [DECK[draw_number(52, iter(divmod(word, 256)))] for word in range(52)] == list(DECK)
    two_decks = Composition.of_decks(2).cards()
    drawn = [two_decks[draw_number(104, iter(divmod(word, 256)))] for word in range(104)]
    assert Composition.of_cards(drawn) == Composition.of_decks(2)
    assert [draw_number(52, repeat(0)) for _ in range(3)] == [0, 0, 0]
