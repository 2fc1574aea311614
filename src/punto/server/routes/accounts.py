"""The caller's own account: what is free and held, and every movement."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.floor.desk import holdings_of
from punto.ledger.account import player_account
from punto.server.hall import Hall
from punto.server.http.answers import AccountAnswer, StatementAnswer, StatementEntry
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access.roles import roles_of
from punto.store.stored import StatementLine

MOST_LINES = 1_000


class StatementQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a statement."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The `id` of the last line that you have."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 200


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


ENDPOINTS = (
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
        summary="Every movement of your account, oldest first.",
        tag="accounts",
        query=StatementQuery,
        answer=StatementAnswer,
        refuses=(404,),
    ),
)
