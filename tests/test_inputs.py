"""One input check: whatever stands for a thing is read as that thing, and anything else is refused in a sentence."""

from __future__ import annotations

import doctest
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from punto import inputs
from punto.books import load
from punto.cards.card import Card, parse_cards
from punto.coup.coup import deal
from punto.inputs import cards_of, decks_of, role_of, rounds_of, seed_of, slip_of, units_of, whole_of, workers_of
from punto.refusal import Refusal
from punto.rules.authority import Role

CARDS = parse_cards("2S KH 3D 2C KD 5S")
EZ = load("ez")
anything: Any = inputs
"""The module as a program without types sees it."""


def test_the_examples_are_true() -> None:
    assert doctest.testmod(inputs).failed == 0


@pytest.mark.parametrize(
    "given",
    [
        "2S KH 3D 2C KD 5S",
        "2♠ K♥ 3♦ 2♣ K♦ 5♠",
        "2s,kh,3d,2c,kd,5s",
        ["2S", "K♥", "3♢", "2c", Card("KD"), "5S"],
        np.array(["2S", "KH", "3D", "2C", "KD", "5S"]),
        (Card("2S"), "KH 3D", *CARDS[3:]),
        deal(EZ.play, CARDS),
        [deal(EZ.play, CARDS)],
        iter(CARDS),
    ],
)
def test_cards(given: Any) -> None:
    assert cards_of(given) == CARDS


@pytest.mark.parametrize(
    "given",
    [
        1250,
        "12.50",
        "12.5",
        " 12.50 ",
        Decimal("12.50"),
        Decimal("1.25e1"),
        np.int64(1250),
        np.uint16(1250),
        1250.0,
        np.float64(1250),
        np.float32(1250),
        np.array(1250),
        Fraction(1250),
    ],
)
def test_money(given: Any) -> None:
    assert units_of(given) == 1250


@pytest.mark.parametrize("given", ["1,234,500", "1_234_500", "1234500.00", 123_450_000, Decimal(1_234_500)])
def test_grouped_money_is_read_as_it_is_printed(given: Any) -> None:
    assert units_of(given) == 123_450_000


@pytest.mark.parametrize(
    "given", ["1e6", "1E+6", 1e6, 10**6, "1_000_000", "1,000,000", Decimal("1e6"), np.float64(1e6), np.float32(1e6)]
)
def test_rounds(given: Any) -> None:
    assert rounds_of(given) == 1_000_000


def test_decks_are_those_of_the_book() -> None:
    assert [decks_of(EZ), decks_of(EZ, 6), decks_of(EZ, "8"), decks_of(EZ, np.int8(6))] == [8, 6, 8, 6]


def test_seeds_roles_and_workers() -> None:
    assert seed_of((1 << 64) - 1) == (1 << 64) - 1 and seed_of(-1 << 99, None) == -1 << 99
    assert role_of("dealer") is role_of(Role.DEALER) is Role.DEALER
    assert workers_of(3) == 3 and workers_of() >= 1


def test_a_slip_names_each_area_once_in_any_case() -> None:
    assert anything.slip_of(EZ, {"Banker": "100", "Dragon 7": 500}) == {"banker": 100_00, "dragon-7": 500}
    assert slip_of(EZ, [("Banker", "100")]) == {"banker": 100_00}
    refused = slip_of(EZ, [("banker", 1), ("banker", 2)])
    assert refused == slip_of(EZ, {"banker": 1, "BANKER": 2})
    assert isinstance(refused, Refusal) and refused.reason.value == "area-twice"


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: anything.cards_of(7), "cards cannot be read from int; write for example '2S KH 3D'"),
        (lambda: anything.cards_of(["2S", None]), "cards cannot be read from NoneType"),
        (lambda: anything.cards_of(Counter(["9S", "9S"])), "cards in a Counter have no order; give them as text"),
        (lambda: anything.cards_of({"9S", "9H"}), "cards in a set have no order; give them as text or in a list"),
        (lambda: cards_of("1S"), "did you mean AS?"),
        (lambda: units_of(12.5), "12.5 is not an amount: give minor units as a whole number, or text such as '12.50'"),
        (lambda: units_of(float("nan")), "nan is not an amount"),
        (lambda: units_of(float("inf")), "inf is not an amount"),
        (lambda: units_of(1e30), "an amount has at most 15 digits before the decimal point"),
        (lambda: units_of(Fraction(25, 2)), "Fraction(25, 2) is not an amount: give minor units as a whole number"),
        (lambda: units_of(np.float32("inf")), "inf) is not an amount"),
        (lambda: anything.units_of(np.array([1, 2])), "array([1, 2]) is not an amount"),
        (lambda: anything.rounds_of(np.array([10])), "array([10]) is not a number of rounds"),
        (lambda: units_of(True), "True is not an amount: give minor units"),
        (lambda: anything.units_of(None), "None is not an amount: give minor units"),
        (lambda: units_of("12,50"), "'12,50' is not a positive amount"),
        (lambda: units_of("1,00"), "'1,00' is not a positive amount"),
        (lambda: units_of(Decimal("NaN")), "'NaN' is not a positive amount"),
        (lambda: units_of(0), "the amount is zero"),
        (lambda: slip_of(EZ, {"banker": "many"}), "the bet on banker is not taken: 'many' is not a positive"),
        (lambda: anything.slip_of(EZ, [("banker", "10", 1)]), "areas with their amounts, such as {'banker': '100'}"),
        (lambda: whole_of("1.5", "a number of boxes"), "'1.5' is not a number of boxes; give a whole number"),
        (lambda: rounds_of(0), "0 is not a number of rounds; give a whole number from 1 to 1e15, such as 1e6"),
        (lambda: rounds_of(1.5), "1.5 is not a number of rounds"),
        (lambda: rounds_of(float("inf")), "inf is not a number of rounds"),
        (lambda: rounds_of(float("nan")), "nan is not a number of rounds"),
        (lambda: rounds_of("1_0_"), "'1_0_' is not a number of rounds"),
        (lambda: rounds_of(True), "True is not a number of rounds"),
        (lambda: rounds_of(10**5000), "so large a number is not a number of rounds"),
        (lambda: rounds_of("9" * 99), "9… is not a number of rounds"),
        (lambda: rounds_of(1501, 1500), "give a whole number from 1 to 1,500"),
        (lambda: decks_of(EZ, 5), "ez is not played with 5 decks but with 6 or 8"),
        (lambda: decks_of(EZ, 0), "ez is not played with 0 decks but with 6 or 8"),
        (lambda: units_of("1_00"), "'1_00' is not a positive amount"),
        (lambda: decks_of(EZ, 6.5), "6.5 is not a number of decks"),
        (lambda: seed_of(-1), "-1 is not a seed; give a whole number from 0 to 2^64 - 1"),
        (lambda: seed_of("x", None), "'x' is not a seed; give a whole number"),
        (lambda: role_of("dealr"), "'dealr' is not a role (did you mean dealer?); roles are player"),
        (lambda: anything.role_of(7), "7 is not a role"),
        (lambda: workers_of(0), "workers must be from 1 to 1024, not 0"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(read: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^.{1,250}$") as raised:
        read()
    assert sentence in str(raised.value)
