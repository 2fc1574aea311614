"""An endpoint: one call of the API, as data; from it come the route, the checks and the OpenAPI document.

Every request takes the same way here (how often, who asks and whether they may, what is asked, then the
call itself and its reply), so nothing can be forgotten by one of the calls.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import msgspec

from punto.dealer.dealer import SKEW_MS
from punto.floor.people import role_needed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server.access import slow_down
from punto.server.app_state import AppState
from punto.server.sessions import Caller
from punto.server.settings import Settings
from punto.server.validation import (
    LARGEST_BODY,
    RefusalAnswer,
    Rejected,
    ServerReason,
    is_odd,
    malformed,
    read_json,
    read_query,
    rejected,
)
from punto.store.errors import StoreError

PREFIX = "/api/v1"
COOKIE, SECURE_COOKIE = "punto_session", "__Host-punto_session"
"""The cookie of a session by http and by https; browsers let no other host set the second one."""


def cookie_name(settings: Settings) -> str:
    """The cookie that a server sets and reads."""
    return SECURE_COOKIE if settings.is_secure else COOKIE


class Inquiry(msgspec.Struct, frozen=True):
    """One request, read and checked."""

    app_state: AppState
    caller: Caller  # Who asks; where nobody has to log in, nobody.
    path: dict[str, str]
    query: Any
    body: Any
    address: str


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that is not the usual one."""

    status: int
    value: Any = None
    cookies: tuple[tuple[str, int], ...] = ()
    """Session cookies to set: the token and its seconds; no seconds take it away."""


Call = Callable[[Inquiry], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One call of the API."""

    method: str
    path: str  # After the prefix, with names in braces.
    call: Call
    summary: str = ""  # One sentence for the OpenAPI document; default: the one that the call begins with.
    tag: str = ""  # Under which it stands there; default: the first part of the path.
    body: Any = None
    query: type[msgspec.Struct] | None = None
    answer: Any = None  # What is sent where nothing is refused; None for an empty answer.
    status: int = 200
    also: dict[int, Any] = field(default_factory=dict)  # Other answers that are not refusals.
    roles: tuple[Role, ...] = ()  # Who may ask; anybody who has logged in, if empty.
    is_open: bool = False  # Nobody has to log in.
    cost: int | Callable[[Any], int] = 1
    """As how many requests it counts, where it keeps a processor busy; it may depend on the query."""
    needs_role: bool = True
    """Not for what is about the caller's own session or password, nor where the body names the role."""
    is_fresh: bool = False  # The password must have been given lately.
    refuses: tuple[int, ...] = ()  # Statuses of refusals beside those that every call of this kind has.

    def __post_init__(self) -> None:
        sentence = " ".join((self.call.__doc__ or "").partition("\n\n")[0].split())
        object.__setattr__(self, "summary", self.summary or sentence)
        object.__setattr__(self, "tag", self.tag or self.path.split("/")[1])

    def price(self, query: Any) -> int:
        """As how many requests this one counts."""
        return self.cost if isinstance(self.cost, int) else self.cost(query)


Send = Callable[[Any], Awaitable[None]]
Header = tuple[bytes, bytes]
_JSON: Header = (b"content-type", b"application/json")
_UNKEPT: Header = (b"cache-control", b"no-store")  # Nothing that is sent is kept by anybody on the way.
_encoder = msgspec.json.Encoder()
_log = logging.getLogger("punto.server")


class Reply(msgspec.Struct, frozen=True):
    """What is sent back."""

    status: int
    content: bytes
    headers: tuple[Header, ...] = ()

    async def __call__(self, send: Send) -> None:
        """Send it, as ASGI has it."""
        headers = list(self.headers)
        if self.status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(self.content)))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.content})


def json_reply(status: int, value: Any, headers: tuple[Header, ...] = ()) -> Reply:
    """An answer as JSON."""
    if value is None:
        return Reply(status, b"", (_UNKEPT, *headers))
    return Reply(status, _encoder.encode(value), (_UNKEPT, *headers, _JSON))


def refusal_reply(error: Exception, *headers: Header) -> Reply:
    """What is sent where something went wrong; what nobody expected goes to the log, not to the client."""
    match error:
        case Rejected():
            refused = error
        case StoreError():
            _log.error("store failed", extra={"problem": str(error)})
            refused = Rejected(503, ServerReason.STORE_FAILED, retry_after=1)
        case _:
            number = secrets.token_hex(4)
            _log.error("failed", extra={"number": number}, exc_info=error)
            refused = Rejected(500, ServerReason.FAILED, number=number)
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    return json_reply(refused.status, RefusalAnswer(refused.text), headers)


# The body is read and the answer is sent as ASGI has them: a bet is one of thousands in a second, and
# everything that looks at a request costs each of them.


Receive = Callable[[], Awaitable[Any]]
Headers = dict[bytes, str]


class Gone(Exception):
    """The client left while it was sending."""


