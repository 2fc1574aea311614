"""Commands for tables, and what waits for a second person."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any

import msgspec

from punto.floor.job import Accepted
from punto.refusal import Refusal
from punto.rules.role import Role
from punto.server.access.session_book import Caller
from punto.server.approval_desk import EXPIRED, decides_as, decision_of, outcome_of
from punto.server.commanding import give
from punto.server.hall import Hall
from punto.server.http.answers import (
    ApprovalAnswer,
    ApprovalsAnswer,
    CommandAnswer,
    DecidedAnswer,
    WaitingAnswer,
)
from punto.server.http.command_body import CommandRequest
from punto.server.http.endpoint import Answered, Endpoint, Inquiry
from punto.server.http.rejection import Rejected, ServerReason, text_of
from punto.server.routes.tables import found_table
from punto.store.access import approvals as kept
from punto.store.access.approvals import StoredApproval
from punto.table.header import Person
from punto.views.asked import HEADER
from punto.views.seen import SeenRecord, seen_record
from punto.views.viewer import Viewer


class Verdict(Enum):
    """What a second person says."""

    APPROVE = "approve"
    DECLINE = "decline"


class Decide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The decision of a second person."""

    decision: Verdict


async def command(ask: Inquiry) -> Any:
    ask.caller.role(ask.body.role)
    table = await found_table(ask.hall, ask.path["id"])
    found = await give(ask.hall, ask.caller, table.id, ask.body)
    if isinstance(found, Accepted):
        return CommandAnswer(
            found.version, await seen_events(ask.hall, found, Viewer(ask.caller.handle, ask.body.role))
        )
    return waiting(found) if isinstance(found, StoredApproval) else found


async def seen_events(hall: Hall, accepted: Accepted, viewer: Viewer) -> tuple[SeenRecord, ...]:
    """The events of an answer, as whoever asked may see them."""
    steps = await hall.hub.steps(accepted.table, accepted.records)
    return tuple(seen_record(state, record, viewer) for state, record in steps)


def waiting(approval: StoredApproval) -> Answered:
    """The answer to a command that waits."""
    return Answered(202, WaitingAnswer(approval.id, Role(approval.needs), approval.expires_ms))


async def list_approvals(ask: Inquiry) -> ApprovalsAnswer:
    now = ask.hall.now()

    def read() -> list[StoredApproval]:
        with ask.hall.store.read() as reader:
            return kept.waiting_approvals(reader, now)

    found = await asyncio.to_thread(read)
    answers = (approval_answer(approval, ask.caller, ask.hall.now()) for approval in found)
    return ApprovalsAnswer(tuple(a for a in answers if a.yours or a.actor == ask.caller.handle))


async def show_approval(ask: Inquiry) -> ApprovalAnswer:
    approval = await _found(ask)
    answer = approval_answer(approval, ask.caller, ask.hall.now())
    caller = ask.caller
    if approval.actor != caller.handle and decides_as(caller.handle, caller.roles, approval) is None:
        raise Rejected(403, ServerReason.RANK_NEEDED, rank=approval.needs)
    return answer


async def decide(ask: Inquiry) -> Any:
    """Approve exactly the command that waits, or decline it."""
    hall, approval, verdict = ask.hall, await _found(ask), ask.body.decision
    if approval.actor == ask.caller.handle:
        raise Rejected(403, ServerReason.OWN_APPROVAL)
    role = decides_as(ask.caller.handle, ask.caller.roles, approval)
    if role is None:
        raise Rejected(403, ServerReason.RANK_NEEDED, rank=approval.needs)
    second = Person(ask.caller.handle, role)
    if not await hall.approvals.decide(approval, verdict.value, second):
        is_late = (await _found(ask)).decision in (None, EXPIRED)
        why = "has expired" if is_late else "was decided already"
        raise Rejected(409, ServerReason.APPROVAL_OVER, why=why)
    if verdict is Verdict.DECLINE:
        return DecidedAnswer(verdict.value)
    found = await hall.approvals.carry_out(approval, second)
    if isinstance(found, Refusal):
        return found
    if found is None:
        return DecidedAnswer(verdict.value)
    events = await seen_events(hall, found, Viewer(ask.caller.handle, role))
    return DecidedAnswer(verdict.value, found.version, events)


async def _found(ask: Inquiry) -> StoredApproval:
    id = ask.path["approval"]

    def read() -> StoredApproval | None:
        with ask.hall.store.read() as reader:
            return kept.approval(reader, id)

    found = await asyncio.to_thread(read)
    if found is None:
        raise Rejected(404, ServerReason.NOT_THERE, what=f"approval {id}")
    return found


def approval_answer(approval: StoredApproval, caller: Caller, now: int) -> ApprovalAnswer:
    """Something that waits, as a caller sees it."""
    asked: dict[str, Any] = msgspec.json.decode(approval.body)
    outcome = outcome_of(approval)
    return ApprovalAnswer(
        approval=approval.id,
        table=approval.table,
        actor=approval.actor,
        role=Role(approval.role),
        command={name: value for name, value in asked.items() if name not in HEADER},
        version=approval.version,
        needs=Role(approval.needs),
        asked=approval.asked_ms,
        expires=approval.expires_ms,
        yours=approval.actor != caller.handle
        and decides_as(caller.handle, caller.roles, approval) is not None,
        decision=decision_of(approval, now),
        decided_by=approval.decided_by,
        done=outcome.version,
        refusal=text_of(outcome.refusal) if outcome.refusal is not None else None,
    )


COMMAND = Endpoint(
    method="POST",
    path="/tables/{id}/commands",
    call=command,
    summary="Give a command; the same key and body have the same answer again.",
    tag="tables",
    body=CommandRequest,
    answer=CommandAnswer,
    also={202: WaitingAnswer},
    needs_role=False,
    refuses=(409,),
)
"""The call that bets are placed by."""
ENDPOINTS = (
    COMMAND,
    Endpoint(
        method="GET",
        path="/approvals",
        call=list_approvals,
        summary="What waits for a second person: yours to decide, and what you asked for.",
        tag="approvals",
        answer=ApprovalsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/approvals/{approval}",
        call=show_approval,
        summary="One of them, decided or not.",
        tag="approvals",
        answer=ApprovalAnswer,
    ),
    Endpoint(
        method="POST",
        path="/approvals/{approval}",
        call=decide,
        summary="Approve or decline, as the second person; the answer is the command's.",
        tag="approvals",
        body=Decide,
        answer=DecidedAnswer,
        refuses=(409,),
    ),
)
