"""An endpoint: one call of the API, as data; from it come the route, the checks and the OpenAPI document.

Every request takes the same way here (who asks and whether they may, how often, what is asked, then the
call itself and its reply), so nothing can be forgotten by one of the calls.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import msgspec

from punto.dealer.dealer import SKEW_MS
from punto.floor.loaded_table import LoadedTable
from punto.floor.log_ins import network_of
from punto.floor.people import role_needed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server import validation
from punto.server.access import Receive, Send, is_here, slow_down
from punto.server.app_state import AppState
from punto.server.sessions import Caller
from punto.server.settings import Settings
from punto.server.validation import LARGEST_BODY, RefusalAnswer, Rejected, ServerReason, malformed, rejected
from punto.store.device import StoredDevice
from punto.store.errors import StoreError
from punto.views.viewer import Viewer

COOKIE, SECURE_COOKIE = "punto_session", "__Host-punto_session"
"""The cookie of a session by http and by https; browsers let no other host set the second one."""


def cookie_name(settings: Settings) -> str:
    return SECURE_COOKIE if settings.https else COOKIE


class Inquiry(msgspec.Struct, frozen=True):
    """One request, read and checked."""

    app_state: AppState
    caller: Caller  # Who asks; where nobody has to log in, nobody; a stored device where only devices ask.
    path: dict[str, str]
    query: Any
    body: Any
    address: str

    @property
    def viewer(self) -> Viewer:
        """The caller in the role that the query asks for."""
        return Viewer(self.caller.handle, self.caller.role(self.query.role))

    async def table(self) -> LoadedTable:
        """The table that the address names."""
        return await self.app_state.table(self.path["id"], is_fresh=True)

    async def count(self, work: Callable[..., Any], loaded: LoadedTable, *arguments: Any) -> msgspec.Raw:
        """What is worked out about a table; it stays the same until the table has moved on."""
        wanted = (loaded.id, *arguments)
        return await self.app_state.counting.ask(self.caller.handle, work, *wanted, key=(*wanted, loaded.version))


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    """An answer that is not the usual one."""

    status: int
    value: Any = None
    cookies: tuple[tuple[str, int], ...] = ()
    """Session cookies to set: the token and its seconds; no seconds take it away."""


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """An answer that is a file, to be kept under a name."""

    name: str
    kind: str  # Its media type, such as text/csv.
    content: bytes


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One call of the API."""

    method: str
    path: str  # After the prefix, with names in braces.
    call: Callable[[Inquiry], Awaitable[Any]]  # The sentence that it begins with stands in the OpenAPI document.
    tag: str = ""  # Under which it stands there; default: the first part of the path.
    body: Any = None
    long_text: str | None = None  # The field of the body that holds a whole file.
    query: type[msgspec.Struct] | None = None
    answer: Any = None  # What is sent where nothing is refused; None for an empty answer.
    files: tuple[str, ...] = ()  # The media types of the files that it sends instead.
    record: Any = None  # What such a file holds if it is JSON; None for an object of any kind.
    status: int = 200
    also: dict[int, Any] = field(default_factory=dict)  # Other answers that are not refusals.
    roles: tuple[Role, ...] = ()  # Who may ask; anybody who has logged in, if empty.
    is_open: bool = False  # Nobody has to log in.
    is_for_guests: bool = False
    """Whoever asks has no account and watches: counted apart, so that a hall of guests keeps nobody from logging in."""
    cost: int | Callable[[Any], int] = 1
    """As how many requests it counts, where it keeps a processor busy; it may depend on the query."""
    needs_role: bool = True
    """Not for what is about the caller's own session or password, nor where the body names the role."""
    is_fresh: bool = False  # The password must have been given lately.
    is_act: bool = True
    """Whether it counts as something that a person does: not what pages ask for by themselves, again and again."""
    is_address_secret: bool = False  # Its address has a secret in it: the log has only where it leads.
    is_for_devices: bool = False  # Whoever asks is a device, by its key; `Inquiry.caller` is what is stored of it.
    is_for_command_line: bool = False  # Whoever asks is the command line of this machine, by the key of this start.
    is_for_unenrolled: bool = False  # Possible also before a second factor is set up that a role needs.
    is_for_locked: bool = False  # Possible also in a session that is locked because nothing was done in it.
    refuses: tuple[int, ...] = ()  # Statuses of refusals beside those that every call of this kind has.

    def __post_init__(self) -> None:
        object.__setattr__(self, "tag", self.tag or self.path.split("/")[1])

    @property
    def summary(self) -> str:
        return " ".join((self.call.__doc__ or "").partition("\n\n")[0].split())


