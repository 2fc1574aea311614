"""A house behind the API of a running server: logging in for one command, what is read there, and errands as the calls
that do the same.

Whoever logs in acts in their own name and roles: what the API refuses them is refused here in the same words. No
password is ever on the command line, where others on the machine could read it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, get_args
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec

from punto.audit.house_report import HouseReport, ReportKind
from punto.cli.output import refuse
from punto.floor.answers import (
    Account,
    AccountStatement,
    BegunFactor,
    Device,
    EventsAnswer,
    Invitation,
    NewInvitation,
    OpenedTable,
    OpenSession,
    PlayerLimits,
    PlayerPlay,
    SecondFactorStatus,
    ShownTable,
    Stop,
    TableSummary,
    Waiting,
)
from punto.floor.errand import (
    AccountErrand,
    AdmitErrand,
    AnyErrand,
    CashErrand,
    CloseDayErrand,
    CloseShiftErrand,
    ConfirmErrand,
    CorrectionErrand,
    EndSessionsErrand,
    EnrolErrand,
    EraseErrand,
    ExclusionErrand,
    GivenErrand,
    InviteErrand,
    IssueErrand,
    LimitsErrand,
    OpenShiftErrand,
    PasswordErrand,
    ReadmissionErrand,
    ReopenErrand,
    RevokeErrand,
    RolesErrand,
    RulesErrand,
    ShutErrand,
    SlipErrand,
    StartErrand,
    StopErrand,
    TableErrand,
    UnenrolErrand,
    WithdrawErrand,
)
from punto.floor.gaming_day import SpanQuery
from punto.floor.house_rules import HouseRules
from punto.floor.rack import Rack
from punto.floor.shift import CashierShift, Receipt
from punto.refusal import Reason, RefusalText
from punto.store.record import Member, json_text
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.client import Client, Refused
    from punto.store.server_lock import LockHolder

TOKEN, TOKEN_FILE, PASSWORD, PASSWORD_FILE, CODE = (
    *("PUNTO_TOKEN", "PUNTO_TOKEN_FILE", "PUNTO_PASSWORD", "PUNTO_PASSWORD_FILE", "PUNTO_CODE"),
)
"""From where whoever logs in takes what lets them in, where nobody sits at a terminal."""
LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")
EVENTS_AT_ONCE, LINES_AT_ONCE = 1_000, 1_000
NOT_FOUND = 404
HOUSE = "house"  # Who is named at a desk or a table where nobody is.
_T = TypeVar("_T")


class _Session(msgspec.Struct, frozen=True):
    account: str


class _People(msgspec.Struct, frozen=True):
    people: tuple[Member, ...]


class _Accounts(msgspec.Struct, frozen=True):
    accounts: tuple[Account, ...]


class _Sessions(msgspec.Struct, frozen=True):
    sessions: tuple[OpenSession, ...]


class _Ended(msgspec.Struct, frozen=True):
    ended: int


class _Erased(msgspec.Struct, frozen=True):
    erased: bool


class _Stops(msgspec.Struct, frozen=True):
    stops: tuple[Stop, ...]


class _Invitations(msgspec.Struct, frozen=True):
    invitations: tuple[Invitation, ...]


class _Invited(msgspec.Struct, frozen=True):
    invitations: tuple[NewInvitation, ...]


class _Devices(msgspec.Struct, frozen=True):
    devices: tuple[Device, ...]


class _Document(msgspec.Struct, frozen=True):
    document: str


class _KeptBook(msgspec.Struct, frozen=True):
    digest: str


def hand_over(holder: LockHolder, errand: AnyErrand) -> Any | RefusalText:
    """Have an errand done by the server that has the database, by the key that it has left beside it."""
    from punto.client import Refused

    with _calling(holder.url, by_proxy=False) as client:  # it is on this machine, whatever its address
        client.http.headers["authorization"] = f"Bearer {holder.key}"
        came = client.call("POST", "/command-line", dict[str, Any], {"errand": json_text(errand)})
        return came if isinstance(came, Refused) else msgspec.convert(came["answer"], errand.answer)


@contextmanager
def _calling(url: str, *, by_proxy: bool = True) -> Iterator[Client]:
    """A client of a server; the command ends in a sentence where it does not answer."""
    try:
        import httpx

        from punto.client import Client
    except ModuleNotFoundError as error:
        refuse(f"{error.name} is missing, which talking to a server needs; install punto[serve]")
    try:
        with Client(url, by_proxy=by_proxy) as client:
            yield client
    except httpx.InvalidURL as error:
        refuse(f"{url} is not the address of a server: {error}")
    except httpx.TransportError as error:
        refuse(f"the server at {url} does not answer: {str(error) or type(error).__name__}")


@contextmanager
def log_in(url: str) -> Iterator[ServedHouse]:
    """Log in at a server for one command, by a token or by name and password, and log out after it."""
    address, name, is_safe = _address(url)
    with _calling(address) as client:
        if not is_safe:
            refuse(f"a password or token is not sent to {address} without encryption; use https")
        token = _given(TOKEN, TOKEN_FILE)
        if token is not None:
            client.http.headers["authorization"] = f"Bearer {token}"
            yield ServedHouse(client, checked(client.call("GET", "/sessions/current", _Session)).account)
            return
        session = _by_password(client, name or _asked("Name: ", f"put it in the address, as {_example(address)}"))
        try:
            yield ServedHouse(client, session)
        finally:
            with suppress(Exception):  # it expires by itself
                client.log_out()


def _by_password(client: Client, name: str) -> str:
    from punto.client import Refused

    password = _given(PASSWORD, PASSWORD_FILE)
    how = f"set {PASSWORD}, {PASSWORD_FILE}, {TOKEN} or {TOKEN_FILE}"
    password = password if password is not None else _asked(f"Password of {name}: ", how, is_secret=True)
    session = client.log_in(name, password, os.environ.get(CODE) or None)
    if isinstance(session, Refused) and session.reason == Reason.SECOND_FACTOR_NEEDED.value:
        session = client.log_in(name, password, _asked("Code of the second factor: ", f"set {CODE}"))
    return checked(session).account


def _address(url: str) -> tuple[str, str | None, bool]:
    """Where a server is, who logs in there, and whether nobody on the way can read what is sent."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        refuse(f"{url!r} is not the address of a server; write it as http://127.0.0.1:8317")
    if parts.password is not None:
        refuse(f"a password in an address can be read by others on this machine; set {PASSWORD}, or leave it out")
    plain = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
    return plain, parts.username, parts.scheme == "https" or parts.hostname in LOCAL_HOSTS


