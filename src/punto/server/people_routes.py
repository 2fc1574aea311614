"""Calls about people and their money: logging in and out, people and roles, the caller's own account, the
cashier.

Nobody changes their own roles, and one administrator stays. Putting an account right takes a second
person.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Literal, TypeVar

import msgspec

from punto.floor.answers import (
    Account,
    AccountStatement,
    BegunFactor,
    LoggedInAnswer,
    Moved,
    RecoveryCodes,
    SecondFactorStatus,
    TicketAnswer,
    Waiting,
)
from punto.floor.desk import CorrectAccount, account_of, account_statement, all_accounts, holdings_of, moved_by
from punto.floor.house_pages import pages_of
from punto.floor.log_ins import last_before
from punto.floor.people import ADMINISTRATORS, public_name
from punto.floor.pit import waiting_of
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server import messages
from punto.server.app_state import AppState
from punto.server.count_room import count_cost
from punto.server.endpoint import Endpoint, Inquiry, StatusAnswer
from punto.server.sessions import Caller, LoggedIn, accepted
from punto.server.validation import Rejected, rejected
from punto.store.people import last_log_ins, members
from punto.store.reader import Reader, brought_by_table, staked_by_area
from punto.store.record import AccountOwner, Member, StoredPerson
from punto.table.header import Person
from punto.table.state import State

_T = TypeVar("_T")
GivenName = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
GivenCode = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
GivenPassword = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password, and the code of a second factor where there is one."""

    name: GivenName
    password: GivenPassword
    code: GivenCode | None = None  # Six digits, or a recovery code.


class PasswordAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of the caller."""

    password: GivenPassword


class Enter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of a link that holds once."""

    code: GivenPassword


async def log_in(ask: Inquiry) -> StatusAnswer:
    """Log in; the answer has a token for programs and sets a cookie for browsers."""
    body, sessions = ask.body, ask.app_state.sessions
    return await _let_in(ask, sessions.log_in(body.name, body.password, ask.address, body.code))


async def enter(ask: Inquiry) -> StatusAnswer:
    """Come in by the link that a demonstration shows when it starts: once, within minutes, on the same machine."""
    return await _let_in(ask, ask.app_state.sessions.enter(ask.body.code, ask.address))


