"""Answering a request: how often, who asks and whether they may, what is asked, then the call itself.

The body is read and the answer is sent as ASGI has them: a bet is one of thousands in a second, and
everything that looks at a request costs each of them.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

import msgspec

from punto.dealer import SKEW_MS
from punto.refusal import Reason, Refusal
from punto.server.access.session_book import Caller
from punto.server.access.throttle import slow_down
from punto.server.hall import Hall
from punto.server.http.complaint import listed
from punto.server.http.endpoint import Answered, Endpoint, Inquiry, cookie_name
from punto.server.http.rejection import RefusalAnswer, Rejected, ServerReason, status_of, text_of
from punto.server.http.reply import Header, Reply, refusal_reply, reply
from punto.server.http.strict import LARGEST_BODY, is_odd, malformed, read_json, read_query

Receive = Callable[[], Awaitable[Any]]
Headers = dict[bytes, str]
_log = logging.getLogger("punto.server")


class Gone(Exception):
    """The client left while it was sending."""


Responder = Callable[[Any, Receive], Awaitable[Reply | None]]
"""Takes the scope of a request and what receives its body; nothing comes back where the client has gone."""


def responder(endpoint: Endpoint, hall: Hall) -> Responder:
    """The function that answers requests to an endpoint; their scope has `path_params`."""
    decoder: msgspec.json.Decoder[Any] | None = None
    if endpoint.body is not None:
        decoder = msgspec.json.Decoder(endpoint.body)

    async def respond(scope: Any, receive: Receive) -> Reply | None:
        began = time.perf_counter()
        try:
            answer = await _answered(endpoint, hall, decoder, scope, receive)
        except Gone:
            return None
        except Exception as error:
            answer = refusal_reply(error)
        if _log.isEnabledFor(logging.INFO):
            _tell(endpoint, scope, answer, time.perf_counter() - began)
        return answer

    return respond


async def _answered(
    endpoint: Endpoint, hall: Hall, decoder: msgspec.json.Decoder[Any] | None, scope: Any, receive: Receive
) -> Reply:
    address = scope["client"][0] if scope.get("client") else ""
    headers: Headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    caller: Any = None if endpoint.is_open else await _caller(endpoint, hall, headers, address)
    if caller is None:
        slow_down(hall.by_address, address)
    query, price = None, 1
    try:
        query = _query(endpoint, scope["query_string"])
        price = endpoint.price(query)
    finally:  # what cannot be read counts as one
        if caller is not None:
            slow_down(hall.by_account, caller.handle, price)
    path = {name: str(value) for name, value in scope["path_params"].items()}
    if any(map(is_odd, path.values())):
        raise Rejected(404, ServerReason.NOT_THERE, what="such address")
    body = None
    if decoder is not None:
        body = read_json(await _content(headers, receive), decoder)
    found = await endpoint.call(Inquiry(hall, caller, path, query, body, address))
    if isinstance(found, Refusal):
        return reply(status_of(found), RefusalAnswer(text_of(found)), _retry(found))
    if isinstance(found, Answered):
        return reply(found.status, found.value, _cookies(found, hall))
    return reply(endpoint.status, found)


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


async def _caller(endpoint: Endpoint, hall: Hall, headers: Headers, address: str) -> Caller:
    """Who asks, by token or by cookie, and whether they may ask this."""
    kind, _, token = headers.get(b"authorization", "").partition(" ")
    by_cookie = not token
    if by_cookie:
        token = _cookie(headers.get(b"cookie", ""), cookie_name(hall.settings))
    elif kind.lower() != "bearer":
        raise Rejected(401, ServerReason.NO_SESSION)
    caller = await hall.sessions.caller(token.strip()) if token else None
    if caller is None:
        if token:
            slow_down(hall.by_address, address)  # guessing tokens costs the store a look each
        raise Rejected(401, ServerReason.NO_SESSION)
    if by_cookie and endpoint.method != "GET":
        sent = headers.get(b"x-csrf-token", "")
        if not secrets.compare_digest(sent.encode(), caller.csrf.encode()):
            raise Rejected(403, ServerReason.CSRF)
    if endpoint.needs_role and not caller.roles:
        raise Rejected(403, ServerReason.NO_ROLE)
    if endpoint.roles and not set(endpoint.roles) & set(caller.roles):
        raise Rejected(403, ServerReason.ROLE_NEEDED, roles=listed([role.value for role in endpoint.roles]))
    age = hall.now() - caller.session.authenticated_ms
    if endpoint.is_fresh and not -SKEW_MS <= age <= hall.settings.fresh_ms:
        minutes = hall.settings.fresh_ms // 60_000
        raise Rejected(401, ServerReason.PASSWORD_AGAIN, minutes=minutes)
    return caller


def _cookie(header: str, wanted: str) -> str:
    """The session among the cookies that a browser sends."""
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted:
            return value
    return ""


def _retry(refusal: Refusal) -> tuple[Header, ...]:
    if refusal.reason is not Reason.TOO_MANY_REFUSED:
        return ()
    return ((b"retry-after", str(refusal.params["seconds"]).encode()),)


def _cookies(answered: Answered, hall: Hall) -> tuple[Header, ...]:
    rest = "Path=/; HttpOnly; SameSite=Strict" + ("; Secure" if hall.settings.is_secure else "")
    return tuple(
        (b"set-cookie", f"{cookie_name(hall.settings)}={token}; Max-Age={seconds}; {rest}".encode())
        for token, seconds in answered.cookies
    )


def _tell(endpoint: Endpoint, scope: Any, answer: Reply, seconds: float) -> None:
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
