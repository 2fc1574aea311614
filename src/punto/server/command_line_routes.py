"""The call by which the command line of this machine hands its errands to the server that has its database.

It holds only for whoever knows the key that the server has left beside the database (`store/server_lock`), and only
from this machine. Such a one could open the database, so nothing is asked about roles: an errand says itself who does
it, as it does where no server is running.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from punto.floor.errand import AnyErrand
from punto.refusal import Refusal
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.validation import malformed
from punto.store.errors import ContentBroken


class ErrandBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An errand of the command line."""

    errand: str  # JSON, as `punto.floor.errand` has it; it may change with any version of Punto.


class ErrandAnswer(msgspec.Struct, frozen=True):
    """What came of an errand."""

    answer: Any


async def run_errand(ask: Inquiry) -> ErrandAnswer | Refusal:
    """For the command line of the same machine alone: do what it would do if no server had the database."""
    app_state = ask.app_state
    try:
        errand: Any = msgspec.json.decode(ask.body.errand, type=AnyErrand)
        answer = await asyncio.to_thread(app_state.errands.do, errand)
    except (msgspec.MsgspecError, ContentBroken) as error:
        raise malformed(f"this errand cannot be read: {error}") from None
    if isinstance(answer, Refusal):
        return answer
    if (name := errand.touches) is not None:
        app_state.sessions.forget(name)
        app_state.broadcaster.recheck(name)
        app_state.broadcaster.hear_money(name)
    return ErrandAnswer(answer)


COMMAND_LINE_ENDPOINTS = (
    Endpoint(
        *("POST", "/command-line", run_errand),
        body=ErrandBody,
        long_text="errand",
        answer=ErrandAnswer,
        is_for_command_line=True,
        is_open=True,
        refuses=(401, 403, 404, 409),
    ),
)
