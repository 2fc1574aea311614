"""Calls about the rules: the books of the floor with their clauses, and exact odds of a table's bets. Nothing
here predicts.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from functools import lru_cache, partial
from typing import Annotated

import msgspec

from punto.cards.card import Card
from punto.floor.book_shelf import SENT_FILE, read_text
from punto.floor.loaded_table import LoadedTable, book_document
from punto.floor.orders import refuse_advice
from punto.floor.people import ADMINISTRATORS
from punto.odds.known_cards import LEAST_CARDS, Undealt
from punto.odds.odds_answer import OddsAnswer
from punto.refusal import Refusal
from punto.reports.comparison import ComparedBooks
from punto.rules.book import Book, digest_of
from punto.rules.book_text import Area, ClauseKind
from punto.rules.outcome import Hand, Result, format_odds
from punto.rules.table_of_play import Draw, Play
from punto.server.app_state import AppState, book_named, house_books
from punto.server.book_studies import compare_books
from punto.server.count_room import count_advice, count_odds, examine_book
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.messages import ExaminedBook
from punto.server.validation import PLAIN_TEXT, Rejected, ServerReason, rejected
from punto.table.state import Table
from punto.views.layout_view import (
    area_label,
    hand_labels,
    label_view,
    reading_label,
    row_label,
    sense_label,
    title_label,
    written_odds,
)
from punto.words import LabelView


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
    odds: tuple[str, ...]  # What it can pay, as the book writes it: `0.95:1` where a row has `19:20`.
    rows: tuple[PayEntry, ...]


class LayoutEntry(msgspec.Struct, frozen=True):
    """A layout that the game may be dealt on."""

    name: str
    label: str
    boxes: int


class DrawEntry(msgspec.Struct, frozen=True):
    """Whether a hand draws a third card."""

    draws: bool
    clause: str


class DrawingEntry(msgspec.Struct, frozen=True):
    """When each hand draws a third card. None stands where a natural has ended the deal by then."""

    naturals: tuple[int, ...]  # Points of two cards that end the deal.
    naturals_clause: str
    player: tuple[DrawEntry | None, ...]  # By Player's points, 0 to 9.
    banker: tuple[tuple[DrawEntry | None, ...], ...]
    """By Banker's points, 0 to 9; then by the points of Player's third card, 0 to 9, and last where Player stood."""


class OfferEntry(msgspec.Struct, frozen=True):
    """A row of the insurance pay table."""

    cards: int  # Cards on the table when it is offered.
    hand: Hand  # The insured hand.
    player_points: tuple[int, ...]
    banker_points: tuple[int, ...]
    pays: str
    tie: Result  # What a tie does to it.
    clause: str
    tie_clause: str


class InsuranceTable(msgspec.Struct, frozen=True):
    """The insurance of a book: what is offered at which points."""

    label: LabelView
    table_clause: str  # What the table does not list is not offered.
    offers: tuple[OfferEntry, ...]


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
    drawing: DrawingEntry
    insurance: InsuranceTable | None  # None where the book has none.
    player: LabelView  # What this hand is called.
    banker: LabelView
    clauses: tuple[ClauseEntry, ...]


async def list_books(ask: Inquiry) -> BooksAnswer:
    """The rule books of the floor."""

    def read() -> BooksAnswer:
        own = {digest_of(book): book for book in house_books(ask.app_state.settings.books).values()}
        entries = {digest: BookEntry(book.name, title_label(book), digest) for digest, book in own.items()}
        others = (digest for digest in ask.app_state.floor.stored_digests() if digest not in entries)
        stored = (_listed(ask.app_state, digest) for digest in others)
        return BooksAnswer((*entries.values(), *(entry for entry in stored if entry is not None)))

    return await asyncio.to_thread(read)


def _listed(app_state: AppState, digest: str) -> BookEntry | None:
    """What the list says of a stored book; to know it, the book is compiled once."""
    known = app_state.listed_books
    if digest not in known and (book := app_state.floor.stored_book(digest)) is not None:
        known[digest] = BookEntry(book.name, title_label(book), digest)
    return known.get(digest)


async def show_book(ask: Inquiry) -> BookAnswer:
    """A rule book by its digest or its name: bets, pay tables and clauses."""
    return await asyncio.to_thread(lambda: book_answer(book_named(ask.app_state, ask.path["digest"])))


@lru_cache(maxsize=64)
def book_answer(book: Book) -> BookAnswer:
    return BookAnswer(
        name=book.name,
        title=title_label(book),
        digest=digest_of(book),
        source=book.source,
        version=book.version,
        effective=book.effective,
        decks=tuple(book.decks.allowed),
        layouts=tuple(LayoutEntry(one.name, one.label, one.boxes) for one in book.layouts),
        bets=tuple(
            BetEntry(
                *(bet.area, area_label(book, bet.area), bet.kind, bet.clause),
                *(written_odds(bet), _pay_entries(book, bet.area)),
            )
            for bet in book.bets
        ),
        drawing=_drawing_entry(book.play),
        insurance=_insurance_entry(book),
        player=hand_labels(book, Hand.PLAYER),
        banker=hand_labels(book, Hand.BANKER),
        clauses=tuple(ClauseEntry(c.number, c.kind, sense_label(c), reading_label(c)) for c in book.clauses),
    )


def _drawing_entry(play: Play) -> DrawingEntry:
    def cell(draw: Draw | None) -> DrawEntry | None:
        return None if draw is None else DrawEntry(draw.draws, draw.clause)

    banker = tuple(tuple(cell(column[count]) for column in play.banker) for count in range(10))
    naturals = tuple(sorted(play.naturals))
    return DrawingEntry(naturals, play.naturals_clause, tuple(map(cell, play.player)), banker)


def _insurance_entry(book: Book) -> InsuranceTable | None:
    insurance = book.insurance
    if insurance is None:
        return None
    offers = tuple(
        OfferEntry(
            *(offer.window.cards, row.hand, row.player_points, row.banker_points, format_odds(offer.odds)),
            *(offer.on_tie.result, row.clause, offer.on_tie.clause),
        )
        for row, offer in zip(insurance.offers, book.offers.rows, strict=True)
    )
    return InsuranceTable(label_view(insurance.labels), insurance.table_clause, offers)


def _pay_entries(book: Book, area: str) -> tuple[PayEntry, ...]:
    rows = ((row_label(book, row), row.outcome) for row in book.pay_tables[area].rows)
    return tuple(
        PayEntry(when, won.result, format_odds(won.odds) if won.odds is not None else None, won.clause)
        for when, won in rows
    )


LONGEST_BOOK = 60_000  # Bytes of a book that is sent; the longest of ours has 37,000.


class SentBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A book file, as its author wrote it."""

    source: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_BOOK)]  # TOML.
    file: Annotated[str, msgspec.Meta(max_length=80, pattern=PLAIN_TEXT)] = SENT_FILE
    """What the file is called, in what is said about it."""


