"""Calls that look back: roads, rounds, statistics and cases of a table; for auditors finished rounds event by event,
shoes, logs and the chain of hashes.

Everything here is read only. A round or a shoe in play is not shown to auditors: nobody is told a card before
it shows.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Annotated, Any

import msgspec

from punto.audit.history_page import RoundRecord
from punto.audit.round_history import RoundResultWanted, RoundSearch
from punto.audit.shuffle import ShoeCheck
from punto.audit.verification import Verification
from punto.rules.authority import Role
from punto.server import count_room
from punto.server.endpoint import Endpoint, FileAnswer, Inquiry
from punto.server.messages import (
    CasesAnswer,
    HistoryAnswer,
    RoadsAnswer,
    RoundsAnswer,
    RoundStepsAnswer,
    StatisticsAnswer,
)
from punto.server.table_routes import RoleQuery
from punto.server.validation import WHOLE_TABLE_ID, Rejected, ServerReason, not_there
from punto.table.state import Phase
from punto.views.audit_view import AuditedRound

MOST_ROUNDS = 200


class HistoryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the rounds of a table, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 20
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The `seq` of the oldest round that you have; the rounds before it are sent."""
    role: Role | None = None


async def show_roads(ask: Inquiry) -> Any:
    """The five roads of the shoe in play, every mark in its place."""
    return await ask.count(count_room.read_roads, await ask.table())


async def show_history(ask: Inquiry) -> Any:
    """The last rounds, with what became of your bets."""
    query = ask.query
    return await ask.count(count_room.read_history, await ask.table(), query.limit, query.before, ask.viewer)


async def show_steps(ask: Inquiry) -> Any:
    """A round that is over, step by step: cards, your bets, insurance, options, and how they were settled."""
    loaded, number = await ask.table(), path_number(ask, "round")
    state = loaded.table.state
    if state.round == number and state.is_in_round:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {loaded.id}/{number}")
    return await ask.count(count_room.read_steps, loaded, number, ask.viewer)


async def show_statistics(ask: Inquiry) -> Any:
    """The shoe in play in numbers, beside exact chances."""
    return await ask.count(count_room.count_statistics, await ask.table(), ask.viewer)


async def show_cases(ask: Inquiry) -> Any:
    """The open case, and the irregularities of the last rounds."""
    return await ask.count(count_room.read_cases, await ask.table(), ask.viewer)


_shown = partial(Endpoint, is_act=False)  # A page looks at these by itself after every round.
_by_page = partial(_shown, query=HistoryQuery, cost=lambda query: 2 + query.limit // 20)
_steps = partial(_shown, cost=5, query=RoleQuery, answer=RoundStepsAnswer, refuses=(404, 409))
HISTORY_ENDPOINTS = (
    _shown("GET", "/tables/{id}/roads", show_roads, cost=2, answer=RoadsAnswer),
    _by_page("GET", "/tables/{id}/history", show_history, answer=HistoryAnswer),
    _steps("GET", "/tables/{id}/rounds/{round}", show_steps),
    _shown("GET", "/tables/{id}/statistics", show_statistics, cost=3, query=RoleQuery, answer=StatisticsAnswer),
    _shown("GET", "/tables/{id}/cases", show_cases, cost=10, query=RoleQuery, answer=CasesAnswer),
)


MOST_FOUND = 500
MOST_LINES = 100_000  # Records in one file of a log.
ROUND_ID = r"^\d{1,16}/[a-z0-9][a-z0-9-]{0,39}/[1-9]\d{0,9}$"
Natural = Annotated[int, msgspec.Meta(ge=0)]
PublicKey = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_Leaf = str | int | bool | None
AnchorFile = dict[str, _Leaf | dict[str, _Leaf | dict[str, _Leaf]]]
"""Something of the shape of an anchor, of whatever version; one that is none is refused as `wrong-anchor`."""


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What rounds to look for; whatever is left out is not asked."""

    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)] | None = None
    player: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    from_: Natural | None = msgspec.field(default=None, name="from")  # Called from this time on.
    to: Natural | None = None  # Called before this time.
    irregularity: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    """A finding, a clause, `void`, `reversed`, or `any`."""
    amount_over: Natural | None = None  # A player staked or won more than this, in minor units.
    result: RoundResultWanted | None = None
    event: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)] | None = None
    """The round that this event belongs to; with `table`, and nothing else is asked."""
    before: Annotated[str, msgspec.Meta(pattern=ROUND_ID)] | None = None
    """The `next` of the answer that you have; the rounds after it are sent."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOUND)] = 50


class AtQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a round."""

    at: Annotated[int, msgspec.Meta(ge=1)] | None = None  # The event after which the felt is shown; default: the last.


class VerifyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is verified."""

    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)] | None = None  # One table; default: everything.
    anchor: AnchorFile | None = None  # An anchor that was kept, as `punto audit anchor` writes it.
    public_keys: Annotated[tuple[PublicKey, ...], msgspec.Meta(max_length=20)] = ()
    """Whose anchors you trust; default: the key of the server."""


class RoundFormat(Enum):
    """As what a round is wanted as a file."""

    JSON = "json"
    HTML = "html"
    TEXT = "txt"


class RoundFileQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round as a file."""

    format: RoundFormat = RoundFormat.JSON


class LogQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the log of a table, at most 100,000 records."""

    after: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0  # The last record that you have.


