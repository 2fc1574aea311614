"""What a page is told in three languages: a book's own Chinese, that of the built-in books, else English."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.rules.book import Book
from punto.rules.book_text import Irregularity
from punto.views.layout_view import options_label, reading_label, remedy_label, row_label, sense_label, title_label
from punto.words import LabelView

OWN = """
extends = "commission"
name = "own"
title = "Our own game"
zh_hans = { title = "我们的百家乐" }

[[clauses]]
number = "3.1"
kind = "behaviour"
sense = "Bets open when the bell rings."

[[clauses]]
number = "3.8"
kind = "behaviour"
sense = "A tie is a tie."
reading = "Equal points."
zh_hans = { sense = "和局就是和局。" }
zh_hant = { sense = "和局就是和局。", reading = "點數相同。" }
"""


@pytest.fixture
def own(tmp_path: Path) -> Book:
    """A book that extends one of the five, with words of its own."""
    (tmp_path / "own.toml").write_text(OWN, encoding="utf-8")
    return load("own.toml", tmp_path)


def sense(book: Book, number: str) -> LabelView:
    clause = book.clause(number)
    assert clause is not None
    return sense_label(clause)


def test_a_book_may_carry_its_own_chinese(own: Book) -> None:
    assert title_label(own) == LabelView("Our own game", "我们的百家乐", "Our own game")
    assert sense(own, "3.8") == LabelView("A tie is a tie.", "和局就是和局。", "和局就是和局。")
    clause = own.clause("3.8")
    assert clause is not None
    assert reading_label(clause) == LabelView("Equal points.", "Equal points.", "點數相同。")


def test_what_is_said_in_new_words_is_shown_in_english(own: Book) -> None:
    english = "Bets open when the bell rings."
    assert sense(own, "3.1") == LabelView(english, english, english)


def test_what_is_kept_of_a_built_in_book_keeps_its_chinese(own: Book) -> None:
    assert sense(own, "3.2") == sense(load("commission"), "3.2")
    assert sense(own, "3.2").zh_hant == "荷官喊「停止下注」，下注即告結束。"


@pytest.mark.parametrize("name", NAMES)
def test_every_text_of_a_built_in_book_is_in_three_languages(name: str) -> None:
    book = load(name)
    labels = [title_label(book), *map(sense_label, book.clauses)]
    labels += filter(None, map(reading_label, book.clauses))
    labels += (row_label(book, row) for table in book.pay_tables.values() for row in table.rows)
    for entry in book.irregularities:
        labels += filter(None, _words_of(entry))
    assert [label for label in labels if label.en in (label.zh_hans, label.zh_hant)] == []


def _words_of(entry: Irregularity) -> tuple[LabelView | None, ...]:
    return remedy_label(entry), options_label(entry)
