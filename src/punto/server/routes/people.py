"""People and their roles, for administrators. Nobody changes their own roles, and one administrator stays."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.server.access.likeness import is_of_the_house, is_readable, look_alike
from punto.server.access.password import LEAST, MOST
from punto.server.http.answers import MemberAnswer, PeopleAnswer
from punto.server.http.complaint import listed
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.pattern import CURRENCY, HANDLE
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access.people import change_password, let_in
from punto.store.access.roles import StoredMember, lock_people, members, roles_of, set_roles
from punto.store.access.sessions import session_of
from punto.store.stored import StoredPerson
from punto.store.transaction import Transaction

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
    hashed = await hall.passwords.hash(body.password, ask.address, ask.caller.handle)

    def write() -> Any:
        with hall.store.write() as transaction:
            _check_still(transaction, ask)
            taken = look_alike(name, (member.handle for member in members(transaction)))
            if taken is not None:
                return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": taken})
            person = StoredPerson(name, body.display, None, hashed)
            let_in(transaction, person, body.currency, body.roles, ask.caller.handle, hall.now())
            return _member(transaction, name)

    return await asyncio.to_thread(write)


async def change_roles(ask: Inquiry) -> Any:
    hall, handle, wanted = ask.hall, ask.path["handle"], ask.body.roles
    if handle == ask.caller.handle:
        raise Rejected(403, ServerReason.OWN_ROLES)

    def write() -> Any:
        with hall.store.write() as transaction:
            _check_still(transaction, ask)
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            set_roles(transaction, handle, wanted, ask.caller.handle, hall.now())
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    hall.sessions.forget(handle)
    hall.hub.look(handle)
    return answer


async def change_own_password(ask: Inquiry) -> Any:
    """A new password, for oneself; every session ends."""
    return await _set_password(ask, ask.caller.handle)


async def reset_password(ask: Inquiry) -> Any:
    """A new password for somebody else."""
    return await _set_password(ask, ask.path["handle"])


async def _set_password(ask: Inquiry, handle: str) -> MemberAnswer:
    hall, is_own = ask.hall, handle == ask.caller.handle
    hashed = await hall.passwords.hash(ask.body.password, ask.address, ask.caller.handle)

    def write() -> MemberAnswer:
        with hall.store.write() as transaction:
            _check_still(transaction, ask, () if is_own else ADMINISTRATORS)
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            change_password(transaction, handle, hashed, ask.caller.handle, hall.now())
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    hall.sessions.forget(handle)
    hall.hub.look(handle)
    return answer


def _check_still(transaction: Transaction, ask: Inquiry, roles: tuple[Role, ...] = ADMINISTRATORS) -> None:
    """Whoever asks may still do so: session and role may have ended while a password was hashed."""
    lock_people(transaction)
    if session_of(transaction, ask.caller.session.token) is None:
        raise Rejected(401, ServerReason.NO_SESSION)
    if roles and not set(roles) & set(roles_of(transaction, ask.caller.handle)):
        raise Rejected(403, ServerReason.ROLE_NEEDED, roles=listed([role.value for role in roles]))


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
        needs_role=False,
        call=change_own_password,
        summary="Change your own password; all your sessions end.",
        tag="accounts",
        body=SetPassword,
        answer=MemberAnswer,
        is_fresh=True,
        refuses=(404,),
    ),
)