def answering(endpoint: Endpoint, app_state: AppState) -> Callable[[Any, Receive, dict[str, str]], Awaitable[Reply]]:
    """The function that answers requests to an endpoint, by their scope, what receives their body, and the names in
    their address; `Gone` where the client has left.
    """
    decoder: msgspec.json.Decoder[Any] | None = None
    if endpoint.body is not None:
        decoder = msgspec.json.Decoder(endpoint.body)

    async def answer(scope: Any, receive: Receive, path: dict[str, str]) -> Reply:
        began = time.perf_counter()
        try:
            reply = await _answered(endpoint, app_state, decoder, scope, receive, path)
        except Gone:
            raise
        except Exception as error:
            reply = refusal_reply(error)
        if _log.isEnabledFor(logging.INFO):
            _log_request(endpoint, scope, reply, time.perf_counter() - began)
        return reply

    return answer


async def _answered(
    endpoint: Endpoint,
    app_state: AppState,
    decoder: msgspec.json.Decoder[Any] | None,
    scope: Any,
    receive: Receive,
    path: dict[str, str],
) -> Reply:
    address = scope["client"][0] if scope.get("client") else ""
    headers: Headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    caller: Any = None if endpoint.is_open else await _caller(endpoint, app_state, headers, address)
    if caller is None:
        slow_down(app_state.by_address, address)
    query, price = None, 1
    try:
        query = _query(endpoint, scope["query_string"])
        price = endpoint.price(query)
    finally:  # what cannot be read counts as one
        if caller is not None:
            slow_down(app_state.by_account, caller.handle, price)
    if any(map(is_odd, path.values())):
        raise Rejected(404, ServerReason.NOT_THERE, what="such address")
    body = None
    if decoder is not None:
        body = read_json(await _content(headers, receive), decoder)
    answer = await endpoint.call(Inquiry(app_state, caller, path, query, body, address))
    if isinstance(answer, Refusal):
        return refusal_reply(rejected(answer))
    if isinstance(answer, Answered):
        return json_reply(answer.status, answer.value, _cookies(answer, app_state))
    return json_reply(endpoint.status, answer)


def _query(endpoint: Endpoint, asked: bytes) -> Any:
    if endpoint.query is None:
        if asked:
            raise malformed("this address takes no query")
        return None
    try:
        values = parse_qs(asked.decode("latin-1"), keep_blank_values=True, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise malformed("the query of the address cannot be read") from None
    return read_query(values, endpoint.query)


async def _content(headers: Headers, receive: Receive) -> bytes:
    """The body, if it says that it is JSON and is not too large."""
    kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise malformed("the header Content-Type must be application/json")
    length = headers.get(b"content-length", "0")
    if length.isdecimal() and int(length) > LARGEST_BODY:
        raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY)
    content, is_more = b"", True
    while is_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        content += message.get("body", b"")
        is_more = message.get("more_body", False)
        if len(content) > LARGEST_BODY:
            raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY)
    return content


async def _caller(endpoint: Endpoint, app_state: AppState, headers: Headers, address: str) -> Caller:
    """Who asks, by token or by cookie, and whether they may ask this."""
    kind, _, token = headers.get(b"authorization", "").partition(" ")
    by_cookie = not token
    if by_cookie:
        token = _cookie(headers.get(b"cookie", ""), cookie_name(app_state.settings))
    elif kind.lower() != "bearer":
        raise rejected(Refusal(Reason.NO_SESSION, None))
    caller = await app_state.sessions.caller(token.strip()) if token else None
    if caller is None:
        if token:
            slow_down(app_state.by_address, address)  # guessing tokens costs the store a look each
        raise rejected(Refusal(Reason.NO_SESSION, None))
    if by_cookie and endpoint.method != "GET":
        sent = headers.get(b"x-csrf-token", "")
        if not secrets.compare_digest(sent.encode(), caller.csrf.encode()):
            raise Rejected(403, ServerReason.CSRF)
    if endpoint.needs_role and not caller.roles:
        raise Rejected(403, ServerReason.NO_ROLE)
    if endpoint.roles and not set(endpoint.roles) & set(caller.roles):
        raise rejected(role_needed(endpoint.roles))
    age = app_state.now() - caller.session.authenticated_ms
    if endpoint.is_fresh and not -SKEW_MS <= age <= app_state.settings.fresh_ms:
        minutes = app_state.settings.fresh_ms // 60_000
        raise Rejected(401, ServerReason.PASSWORD_AGAIN, minutes=minutes)
    return caller


def _cookie(header: str, wanted: str) -> str:
    """The session among the cookies that a browser sends."""
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted:
            return value
    return ""


def _cookies(answered: Answered, app_state: AppState) -> tuple[Header, ...]:
    rest = "Path=/; HttpOnly; SameSite=Strict" + ("; Secure" if app_state.settings.is_secure else "")
    return tuple(
        (b"set-cookie", f"{cookie_name(app_state.settings)}={token}; Max-Age={seconds}; {rest}".encode())
        for token, seconds in answered.cookies
    )


def _log_request(endpoint: Endpoint, scope: Any, answer: Reply, seconds: float) -> None:
    """One line of the log: which call, never what was in it."""
    _log.info(
        "request",
        extra={
            "method": endpoint.method,
            "route": endpoint.path,
            "path": scope["path"],
            "status": answer.status,
            "ms": round(seconds * 1000, 1),
        },
    )
