"""Calling the pit: whoever works at a table asks somebody from the pit to come, and is told who does.

A call is kept in the store and told to everybody in the pit who watches any table, and to those who work at
the table itself. It ends with the first answer.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Any

import msgspec

from punto.floor.job import ROW_BYTES
from punto.rules.role import LADDER, PIT, Role
from punto.server.access.throttle import slow_down
from punto.server.hall import Hall
from punto.server.http.answers import PitCallAnswer, PitCallsAnswer
from punto.server.http.endpoint import Answered, Endpoint, Inquiry
from punto.server.http.rejection import Rejected, ServerReason
from punto.server.routes.tables import found_table
from punto.server.stream.pit_calls import live_calls, pit_call_answer, tell_call
from punto.store.access import pit_calls as kept
from punto.store.access.pit_calls import PitAnswer, StoredPitCall

LONGEST_REASON = 200


class CallPit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call for somebody from the pit."""

    reason: Annotated[str, msgspec.Meta(max_length=LONGEST_REASON)] | None = None
    """Why, in a few words."""


class AnswerPitCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a call."""

    answer: PitAnswer


async def call_pit(ask: Inquiry) -> Any:
    loaded = await found_table(ask.hall, ask.path["id"])
    made = StoredPitCall(
        id=secrets.token_hex(9),
        table=loaded.id,
        caller=ask.caller.handle,
        role=next(role for role in LADDER if role in ask.caller.roles).value,
        reason=(ask.body.reason or "").strip() or None,
        called_ms=ask.hall.now(),
    )

    slow_down(ask.hall.kept, ask.caller.handle, len(made.reason or "") + ROW_BYTES)

    def write() -> StoredPitCall:
        with ask.hall.store.write() as transaction:
            return kept.add_pit_call(transaction, made)

    found = await asyncio.to_thread(write)
    if found is not made:
        return Answered(200, pit_call_answer(found))
    tell_call(ask.hall.hub, found)
    return pit_call_answer(found)


async def list_calls(ask: Inquiry) -> PitCallsAnswer:
    found = await asyncio.to_thread(live_calls, ask.hall.store, ask.hall.now())
    return PitCallsAnswer(tuple(map(pit_call_answer, found)))


async def answer_call(ask: Inquiry) -> PitCallAnswer:
    hall, caller, answer = ask.hall, ask.caller, ask.body.answer
    call = await asyncio.to_thread(_read, hall, ask.path["call"])
    is_own = answer is PitAnswer.CLEARED and call.caller == caller.handle
    if not is_own and not set(PIT) & set(caller.roles):
        raise Rejected(403, ServerReason.RANK_NEEDED, rank=Role.PIT_SUPERVISOR.value)
    now = hall.now()

    def write() -> bool:
        with hall.store.write() as transaction:
            return kept.answer_pit_call(transaction, call.id, answer, caller.handle, now)

    has_answered = await asyncio.to_thread(write)
    answered = await asyncio.to_thread(_read, hall, call.id)
    if not has_answered:
        raise Rejected(409, ServerReason.CALL_OVER, person=answered.answered_by or "")
    tell_call(hall.hub, answered)
    return pit_call_answer(answered)


def _read(hall: Hall, id: str) -> StoredPitCall:
    with hall.store.read() as reader:
        found = kept.pit_call(reader, id)
    if found is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"call {id}")
    return found


ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/tables/{id}/pit-calls",
        call=call_pit,
        summary="Call somebody from the pit to a table; 200 with the open call where there is one already.",
        tag="pit",
        body=CallPit,
        answer=PitCallAnswer,
        status=201,
        also={200: PitCallAnswer},
        roles=LADDER,
    ),
    Endpoint(
        method="GET",
        path="/pit-calls",
        call=list_calls,
        summary="Calls that nobody has answered, and those that somebody is coming to.",
        tag="pit",
        answer=PitCallsAnswer,
        roles=PIT,
    ),
    Endpoint(
        method="POST",
        path="/pit-calls/{call}",
        call=answer_call,
        summary="Say that you are coming, or clear the call; whoever called may clear it too.",
        tag="pit",
        body=AnswerPitCall,
        answer=PitCallAnswer,
        roles=LADDER,
        refuses=(409,),
    ),
)
