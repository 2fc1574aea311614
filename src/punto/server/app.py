"""The application: every endpoint, the stream, the documents about them and the pages, behind the gate; and
uvicorn that serves it.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import FrameType

import msgspec
import uvicorn

from punto import __version__
from punto.floor.log_ins import network_of
from punto.floor.password import hash_of_nobody
from punto.refusal import Reason, Refusal
from punto.server.access import PREFIX, STREAM_PATH, WATCH_STREAM_PATH, Gate, Message, Receive, Scope, Send, slow_down
from punto.server.app_state import AppState
from punto.server.audit_routes import OVERSIGHT_ENDPOINTS
from punto.server.board_routes import BOARD_ENDPOINTS
from punto.server.book_routes import BOOK_ENDPOINTS, ODDS_ENDPOINTS
from punto.server.cage_routes import CAGE_ENDPOINTS
from punto.server.command_line_routes import COMMAND_LINE_ENDPOINTS
from punto.server.device_routes import DEVICE_ENDPOINTS
from punto.server.dispute_routes import DISPUTE_ENDPOINTS
from punto.server.endpoint import Endpoint, Header, Inquiry, Reply, StatusAnswer, cookie_name, handler_of
from punto.server.floor_protocol import FloorProtocol, StreamProtocol
from punto.server.history_routes import AUDIT_ENDPOINTS, HISTORY_ENDPOINTS
from punto.server.house_routes import HOUSE_ENDPOINTS
from punto.server.invitation_routes import INVITATION_ENDPOINTS
from punto.server.messages import HealthAnswer
from punto.server.metrics import MetricsPage
from punto.server.openapi import DOC_STYLE, doc_page, frames_schema, openapi_document
from punto.server.people_routes import ACCOUNT_ENDPOINTS, CASHIER_ENDPOINTS, PEOPLE_ENDPOINTS, SESSION_ENDPOINTS
from punto.server.pit_routes import PIT_ENDPOINTS
from punto.server.protection_routes import PROTECTION_ENDPOINTS
from punto.server.report_routes import REPORT_ENDPOINTS
from punto.server.router import Router
from punto.server.stream import Socket, serve_guest, serve_stream
from punto.server.study_routes import STUDY_ENDPOINTS
from punto.server.switchboard import Switchboard
from punto.server.table_routes import COMMAND_ENDPOINTS, PIT_CALL_ENDPOINTS, RUNNING_ENDPOINTS, TABLE_ENDPOINTS
from punto.server.validation import LARGEST_BODY, not_there, rejected
from punto.server.watch_routes import WATCH_ENDPOINTS
from punto.store.device import stored_devices


async def show_health(ask: Inquiry) -> HealthAnswer:
    """Whether the server runs, and which software."""
    return _health_of(ask, "ok")


def _health_of(ask: Inquiry, status: str) -> HealthAnswer:
    found = ask.app_state.caretaker.integrity
    if found is None:
        return HealthAnswer(status, __version__)
    return HealthAnswer(status, found.version, found.digest, found.ok if found.promised else None)


async def show_ready(ask: Inquiry) -> StatusAnswer:
    """Whether the server can take requests: it does not stop, and the database can be written."""
    is_ready = ask.app_state.is_serving and await ask.app_state.writing.is_possible()
    return StatusAnswer(200 if is_ready else 503, _health_of(ask, "ready" if is_ready else "not ready"))


_health = partial(Endpoint, tag="server", answer=HealthAnswer, is_open=True)
HEALTH_ENDPOINTS = (
    _health("GET", "/health", show_health),
    _health("GET", "/ready", show_ready, also={503: HealthAnswer}),
)


NO_PAGES = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Punto</title>
<h1>Punto</h1><p>The floor is open, but this checkout has not built its pages. Stop the floor, type
<code>make pages</code>, and start it again. The API is at <a href="/docs">/docs</a>.</p></html>
"""
PACKED = ".br"
"""Ends the name of a file's packed form, beside it; browsers take it over HTTPS, and from the machine itself."""
_ZIPPED = ("text/", "application/javascript", "application/json", "image/svg+xml")


class PageFile:
    """A file of the front end with its tag for caches, packed too where that pays: `brotli` is what the build did."""

    def __init__(self, content: bytes, kind: str, brotli: bytes | None = None) -> None:
        self.content = content
        self.kind = (f"{kind}; charset=utf-8" if kind.startswith("text/") else kind).encode()
        self.tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'.encode()
        is_zipped = kind.startswith(_ZIPPED) and len(content) > 500
        zipped = gzip.compress(content, 6, mtime=0) if is_zipped else None
        self.packed = {b"br": brotli, b"gzip": zipped}
        """In the order in which they are offered: the build packs once, slowly and tighter than a server could."""


@lru_cache(maxsize=1)
def built_pages() -> dict[str, PageFile]:
    """The files of the front end by their paths, as they were when this process asked first."""
    folder = files("punto.server").joinpath("pages")
    return dict(_page_files(folder, "")) if folder.is_dir() else {}


