"""The rules page says what a newcomer asks first: when a third card comes, and what insurance pays at which points."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from punto.books import load
from punto.rules.book import digest_of
from punto.rules.outcome import Result, format_odds
from tests.browser.conftest import Visit
from tests.browser.visitor import PHONE

pytestmark = pytest.mark.slow

DRAWN_AGAINST = {0: range(10), 1: range(10), 2: range(10), 3: {*range(8), 9}, 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}
"""Player's third cards against which a Banker of so many points draws, as every table of baccarat has it."""
AFTER_NONE = range(6)
"""Banker's points that draw where Player has stood."""
CELLS = """tables => tables.map((table) =>
  [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim())))"""


def cells(table: Locator) -> list[list[str]]:
    """The rows of a table, the points of each first."""
    found: list[list[list[str]]] = table.evaluate_all(CELLS)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("size", [(1440, 900), PHONE])
def test_third_cards_and_insurance_are_tables_of_their_own(visit: Visit, size: tuple[int, int]) -> None:
    book = load("insurance")
    lee = visit("Lee", size=size).open(f"/rules/{digest_of(book)}")
    drawing = lee.page.locator("#drawing")
    expect(drawing).to_contain_text("8 or 9 are a natural")
    player = {row[0]: row[1] for row in cells(drawing.locator("table:not(.grid)"))}
    assert player == {str(points): "draws" if points < 6 else "stands" for points in range(8)}
    banker = {int(row[0]): row[1:] for row in cells(drawing.locator("table.grid"))}
    assert banker == {
        points: ["draws" if third in DRAWN_AGAINST.get(points, ()) else "stands" for third in range(10)]
        + ["draws" if points in AFTER_NONE else "stands"]
        for points in range(8)
    }

    shown = {}
    for table in lee.page.locator("#insurance table").all():
        after, _, hand = str(table.get_attribute("data-window")).partition("-")
        bankers = table.locator("thead tr:last-child th").all_inner_texts()
        for row in cells(table):
            for beside, odds in zip(bankers, row[1:], strict=True):
                if odds:
                    shown[int(after), hand, int(row[0]), int(beside)] = odds
    wanted = {}
    for (cards, points, other), offers in book.offers.cells.items():
        for offer in offers:
            mark = " *" if offer.on_tie.result is Result.WIN else ""
            wanted[cards, offer.hand.value, points, other] = (
                format_odds(offer.odds).replace(":", "\u00a0:\u00a0") + mark
            )
    assert shown == wanted
    assert lee.page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert lee.faults() == []
    lee.picture(f"rules-tables-{size[0]}")
