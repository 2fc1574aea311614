from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.table.notation import format_word, parse_any_amount, parse_word, split_at, split_line


@given(st.text())
def test_every_text_is_one_word_and_is_read_back(text: str) -> None:
    word = format_word(text)
    assert parse_word(word) == text
    assert split_line(f"  {word}  x # {word}") == ([word, "x"], f"# {word}".rstrip())
    assert split_at(f"{word},{word}", ",") == [word, word]


def test_plain_words_are_not_quoted() -> None:
    for text in ("Lee", "banker-pair", "4.1.2", "3:1", "../mine.toml", "O'Shea", "李", "-10.00"):
        assert format_word(text) == text
    for text in ("", "Lee W.", "as", "with", "a#b", "Lee:", "a,b", "a=b", '"', "a\u2028b", "a\nb"):
        assert format_word(text).startswith('"')


@pytest.mark.parametrize(("text", "units"), [("100", 10_000), ("12.5", 1_250), ("0.05", 5), ("-1.00", -100)])
def test_amounts(text: str, units: int) -> None:
    assert parse_any_amount(text) == units


@pytest.mark.parametrize("text", ["", "1.", ".5", "1.234", "1,000", "+1", "1e3", "٣", "9" * 16])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an amount|finer than a cent|at most 15 digits"):
        parse_any_amount(text)
