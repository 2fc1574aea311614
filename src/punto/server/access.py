"""Who comes in: the gate that every request passes first, limits on how often somebody may ask, passwords.

Hosts and origins that are not ours stay outside. Passwords are hashed and compared a few at once, in turn.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec

from punto.floor.password import SHORTEST_PASSWORD, hash_password, is_password
from punto.refusal import Refusal
from punto.server.settings import LOOPBACK, Settings
from punto.server.validation import RefusalAnswer, Rejected, ServerReason, not_there, too_often

MOST_BUCKETS = 20_000  # Buckets in memory; the one used longest ago is forgotten first, and was full long since.
T = TypeVar("T")


class Throttle:
    """How often somebody may ask: a bucket of requests by name that refills with time; for any thread.

    Each process counts for itself: this guards the process, and nothing follows from it. Failed log-ins and
    who is locked out are in the store, for all processes.
    """

    def __init__(self, rate: float, burst: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._burst = burst if burst is not None else max(1.0, 4 * rate)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, name: str, cost: float = 1.0, *, is_taken: bool = True) -> float:
        """Take a request of this cost out of a bucket, or only look: 0, or the seconds until it is there."""
        now, cost = self._clock(), min(cost, self._burst)
        with self._lock:
            left, then = self._buckets.pop(name, (self._burst, now))
            left = min(self._burst, left + (now - then) * self._rate)
            allowed = left >= cost
            self._buckets[name] = (left - cost if allowed and is_taken else left, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (cost - left) / self._rate


def whole_wait(limit: Throttle, name: str, cost: float = 1.0, *, is_taken: bool = True) -> int:
    """Take a request as `Throttle.wait` does; the wait in whole seconds, as a client is told: 0, or 1 and more."""
    wait = limit.wait(name, cost, is_taken=is_taken)
    return int(wait) + 1 if wait else 0


def slow_down(limit: Throttle, name: str, cost: float = 1.0, *, is_taken: bool = True) -> None:
    """Refuse whoever asks too often."""
    if seconds := whole_wait(limit, name, cost, is_taken=is_taken):
        raise too_often(seconds)


def is_here(address: str) -> bool:
    """Whether an address is of this machine."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback


class PendingConnections(Generic[T]):
    """Who has come in and not said yet who they are, by address, the longest wait first.

    Places are few and cost nothing to take, so they are counted: of all, and of each address. Whoever takes
    more than a share pays with the place that waited longest, because honest clients say at once who they are:
    they come in also where somebody else at the same address takes every place that there is.
    """

    def __init__(self) -> None:
        self._by_address: dict[str, OrderedDict[T, None]] = {}
        self._taken = 0

    def __len__(self) -> int:
        return self._taken

    def of(self, address: str) -> int:
        return len(self._by_address.get(address, ()))

    def enter(self, address: str, one: T) -> None:
        self._by_address.setdefault(address, OrderedDict())[one] = None
        self._taken += 1

    def leave(self, address: str, one: T) -> None:
        """Give a place back; whoever has none has left already."""
        taken = self._by_address.get(address, OrderedDict())
        if one in taken:
            del taken[one]
            self._taken -= 1
            if not taken:
                del self._by_address[address]

    def renew(self, address: str, one: T) -> None:
        """Begin the wait of somebody anew."""
        taken = self._by_address.get(address, OrderedDict())
        if one in taken:
            taken.move_to_end(one)

    def waiting(self, address: str) -> Iterator[T]:
        return iter(self._by_address.get(address, ()))

    def fullest(self) -> str:
        return max(self._by_address, key=self.of, default="")


HASHES_AT_ONCE = 2  # Passwords that are hashed at the same time.
MOST_HASHES_OF_NAME, MOST_HASHES_OF_ADDRESS, MOST_HASHES_WAITING = 16, 64, 1_024
"""Who can wait for a place: of one name at an address, of one address, and altogether."""
_threads = ThreadPoolExecutor(HASHES_AT_ONCE, thread_name_prefix="punto-password")


class PasswordDesk:
    """Compares passwords. Hashing takes 46 MiB for a moment, so only a few are done at once, in threads of their own.

    Whoever waits is served in turn: each address once, and there each name once, so that nobody waits for all that
    one account or one address has sent.
    """

    def __init__(self) -> None:
        self._free, self._waiting = HASHES_AT_ONCE, 0
        self._queues: OrderedDict[str, OrderedDict[str, deque[asyncio.Future[None]]]] = OrderedDict()
        """Who waits, by address and then by name; whose turn is next stands first in each."""

    @asynccontextmanager
    async def place(self, address: str, name: str) -> AsyncIterator[None]:
        """A place to compare at, to be held from looking a password up until what came of it is counted."""
        await self._come(address, name)
        try:
            yield
        finally:
            self._leave()

    async def compare(self, hashed: str | None, password: str) -> bool:
        """Whether this is the password; by whoever holds a place."""
        return await asyncio.get_running_loop().run_in_executor(_threads, lambda: is_password(hashed, password))

    async def hash(
        self, password: str, address: str = "", name: str = "", shortest: int = SHORTEST_PASSWORD
    ) -> str | Refusal:
        async with self.place(address, name):
            return await asyncio.get_running_loop().run_in_executor(_threads, hash_password, password, shortest)

    async def _come(self, address: str, name: str) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        there = self._queues.get(address, OrderedDict())
        is_crowded = sum(map(len, there.values())) >= MOST_HASHES_OF_ADDRESS or self._waiting >= MOST_HASHES_WAITING
        if is_crowded or len(there.get(name, ())) >= MOST_HASHES_OF_NAME:
            raise too_often()
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, OrderedDict()).setdefault(name, deque()).append(turn)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._leave()  # it was given away at the same moment
            raise

    def _leave(self) -> None:
        """Give a place to whoever is next; their address, and their name there, then stand behind all others."""
        while self._queues:
            address, names = self._queues.popitem(last=False)
            name, queue = names.popitem(last=False)
            turn = queue.popleft()
            self._waiting -= 1
            if queue:
                names[name] = queue
            if names:
                self._queues[address] = names
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

