"""Calls about the rules: the books of the floor with their clauses, and exact odds of a table's bets. Nothing
here predicts.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from functools import lru_cache
from typing import Annotated

import msgspec

from punto.cards.card import Card
from punto.odds.known_cards import LEAST_CARDS, Undealt
from punto.odds.odds_answer import OddsAnswer
from punto.rules.book import Book, digest_of
from punto.rules.book_text import Area, Bet, Clause, ClauseKind
from punto.rules.outcome import Result, format_odds
from punto.rules.pay_table import PayTable
from punto.server.app_state import AppState, book_named, house_books, stored_books
from punto.server.count_room import count_advice, count_odds
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.table_routes import found_table
from punto.server.validation import Rejected, ServerReason
from punto.table.state import Table
from punto.views.layout_view import LabelView, area_label, reading_label, row_label, sense_label, title_label


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
    pays: str | None  # Odds such as `8:1`; None where it does not win.
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
    return await asyncio.to_thread(_books, ask.app_state)


def _books(app_state: AppState) -> BooksAnswer:
    found = {digest_of(book): book for book in house_books(app_state.settings.books).values()}
    for digest, book in stored_books(app_state).items():
        found.setdefault(digest, book)
    return BooksAnswer(tuple(BookEntry(book.name, title_label(book), digest) for digest, book in found.items()))


async def show_book(ask: Inquiry) -> BookAnswer:
    return await asyncio.to_thread(lambda: book_answer(book_named(ask.app_state, ask.path["digest"])))


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
        bets=tuple(_bet_entry(book, bet) for bet in book.bets),
        clauses=tuple(map(_clause_entry, book.clauses)),
    )


def _clause_entry(clause: Clause) -> ClauseEntry:
    return ClauseEntry(clause.number, clause.kind, sense_label(clause), reading_label(clause))


def _bet_entry(book: Book, bet: Bet) -> BetEntry:
    rows = _pay_entries(book, book.pay_tables[bet.area])
    return BetEntry(bet.area, area_label(book, bet.area), bet.kind, bet.clause, rows)


def _pay_entries(book: Book, table: PayTable) -> tuple[PayEntry, ...]:
    return tuple(
        PayEntry(
            row_label(book, row),
            row.outcome.result,
            format_odds(row.outcome.odds) if row.outcome.odds is not None else None,
            row.outcome.clause,
        )
        for row in table.rows
    )


BOOK_ENDPOINTS = (
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


# Exact odds of a table's bets, and what each is worth at a moment of a round. Nothing here predicts.


ODDS_COST = 5
"""As how many requests exact odds count: one session at its usual rate keeps one processor busy, not five."""


class ShoeAsked(Enum):
    """Which cards are counted on."""

    FRESH = "fresh"  # A full shoe of the table's decks.
    LIVE = "live"  # The shoe in play, without the cards that have shown.


class OddsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which shoe."""

    shoe: ShoeAsked = ShoeAsked.FRESH


class AdviceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a round at the table."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=6)] = ()  # Cards of the round so far, in dealing order.
    shoe: ShoeAsked = ShoeAsked.LIVE


async def show_odds(ask: Inquiry) -> msgspec.Raw:
    loaded = await found_table(ask.app_state, ask.path["id"])
    decks, undealt = _undealt(loaded.table, ask.query.shoe)
    key = (loaded.id, decks, undealt)
    return await ask.app_state.counting.ask(ask.caller.handle, count_odds, *key, key=key)


async def show_advice(ask: Inquiry) -> msgspec.Raw:
    loaded = await found_table(ask.app_state, ask.path["id"])
    decks, undealt = _undealt(loaded.table, ask.body.shoe)
    key = (loaded.id, decks, undealt, ask.body.cards)
    return await ask.app_state.counting.ask(ask.caller.handle, count_advice, *key, key=key)


def _undealt(table: Table, asked: ShoeAsked) -> tuple[int, Undealt]:
    """The cards that are counted on. A card that lies face down has not been seen by anybody."""
    terms, shoe = table.state.terms, table.state.shoe
    decks = terms.decks if terms is not None else max(table.book.decks.allowed)
    if asked is ShoeAsked.FRESH or shoe is None:
        return decks, Undealt.of_decks(decks)
    undealt = Undealt.of_composition(shoe.composition)
    if undealt.size < LEAST_CARDS:
        raise Rejected(409, ServerReason.NO_ADVICE, why="too few cards are left in the shoe")
    return shoe.decks, undealt


ODDS_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/odds",
        call=show_odds,
        summary="Exact odds of every bet, for a full shoe or for the cards not yet seen.",
        tag="odds",
        cost=ODDS_COST,
        query=OddsQuery,
        answer=OddsAnswer,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/tables/{id}/advice",
        call=show_advice,
        summary="What every bet is worth after these cards of a round.",
        tag="odds",
        cost=ODDS_COST,
        body=AdviceRequest,
        answer=OddsAnswer,
        refuses=(409,),
    ),
)
