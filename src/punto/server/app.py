"""The application: every endpoint, the stream, the documents about them and the pages, behind the gate; and
uvicorn that serves it.

Commands for tables are by far the most frequent calls: they go straight to their endpoint, past the
routing of the framework, with the same checks.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import re
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import FrameType
from typing import Any

import msgspec
import uvicorn
from litestar import HttpMethod, Litestar, Request, Response, WebSocket
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import ASGIApp

from punto.server.access import Application, Gate, Receive, Scope, Send, hash_of_nobody
from punto.server.app_state import AppState
from punto.server.book_routes import BOOK_ENDPOINTS, ODDS_ENDPOINTS
from punto.server.endpoint import PREFIX, Answered, Endpoint, Inquiry, cookie_name, refusal_reply, responder
from punto.server.floor_protocol import FloorProtocol, StreamProtocol
from punto.server.history_routes import AUDIT_ENDPOINTS, HISTORY_ENDPOINTS
from punto.server.messages import HealthAnswer
from punto.server.openapi import DOC_STYLE, doc_page, frames_schema, openapi_document
from punto.server.people_routes import ACCOUNT_ENDPOINTS, CASHIER_ENDPOINTS, PEOPLE_ENDPOINTS, SESSION_ENDPOINTS
from punto.server.stream import serve_stream
from punto.server.table_routes import (
    COMMAND_ENDPOINTS,
    GIVE_COMMAND,
    PIT_CALL_ENDPOINTS,
    RUNNING_ENDPOINTS,
    TABLE_ENDPOINTS,
)
from punto.server.validation import LARGEST_BODY
from punto.store.errors import StoreError

# Whether the server runs and is ready; both stand outside the prefix and tell nothing else.


async def show_health(_: Inquiry) -> HealthAnswer:
    return HealthAnswer("ok")


async def show_ready(ask: Inquiry) -> Answered:
    def look() -> bool:
        try:
            with ask.app_state.store.read() as reader:
                reader.table("-")
        except StoreError:
            return False
        return True

    is_ready = not ask.app_state.is_stopping and await asyncio.to_thread(look)
    return Answered(200 if is_ready else 503, HealthAnswer("ready" if is_ready else "not ready"))


HEALTH_ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/health",
        call=show_health,
        summary="Whether the server runs.",
        tag="server",
        answer=HealthAnswer,
        is_open=True,
    ),
    Endpoint(
        method="GET",
        path="/ready",
        call=show_ready,
        summary="Whether the server can take requests.",
        tag="server",
        answer=HealthAnswer,
        also={503: HealthAnswer},
        is_open=True,
    ),
)


# The pages that a browser loads: files built from web/, read once, and one page where they are not there.


NO_PAGES = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto</title>
<h1>Punto</h1><p>The floor is open. The pages have not been built on this machine; the API is at
<a href="/docs">/docs</a>.</p></html>
"""
_ZIPPED = ("text/", "application/javascript", "application/json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file, with its name for caches."""

    content: bytes
    kind: str
    tag: str
    zipped: bytes | None = None


def page_file(content: bytes, kind: str) -> PageFile:
    """A file that is sent as it is, or zipped where that pays."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    is_text = kind.startswith(_ZIPPED) and len(content) > 500
    return PageFile(content, kind, tag, gzip.compress(content, 6, mtime=0) if is_text else None)


class StaticPages:
    """The files of the front end by path."""

    def __init__(self) -> None:
        self._files: dict[str, PageFile] = {}
        folder = files("punto.server").joinpath("pages")
        if folder.is_dir():
            self._read(folder, "")
        absent = page_file(NO_PAGES.encode(), "text/html")
        self._start = self._files.get("index.html", absent)

    def put(self, path: str, content: bytes, kind: str) -> None:
        """Add a file that is made here."""
        self._files[path] = page_file(content, kind)

    def answer(self, request: Request[Any, Any, Any], path: str) -> Response[bytes]:
        """The file of a path; the front end finds its own way for paths that are not files."""
        path = path.strip("/")
        found = self._files.get(path)
        if found is None:
            if "." in path.rpartition("/")[2] or path.startswith("api"):
                raise NotFoundException
            found = self._start
        is_named_by_content = path.startswith("assets/")
        headers = {
            "etag": found.tag,
            "cache-control": "public, max-age=31536000, immutable" if is_named_by_content else "no-cache",
            "vary": "accept-encoding",
        }
        if request.headers.get("if-none-match") == found.tag:
            return Response(b"", status_code=304, headers=headers, media_type=found.kind)
        content = found.content
        if found.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            content, headers["content-encoding"] = found.zipped, "gzip"
        return Response(content, headers=headers, media_type=found.kind)

    def _read(self, folder: Traversable, prefix: str) -> None:
        for entry in folder.iterdir():
            name = f"{prefix}{entry.name}"
            if entry.is_dir():
                self._read(entry, f"{name}/")
            elif not entry.name.startswith("."):
                kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
                self._files[name] = page_file(entry.read_bytes(), kind)


# The express lane: commands for tables go straight to their endpoint, past the routing of the framework.
#
# They are by far the most frequent calls, and finding the way to them would cost as much as answering. The
# endpoint is the same one, with the same checks; whatever is not plainly such a call takes the usual way.


class ExpressLane:
    """Stands between the gate and the application."""

    def __init__(self, application: Application, endpoint: Endpoint, app_state: AppState) -> None:
        self._application, self._method = application, endpoint.method
        self._respond = responder(endpoint, app_state)
        names = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[a-z0-9-]+)", re.escape(f"{PREFIX}{endpoint.path}"))
        self._path = re.compile(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._path.fullmatch(scope["path"]) if scope.get("method") == self._method else None
        if found is None:
            await self._application(scope, receive, send)
            return
        scope["path_params"] = found.groupdict()
        answer = await self._respond(scope, receive)
        if answer is not None:
            await answer(scope, receive, send)


# The application: every endpoint, the stream, the documents about them and the pages, behind the gate.


INSIDE: tuple[Endpoint, ...] = (
    *SESSION_ENDPOINTS,
    *TABLE_ENDPOINTS,
    *COMMAND_ENDPOINTS,
    *RUNNING_ENDPOINTS,
    *PIT_CALL_ENDPOINTS,
    *HISTORY_ENDPOINTS,
    *ODDS_ENDPOINTS,
    *BOOK_ENDPOINTS,
    *ACCOUNT_ENDPOINTS,
    *CASHIER_ENDPOINTS,
    *PEOPLE_ENDPOINTS,
    *AUDIT_ENDPOINTS,
)
"""Every call under the prefix."""
DOCUMENTS = ("openapi.json", "frames.schema.json")
"""What programs read about the API, under the prefix."""
OUTSIDE: tuple[Endpoint, ...] = HEALTH_ENDPOINTS


def application(app_state: AppState) -> Gate:
    """The ASGI application of a floor."""
    pages = StaticPages()
    written = openapi_document(INSIDE, OUTSIDE, cookie_name(app_state.settings))
    pages.put("docs", doc_page(written).encode(), "text/html")
    pages.put("docs/style.css", DOC_STYLE.encode(), "text/css")
    for name, content in zip(DOCUMENTS, (written, frames_schema()), strict=True):
        pages.put(f"{PREFIX[1:]}/{name}", msgspec.json.encode(content), "application/json")

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        app_state.broadcaster.start()
        asyncio.get_running_loop().run_in_executor(None, hash_of_nobody)
        running = [
            asyncio.create_task(task) for task in (app_state.house.keep_running(), app_state.approvals.keep_running())
        ]
        try:
            yield
        finally:
            app_state.is_stopping = True
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            app_state.broadcaster.stop()
            await asyncio.to_thread(app_state.close)
            await asyncio.to_thread(app_state.floor.close)

    async def stream(socket: WebSocket[Any, Any, Any]) -> None:
        await serve_stream(app_state, socket, str(socket.path_params["id"]))

    async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        return pages.answer(request, request.scope["path"])

    handlers: list[Any] = [
        *(_handler(f"{PREFIX}{endpoint.path}", endpoint, app_state) for endpoint in INSIDE),
        *(_handler(endpoint.path, endpoint, app_state) for endpoint in OUTSIDE),
        WebsocketRouteHandler(f"{PREFIX}/tables/{{id:str}}/stream")(stream),
        HTTPRouteHandler(
            ["/", "/{rest:path}", *(f"{PREFIX}/{name}" for name in DOCUMENTS)], http_method=HttpMethod.GET
        )(page),
    ]
    made = Litestar(
        handlers,
        openapi_config=None,
        logging_config=None,
        lifespan=[lifespan],
        exception_handlers={Exception: _refused},
        signature_types=[Request, Response, WebSocket, ASGIApp],
    )
    return Gate(ExpressLane(made, GIVE_COMMAND, app_state), app_state.settings)


def _handler(path: str, endpoint: Endpoint, app_state: AppState) -> HTTPRouteHandler:
    typed, respond = re.sub(r"\{(\w+)\}", r"{\1:str}", path), responder(endpoint, app_state)

    async def answer(request: Request[Any, Any, Any]) -> ASGIApp:
        return await respond(request.scope, request.receive) or _nothing

    # The answer has its own status; the one that is named here is for answers without one.
    made = HTTPRouteHandler(typed, http_method=HttpMethod(endpoint.method), status_code=200)
    return made(answer)


async def _nothing(_: Any, __: Any, ___: Any) -> None:
    """There is nobody to answer."""


def _refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """What Litestar itself refuses, such as an address that is not there."""
    found = refusal_reply(error, str(request.scope.get("method", "this method")))
    headers = {name.decode(): value.decode() for name, value in found.headers}
    headers["cache-control"] = "no-store"
    return Response(found.content, status_code=found.status, headers=headers, media_type="application/json")


# The server of a floor: uvicorn with our settings, and an end in good order when it is told to stop.


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
LARGEST_FRAME = 4 * LARGEST_BODY
"""Bytes of a frame that are taken in to be refused in words; a larger one ends the stream at once."""
STOPPING_S = 5
"""Seconds that requests and streams have to end."""


class FloorServer(uvicorn.Server):
    """A server that stops in good order at a signal; uvicorn's own would end the process with it."""

    was_interrupted = False
    """Somebody pressed Ctrl-C."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, number: int, _: FrameType | None) -> None:
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True
        self.was_interrupted = self.was_interrupted or number == signal.SIGINT

    def stop(self) -> None:
        """Stop in good order, as at a signal; from any thread."""
        self.should_exit = True

    def run_on(self, listener: socket.socket) -> None:
        """Serve on an open port until it is told to stop."""
        with asyncio.Runner(loop_factory=self.config.get_loop_factory()) as runner:
            runner.run(self.serve(sockets=[listener]))


def floor_server(app_state: AppState) -> FloorServer:
    """The server of a floor."""
    config = uvicorn.Config(
        application(app_state),
        http=FloorProtocol,
        ws=StreamProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOPPING_S,
        proxy_headers=bool(app_state.settings.proxies),
        forwarded_allow_ips=list(app_state.settings.proxies),
        lifespan="on",
    )
    return FloorServer(config)
