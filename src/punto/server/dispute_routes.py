"""Calls about rounds of one's own, and about rounds that are disputed: a player looks back and disputes, the pit is
told and answers.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

import msgspec

from punto.floor.answers import DisputesAnswer
from punto.floor.dispute import ANSWERERS
from punto.refusal import Refusal
from punto.rules.authority import PIT_ROLES, Role
from punto.server import count_room
from punto.server.broadcast import tell_dispute
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.history_routes import path_number
from punto.server.messages import MyRoundsAnswer
from punto.server.validation import SOME_TEXT, WHOLE_TABLE_ID, Rejected, ServerReason, not_there
from punto.store import dispute as stored
from punto.store.record import Dispute

MOST_DISPUTES, MOST_MY_ROUNDS = 200, 50
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=1_000, pattern=SOME_TEXT)]


class RaiseDispute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a player disputes a round."""

    text: Words


class AnswerDispute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house answers."""

    answer: Words


class DisputesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which disputes are wanted."""

    all: bool = False  # Those that were answered too, the latest first; otherwise the open ones, the oldest first.
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None  # With `all`: raised before this time.
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_DISPUTES)] = 50


class MyRoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of your rounds, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_MY_ROUNDS)] = 10
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None  # The `last` of the answer that you have.
    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)] | None = None  # Only rounds of this table.


async def raise_dispute(ask: Inquiry) -> Dispute | Refusal:
    """Dispute a finished round in which you had a bet; the pit is told."""
    loaded, number, app_state = await ask.table(), path_number(ask, "round"), ask.app_state
    state = loaded.table.state
    if state.round == number and state.is_in_round and state.settled is None:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {loaded.id}/{number}")
    wanted = (loaded.id, number, ask.caller.handle, ask.body.text)
    dispute = await asyncio.to_thread(app_state.disputes.raise_dispute, *wanted)
    if dispute is None:
        raise not_there(f"round {loaded.id}/{number}")
    if isinstance(dispute, Dispute):
        tell_dispute(app_state.broadcaster, dispute)
    return dispute


async def list_disputes(ask: Inquiry) -> DisputesAnswer:
    """Rounds that players dispute: the open ones, or all of them."""
    query = ask.query
    if query.all:
        found = await ask.app_state.read(lambda reader: stored.all_disputes(reader, query.before, query.limit))
    else:
        found = await ask.app_state.read(lambda reader: stored.open_disputes(reader, query.limit))
    return DisputesAnswer(tuple(found))


async def my_disputes(ask: Inquiry) -> DisputesAnswer:
    """What you have disputed, the latest first, with the answers."""
    return DisputesAnswer(tuple(await ask.app_state.read(lambda reader: stored.disputes_of(reader, ask.caller.handle))))


async def answer_dispute(ask: Inquiry) -> Dispute | Refusal:
    """Answer a dispute in words, as a pit manager or above; once."""
    disputes, caller, id = ask.app_state.disputes, ask.caller, ask.path["dispute"]
    dispute = await asyncio.to_thread(disputes.find, id)
    if dispute is None:
        raise not_there(f"dispute {id}")
    answered = await asyncio.to_thread(disputes.answer, dispute, ask.body.answer, caller.handle, caller.roles)
    if isinstance(answered, Dispute):
        tell_dispute(ask.app_state.broadcaster, answered)
    return answered


async def my_rounds(ask: Inquiry) -> Any:
    """Rounds in which you had a bet, at any table: bets, result, and what was decided for you."""
    handle, query = ask.caller.handle, ask.query
    wanted = (handle, query.limit, query.before, query.table)
    return await ask.app_state.counting.ask(handle, count_room.read_my_rounds, *wanted)


_dispute = partial(Endpoint, tag="disputes", answer=Dispute, refuses=(404, 409))
_by_page = partial(Endpoint, tag="accounts", query=MyRoundsQuery, is_act=False, cost=lambda query: 2 + query.limit // 5)
DISPUTE_ENDPOINTS = (
    _dispute(
        "POST", "/rounds/{id}/{round}/dispute", raise_dispute, body=RaiseDispute, status=201, roles=(Role.PLAYER,)
    ),
    Endpoint(
        *("GET", "/disputes", list_disputes),
        query=DisputesQuery,
        answer=DisputesAnswer,
        roles=(*PIT_ROLES, Role.AUDITOR),
    ),
    _dispute("POST", "/disputes/{dispute}", answer_dispute, body=AnswerDispute, roles=ANSWERERS),
    Endpoint("GET", "/accounts/me/disputes", my_disputes, tag="accounts", answer=DisputesAnswer),
    _by_page("GET", "/accounts/me/rounds", my_rounds, answer=MyRoundsAnswer),
)
