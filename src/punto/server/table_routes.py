"""Calls about a table in play: seeing, opening and running it, commands, approvals by a second person, and
calling the pit.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any, get_type_hints

import msgspec

from punto.dealer.dealer import Pace
from punto.floor import floor as floors
from punto.floor.answers import Approval, OpenedTable, Waiting
from punto.floor.floor import LONGEST_PACE_MS, DealtBy, TableRun, run_of
from punto.floor.job import Accepted
from punto.floor.loaded_table import LoadedTable, summary_of
from punto.floor.pit import Verdict, approval_for, rank_needed, waiting_of
from punto.refusal import Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.rules.book import Book, digest_of
from punto.server.access import slow_down
from punto.server.app_state import AppState, book_named, give_command
from punto.server.broadcast import tell_call
from punto.server.count_room import read_events
from punto.server.endpoint import Answered, Endpoint, Inquiry
from punto.server.messages import (
    ApprovalsAnswer,
    CommandAnswer,
    CommandRequest,
    DecidedAnswer,
    EventsAnswer,
    PitCallsAnswer,
    TableAnswer,
    TablesAnswer,
)
from punto.server.validation import TABLE_ID, Rejected, ServerReason
from punto.store.errors import ContentBroken
from punto.store.pit import StoredApproval
from punto.store.record import PitAnswer, PitCall
from punto.table.house import OpenTable
from punto.table.terms import Terms, default_terms
from punto.views.table_view import TableView, Wallet
from punto.views.viewer import SeenRecord, Viewer, seen_record

_log = logging.getLogger("punto.server")

MOST_EVENTS = 1_000
OPENING_BYTES = 8_000  # About what a new table takes: its row, its first events and its terms.


class RoleQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In which of your roles you ask."""

    role: Role | None = None  # Default: the one that sees most at a table.


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the events of a table."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0  # The last event that you have.
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
    terms: TermsBody | None = None  # Default: those that `punto table new` takes for the book.


async def found_table(app_state: AppState, id: str) -> LoadedTable:
    """A table by its id; `Rejected` where there is none."""
    loaded = await app_state.broadcaster.table(id) if floors.TABLE_ID.fullmatch(id) else None
    if loaded is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"table {id}")
    return loaded


def viewer_of(ask: Inquiry) -> Viewer:
    """The caller in the role that the query asks for."""
    return Viewer(ask.caller.handle, ask.caller.role(ask.query.role))


async def list_tables(ask: Inquiry) -> TablesAnswer:
    viewer, app_state = viewer_of(ask), ask.app_state

    def ids() -> list[str]:
        with app_state.store.read() as reader:
            return [stored.id for stored in reader.tables()]

    found = []
    for id in await asyncio.to_thread(ids):
        try:
            loaded = await app_state.broadcaster.table(id)
        except ContentBroken as error:  # the others are in order
            _log.error("table %s is damaged and is not listed: %s", id, error)
            continue
        found += [loaded] if loaded is not None else []
    purse = dict[str, Wallet]()
    if viewer.role is Role.PLAYER and viewer.name is not None:
        purse = await asyncio.to_thread(app_state.view_cache.read_purse, viewer.name, [each.id for each in found])
    answers = []
    for loaded in found:
        view = app_state.view_cache.view_with(loaded, viewer, purse.get(loaded.id))
        answers.append(_table_answer_with(app_state, loaded, viewer, view))
        await asyncio.sleep(0)  # others may go on while many tables are looked at
    return TablesAnswer(tuple(answers))


async def show_table(ask: Inquiry) -> TableAnswer:
    return await table_answer(ask.app_state, await found_table(ask.app_state, ask.path["id"]), viewer_of(ask))


async def table_answer(app_state: AppState, loaded: LoadedTable, viewer: Viewer) -> TableAnswer:
    """A table as a viewer sees it."""
    return _table_answer_with(app_state, loaded, viewer, await app_state.view_cache.view(loaded, viewer))


def _table_answer_with(app_state: AppState, loaded: LoadedTable, viewer: Viewer, view: TableView) -> TableAnswer:
    summary, legal = msgspec.structs.asdict(summary_of(loaded)), app_state.view_cache.legal(loaded, viewer)
    return TableAnswer(**summary, terms=loaded.table.state.terms, view=view, legal=legal)


async def list_events(ask: Inquiry) -> Any:
    app_state, query, viewer = ask.app_state, ask.query, viewer_of(ask)
    loaded = await found_table(app_state, ask.path["id"])
    if query.after >= loaded.version:
        return EventsAnswer((), loaded.version)
    wanted = (loaded.id, query.after, query.limit, viewer)
    return await app_state.counting.ask(ask.caller.handle, read_events, *wanted, key=(*wanted, loaded.version))