async def _let_in(ask: Inquiry, logging_in: Awaitable[LoggedIn]) -> StatusAnswer:
    sessions, tally = ask.app_state.sessions, ask.app_state.tally
    try:
        token, caller = await logging_in
    except Rejected as refused:
        if tally is not None:
            tally.log_ins[refused.text.reason] += 1
        raise
    if tally is not None:
        tally.log_ins["accepted"] += 1
    expires, last = caller.session.expires_ms, last_before(caller.session)
    must_enrol, pages = sessions.must_enrol(caller), pages_of(caller.roles)
    answer = LoggedInAnswer(caller.handle, caller.roles, token, caller.csrf, expires, last, must_enrol, pages)
    seconds = max(1, (expires - ask.app_state.now()) // 1000)
    return StatusAnswer(201, answer, ((token, seconds),))


async def current_session(ask: Inquiry) -> messages.SessionAnswer:
    """Who you are, with the CSRF token of the session, and when you logged in before it."""
    return session_answer(ask.app_state, ask.caller)


async def log_out(ask: Inquiry) -> StatusAnswer:
    """Log out."""
    await ask.app_state.sessions.log_out(ask.caller)
    ask.app_state.broadcaster.recheck(ask.caller.handle)
    return StatusAnswer(204, None, (("", 0),))


async def authenticate(ask: Inquiry) -> messages.SessionAnswer:
    """Give your password again, for acts that ask for it."""
    caller = await ask.app_state.sessions.authenticate(ask.caller, ask.body.password, ask.address)
    return session_answer(ask.app_state, caller)


async def list_own_sessions(ask: Inquiry) -> messages.SessionsAnswer:
    """Your open sessions, with where they were opened from."""
    return await _sessions(ask, ask.caller.handle)


async def list_sessions(ask: Inquiry) -> messages.SessionsAnswer:
    """The open sessions of somebody."""
    return await _sessions(ask, ask.path["handle"])


async def _sessions(ask: Inquiry, handle: str) -> messages.SessionsAnswer:
    await ask.app_state.sessions.write_activity()
    found = accepted_or_404(await asyncio.to_thread(ask.app_state.people.sessions, handle))
    own = public_name(ask.caller.session.token)
    marked = (msgspec.structs.replace(each, current=each.session == own) for each in found)
    return messages.SessionsAnswer(handle, tuple(marked))


async def end_session(ask: Inquiry) -> StatusAnswer | Refusal:
    """End a session of yours, or as an administrator anybody's."""
    ended = await asyncio.to_thread(ask.app_state.people.end_session, ask.path["session"], ask.caller.author)
    if isinstance(ended, Refusal):
        return ended
    _look_again(ask, ended)
    return StatusAnswer(204)


async def stream_ticket(ask: Inquiry) -> TicketAnswer:
    """A ticket for one stream: used once, within 30 seconds."""
    return TicketAnswer(*await ask.app_state.sessions.ticket(ask.caller))


def session_answer(app_state: AppState, caller: Caller) -> messages.SessionAnswer:
    times, left = (caller.session.expires_ms, caller.session.authenticated_ms), app_state.sessions.idle_ms(caller)
    locks = None if left is None else app_state.now() + left
    last = last_before(caller.session)
    factor = (caller.has_second_factor, app_state.sessions.must_enrol(caller))
    locked = (left == 0, locks)
    pages = pages_of(caller.roles)
    return messages.SessionAnswer(caller.handle, caller.roles, caller.csrf, *times, last, *locked, *factor, pages)


_open = partial(Endpoint, is_open=True, status=201, refuses=(401, 403))
_own = partial(Endpoint, needs_role=False, is_for_locked=True, is_for_unenrolled=True)
_session = partial(Endpoint, needs_role=False)
SESSION_ENDPOINTS = (
    _open("POST", "/sessions", log_in, body=LogIn, answer=LoggedInAnswer),
    _open("POST", "/sessions/entry", enter, body=Enter, answer=LoggedInAnswer),
    _own("GET", "/sessions/current", current_session, answer=messages.SessionAnswer, is_act=False),
    _own("DELETE", "/sessions/current", log_out, status=204),
    _own("POST", "/sessions/current/authenticate", authenticate, body=PasswordAgain, answer=messages.SessionAnswer),
    _session("GET", "/sessions", list_own_sessions, answer=messages.SessionsAnswer),
    _session("DELETE", "/sessions/{session}", end_session, status=204, refuses=(404,)),
    Endpoint("POST", "/tickets", stream_ticket, tag="sessions", answer=TicketAnswer, is_act=False),
)


class ConfirmFactor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first code of a second factor."""

    code: GivenCode


async def show_second_factor(ask: Inquiry) -> SecondFactorStatus:
    """Whether you log in with a second factor, and whether you have to."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.second_factors.status, ask.caller.handle))


async def begin_second_factor(ask: Inquiry) -> BegunFactor | Refusal:
    """Begin to set up a second factor: the secret for your authenticator is told only here."""
    return await asyncio.to_thread(ask.app_state.second_factors.begin, ask.caller.handle, ask.caller.author)


async def confirm_second_factor(ask: Inquiry) -> RecoveryCodes:
    """Set up the second factor that was begun, with its first code; the recovery codes are told only here."""
    factors, caller = ask.app_state.second_factors, ask.caller
    codes = await asyncio.to_thread(factors.confirm, caller.handle, ask.body.code, caller.author)
    if isinstance(codes, Refusal) and codes.reason is Reason.WRONG_CODE:
        raise rejected(codes, 409)  # the session goes on
    _look_again(ask, caller.handle)
    return accepted(codes)


async def remove_second_factor(ask: Inquiry) -> Member:
    """Remove somebody else's second factor; their sessions end."""
    handle, factors = ask.path["handle"], ask.app_state.second_factors
    return _changed(ask, handle, await asyncio.to_thread(factors.remove, handle, ask.body.reason, ask.caller.author))


Roles = Annotated[tuple[Role, ...], msgspec.Meta(max_length=len(Role))]


class NewPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may log in."""

    name: str  # In every event of theirs, and never given to anybody else.
    password: str
    roles: Roles = (Role.PLAYER,)
    currency: str = "USD"
    display: str | None = None


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account of somebody who does not log in."""

    name: str
    currency: str = "USD"
    display: str | None = None
    contact: str | None = None
    kind: Literal["player", "test"] = "player"  # Reports keep test accounts apart.


class SetRoles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All roles of a person."""

    roles: Roles


class Reasoned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is done, for the records of the house."""

    reason: str


class SetPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password."""

    password: str


async def list_people(ask: Inquiry) -> messages.PeopleAnswer:
    """Everybody who has an account, with their roles and when they last logged in."""
    return await ask.app_state.read(lambda reader: messages.PeopleAnswer(tuple(members(reader)), last_log_ins(reader)))


async def add_person(ask: Inquiry) -> Member | Refusal:
    """Add somebody who may log in."""
    body, people = ask.body, ask.app_state.people
    hashed = await _hashed(ask, body.password)
    person = StoredPerson(body.name, body.display, None, hashed)
    return await asyncio.to_thread(people.let_in, person, body.currency, body.roles, ask.caller.author)


async def add_account(ask: Inquiry) -> Member | Refusal:
    """Open an account for somebody who does not log in."""
    body, by = ask.body, ask.caller.author
    person = StoredPerson(body.name, body.display, body.contact)
    return await asyncio.to_thread(
        ask.app_state.people.open_account, person, body.currency, by, AccountOwner(body.kind)
    )


async def erase_person(ask: Inquiry) -> messages.ErasedAnswer:
    """Erase display name, contact, password and roles of somebody; account, money and name stay."""
    handle, people = ask.path["handle"], ask.app_state.people
    erased = accepted_or_404(await asyncio.to_thread(people.erase, handle, ask.caller.author))
    _look_again(ask, handle)
    return messages.ErasedAnswer(handle, erased)


async def end_sessions(ask: Inquiry) -> messages.EndedAnswer:
    """End every session of somebody."""
    handle, people = ask.path["handle"], ask.app_state.people
    ended = accepted_or_404(await asyncio.to_thread(people.end_sessions, handle, ask.caller.author))
    _look_again(ask, handle)
    return messages.EndedAnswer(handle, ended)


async def show_factor_of(ask: Inquiry) -> SecondFactorStatus:
    """Whether somebody logs in with a second factor, and whether they have to."""
    return accepted_or_404(await asyncio.to_thread(ask.app_state.second_factors.status, ask.path["handle"]))


async def change_roles(ask: Inquiry) -> Member:
    """Set the roles of somebody else."""
    handle, people = ask.path["handle"], ask.app_state.people
    return _changed(ask, handle, await asyncio.to_thread(people.set_roles, handle, ask.body.roles, ask.caller.author))


async def _hashed(ask: Inquiry, password: str) -> str:
    """What is kept of a new password, which is as long as the profile of the house asks for."""
    shortest = ask.app_state.orders().rules.profile.shortest_password
    return accepted(await ask.app_state.passwords.hash(password, ask.address, ask.caller.handle, shortest))


async def shut_log_in(ask: Inquiry) -> Member:
    """Shut somebody's log-in: their sessions end at once, and no password lets them in."""
    handle, people = ask.path["handle"], ask.app_state.people
    return _changed(ask, handle, await asyncio.to_thread(people.shut, handle, ask.body.reason, ask.caller.author))


async def open_log_in(ask: Inquiry) -> Member:
    """Let somebody log in again whose log-in was shut."""
    handle, people = ask.path["handle"], ask.app_state.people
    answer = await asyncio.to_thread(people.open_log_in, handle, ask.body.reason, ask.caller.author)
    return _changed(ask, handle, answer)


async def change_own_password(ask: Inquiry) -> Member:
    """Change your own password; all your sessions end."""
    return await _set_password(ask, ask.caller.handle)


async def reset_password(ask: Inquiry) -> Member:
    """Give somebody a new password; their sessions end."""
    return await _set_password(ask, ask.path["handle"])


async def _set_password(ask: Inquiry, handle: str) -> Member:
    people = ask.app_state.people
    hashed = await _hashed(ask, ask.body.password)
    return _changed(ask, handle, await asyncio.to_thread(people.set_password, handle, hashed, ask.caller.author))


def _changed(ask: Inquiry, handle: str, answer: Member | Refusal) -> Member:
    """Roles or password of somebody have changed: what is remembered of their sessions is looked up again."""
    member = accepted_or_404(answer)
    _look_again(ask, handle)
    return member


def _look_again(ask: Inquiry, handle: str) -> None:
    ask.app_state.sessions.forget(handle)
    ask.app_state.broadcaster.recheck(handle)


def accepted_or_404(answer: _T | Refusal) -> _T:
    """What the floor answers about somebody whom the address names."""
    if isinstance(answer, Refusal) and answer.reason is Reason.NO_ACCOUNT:
        raise rejected(answer, 404)
    return accepted(answer)


_change = partial(Endpoint, answer=Member, is_fresh=True, roles=ADMINISTRATORS, refuses=(409,))
_own_password = partial(Endpoint, answer=Member, is_fresh=True, needs_role=False, refuses=(404, 409))
_factor = partial(Endpoint, needs_role=False, is_for_unenrolled=True, refuses=(404, 409))
_confirm = partial(_factor, answer=RecoveryCodes, status=201, is_fresh=True)
_factor_of = partial(Endpoint, answer=SecondFactorStatus, roles=ADMINISTRATORS, refuses=(404,))
PEOPLE_ENDPOINTS = (
    Endpoint("GET", "/people", list_people, answer=messages.PeopleAnswer, roles=ADMINISTRATORS),
    _change("POST", "/people", add_person, body=NewPerson, status=201),
    Endpoint("GET", "/people/{handle}/sessions", list_sessions, answer=messages.SessionsAnswer, roles=ADMINISTRATORS),
    _change("DELETE", "/people/{handle}/sessions", end_sessions, answer=messages.EndedAnswer),
    _factor_of("GET", "/people/{handle}/second-factor", show_factor_of),
    _change("POST", "/accounts", add_account, body=NewAccount, status=201),
    _change("POST", "/accounts/{handle}/erase", erase_person, answer=messages.ErasedAnswer),
    _change("POST", "/people/{handle}/shut", shut_log_in, body=Reasoned),
    _change("POST", "/people/{handle}/open", open_log_in, body=Reasoned),
    _change("POST", "/people/{handle}/second-factor/remove", remove_second_factor, body=Reasoned),
    _change("PUT", "/people/{handle}/roles", change_roles, body=SetRoles),
    _change("PUT", "/people/{handle}/password", reset_password, body=SetPassword),
    _own_password("PUT", "/accounts/me/password", change_own_password, body=SetPassword),
    _factor("GET", "/accounts/me/second-factor", show_second_factor, answer=SecondFactorStatus),
    _factor("POST", "/accounts/me/second-factor", begin_second_factor, answer=BegunFactor, status=201, is_fresh=True),
    _confirm("POST", "/accounts/me/second-factor/confirm", confirm_second_factor, body=ConfirmFactor),
)


MOST_LINES = 1_000


class StatementQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a statement."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0  # The `id` of the last line that you have.
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LINES)] = 200
    latest: bool = False  # Newest first, instead of oldest first.
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """With `latest`: the `id` of the oldest line that you have."""


