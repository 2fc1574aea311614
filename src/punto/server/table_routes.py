"""Calls about a table in play: seeing, opening and running it, commands, approvals by a second person, and
calling the pit.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Annotated, Any, get_type_hints

import msgspec

from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.answers import (
    Approval,
    CommandAnswer,
    DecidedAnswer,
    EventsAnswer,
    OpenedTable,
    PitCallsAnswer,
    SeenRecord,
    Waiting,
)
from punto.floor.floor import LONGEST_PACE_MS, DealtBy, TableRun, table_run
from punto.floor.job import Accepted
from punto.floor.loaded_table import LoadedTable, summary_of
from punto.floor.people import ADMINISTRATORS
from punto.floor.pit import Verdict, approval_for, rank_needed, waiting_of
from punto.refusal import Refusal
from punto.rules.authority import LADDER, PIT_ROLES, Role
from punto.rules.book import digest_of
from punto.server import messages
from punto.server.access import slow_down
from punto.server.app_state import AppState, book_named, give_command
from punto.server.broadcast import Balances, tell_call
from punto.server.count_room import read_events
from punto.server.endpoint import Endpoint, Inquiry, StatusAnswer
from punto.server.validation import WHOLE_TABLE_ID, not_there
from punto.store.errors import ContentBroken
from punto.store.pit import StoredApproval
from punto.store.reader import Reader, records_of
from punto.store.record import PitAnswer, PitCall
from punto.table.house import OpenTable
from punto.table.replay import NEW_TABLE
from punto.table.terms import Terms, default_terms
from punto.views.history_view import DEALERS_ACTS, DealingView, dealing_view
from punto.views.viewer import Viewer, is_alike, seen_record

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


_NAMED = {"book": str | None, "layout": str | None}
_DOC = "The terms of a table that is opened. Amounts are minor units."
TermsBody: Any = messages.body_struct("TermsBody", _DOC, Terms, get_type_hints(Terms) | _NAMED, optional=_NAMED)
"""The terms as a client sends them: the book is named beside them, its first layout is the default."""


class OpenRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)]
    book: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    """A book by its name, or by the digest of one that is stored."""
    role: Role
    terms: TermsBody | None = None  # Default: those that `punto table new` takes for the book.


async def list_tables(ask: Inquiry) -> messages.TablesAnswer:
    """Every table, as you see it."""
    viewer, app_state, tables = ask.viewer, ask.app_state, list[LoadedTable]()
    for id in await app_state.read(lambda reader: [stored.id for stored in reader.tables()]):
        try:
            loaded = await app_state.broadcaster.table(id)
        except ContentBroken as error:  # the others are in order
            _log.error("table %s is damaged and is not listed: %s", id, error)
            continue
        tables += [loaded] if loaded is not None else []
    balances, answers = await app_state.view_cache.balances((viewer,)), []
    for loaded in tables:
        answers.append(_table_answer(app_state, loaded, viewer, balances))
        await asyncio.sleep(0)  # others may go on while many tables are looked at
    return messages.TablesAnswer(tuple(answers))


async def show_table(ask: Inquiry) -> messages.TableAnswer:
    """A table as you see it, with what you may do."""
    loaded, viewer = await ask.table(), ask.viewer
    balances = await ask.app_state.view_cache.balances((viewer,))
    return _table_answer(ask.app_state, loaded, viewer, balances)


def _table_answer(app_state: AppState, loaded: LoadedTable, viewer: Viewer, balances: Balances) -> messages.TableAnswer:
    cache, summary = app_state.view_cache, msgspec.structs.asdict(summary_of(loaded))
    summary["stopped"] = cache.stopped(loaded)
    view, legal = cache.view(loaded, viewer, balances, cache.clock(loaded)), cache.legal(loaded, viewer)
    return messages.TableAnswer(**summary, terms=loaded.table.state.terms, view=view, legal=legal)


async def list_events(ask: Inquiry) -> Any:
    """Events of a table, as you may see them."""
    query, viewer, loaded = ask.query, ask.viewer, await ask.table()
    if query.after >= loaded.version:
        return EventsAnswer((), loaded.version)
    return await ask.count(read_events, loaded, query.after, query.limit, viewer)


async def open_table(ask: Inquiry) -> OpenedTable | Refusal:
    """Open a table by a rule book."""
    app_state, body, caller = ask.app_state, ask.body, ask.caller
    role = caller.role(body.role)
    slow_down(app_state.bytes_kept, caller.handle, OPENING_BYTES)
    book = await asyncio.to_thread(book_named, app_state, body.book)
    terms = default_terms(book)
    if body.terms is not None:
        named = {"book": body.terms.book or book.name, "layout": body.terms.layout or book.layouts[0].name}
        terms = Terms(**{**msgspec.structs.asdict(body.terms), **named})
    command = OpenTable(actor=caller.handle, role=role, time=app_state.now(), terms=terms)
    answer = await asyncio.to_thread(app_state.floor.open_table, body.table, book, command)
    return answer if isinstance(answer, Refusal) else OpenedTable(answer.table, answer.version, digest_of(book))


LOOKED_BACK = 4_000  # Events within which dealers are looked for: many hours of a table.


async def show_dealing(ask: Inquiry) -> DealingView:
    """Who deals at a table and since when, who dealt before, and how many rounds an hour."""
    loaded, now = await ask.table(), ask.app_state.now()

    def read(reader: Reader) -> DealingView:
        since = max(0, loaded.version - LOOKED_BACK)
        return dealing_view((record.event for record in records_of(reader, loaded.id, DEALERS_ACTS, since)), now)

    return await ask.app_state.read(read)


_opening = partial(Endpoint, body=OpenRequest, answer=OpenedTable, status=201, roles=PIT_ROLES, refuses=(404, 409))
_by_page = partial(Endpoint, query=EventsQuery, is_act=False, cost=lambda query: 1 + query.limit // 50)
TABLE_ENDPOINTS = (
    Endpoint("GET", "/tables", list_tables, is_act=False, cost=5, query=RoleQuery, answer=messages.TablesAnswer),
    _opening("POST", "/tables", open_table),
    Endpoint("GET", "/tables/{id}", show_table, is_act=False, query=RoleQuery, answer=messages.TableAnswer),
    _by_page("GET", "/tables/{id}/events", list_events, answer=EventsAnswer),
    Endpoint(
        *("GET", "/tables/{id}/dealing", show_dealing),
        is_act=False,
        cost=3,
        answer=DealingView,
        roles=(*LADDER, Role.AUDITOR),
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
    usual: Pace  # The pace of the house, where the table has none of its own.
    known: tuple[str, ...]  # The bots that could sit there.


async def show_running(ask: Inquiry) -> RunningAnswer:
    """Who deals at a table, at which pace, and which bots sit there."""
    house, table = ask.app_state.house, (await ask.table()).id
    run = await ask.app_state.read(lambda reader: table_run(reader, table))
    pace = house.pace_of(table) if run.is_automatic else None
    return RunningAnswer(
        table, run.dealer, run.pace or pace, run.bots, house.problem_of(table), house.usual_pace, tuple(BOTS)
    )


async def change_running(ask: Inquiry) -> RunningAnswer | Refusal:
    """Have a table dealt by the house or by a person, and seat bots."""
    body, table = ask.body, (await ask.table()).id
    pace = Pace(**msgspec.to_builtins(body.pace)) if body.pace is not None else None
    run = TableRun(body.dealer, pace, tuple(dict.fromkeys(body.bots)))
    refusal = await asyncio.to_thread(ask.app_state.house.run_table, table, run, ask.caller.handle)
    return refusal if refusal is not None else await show_running(ask)


_run = partial(Endpoint, answer=RunningAnswer)
RUNNING_ENDPOINTS = (
    _run("GET", "/tables/{id}/running", show_running, is_act=False),
    _run("PUT", "/tables/{id}/running", change_running, body=RunningBody, roles=PIT_ROLES, refuses=(409,)),
)


class Decide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The decision of a second person."""

    decision: Verdict


