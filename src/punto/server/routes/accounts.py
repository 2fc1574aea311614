"""The caller's own account: what is free and held, and every movement."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.floor.desk import holdings_of
from punto.ledger.account import player_account
from punto.server import counting
from punto.server.hall import Hall
from punto.server.http.answers import (
    AccountAnswer,
    CostEntry,
    CostsAnswer,
    StatementAnswer,
    StatementEntry,
)
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access.roles import roles_of
from punto.store.lookup.account import brought_by_table, latest_lines, staked_by_area
from punto.store.stored import StatementLine
from punto.table.state import State

MOST_LINES = 1_000


class StatementQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a statement."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The `id` of the last line that you have."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 200
    latest: bool = False
    """Newest first, instead of oldest first."""
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """With `latest`: the `id` of the oldest line that you have."""


def account_answer(hall: Hall, handle: str) -> AccountAnswer:
    """What somebody is and has; for a thread."""
    with hall.store.read() as reader:
        account, person = reader.account(handle), reader.person(handle)
        if account is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
        holds, roles = holdings_of(reader, handle), roles_of(reader, handle)
    display = person.display if person else None
    return AccountAnswer(handle, display, roles, account.currency, holds.free, holds.held)


def statement_answer(hall: Hall, handle: str, query: Any) -> StatementAnswer:
    """Movements of an account; for a thread."""
    with hall.store.read() as reader:
        account = reader.account(handle)
        if account is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
        if query.latest or query.before is not None:
            lines = latest_lines(reader, handle, query.before, query.limit)
        else:
            lines = reader.statement(player_account(handle), query.after, query.limit)
    entries = tuple(_entry(line) for line in lines)
    return StatementAnswer(handle, account.currency, entries, entries[-1].id if entries else query.after)


def _entry(line: StatementLine) -> StatementEntry:
    moved = line.movement
    return StatementEntry(
        id=moved.id,
        time=moved.time_ms,
        kind=moved.kind,
        amount=line.amount,
        balance=line.balance,
        table=moved.table,
        seq=moved.seq,
        round=moved.round,
        box=moved.box,
        area=moved.area,
        clause=moved.clause,
        reason=moved.reason,
        by=moved.actor,
        second=moved.second,
    )


async def mine(ask: Inquiry) -> AccountAnswer:
    return await asyncio.to_thread(account_answer, ask.hall, ask.caller.handle)


async def my_statement(ask: Inquiry) -> StatementAnswer:
    return await asyncio.to_thread(statement_answer, ask.hall, ask.caller.handle, ask.query)


async def my_costs(ask: Inquiry) -> CostsAnswer:
    """What play was expected to cost, beside what it did."""
    hall, handle = ask.hall, ask.caller.handle

    def read() -> tuple[dict[str, dict[str, int]], dict[str, int], dict[str, int]]:
        with hall.store.read() as reader:
            held = holdings_of(reader, handle).held
            return staked_by_area(reader, handle), brought_by_table(reader, handle), held

    staked, brought, held = await asyncio.to_thread(read)
    entries = []
    for id, by_area in staked.items():
        loaded = await hall.hub.table(id)
        if loaded is not None and loaded.table.state.terms is not None:
            actual = brought[id] + held.get(id, 0) + _in_play(loaded.table.state, handle)
            found = await hall.counting.ask(handle, counting.cost, id, by_area, actual)
            entries.append(msgspec.json.decode(found, type=CostEntry))
    return CostsAnswer(tuple(entries))


def _in_play(state: State, handle: str) -> int:
    """What lies on a table undecided, and so has neither been lost nor won."""
    is_open = state.is_in_round and state.settled is None
    return sum(stake.amount for stake in state.stakes if stake.player == handle) if is_open else 0


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/accounts/me/costs",
        call=my_costs,
        summary="By table: what your stakes cost on average, exactly computed, beside what they did cost.",
        tag="accounts",
        cost=5,
        answer=CostsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/accounts/me",
        call=mine,
        summary="What you are, and what you have.",
        tag="accounts",
        answer=AccountAnswer,
        refuses=(404,),
    ),
    Endpoint(
        method="GET",
        path="/accounts/me/statement",
        call=my_statement,
        summary="Every movement of your account, oldest first, or newest first with `latest`.",
        tag="accounts",
        cost=lambda query: 1 + query.limit // 50,
        query=StatementQuery,
        answer=StatementAnswer,
        refuses=(404,),
    ),
)