async def _account(ask: Inquiry, handle: str, *, with_contact: bool = False) -> Account:
    return accepted_or_404(
        await ask.app_state.read(lambda reader: account_of(reader, handle, with_contact=with_contact))
    )


async def _statement(ask: Inquiry, handle: str) -> AccountStatement:
    def read(reader: Reader) -> AccountStatement | Refusal:
        after, limit, before = ask.query.after, ask.query.limit, ask.query.before
        is_latest = ask.query.latest or before is not None
        return account_statement(reader, handle, after, limit, before=before, is_latest_first=is_latest)

    return accepted_or_404(await ask.app_state.read(read))


async def my_account(ask: Inquiry) -> Account:
    """What you are, and what you have."""
    return await _account(ask, ask.caller.handle)


async def my_statement(ask: Inquiry) -> AccountStatement:
    """Every movement of your account, oldest first, or newest first with `latest`."""
    return await _statement(ask, ask.caller.handle)


async def my_costs(ask: Inquiry) -> messages.CostsAnswer:
    """By table: what your stakes cost on average, exactly computed, beside what they did cost."""
    app_state, handle, costs = ask.app_state, ask.caller.handle, []

    def read(reader: Reader) -> tuple[dict[str, dict[str, int]], dict[str, int], dict[str, int]]:
        return staked_by_area(reader, handle), brought_by_table(reader, handle), holdings_of(reader, handle).held

    staked, brought, held = await app_state.read(read)
    for id, by_area in staked.items():
        loaded = await app_state.broadcaster.table(id)
        if loaded is None or loaded.table.state.terms is None:
            continue
        in_play = _in_play(loaded.table.state, handle)  # It has cost nothing yet, and is left out of both.
        decided = {area: amount - in_play[area] for area, amount in by_area.items() if amount > in_play[area]}
        if decided:
            actual = brought[id] + held.get(id, 0) + in_play.total()
            cost = await app_state.counting.ask(handle, count_cost, id, decided, actual)
            costs.append(msgspec.json.decode(cost, type=messages.CostEntry))
    return messages.CostsAnswer(tuple(costs))


