"""A typed client of a floor: `Client` for calls, `Stream` for what happens at a table, and both to be awaited.

with Client("http://127.0.0.1:8317") as client:
    client.log_in("player", "…")
    answer = client.give("ez", PlaceBet(…))

async with AsyncClient("http://127.0.0.1:8317") as client:
    await client.log_in("dealer", "…")
    shown = await client.table("ez", role="dealer")
"""

from __future__ import annotations

from punto.extras import extra_needed

try:
    from punto.client.client import AsyncClient, AsyncStream, Client, Done, Events, Stream, StreamClosed
except ModuleNotFoundError as error:
    raise (extra_needed(error) or error) from error
from punto.client.api_call import Refused
from punto.floor.answers import ShownTable, Waiting
from punto.store.record import Dispute, PitCall

__all__ = [
    "AsyncClient",
    "AsyncStream",
    "Client",
    "Dispute",
    "Done",
    "Events",
    "PitCall",
    "Refused",
    "ShownTable",
    "Stream",
    "StreamClosed",
    "Waiting",
]
