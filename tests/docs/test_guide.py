"""The guide to rule books names every key, fact and value, and its first book is in order."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from punto.books import base_of, load, take_bet
from punto.cards import parse_cards
from punto.coup import deal_exactly
from punto.odds import Undealt, book_odds
from punto.rules import BookText, read_book
from punto.rules.book_file import BookFile
from punto.rules.book_text import PayRow
from punto.rules.condition import ComparedBy
from punto.rules.validation import condition_complaints
from punto.table import Refusal, settle_slip

GUIDE = Path(__file__).parents[2] / "docs/guides/write-a-rule-book.md"
TEXT = GUIDE.read_text(encoding="utf-8")


def kinds(hint: Any, seen: set[Any]) -> Iterator[Any]:
    """Every struct and enum that a book is made of."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct | Enum):
        if hint in seen:
            return
        seen.add(hint)
        yield hint
        if issubclass(hint, msgspec.Struct):
            for inner in get_type_hints(hint).values():
                yield from kinds(inner, seen)
    for inner in get_args(hint):
        yield from kinds(inner, seen)


KINDS = [*kinds(BookText, set()), *kinds(BookFile, set())]
STRUCTS = [kind for kind in KINDS if issubclass(kind, msgspec.Struct)]
ENUMS = [kind for kind in KINDS if issubclass(kind, Enum)]
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
NAMED = {name for code in re.findall(r"`([^`\n]+)`", TEXT) for name in re.findall(r"[\w-]+", code)}


def test_a_book_is_made_of_what_is_looked_for() -> None:
    assert {"BookText", "When", "OfferRow", "Clause"} <= {kind.__name__ for kind in STRUCTS}
    assert {"Remedy", "Withdrawal", "Role"} <= {kind.__name__ for kind in ENUMS}


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_key_is_explained(struct: type[msgspec.Struct]) -> None:
    assert [name for name in struct.__struct_fields__ if name not in NAMED] == []


@pytest.mark.parametrize("values", ENUMS, ids=lambda values: values.__name__)
def test_every_value_is_named(values: type[Enum]) -> None:
    assert [member.value for member in values if member.value not in NAMED] == []


def test_every_section_has_its_heading() -> None:
    headings = set(re.findall(r"^## \[\[?(\w+)\]\]?$", TEXT, flags=re.MULTILINE))
    plain = {"name", "title", "source", "effective", "version", "zh_hans", "zh_hant"}
    assert headings == set(BookText.__struct_fields__) - plain


def test_the_first_book_is_in_order_and_settles() -> None:
    book = read_book(BLOCKS[0], "guide")
    coup = deal_exactly(book.play, parse_cards("2S KH 3D 2C KD 5S"))
    lines = settle_slip(book, coup, {"lucky-seven": 10_00})
    assert not isinstance(lines, Refusal)
    assert lines[0].net == 90_00


def test_the_book_that_builds_on_another_is_in_order() -> None:
    book = read_book(BLOCKS[1], "guide", base_of)
    assert book.decks.allowed == (8,)
    assert book.areas == ("player", "banker", "player-pair", "banker-pair", "lucky-seven")
    assert book.clause("4.1.1") is None


def test_a_bet_that_pays_otherwise_has_the_edge_of_its_odds() -> None:
    """A win pays one part in a hundred more than at five per cent: the edge falls by that much of its chance."""
    plain, changed = (
        book_odds(book, Undealt.of_decks(6)).bet("banker")
        for book in (load("commission"), read_book(BLOCKS[2], "guide", base_of))
    )
    assert plain.edge - changed.edge == changed.win / 100


def test_the_book_that_takes_bets_is_in_order() -> None:
    book = read_book(BLOCKS[3], "guide", base_of, take_bet)
    assert book.areas[-3:] == ("dragon-bonus-player", "dragon-bonus-banker", "egalite-0")
    assert book.clause("catalogue/egalite-0") is not None
    worded = read_book(BLOCKS[4], "guide", base_of, take_bet)
    assert worded.bets[-2].labels.all == ("Egalité 0", "零点和", "零點和")


@pytest.mark.parametrize("line", BLOCKS[5].splitlines())
def test_the_rows_shown_are_rows_of_a_pay_table(line: str) -> None:
    row = msgspec.convert(tomllib.loads(f"row = {line}")["row"], PayRow)
    assert row.when is not None
    conditions = row.when if isinstance(row.when, tuple) else (row.when,)
    assert [condition_complaints(condition) for condition in conditions] == [[]] * len(conditions)


def test_what_is_said_of_a_key_names_every_value_it_may_have() -> None:
    reference = (GUIDE.parents[1] / "reference/book-file.md").read_text("utf-8")
    [by] = re.findall(r"^\| `by` \| (`rank`.*)$", reference, re.MULTILINE)
    assert all(value.value in by.split("|")[-2] for value in ComparedBy)
    assert "| without odds: push or lose; a win is written as its odds |" in reference
