"""The application: every endpoint, the stream, the documents about them and the pages, behind the gate."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import HttpMethod, Litestar, Request, Response, WebSocket
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.types import ASGIApp

from punto.server.access.gate import Gate
from punto.server.access.password import nobody
from punto.server.hall import Hall
from punto.server.http.answering import responder
from punto.server.http.doc_page import STYLE, doc_page
from punto.server.http.endpoint import PREFIX, Endpoint, cookie_name
from punto.server.http.express_lane import ExpressLane
from punto.server.http.openapi import document, frames_schema
from punto.server.http.reply import refusal_reply
from punto.server.pages_shelf import PagesShelf
from punto.server.routes import (
    accounts,
    audit,
    books,
    cashier,
    commands,
    health,
    looking_back,
    odds,
    people,
    pit_calls,
    running,
    sessions,
    tables,
)
from punto.server.stream.connection import serve_stream

INSIDE: tuple[Endpoint, ...] = (
    *sessions.ENDPOINTS,
    *tables.ENDPOINTS,
    *commands.ENDPOINTS,
    *running.ENDPOINTS,
    *pit_calls.ENDPOINTS,
    *looking_back.ENDPOINTS,
    *odds.ENDPOINTS,
    *books.ENDPOINTS,
    *accounts.ENDPOINTS,
    *cashier.ENDPOINTS,
    *people.ENDPOINTS,
    *audit.ENDPOINTS,
)
"""Every call under the prefix."""
DOCUMENTS = ("openapi.json", "frames.schema.json")
"""What programs read about the API, under the prefix."""
OUTSIDE: tuple[Endpoint, ...] = health.OUTSIDE


def application(hall: Hall) -> Gate:
    """The ASGI application of a hall."""
    pages = PagesShelf()
    written = document(INSIDE, OUTSIDE, cookie_name(hall.settings))
    pages.put("docs", doc_page(written).encode(), "text/html")
    pages.put("docs/style.css", STYLE.encode(), "text/css")
    for name, content in zip(DOCUMENTS, (written, frames_schema()), strict=True):
        pages.put(f"{PREFIX[1:]}/{name}", msgspec.json.encode(content), "application/json")

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        hall.hub.start()
        asyncio.get_running_loop().run_in_executor(None, nobody)
        running = [
            asyncio.create_task(task) for task in (hall.house.keep_running(), hall.approvals.keep_running())
        ]
        try:
            yield
        finally:
            hall.is_stopping = True
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            hall.hub.stop()
            await asyncio.to_thread(hall.close)
            await asyncio.to_thread(hall.floor.close)

    async def stream(socket: WebSocket[Any, Any, Any]) -> None:
        await serve_stream(hall, socket, str(socket.path_params["id"]))

    async def page(request: Request[Any, Any, Any]) -> Response[bytes]:
        return pages.answer(request, request.scope["path"])

    handlers: list[Any] = [
        *(_handler(f"{PREFIX}{endpoint.path}", endpoint, hall) for endpoint in INSIDE),
        *(_handler(endpoint.path, endpoint, hall) for endpoint in OUTSIDE),
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
    return Gate(ExpressLane(made, commands.COMMAND, hall), hall.settings)


def _handler(path: str, endpoint: Endpoint, hall: Hall) -> HTTPRouteHandler:
    typed, respond = re.sub(r"\{(\w+)\}", r"{\1:str}", path), responder(endpoint, hall)

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