async def post_command(ask: Inquiry) -> CommandAnswer | StatusAnswer | Refusal:
    """Give a command; the same key and body have the same answer again."""
    outcome = await give_command(ask.app_state, ask.caller, ask.path["id"], ask.body)
    if isinstance(outcome, Accepted):
        viewer = Viewer(ask.caller.handle, ask.body.role)
        return CommandAnswer(outcome.version, await seen_events(ask.app_state, outcome, viewer))
    return StatusAnswer(202, waiting_of(outcome)) if isinstance(outcome, StoredApproval) else outcome


async def seen_events(app_state: AppState, accepted: Accepted, viewer: Viewer) -> tuple[SeenRecord, ...]:
    """The events of an answer, as whoever asked may see them."""
    if all(is_alike(record.event) for record in accepted.records):  # almost always: then no table has to be found
        return tuple([seen_record(NEW_TABLE, record, viewer) for record in accepted.records])
    steps = await app_state.broadcaster.steps(accepted.table, accepted.records)
    return tuple(seen_record(state, record, viewer) for state, record in steps)


async def list_approvals(ask: Inquiry) -> messages.ApprovalsAnswer:
    """What waits for a second person: yours to decide, and what you asked for; an administrator sees that all waits."""
    waiting = await asyncio.to_thread(ask.app_state.approvals.waiting)
    approvals = (_approval_view(approval, ask) for approval in waiting)
    sees_all = bool(set(ADMINISTRATORS) & set(ask.caller.roles))
    seen = (each for each in approvals if sees_all or each.yours or each.actor == ask.caller.handle)
    return messages.ApprovalsAnswer(tuple(seen))


