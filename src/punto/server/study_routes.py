"""Calls of whoever studies a game: exact odds of a book without some cards, how far its bets can be counted, its PAR
sheet, and the catalogue of published bets. All of it is about rules, never about a shoe in play; nothing predicts.

Odds take a tenth of a second and are asked for again with every card, so they cost what that is; the others may take a
minute, and are counted in the other count room, one after another, once for everybody.
"""

from __future__ import annotations

import asyncio
import base64
from enum import Enum
from functools import partial
from typing import Annotated

import msgspec

from punto.books.catalogue import SECTIONS, CataloguedBet, section, source_words
from punto.odds.odds_answer import ExploredOdds
from punto.rules.book import Book, digest_of
from punto.server.app_state import book_named
from punto.server.book_studies import count_removals, draw_par_sheet, explore_odds, price_section
from punto.server.endpoint import Endpoint, FileAnswer, Inquiry
from punto.server.messages import CatalogueAnswer, CatalogueSectionAnswer, ListedBet, ListedSection, RemovalAnswer
from punto.server.validation import Rejected, ServerReason, not_there
from punto.views.catalogue_view import PRICED_DECKS
from punto.views.layout_view import label_view, text_label

EXPLORING_COST = 5  # As many requests as other exact odds count.
STUDY_COST = 50  # What takes the other count room up to a minute, the first time.
MOST_REMOVED = 125  # Cards that an address names: as many as fit into a text of a query, 500 characters.


class DecksQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of how many decks."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=100)] = PRICED_DECKS


class RemovedQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which shoe."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=100)] = PRICED_DECKS
    removed: Annotated[str, msgspec.Meta(max_length=4 * MOST_REMOVED)] = ""
    """Cards that are not in it, such as `9H,10S,K`: with their suits, or without where they are not known."""


class SheetFormat(Enum):
    """What a PAR sheet is written as."""

    HTML = "html"
    PDF = "pdf"
    CSV = "csv"
    JSON = "json"


_MEDIA = {
    SheetFormat.HTML: "text/html; charset=utf-8",
    SheetFormat.PDF: "application/pdf",
    SheetFormat.CSV: "text/csv",
    SheetFormat.JSON: "application/json",
}


class SheetQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which sheet."""

    decks: Annotated[int, msgspec.Meta(ge=1, le=100)] = PRICED_DECKS
    format: SheetFormat = SheetFormat.HTML


async def show_book_odds(ask: Inquiry) -> msgspec.Raw:
    """Exact odds of every bet of a book, for a full shoe or without the cards that you name."""
    book = await _book_with(ask)
    removed = tuple(name for name in ask.query.removed.upper().split(",") if name)
    if len(removed) > MOST_REMOVED:
        raise Rejected(409, ServerReason.NO_ADVICE, why=f"at most {MOST_REMOVED} cards can be removed")
    wanted = (digest_of(book), ask.query.decks, removed)
    return await ask.app_state.counting.ask(ask.caller.handle, explore_odds, book, *wanted[1:], key=wanted)


async def show_removals(ask: Inquiry) -> msgspec.Raw:
    """How far the bets of a book can be counted: the effect of every card that is gone, and the best tags."""
    book = await _book_with(ask)
    wanted = (digest_of(book), ask.query.decks)
    return await ask.app_state.long_counting.ask(ask.caller.handle, count_removals, book, *wanted[1:], key=wanted)


async def send_par_sheet(ask: Inquiry) -> FileAnswer:
    """The PAR sheet of a book, without what shoes have to be played for."""
    book, format = await _book_with(ask), ask.query.format
    wanted = (digest_of(book), ask.query.decks, f".{format.value}")
    rooms = ask.app_state.long_counting
    written = await rooms.ask(ask.caller.handle, draw_par_sheet, book, *wanted[1:], key=wanted)
    content = base64.b64decode(msgspec.json.decode(written, type=str))
    return FileAnswer(f"{book.name}-{ask.query.decks}-decks.{format.value}", _MEDIA[format], content)


async def list_catalogue(_: Inquiry) -> CatalogueAnswer:
    """Every published bet by section, with what it pays and where that was published."""
    return await asyncio.to_thread(_catalogue)


async def show_section(ask: Inquiry) -> msgspec.Raw:
    """The bets of a section in full, each with its exact edge."""
    name = ask.path["section"]
    if name not in SECTIONS:
        raise not_there(f"section {name}")
    wanted = (name, ask.query.decks)
    return await ask.app_state.long_counting.ask(ask.caller.handle, price_section, *wanted, key=wanted)


def _catalogue() -> CatalogueAnswer:
    sections = []
    for name in SECTIONS:
        found = section(name)
        sections.append(ListedSection(name, found.title, tuple(map(_listed, found.bets))))
    return CatalogueAnswer(tuple(sections))


def _listed(bet: CataloguedBet) -> ListedBet:
    pays = tuple(row.odds for row in bet.pays if row.odds)
    note = text_label(bet.note) if bet.note else None
    return ListedBet(bet.bet, bet.labels.en, label_view(bet.labels), pays, source_words(bet), note)


async def _book_with(ask: Inquiry) -> Book:
    """The book that is asked for, if it is played with that number of decks."""
    book = await asyncio.to_thread(book_named, ask.app_state, ask.path["digest"])
    allowed = sorted(book.decks.allowed)
    if ask.query.decks not in allowed:
        played = f"{book.name} is played with {', '.join(map(str, allowed))} decks"
        raise Rejected(409, ServerReason.NO_ADVICE, why=played)
    return book


_study = partial(Endpoint, tag="odds", cost=STUDY_COST)
STUDY_ENDPOINTS = (
    Endpoint(
        *("GET", "/books/{digest}/odds", show_book_odds),
        query=RemovedQuery,
        answer=ExploredOdds,
        tag="odds",
        cost=EXPLORING_COST,
        refuses=(409,),
    ),
    _study("GET", "/books/{digest}/removals", show_removals, query=DecksQuery, answer=RemovalAnswer, refuses=(409,)),
    _study(
        *("GET", "/books/{digest}/par-sheet", send_par_sheet),
        query=SheetQuery,
        refuses=(409,),
        files=tuple(kind.partition(";")[0] for kind in _MEDIA.values()),
    ),
    Endpoint("GET", "/catalogue", list_catalogue, tag="odds", answer=CatalogueAnswer),
    _study("GET", "/catalogue/{section}", show_section, query=DecksQuery, answer=CatalogueSectionAnswer),
)
