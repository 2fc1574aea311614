"""Calls that look back: roads, rounds, statistics and cases of a table; for auditors finished rounds, shoes
and the chain of hashes.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from punto.audit.round_history import RoundSearch
from punto.audit.round_record import RoundRecord
from punto.audit.shuffle import ShoeCheck
from punto.audit.verification import Verification
from punto.floor.loaded_table import LoadedTable
from punto.rules.authority import Role
from punto.server.count_room import (
    check_stored_shoe,
    count_statistics,
    read_cases,
    read_history,
    read_roads,
    read_round,
    search_rounds,
    verify_stored_chain,
)
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.messages import CasesAnswer, HistoryAnswer, RoadsAnswer, RoundsAnswer, StatisticsAnswer
from punto.server.table_routes import RoleQuery, found_table, viewer_of
from punto.server.validation import TABLE_ID, Rejected, ServerReason
from punto.table.state import Phase

MOST_ROUNDS = 200


class HistoryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the rounds of a table, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 20
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The `seq` of the oldest round that you have; the rounds before it are sent."""
    role: Role | None = None


async def show_roads(ask: Inquiry) -> Any:
    loaded = await found_table(ask.app_state, ask.path["id"])
    return await ask.app_state.counting.ask(ask.caller.handle, read_roads, loaded.id, key=(loaded.id, loaded.version))


async def show_history(ask: Inquiry) -> Any:
    loaded, viewer, query = await found_table(ask.app_state, ask.path["id"]), viewer_of(ask), ask.query
    wanted = (loaded.id, query.limit, query.before, viewer)
    return await ask.app_state.counting.ask(ask.caller.handle, read_history, *wanted, key=(*wanted, loaded.version))


async def show_statistics(ask: Inquiry) -> Any:
    loaded, viewer = await found_table(ask.app_state, ask.path["id"]), viewer_of(ask)
    return await ask.app_state.counting.ask(
        ask.caller.handle, count_statistics, loaded.id, viewer, key=(loaded.id, viewer, loaded.version)
    )


async def show_cases(ask: Inquiry) -> Any:
    loaded, viewer = await found_table(ask.app_state, ask.path["id"]), viewer_of(ask)
    return await ask.app_state.counting.ask(
        ask.caller.handle, read_cases, loaded.id, viewer, key=(loaded.id, viewer, loaded.version)
    )


HISTORY_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/roads",
        call=show_roads,
        summary="The five roads of the shoe in play, every mark in its place.",
        tag="tables",
        cost=2,
        answer=RoadsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/history",
        call=show_history,
        summary="The last rounds, with what became of your bets.",
        tag="tables",
        cost=lambda query: 2 + query.limit // 20,
        query=HistoryQuery,
        answer=HistoryAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/statistics",
        call=show_statistics,
        summary="The shoe in play in numbers, beside exact chances.",
        tag="tables",
        cost=3,
        query=RoleQuery,
        answer=StatisticsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/cases",
        call=show_cases,
        summary="The open case, and the irregularities of the last rounds.",
        tag="tables",
        cost=10,
        query=RoleQuery,
        answer=CasesAnswer,
    ),
)


# The audit: finished rounds as they were, shoes against their promises, and the chain of hashes.
#
# Everything here is read only. A round or a shoe in play is not shown: nobody is told a card before it
# shows.


AUDITORS = (Role.AUDITOR, Role.SHIFT_MANAGER)
MOST_FOUND = 500


Natural = Annotated[int, msgspec.Meta(ge=0)]


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What rounds to look for; whatever is left out is not asked."""

    table: Annotated[str, msgspec.Meta(pattern=TABLE_ID)] | None = None
    player: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    from_: Natural | None = msgspec.field(default=None, name="from")  # Called from this time on.
    to: Natural | None = None  # Called before this time.
    irregularity: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    """A finding, a clause, `void`, `reversed`, or `any`."""
    amount_over: Natural | None = None  # A player staked or won more than this, in minor units.
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOUND)] = 50


class AtQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a round."""

    at: Annotated[int, msgspec.Meta(ge=1)] | None = None  # The event after which the felt is shown; default: the last.


class VerifyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is verified."""

    table: Annotated[str, msgspec.Meta(pattern=TABLE_ID)] | None = None  # One table; default: everything.


async def find_audited_rounds(ask: Inquiry) -> Any:
    query, app_state = ask.query, ask.app_state
    search = RoundSearch(
        tables=() if query.table is None else (query.table,),
        player=query.player,
        since=query.from_,
        until=query.to,
        irregularity=query.irregularity,
        over=query.amount_over,
    )

    return await app_state.long_counting.ask(ask.caller.handle, search_rounds, search, query.limit)


async def show_round(ask: Inquiry) -> Any:
    loaded, number = await found_table(ask.app_state, ask.path["id"]), _path_number(ask, "round")
    state = loaded.table.state
    if state.round == number and state.is_in_round:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {loaded.id}/{number}")

    return await ask.app_state.counting.ask(ask.caller.handle, read_round, loaded.id, number, ask.query.at)


async def show_shoe(ask: Inquiry) -> Any:
    loaded, number = await found_table(ask.app_state, ask.path["id"]), _path_number(ask, "shoe")
    if _is_in_play(loaded, number):
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"shoe {loaded.id}/{number}")

    return await ask.app_state.counting.ask(ask.caller.handle, check_stored_shoe, loaded.id, loaded.version, number)


async def verify_chain(ask: Inquiry) -> Any:
    if ask.body.table is not None:
        await found_table(ask.app_state, ask.body.table)

    return await ask.app_state.long_counting.ask_afresh(ask.caller.handle, verify_stored_chain, ask.body.table)


def _path_number(ask: Inquiry, name: str) -> int:
    text = ask.path[name]
    if not text.isascii() or not text.isdecimal() or not 0 < len(text) < 11 or text[0] == "0":
        raise Rejected(404, ServerReason.NOT_THERE, what=f"{name} {text[:20]}")
    return int(text)


def _is_in_play(loaded: LoadedTable, shoe: int) -> bool:
    state = loaded.table.state
    return shoe == state.shoe_number and state.phase is not Phase.CLOSED and not loaded.imported


AUDIT_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/audit/rounds",
        call=find_audited_rounds,
        summary="Find rounds by table, player, time, irregularity and amount.",
        tag="audit",
        cost=25,
        query=RoundsQuery,
        answer=RoundsAnswer,
        roles=AUDITORS,
    ),
    Endpoint(
        method="GET",
        path="/audit/rounds/{id}/{round}",
        call=show_round,
        summary="A finished round as it was: cards, bets, money, people, clauses; the felt at any event.",
        tag="audit",
        cost=5,
        query=AtQuery,
        answer=RoundRecord,
        roles=AUDITORS,
        refuses=(409,),
    ),
    Endpoint(
        method="GET",
        path="/audit/shoes/{id}/{shoe}",
        call=show_shoe,
        summary="Whether a shoe was dealt in the order that was promised.",
        tag="audit",
        cost=5,
        answer=ShoeCheck,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/audit/verify",
        call=verify_chain,
        summary="Look for records that were changed, removed or added.",
        tag="audit",
        cost=100,
        body=VerifyRequest,
        answer=Verification,
        roles=AUDITORS,
        refuses=(404,),
    ),
)