async def open_table(ask: Inquiry) -> Any:
    app_state, body = ask.app_state, ask.body
    role = ask.caller.role(body.role)
    slow_down(app_state.kept, ask.caller.handle, OPENING_BYTES)
    book = await asyncio.to_thread(book_named, app_state, body.book)
    command = OpenTable(
        actor=ask.caller.handle, role=role, time=app_state.now(), terms=_opening_terms(book, body.terms)
    )
    answer = await asyncio.to_thread(app_state.floor.open_table, body.table, book, command)
    if isinstance(answer, Refusal):
        return answer
    return OpenedTable(answer.table, answer.version, digest_of(book))


def _opening_terms(book: Book, sent: Any) -> Terms:
    """The terms of a table that is opened by a book."""
    if sent is None:
        return default_terms(book)
    fields = {name: getattr(sent, name) for name in sent.__struct_fields__}
    named = {"book": sent.book or book.name, "layout": sent.layout or book.layouts[0].name}
    return Terms(**{**fields, **named})


TABLE_ENDPOINTS = (
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
        answer=OpenedTable,
        status=201,
        roles=PIT_ROLES,
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
        call=list_events,
        summary="Events of a table, as you may see them.",
        tag="tables",
        cost=lambda query: 1 + query.limit // 50,
        query=EventsQuery,
        answer=EventsAnswer,
    ),
)


ClockTime = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_PACE_MS)]


class PaceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long the dealer waits, in milliseconds."""

    bets: ClockTime
    antes: ClockTime
    insurance: ClockTime
    squeeze: ClockTime
    options: ClockTime | None = None  # To choose after an irregularity; default: as for antes.
    draw: ClockTime | None = None  # To draw a card, where players do; default: as for a squeeze.
    cards: ClockTime  # From one card to the next.
    rounds: ClockTime  # From the end of a round to the next call.


class RunningBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run."""

    dealer: DealtBy
    pace: PaceBody | None = None  # None for the pace of the house.
    bots: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] = ()  # Bots that sit there, by name.


class RunningAnswer(msgspec.Struct, frozen=True):
    """How a table is run now."""

    table: str
    dealer: DealtBy
    pace: Pace | None  # Of an automatic dealer, in milliseconds.
    bots: tuple[str, ...]
    problem: str | None  # Why the dealer cannot go on, in a sentence.


async def show_running(ask: Inquiry) -> RunningAnswer:
    loaded = await found_table(ask.app_state, ask.path["id"])
    return await asyncio.to_thread(_running_answer, ask.app_state, loaded.id)


async def change_running(ask: Inquiry) -> Any:
    app_state, body = ask.app_state, ask.body
    loaded = await found_table(app_state, ask.path["id"])
    pace = Pace(**msgspec.to_builtins(body.pace)) if body.pace is not None else None
    run = TableRun(body.dealer, pace, tuple(dict.fromkeys(body.bots)))
    refusal = await asyncio.to_thread(app_state.house.run_table, loaded.id, run, ask.caller.handle)
    if isinstance(refusal, Refusal):
        return refusal
    return await asyncio.to_thread(_running_answer, app_state, loaded.id)


def _running_answer(app_state: AppState, table: str) -> RunningAnswer:
    with app_state.store.read() as reader:
        run = run_of(reader, table)
    pace = app_state.house.pace_of(table) if run.is_automatic else None
    return RunningAnswer(table, run.dealer, run.pace or pace, run.bots, app_state.house.problem_of(table))


RUNNING_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/running",
        call=show_running,
        summary="Who deals at a table, at which pace, and which bots sit there.",
        tag="tables",
        answer=RunningAnswer,
    ),
    Endpoint(
        method="PUT",
        path="/tables/{id}/running",
        call=change_running,
        summary="Have a table dealt by the house or by a person, and seat bots.",
        tag="tables",
        body=RunningBody,
        answer=RunningAnswer,
        roles=PIT_ROLES,
        refuses=(409,),
    ),
)


