"""The shuffle of a shoe looks like a fair one, and bad shuffles are caught by the same tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from punto.audit.shuffle import CHACHA20, SEED_BYTES, order_of
from punto.cards.card import DECK
from tests.audit.battery import LEVEL, Tally, failed
from tests.audit.shuffles import (
    CARDS,
    DECKS,
    END,
    Orders,
    Shuffle,
    draws_of,
    honest,
    modulo,
    naive,
    ours,
    reused,
    sattolo,
    short,
    streams,
)

ROOT = Path(__file__).resolve().parents[2]

SHOES = 20_000
ENDS = 160_000
"""Shoes of which only the end is dealt: among so many, seeds of 32 bits meet three times."""


@cache
def ends(seeds: Callable[[str, int], list[bytes]]) -> Orders:
    return ours(streams(seeds("end", ENDS), 2 * END), steps=END)[-END:]


def looked_at(shuffle: Shuffle = ours, seeds: Callable[[str, int], list[bytes]] = honest) -> dict[str, float]:
    tally = Tally()
    tally.add(shuffle(streams(seeds("shoe", SHOES)), CARDS))
    tally.add_ends(ends(short if seeds is short else honest))
    return tally.results()


@pytest.mark.gli("3.2.5")
@pytest.mark.parametrize(("decks", "bits"), [(8, 2229), (6, 1647), (4, 1068)])
def test_a_seed_reaches_a_small_part_of_all_orders_and_the_pages_say_so(decks: int, bits: int) -> None:
    orders = math.factorial(52 * decks) // math.factorial(decks) ** 52
    assert round(math.log2(orders)) == bits > 8 * SEED_BYTES == 256
    said = (ROOT / "docs" / "reference" / "gli-19.md").read_text(encoding="utf-8")
    assert f"2^{bits:,}" in said and "2^256" in said
    assert "not all of them can occur" in (ROOT / "docs" / "concepts" / "shuffle.md").read_text(encoding="utf-8")


def test_many_shuffles_at_once_are_the_shuffles_of_shoes() -> None:
    seeds = honest("few", 200)
    orders = ours(streams(seeds))
    for column, seed in enumerate(seeds):
        cards = tuple(DECK[label // DECKS] for label in orders[:, column])
        assert cards == order_of(CHACHA20, seed, DECKS)
    part = ours(streams(seeds, 2 * END), steps=END)
    assert (part[-END:] == orders[-END:]).all()


def test_draws_can_be_found_again_from_an_order() -> None:
    words = streams(honest("few", 50))
    assert (draws_of(modulo(words))[1:] == words[: CARDS - 1][::-1] % np.arange(2, CARDS + 1)[:, None]).all()


@pytest.mark.slow
@pytest.mark.gli("3.2.1")
def test_twenty_thousand_shoes_look_fair() -> None:
    found = looked_at()
    assert failed(found) == [], f"at {LEVEL:.0%} for all tests together: {found}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shuffle", "seeds", "caught"),
    [
        (naive, honest, {"card by position", "draws", "fixed places"}),
        (sattolo, honest, {"card by position", "draws", "fixed places"}),
        (modulo, honest, {"low draws"}),
        (ours, short, {"duplicate shoes"}),
        (ours, reused, {"duplicate shoes"}),
    ],
    ids=["naive swap", "Sattolo", "modulo", "32-bit seed", "reused seed"],
)
@pytest.mark.gli("3.2.1")
def test_bad_shuffles_are_caught(shuffle: Shuffle, seeds: Callable[[str, int], list[bytes]], caught: set[str]) -> None:
    found = looked_at(shuffle, seeds)
    assert caught <= set(failed(found)), found
