"""The section on odds: the edge that it gives for other odds is that of a book with those odds."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from punto.books import NAMES, load
from punto.documents.page import Figure, Grid
from punto.odds import Undealt, book_odds
from punto.reports.par_sheet_sections import PANELS_AT_ONCE, PaidRow, odds_section, paid_rows, together_section
from punto.rules.book import compile_book
from punto.rules.outcome import format_odds
from tests.reports.test_par_sheet import sheet


def edge_with(name: str, one: PaidRow, odds: Fraction, decks: int) -> Fraction:
    """The edge of the bet in a book in which that row pays so much."""
    text = load(name).text
    place = load(name).pay_tables[one.area].rows.index(one.row)
    bets = tuple(
        bet
        if bet.area != one.area
        else msgspec.structs.replace(
            bet,
            pays=tuple(
                msgspec.structs.replace(row, odds=format_odds(odds)) if i == place else row
                for i, row in enumerate(bet.pays)
            ),
        )
        for bet in text.bets
    )
    return book_odds(compile_book(msgspec.structs.replace(text, bets=bets)), Undealt.of_decks(decks)).bet(one.area).edge


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ez", "easy-six"])
def test_other_odds_give_the_edge_of_a_book_with_them(name: str) -> None:
    rows = list(paid_rows(sheet(name)))
    assert {one.area for one in rows} == set(load(name).outright_areas)
    for one in rows:
        for decks in one.edge:
            odds = one.odds + Fraction(7, 2)
            assert one.edge_at(odds, decks) == edge_with(name, one, odds, decks), (one.area, decks)
        even = one.even(8)
        assert one.edge_at(even, 8) == 0


def test_only_a_single_winning_row_has_no_number() -> None:
    numbers = {(one.area, one.number) for one in paid_rows(sheet("insurance"))}
    assert ("tie", 0) in numbers
    assert {("super-six-plus", 1), ("super-six-plus", 2)} <= numbers


@pytest.mark.parametrize(
    ("name", "boxes"), [("commission", [7, 9, 12]), ("ez", [7, 12]), ("easy-six", [7, 9]), ("knockout", [5, 6])]
)
def test_exposure_is_stated_for_every_layout_of_the_book(name: str, boxes: list[int]) -> None:
    """The greatest one is that of the layout with the most boxes, and of the most that the house may mark."""
    (grid,) = (
        block
        for block in together_section(sheet(name)).blocks
        if isinstance(block, Grid) and "exposure" in block.title.lower()
    )
    lost = {row[0]: Fraction(row[2].replace(",", "")) for row in grid.rows if row[2]}
    assert [key for key in lost if key.startswith("one round")] == [f"one round, {n} boxes" for n in boxes]
    assert lost[f"one round, {boxes[-1]} boxes"] == boxes[-1] * lost["one box"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_in_the_table_and_in_a_chart(name: str) -> None:
    section = odds_section(sheet(name))
    [table] = [block for block in section.blocks if isinstance(block, Grid)]
    charts = [block for block in section.blocks if isinstance(block, Figure)]
    number = len(list(paid_rows(sheet(name))))
    assert len(table.rows) == number
    assert len(charts) == -(-number // PANELS_AT_ONCE)
