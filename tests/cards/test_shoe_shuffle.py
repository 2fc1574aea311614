"""Shuffling is exactly fair: counted over every word and every small shuffle, not estimated."""

import hashlib
from collections import Counter
from functools import partial
from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import DECK, Card, Composition, draw_below, format_cards, seeded_bytes, shuffled
from punto.cards.source import WORD_VALUES, BytesRanOut, draw_number

LARGEST_SHOE = 8 * 52

# What seed 7 gives, worked out apart from this program.
KNOWN_DECK = (
    "QC 3C 6S 8S QH 2C 10H JD KS AS 8C 7H KD 3H QD 4C 6H 2S 5S 10C KH 8H 7S 2D JC 4D "
    "JH 9D 8D 3S 9H AH 4S KC 4H JS 7C 5H 7D 9C 10D 2H 6C AC 3D 6D AD 5C QS 9S 10S 5D"
)
KNOWN_SHOE = "5C 6H 3H 6C 8D JS 7S 8D KH 9D 7S 7D"


@pytest.mark.parametrize("first", range(1, LARGEST_SHOE + 1, 52))
def test_every_number_comes_up_equally_often_over_all_words(first: int) -> None:
    assert WORD_VALUES == 65536
    for n in range(first, first + 52):
        drawn = Counter(map(partial(draw_below, n), range(65536)))
        thrown_away = drawn.pop(None, 0)
        assert thrown_away == 65536 % n
        assert drawn == dict.fromkeys(range(n), 65536 // n)


@pytest.mark.parametrize("n", [32768, 32769, 65535, 65536])
def test_also_for_large_numbers(n: int) -> None:
    drawn = Counter(map(partial(draw_below, n), range(65536)))
    drawn.pop(None, 0)
    assert drawn == dict.fromkeys(range(n), 65536 // n)


def test_a_draw_passes_over_words_that_must_be_thrown_away() -> None:
    # 65536 = 1260 × 52 + 16: the last sixteen words stand for no number below 52.
    assert draw_below(52, 65519) == 51
    assert [draw_below(52, word) for word in range(65520, 65536)] == [None] * 16
    left = iter([0xFF, 0xF0, 0xFF, 0xFF, 0x00, 0x05, 0x07])
    assert draw_number(52, left) == 5
    assert list(left) == [0x07]


def test_every_order_of_four_cards_is_equally_likely() -> None:
    """Draws of four, three and two: 24 equally likely ways of drawing lead to 24 different orders."""
    four = DECK[:4]
    orders: Counter[tuple[Card, ...]] = Counter()
    for words in product(range(4), range(3), range(2)):
        orders[shuffled(four, [byte for word in words for byte in (0, word)])] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_every_card_can_reach_every_place() -> None:
    """Each draw of the first step brings another card to the last place; the rest follows by induction."""
    last = {shuffled(DECK, [*divmod(word, 256), *[0] * 200])[-1] for word in range(52)}
    assert last == set(DECK)
    places: dict[Card, set[int]] = {card: set() for card in DECK}
    for seed in range(1500):
        for place, card in enumerate(shuffled(DECK, seeded_bytes(seed))):
            places[card].add(place)
    assert all(reached == set(range(52)) for reached in places.values())


@given(st.integers(1, 8), st.integers())
def test_a_shuffle_loses_and_adds_nothing(decks: int, seed: int) -> None:
    full = Composition.of_decks(decks)
    order = shuffled(full.cards(), seeded_bytes(seed))
    assert Composition.of_cards(order) == full
    assert order == shuffled(full.cards(), seeded_bytes(seed))


def test_known_answers() -> None:
    """Seeds are published with demonstrations and golden files: what they mean must never change."""
    assert bytes(islice(seeded_bytes(7), 64)) == hashlib.sha256(b"7/0").digest() + hashlib.sha256(b"7/1").digest()
    assert list(islice(seeded_bytes("a"), 32)) == list(hashlib.sha256(b"a/0").digest())
    assert format_cards(shuffled(DECK, seeded_bytes(7))) == KNOWN_DECK
    assert format_cards(shuffled(Composition.of_decks(8).cards(), seeded_bytes(7))[:12]) == KNOWN_SHOE


@pytest.mark.parametrize("given_bytes", [0, 1, 2, 3, 5])
def test_too_few_bytes_are_an_error_and_no_worse_shuffle(given_bytes: int) -> None:
    with pytest.raises(BytesRanOut, match="the random bytes ran out in the middle of a shuffle"):
        shuffled(DECK[:4], [0] * given_bytes)
    assert len(shuffled(DECK[:4], [0] * 6)) == 4


def test_nothing_and_one_card_need_no_bytes() -> None:
    assert shuffled((), []) == ()
    assert shuffled(DECK[:1], []) == DECK[:1]
