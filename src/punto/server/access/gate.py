"""The gate: every request passes it first. Hosts and origins that are not ours stay outside.

A page of somebody else that makes a browser call us sends its own origin; a name of somebody else that leads
to our address sends its own host. Both are refused here, before anything is read. Every answer gets the
headers that keep a browser strict.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec

from punto.server.http.rejection import RefusalAnswer, Rejected, ServerReason
from punto.server.settings import LOOPBACK, Settings

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""What a page of ours may load: only what comes from here."""
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
_HOST = re.compile(r"(?:\[([^\[\]]*)\]|([^\[\]:]*))(?::[0-9]*)?")
"""A host as a request names it: an address in brackets or a name, and a port."""
_STREAM = re.compile(r"/api/v1/tables/[^/]+/stream")
"""Where there are streams; elsewhere the framework would refuse them without a word."""
_DENIAL = "websocket.http.response"
"""How a stream is refused with an answer, in the words of ASGI."""
_DENIAL_START = f"{_DENIAL}.start"
_METHODS = b"GET, HEAD, POST, PUT, DELETE"
_SENT = b"authorization, content-type"


class Gate:
    """Stands in front of the application."""

    def __init__(self, application: Application, settings: Settings) -> None:
        self._application, self._settings = application, settings
        wild = settings.host in ("0.0.0.0", "::", "")
        own = () if wild else (settings.host,)
        self._hosts = frozenset(host.lower() for host in (*LOOPBACK, *own, *settings.hosts))
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.origins)
        self._scheme = "https" if settings.https else "http"
        self._headers: tuple[tuple[bytes, bytes], ...] = HEADERS
        if settings.https:
            self._headers += ((b"strict-transport-security", b"max-age=31536000"),)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        hosts, origins = _named(scope["headers"], b"host"), _named(scope["headers"], b"origin")
        origin = origins[0] if origins else None
        try:
            self._check_host(hosts)
            is_foreign = origin is not None and self._is_foreign(origin, hosts[0])
            if scope["type"] == "websocket" and _STREAM.fullmatch(scope["path"]) is None:
                raise Rejected(404, ServerReason.NOT_THERE, what="such address")
        except Rejected as refused:
            await _refuse(scope, self._with_headers(send, None), refused)
            return
        allowed = origin if is_foreign else None
        if allowed is not None and scope["type"] == "http" and scope["method"] == "OPTIONS":
            await self._preflight(self._with_headers(send, allowed))
            return
        send = self._with_headers(send, allowed)
        if scope["type"] == "http" and scope["method"] == "HEAD":
            # The same answer, so that no call can forget it; its content-length is that of GET.
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        await self._application(scope, receive, send)

    def _check_host(self, hosts: list[str]) -> None:
        host = hosts[0].lower() if len(hosts) == 1 else ""
        found = _HOST.fullmatch(host)
        if found is None or (found[1] or found[2]) not in self._hosts:
            raise Rejected(400, ServerReason.WRONG_HOST, host=host[:80])

    def _is_foreign(self, origin: str, host: str) -> bool:
        """Whether an origin is another one that is allowed; `Rejected` where it is not."""
        if origin.lower() == f"{self._scheme}://{host.lower()}":
            return False
        if origin.lower() not in self._origins:
            raise Rejected(403, ServerReason.WRONG_ORIGIN, origin=origin[:80])
        return True

    def _with_headers(self, send: Send, origin: str | None) -> Send:
        extra = self._headers
        if origin is not None:
            # Programs on other pages use a token, never the cookie: credentials are not allowed.
            extra += ((b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin"))

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", _DENIAL_START):
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        return sent

    async def _preflight(self, send: Send) -> None:
        headers = [
            (b"access-control-allow-methods", _METHODS),
            (b"access-control-allow-headers", _SENT),
            (b"access-control-max-age", b"600"),
        ]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _without_body(send: Send) -> Send:
    """What GET would be answered, without what is in it."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sent


def _named(headers: Iterable[tuple[bytes, bytes]], asked: bytes) -> list[str]:
    """The values of the headers of a name."""
    return [value.decode("latin-1") for name, value in headers if name == asked]


async def _refuse(scope: Scope, send: Send, refused: Rejected) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    body = msgspec.json.encode(RefusalAnswer(refused.text))
    headers.append((b"content-length", b"%d" % len(body)))
    start, rest = "http.response.start", "http.response.body"
    if scope["type"] == "websocket":
        if _DENIAL not in scope.get("extensions", ()):  # a server that can only close it
            await send({"type": "websocket.close", "code": 1008, "reason": refused.text.sentence[:100]})
            return
        start, rest = _DENIAL_START, f"{_DENIAL}.body"
    await send({"type": start, "status": refused.status, "headers": headers})
    await send({"type": rest, "body": body})
