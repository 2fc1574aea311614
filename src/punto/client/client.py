"""Two clients of a floor, and the streams of its tables: `Client` waits for each answer, `AsyncClient` is awaited.

Both have the methods of `floor_calls` and `house_calls`. What is refused comes back as a value, never as an exception.
Fields that a newer server adds are passed over. A stream that was cut is opened again with `after=stream.seq`: nothing
is missed and nothing comes twice.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import cache
from ipaddress import ip_address
from ssl import SSLContext
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, get_args, get_origin

import httpx
import msgspec
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from punto.client.api_call import ApiCall, IsAwaited, Refused, Waits
from punto.client.floor_calls import FloorCalls
from punto.client.house_calls import HouseCalls
from punto.floor.answers import CommandAnswer, DecidedAnswer, EventsAnswer, LoggedInAnswer, Waiting
from punto.inputs import AnyRole, role_of

PREFIX = "/api/v1"
OPENING_S = 30  # Seconds in which the server must answer, as for any other call.
ACCEPTED = 202  # The status of what waits for a second person.
_JSON = {"content-type": "application/json"}
_T = TypeVar("_T")
_Http = TypeVar("_Http", httpx.Client, httpx.AsyncClient)

Done = CommandAnswer | DecidedAnswer
"""A command that was carried out: the version after it, and its events."""
Events = EventsAnswer


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

    @classmethod
    def of(cls, closed: ConnectionClosed) -> StreamClosed:
        return cls(*((closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (1006, "")))

    @property
    def is_usual(self) -> bool:
        return self.code in (1000, 1001)


def is_of_this_machine(url: str) -> bool:
    """Whether an address leads to this machine: what is sent there, passwords and keys too, goes to nobody else."""
    host = httpx.URL(url).host
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Frames:
    """What both streams know: the first frame to send, and the last event that came."""

    def __init__(
        self,
        url: str,
        table: str,
        ticket: str,
        *,
        after: int | None = None,
        role: AnyRole | None = None,
        views: bool = False,
    ) -> None:
        self.address = f"{url.replace('http', 'ws', 1)}{PREFIX}/tables/{table}/stream"
        self.line = {**_LINE, "proxy": None} if is_of_this_machine(url) else _LINE
        self.seq = after or 0  # The last event that came.
        self.hello: dict[str, Any] = {"type": "hello", "ticket": ticket, "views": views}
        if after is not None:
            self.hello["after"] = after
        if role is not None:
            self.hello["role"] = role_of(role).value
        self._begin()

    def _begin(self) -> None:
        raise NotImplementedError

    def took(self, content: str | bytes) -> dict[str, Any]:
        frame: dict[str, Any] = msgspec.json.decode(content)
        if frame.get("type") in ("event", "snapshot"):
            self.seq = frame["seq"]
        return frame


# Unbounded: a full queue stops the reading, and then a stream could not be left while frames wait.
_LINE: dict[str, Any] = {"max_size": None, "max_queue": None, "compression": None, "open_timeout": OPENING_S}


class Stream(_Frames):
    """A table as it happens: frames as they come, each event once and in order, and commands on the same line."""

    def _begin(self) -> None:
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(connect(self.address, **self.line))
        self.send(self.hello)

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
            if not closed.is_usual:
                raise

    def next(self, timeout: float | None = None) -> dict[str, Any]:
        """The next frame; `StreamClosed` when there is no more, `TimeoutError` when none came in time."""
        try:
            return self.took(self._socket.recv(timeout))
        except ConnectionClosed as closed:
            raise StreamClosed.of(closed) from None

    def send(self, frame: dict[str, Any]) -> None:
        try:
            self._socket.send(msgspec.json.encode(frame).decode())
        except ConnectionClosed as closed:
            raise StreamClosed.of(closed) from None


class AsyncStream(_Frames):
    """The same to be awaited: `async for frame in stream`."""

    def _begin(self) -> None:
        self._stack = AsyncExitStack()

    async def open(self) -> AsyncStream:
        self._socket = await self._stack.enter_async_context(connect_async(self.address, **self.line))
        await self.send(self.hello)
        return self

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._stack.aclose()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        """Every frame until the stream ends."""
        try:
            while True:
                yield await self.next()
        except StreamClosed as closed:
            if not closed.is_usual:
                raise

    async def next(self) -> dict[str, Any]:
        """The next frame; `StreamClosed` when there is no more."""
        try:
            return self.took(await self._socket.recv())
        except ConnectionClosed as closed:
            raise StreamClosed.of(closed) from None

    async def send(self, frame: dict[str, Any]) -> None:
        try:
            await self._socket.send(msgspec.json.encode(frame).decode())
        except ConnectionClosed as closed:
            raise StreamClosed.of(closed) from None


@cache
def _trusted() -> SSLContext:
    """Whose certificates are believed. Read once in a process: it takes longer than to log in."""
    return httpx.create_ssl_context()


class _Line(Generic[_Http]):
    """What both clients share: where the floor is, who speaks, how a call is sent and its answer read."""

    http: _Http

    def __init__(self, http: type[_Http], url: str, token: str | None, timeout: float, *, by_proxy: bool) -> None:
        self.url = _floor_address(url)
        by_proxy = by_proxy and not is_of_this_machine(self.url)
        self.http = http(base_url=f"{self.url}{PREFIX}", timeout=timeout, verify=_trusted(), trust_env=by_proxy)
        self.session: LoggedInAnswer | None = None
        if token is not None:
            self._speak(token)

    def _speak(self, token: str | None) -> None:
        """Be known by a token from now on, or by none."""
        self.http.headers.pop("authorization", None)
        if token is not None:
            self.http.cookies.clear()
            self.http.headers["authorization"] = f"Bearer {token}"

    def _request(self, call: ApiCall[Any]) -> httpx.Request:
        address = f"{self.url}{call.path}" if call.is_outside else call.path
        content = msgspec.json.encode(call.body) if call.body is not None else None
        headers = _JSON if call.body is not None else None
        return self.http.build_request(
            call.method, address, content=content, headers=headers, params=call.query or None
        )

    def _read(self, call: ApiCall[_T], kind: Any, answer: httpx.Response) -> _T | Refused:
        if call.ends_session:
            self._speak(None)
            self.session = None
        if not (answer.is_success or answer.status_code in call.accepted):
            return refused_from(answer.content, answer.status_code, answer.headers.get("retry-after"))
        value = _value(call.inner, kind, answer)
        if isinstance(value, LoggedInAnswer):
            self.session = value
            self._speak(value.token)
        read: _T = value
        return read


def _value(inner: str, kind: Any, answer: httpx.Response) -> Any:
    """What an answer is read as."""
    if kind is NoneType or kind is None:
        return None
    if kind is bytes:
        return answer.content
    if get_origin(kind) is UnionType:  # a command is carried out, or it waits for a second person
        others = [one for one in get_args(kind) if one is not Waiting]
        kind = Waiting if answer.status_code == ACCEPTED else others[0]
    if inner:
        return msgspec.convert(msgspec.json.decode(answer.content)[inner], kind)
    return msgspec.json.decode(answer.content, type=kind)


def _floor_address(url: str) -> str:
    """Where a floor is, without the prefix of its API, which calls bring; `ValueError` if it is not an address."""
    if not re.match(r"https?://[^/?#\s]", url):
        raise ValueError(f"{url!r} is not the address of a floor; write it as http://127.0.0.1:8317")
    return url.rstrip("/").removesuffix(PREFIX)


class Client(_Line[httpx.Client], FloorCalls, HouseCalls, Waits):
    """Somebody at a floor. Programs log in, or have a token or the key of a device; it is sent with every call."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 30.0, by_proxy: bool = True) -> None:
        """`by_proxy`: by the proxy that the environment names, if there is one and the server is on another machine."""
        super().__init__(httpx.Client, url, token, timeout, by_proxy=by_proxy)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back; the session holds until it expires or `log_out`."""
        self.http.close()

    def ask(self, call: ApiCall[_T], kind: Any) -> _T | Refused:
        return self._read(call, kind, self.http.send(self._request(call)))

    def call(
        self, method: str, path: str, kind: type[_T], body: Any = None, query: dict[str, str] | None = None
    ) -> _T | Refused:
        """Any call of the API; the answer as a value of this kind."""
        return self.ask(ApiCall(method, path, body, query or {}), kind)

    def stream(
        self, id: str, *, after: int | None = None, role: AnyRole | None = None, views: bool = False
    ) -> Stream | Refused:
        """Watch a table, from the event after the one that is named."""
        ticket = self.ticket()
        if isinstance(ticket, Refused):
            return ticket
        return Stream(self.url, id, ticket.ticket, after=after, role=role, views=views)


class AsyncClient(_Line[httpx.AsyncClient], FloorCalls, HouseCalls, IsAwaited):
    """The same to be awaited: `await client.tables()`."""

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 30.0, by_proxy: bool = True) -> None:
        """`by_proxy`: by the proxy that the environment names, if there is one and the server is on another machine."""
        super().__init__(httpx.AsyncClient, url, token, timeout, by_proxy=by_proxy)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Give the connections back; the session holds until it expires or `log_out`."""
        await self.http.aclose()

    async def ask(self, call: ApiCall[_T], kind: Any) -> _T | Refused:
        return self._read(call, kind, await self.http.send(self._request(call)))

    async def call(
        self, method: str, path: str, kind: type[_T], body: Any = None, query: dict[str, str] | None = None
    ) -> _T | Refused:
        """Any call of the API; the answer as a value of this kind."""
        return await self.ask(ApiCall(method, path, body, query or {}), kind)

    async def stream(
        self, id: str, *, after: int | None = None, role: AnyRole | None = None, views: bool = False
    ) -> AsyncStream | Refused:
        """Watch a table, from the event after the one that is named."""
        ticket = await self.ticket()
        if isinstance(ticket, Refused):
            return ticket
        return await AsyncStream(self.url, id, ticket.ticket, after=after, role=role, views=views).open()