Header = tuple[bytes, bytes]
_JSON: Header = (b"content-type", b"application/json")
_UNKEPT: Header = (b"cache-control", b"no-store")  # Nothing that is sent is kept by anybody on the way.
_encoder = msgspec.json.Encoder()
_log = logging.getLogger("punto.server")
LONGEST_LOGGED = 200  # Characters of an address in the log: strangers choose them, and one may have 64 KiB.


class Reply(msgspec.Struct, frozen=True):
    """What is sent back."""

    status: int
    content: bytes
    headers: tuple[Header, ...] = ()

    async def __call__(self, send: Send) -> None:
        headers = list(self.headers)
        if self.status not in (204, 304):
            headers.append((b"content-length", b"%d" % len(self.content)))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.content})


def json_reply(status: int, value: Any, headers: tuple[Header, ...] = ()) -> Reply:
    if value is None:
        return Reply(status, b"", (_UNKEPT, *headers))
    return Reply(status, _encoder.encode(value), (_UNKEPT, *headers, _JSON))


def rejection_of(error: Exception) -> Rejected:
    """What a client is told where something went wrong; what nobody expected goes to the log, not to the client."""
    if isinstance(error, Rejected):
        return error
    if isinstance(error, StoreError):
        _log.error("store failed", extra={"problem": str(error)})
        return Rejected(503, ServerReason.STORE_FAILED, retry_after=1)
    number = secrets.token_hex(4)
    _log.error("failed", extra={"number": number}, exc_info=error)
    return Rejected(500, ServerReason.FAILED, number=number)


def refusal_reply(error: Exception, *headers: Header) -> Reply:
    refused = rejection_of(error)
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    return json_reply(refused.status, RefusalAnswer(refused.text), headers)


# The body is read and the answer is sent as ASGI has them: a bet is one of thousands in a second, and
# everything that looks at a request costs each of them.
Headers = dict[bytes, str]
Handler = Callable[[Any, Receive, dict[str, str]], Awaitable[Reply]]
"""Answers requests, by their scope, what receives their body, and the parameters in their address."""


class Gone(Exception):
    """The client left while it was sending."""


def handler_of(endpoint: Endpoint, app_state: AppState) -> Handler:
    """What answers requests to an endpoint; `Gone` where the client has left."""
    decoder = msgspec.json.Decoder(endpoint.body) if endpoint.body is not None else None

    async def handle(scope: Any, receive: Receive, path: dict[str, str]) -> Reply:
        began = time.perf_counter()
        try:
            reply = await _handle(endpoint, app_state, decoder, scope, receive, path)
        except Gone:
            raise
        except Exception as error:
            if isinstance(error, StoreError):
                app_state.caretaker.note_trouble(str(error))
            reply = refusal_reply(error)
        if _log.isEnabledFor(logging.INFO):  # which call, never what was in it
            ms = round((time.perf_counter() - began) * 1000, 1)
            asked = endpoint.path if endpoint.is_address_secret else scope["path"][:LONGEST_LOGGED]
            call = {"method": endpoint.method, "route": endpoint.path, "path": asked}
            _log.info("request", extra={**call, "status": reply.status, "ms": ms})
        return reply

    return handle


async def _handle(
    endpoint: Endpoint,
    app_state: AppState,
    decoder: msgspec.json.Decoder[Any] | None,
    scope: Any,
    receive: Receive,
    path: dict[str, str],
) -> Reply:
    address = scope["client"][0] if scope.get("client") else ""
    headers: Headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    caller: Any = None
    if endpoint.is_for_command_line:
        _check_command_line(app_state, headers, address)
    elif endpoint.is_for_devices:
        caller = await _device(app_state, headers, address)
    elif not endpoint.is_open:
        caller = await _caller(endpoint, app_state, headers, address)
    if caller is None and not endpoint.is_for_command_line and not endpoint.is_for_guests:
        slow_down(app_state.by_address, network_of(address))
    query, price = None, 1
    try:
        query = _query(endpoint, scope["query_string"])
        price = endpoint.cost if isinstance(endpoint.cost, int) else endpoint.cost(query)
    finally:  # what cannot be read counts as one
        if endpoint.is_for_guests:
            slow_down(app_state.by_guest, network_of(address), price)
        elif caller is not None:
            slow_down(app_state.by_account, caller.actor if endpoint.is_for_devices else caller.handle, price)
        elif price > 1:
            slow_down(app_state.by_address, network_of(address), price - 1)  # one was taken before anything was read
    if any(map(validation.is_odd, path.values())):
        raise validation.not_there()
    body = None
    if decoder is not None:
        body = validation.read_json(await _content(headers, receive), decoder, endpoint.long_text)
    answer = await endpoint.call(Inquiry(app_state, caller, path, query, body, address))
    if isinstance(answer, Refusal):
        return refusal_reply(rejected(answer))
    if isinstance(answer, FileAnswer):
        named = (b"content-disposition", f'attachment; filename="{answer.name}"'.encode())
        return Reply(200, answer.content, (_UNKEPT, named, (b"content-type", answer.kind.encode())))
    if not isinstance(answer, StatusAnswer):
        return json_reply(endpoint.status, answer)
    name = cookie_name(app_state.settings)
    rest = "Path=/; HttpOnly; SameSite=Strict" + ("; Secure" if app_state.settings.https else "")
    cookies = (f"{name}={token}; Max-Age={seconds}; {rest}" for token, seconds in answer.cookies)
    return json_reply(answer.status, answer.value, tuple((b"set-cookie", cookie.encode()) for cookie in cookies))