class KeptBook(SentBook, frozen=True, forbid_unknown_fields=True):
    """A book file to be kept, and why."""

    reason: str = ""


class CompareBooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two books to be compared: one by its name or digest, and another, or a book file that is sent."""

    book: Annotated[str, msgspec.Meta(max_length=80)]
    other: Annotated[str, msgspec.Meta(max_length=80)] = ""
    source: Annotated[str, msgspec.Meta(max_length=LONGEST_BOOK)] = ""  # TOML; it is taken in place of `other`.
    file: Annotated[str, msgspec.Meta(max_length=80, pattern=PLAIN_TEXT)] = SENT_FILE
    decks: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None  # Default: 8, or the most that both allow.


class BookDocument(msgspec.Struct, frozen=True):
    """What a book is for programs: what `punto rules BOOK --json` prints."""

    digest: str
    document: str


async def show_document(ask: Inquiry) -> BookDocument:
    """The document of a book; its digest is computed from it."""

    def read() -> BookDocument:
        book = book_named(ask.app_state, ask.path["digest"])
        return BookDocument(digest_of(book), book_document(book))

    return await asyncio.to_thread(read)


async def examine_sent_book(ask: Inquiry) -> msgspec.Raw:
    """Examine a book file, as `punto check` does: errors, the edge of every bet, and warnings. Nothing is kept."""
    return await _examined(ask)


async def compare_two_books(ask: Inquiry) -> msgspec.Raw:
    """Compare two books, as `punto compare` does: what pays otherwise, what their terms say, and the edges of bets."""
    body, app_state = ask.body, ask.app_state

    def read() -> tuple[Book, Book | tuple[str, str]]:
        first = book_named(app_state, body.book)
        return first, (body.source, body.file) if body.source else book_named(app_state, body.other)

    first, second = await asyncio.to_thread(read)
    key = (digest_of(first), second if isinstance(second, tuple) else digest_of(second), body.decks)
    return await app_state.long_counting.ask(
        ask.caller.handle, compare_books, first, second, body.decks, key=("compare", *key)
    )


async def keep_book(ask: Inquiry) -> BookEntry | Refusal:
    """Keep a book file that is in order, so that tables can be opened by it."""
    examined = msgspec.json.decode(await _examined(ask))
    if not examined["ok"]:
        problem = examined["problems"][0]
        where = f"line {problem['line']}: " if problem.get("line") else ""
        raise Rejected(409, ServerReason.WRONG_BOOK, file=ask.body.file, problem=f"{where}{problem['problem']}")

    def keep() -> BookEntry | Refusal:
        book = read_text(ask.body.source, ask.body.file)
        kept = ask.app_state.book_shelf.keep(book, ask.body.reason, ask.caller.author)
        return kept if isinstance(kept, Refusal) else BookEntry(book.name, title_label(book), kept)

    return await asyncio.to_thread(keep)


async def _examined(ask: Inquiry) -> msgspec.Raw:
    body = ask.body
    wanted = (body.source, body.file)
    return await ask.app_state.long_counting.ask(ask.caller.handle, examine_book, *wanted, key=wanted)


_shelf = partial(Endpoint, roles=ADMINISTRATORS, cost=25, long_text="source")
BOOK_ENDPOINTS = (
    Endpoint("GET", "/books", list_books, answer=BooksAnswer),
    Endpoint("GET", "/books/{digest}", show_book, answer=BookAnswer),
    Endpoint("GET", "/books/{digest}/document", show_document, answer=BookDocument),
    _shelf("POST", "/books/examine", examine_sent_book, body=SentBook, answer=ExaminedBook),
    _shelf("POST", "/books/compare", compare_two_books, body=CompareBooks, answer=ComparedBooks, refuses=(404, 409)),
    _shelf("POST", "/books", keep_book, body=KeptBook, answer=BookEntry, status=201, is_fresh=True, refuses=(409,)),
)


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
    """Exact odds of every bet, for a full shoe or for the cards not yet seen."""
    loaded = await ask.table()
    if ask.query.shoe is ShoeAsked.LIVE:
        _check_advice(ask, loaded)
    wanted = (loaded.id, *_undealt(loaded.table, ask.query.shoe))
    return await ask.app_state.counting.ask(ask.caller.handle, count_odds, *wanted, key=wanted)


async def show_advice(ask: Inquiry) -> msgspec.Raw:
    """What every bet is worth after these cards of a round."""
    loaded = await ask.table()
    _check_advice(ask, loaded)
    wanted = (loaded.id, *_undealt(loaded.table, ask.body.shoe), ask.body.cards)
    return await ask.app_state.counting.ask(ask.caller.handle, count_advice, *wanted, key=wanted)


def _check_advice(ask: Inquiry, loaded: LoadedTable) -> None:
    refusal = refuse_advice(ask.app_state.orders(), loaded, ask.caller.handle, ask.caller.roles)
    if refusal is not None:
        raise rejected(refusal)


def _undealt(table: Table, wanted: ShoeAsked) -> tuple[int, Undealt]:
    """The cards that are counted on. A card that lies face down has not been seen by anybody."""
    terms, shoe = table.state.terms, table.state.shoe
    decks = terms.decks if terms is not None else max(table.book.decks.allowed)
    if wanted is ShoeAsked.FRESH or shoe is None:
        return decks, Undealt.of_decks(decks)
    undealt = Undealt.of_composition(shoe.composition)
    if undealt.size < LEAST_CARDS:
        raise Rejected(409, ServerReason.NO_ADVICE, why="too few cards are left in the shoe")
    return shoe.decks, undealt


_odds = partial(Endpoint, tag="odds", cost=ODDS_COST, answer=OddsAnswer, refuses=(409,))
ODDS_ENDPOINTS = (
    _odds("GET", "/tables/{id}/odds", show_odds, query=OddsQuery),
    _odds("POST", "/tables/{id}/advice", show_advice, body=AdviceRequest),
)