PREFIX = "/api/v1"
STREAM_PATH = f"{PREFIX}/tables/{{id}}/stream"
WATCH_STREAM_PATH = f"{PREFIX}/watch/tables/{{id}}/stream"  # For people without an account.
CONTENT_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What a page of ours may load: only what comes from here."""
SECURITY_HEADERS = (
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
)
_HOST = re.compile(r"(?:\[([^\[\]]*)\]|([^\[\]:]*))(?::[0-9]*)?")
"""A host as a request names it: an address in brackets or a name, and a port."""
_STREAM = re.compile("|".join(path.replace("{id}", "[^/]+") for path in (STREAM_PATH, WATCH_STREAM_PATH)))
"""Where there are streams; elsewhere they are refused with an answer."""
_DENIAL = "websocket.http.response"  # How a stream is refused with an answer, in the words of ASGI.
_PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, HEAD, POST, PUT, DELETE"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"600"),
]


class Gate:
    """Stands in front of the application: hosts and origins that are not ours stay outside.

    A page of somebody else that makes a browser call us sends its own origin; a name of somebody else that
    leads to our address sends its own host. Both are refused here, before anything is read. Every answer gets
    the headers that keep a browser strict.
    """

    def __init__(self, application: Application, settings: Settings) -> None:
        self._application, self._settings = application, settings
        own = () if settings.host in ("0.0.0.0", "::", "") else (settings.host,)
        self._hosts = frozenset(host.lower() for host in (*LOOPBACK, *own, *settings.hosts))
        self._origins = frozenset(origin.rstrip("/").lower() for origin in settings.origins)
        self._scheme = "https" if settings.https else "http"
        self._headers: tuple[tuple[bytes, bytes], ...] = SECURITY_HEADERS
        if settings.https:
            self._headers += ((b"strict-transport-security", b"max-age=31536000"),)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        try:
            origin = self._foreign_origin(scope["headers"])
            if scope["type"] == "websocket" and _STREAM.fullmatch(scope["path"]) is None:
                raise not_there()
        except Rejected as refused:
            await _refuse(scope, self._with_headers(send, None), refused)
            return
        send = self._with_headers(send, origin)
        if origin is not None and scope["type"] == "http" and scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
            await send({"type": "http.response.body", "body": b""})
            return
        if scope["type"] == "http" and scope["method"] == "HEAD":
            # The same answer, so that no call can forget it; its content-length is that of GET.
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        await self._application(scope, receive, send)

    def _foreign_origin(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """The origin of a request, where it is another one that is allowed; `Rejected` where host or origin is not."""
        hosts, origins = ([v.decode("latin-1") for n, v in headers if n == name] for name in (b"host", b"origin"))
        host = hosts[0].lower() if len(hosts) == 1 else ""
        parts = _HOST.fullmatch(host)
        if parts is None or (parts[1] or parts[2]) not in self._hosts:
            raise Rejected(400, ServerReason.WRONG_HOST, host=host[:80])
        if not origins or origins[0].lower() == f"{self._scheme}://{host}":
            return None
        if origins[0].lower() not in self._origins:
            raise Rejected(403, ServerReason.WRONG_ORIGIN, origin=origins[0][:80])
        return origins[0]

    def _with_headers(self, send: Send, origin: str | None) -> Send:
        extra = self._headers
        if origin is not None:
            # Programs on other pages use a token, never the cookie: credentials are not allowed.
            extra += ((b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin"))

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", f"{_DENIAL}.start"):
                message = {**message, "headers": [*message.get("headers", ()), *extra]}
            await send(message)

        return sent


def _without_body(send: Send) -> Send:
    """What GET would be answered, without what is in it."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, refused: Rejected) -> None:
    body, kind = msgspec.json.encode(RefusalAnswer(refused.text)), "http.response"
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    headers.append((b"content-length", b"%d" % len(body)))
    if scope["type"] == "websocket":
        if _DENIAL not in scope.get("extensions", ()):  # a server that can only close it
            await send({"type": "websocket.close", "code": 1008, "reason": refused.text.sentence[:100]})
            return
        kind = _DENIAL
    await send({"type": f"{kind}.start", "status": refused.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
