"""Columns of a terminal, not characters."""

from __future__ import annotations

from textwrap import wrap as wrap_characters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.documents.text import clean, pad, shorten, width, wrap


@pytest.mark.parametrize(("text", "columns"), [("", 0), ("abc", 3), ("闲", 2), ("e\u0301", 1), ("♠", 1)])
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns
    assert width(pad(text, 6)) == width(pad(text, 6, is_right=True)) == 6


def test_text_without_blanks_is_divided_anywhere() -> None:
    assert wrap("庄家胜出闲家", 5) == ["庄家", "胜出", "闲家"]
    assert wrap("the 庄家胜出闲家", 8) == ["the 庄家", "胜出闲家"]


def test_a_mark_stays_with_its_letter() -> None:
    assert wrap("e\u0301" * 5, 2) == ["e\u0301e\u0301", "e\u0301e\u0301", "e\u0301"]


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1), st.integers(8, 60))
def test_plain_words_are_wrapped_as_the_standard_library_does(words: list[str], columns: int) -> None:
    assert wrap(" ".join(words), columns) == wrap_characters(" ".join(words), columns)


def test_long_names_are_shortened() -> None:
    assert shorten("Wilhelmina", 6) == "Wilhe…"
    assert shorten("庄家胜出", 6) == "庄家…"
    assert shorten("Lee", 6) == "Lee"


def test_nothing_that_a_terminal_obeys_is_left() -> None:
    assert clean("a\x1b[31m\n\u202eb") == "a [31m  b"
