"""The PAR sheet: its figures, and the files it is written to."""

from __future__ import annotations

import io
import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import polars
import pytest

from punto.books import NAMES, load
from punto.documents.html import html_page
from punto.documents.markdown import markdown_lines
from punto.documents.page import CommandLine, Figure, Grid, Page, Style
from punto.documents.pdf import pdf_bytes
from punto.documents.text import page_lines
from punto.odds import Undealt, odds_of
from punto.reports.figures import rows
from punto.reports.formats import FORMATS
from punto.reports.par_sheet import ParSheet, par_sheet
from punto.reports.record import record
from punto.reports.sheet_page import sheet_page

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")


@cache
def sheet(name: str) -> ParSheet:
    """The sheet of a book with eight decks, computed once."""
    return par_sheet(load(name), 8, shoes=0 if name == SIDE_BETS else 20, seed=1)


@cache
def document(name: str) -> Page:
    """Its page, charts and all, drawn once."""
    return sheet_page(sheet(name))


def headings(name: str) -> list[str]:
    return [section.heading for section in document(name).sections]


def test_sections_are_those_that_the_game_has() -> None:
    usual = ["Bets", "Pay tables", "The round", "Numbers of decks (clause 2.2.1)"]
    end = ["Countability", "Method, and how to reproduce each figure"]
    assert headings("commission") == usual + end
    assert headings("insurance") == [*usual, "Insurance", *end]
    assert headings("knockout") == [*usual, "Antes", *end]


@pytest.mark.parametrize("name", NAMES)
def test_combinations_of_every_pay_table_add_up(name: str) -> None:
    [section] = [s for s in document(name).sections if s.heading == "Pay tables"]
    assert len(section.blocks) == len(sheet(name).odds.bets)
    for block in section.blocks:
        assert isinstance(block, Grid)
        combinations = [int(row[3].replace(",", "")) for row in block.rows]
        assert sum(combinations[:-1]) == combinations[-1] == 4_998_398_275_503_360
        assert all(row[0] for row in block.rows), "every outcome says when it comes"


def test_offers_that_favour_the_player_are_flagged() -> None:
    [section] = [s for s in document("insurance").sections if s.heading == "Insurance"]
    [grid] = [block for block in section.blocks if isinstance(block, Grid) and block.marks]
    assert list(grid.marks.values()) == [Style.NOTICE] * 12
    for i, row in enumerate(grid.rows):
        assert (row[7] == "player") == (i in grid.marks)


def test_every_number_of_decks_is_there() -> None:
    assert list(sheet("commission").by_decks) == [4, 5, 6, 7, 8]
    assert sheet("commission").by_decks[6].bets == odds_of(load("commission"), Undealt.of_decks(6)).bets


class Parsed(HTMLParser):
    """What a page loads from elsewhere, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and value and not value.startswith(("#", "data:")):
                self.outside.append(value)


def test_the_page_needs_nothing_else() -> None:
    text = html_page(document("insurance"))
    page = Parsed()
    page.feed(text)
    assert page.outside == []
    assert "script" not in page.tags
    assert "@import" not in text
    assert "http" not in text
    figures = [b for s in document("insurance").sections for b in s.blocks if isinstance(b, Figure)]
    assert page.tags.count("svg") == page.tags.count("figcaption") == len(figures)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids)), "names in one page are unique, those of its charts too"


def test_the_same_page_is_read_on_a_terminal_and_in_markdown() -> None:
    page = document("insurance")
    shown = "\n".join(page_lines(page))
    written = "\n".join(markdown_lines(page))
    for section in page.sections:
        assert section.heading.upper() in shown
        assert f"## {section.heading}" in written
    assert "Banker       0       6   3:1" in shown


@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS])
def test_a_pdf_is_set(name: str) -> None:
    assert pdf_bytes(document(name)).startswith(b"%PDF-")


def test_the_same_sheet_is_the_same_file() -> None:
    again = par_sheet(load("ez"), 8, shoes=20, seed=1)
    for ending in (".html", ".pdf", ".csv", ".json"):
        assert FORMATS[ending](sheet("ez")) == FORMATS[ending](again), ending


def test_csv_and_parquet_hold_the_same_figures() -> None:
    csv = polars.read_csv(FORMATS[".csv"](sheet("knockout")), infer_schema_length=None)
    parquet = polars.read_parquet(io.BytesIO(FORMATS[".parquet"](sheet("knockout"))))
    assert (
        csv.columns
        == parquet.columns
        == ["book", "decks", "section", "subject", "item", "clause", "exact", "value"]
    )
    assert (
        csv["value"].to_list() == parquet["value"].to_list() == [row.value for row in rows(sheet("knockout"))]
    )


@pytest.mark.parametrize("name", NAMES)
def test_exact_figures_and_their_values_agree(name: str) -> None:
    for row in rows(sheet(name)):
        if row.exact is not None:
            assert float(Fraction(row.exact)) == row.value, row


def test_the_record_has_what_punto_odds_says() -> None:
    found = json.loads(FORMATS[".json"](sheet("ez")))
    assert found == json.loads(json.dumps(record(sheet("ez"))))
    assert found["total"] == "4998398275503360"
    dragon = next(bet for bet in found["bets"] if bet["bet"] == "dragon-7")
    assert dragon["outcomes"][0]["combinations"] == "112633011329024"
    assert dragon["outcomes"][0]["when"] == "Banker wins on 7 with three cards"


def test_commands_name_the_shoes_and_the_seed() -> None:
    section = document("ez").sections[-1]
    lines = [block.line for block in section.blocks if isinstance(block, CommandLine)]
    assert "punto count ez --decks 8 --shoes 20 --seed 1 --cut 14 --json" in lines