async def find_audited_rounds(ask: Inquiry) -> Any:
    """Find rounds by table, player, time, irregularity and amount."""
    query, tables = ask.query, () if ask.query.table is None else (ask.query.table,)
    if query.event is not None:
        if query.table is None:
            raise not_there(f"event {query.event} without its table")
        loaded = await ask.app_state.table(query.table)
        return await ask.app_state.counting.ask(
            ask.caller.handle, count_room.find_round_of_event, loaded.id, query.event
        )
    time, _, id = (query.before or "").partition("/")
    place = (int(time), id) if query.before is not None else None
    search = RoundSearch(
        tables, query.player, query.from_, query.to, query.irregularity, query.amount_over, query.result, before=place
    )
    return await ask.app_state.long_counting.ask(ask.caller.handle, count_room.search_rounds, search, query.limit)


async def show_round(ask: Inquiry) -> Any:
    """A finished round as it was: cards, bets, money, people, clauses; the felt at any event."""
    wanted = (*await _finished_round(ask), ask.query.at)
    return await ask.app_state.counting.ask(ask.caller.handle, count_room.read_finished_round, *wanted)


async def show_audited_round(ask: Inquiry) -> Any:
    """A finished round event by event: the felt, who did it, the clause, the hash, and the money that it moved."""
    wanted = await _finished_round(ask)
    return await ask.app_state.counting.ask(ask.caller.handle, count_room.read_audited_round, *wanted)


async def export_round(ask: Inquiry) -> FileAnswer:
    """A finished round as a file, for whoever has to be shown it."""
    (table, number), format = await _finished_round(ask), ask.query.format
    work = (count_room.export_round, table, number, format.value)
    content = await ask.app_state.counting.ask(ask.caller.handle, *work)
    text = msgspec.json.decode(content, type=str)
    return FileAnswer(f"round-{table}-{number}.{format.value}", ROUND_KINDS[format], text.encode())


async def export_log(ask: Inquiry) -> FileAnswer:
    """The records of a table, to the letter, from which anybody can compute the chain again.

    Only shoes that are out of play: of the one in play nobody is told a card before it shows.
    """
    loaded, after = await ask.table(), ask.query.after
    work = (count_room.export_log, loaded.id, after, MOST_LINES)
    content = await ask.app_state.long_counting.ask_afresh(ask.caller.handle, *work)
    text = msgspec.json.decode(content, type=str)
    return FileAnswer(f"log-{loaded.id}.jsonl", LOG_KIND, text.encode())


async def _finished_round(ask: Inquiry) -> tuple[str, int]:
    """The table and the number of a round that is over."""
    loaded, number = await ask.table(), path_number(ask, "round")
    state = loaded.table.state
    if state.round == number and state.is_in_round:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {loaded.id}/{number}")
    return loaded.id, number


async def show_shoe(ask: Inquiry) -> Any:
    """Whether a shoe was dealt in the order that was promised."""
    loaded, number = await ask.table(), path_number(ask, "shoe")
    state, wanted = loaded.table.state, (loaded.id, loaded.version, number)
    if number == state.shoe_number and state.phase is not Phase.CLOSED and not loaded.imported:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"shoe {loaded.id}/{number}")
    return await ask.app_state.counting.ask(ask.caller.handle, count_room.check_stored_shoe, *wanted)


async def verify_chain(ask: Inquiry) -> Any:
    """Look for records that were changed, removed or added."""
    table, anchor = ask.body.table, ask.body.anchor
    if table is not None:
        await ask.app_state.table(table)
    given = (table, None if anchor is None else msgspec.json.encode(anchor), ask.body.public_keys)
    return await ask.app_state.long_counting.ask_afresh(ask.caller.handle, count_room.verify_stored_chain, *given)


def path_number(ask: Inquiry, name: str) -> int:
    text = ask.path[name]
    if not text.isascii() or not text.isdecimal() or not 0 < len(text) < 11 or text[0] == "0":
        raise not_there(f"{name} {text[:20]}")
    return int(text)


_audit = partial(Endpoint, roles=(Role.AUDITOR, Role.SHIFT_MANAGER))
_round = partial(_audit, query=AtQuery, answer=RoundRecord, refuses=(409,))
_files = partial(_audit, cost=25)
LOG_KIND = "application/jsonl"
ROUND_KINDS = {
    RoundFormat.JSON: "application/json",
    RoundFormat.HTML: "text/html; charset=utf-8",
    RoundFormat.TEXT: "text/plain; charset=utf-8",
}
ROUND_FILES = ("application/json", "text/html", "text/plain")
AUDIT_ENDPOINTS = (
    _audit(
        *("GET", "/audit/rounds", find_audited_rounds), cost=25, query=RoundsQuery, answer=RoundsAnswer, refuses=(404,)
    ),
    _round("GET", "/audit/rounds/{id}/{round}", show_round, cost=5),
    _audit("GET", "/audit/rounds/{id}/{round}/steps", show_audited_round, cost=5, answer=AuditedRound, refuses=(409,)),
    _files(
        *("GET", "/audit/rounds/{id}/{round}/file", export_round),
        query=RoundFileQuery,
        files=ROUND_FILES,
        record=RoundRecord,
        refuses=(409,),
    ),
    _files("GET", "/audit/tables/{id}/log", export_log, query=LogQuery, files=(LOG_KIND,)),
    Endpoint("GET", "/audit/shoes/{id}/{shoe}", show_shoe, cost=5, answer=ShoeCheck, refuses=(409,)),
    _audit(
        "POST", "/audit/verify", verify_chain, cost=100, body=VerifyRequest, answer=Verification, refuses=(404, 409)
    ),
)