def _example(address: str) -> str:
    return address.replace("://", "://NAME@", 1)


def _given(variable: str, file_variable: str) -> str | None:
    """A secret from the environment, or from the first line of a file that it names."""
    if (value := os.environ.get(variable)) is not None:
        return value
    if (path := os.environ.get(file_variable)) is None:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"{file_variable}: {path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}")


def _asked(prompt: str, otherwise: str, *, is_secret: bool = False) -> str:
    """What somebody at the terminal types; the command ends where nobody is there."""
    if not sys.stdin.isatty():
        refuse(f"the {prompt[:1].lower()}{prompt[1:].partition(':')[0]} is missing; {otherwise}")
    import getpass

    print(prompt, end="", file=sys.stderr, flush=True)
    return getpass.getpass("", sys.stderr) if is_secret else sys.stdin.readline().rstrip("\n")


def checked(came: _T | RefusalText) -> _T:
    """What a server answers; the command ends where it refuses."""
    if isinstance(came, RefusalText):
        _end(came)
    return came


def _patient(ask: Callable[[], _T | Refused]) -> _T | Refused:
    """Ask again after a while where a server says that it was too often: a long log takes many calls."""
    from punto.client import Refused

    while isinstance(came := ask(), Refused) and came.status == 429 and came.retry_after is not None:
        time.sleep(min(came.retry_after, 60))
    return came


def _end(refused: RefusalText) -> NoReturn:
    refuse(refused.sentence)