class Decide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The decision of a second person."""

    decision: Verdict


async def post_command(ask: Inquiry) -> Any:
    """Give a command; the same key and body have the same answer again."""
    ask.caller.role(ask.body.role)
    table = await found_table(ask.app_state, ask.path["id"])
    found = await give_command(ask.app_state, ask.caller, table.id, ask.body)
    if isinstance(found, Accepted):
        return CommandAnswer(
            found.version, await seen_events(ask.app_state, found, Viewer(ask.caller.handle, ask.body.role))
        )
    return Answered(202, waiting_of(found)) if isinstance(found, StoredApproval) else found


async def seen_events(app_state: AppState, accepted: Accepted, viewer: Viewer) -> tuple[SeenRecord, ...]:
    """The events of an answer, as whoever asked may see them."""
    steps = await app_state.broadcaster.steps(accepted.table, accepted.records)
    return tuple(seen_record(state, record, viewer) for state, record in steps)


async def list_approvals(ask: Inquiry) -> ApprovalsAnswer:
    """What waits for a second person: yours to decide, and what you asked for."""
    waiting = await asyncio.to_thread(ask.app_state.approvals.waiting)
    answers = (_shown_approval(approval, ask) for approval in waiting)
    return ApprovalsAnswer(tuple(a for a in answers if a.yours or a.actor == ask.caller.handle))


async def show_approval(ask: Inquiry) -> Approval | Refusal:
    """One of them, decided or not."""
    shown = _shown_approval(await _found_approval(ask), ask)
    return shown if shown.yours or shown.actor == ask.caller.handle else rank_needed(shown.needs.value)


def _shown_approval(approval: StoredApproval, ask: Inquiry) -> Approval:
    return approval_for(approval, ask.caller.handle, ask.caller.roles, ask.app_state.now())


async def decide_approval(ask: Inquiry) -> DecidedAnswer | Refusal:
    """Approve or decline, as the second person; the answer is the command's."""
    approvals, approval, verdict = ask.app_state.approvals, await _found_approval(ask), ask.body.decision
    second = await asyncio.to_thread(approvals.decide, approval, verdict, ask.caller.handle)
    if isinstance(second, Refusal):
        return second
    done = await approvals.finish_agreed(approval, second) if verdict is Verdict.APPROVE else None
    if isinstance(done, Refusal):
        return done
    if done is None:
        return DecidedAnswer(verdict.value)
    events = await seen_events(ask.app_state, done, Viewer(second.name, second.role))
    return DecidedAnswer(verdict.value, done.version, events)


async def _found_approval(ask: Inquiry) -> StoredApproval:
    id = ask.path["approval"]
    approval = await asyncio.to_thread(ask.app_state.approvals.find, id)
    if approval is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"approval {id}")
    return approval


COMMAND_ENDPOINTS = (
    Endpoint(
        "POST",
        "/tables/{id}/commands",
        post_command,
        body=CommandRequest,
        answer=CommandAnswer,
        also={202: Waiting},
        needs_role=False,
        refuses=(409,),
    ),
    Endpoint("GET", "/approvals", list_approvals, answer=ApprovalsAnswer),
    Endpoint("GET", "/approvals/{approval}", show_approval, answer=Approval),
    Endpoint("POST", "/approvals/{approval}", decide_approval, body=Decide, answer=DecidedAnswer, refuses=(409,)),
)


# A call is kept in the store and told to everybody in the pit who watches any table, and to those who work
# at the table itself. It ends with the first answer.


LONGEST_REASON = 200


class CallPit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call for somebody from the pit."""

    reason: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] | None = None  # Why, in a few words.


class AnswerPitCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a call."""

    answer: PitAnswer


async def call_pit(ask: Inquiry) -> Answered | Refusal:
    """Call somebody from the pit to a table; 200 with the open call where there is one already."""
    table, caller = await found_table(ask.app_state, ask.path["id"]), ask.caller
    pit_calls, reason = ask.app_state.pit_calls, ask.body.reason
    called = await asyncio.to_thread(pit_calls.call, table.id, caller.handle, caller.roles, reason)
    if isinstance(called, Refusal):
        return called
    call, is_new = called
    if is_new:
        tell_call(ask.app_state.broadcaster, call)
    return Answered(201 if is_new else 200, call)


async def list_calls(ask: Inquiry) -> PitCallsAnswer:
    """Calls that nobody has answered, and those that somebody is coming to."""
    return PitCallsAnswer(tuple(await asyncio.to_thread(ask.app_state.pit_calls.live)))


async def answer_call(ask: Inquiry) -> PitCall | Refusal:
    """Say that you are coming, or clear the call; whoever called may clear it too."""
    pit_calls, caller, id = ask.app_state.pit_calls, ask.caller, ask.path["call"]
    call = await asyncio.to_thread(pit_calls.find, id)
    if call is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"call {id}")
    answered = await asyncio.to_thread(pit_calls.answer, call, ask.body.answer, caller.handle, caller.roles)
    if isinstance(answered, PitCall):
        tell_call(ask.app_state.broadcaster, answered)
    return answered


PIT_CALL_ENDPOINTS = (
    Endpoint(
        "POST",
        "/tables/{id}/pit-calls",
        call_pit,
        tag="pit",
        body=CallPit,
        answer=PitCall,
        status=201,
        also={200: PitCall},
        roles=LADDER,
    ),
    Endpoint("GET", "/pit-calls", list_calls, tag="pit", answer=PitCallsAnswer, roles=PIT_ROLES),
    Endpoint(
        "POST",
        "/pit-calls/{call}",
        answer_call,
        tag="pit",
        body=AnswerPitCall,
        answer=PitCall,
        roles=LADDER,
        refuses=(409,),
    ),
)
