"""Whether the server runs and is ready; both stand outside the prefix and tell nothing else."""

from __future__ import annotations

import asyncio

from punto.server.http.answers import HealthAnswer
from punto.server.http.endpoint import Answered, Endpoint, Inquiry
from punto.store.errors import StoreError


async def health(_: Inquiry) -> HealthAnswer:
    return HealthAnswer("ok")


async def ready(ask: Inquiry) -> Answered:
    def look() -> bool:
        try:
            with ask.hall.store.read() as reader:
                reader.table("-")
        except StoreError:
            return False
        return True

    is_ready = not ask.hall.is_stopping and await asyncio.to_thread(look)
    return Answered(200 if is_ready else 503, HealthAnswer("ready" if is_ready else "not ready"))


OUTSIDE = (
    Endpoint(
        method="GET",
        path="/health",
        call=health,
        summary="Whether the server runs.",
        tag="server",
        answer=HealthAnswer,
        is_open=True,
    ),
    Endpoint(
        method="GET",
        path="/ready",
        call=ready,
        summary="Whether the server can take requests.",
        tag="server",
        answer=HealthAnswer,
        also={503: HealthAnswer},
        is_open=True,
    ),
)