def _page_files(folder: Traversable, prefix: str) -> Iterator[tuple[str, PageFile]]:
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _page_files(entry, f"{name}/")
        elif not entry.name.startswith(".") and not entry.name.endswith(PACKED):
            kind = mimetypes.guess_type(entry.name)[0] or "application/octet-stream"
            packed = folder.joinpath(entry.name + PACKED)
            yield name, PageFile(entry.read_bytes(), kind, packed.read_bytes() if packed.is_file() else None)


class StaticPages:
    def __init__(self) -> None:
        self._files = dict(built_pages())
        self._start = self._files.get("index.html") or PageFile(NO_PAGES.encode(), "text/html")

    def put(self, path: str, file: PageFile) -> None:
        """Add a file that is made here."""
        self._files[path] = file

    async def answer(self, scope: Scope, _: Receive, __: dict[str, str]) -> Reply:
        """The file of a path; the front end finds its own way for paths that are not files."""
        path, sent = scope["path"].strip("/"), dict(scope["headers"])
        file = self._files.get(path)
        if file is None:
            is_page = "." not in path.rpartition("/")[2] and path != "metrics"  # which may be elsewhere, or off
            if not is_page or path.startswith("api"):
                raise not_there()
            path, file = "index.html", self._start
        headers: tuple[Header, ...] = (
            (b"etag", file.tag),
            (b"cache-control", b"public, max-age=31536000, immutable" if path.startswith("assets/") else b"no-cache"),
            (b"vary", b"accept-encoding"),
        )
        if sent.get(b"if-none-match") == file.tag:
            return Reply(304, b"", headers)
        headers += ((b"content-type", file.kind),)
        asked = (one.partition(b";") for one in sent.get(b"accept-encoding", b"").split(b","))
        takes = {name.strip() for name, _, weight in asked if weight.strip() != b"q=0"}
        for encoding, packed in file.packed.items():
            if packed is not None and encoding in takes:
                return Reply(200, packed, (*headers, (b"content-encoding", encoding)))
        return Reply(200, file.content, headers)


INSIDE: tuple[Endpoint, ...] = (
    *(*SESSION_ENDPOINTS, *TABLE_ENDPOINTS, *COMMAND_ENDPOINTS, *RUNNING_ENDPOINTS, *PIT_CALL_ENDPOINTS),
    *(*HISTORY_ENDPOINTS, *ODDS_ENDPOINTS, *BOOK_ENDPOINTS, *ACCOUNT_ENDPOINTS, *CASHIER_ENDPOINTS),
    *(*PEOPLE_ENDPOINTS, *PROTECTION_ENDPOINTS, *HOUSE_ENDPOINTS, *INVITATION_ENDPOINTS, *CAGE_ENDPOINTS),
    *(*REPORT_ENDPOINTS, *DEVICE_ENDPOINTS, *PIT_ENDPOINTS, *STUDY_ENDPOINTS, *BOARD_ENDPOINTS),
    *(*COMMAND_LINE_ENDPOINTS, *WATCH_ENDPOINTS),
    *(*AUDIT_ENDPOINTS, *DISPUTE_ENDPOINTS, *OVERSIGHT_ENDPOINTS),
)
"""Every call under the prefix."""
OUTSIDE: tuple[Endpoint, ...] = HEALTH_ENDPOINTS
DOCUMENTS = ("openapi.json", "frames.schema.json")  # What programs read about the API, under the prefix.


@lru_cache(maxsize=2)
def documents_of_api(cookie: str) -> dict[str, PageFile]:
    """What people and programs read about the API; every server of a process has the same."""
    document = openapi_document(INSIDE, OUTSIDE, cookie)
    for_programs = zip(DOCUMENTS, (document, frames_schema()), strict=True)
    return {
        "docs": PageFile(doc_page(document).encode(), "text/html"),
        "docs/style.css": PageFile(DOC_STYLE.encode(), "text/css"),
        **{f"{PREFIX[1:]}/{name}": PageFile(msgspec.json.encode(it), "application/json") for name, it in for_programs},
    }


