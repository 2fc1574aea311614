"""The digest of a book: 64 letters and digits that are the same wherever the same rules are.

It is the SHA-256 of the JSON document that `punto rules BOOK --json` prints, written again in one fixed way:
UTF-8, sorted keys, no blanks, no escapes for letters outside ASCII. Anybody can recompute it from that
document with any language. Defaults are left out of the document, so a new optional field of the book format
changes no digest.
"""

from __future__ import annotations

import json
from hashlib import sha256

import msgspec

from punto.rules.book import Book
from punto.rules.text.book_text import BookText

SHORT = 12
"""Digits of a digest that are shown where there is no room for all of them."""


def digest_of(book: Book | BookText) -> str:
    """The SHA-256 of a book, as 64 hexadecimal digits."""
    if isinstance(book, BookText):
        return _digest_of(book)
    if book.known_digest is None:
        # Every table that is opened names it, so a compiled book computes it once.
        object.__setattr__(book, "known_digest", _digest_of(book.text))
    assert book.known_digest is not None
    return book.known_digest


def _digest_of(text: BookText) -> str:
    document = json.loads(msgspec.json.encode(text))
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode()).hexdigest()
