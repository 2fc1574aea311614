"""The express lane: commands for tables go straight to their endpoint, past the routing of the framework.

They are by far the most frequent calls, and finding the way to them would cost as much as answering. The
endpoint is the same one, with the same checks; whatever is not plainly such a call takes the usual way.
"""

from __future__ import annotations

import re

from punto.server.access.gate import Application, Receive, Scope, Send
from punto.server.hall import Hall
from punto.server.http.answering import responder
from punto.server.http.endpoint import PREFIX, Endpoint


class ExpressLane:
    """Stands between the gate and the application."""

    def __init__(self, application: Application, endpoint: Endpoint, hall: Hall) -> None:
        self._application, self._method = application, endpoint.method
        self._respond = responder(endpoint, hall)
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
