"""Giving a command: from what a client sent to the floor, over HTTP and over a stream alike.

Who gives it and when is for session and server to say. Where book or terms ask for a second person, the
command waits for one: exactly this command, for this version of the table, until it expires.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from punto.floor.job import Accepted, Job, encode_command, is_for_another, refuse_job
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.server.access.session_book import Caller
from punto.server.access.throttle import slow_down
from punto.server.corrections import SOMEBODY
from punto.server.hall import Hall
from punto.server.http.command_body import CommandRequest, command_of
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access.approvals import AskedBody, StoredApproval
from punto.table.acting import authority_for, refusal_of
from punto.table.command import Command
from punto.table.header import Person
from punto.table.state import Table

LARGEST_COMMAND = 16 * 1024
"""Bytes of one command: the longest that anybody can mean, terms with every entry, has a third."""


async def give(
    hall: Hall, caller: Caller, table: str, request: CommandRequest
) -> Accepted | Refusal | StoredApproval:
    """Give a command for a table, or keep it for a second person."""
    role = caller.role(request.role)
    loaded = await hall.hub.table(table)
    if loaded is None:
        return Refusal(Reason.NO_TABLE, None, {"table": table})
    command = command_of(request.command, actor=caller.handle, role=role, key=request.key, time=hall.now())
    if len(encode_command(command)) > LARGEST_COMMAND:
        raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_COMMAND)
    slow_down(hall.given, caller.handle)
    needs = second_of(loaded.table, command)
    if needs is None and role is Role.PLAYER:
        return await hall.tray.give(table, command, request.expected)
    asked = AskedBody(encode_asked(command), request.expected)
    before = await asyncio.to_thread(hall.approvals.asked_before, command, asked, table)
    if before is not None:
        return before
    if needs is None:
        return await hall.tray.give(table, command, request.expected)
    return await _ask(hall, table, command, needs, request.expected)


def second_of(table: Table, command: Command) -> Role | None:
    """The rank of the second person that a command needs; None where the role may not give it at all."""
    authority = authority_for(table, command)
    if command.role not in authority.roles:
        return None
    # Whoever bets for somebody else has that person's word, or an employee who has heard it too.
    return authority.second or (Role.DEALER if is_for_another(command) else None)


async def _ask(
    hall: Hall, table: str, command: Command, needs: Role, expected: int | None
) -> StoredApproval | Refusal:
    """Keep a command for a second person, unless it would be refused whoever agrees."""
    loaded = await asyncio.to_thread(hall.floor.table, table)  # as the store has it: a refusal is kept
    assert loaded is not None, "tables are never removed"
    body = AskedBody(encode_asked(command), expected)
    refusal = refuse_job(Job(table, command, expected), loaded.version, loaded.table.state)
    if loaded.imported:
        refusal = Refusal(Reason.TABLE_IMPORTED, None, {"table": table})
    if refusal is None:
        refusal = refusal_of(loaded.table, _seconded(command, Person(SOMEBODY, needs)))
    if refusal is not None and refusal.reason is not Reason.CARD_NEEDED:
        return await hall.approvals.refuse(command, body, needs, table, refusal)
    is_word = authority_for(loaded.table, command).second is None
    return await hall.approvals.ask(command, body, needs, table, None if is_word else loaded.version)


def encode_asked(command: Command) -> str:
    """A command as it waits: without its time, which is that of the decision."""
    asked: Any = msgspec.structs.replace(command, time=0)
    return encode_command(asked)


def _seconded(command: Any, second: Person) -> Any:
    return msgspec.structs.replace(command, second=second)
