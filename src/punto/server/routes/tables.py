"""Tables: what the caller sees of them, their events, and opening one."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any, get_type_hints

import msgspec

from punto.floor import floor as floors
from punto.floor.loaded import LoadedTable
from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.rules.role import PIT, Role
from punto.server import counting
from punto.server.access.throttle import slow_down
from punto.server.hall import Hall
from punto.server.http.answers import (
    EventsAnswer,
    OpenedAnswer,
    TableAnswer,
    TablesAnswer,
)
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.pattern import TABLE_ID
from punto.server.http.rejection import Rejected, ServerReason
from punto.server.shelf import book_named
from punto.store.errors import ContentBroken
from punto.table.command import OpenTable
from punto.table.terms import Terms, default_terms
from punto.views.table_view import TableView, Wallet
from punto.views.viewer import Viewer

_log = logging.getLogger("punto.server")

MOST_EVENTS = 1_000
OPENING_BYTES = 8_000
"""About what a new table takes: its row, its first events and its terms."""


class RoleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which of your roles you ask."""

    role: Role | None = None
    """Default: the one that sees most at a table."""


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the events of a table."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The last event that you have."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)] = 100
    role: Role | None = None


def _terms_body() -> Any:
    """The terms as a client sends them: the book is named beside them, its first layout is the default."""
    hints = get_type_hints(Terms)
    fields: list[Any] = [("book", str | None, None), ("layout", str | None, None)]
    for field in msgspec.structs.fields(Terms):
        if field.name not in ("book", "layout"):
            is_made = field.default is msgspec.NODEFAULT
            default = msgspec.field(default_factory=field.default_factory) if is_made else field.default
            fields.append((field.name, hints[field.name], default))
    made = msgspec.defstruct(
        "TermsBody", fields, frozen=True, kw_only=True, forbid_unknown_fields=True, module=__name__
    )
    made.__doc__ = "The terms of a table that is opened. Amounts are minor units."
    return made


TermsBody: Any = _terms_body()


class OpenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    table: Annotated[str, msgspec.Meta(pattern=TABLE_ID)]
    book: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    """A book by its name, or by the digest of one that is stored."""
    role: Role
    terms: TermsBody | None = None
    """Default: those that `punto table new` takes for the book."""


async def found_table(hall: Hall, id: str) -> LoadedTable:
    """A table by its id; `Rejected` where there is none."""
    loaded = await hall.hub.table(id) if floors.TABLE_ID.fullmatch(id) else None
    if loaded is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"table {id}")
    return loaded


def viewer_of(ask: Inquiry) -> Viewer:
    """The caller in the role that the query asks for."""
    return Viewer(ask.caller.handle, ask.caller.role(ask.query.role))


async def list_tables(ask: Inquiry) -> TablesAnswer:
    viewer, hall = viewer_of(ask), ask.hall

    def ids() -> list[str]:
        with hall.store.read() as reader:
            return [stored.id for stored in reader.tables()]

    found = []
    for id in await asyncio.to_thread(ids):
        try:
            loaded = await hall.hub.table(id)
        except ContentBroken as error:  # the others are in order
            _log.error("table %s is damaged and is not listed: %s", id, error)
            continue
        found += [loaded] if loaded is not None else []
    purse = dict[str, Wallet]()
    if viewer.role is Role.PLAYER and viewer.name is not None:
        purse = await asyncio.to_thread(hall.outlook.read_purse, viewer.name, [each.id for each in found])
    answers = []
    for loaded in found:
        view = hall.outlook.view_with(loaded, viewer, purse.get(loaded.id))
        answers.append(_answer(hall, loaded, viewer, view))
        await asyncio.sleep(0)  # others may go on while many tables are looked at
    return TablesAnswer(tuple(answers))


async def show_table(ask: Inquiry) -> TableAnswer:
    return await table_answer(ask.hall, await found_table(ask.hall, ask.path["id"]), viewer_of(ask))


async def table_answer(hall: Hall, loaded: LoadedTable, viewer: Viewer) -> TableAnswer:
    """A table as a viewer sees it."""
    return _answer(hall, loaded, viewer, await hall.outlook.view(loaded, viewer))


def _answer(hall: Hall, loaded: LoadedTable, viewer: Viewer, view: TableView) -> TableAnswer:
    table = loaded.table
    return TableAnswer(
        loaded.id,
        loaded.version,
        table.state.terms,
        digest_of(table.book),
        view,
        hall.outlook.legal(loaded, viewer),
    )


async def events(ask: Inquiry) -> Any:
    hall, query, viewer = ask.hall, ask.query, viewer_of(ask)
    loaded = await found_table(hall, ask.path["id"])
    if query.after >= loaded.version:
        return EventsAnswer((), loaded.version)
    wanted = (loaded.id, query.after, query.limit, viewer)
    return await hall.counting.ask(ask.caller.handle, counting.events, *wanted, key=(*wanted, loaded.version))


async def open_table(ask: Inquiry) -> Any:
    hall, body = ask.hall, ask.body
    role = ask.caller.role(body.role)
    slow_down(hall.kept, ask.caller.handle, OPENING_BYTES)
    book = await asyncio.to_thread(book_named, hall, body.book)
    command = OpenTable(actor=ask.caller.handle, role=role, time=hall.now(), terms=_terms(book, body.terms))
    answer = await asyncio.to_thread(hall.floor.open_table, body.table, book, command)
    if isinstance(answer, Refusal):
        return answer
    return OpenedAnswer(answer.table, answer.version, digest_of(book))


def _terms(book: Book, sent: Any) -> Terms:
    """The terms of a table that is opened by a book."""
    if sent is None:
        return default_terms(book)
    fields = {name: getattr(sent, name) for name in sent.__struct_fields__}
    named = {"book": sent.book or book.name, "layout": sent.layout or book.layouts[0].name}
    return Terms(**{**fields, **named})


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables",
        call=list_tables,
        summary="Every table, as you see it.",
        tag="tables",
        cost=5,
        query=RoleQuery,
        answer=TablesAnswer,
    ),
    Endpoint(
        method="POST",
        path="/tables",
        call=open_table,
        summary="Open a table by a rule book.",
        tag="tables",
        body=OpenRequest,
        answer=OpenedAnswer,
        status=201,
        roles=PIT,
        refuses=(404, 409),
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}",
        call=show_table,
        summary="A table as you see it, with what you may do.",
        tag="tables",
        query=RoleQuery,
        answer=TableAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/events",
        call=events,
        summary="Events of a table, as you may see them.",
        tag="tables",
        cost=lambda query: 1 + query.limit // 50,
        query=EventsQuery,
        answer=EventsAnswer,
    ),
)
