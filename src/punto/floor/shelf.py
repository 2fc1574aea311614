"""The books that tables are played by: kept in the database under their digests, compiled once.

A log is replayed by the book it was played by, whatever has become of the file: the document is read back
from the database, and has to have the digest it was stored under.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock

import msgspec

from punto.rules.book import Book, compile_book
from punto.rules.digest import digest_of
from punto.rules.reading.problem import BookError
from punto.rules.reading.sense import sense_problems
from punto.rules.reading.validate import validate
from punto.rules.text.book_text import BookText
from punto.store.errors import ContentBroken
from punto.store.reader import Reader

MOST_BOOKS = 64
"""Compiled books that are kept in memory."""


class Shelf:
    """Compiled books by digest."""

    def __init__(self) -> None:
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._compiling = Lock()

    def book(self, reader: Reader, digest: str) -> Book:
        """The book of this digest; threads that ask for it at the same time compile it once."""
        found = self._books.get(digest)
        if found is None:
            with self._compiling:
                found = self._books.get(digest) or self._compiled(reader, digest)
        return found

    def _compiled(self, reader: Reader, digest: str) -> Book:
        document = reader.book(digest)
        if document is None:
            raise ContentBroken(f"the book with the digest {digest[:12]} is missing from the database")
        found = read_document(document)
        if digest_of(found) != digest:
            raise ContentBroken(f"the book with the digest {digest[:12]} was changed in the database")
        self.put(found)
        return found

    def put(self, book: Book) -> None:
        """Keep a book at hand."""
        self._books[digest_of(book)] = book
        if len(self._books) > MOST_BOOKS:
            self._books.popitem(last=False)


def book_document(book: Book) -> str:
    """The document of a book: what `punto rules BOOK --json` prints, on one line."""
    return msgspec.json.encode(book.text).decode()


def read_document(document: str) -> Book:
    """The book that a document describes; `ContentBroken` if it does not describe one."""
    try:
        text = msgspec.convert(json.loads(document), BookText)
        if problems := [*validate(text), *sense_problems(text)]:
            raise BookError(text.name, problems)
        return compile_book(text)
    except BookError as error:
        raise ContentBroken(f"the document of a book is wrong: {error.lines[0]}") from None
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ContentBroken(f"the document of a book cannot be read: {error}") from None
