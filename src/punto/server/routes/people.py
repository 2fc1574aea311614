"""People and their roles, for administrators. Nobody changes their own roles, and one administrator stays."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.server.access.likeness import is_of_the_house, is_readable, look_alike
from punto.server.access.password import LEAST, MOST
from punto.server.hall import Hall
from punto.server.http.answers import MemberAnswer, PeopleAnswer
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.pattern import CURRENCY, HANDLE
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access.roles import (
    StoredMember,
    administrators,
    lock_people,
    members,
    roles_of,
    set_roles,
)
from punto.store.access.sessions import end_sessions_of
from punto.store.stored import StoredAccount, StoredPerson

ADMINISTRATORS = (Role.ADMINISTRATOR,)
NewName = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=HANDLE)]
"""Without blanks at its ends, and without a slash, which parts the names of accounts in the ledger."""
NewPassword = Annotated[str, msgspec.Meta(min_length=LEAST, max_length=MOST)]
Roles = Annotated[tuple[Role, ...], msgspec.Meta(max_length=len(Role))]


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may log in."""

    name: NewName
    """In every event of theirs, and never given to anybody else."""
    password: NewPassword
    roles: Roles = (Role.PLAYER,)
    currency: Annotated[str, msgspec.Meta(pattern=CURRENCY)] = "USD"
    display: Annotated[str, msgspec.Meta(max_length=200)] | None = None


class SetRoles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All roles of a person."""

    roles: Roles


class SetPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password."""

    password: NewPassword


async def list_people(ask: Inquiry) -> PeopleAnswer:
    def read() -> list[StoredMember]:
        with ask.hall.store.read() as reader:
            return members(reader)

    return PeopleAnswer(tuple(_answer(member) for member in await asyncio.to_thread(read)))


async def add_person(ask: Inquiry) -> Any:
    hall, body = ask.hall, ask.body
    name = body.name
    if not is_readable(name):
        raise Rejected(409, ServerReason.UNSEEN_NAME)
    if is_of_the_house(name):
        raise Rejected(409, ServerReason.HOUSE_NAME, name=name)
    hashed = await hall.passwords.hash(body.password)

    def write() -> Any:
        with hall.store.write() as transaction:
            lock_people(transaction)
            taken = look_alike(name, (member.handle for member in members(transaction)))
            if taken is not None:
                return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": taken})
            transaction.add_account(StoredAccount(name, body.currency, hall.now()))
            transaction.set_person(StoredPerson(name, body.display, None, hashed))
            set_roles(transaction, name, body.roles, ask.caller.handle, hall.now())
            return _member(transaction, name)

    return await asyncio.to_thread(write)


async def change_roles(ask: Inquiry) -> Any:
    hall, handle, wanted = ask.hall, ask.path["handle"], ask.body.roles
    if handle == ask.caller.handle:
        raise Rejected(403, ServerReason.OWN_ROLES)

    def write() -> Any:
        with hall.store.write() as transaction:
            lock_people(transaction)
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            loses = Role.ADMINISTRATOR in roles_of(transaction, handle) and Role.ADMINISTRATOR not in wanted
            if loses and administrators(transaction) == 1:
                raise Rejected(409, ServerReason.LAST_ADMINISTRATOR, person=handle)
            set_roles(transaction, handle, wanted, ask.caller.handle, hall.now())
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    hall.sessions.forget(handle)
    hall.hub.look(handle)
    return answer


async def change_password(ask: Inquiry) -> Any:
    """A new password, for oneself; every session ends."""
    return await _set_password(ask.hall, ask.caller.handle, ask.body.password)


async def reset_password(ask: Inquiry) -> Any:
    """A new password for somebody else."""
    return await _set_password(ask.hall, ask.path["handle"], ask.body.password)


async def _set_password(hall: Hall, handle: str, password: str) -> MemberAnswer:
    hashed = await hall.passwords.hash(password)

    def write() -> MemberAnswer:
        with hall.store.write() as transaction:
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            person = transaction.person(handle) or StoredPerson(handle)
            transaction.set_person(msgspec.structs.replace(person, password=hashed))
            end_sessions_of(transaction, handle)
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    hall.sessions.forget(handle)
    hall.hub.look(handle)
    return answer


def _member(transaction: Any, handle: str) -> MemberAnswer:
    return next(_answer(member) for member in members(transaction) if member.handle == handle)


def _answer(member: StoredMember) -> MemberAnswer:
    return MemberAnswer(member.handle, member.display, member.currency, member.roles, member.has_password)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/people",
        call=list_people,
        summary="Everybody who has an account, with their roles.",
        tag="people",
        answer=PeopleAnswer,
        roles=ADMINISTRATORS,
    ),
    Endpoint(
        method="POST",
        path="/people",
        call=add_person,
        summary="Add somebody who may log in.",
        tag="people",
        body=NewPerson,
        answer=MemberAnswer,
        status=201,
        roles=ADMINISTRATORS,
        is_fresh=True,
        refuses=(409,),
    ),
    Endpoint(
        method="PUT",
        path="/people/{handle}/roles",
        call=change_roles,
        summary="Set the roles of somebody else.",
        tag="people",
        body=SetRoles,
        answer=MemberAnswer,
        roles=ADMINISTRATORS,
        is_fresh=True,
        refuses=(409,),
    ),
    Endpoint(
        method="PUT",
        path="/people/{handle}/password",
        call=reset_password,
        summary="Give somebody a new password; their sessions end.",
        tag="people",
        body=SetPassword,
        answer=MemberAnswer,
        roles=ADMINISTRATORS,
        is_fresh=True,
    ),
    Endpoint(
        method="PUT",
        path="/accounts/me/password",
        call=change_password,
        summary="Change your own password; all your sessions end.",
        tag="accounts",
        body=SetPassword,
        answer=MemberAnswer,
        is_fresh=True,
        refuses=(404,),
    ),
)