async def show_approval(ask: Inquiry) -> Approval | Refusal:
    """One of them, decided or not."""
    approval = _approval_view(await _stored_approval(ask), ask)
    is_concerned = approval.yours or approval.actor == ask.caller.handle
    return approval if is_concerned else rank_needed(approval.needs.value)


def _approval_view(approval: StoredApproval, ask: Inquiry) -> Approval:
    return approval_for(approval, ask.caller.handle, ask.caller.roles, ask.app_state.now())


async def decide_approval(ask: Inquiry) -> DecidedAnswer | Refusal:
    """Approve or decline, as the second person; the answer is the command's."""
    approvals, approval, verdict = ask.app_state.approvals, await _stored_approval(ask), ask.body.decision
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


async def _stored_approval(ask: Inquiry) -> StoredApproval:
    approval = await asyncio.to_thread(ask.app_state.approvals.find, ask.path["approval"])
    if approval is None:
        raise not_there(f"approval {ask.path['approval']}")
    return approval


_command = partial(Endpoint, body=messages.CommandRequest, answer=CommandAnswer, also={202: Waiting})
_decision = partial(Endpoint, body=Decide, answer=DecidedAnswer)
COMMAND_ENDPOINTS = (
    _command("POST", "/tables/{id}/commands", post_command, needs_role=False, refuses=(409,)),
    Endpoint("GET", "/approvals", list_approvals, is_act=False, answer=messages.ApprovalsAnswer),
    Endpoint("GET", "/approvals/{approval}", show_approval, is_act=False, answer=Approval),
    _decision("POST", "/approvals/{approval}", decide_approval, refuses=(409,)),
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


async def call_pit(ask: Inquiry) -> StatusAnswer | Refusal:
    """Call somebody from the pit to a table; 200 with the open call where there is one already."""
    table, caller, pit_calls = await ask.table(), ask.caller, ask.app_state.pit_calls
    called = await asyncio.to_thread(pit_calls.call, table.id, caller.handle, caller.roles, ask.body.reason)
    if isinstance(called, Refusal):
        return called
    call, is_new = called
    if is_new:
        tell_call(ask.app_state.broadcaster, call)
    return StatusAnswer(201 if is_new else 200, call)


async def list_calls(ask: Inquiry) -> PitCallsAnswer:
    """Calls that nobody has answered, and those that somebody is coming to."""
    return PitCallsAnswer(tuple(await asyncio.to_thread(ask.app_state.pit_calls.live)))


async def answer_call(ask: Inquiry) -> PitCall | Refusal:
    """Say that you are coming, or clear the call; whoever called may clear it too."""
    pit_calls, caller, id = ask.app_state.pit_calls, ask.caller, ask.path["call"]
    call = await asyncio.to_thread(pit_calls.find, id)
    if call is None:
        raise not_there(f"call {id}")
    answered = await asyncio.to_thread(pit_calls.answer, call, ask.body.answer, caller.handle, caller.roles)
    if isinstance(answered, PitCall):
        tell_call(ask.app_state.broadcaster, answered)
    return answered


_pit = partial(Endpoint, tag="pit", answer=PitCall, roles=LADDER)
PIT_CALL_ENDPOINTS = (
    _pit("POST", "/tables/{id}/pit-calls", call_pit, body=CallPit, status=201, also={200: PitCall}),
    Endpoint("GET", "/pit-calls", list_calls, is_act=False, tag="pit", answer=PitCallsAnswer, roles=PIT_ROLES),
    _pit("POST", "/pit-calls/{call}", answer_call, body=AnswerPitCall, refuses=(409,)),
)
