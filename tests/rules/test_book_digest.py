from __future__ import annotations

import json
from hashlib import sha256

import msgspec
import pytest

from punto.books import NAMES, load
from punto.rules.book import digest_of
from punto.rules.book_text import BookText
from tests.cli.called import answer

EXAMPLE = "docs/examples/side-bets.toml"


@pytest.mark.parametrize("book", [*NAMES, EXAMPLE])
@pytest.mark.gli("2.3.3")
def test_anybody_can_recompute_it_from_the_printed_document(book: str) -> None:
    document = answer("rules", book, "--json").json
    written = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    expected = sha256(written.encode("utf-8")).hexdigest()
    assert digest_of(load(book)) == digest_of(load(book).text) == expected
    assert answer("rules", book, "--digest").out == expected + "\n"


def test_books_differ_in_their_digests() -> None:
    assert len({digest_of(load(book)) for book in (*NAMES, EXAMPLE)}) == len(NAMES) + 1


@pytest.mark.gli("2.3.2")
def test_a_change_of_any_word_changes_it() -> None:
    text = load("ez").text
    other = msgspec.structs.replace(text, title=text.title + ".")
    assert digest_of(other) != digest_of(text)


def test_order_of_keys_and_written_defaults_do_not_change_it() -> None:
    text = load("ez").text
    document = msgspec.json.decode(msgspec.json.encode(text))
    turned = {**dict(reversed(document.items())), "insurance": None, "ante": None}
    assert digest_of(msgspec.convert(turned, BookText, strict=False)) == digest_of(text)
