"""A typed client of a floor: `Client` for calls, `Stream` for what happens at a table.

with Client("http://127.0.0.1:8317") as client:
    client.log_in("player", "…")
    answer = client.give("ez", PlaceBet(…))
"""

from __future__ import annotations

from punto.extras import extra_needed

try:
    from punto.client.client import Client, Done, Events, Refused, Stream, StreamClosed
except ModuleNotFoundError as error:
    raise (extra_needed(error) or error) from error
from punto.floor.answers import ShownTable, Waiting
from punto.store.record import Dispute, PitCall

__all__ = [
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
