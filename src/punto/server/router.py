"""The router: from the address of a request to what answers it, on bare ASGI.

Our endpoints are data already, with their own reading, checking and refusing, so a framework would only find
the way to them; docs/internals/floor.md has what that costs. A place in the tree of addresses is reached by
its names; where none fits, the place of a parameter is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from punto.server.access import Receive, Send
from punto.server.endpoint import Gone, Handler, Reply, refusal_reply
from punto.server.telemetry import Traces
from punto.server.validation import Rejected, ServerReason, not_there

Observe = Callable[[str, str, int, float], None]
"""Is told of each answer: route, method, status, and the seconds that it took."""
ELSEWHERE, NOWHERE = "(page)", "(none)"  # The routes of what is not in the tree: pages, and what is not there.


class _Place:
    def __init__(self, route: str = "") -> None:
        self.route = route  # The address with names in braces, as it was added.
        self.below: dict[str, _Place] = {}
        self.parameter: tuple[str, _Place] | None = None
        self.methods: dict[str, Handler] | None = None  # None where nothing is; empty where there is only a stream.


class Router:
    def __init__(
        self, elsewhere: Handler, observe: Observe | None = None, traces: Callable[[], Traces | None] = lambda: None
    ) -> None:
        """`elsewhere` answers GET for every address outside the API that is not in the tree."""
        self._root, self._elsewhere, self._observe, self._traces = _Place(), elsewhere, observe, traces

    def add(self, path: str, methods: dict[str, Handler]) -> None:
        """Add methods to an address; parameters stand in braces."""
        place = self._root
        for step in _steps(path):
            if step.startswith("{"):
                place.parameter = place.parameter or (step[1:-1], _Place())
                name, place = place.parameter
                assert name == step[1:-1], f"{path}: a parameter has one name at its place"
            else:
                place = place.below.setdefault(step, _Place())
        place.methods, place.route = {**(place.methods or {}), **methods}, path

    def find(self, path: str) -> tuple[dict[str, Handler] | None, dict[str, str]]:
        place, names = self._place(path)
        return place.methods, names

    def _place(self, path: str) -> tuple[_Place, dict[str, str]]:
        place, names = self._root, dict[str, str]()
        for step in _steps(path):
            below = place.below.get(step)
            if below is not None:
                place = below
            elif place.parameter is not None:
                name, place = place.parameter
                names[name] = step
            else:
                return _Place(), names
        return place, names

    async def answer(self, scope: Any, receive: Receive, send: Send) -> None:
        method, (place, names) = scope["method"], self._place(scope["path"])
        methods, route, began = place.methods, place.route or NOWHERE, time.perf_counter()
        if methods is None and not f"{scope['path'].lstrip('/')}/".startswith("api/"):
            methods, route = {"GET": self._elsewhere}, ELSEWHERE
        traces = self._traces()
        try:
            if traces is None:
                reply = await _reply(methods, scope, receive, names)
                await reply(send)
            else:
                with traces.request(
                    method if methods and method in methods else "other", route, scope["headers"]
                ) as told:
                    reply = await _reply(methods, scope, receive, names)
                    told(reply.status)
                    await reply(send)
        except Gone:
            return
        if self._observe is not None:
            self._observe(route, method, reply.status, time.perf_counter() - began)


async def _reply(methods: dict[str, Handler] | None, scope: Any, receive: Receive, names: dict[str, str]) -> Reply:
    method = scope["method"]
    try:
        if methods is None:
            raise not_there()
        if method in methods:
            return await methods[method](scope, receive, names)
    except Rejected as refused:
        return refusal_reply(refused)
    if method == "OPTIONS" and methods:
        return Reply(204, b"", (_allow(methods),))
    return refusal_reply(Rejected(405, ServerReason.NO_METHOD, method=method), _allow(methods))


def _steps(path: str) -> list[str]:
    return [step for step in path.split("/") if step]


def _allow(methods: dict[str, Handler]) -> tuple[bytes, bytes]:
    """The header that says what is possible; HEAD is answered where GET is."""
    possible = {*methods, *(("OPTIONS",) if methods else ()), *(("HEAD",) if "GET" in methods else ())}
    return b"allow", ", ".join(sorted(possible)).encode()
