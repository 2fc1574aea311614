"""The books that a house has of its own: read from a text that an administrator sends, and kept for tables.

A text may extend a built-in book and take bets of the catalogue. It cannot name a file: whoever sends it knows nothing
of this machine.
"""

from __future__ import annotations

from collections.abc import Callable

from punto.books import NAMES, built_in_source, take_bet
from punto.floor.loaded_table import book_document
from punto.floor.people import Author, People, refuse_reason
from punto.refusal import Reason, Refusal
from punto.rules.book import Book, digest_of, read_resolved
from punto.rules.book_file import BaseNotFound, BookSource, Resolved, resolve_source
from punto.rules.told import told
from punto.store.chain import HouseCode, Subject
from punto.store.reader import book_digests
from punto.store.transaction import Transaction

SENT_FILE = "book.toml"  # What a text is called in what is said about it, where it has no name.
MOST_KEPT = 200  # Books in a database.


def resolve_text(text: str, file: str = SENT_FILE) -> Resolved:
    """What a text says, with all it builds on; `BookError` where it cannot be read."""
    return resolve_source(BookSource(file, text), _built_in_only, take_bet)


def read_text(text: str, file: str = SENT_FILE) -> Book:
    """The book that a text says; `BookError` says what is wrong with it."""
    return read_resolved(resolve_text(text, file))


def _built_in_only(name: str, _: BookSource) -> BookSource:
    if name in NAMES:
        return built_in_source(name)
    raise BaseNotFound(told("base-not-built-in", names=", ".join(NAMES), name=repr(name)))


class BookShelf:
    """Keeps books for tables to be opened by."""

    def __init__(self, people: People, clock: Callable[[], int]) -> None:
        self._people, self._clock = people, clock

    def keep(self, book: Book, reason: str, by: Author) -> str | Refusal:
        """Keep a book; its digest, by which a table can be opened. One that is there already stays as it is."""
        if (refusal := refuse_reason(reason)) is not None:
            return refusal
        digest = digest_of(book)

        def act(transaction: Transaction) -> str | Refusal:
            there = book_digests(transaction)
            if digest in there:
                return digest
            if len(there) >= MOST_KEPT:
                return Refusal(Reason.TOO_MANY_BOOKS, None, {"most": MOST_KEPT})
            transaction.add_book(digest, book.name, book_document(book))
            after = {"name": book.name, "digest": digest}
            subject = Subject.BOOK.of(digest)
            transaction.note(HouseCode.BOOK_KEPT, subject, by.name, self._clock(), after=after, reason=reason.strip())
            return digest

        return self._people.change(by, act)
