"""An endpoint: one call of the API, as data; from it come the route, the checks and the OpenAPI document.

Every request takes the same way: how often, who asks and whether they may, what is asked, the answer. So
nothing that is asked for here can be forgotten by one of the calls.
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
from litestar import Request, Response
from litestar.exceptions import HTTPException

from punto.refusal import Refusal
from punto.rules.role import Role
from punto.server.access.session_book import Caller
from punto.server.hall import Hall
from punto.server.http.rejection import RefusalAnswer, RefusalText, Rejected, ServerReason, status_of, text_of
from punto.server.http.strict import LARGEST_BODY, malformed, read_json, read_query
from punto.store.errors import StoreError

PREFIX = "/api/v1"
COOKIE = "punto_session"
_log = logging.getLogger("punto.server")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One request, read and checked."""

    hall: Hall
    caller: Caller
    """Who asks; where nobody has to log in, nobody."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One call of the API."""

    method: str
    path: str
    """After the prefix, with names in braces."""
    call: Call
    summary: str
    """One sentence; it stands in the OpenAPI document."""
    tag: str
    body: Any = None
    query: type[msgspec.Struct] | None = None
    answer: Any = None
    """What is sent where nothing is refused; None for an empty answer."""
    status: int = 200
    also: dict[int, Any] = field(default_factory=dict)
    """Other answers that are not refusals."""
    roles: tuple[Role, ...] = ()
    """Who may ask; anybody who has logged in, if empty."""
    is_open: bool = False
    """Nobody has to log in."""
    is_fresh: bool = False
    """The password must have been given lately."""
    refuses: tuple[int, ...] = ()
    """Statuses of refusals beside those that every call of this kind has."""


NOBODY: Any = None


AnyRequest = Request[Any, Any, Any]
Responder = Callable[[AnyRequest], Awaitable[Response[bytes]]]


def responder(endpoint: Endpoint, hall: Hall) -> Responder:
    """The function that answers requests to an endpoint."""
    decoder: msgspec.json.Decoder[Any] | None = (
        msgspec.json.Decoder(endpoint.body) if endpoint.body is not None else None
    )

    async def respond(request: AnyRequest) -> Response[bytes]:
        began = time.perf_counter()
        try:
            answer = await _answered(endpoint, hall, decoder, request)
        except Exception as error:
            answer = refusal_response(error)
        if _log.isEnabledFor(logging.INFO):
            _tell(endpoint, request, answer, time.perf_counter() - began)
        return answer

    return respond


async def _answered(
    endpoint: Endpoint,
    hall: Hall,
    decoder: msgspec.json.Decoder[Any] | None,
    request: AnyRequest,
) -> Response[bytes]:
    address = request.client.host if request.client else ""
    caller = NOBODY if endpoint.is_open else await _caller(endpoint, hall, request)
    limit = hall.by_address if endpoint.is_open else hall.by_session
    wait = limit.wait(address if endpoint.is_open else caller.session.token)
    if wait:
        seconds = int(wait) + 1
        raise Rejected(429, ServerReason.TOO_OFTEN, retry_after=seconds, seconds=seconds)
    query = None
    if endpoint.query is not None or request.scope["query_string"]:
        asked = request.scope["query_string"].decode("latin-1")
        try:
            values = parse_qs(asked, keep_blank_values=True, errors="strict")
        except (UnicodeDecodeError, ValueError):
            raise malformed("the query of the address cannot be read") from None
        if endpoint.query is None:
            raise malformed("this address takes no query")
        query = read_query(values, endpoint.query)
    body = None
    if decoder is not None:
        body = read_json(await _content(request), decoder)
    found = await endpoint.call(Inquiry(hall, caller, dict(request.path_params), query, body, address))
    if isinstance(found, Refusal):
        return response(status_of(found), RefusalAnswer(text_of(found)))
    if isinstance(found, Answered):
        return response(found.status, found.value, hall, found.cookies)
    return response(endpoint.status, found, hall)


