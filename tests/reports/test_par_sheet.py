"""The PAR sheet: its figures, and the files it is written to."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import polars
import pytest

from punto.books import NAMES, load
from punto.cli.odds_commands import table_limits
from punto.documents.page import CommandLine, Figure, Grid, Page, Style
from punto.documents.text import markdown_lines, page_lines
from punto.documents.typesetting import (
    HTML_DENSE_FACE,
    PDF_FACE,
    Typeface,
    fitting_parts,
    grid_width,
    html_page,
    pdf_bytes,
    typst_source,
)
from punto.odds import Undealt, book_odds
from punto.reports.formats import FORMATS
from punto.reports.par_sheet import ParSheet, Signing, par_sheet
from punto.reports.par_sheet_page import figure_rows, sheet_answer, sheet_page
from punto.rules.book import digest_of

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")


@cache
def sheet(name: str) -> ParSheet:
    """The sheet of a book with eight decks, computed once."""
    book = load(name)
    limits = table_limits(book)
    return par_sheet(book, 8, shoes=0 if name == SIDE_BETS else 20, seed=1, limits=limits)


@cache
def document(name: str) -> Page:
    """Its page, charts and all, drawn once."""
    return sheet_page(sheet(name))


def headings(name: str) -> list[str]:
    return [section.heading for section in document(name).sections]


@pytest.mark.slow
def test_sections_are_those_that_the_game_has() -> None:
    usual = [
        *("Bets", "Pay tables", "Table of play", "The round", "Numbers of decks (clause 2.2.1)"),
        "House edge and odds",
        *("Whole shoes with a cut card", "Return, volatility and hold", "Bets together"),
    ]
    end = [
        *("Countability", "Power: rounds that show an error", "Assumptions and readings"),
        "Method, and how to reproduce each figure",
    ]
    assert headings("commission") == usual + end
    assert headings("insurance") == [*usual, "Insurance", *end]
    assert headings("knockout") == [*usual, "Antes", *end]
    assert "Whole shoes with a cut card" not in headings(SIDE_BETS)  # no shoes were played


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_combinations_of_every_pay_table_add_up(name: str) -> None:
    [section] = [s for s in document(name).sections if s.heading == "Pay tables"]
    assert len(section.blocks) == len(sheet(name).all_bets)
    for block in section.blocks:
        assert isinstance(block, Grid)
        place = block.heads.index("Combinations")
        combinations = [int(row[place].replace(",", "")) for row in block.rows]
        assert sum(combinations[:-1]) == combinations[-1] == 4_998_398_275_503_360
        assert all(row[0] for row in block.rows), "every outcome says when it comes"


def test_a_commission_is_stated_with_its_rate_its_clause_and_when_it_is_taken() -> None:
    text = " ".join(" ".join(markdown_lines(document("commission"))).split())
    assert "Banker: 5 % of the winnings, when: Banker wins (clause 4.1.1)" in text
    assert "taken from each win as it is paid" in text
    assert "All figures of this sheet are after it." in text
    found = json.loads(msgspec.json.encode(sheet_answer(sheet("commission"))))
    kept = {bet["bet"]: [row.get("commission") for row in bet["outcomes"]] for bet in found["bets"]}
    assert kept["banker"] == [{"rate": "1/20", "clause": "4.1.1", "before": "1:1"}, None, None]
    assert not any(map(any, (rows for area, rows in kept.items() if area != "banker")))


def test_offers_that_favour_the_player_are_flagged() -> None:
    [section] = [s for s in document("insurance").sections if s.heading == "Insurance"]
    [grid] = [block for block in section.blocks if isinstance(block, Grid) and block.marks]
    assert list(grid.marks.values()) == [Style.NOTICE] * 12
    for i, row in enumerate(grid.rows):
        assert (row[7] == "player") == (i in grid.marks)


def test_every_number_of_decks_is_there() -> None:
    assert list(sheet("commission").by_decks) == [4, 5, 6, 7, 8]
    assert sheet("commission").by_decks[6].bets == book_odds(load("commission"), Undealt.of_decks(6)).bets


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


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS])
def test_a_pdf_is_set(name: str) -> None:
    assert pdf_bytes(document(name)).startswith(b"%PDF-")


@pytest.mark.slow
def test_the_same_sheet_is_the_same_file() -> None:
    again = par_sheet(load("ez"), 8, shoes=20, seed=1, limits=table_limits(load("ez")))
    for ending in (".html", ".pdf", ".csv", ".json"):
        assert FORMATS[ending](sheet("ez")) == FORMATS[ending](again), ending


@pytest.mark.slow
def test_csv_and_parquet_hold_the_same_figures() -> None:
    csv = polars.read_csv(FORMATS[".csv"](sheet("knockout")), infer_schema_length=None)
    parquet = polars.read_parquet(io.BytesIO(FORMATS[".parquet"](sheet("knockout"))))
    assert (
        csv.columns
        == parquet.columns
        == ["book", "decks", "section", "subject", "item", "clause", "exact", "value", "text"]
    )
    assert csv["value"].to_list() == parquet["value"].to_list() == [row.value for row in figure_rows(sheet("knockout"))]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.gli("A.6.1")
def test_exact_figures_and_their_values_agree(name: str) -> None:
    for row in figure_rows(sheet(name)):
        if row.exact is not None:
            assert float(Fraction(row.exact)) == row.value, row


@pytest.mark.slow
def test_the_record_has_what_punto_odds_says() -> None:
    found = json.loads(FORMATS[".json"](sheet("ez")))
    assert found == json.loads(msgspec.json.encode(sheet_answer(sheet("ez"))))
    assert found["total"] == "4998398275503360"
    dragon = next(bet for bet in found["bets"] if bet["bet"] == "dragon-7")
    assert dragon["outcomes"][0]["combinations"] == "112633011329024"
    assert dragon["outcomes"][0]["when"] == "Banker wins on 7 with three cards"


def test_commands_name_the_shoes_and_the_seed() -> None:
    section = document("ez").sections[-1]
    lines = [block.line for block in section.blocks if isinstance(block, CommandLine)]
    assert "punto count ez --decks 8 --shoes 20 --seed 1 --cut 14 --json" in lines


@pytest.mark.slow
@pytest.mark.gli("2.8.3")
def test_who_signs_and_the_digest_on_every_sheet_of_paper() -> None:
    book = load("ez")
    signing = Signing("2026-11-15", "B", "P. Clerk", "A. Manager")
    signed = replace(sheet("ez"), signing=signing)
    page = sheet_page(signed)
    facts = dict(page.facts)
    assert facts["Digest"] == digest_of(book)
    assert [facts[name] for name in ("Date", "Revision", "Prepared by", "Approved by")] == [
        *("2026-11-15", "B", "P. Clerk", "A. Manager")
    ]
    source = typst_source(page)
    assert f'#set page(header: text(size: 7pt, fill: rgb("#66756e"))[#"{page.header}"])' in source
    assert digest_of(book) in page.header
    assert source.count('"Signature"') == 2
    unsigned = dict(document("ez").facts)
    assert "Date" not in unsigned
    assert sheet_answer(signed).date == "2026-11-15"


def test_readings_stand_with_their_clauses() -> None:
    [section] = [s for s in document("insurance").sections if s.heading == "Assumptions and readings"]
    [grid] = [block for block in section.blocks if isinstance(block, Grid)]
    read = [clause for clause in load("insurance").clauses if clause.reading]
    assert [(row[0], row[2]) for row in grid.rows] == [(c.number, c.reading) for c in read]


@pytest.mark.slow
@pytest.mark.parametrize("face", [PDF_FACE, HTML_DENSE_FACE], ids=["pdf", "html"])
@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS])
def test_no_grid_is_wider_than_a_page(name: str, face: Typeface) -> None:
    for section in document(name).sections:
        for block in section.blocks:
            if isinstance(block, Grid) and block.grows is None:
                for part in fitting_parts(block, face):
                    assert grid_width(part, face) <= face.room, (section.heading, block.title)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS])
def test_no_figure_is_higher_than_a_sheet_of_paper(name: str) -> None:
    for section in document(name).sections:
        for block in section.blocks:
            if isinstance(block, Figure):
                size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', block.picture.svg)
                assert size is not None
                drawn = PDF_FACE.room * block.width / 100 * float(size[2]) / float(size[1])
                assert drawn < 700, (section.heading, block.caption)


@pytest.mark.slow
def test_figures_for_programs_say_what_the_house_keeps() -> None:
    frame = polars.read_csv(FORMATS[".csv"](sheet("commission")), infer_schema_length=None)
    kept = frame.filter(polars.col("section") == "commission")
    assert kept.select("subject", "item", "clause", "exact", "value").rows() == [
        ("banker", "part of the winnings, row 1: Banker wins", "4.1.1", "1/20", 0.05),
        ("banker", "odds before it, row 1: Banker wins", "4.1.1", "1/1", 1.0),
    ]
    assert frame.filter(polars.col("text").str.contains("5 % of the winnings")).height  # And the sentence of the page.