def application(app_state: AppState) -> Gate:
    pages = StaticPages()
    for path, file in documents_of_api(cookie_name(app_state.settings)).items():
        pages.put(path, file)
    tally, metrics = app_state.tally, app_state.metrics
    router = Router(pages.answer, tally.request if tally is not None else None, lambda: app_state.traces)
    if metrics is not None and app_state.settings.metrics_port is None:
        router.add("/metrics", {"GET": partial(_show_metrics, app_state, metrics)})
    for name in DOCUMENTS:
        router.add(f"{PREFIX}/{name}", {"GET": pages.answer})
    for prefix, endpoints in ((PREFIX, INSIDE), ("", OUTSIDE)):
        for endpoint in endpoints:
            router.add(f"{prefix}{endpoint.path}", {endpoint.method: handler_of(endpoint, app_state)})
    router.add(STREAM_PATH, {})
    router.add(WATCH_STREAM_PATH, {})

    async def called(scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await router.answer(scope, receive, _closing(send) if app_state.is_stopping else send)
            case "websocket":  # the gate lets only streams in
                serve = serve_guest if scope["path"].startswith(f"{PREFIX}/watch/") else serve_stream
                await serve(app_state, Socket(scope, receive, send, tally), router.find(scope["path"])[1]["id"])
            case _:
                await _live(app_state, receive, send)

    return Gate(called, app_state.settings)


async def _show_metrics(
    app_state: AppState, metrics: MetricsPage, scope: Scope, _: Receive, __: dict[str, str]
) -> Reply:
    """The figures of the server, for whoever has the token; guessing it costs what guessing passwords does."""
    if not metrics.is_allowed(dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")):
        slow_down(app_state.by_address, network_of(scope["client"][0]) if scope.get("client") else "")
        raise rejected(Refusal(Reason.NO_SESSION, None))
    text = await asyncio.to_thread(metrics.text)
    return Reply(200, text, ((b"content-type", metrics.content_type.encode()), (b"cache-control", b"no-store")))


def _closing(send: Send) -> Send:
    """Answers of a server that stops end their connection: whoever balances the load opens none here again."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return sent


async def _live(app_state: AppState, receive: Receive, send: Send) -> None:
    """The application from its start to its end, in the words of ASGI."""
    await receive()
    app_state.feeds.know(await app_state.read(stored_devices))
    app_state.broadcaster.start()
    asyncio.get_running_loop().run_in_executor(None, hash_of_nobody)
    desks = (app_state.approvals, app_state.orders, app_state.sessions, app_state.caretaker)
    parts = (app_state.house, app_state.gallery, app_state.results, *desks)
    running = [asyncio.create_task(part.keep_running()) for part in parts]
    switchboard = Switchboard(app_state)
    if app_state.leases is not None:
        running.append(asyncio.create_task(app_state.leases.keep_running()))
        switchboard.start(app_state.name)
    try:
        app_state.is_started = True
        await send({"type": "lifespan.startup.complete"})
        await receive()
    finally:
        app_state.is_stopping = True
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if app_state.leases is not None:
            await app_state.leases.hand_over()
        app_state.broadcaster.stop()
        await app_state.caretaker.finish()
        await asyncio.to_thread(app_state.close)
        await asyncio.to_thread(app_state.floor.close)
        await switchboard.stop()
    await send({"type": "lifespan.shutdown.complete"})


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
LARGEST_FRAME = 4 * LARGEST_BODY
"""Bytes of a frame that are taken in to be refused in words; a larger one ends the stream at once."""
STOPPING_S = 5  # Seconds that requests and streams have to end.


class FloorServer(uvicorn.Server):
    """A server that stops in good order at a signal; uvicorn's own would end the process with it."""

    was_interrupted = False  # Somebody pressed Ctrl-C.

    def __init__(self, config: uvicorn.Config, app_state: AppState) -> None:
        super().__init__(config)
        self._app_state = app_state
        self._drained: tuple[float, int, int] | None = None
        """When it began to drain, with how many streams, and with how many of guests."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._stop) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def on_tick(self, counter: int) -> bool:
        """Asked ten times a second whether it is time to end; others deal as soon as it begins to."""
        if self._app_state.is_stopping and self._app_state.leases is not None:
            await self._app_state.leases.hand_over()
        if self._drained is not None and not self.should_exit:
            began, streams, guests = self._drained
            passed = (time.monotonic() - began) / self._app_state.settings.drain_seconds
            left = min(1.0, 2 - 2 * passed)
            self._app_state.broadcaster.send_away(kept=int(streams * left))
            self._app_state.gallery.send_away(kept=int(guests * left))
            self.should_exit = passed >= 1
        return await super().on_tick(counter)

    def _stop(self, number: int, _: FrameType | None) -> None:
        is_first = not self._app_state.is_stopping
        self._app_state.is_stopping = True
        if number == signal.SIGTERM and is_first and self._app_state.settings.drain_seconds:
            streams, guests = self._app_state.broadcaster.count(), self._app_state.gallery.count()
            self._drained = time.monotonic(), streams, guests
            return
        self.force_exit = self.should_exit and number == signal.SIGINT
        self.should_exit = True
        self.was_interrupted = self.was_interrupted or number == signal.SIGINT

    def stop(self) -> None:
        """Stop in good order, as at a signal; from any thread."""
        self._app_state.is_stopping = True
        self.should_exit = True

    def run_on(self, listener: socket.socket) -> None:
        with asyncio.Runner(loop_factory=self.config.get_loop_factory()) as runner:
            runner.run(self.serve(sockets=[listener]))


def floor_server(app_state: AppState) -> FloorServer:
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
    return FloorServer(config, app_state)
