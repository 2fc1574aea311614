"""The books that tables can be opened by: the built-in ones, files named in the settings, and stored ones."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from punto.books import NAMES, load
from punto.floor.shelf import read_document
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.server.hall import Hall
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.errors import ContentBroken


@cache
def house_books(files: tuple[str, ...]) -> dict[str, Book]:
    """The books of a house by name: the built-in ones, then its own."""
    return {book.name: book for book in (load(name) for name in (*NAMES, *files))}


def book_named(hall: Hall, name: str) -> Book:
    """A book by its name or by the digest it is stored under; `Rejected` where there is none."""
    books = house_books(hall.settings.books)
    found = books.get(name) or next((book for book in books.values() if digest_of(book) == name), None)
    if found is None:
        found = stored_books(hall).get(name)
    if found is None:
        raise Rejected(404, ServerReason.UNKNOWN_BOOK, book=name, books=", ".join(books))
    return found


def stored_books(hall: Hall) -> dict[str, Book]:
    """The books of all tables there are, by digest."""
    with hall.store.read() as reader:
        digests = {stored.digest for stored in reader.tables()}
        documents = {digest: reader.book(digest) for digest in sorted(digests)}
    found = {}
    for digest, document in documents.items():
        with suppress(ContentBroken):  # its tables say so
            if document is not None:
                found[digest] = _compiled(document)
    return found


@cache
def _compiled(document: str) -> Book:
    return read_document(document)
