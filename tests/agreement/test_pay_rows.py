"""Rows of pay tables as people read them: the deals that a row is credited with are those it settles.

Rows that are tried from the top overlap, so a row counts for fewer deals than its condition alone. What a
page says of a row, and the count beside it, must be those of the deals that settlement pays by it.
Conditions are asked by the second reading, which knows nothing of the compiler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice, permutations
from random import Random

import pytest

from punto.books import base_of
from punto.cards.card import DECK, Card, parse_cards
from punto.cards.shoe import Composition
from punto.cli.odds_commands import table_limits
from punto.coup import Coup, deal
from punto.documents.page import Grid, Page
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.reports.par_sheet import par_sheet
from punto.reports.par_sheet_page import figure_rows, sheet_answer, sheet_page
from punto.reports.rule_book import rule_book_page
from punto.rules.book import Book, read_book
from punto.rules.wording import condition_words, outcome_words, row_words
from punto.server.book_routes import book_answer
from punto.table import Refusal, settle_slip
from tests.agreement.random_books import Values
from tests.agreement.second_condition import SecondDeal, second_net
from tests.agreement.used_books import accepted

BOOKS = 60
DEALS = 150
SHOES = ("9S 9S 9D KH KD 3C 8S", "AS KS 8S JS 10H 8D 8D", "7H 7H 7H 8C 6D KD 4S")
ABOVE = ", and no row above"
TWENTY = """
extends = "commission"
name = "twenty"
[[bets]]
area = "eights"
kind = "side"
labels = { en = "Eights" }
clause = "h"
first_match = true
pays = [
  { when = { winner = "tie" }, odds = "1:4", clause = "h" },
  { when = [{ player_points = 8 }, { banker_points = 8 }], odds = "20:1", clause = "h" },
  { when = { player_points = 9 }, odds = "20:1", clause = "h" },
  { when = { player_points = 0, banker_points = 1 }, odds = "2:1", clause = "h" },
  { otherwise = true, result = "lose", clause = "h" },
]
[[clauses]]
number = "h"
kind = "behaviour"
sense = "House."
"""


def twenty() -> Book:
    return read_book(TWENTY, "twenty.toml", base_of)


def grids_of(page: Page) -> list[Grid]:
    return [block for section in page.sections for block in section.blocks if isinstance(block, Grid)]


def held(values: Values, area: str, coup: Coup) -> tuple[int, ...]:
    """The rows of a bet that hold for a deal, by the second reading; where none does, the last."""
    bets = {bet["area"]: bet for bet in values["bets"]}
    second = SecondDeal(coup.player, coup.banker, values["play"]["naturals"])
    pays = bets[area]["pays"]
    found = tuple(
        n
        for n, row in enumerate(pays)
        if "when" in row and second.holds(row["when"], lambda other: second_net(bets, other, second) > 0)
    )
    return found or (len(pays) - 1,)


@cache
def ordered_books() -> tuple[tuple[Book, Values, list[str]], ...]:
    """Random books with bets whose rows are tried from the top, and those bets; made once for all tests here."""
    return tuple(islice(_ordered_books(), BOOKS))


def _ordered_books() -> Iterator[tuple[Book, Values, list[str]]]:
    for seed in range(70_000, 80_000):
        if (found := accepted(seed)) is None:
            continue
        book, values = found
        if areas := [bet.area for bet in book.bets if bet.first_match and len(bet.pays) > 2]:
            yield book, values, areas


@pytest.mark.slow
def test_a_row_as_worded_holds_for_the_deals_that_it_settles() -> None:
    below = 0
    for book, values, areas in ordered_books():
        chance = Random(book.name)
        few = chance.sample(DECK, 6)
        for number in range(DEALS):
            coup = deal(book.play, chance.choices(DECK if number % 2 else few, k=6))
            lines = settle_slip(book, coup, dict.fromkeys(book.outright_areas, 100_00))
            assert not isinstance(lines, Refusal)
            paid = {line.area: line.outcome for line in lines}
            for area in areas:
                table = book.pay_tables[area]
                holding = held(values, area, coup)
                row = table.settled_row(coup.facts, coup.player, coup.banker)
                assert row is table.rows[holding[0]], (book.name, area)
                assert row.outcome == paid[area], (book.name, area)
                for other in holding[1:]:  # the words must not claim this deal for a row that it is not paid by
                    words = row_words(table.rows[other])
                    assert words.endswith(ABOVE), (book.name, area, words)
                    below += 1
    assert below > 100, "rows overlap in these books"


@pytest.mark.slow
def test_no_row_is_said_to_be_below_without_need() -> None:
    """Of the books above, some deal for every row that says so, unless it is too rare to be met by chance."""
    said = met = 0
    for book, values, areas in ordered_books():
        chance = Random(book.name)
        few = chance.sample(DECK, 8)
        coups = [deal(book.play, chance.choices(few if n % 2 else DECK, k=6)) for n in range(4 * DEALS)]
        for area in areas:
            rows = book.pay_tables[area].rows
            seen = {row for coup in coups for row in held(values, area, coup)[1:]}
            said += sum(row.is_overlapped for row in rows)
            met += len(seen)
            assert seen <= {n for n, row in enumerate(rows) if row.is_overlapped}
    assert met > said * 0.8


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SHOES)))
def test_a_row_is_credited_with_the_draws_that_it_settles(number: int) -> None:
    """Every order of a small shoe, settled by the second reading, beside the counts of the rows."""
    cards = list(parse_cards(SHOES[number]))
    undealt = Undealt.of_composition(Composition.of_cards(cards))
    orders = Counter(permutations(cards, 6))
    for i, (book, values, areas) in enumerate(ordered_books()):
        if i % 6 != number:
            continue
        coups = _coups(book, orders)
        for area in areas:
            ways: Counter[int] = Counter()
            for coup, count in coups.items():
                ways[held(values, area, coup)[0]] += count
            odds = Weighing(book, undealt, RoundSoFar()).odds(area)
            rows = book.pay_tables[area].rows
            counted = {rows.index(row): Fraction(draws, odds.total) for row, draws in odds.rows}
            assert counted == {n: Fraction(count, ways.total()) for n, count in ways.items()}, area


def _coups(book: Book, orders: Counter[tuple[Card, ...]]) -> Counter[Coup]:
    found: Counter[Coup] = Counter()
    for order, count in orders.items():
        found[deal(book.play, order)] += count
    return found


def test_the_words_of_an_ordered_table() -> None:
    rows = twenty().pay_tables["eights"].rows
    assert [row_words(row) for row in rows] == [
        "tie",
        "Player has 8, and no row above; or Banker has 8, and no row above",
        "Player has 9, and no row above",
        "Player has 0, Banker has 1",
        "anything else",
    ]


@pytest.mark.slow
def test_every_page_has_the_rows_in_the_order_of_the_book_and_in_the_same_words() -> None:
    book = twenty()
    table = book.pay_tables["eights"]
    expected = [(row_words(row), outcome_words(row.outcome)) for row in table.rows]
    sheet = par_sheet(book, 8, shoes=0, seed=1, limits=table_limits(book))
    odds = sheet.odds.bet("eights")
    eights = next(bet for bet in sheet_answer(sheet).bets if bet.bet == "eights")
    assert [(row.when, row.pays) for row in eights.outcomes] == expected
    assert [row.row for row in eights.outcomes] == [1, 2, 3, 4, 5]
    scale = sheet.odds.total // odds.total
    assert [int(row.combinations) for row in eights.outcomes] == [ways * scale for _, ways in odds.rows]
    (grid,) = [grid for grid in grids_of(sheet_page(sheet)) if grid.title.startswith("Eights (clause")]
    assert [(row[0], row[1]) for row in grid.rows[:-1]] == expected
    figures = [row.item for row in figure_rows(sheet) if (row.section, row.subject) == ("rows", "eights")]
    assert figures == [f"row {n}, {pays}: {when}" for n, (when, pays) in enumerate(expected, start=1)]
    rules = next(grid for grid in grids_of(rule_book_page(book)) if "pays" in grid.heads).rows
    start = next(i for i, row in enumerate(rules) if row[0] == "eights")
    assert [(row[1], row[2]) for row in rules[start : start + 5]] == expected
    answered = next(bet for bet in book_answer(book).bets if bet.area == "eights")
    assert [(row.when.en, row.pays or row.result.value) for row in answered.rows] == expected


def test_words_are_true_without_the_condition_alone() -> None:
    """What is shown of a row below others is never its bare condition."""
    for row in twenty().pay_tables["eights"].rows:
        if row.when is not None:
            assert (row_words(row) == condition_words(row.when)) is not row.is_overlapped
