from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import NAMES, load
from punto.rules.book import digest_of
from punto.rules.book_file import book_toml, parse_book
from tests.cli.called import answer
from tests.rules.small_book import read

EXAMPLE = "docs/examples/side-bets.toml"


@pytest.mark.parametrize("book", [*NAMES, EXAMPLE])
def test_what_is_printed_reads_back_as_the_same_book(book: str) -> None:
    printed = answer("rules", book, "--toml").out
    text = load(book).text
    assert parse_book(printed, "printed") == text
    assert digest_of(parse_book(printed, "printed")) == digest_of(text)


printable = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1)


@given(title=printable, source=printable)
def test_any_words_survive(title: str, source: str) -> None:
    text = msgspec.structs.replace(read().text, title=title, source=source)
    assert parse_book(book_toml(text), "printed") == text
