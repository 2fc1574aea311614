"""The client of a floor: calls of the API as methods, the stream of a table, and what both answer, as values.

What is refused comes back as a value, never as an exception. Fields that a newer server adds are passed over. A stream
that was cut is opened again with `after=stream.seq`: nothing is missed and nothing comes twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from ssl import SSLContext
from typing import Any, TypeVar

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.floor.answers import (
    Account,
    CommandAnswer,
    DecidedAnswer,
    DisputesAnswer,
    EventsAnswer,
    LoggedInAnswer,
    Moved,
    OpenedTable,
    PitCallsAnswer,
    ShownTable,
    TicketAnswer,
    Waiting,
)
from punto.refusal import RefusalText
from punto.rules.authority import Role
from punto.store.record import Dispute, PitCall
from punto.table.header import CommandHeader
from punto.table.terms import Terms

PREFIX = "/api/v1"
OPENING_S = 30  # Seconds in which the server must answer, as for any other call.
_JSON = {"content-type": "application/json"}
_T = TypeVar("_T")


class Refused(RefusalText, frozen=True):
    """Why something was not done; nothing has changed."""

    status: int = 0  # The HTTP status; 0 in an answer on a stream.
    retry_after: int | None = None  # Seconds to wait, where it was too often.


Done = CommandAnswer | DecidedAnswer
"""A command that was carried out: the version after it, and its events."""
Events = EventsAnswer


class _Tables(msgspec.Struct, frozen=True):
    tables: tuple[ShownTable, ...]


class _RefusalBody(msgspec.Struct, frozen=True):
    refusal: Refused


def refused_from(content: bytes, status: int, retry_after: str | None) -> Refused:
    try:
        refused = msgspec.json.decode(content, type=_RefusalBody).refusal
    except msgspec.MsgspecError:
        refused = Refused("unreadable", {}, f"the server answered {status}, and not in JSON")
    seconds = int(retry_after) if retry_after is not None and retry_after.isdecimal() else None
    return msgspec.structs.replace(refused, status=status, retry_after=seconds)


class StreamClosed(Exception):
    """The stream has ended; the code says why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the stream has ended ({code}){': ' if reason else ''}{reason}")
        self.code, self.reason = code, reason