def _query(endpoint: Endpoint, written: bytes) -> Any:
    if endpoint.query is None:
        if written:
            raise malformed("this address takes no query")
        return None
    try:
        values = parse_qs(written.decode("latin-1"), keep_blank_values=True, errors="strict")
    except (UnicodeDecodeError, ValueError):
        raise malformed("the query of the address cannot be read") from None
    return validation.read_query(values, endpoint.query)


async def _content(headers: Headers, receive: Receive) -> bytes:
    """The body, if it says that it is JSON and is not too large."""
    kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise malformed("the header Content-Type must be application/json")
    length = headers.get(b"content-length", "0")
    content, is_more = b"", True
    is_large = length.isdecimal() and int(length) > LARGEST_BODY
    while is_more and not is_large:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        content += message.get("body", b"")
        is_more = message.get("more_body", False)
        is_large = len(content) > LARGEST_BODY
    if is_large:
        raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY)
    return content


def _check_command_line(app_state: AppState, headers: Headers, address: str) -> None:
    """Refuse whoever is not the command line of this machine: the key stands beside the database."""
    kind, _, sent = headers.get(b"authorization", "").partition(" ")
    key, is_sent = app_state.command_line_key, kind.lower() == "bearer"
    is_right = bool(key) and secrets.compare_digest(sent.strip().encode(), (key or "").encode())
    if not (is_sent and is_right and (is_here(address) or address == app_state.settings.host)):
        slow_down(app_state.by_address, network_of(address))
        raise rejected(Refusal(Reason.NO_SESSION, None))


async def _device(app_state: AppState, headers: Headers, address: str) -> StoredDevice:
    """Which device asks, by its key. It is looked up each time: one that was revoked ends at once."""
    kind, _, key = headers.get(b"authorization", "").partition(" ")
    found = await asyncio.to_thread(app_state.devices.find, key.strip()) if kind.lower() == "bearer" else None
    if found is None:
        slow_down(app_state.by_address, network_of(address))
        raise rejected(Refusal(Reason.NO_DEVICE, None), 401)
    return found


async def _caller(endpoint: Endpoint, app_state: AppState, headers: Headers, address: str) -> Caller:
    """Who asks, by token or by cookie, and whether they may ask this."""
    kind, _, token = headers.get(b"authorization", "").partition(" ")
    by_cookie = not token
    if by_cookie:
        cookies = (part.strip().partition("=") for part in headers.get(b"cookie", "").split(";"))
        wanted = cookie_name(app_state.settings)
        token = next((value for name, _, value in cookies if name == wanted), "")
    elif kind.lower() != "bearer":
        raise rejected(Refusal(Reason.NO_SESSION, None))
    caller = await app_state.sessions.caller(token.strip()) if token else None
    if caller is None:
        if token:
            slow_down(app_state.by_address, network_of(address))  # guessing tokens costs the store a look each
        raise rejected(Refusal(Reason.NO_SESSION, None))
    if by_cookie and endpoint.method != "GET":
        sent = headers.get(b"x-csrf-token", "")
        if not secrets.compare_digest(sent.encode(), caller.csrf.encode()):
            raise Rejected(403, ServerReason.CSRF)
    if not endpoint.is_for_locked:
        if (idle := app_state.sessions.refuse_idle(caller)) is not None:
            raise rejected(idle)
        if endpoint.is_act:
            app_state.sessions.note_act(caller)
    if not endpoint.is_for_unenrolled and (missing := app_state.sessions.refuse_unenrolled(caller)) is not None:
        raise rejected(missing)
    if endpoint.needs_role and not caller.roles:
        raise Rejected(403, ServerReason.NO_ROLE)
    if endpoint.roles and not set(endpoint.roles) & set(caller.roles):
        raise rejected(role_needed(endpoint.roles))
    if endpoint.is_fresh:
        age = app_state.now() - caller.session.authenticated_ms
        if not -SKEW_MS <= age <= app_state.settings.fresh_ms:
            raise Rejected(401, ServerReason.PASSWORD_AGAIN, minutes=app_state.settings.fresh_minutes)
    return caller
