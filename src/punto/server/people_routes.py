"""Calls about people and their money: logging in and out, people and roles, the caller's own account, the
cashier.

Nobody changes their own roles, and one administrator stays. Putting an account right takes a second
person.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.floor.desk import free_after, holdings_of
from punto.ledger.movement import Movement, player_account
from punto.malformed import listed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server.access import LONGEST_PASSWORD, SHORTEST_PASSWORD
from punto.server.app_state import AppState
from punto.server.approvals import CorrectAccount, refusal_of_correction
from punto.server.count_room import count_cost
from punto.server.endpoint import Answered, Endpoint, Inquiry
from punto.server.messages import (
    LARGEST_AMOUNT,
    LONGEST_KEY,
    AccountAnswer,
    Amount,
    CostEntry,
    CostsAnswer,
    LoggedInAnswer,
    MemberAnswer,
    MovedAnswer,
    PeopleAnswer,
    SessionAnswer,
    StatementAnswer,
    StatementEntry,
    TicketAnswer,
    WaitingAnswer,
)
from punto.server.sessions import Caller, is_of_the_house, is_readable, look_alike
from punto.server.validation import CURRENCY, HANDLE, Rejected, ServerReason
from punto.store.people import (
    StoredMember,
    change_password,
    let_in,
    lock_people,
    members,
    roles_of,
    session_of,
    set_roles,
)
from punto.store.pit import AskedBody
from punto.store.reader import brought_by_table, latest_lines, staked_by_area
from punto.store.record import StatementLine, StoredPerson
from punto.store.transaction import Transaction
from punto.table.header import Person
from punto.table.state import State

GivenName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
GivenPassword = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password."""

    name: GivenName
    password: GivenPassword


class PasswordAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of the caller."""

    password: GivenPassword


async def log_in(ask: Inquiry) -> Answered:
    found = await ask.app_state.sessions.log_in(ask.body.name, ask.body.password, ask.address)
    caller, expires = found.caller, found.caller.session.expires_ms
    answer = LoggedInAnswer(caller.handle, caller.roles, found.token, caller.csrf, expires)
    seconds = max(1, (expires - ask.app_state.now()) // 1000)
    return Answered(201, answer, ((found.token, seconds),))


async def current_session(ask: Inquiry) -> SessionAnswer:
    return session_answer(ask.caller)


async def log_out(ask: Inquiry) -> Answered:
    await ask.app_state.sessions.log_out(ask.caller)
    ask.app_state.broadcaster.look(ask.caller.handle)
    return Answered(204, None, (("", 0),))


async def authenticate(ask: Inquiry) -> SessionAnswer:
    return session_answer(await ask.app_state.sessions.authenticate(ask.caller, ask.body.password, ask.address))


async def stream_ticket(ask: Inquiry) -> TicketAnswer:
    return TicketAnswer(*await ask.app_state.sessions.ticket(ask.caller))


def session_answer(caller: Caller) -> SessionAnswer:
    session = caller.session
    return SessionAnswer(caller.handle, caller.roles, caller.csrf, session.expires_ms, session.authenticated_ms)


SESSION_ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/sessions",
        call=log_in,
        summary="Log in; the answer has a token for programs and sets a cookie for browsers.",
        tag="sessions",
        body=LogIn,
        answer=LoggedInAnswer,
        status=201,
        is_open=True,
        refuses=(401,),
    ),
    Endpoint(
        method="GET",
        path="/sessions/current",
        needs_role=False,
        call=current_session,
        summary="Who you are, with the CSRF token of the session.",
        tag="sessions",
        answer=SessionAnswer,
    ),
    Endpoint(
        method="DELETE",
        path="/sessions/current",
        needs_role=False,
        call=log_out,
        summary="Log out.",
        tag="sessions",
        status=204,
    ),
    Endpoint(
        method="POST",
        path="/sessions/current/authenticate",
        needs_role=False,
        call=authenticate,
        summary="Give your password again, for acts that ask for it.",
        tag="sessions",
        body=PasswordAgain,
        answer=SessionAnswer,
    ),
    Endpoint(
        method="POST",
        path="/tickets",
        call=stream_ticket,
        summary="A ticket for one stream: used once, within 30 seconds.",
        tag="sessions",
        answer=TicketAnswer,
    ),
)


# People and their roles, for administrators. Nobody changes their own roles, and one administrator stays.


ADMINISTRATORS = (Role.ADMINISTRATOR,)
NewName = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=HANDLE)]
"""Without blanks at its ends, and without a slash, which parts the names of accounts in the ledger."""
NewPassword = Annotated[str, msgspec.Meta(min_length=SHORTEST_PASSWORD, max_length=LONGEST_PASSWORD)]
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
        with ask.app_state.store.read() as reader:
            return members(reader)

    return PeopleAnswer(tuple(_member_answer(member) for member in await asyncio.to_thread(read)))


async def add_person(ask: Inquiry) -> Any:
    app_state, body = ask.app_state, ask.body
    name = body.name
    if not is_readable(name):
        raise Rejected(409, ServerReason.UNSEEN_NAME)
    if is_of_the_house(name):
        raise Rejected(409, ServerReason.HOUSE_NAME, name=name)
    hashed = await app_state.passwords.hash(body.password, ask.address, ask.caller.handle)

    def write() -> Any:
        with app_state.store.write() as transaction:
            _check_still(transaction, ask)
            taken = look_alike(name, (member.handle for member in members(transaction)))
            if taken is not None:
                return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": taken})
            person = StoredPerson(name, body.display, None, hashed)
            let_in(transaction, person, body.currency, body.roles, ask.caller.handle, app_state.now())
            return _member(transaction, name)

    return await asyncio.to_thread(write)


async def change_roles(ask: Inquiry) -> Any:
    app_state, handle, wanted = ask.app_state, ask.path["handle"], ask.body.roles
    if handle == ask.caller.handle:
        raise Rejected(403, ServerReason.OWN_ROLES)

    def write() -> Any:
        with app_state.store.write() as transaction:
            _check_still(transaction, ask)
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            set_roles(transaction, handle, wanted, ask.caller.handle, app_state.now())
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    app_state.sessions.forget(handle)
    app_state.broadcaster.look(handle)
    return answer


async def change_own_password(ask: Inquiry) -> Any:
    """A new password, for oneself; every session ends."""
    return await _set_password(ask, ask.caller.handle)


async def reset_password(ask: Inquiry) -> Any:
    """A new password for somebody else."""
    return await _set_password(ask, ask.path["handle"])


async def _set_password(ask: Inquiry, handle: str) -> MemberAnswer:
    app_state, is_own = ask.app_state, handle == ask.caller.handle
    hashed = await app_state.passwords.hash(ask.body.password, ask.address, ask.caller.handle)

    def write() -> MemberAnswer:
        with app_state.store.write() as transaction:
            _check_still(transaction, ask, () if is_own else ADMINISTRATORS)
            if transaction.account(handle) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
            change_password(transaction, handle, hashed, ask.caller.handle, app_state.now())
            return _member(transaction, handle)

    answer = await asyncio.to_thread(write)
    app_state.sessions.forget(handle)
    app_state.broadcaster.look(handle)
    return answer


def _check_still(transaction: Transaction, ask: Inquiry, roles: tuple[Role, ...] = ADMINISTRATORS) -> None:
    """Whoever asks may still do so: session and role may have ended while a password was hashed."""
    lock_people(transaction)
    if session_of(transaction, ask.caller.session.token) is None:
        raise Rejected(401, ServerReason.NO_SESSION)
    if roles and not set(roles) & set(roles_of(transaction, ask.caller.handle)):
        raise Rejected(403, ServerReason.ROLE_NEEDED, roles=listed([role.value for role in roles]))


def _member(transaction: Any, handle: str) -> MemberAnswer:
    return next(_member_answer(member) for member in members(transaction) if member.handle == handle)


def _member_answer(member: StoredMember) -> MemberAnswer:
    return MemberAnswer(member.handle, member.display, member.currency, member.roles, member.has_password)


PEOPLE_ENDPOINTS = (
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


# The caller's own account: what is free and held, and every movement.


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


def account_answer(app_state: AppState, handle: str) -> AccountAnswer:
    """What somebody is and has; for a thread."""
    with app_state.store.read() as reader:
        account, person = reader.account(handle), reader.person(handle)
        if account is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
        holds, roles = holdings_of(reader, handle), roles_of(reader, handle)
    display = person.display if person else None
    return AccountAnswer(handle, display, roles, account.currency, holds.free, holds.held)


def statement_answer(app_state: AppState, handle: str, query: Any) -> StatementAnswer:
    """Movements of an account; for a thread."""
    with app_state.store.read() as reader:
        account = reader.account(handle)
        if account is None:
            raise Rejected(404, ServerReason.NOT_THERE, what=f"account {handle}")
        if query.latest or query.before is not None:
            lines = latest_lines(reader, handle, query.before, query.limit)
        else:
            lines = reader.statement(player_account(handle), query.after, query.limit)
    entries = tuple(_statement_entry(line) for line in lines)
    return StatementAnswer(handle, account.currency, entries, entries[-1].id if entries else query.after)


def _statement_entry(line: StatementLine) -> StatementEntry:
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


async def my_account(ask: Inquiry) -> AccountAnswer:
    return await asyncio.to_thread(account_answer, ask.app_state, ask.caller.handle)


async def my_statement(ask: Inquiry) -> StatementAnswer:
    return await asyncio.to_thread(statement_answer, ask.app_state, ask.caller.handle, ask.query)


async def my_costs(ask: Inquiry) -> CostsAnswer:
    """What play was expected to cost, beside what it did."""
    app_state, handle = ask.app_state, ask.caller.handle

    def read() -> tuple[dict[str, dict[str, int]], dict[str, int], dict[str, int]]:
        with app_state.store.read() as reader:
            held = holdings_of(reader, handle).held
            return staked_by_area(reader, handle), brought_by_table(reader, handle), held

    staked, brought, held = await asyncio.to_thread(read)
    entries = []
    for id, by_area in staked.items():
        loaded = await app_state.broadcaster.table(id)
        if loaded is not None and loaded.table.state.terms is not None:
            actual = brought[id] + held.get(id, 0) + _in_play(loaded.table.state, handle)
            found = await app_state.counting.ask(handle, count_cost, id, by_area, actual)
            entries.append(msgspec.json.decode(found, type=CostEntry))
    return CostsAnswer(tuple(entries))


def _in_play(state: State, handle: str) -> int:
    """What lies on a table undecided, and so has neither been lost nor won."""
    is_open = state.is_in_round and state.settled is None
    return sum(stake.amount for stake in state.stakes if stake.player == handle) if is_open else 0


ACCOUNT_ENDPOINTS = (
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
        call=my_account,
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


# The cashier: money in, money out, and putting an account right, which takes a second person.


CASHIERS = (Role.CASHIER,)
ACCOUNT_READERS = (Role.CASHIER, Role.AUDITOR, Role.SHIFT_MANAGER)
MovementKey = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)]


class Cash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a player brings or takes away."""

    key: MovementKey
    """Chosen by the client; the same key with the same body is carried out once."""
    account: GivenName
    amount: Amount


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be put right."""

    key: MovementKey
    account: GivenName
    amount: Annotated[int, msgspec.Meta(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT)]
    """Minor units; negative to take something off."""
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


async def buy_in(ask: Inquiry) -> Any:
    return await _cash(ask, ask.app_state.desk.buy_in)


async def cash_out(ask: Inquiry) -> Any:
    return await _cash(ask, ask.app_state.desk.cash_out)


async def _cash(ask: Inquiry, act: Any) -> Any:
    body, app_state = ask.body, ask.app_state
    by = Person(ask.caller.handle, Role.CASHIER)
    found = await asyncio.to_thread(act, body.account, body.amount, by, app_state.now(), body.key)
    if isinstance(found, Refusal):
        return found
    return await asyncio.to_thread(_moved, app_state, found, by.name, body.key)


async def correct_account(ask: Inquiry) -> Any:
    """Keep a correction until a second person agrees."""
    body, app_state = ask.body, ask.app_state
    command = CorrectAccount(
        actor=ask.caller.handle,
        role=Role.CASHIER,
        key=body.key,
        account=body.account,
        amount=body.amount,
        reason=body.reason,
    )
    text, needs = AskedBody(msgspec.json.encode(command).decode()), Role.PIT_MANAGER
    found = await asyncio.to_thread(app_state.approvals.asked_before, command, text, None)
    if found is None:
        refusal = await asyncio.to_thread(refusal_of_correction, app_state, command)
        if refusal is not None:
            found = await app_state.approvals.refuse(command, text, needs, None, refusal)
        else:
            found = await app_state.approvals.ask(command, text, needs, None, None)
    if isinstance(found, Refusal):
        return found
    return Answered(202, WaitingAnswer(found.id, Role(found.needs), found.expires_ms))


def _moved(app_state: AppState, movement: Movement, actor: str, key: str) -> MovedAnswer:
    """As it was answered the first time: what is free now may be something else."""
    handle = movement.player or ""
    name = player_account(handle)
    amount = next(posting.amount for posting in movement.postings if posting.account == name)
    with app_state.store.read() as reader:
        kept = free_after(reader, actor, key)
        free = reader.balances([name])[name] if kept is None else kept
    return MovedAnswer(handle, movement.kind.value, amount, free)


async def show_account(ask: Inquiry) -> AccountAnswer:
    return await asyncio.to_thread(account_answer, ask.app_state, ask.path["handle"])


async def show_statement(ask: Inquiry) -> StatementAnswer:
    return await asyncio.to_thread(statement_answer, ask.app_state, ask.path["handle"], ask.query)


CASHIER_ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/cashier/buy-in",
        call=buy_in,
        summary="A player brings money.",
        tag="cashier",
        body=Cash,
        answer=MovedAnswer,
        roles=CASHIERS,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/cashier/cash-out",
        call=cash_out,
        summary="A player takes money away.",
        tag="cashier",
        body=Cash,
        answer=MovedAnswer,
        roles=CASHIERS,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/cashier/correct",
        call=correct_account,
        summary="Put an account right: it waits for a pit manager or above, and the house bears it.",
        tag="cashier",
        body=Correction,
        answer=WaitingAnswer,
        status=202,
        roles=CASHIERS,
        is_fresh=True,
        refuses=(409,),
    ),
    Endpoint(
        method="GET",
        path="/cashier/accounts/{handle}",
        call=show_account,
        summary="What a player has.",
        tag="cashier",
        answer=AccountAnswer,
        roles=ACCOUNT_READERS,
    ),
    Endpoint(
        method="GET",
        path="/cashier/accounts/{handle}/statement",
        call=show_statement,
        summary="Every movement of a player's account.",
        tag="cashier",
        cost=lambda query: 1 + query.limit // 50,
        query=StatementQuery,
        answer=StatementAnswer,
        roles=ACCOUNT_READERS,
    ),
)
