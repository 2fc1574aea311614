"""Commission as a figure of its own: counted again from the raw events and the raw book, by nothing of ours."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from importlib.resources import files
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import NAMES, load
from punto.cards.card import parse_cards
from punto.coup.coup import deal_exactly
from punto.ledger.movement import MovementKind
from punto.ledger.results import results_of
from punto.money import Rounding
from punto.table.slip import settle_slip
from tests.ledger.test_postings import Booked

BANKER_WINS = "KS KH 6D 7C"


def kept_by_book(book: str) -> dict[str, Fraction]:
    """By betting area: the part of a win that the house keeps, read from the file of the book."""
    document = tomllib.loads((files("punto.books") / f"{book}.toml").read_text(encoding="utf-8"))
    return {
        bet["area"]: Fraction(row["commission"]["rate"].removesuffix("%")) / 100
        for bet in document["bets"]
        for row in bet["pays"]
        if "commission" in row
    }


def counted_again(book: str, events: list[dict[str, Any]]) -> int:
    """The commission of rounds as they stand in the end: from stakes, odds and nets of the raw events."""
    rates, rounds = kept_by_book(book), dict[int, int]()
    for event in events:
        if event["type"] == "settlement-reversed":
            rounds[event["round"]] = 0
        elif event["type"] == "round-settled":
            rounds[event["round"]] = 0
            for bet in event["bets"]:
                if bet["result"] == "win" and bet["area"] in rates:
                    gross = bet["stake"] * Fraction(*map(int, bet["odds"].split(":"))) / (1 - rates[bet["area"]])
                    assert gross.denominator == 1, "even money is always a whole number"
                    rounds[event["round"]] += int(gross) - bet["net"]
    return sum(rounds.values())


@pytest.mark.slow
@pytest.mark.gli("2.8.2")
@pytest.mark.parametrize("book", NAMES)
def test_commission_of_random_rounds_is_that_of_the_ledger_and_of_the_results(book: str) -> None:
    random, total = Random(f"commission/{book}"), 0
    for _ in range(6):
        table = Booked(book, random)
        for _ in range(10):
            table.play()
        table.act("close-table", "Sue")
        raw = [json.loads(msgspec.json.encode(event)) for event, _ in table.accounts.entries]
        again = counted_again(book, raw)
        moved = [movement for _, movements in table.accounts.entries for movement in movements]
        kinds = (MovementKind.SETTLEMENT, MovementKind.REVERSAL)
        assert again == sum(movement.commission for movement in moved if movement.kind in kinds)
        assert again == sum(movement.commission for movement in moved if movement.kind is MovementKind.RELEASE)
        assert again == results_of(table.accounts.entries).commission
        total += again
    assert bool(total) == (book == "commission"), "one of the five charges a commission"


@pytest.mark.clause("commission", "4.1.1")
@pytest.mark.gli("2.8.2")
@given(stake=st.integers(1, 10**12), rounding=st.sampled_from(Rounding))
def test_stake_and_win_less_commission_is_what_is_paid(stake: int, rounding: Rounding) -> None:
    book = load("commission")
    coup = deal_exactly(book.play, parse_cards(BANKER_WINS))
    lines = settle_slip(book, coup, {"banker": stake}, rounding)
    assert isinstance(lines, list)
    [line] = lines
    assert stake - line.commission == line.net == rounding.apply(stake * 95, 100)


@pytest.mark.clause("ez", "6")
@pytest.mark.parametrize("book", [name for name in NAMES if name != "commission"])
def test_half_pay_is_not_a_commission(book: str) -> None:
    assert kept_by_book(book) == {}
    rules = load(book)
    coup = deal_exactly(rules.play, parse_cards("KS KH 5D 6C KD"))
    lines = settle_slip(rules, coup, {"banker": 1000})
    assert isinstance(lines, list) and [line.commission for line in lines] == [0]
