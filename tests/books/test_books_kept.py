"""Book files of every format are read for ever, and their digests stay what they are."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from punto.books import load, load_earlier
from punto.rules.book import digest_of
from punto.rules.validation import BookError

KEPT = Path(__file__).with_name("kept")
DIGESTS = {
    "format-1-easy-six.toml": "6a37b2a55553f28c5550f4e6f298c9ea44b426e4dff73c9446a50b356084a5db",
    "format-1-insurance.toml": "8b2d73a2d94534ed61c0336f993472b3968498b7598c0f3aae8f52931a35d732",
    "format-1-insurance-older-kinds.toml": "22d79b30b68196ca0c384a37d486700bcaa6d3290f795d6f78aa2509048ca57e",
    "format-1-knockout.toml": "39c4a026b802ec99606aae9415b7c94d0c026216b837b172d9d7ab9bafca4745",
}


@pytest.mark.parametrize(("file", "digest"), DIGESTS.items())
def test_a_kept_book_is_read_and_is_the_same(file: str, digest: str) -> None:
    assert digest_of(load(file, KEPT)) == digest


def test_every_kept_book_is_asked_for() -> None:
    assert {path.name for path in KEPT.iterdir()} == set(DIGESTS)


def test_words_of_older_books_are_read_as_those_of_today() -> None:
    """One entry for a card too many or exposed became two; everything else was called `other`."""
    book = load("format-1-insurance-older-kinds.toml", KEPT)
    kinds = [entry.kind.value for entry in book.irregularities]
    assert "excess-or-exposed" in (KEPT / "format-1-insurance-older-kinds.toml").read_text(encoding="utf-8")
    first = kinds.index("excess")
    assert kinds[first + 1] == "exposed"
    assert kinds[-1] == "uncovered"
    excess, exposed = book.irregularities[first : first + 2]
    assert msgspec.structs.replace(excess, kind=exposed.kind) == exposed


def test_an_older_word_beside_that_of_today_stands_there_twice(tmp_path: Path) -> None:
    text = (KEPT / "format-1-insurance-older-kinds.toml").read_text(encoding="utf-8")
    file = tmp_path / "book.toml"
    entry = '\n[[irregularities]]\nkind = "exposed"\nlabel = "x"\nremedy = "void"\norders = "dealer"\n'
    file.write_text(text + entry, encoding="utf-8")
    line = len(text.splitlines()) + 2
    with pytest.raises(BookError, match=rf"line {line}: .*exposed is listed twice"):
        load(str(file))


def test_a_built_in_book_of_an_earlier_digest_is_there() -> None:
    """Sessions name their book by digest: what was played by one is replayed by the same."""
    for path in (files("punto.books") / "earlier").iterdir():
        digest = path.name.removesuffix(".json")
        book = load_earlier(digest)
        assert book is not None
        assert digest_of(book) == digest
        assert digest_of(load(book.name)) != digest
    assert load_earlier("0" * 64) is None
    assert load_earlier("../commission") is None


def test_a_book_can_leave_out_the_clause_on_the_commission_of_its_base(tmp_path: Path) -> None:
    source = 'extends = "commission"\nname = "mine"\nremove = ["clauses.4.1.1"]\n'
    (tmp_path / "mine.toml").write_text(source, encoding="utf-8")
    [win, *_] = load("mine.toml", tmp_path).pay_tables["banker"].rows
    assert win.outcome.commission is not None
    assert (win.outcome.commission.rate, win.outcome.commission.clause) == (Fraction(5, 100), None)
    again = '[[clauses]]\nnumber = "4.1.1"\nkind = "behaviour"\nsense = "Five in a hundred."\n'
    (tmp_path / "mine.toml").write_text(source + again, encoding="utf-8")
    [win, *_] = load("mine.toml", tmp_path).pay_tables["banker"].rows
    assert win.outcome.commission is not None
    assert win.outcome.commission.clause == "4.1.1"
