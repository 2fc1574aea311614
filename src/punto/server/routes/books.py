"""The rule books of the floor: which there are, and what each says, with its clauses."""

from __future__ import annotations

import asyncio
from functools import lru_cache

import msgspec

from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.rules.outcome import Result, format_odds
from punto.rules.pay_table import PayTable
from punto.rules.text.bet import Area, Bet
from punto.rules.text.book_text import Clause, ClauseKind
from punto.server.hall import Hall
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.shelf import book_named, house_books, stored_books
from punto.views.labels import LabelView, area_label, reading_label, row_label, sense_label, title_label


class BookEntry(msgspec.Struct, frozen=True):
    """A book by name and digest."""

    name: str
    title: LabelView
    digest: str


class BooksAnswer(msgspec.Struct, frozen=True):
    """The books that tables can be opened by, and those of tables that are there."""

    books: tuple[BookEntry, ...]


class ClauseEntry(msgspec.Struct, frozen=True):
    """A clause of the document, in our words."""

    number: str
    kind: ClauseKind
    sense: LabelView
    reading: LabelView | None


class PayEntry(msgspec.Struct, frozen=True):
    """When a bet pays what."""

    when: LabelView
    result: Result
    pays: str | None
    """Odds such as `8:1`; None where it does not win."""
    clause: str | None


class BetEntry(msgspec.Struct, frozen=True):
    """A betting area with its pay table."""

    area: str
    label: LabelView
    group: Area
    clause: str | None
    rows: tuple[PayEntry, ...]


class LayoutEntry(msgspec.Struct, frozen=True):
    """A layout that the game may be dealt on."""

    name: str
    label: str
    boxes: int


class BookAnswer(msgspec.Struct, frozen=True):
    """A rule book for people."""

    name: str
    title: LabelView
    digest: str
    source: str
    version: str | None
    effective: str | None
    decks: tuple[int, ...]
    layouts: tuple[LayoutEntry, ...]
    bets: tuple[BetEntry, ...]
    clauses: tuple[ClauseEntry, ...]


async def list_books(ask: Inquiry) -> BooksAnswer:
    return await asyncio.to_thread(_books, ask.hall)


def _books(hall: Hall) -> BooksAnswer:
    found = {digest_of(book): book for book in house_books(hall.settings.books).values()}
    for digest, book in stored_books(hall).items():
        found.setdefault(digest, book)
    return BooksAnswer(
        tuple(BookEntry(book.name, title_label(book), digest) for digest, book in found.items())
    )


async def show_book(ask: Inquiry) -> BookAnswer:
    return await asyncio.to_thread(lambda: book_answer(book_named(ask.hall, ask.path["digest"])))


@lru_cache(maxsize=64)
def book_answer(book: Book) -> BookAnswer:
    """What a book says."""
    return BookAnswer(
        name=book.name,
        title=title_label(book),
        digest=digest_of(book),
        source=book.source,
        version=book.version,
        effective=book.effective,
        decks=tuple(book.decks.allowed),
        layouts=tuple(LayoutEntry(one.name, one.label, one.boxes) for one in book.layouts),
        bets=tuple(_bet(book, bet) for bet in book.bets),
        clauses=tuple(map(_clause, book.clauses)),
    )


def _clause(clause: Clause) -> ClauseEntry:
    return ClauseEntry(clause.number, clause.kind, sense_label(clause), reading_label(clause))


def _bet(book: Book, bet: Bet) -> BetEntry:
    rows = _rows(book, book.pay_tables[bet.area])
    return BetEntry(bet.area, area_label(book, bet.area), bet.kind, bet.clause, rows)


def _rows(book: Book, table: PayTable) -> tuple[PayEntry, ...]:
    return tuple(
        PayEntry(
            row_label(book, row),
            row.outcome.result,
            format_odds(row.outcome.odds) if row.outcome.odds is not None else None,
            row.outcome.clause,
        )
        for row in table.rows
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/books",
        call=list_books,
        summary="The rule books of the floor.",
        tag="books",
        answer=BooksAnswer,
    ),
    Endpoint(
        method="GET",
        path="/books/{digest}",
        call=show_book,
        summary="A rule book by its digest or its name: bets, pay tables and clauses.",
        tag="books",
        answer=BookAnswer,
    ),
)
