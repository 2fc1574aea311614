"""The stored books, looked at: each has the digest that it is stored under, and no table is without one."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from punto.audit.chain.problem import Findings
from punto.rules.digest import SHORT, digest_of
from punto.rules.text.book_text import BookText
from punto.store.chain.rows import book_rows
from punto.store.reader import Reader
from punto.store.stored import StoredTable


def check_books(reader: Reader, tables: Sequence[StoredTable], findings: Findings) -> None:
    """Look at the books of these tables, and at any other that is there."""
    known = set()
    for digest, name, document in book_rows(reader):
        known.add(digest)
        text = _text(document)
        if text is None or digest_of(text) != digest or text.name != name:
            findings.add(None, None, f"the book with the digest {str(digest)[:SHORT]} was changed")
    for table in tables:
        if table.digest not in known:
            findings.add(table.id, None, "the book of the table is not there")


def _text(document: str) -> BookText | None:
    try:
        return msgspec.convert(json.loads(document), BookText)
    except (ValueError, TypeError, RecursionError, msgspec.MsgspecError):
        return None