def _path(*parts: str) -> str:
    return "".join(f"/{quote(part, safe='')}" for part in parts)


class ServedHouse:
    """A house as somebody sees it who has logged in at its server."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self.operator = client, name

    def shortest_password(self) -> int:
        return self.rules().profile.shortest_password

    def names(self) -> list[str]:
        """The names of accounts, where this person may know them."""
        people = self._client.call("GET", "/people", _People)
        if isinstance(people, _People):
            return [member.account for member in people.people]
        came = self._client.call("GET", "/accounts", _Accounts)
        return [account.account for account in came.accounts] if isinstance(came, _Accounts) else []

    def members(self) -> list[Member]:
        return list(checked(self._client.call("GET", "/people", _People)).people)

    def account(self, name: str) -> Account | RefusalText:
        return self._client.call("GET", f"/cashier/accounts{_path(name)}", Account)

    def accounts(self) -> list[Account]:
        return list(checked(self._client.call("GET", "/accounts", _Accounts)).accounts)

    def statement(self, name: str) -> AccountStatement | RefusalText:
        statement: AccountStatement | None = None
        while True:
            query = {"after": str(statement.last if statement else 0), "limit": str(LINES_AT_ONCE)}
            path = f"/cashier/accounts{_path(name)}/statement"
            came = self._client.call("GET", path, AccountStatement, query=query)
            if isinstance(came, RefusalText):
                return came
            lines = (*(statement.lines if statement else ()), *came.lines)
            statement = msgspec.structs.replace(came, lines=lines)
            if len(came.lines) < LINES_AT_ONCE:
                return statement

    def receipt(self, number: int) -> Receipt | RefusalText:
        return self._client.call("GET", f"/receipts/{number}", Receipt)

    def sessions(self, name: str) -> Sequence[OpenSession] | RefusalText:
        came = self._client.call("GET", f"/people{_path(name)}/sessions", _Sessions)
        if isinstance(came, RefusalText):
            return came
        return tuple(msgspec.structs.replace(each, current=False) for each in came.sessions)

    def factor(self, name: str) -> SecondFactorStatus | RefusalText:
        own = name == self.operator
        path = "/accounts/me/second-factor" if own else f"/people{_path(name)}/second-factor"
        return self._client.call("GET", path, SecondFactorStatus)

    def limits(self, name: str) -> PlayerLimits | RefusalText:
        return self._client.call("GET", f"/people{_path(name)}/limits", PlayerLimits)

    def play(self, name: str) -> PlayerPlay | RefusalText:
        return self._client.call("GET", f"/people{_path(name)}/play", PlayerPlay)

    def rules(self) -> HouseRules:
        return checked(self._client.call("GET", "/house/rules", HouseRules))

    def invitations(self) -> tuple[Invitation, ...]:
        return checked(self._client.call("GET", "/house/invitations", _Invitations)).invitations

    def devices(self) -> tuple[Device, ...]:
        return checked(self._client.call("GET", "/devices", _Devices)).devices

    def rack(self, table: str) -> Rack | RefusalText:
        return self._client.call("GET", f"/tables{_path(table)}/rack", Rack)

    def shift(self, cashier: str) -> CashierShift | RefusalText:
        own = cashier == self.operator
        return self._client.call("GET", "/cashier/shift" if own else f"/cashier/shifts{_path(cashier)}", CashierShift)

    def report(self, kind: ReportKind, query: SpanQuery) -> HouseReport | RefusalText:
        asked = {name: str(value) for name, value in msgspec.to_builtins(query).items() if value is not None}
        return self._client.call("GET", f"/reports/{kind.value}", report_type(kind), query=asked)

    def check_table(self, table: str) -> None:
        """The command ends if there is no such table."""
        self.table(table)

    def summaries(self) -> list[TableSummary]:
        """Every table in a line."""
        shown, fields = checked(self._client.tables()), TableSummary.__struct_fields__
        return [TableSummary(**{field: getattr(table, field) for field in fields}) for table in shown]

    def titles(self) -> dict[str, str]:
        """The game of each table."""
        return {table.table: table.view["book"]["title"]["en"] for table in checked(self._client.tables())}

    def table(self, id: str) -> ShownTable:
        """A table as this person sees it; the command ends if there is none."""
        shown = self._client.table(id)
        if isinstance(shown, RefusalText) and shown.status == NOT_FOUND:
            names = [table.table for table in checked(self._client.tables())]
            refuse(f"there is no table {id}{did_you_mean(id, names)}; punto table list shows all")
        return checked(shown)

    def document(self, digest: str) -> str:
        """The document of a book that is stored there."""
        return checked(self._client.call("GET", f"/books/{digest}/document", _Document)).document

    def events(self, id: str, after: int = 0) -> Iterator[Any]:
        """The events of a table as this person may see them."""
        last = after + 1
        while after < last:
            came: EventsAnswer = checked(_patient(partial(self._client.events, id, after, EVENTS_AT_ONCE)))
            yield from came.events
            after, last = (came.events[-1].seq, came.last) if came.events else (came.last, came.last)

    def give(self, errand: GivenErrand) -> Any | RefusalText:
        """Give a command in this person's own name; the answer with the events as they may see them."""
        command = errand.command
        self._check_own(command)
        return self._client.give(errand.table, command, command.role, expected=errand.expected)

    def do(self, errand: AnyErrand) -> Any | RefusalText:
        """Have an errand done by the calls of the API."""
        match errand:
            case CashErrand():
                self._check_own(errand.person)
                carry = {"buy-in": self._client.buy_in, "cash-out": self._client.cash_out}[errand.kind.value]
                return carry(errand.name, errand.amount, is_large=errand.is_large)
            case CorrectionErrand():
                self._check_own(errand.person)
                body = {"account": errand.name, "amount": errand.amount, "reason": errand.reason}
                return self._client.call("POST", "/cashier/correct", Waiting, {"key": _fresh_key(), **body})
            case TableErrand():
                return self._open_table(errand)
            case EnrolErrand() | ConfirmErrand():
                return self._enrol(errand)
            case EndSessionsErrand():
                ended = self._client.call("DELETE", f"/people{_path(errand.name)}/sessions", _Ended)
                return ended.ended if isinstance(ended, _Ended) else ended
            case EraseErrand():
                erased = self._client.call("POST", f"/accounts{_path(errand.name)}/erase", _Erased)
                return erased.erased if isinstance(erased, _Erased) else erased
            case GivenErrand():
                return self.give(errand)
            case StopErrand() | InviteErrand() | IssueErrand() | CloseDayErrand():
                return self._order(errand)
            case SlipErrand() | OpenShiftErrand() | CloseShiftErrand():
                return self._count(errand)
            case WithdrawErrand():
                return self._client.call("DELETE", f"/house/invitations{_path(errand.invitation)}", Invitation)
            case RevokeErrand():
                return self._client.call("DELETE", f"/devices{_path(errand.device)}", Device)
            case _:
                return self._client.call(*_call_of(errand), errand.answer, _body_of(errand))

    def _check_own(self, person: Any) -> None:
        """Nobody acts in somebody else's name through a server."""
        name = person.actor if hasattr(person, "actor") else person.name
        if name not in (HOUSE, self.operator):
            refuse(f"through a server everybody acts in their own name: you are {self.operator}, not {name}")

    def _order(self, errand: StopErrand | InviteErrand | IssueErrand | CloseDayErrand) -> Any | RefusalText:
        match errand:
            case StopErrand():
                path = "/house/start" if isinstance(errand, StartErrand) else "/house/stop"
                came = self._client.call("POST", path, _Stops, {"book": errand.book, "reason": errand.reason})
                return came.stops if isinstance(came, _Stops) else came
            case InviteErrand():
                made = self._client.call("POST", "/house/invitations", _Invited, msgspec.to_builtins(errand.wanted))
                return made.invitations if isinstance(made, _Invited) else made
            case IssueErrand():
                body = {"table": errand.table, "name": errand.called}
                return self._client.call("POST", "/devices", errand.answer, body)
            case CloseDayErrand():
                return self._client.call("POST", "/house/close-day", errand.answer, {"day": errand.day})

    def _count(self, errand: SlipErrand | OpenShiftErrand | CloseShiftErrand) -> Any | RefusalText:
        if isinstance(errand, SlipErrand):
            command = errand.command
            self._check_own(command)
            body = {"key": _fresh_key(), "kind": command.kind.value, "chips": msgspec.to_builtins(command.chips)}
            role = {} if command.actor == HOUSE else {"role": command.role.value}
            return self._client.call("POST", f"/tables{_path(command.table)}/rack", Waiting, {**body, **role})
        if errand.cashier != self.operator:
            refuse(f"through a server everybody counts their own drawer: you are {self.operator}, not {errand.cashier}")
        counted = {"chips": msgspec.to_builtins(errand.chips)}
        if isinstance(errand, OpenShiftErrand):
            body = {**counted, "currency": errand.currency}
            return self._client.call("POST", "/cashier/shift/open", CashierShift, body)
        return self._client.call("POST", "/cashier/shift/close", CashierShift, counted)

    def _open_table(self, errand: TableErrand) -> OpenedTable | RefusalText:
        self._check_own(errand.command)
        from punto.books import NAMES, load
        from punto.floor.loaded_table import read_document
        from punto.rules.book import digest_of
        from punto.rules.book_file import book_toml

        book = read_document(errand.book)
        named = book.name
        if named not in NAMES or digest_of(load(named)) != digest_of(book):
            sent = {"source": book_toml(book.text), "file": f"{book.name}.toml", "reason": f"for table {errand.table}"}
            kept = self._client.call("POST", "/books", _KeptBook, sent)
            if isinstance(kept, RefusalText):
                return kept
            named = kept.digest
        return self._client.open_table(errand.table, named, errand.command.terms, errand.command.role)

    def _enrol(self, errand: EnrolErrand | ConfirmErrand) -> Any | RefusalText:
        if errand.name != self.operator:
            refuse(
                f"through a server {errand.name} alone can set up the second factor of {errand.name}: "
                "its secret is for nobody else; removing it is possible with --remove"
            )
        if isinstance(errand, EnrolErrand):
            return self._client.call("POST", "/accounts/me/second-factor", BegunFactor)
        body = {"code": errand.code}
        return self._client.call("POST", "/accounts/me/second-factor/confirm", errand.answer, body)