class Stream:
    """A table as it happens: frames as they come, each event once and in order, and commands on the same line."""

    def __init__(
        self,
        url: str,
        table: str,
        ticket: str,
        *,
        after: int | None = None,
        role: Role | None = None,
        views: bool = False,
    ) -> None:
        address = f"{url.replace('http', 'ws', 1)}{PREFIX}/tables/{table}/stream"
        self.seq = after or 0  # The last event that came.
        self._stack = ExitStack()
        # Unbounded: a full queue stops the reading, and then a stream could not be left while frames wait.
        self._socket = self._stack.enter_context(
            connect(address, max_size=None, max_queue=None, compression=None, open_timeout=OPENING_S)
        )
        hello: dict[str, Any] = {"type": "hello", "ticket": ticket, "views": views}
        if after is not None:
            hello["after"] = after
        if role is not None:
            hello["role"] = role.value
        self.send(hello)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Every frame until the stream ends."""
        try:
            while True:
                yield self.next()
        except StreamClosed as closed:
            if closed.code not in (1000, 1001):
                raise

    def next(self, timeout: float | None = None) -> dict[str, Any]:
        """The next frame; `StreamClosed` when there is no more, `TimeoutError` when none came in time."""
        try:
            content = self._socket.recv(timeout)
        except ConnectionClosed as closed:
            raise _closed(closed) from None
        frame: dict[str, Any] = msgspec.json.decode(content)
        if frame.get("type") in ("event", "snapshot"):
            self.seq = frame["seq"]
        return frame

    def send(self, frame: dict[str, Any]) -> None:
        try:
            self._socket.send(msgspec.json.encode(frame).decode())
        except ConnectionClosed as closed:
            raise _closed(closed) from None


def _closed(closed: ConnectionClosed) -> StreamClosed:
    return StreamClosed(*((closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (1006, "")))


@cache
def _trusted() -> SSLContext:
    """Whose certificates are believed. Read once in a process: it takes longer than to log in."""
    return httpx.create_ssl_context()


class Client:
    """Somebody at a floor. Programs log in with a token; it is sent with every call."""

    def __init__(self, url: str, *, timeout: float = 30.0) -> None:
        self.url = url.rstrip("/")
        self.http = httpx.Client(base_url=f"{self.url}{PREFIX}", timeout=timeout, verify=_trusted())
        self.session: LoggedInAnswer | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back; the session holds until it expires or `log_out`."""
        self.http.close()

    def log_in(self, name: str, password: str, code: str | None = None) -> LoggedInAnswer | Refused:
        """Open a session; every call after it is made by this person. Who has a second factor gives a code of it."""
        body = {"name": name, "password": password, **({} if code is None else {"code": code})}
        session = self.call("POST", "/sessions", LoggedInAnswer, body)
        if isinstance(session, LoggedInAnswer):
            self.session = session
            self.http.cookies.clear()
            self.http.headers["authorization"] = f"Bearer {session.token}"
        return session

    def log_out(self) -> Refused | None:
        answer = self.http.delete("/sessions/current")
        self.http.headers.pop("authorization", None)
        self.session = None
        return None if answer.is_success else _refused(answer)

    def ticket(self) -> TicketAnswer | Refused:
        return self.call("POST", "/tickets", TicketAnswer)

    def tables(self) -> tuple[ShownTable, ...] | Refused:
        answer = self.call("GET", "/tables", _Tables)
        return answer if isinstance(answer, Refused) else answer.tables

    def table(self, id: str, role: Role | None = None) -> ShownTable | Refused:
        """A table as this person sees it in a role."""
        return self.call("GET", f"/tables/{id}", ShownTable, query=_of_role(role))

    def open_table(self, id: str, book: str, terms: Terms | None, role: Role) -> OpenedTable | Refused:
        """Open a table; without terms, by those that the book begins with."""
        body: dict[str, Any] = {"table": id, "book": book, "role": role}
        return self.call("POST", "/tables", OpenedTable, body if terms is None else {**body, "terms": terms})

    def events(self, id: str, after: int = 0, limit: int = 100, role: Role | None = None) -> EventsAnswer | Refused:
        """Events of a table after one of them."""
        query = {"after": str(after), "limit": str(limit), **_of_role(role)}
        return self.call("GET", f"/tables/{id}/events", EventsAnswer, query=query)

    def give(
        self,
        id: str,
        command: CommandHeader | dict[str, Any],
        role: Role = Role.PLAYER,
        *,
        expected: int | None = None,
        key: str | None = None,
    ) -> CommandAnswer | Waiting | Refused:
        """Give a command; `key` is drawn unless you send the same command again.

        Of a table's own command only what it asks for is sent: who gives it is for the session to say.
        """
        body = command_body(command, role, expected=expected, key=key)
        answer = self.http.post(f"/tables/{id}/commands", content=msgspec.json.encode(body), headers=_JSON)
        if answer.status_code == 202:
            return msgspec.json.decode(answer.content, type=Waiting)
        return _read(answer, CommandAnswer)

    def decide(self, approval: str, decision: str = "approve") -> DecidedAnswer | Refused:
        """Approve or decline what waits for a second person."""
        return self.call("POST", f"/approvals/{approval}", DecidedAnswer, {"decision": decision})

    def stream(
        self, id: str, *, after: int | None = None, role: Role | None = None, views: bool = False
    ) -> Stream | Refused:
        """Watch a table, from the event after the one that is named."""
        ticket = self.ticket()
        if isinstance(ticket, Refused):
            return ticket
        return Stream(self.url, id, ticket.ticket, after=after, role=role, views=views)

    def call_pit(self, id: str, reason: str | None = None) -> PitCall | Refused:
        """Call somebody from the pit to a table; the open call where there is one already."""
        return self.call("POST", f"/tables/{id}/pit-calls", PitCall, {"reason": reason})

    def pit_calls(self) -> tuple[PitCall, ...] | Refused:
        """Calls that nobody has answered, and those that somebody is coming to."""
        answer = self.call("GET", "/pit-calls", PitCallsAnswer)
        return answer if isinstance(answer, Refused) else answer.calls

    def answer_pit_call(self, call: str, answer: str = "coming") -> PitCall | Refused:
        """Say that you are coming, or with `cleared` end the call."""
        return self.call("POST", f"/pit-calls/{call}", PitCall, {"answer": answer})

    def dispute(self, id: str, round: int, text: str) -> Dispute | Refused:
        """Dispute a round in which you had a bet."""
        return self.call("POST", f"/rounds/{id}/{round}/dispute", Dispute, {"text": text})

    def disputes(self) -> tuple[Dispute, ...] | Refused:
        """For the pit: disputes that nobody has answered."""
        answer = self.call("GET", "/disputes", DisputesAnswer)
        return answer if isinstance(answer, Refused) else answer.disputes

    def answer_dispute(self, dispute: str, answer: str) -> Dispute | Refused:
        """Answer a dispute in words."""
        return self.call("POST", f"/disputes/{dispute}", Dispute, {"answer": answer})

    def account(self) -> Account | Refused:
        return self.call("GET", "/accounts/me", Account)

    def buy_in(self, account: str, amount: int, key: str | None = None, *, is_large: bool = False) -> Moved | Refused:
        """As a cashier: a player brings money. Large cash is refused, unless you say that you know it for that."""
        return self._move("buy-in", account, amount, key, is_large=is_large)

    def cash_out(self, account: str, amount: int, key: str | None = None, *, is_large: bool = False) -> Moved | Refused:
        """As a cashier: a player takes money away; large cash as in `buy_in`."""
        return self._move("cash-out", account, amount, key, is_large=is_large)

    def _move(self, kind: str, account: str, amount: int, key: str | None, *, is_large: bool) -> Moved | Refused:
        body = {"account": account, "amount": amount, "key": key or fresh_key(), "is_large": is_large}
        return self.call("POST", f"/cashier/{kind}", Moved, body)

    def call(
        self, method: str, path: str, kind: type[_T], body: Any = None, query: dict[str, str] | None = None
    ) -> _T | Refused:
        """Any call of the API; the answer as a value of this kind."""
        content = msgspec.json.encode(body) if body is not None else None
        headers = _JSON if body is not None else None
        answer = self.http.request(method, path, content=content, headers=headers, params=query)
        return _read(answer, kind)


def fresh_key() -> str:
    return secrets.token_hex(12)


def command_body(
    command: CommandHeader | dict[str, Any], role: Role, *, expected: int | None, key: str | None
) -> dict[str, Any]:
    fields = msgspec.to_builtins(command, str_keys=True) if isinstance(command, CommandHeader) else command
    own = {name: value for name, value in fields.items() if name not in CommandHeader.__struct_fields__}
    body: dict[str, Any] = {"key": key or fresh_key(), "role": role.value, "command": own}
    return body if expected is None else {**body, "expected": expected}


def _of_role(role: Role | None) -> dict[str, str]:
    return {} if role is None else {"role": role.value}


def _read(answer: httpx.Response, kind: type[_T]) -> _T | Refused:
    return msgspec.json.decode(answer.content, type=kind) if answer.is_success else _refused(answer)


def _refused(answer: httpx.Response) -> Refused:
    return refused_from(answer.content, answer.status_code, answer.headers.get("retry-after"))
