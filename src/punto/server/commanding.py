"""Giving a command: from what a client sent to the floor, over HTTP and over a stream alike.

Who gives it and when is for session and server to say. Where book or terms ask for a second person, the
command waits for one: exactly this command, for this version of the table, until it expires.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import msgspec

from punto.floor.floor import Floor
from punto.floor.job import Accepted, decode_command, encode_command
from punto.refusal import Reason, Refusal
from punto.rules.authority import authority_over
from punto.rules.role import Role
from punto.server.access.session_book import Caller
from punto.server.hall import Hall
from punto.server.http.command_body import CommandRequest, command_of
from punto.server.stream.frames import ApprovalFrame, encoder
from punto.store.access import approvals as kept
from punto.store.access.approvals import StoredApproval
from punto.table.acting import refusal_of
from punto.table.command import Command
from punto.table.header import CommandHeader, Person
from punto.table.state import Table


async def submit(floor: Floor, table: str, command: Command, expected: int | None) -> Accepted | Refusal:
    """Give a command to the floor and wait until what came of it is durable."""
    return await asyncio.wrap_future(floor.submit(table, command, expected))


async def give(
    hall: Hall, caller: Caller, table: str, request: CommandRequest
) -> Accepted | Refusal | StoredApproval:
    """Give a command for a table, or keep it for a second person."""
    role = caller.role(request.role)
    loaded = await hall.hub.table(table)
    if loaded is None:
        return Refusal(Reason.NO_TABLE, None, {"table": table})
    command = command_of(request.command, actor=caller.handle, role=role, key=request.key, time=hall.now())
    if role is not Role.PLAYER:
        before = await asyncio.to_thread(_asked_before, hall, command, table)
        if before is not None:
            return before
    needs = second_of(loaded.table, command)
    if needs is None:
        return await submit(hall.floor, table, command, request.expected)
    version = loaded.version if request.expected is None else request.expected
    if version != loaded.version:
        return Refusal(Reason.VERSION, None, {"expected": version, "now": loaded.version})
    refusal = refusal_of(loaded.table, _seconded(command, Person(SOMEBODY, needs)))
    if refusal is not None and refusal.reason is not Reason.CARD_NEEDED:
        return refusal
    body = encode_asked(command)
    return await keep(hall, caller, needs, command, table=table, version=version, body=body)


def second_of(table: Table, command: Command) -> Role | None:
    """The rank of the second person that a command needs; None where the role may not give it at all."""
    of_terms = table.terms.authority if table.state.terms is not None else ()
    authority = authority_over(command.name(), table.book.authority, of_terms)
    return authority.second if command.role in authority.roles else None


async def keep(
    hall: Hall,
    caller: Caller,
    needs: Role,
    command: CommandHeader,
    *,
    table: str | None,
    version: int | None,
    body: str,
) -> StoredApproval | Refusal:
    """Keep a command until a second person decides; the same key and body have the same answer again."""
    now = hall.now()
    made = StoredApproval(
        id=secrets.token_urlsafe(9).replace("_", "x").replace("-", "y"),
        table=table,
        actor=caller.handle,
        role=command.role.value,
        key=command.key,
        body=body,
        version=version,
        needs=needs.value,
        asked_ms=now,
        expires_ms=now + hall.settings.approval_ms,
    )

    def write() -> StoredApproval | Refusal:
        with hall.store.write() as transaction:
            before = kept.approval_of(transaction, made.actor, made.key)
            if before is not None:
                return _again(before, table, made.role, made.body)
            if transaction.answer(made.actor, made.key) is not None:
                return Refusal(Reason.KEY_REUSED, None, {"key": made.key})
            kept.add_approval(transaction, made)
            return made

    found = await asyncio.to_thread(write)
    if found is made:
        tell(hall, made)
    return found


def _asked_before(hall: Hall, command: Command, table: str) -> StoredApproval | Refusal | None:
    """What was answered to this key, if it was for something that needs a second person."""
    with hall.store.read() as reader:
        before = kept.approval_of(reader, command.actor, command.key)
    return None if before is None else _again(before, table, command.role.value, encode_asked(command))


def _again(before: StoredApproval, table: str | None, role: str, body: str) -> StoredApproval | Refusal:
    is_same = (before.table, before.role, before.body) == (table, role, body)
    return before if is_same else Refusal(Reason.KEY_REUSED, None, {"key": before.key})


def tell(hall: Hall, approval: StoredApproval, decision: str | None = None) -> None:
    """Tell the staff who watch the table, and whoever asked."""
    needs = Role(approval.needs)
    frame = encoder.encode(ApprovalFrame(approval.id, needs, approval.expires_ms, decision))
    hall.hub.tell(
        approval.table,
        frame,
        lambda watcher: watcher.viewer.role.is_at_least(needs) or watcher.viewer.name == approval.actor,
    )


def encode_asked(command: Command) -> str:
    """A command as it waits: without its time, which is that of the decision."""
    return encode_command(_timed(command, 0))


def _timed(command: Any, time: int) -> Any:
    return msgspec.structs.replace(command, time=time)


def _seconded(command: Any, second: Person) -> Any:
    return msgspec.structs.replace(command, second=second)


def agreed(approval: StoredApproval, second: Person, now: int) -> Command:
    """The command that waited, with the person who agreed to it."""
    command: Command = _seconded(_timed(decode_command(approval.body), now), second)
    return command


SOMEBODY = "somebody else"
"""Whoever may agree."""