def report_type(kind: ReportKind) -> type[HouseReport]:
    """What a report of a kind is made of."""
    types: tuple[type[HouseReport], ...] = get_args(HouseReport)
    return next(each for each in types if each.__struct_config__.tag == kind.value)


def _fresh_key() -> str:
    from punto.client.api_call import fresh_key

    return fresh_key()


_CALLS: dict[type, tuple[str, str]] = {
    AdmitErrand: ("POST", "/people"),
    AccountErrand: ("POST", "/accounts"),
    RolesErrand: ("PUT", "/people{name}/roles"),
    PasswordErrand: ("PUT", "/people{name}/password"),
    ShutErrand: ("POST", "/people{name}/shut"),
    ReopenErrand: ("POST", "/people{name}/open"),
    UnenrolErrand: ("POST", "/people{name}/second-factor/remove"),
    LimitsErrand: ("PUT", "/people{name}/limits"),
    ExclusionErrand: ("POST", "/people{name}/exclusion"),
    ReadmissionErrand: ("POST", "/people{name}/readmission"),
    RulesErrand: ("PUT", "/house/rules"),
}
"""Errands whose fields are the body of a call; who is concerned stands in its address, where it has a place."""


def _call_of(errand: Any) -> tuple[str, str]:
    method, path = _CALLS[type(errand)]
    return method, path.format(name=_path(getattr(errand, "name", "")))


def _body_of(errand: Any) -> dict[str, Any]:
    left_out = {"errand", "by"} | ({"name"} if "{name}" in _CALLS[type(errand)][1] else set())
    return {field: value for field, value in msgspec.to_builtins(errand).items() if field not in left_out}