async def _content(request: AnyRequest) -> bytes:
    """The body, if it says that it is JSON and is not too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise malformed("the header Content-Type must be application/json")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > LARGEST_BODY:
        raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY)
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > LARGEST_BODY:
            raise Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY)
    return bytes(content)


async def _caller(endpoint: Endpoint, hall: Hall, request: AnyRequest) -> Caller:
    """Who asks, by token or by cookie, and whether they may ask this."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    by_cookie = not token
    if by_cookie:
        token = request.cookies.get(COOKIE, "")
    elif kind.lower() != "bearer":
        raise Rejected(401, ServerReason.NO_SESSION)
    caller = await hall.sessions.caller(token.strip()) if token else None
    if caller is None:
        raise Rejected(401, ServerReason.NO_SESSION)
    if by_cookie and endpoint.method != "GET":
        sent = request.headers.get("x-csrf-token", "")
        if not secrets.compare_digest(sent.encode(), caller.csrf.encode()):
            raise Rejected(403, ServerReason.CSRF)
    if endpoint.roles and not set(endpoint.roles) & set(caller.roles):
        names = ", ".join(role.value for role in endpoint.roles)
        raise Rejected(403, ServerReason.ROLE_NEEDED, roles=names)
    if endpoint.is_fresh and hall.now() - caller.session.authenticated_ms > hall.settings.fresh_ms:
        minutes = hall.settings.fresh_ms // 60_000
        raise Rejected(401, ServerReason.PASSWORD_AGAIN, minutes=minutes)
    return caller


def response(
    status: int, value: Any, hall: Hall | None = None, cookies: tuple[tuple[str, int], ...] = ()
) -> Response[bytes]:
    """An answer as JSON; nothing that is sent is kept by anybody on the way."""
    content = b"" if value is None else msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    made = Response(content, status_code=status, media_type="application/json", headers=headers)
    for token, seconds in cookies:
        assert hall is not None
        made.set_cookie(
            key=COOKIE,
            value=token,
            max_age=seconds,
            path="/",
            httponly=True,
            samesite="strict",
            secure=hall.settings.is_secure,
        )
    return made


def refusal_response(error: Exception) -> Response[bytes]:
    """What is sent where something went wrong; what nobody expected goes to the log, not to the client."""
    if isinstance(error, Rejected):
        made = response(error.status, RefusalAnswer(error.text))
        if error.retry_after is not None:
            made.headers["retry-after"] = str(error.retry_after)
        if error.status == 401:
            made.headers["www-authenticate"] = "Bearer"
        return made
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_framework(error)
    if isinstance(error, StoreError):
        refused = Rejected(503, ServerReason.STORE_FAILED, retry_after=1)
        _log.error("store failed", extra={"problem": str(error)})
        return refusal_response(refused)
    number = secrets.token_hex(4)
    _log.error("failed", extra={"number": number}, exc_info=error)
    return response(500, RefusalAnswer(Rejected(500, ServerReason.FAILED, number=number).text))


def _of_framework(error: HTTPException) -> Response[bytes]:
    match error.status_code:
        case 404:
            text = Rejected(404, ServerReason.NOT_THERE, what="such address").text
        case 405:
            text = Rejected(405, ServerReason.NO_METHOD, method="this method").text
        case 413:
            text = Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY).text
        case _:
            text = malformed("it is not a request that can be answered").text
    status = error.status_code if error.status_code in (404, 405, 413) else 400
    made = response(status, RefusalAnswer(text))
    for name, value in (error.headers or {}).items():
        if name.lower() == "allow":
            made.headers["allow"] = value
    return made


def _tell(endpoint: Endpoint, request: AnyRequest, answer: Response[bytes], seconds: float) -> None:
    """One line of the log: which call, never what was in it."""
    _log.info(
        "request",
        extra={
            "method": endpoint.method,
            "route": endpoint.path,
            "path": request.scope["path"],
            "status": answer.status_code,
            "ms": round(seconds * 1000, 1),
        },
    )


def refusal_text(refusal: Refusal | Rejected) -> RefusalText:
    """Any refusal as it is sent."""
    return refusal.text if isinstance(refusal, Rejected) else text_of(refusal)
