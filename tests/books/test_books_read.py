"""Built-in books that were read before are the books of their files."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from punto import books
from punto.books import NAMES, READ, resolve_built_in
from punto.rules.book import digest_of, read_resolved
from tools.read_books import read_text


@pytest.mark.parametrize("name", NAMES)
def test_a_book_that_was_read_before_is_the_one_of_its_file(name: str) -> None:
    """Where this fails, a file was changed: run `.venv/bin/python tools/read_books.py`."""
    assert (READ / f"{name}.json").read_bytes() == read_text(name)
    from_file = read_resolved(resolve_built_in(name))
    assert books.load(name).text == from_file.text
    assert digest_of(books.load(name)) == digest_of(from_file)


@pytest.mark.parametrize("change", ["other-file", "no-json", "other-shape", "missing"])
def test_what_does_not_belong_to_the_file_is_not_used(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = msgspec.json.decode((READ / "ez.json").read_bytes())
    kept["book"]["title"] = "Another game"
    read = tmp_path / "ez.json"
    if change == "other-file":
        kept["file"] += 1
    if change == "other-shape":
        kept["book"]["bets"] = 7
    if change != "missing":
        read.write_bytes(b"{" if change == "no-json" else msgspec.json.encode(kept))
    monkeypatch.setattr(books, "READ", tmp_path)
    assert books._built_in.__wrapped__("ez").title == "EZ Baccarat"
    if change == "other-file":  # The same text is used where it belongs to the file.
        kept["file"] -= 1
        read.write_bytes(msgspec.json.encode(kept))
        assert books._built_in.__wrapped__("ez").title == "Another game"