def _in_play(state: State, handle: str) -> Counter[str]:
    """What lies on each area of a table undecided, and so has neither been lost nor won."""
    in_play = Counter[str]()
    if state.is_in_round and state.settled is None:
        for stake in state.stakes:
            if stake.player == handle:
                in_play[stake.area] += stake.amount
    return in_play


_lines = partial(Endpoint, query=StatementQuery, answer=AccountStatement, cost=lambda query: 1 + query.limit // 50)
ACCOUNT_ENDPOINTS = (
    Endpoint("GET", "/accounts/me/costs", my_costs, cost=5, answer=messages.CostsAnswer, is_act=False),
    Endpoint("GET", "/accounts/me", my_account, answer=Account, refuses=(404,), is_act=False),
    _lines("GET", "/accounts/me/statement", my_statement, refuses=(404,), is_act=False),
)


ACCOUNT_READERS = (Role.CASHIER, Role.AUDITOR, Role.SHIFT_MANAGER)


class Cash(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a player brings or takes away."""

    key: messages.CommandKey  # Chosen by the client; the same key with the same body is carried out once.
    account: GivenName
    amount: messages.Amount
    is_large: bool = False  # Confirms that it is large cash by the rules of the house.


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account to be put right."""

    key: messages.CommandKey
    account: GivenName
    amount: Annotated[int, msgspec.Meta(ge=-messages.LARGEST_AMOUNT, le=messages.LARGEST_AMOUNT)]
    """Minor units; negative to take something off."""
    reason: Annotated[str, msgspec.Meta(max_length=200)]


async def buy_in(ask: Inquiry) -> Moved | Refusal:
    """A player brings money."""
    return await _cash(ask, ask.app_state.desk.buy_in)


async def cash_out(ask: Inquiry) -> Moved | Refusal:
    """A player takes money away."""
    return await _cash(ask, ask.app_state.desk.cash_out)


async def _cash(ask: Inquiry, carry_out: Callable[..., Movement | Refusal]) -> Moved | Refusal:
    body, app_state, by = ask.body, ask.app_state, Person(ask.caller.handle, Role.CASHIER)

    def act() -> Moved | Refusal:
        movement = carry_out(body.account, body.amount, by, app_state.now(), body.key, is_large=body.is_large)
        if isinstance(movement, Refusal):
            return movement
        with app_state.store.read() as reader:
            return moved_by(reader, movement, by.name, body.key)

    answer = await asyncio.to_thread(act)
    app_state.broadcaster.hear_money(body.account)
    return answer


async def correct_account(ask: Inquiry) -> Waiting | Refusal:
    """Put an account right: it waits for a pit manager or above, and the house bears it."""
    command = CorrectAccount(actor=ask.caller.handle, role=Role.CASHIER, **msgspec.structs.asdict(ask.body))
    approval = await asyncio.to_thread(ask.app_state.approvals.ask_correction, command)
    return approval if isinstance(approval, Refusal) else waiting_of(approval)


async def show_account(ask: Inquiry) -> Account:
    """What a player has."""
    return await _account(ask, ask.path["handle"], with_contact=_sees_contact(ask))


def _sees_contact(ask: Inquiry) -> bool:
    """How to reach people is for those who look after people, not for whoever counts their money."""
    return bool(set(ADMINISTRATORS) & set(ask.caller.roles))


async def list_accounts(ask: Inquiry) -> messages.AccountsAnswer:
    """Every account, with what it has."""
    with_contact = _sees_contact(ask)
    accounts = await ask.app_state.read(lambda reader: all_accounts(reader, with_contact=with_contact))
    return messages.AccountsAnswer(tuple(accounts))


async def show_statement(ask: Inquiry) -> AccountStatement:
    """Every movement of a player's account."""
    return await _statement(ask, ask.path["handle"])


_move = partial(Endpoint, roles=(Role.CASHIER,), refuses=(409,))
CASHIER_ENDPOINTS = (
    _move("POST", "/cashier/buy-in", buy_in, body=Cash, answer=Moved),
    _move("POST", "/cashier/cash-out", cash_out, body=Cash, answer=Moved),
    _move("POST", "/cashier/correct", correct_account, body=Correction, answer=Waiting, status=202, is_fresh=True),
    Endpoint("GET", "/cashier/accounts/{handle}", show_account, answer=Account, roles=ACCOUNT_READERS),
    _lines("GET", "/cashier/accounts/{handle}/statement", show_statement, roles=ACCOUNT_READERS),
    Endpoint("GET", "/accounts", list_accounts, cost=10, answer=messages.AccountsAnswer, roles=ACCOUNT_READERS),
)
