"""A reply: status, headers and content, ready to be sent; and the reply to whatever went wrong."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar.exceptions import HTTPException

from punto.server.http.rejection import RefusalAnswer, RefusalText, Rejected, ServerReason
from punto.server.http.strict import LARGEST_BODY, malformed
from punto.store.errors import LastAdministrator, StoreError

Send = Callable[[Any], Awaitable[None]]
Header = tuple[bytes, bytes]
_JSON: Header = (b"content-type", b"application/json")
_UNKEPT: Header = (b"cache-control", b"no-store")
"""Nothing that is sent is kept by anybody on the way."""
_encoder = msgspec.json.Encoder()
_log = logging.getLogger("punto.server")


class Reply(msgspec.Struct, frozen=True):
    """What is sent back."""

    status: int
    content: bytes
    headers: tuple[Header, ...] = ()

    async def __call__(self, _: Any, __: Any, send: Send) -> None:
        """Send it, as an ASGI application does."""
        length = (b"content-length", b"%d" % len(self.content))
        headers = [_UNKEPT, *self.headers]
        if self.status != 204:
            headers += [_JSON, length]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.content})


def reply(status: int, value: Any, headers: tuple[Header, ...] = ()) -> Reply:
    """An answer as JSON."""
    return Reply(status, b"" if value is None else _encoder.encode(value), headers)


def refusal_reply(error: Exception, method: str = "this method") -> Reply:
    """What is sent where something went wrong; what nobody expected goes to the log, not to the client."""
    if isinstance(error, Rejected):
        headers: list[Header] = []
        if error.retry_after is not None:
            headers.append((b"retry-after", b"%d" % error.retry_after))
        if error.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        return reply(error.status, RefusalAnswer(error.text), tuple(headers))
    if isinstance(error, HTTPException) and error.status_code < 500:
        return _of_framework(error, method)
    if isinstance(error, LastAdministrator):
        return refusal_reply(Rejected(409, ServerReason.LAST_ADMINISTRATOR, person=error.person))
    if isinstance(error, StoreError):
        _log.error("store failed", extra={"problem": str(error)})
        return refusal_reply(Rejected(503, ServerReason.STORE_FAILED, retry_after=1))
    number = secrets.token_hex(4)
    _log.error("failed", extra={"number": number}, exc_info=error)
    return reply(500, RefusalAnswer(Rejected(500, ServerReason.FAILED, number=number).text))


def _of_framework(error: HTTPException, method: str) -> Reply:
    """What Litestar itself refuses, in our words."""
    text: RefusalText
    match error.status_code:
        case 404:
            text = Rejected(404, ServerReason.NOT_THERE, what="such address").text
        case 405:
            text = Rejected(405, ServerReason.NO_METHOD, method=method).text
        case 413:
            text = Rejected(413, ServerReason.TOO_LARGE, most=LARGEST_BODY).text
        case _:
            text = malformed("it is not a request that can be answered").text
    status = error.status_code if error.status_code in (404, 405, 413) else 400
    allowed = next((v for n, v in (error.headers or {}).items() if n.lower() == "allow"), None)
    if allowed and "GET" in allowed:
        allowed = f"HEAD, {allowed}"
    return reply(status, RefusalAnswer(text), ((b"allow", allowed.encode()),) if allowed else ())
