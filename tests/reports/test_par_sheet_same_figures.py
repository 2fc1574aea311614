"""A PAR sheet says the same everywhere: its files hold all that its page shows, in the words of the rules."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import polars
import pytest

from punto.books import NAMES, load
from punto.documents.page import Grid
from punto.odds import Undealt, book_odds
from punto.reports.formats import FORMATS
from punto.reports.par_sheet_sections import pay_tables_section
from punto.reports.rule_book import rule_book_page
from tests.reports.test_par_sheet import SIDE_BETS, sheet

Cell = tuple[str, str, str, str]
"""Section, table and row, head of the column, and what the cell says."""


class Shown(HTMLParser):
    """What a browser shows of a page: cells of tables with their places, and everything else as sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[Cell] = []
        self.sentences: list[str] = []
        self._open: list[str] = []
        self._text = ""
        self._section, self._caption = "", ""
        self._heads: list[str] = []
        self._row: list[str] = []

    def handle_starttag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._text += "\n"
            return
        self._open.append(tag)
        if tag == "table":
            self._caption, self._heads = "", []
        if tag == "tr":
            self._row = []
        if tag in ("h2", "caption", "th", "td", "p", "li", "figcaption", "dd"):
            self._text = ""

    def handle_data(self, data: str) -> None:
        if not {"style", "svg", "title", "nav"} & set(self._open):
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        if "nav" not in self._open:
            self._end(tag, self._text.replace("\xa0", " "))
        while self._open and self._open.pop() != tag:
            pass

    def _end(self, tag: str, text: str) -> None:
        if tag == "h2":
            self._section = text
        elif tag == "caption":
            self._caption = text
        elif tag in ("th", "td") and "thead" in self._open:
            self._heads.append(text)
        elif tag in ("th", "td"):
            self._row.append(text)
        elif tag == "tr" and "thead" not in self._open and self._section != "Signatures":
            first, *others = self._row
            subject = f"{self._caption}: {first}" if self._caption else first
            for head, cell in zip(self._heads[1:], others, strict=True):
                self.cells.append((self._section, subject, head, cell))
        elif tag in ("p", "li", "figcaption", "dd") and "header" not in self._open:
            self.sentences.append(text)


def cells_of_record(record: dict[str, Any]) -> set[Cell]:
    """The cells that the JSON says the page has."""
    found = set()
    for section in record["page"]:
        for block in section["blocks"]:
            if isinstance(block, dict) and "table" in block:
                for first, *others in block["rows"]:
                    subject = f"{block['table']}: {first}" if block["table"] else first
                    for head, cell in zip(block["heads"][1:], others, strict=True):
                        found.add((section["heading"], subject, head, cell))
    return found


def sentences_of(value: Any) -> set[str]:
    """Every text in a JSON document."""
    if isinstance(value, dict):
        return set().union(*map(sentences_of, value.values()))
    if isinstance(value, list):
        return set().union(*map(sentences_of, value))
    return {value} if isinstance(value, str) else set()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["insurance", "knockout", SIDE_BETS], ids=lambda name: Path(name).stem)
def test_every_file_holds_every_cell_and_sentence_of_the_page(name: str) -> None:
    par = sheet(name)
    page = Shown()
    page.feed(FORMATS[".html"](par).decode())
    assert len(page.cells) > 300
    csv = polars.read_csv(FORMATS[".csv"](par), infer_schema_length=None)
    for frame in (csv, polars.read_parquet(io.BytesIO(FORMATS[".parquet"](par)))):
        rows = set(frame.select("section", "subject", "item", "text").fill_null("").rows())
        assert [cell for cell in page.cells if cell[3] and cell not in rows] == []
        texts = {row[3] for row in rows}
        assert [text for text in page.sentences if text not in texts] == []
    record = json.loads(FORMATS[".json"](par))
    cells = cells_of_record(record)
    assert [cell for cell in page.cells if cell[3] and cell not in cells] == []
    texts = sentences_of(record)
    assert [text for text in page.sentences if text not in texts] == []


@pytest.mark.parametrize("name", [*NAMES, SIDE_BETS], ids=lambda name: Path(name).stem)
def test_conditions_are_in_the_words_of_punto_rules(name: str) -> None:
    """Row by row, in the same order: when a bet pays what, by which clause."""
    book = load(name)
    [section] = [s for s in rule_book_page(book).sections if s.heading == "What bets pay"]
    [grid] = [block for block in section.blocks if isinstance(block, Grid)]
    rules: dict[str, list[tuple[str, ...]]] = {}
    area = ""
    for named, *row in grid.rows:
        area = named or area
        rules.setdefault(area, []).append(tuple(row))
    odds = book_odds(book, Undealt.of_decks(8))
    # All that the section reads of a sheet, which takes long to compute.
    tables = pay_tables_section(cast(Any, SimpleNamespace(book=book, odds=odds, decks=8, composed={8: ()})))
    for bet, block in zip(odds.bets, tables.blocks, strict=True):
        assert isinstance(block, Grid)
        assert [row[:3] for row in block.rows[:-1]] == rules[bet.area], bet.area
