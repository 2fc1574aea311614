"""Seeds and what follows from them, held against a second reading of ChaCha20 and of the shuffle."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.shuffle import CHACHA20, SEED_BYTES, UnknownAlgorithm
from punto.cards.card import DECK, Card
from punto.cards.shoe import Composition
from punto.cards.source import seeded_bytes, shuffled_shoe
from punto.floor.shoe import Seed, drawn_card, fresh_seed, given_seeds, shoe_order

SECRETS = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def rotated(word: int, by: int) -> int:
    return (word << by | word >> (32 - by)) & 0xFFFFFFFF


def chacha20(key: bytes, nonce: int) -> Iterator[int]:
    """The bytes of RFC 7539's block function with a 64-bit counter, written out."""
    block = 0
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key)]
        start += [block & 0xFFFFFFFF, block >> 32, nonce & 0xFFFFFFFF, nonce >> 32]
        words = list(start)
        for turn in range(20):
            for i in range(4):
                # Columns and diagonals in turn.
                shift = turn % 2
                a, b, c, d = i, 4 + (i + shift) % 4, 8 + (i + 2 * shift) % 4, 12 + (i + 3 * shift) % 4
                for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    words[x] = (words[x] + words[y]) & 0xFFFFFFFF
                    words[z] = rotated(words[z] ^ words[x], by)
        yield from struct.pack("<16I", *((w + s) & 0xFFFFFFFF for w, s in zip(words, start, strict=True)))
        block += 1


def below(n: int, stream: Iterator[int]) -> int:
    """A number below n from two bytes at a time, those past the last whole multiple passed over."""
    while True:
        word = next(stream) * 256 + next(stream)
        if word < 65536 // n * n:
            return word % n


@given(SECRETS, st.sampled_from((1, 6, 8)))
@pytest.mark.gli("3.2.1")
def test_the_order_of_a_shoe_is_a_shuffle_by_chacha20(secret: bytes, decks: int) -> None:
    stream = chacha20(secret, 0)
    order = [card for card in DECK for _ in range(decks)]
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    assert shoe_order(Seed(CHACHA20, secret), decks) == tuple(order)


@given(SECRETS, st.integers(0, 10**9), st.lists(st.sampled_from(DECK), max_size=20))
def test_a_card_of_a_continuous_shuffler_follows_from_seed_and_place(secret: bytes, seq: int, out: list[Card]) -> None:
    inside = Composition.of_decks(8).less(card for card in dict.fromkeys(out))
    expected = inside.cards()[below(inside.size, chacha20(secret, 1 << 56 | seq))]
    assert drawn_card(Seed(CHACHA20, secret), inside, seq) is expected


def test_every_card_comes_about_as_often() -> None:
    seed = Seed(CHACHA20, bytes(32))
    drawn = Counter(drawn_card(seed, Composition.of_decks(1), seq) for seq in range(5_200))
    squares = sum((drawn[card] - 100) ** 2 / 100 for card in DECK)
    assert squares < 100  # 51 degrees of freedom: more than this comes once in 20,000 seeds


def test_a_given_seed_deals_the_shoe_of_punto_deal() -> None:
    seeds = given_seeds("7")
    assert shoe_order(seeds("t1", 1), 8) == shuffled_shoe(8, seeded_bytes("7"))
    assert shoe_order(seeds("t1", 2), 8) != shoe_order(seeds("t1", 1), 8)


@pytest.mark.gli("3.3.2")
def test_fresh_seeds_differ_and_are_never_shown() -> None:
    first, second = fresh_seed("t1", 1), fresh_seed("t1", 1)
    assert first != second
    assert len(first.secret) == SEED_BYTES
    assert first.secret.hex() not in repr(first)
    assert repr(first.secret) not in repr(first)


def test_a_way_that_is_not_known() -> None:
    with pytest.raises(UnknownAlgorithm, match="cannot deal by dice"):
        shoe_order(Seed("dice", bytes(32)), 8)
