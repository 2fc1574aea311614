"""The call by which the command line of this machine hands its errands to the server that has its database.

It holds only for whoever knows the key that the server has left beside the database (`store/server_lock`), and only
from this machine. Such a one could open the database, so nothing is asked about roles: an errand says itself who does
it, as it does where no server is running.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from punto.floor.errand import AnyErrand, CloseDayErrand, IssueErrand, RevokeErrand
from punto.refusal import Refusal
from punto.server.app_state import AppState
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.report_routes import close_in_count_room
from punto.server.validation import malformed
from punto.store.errors import ContentBroken

COMMAND_LINE = "the command line"  # Whose turn it is in the count room.


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
        if isinstance(errand, CloseDayErrand):
            answer: Any = await close_in_count_room(app_state, COMMAND_LINE, errand.by, errand.day, Path(errand.folder))
        else:
            answer = await asyncio.to_thread(app_state.errands.do, errand)
    except (msgspec.MsgspecError, ContentBroken) as error:
        raise malformed(f"this errand cannot be read: {error}") from None
    if isinstance(answer, Refusal):
        return answer
    await _tell(app_state, errand, answer)
    return ErrandAnswer(answer)


async def _tell(app_state: AppState, errand: AnyErrand, answer: Any) -> None:
    """Let everything in this process heed what was done."""
    if (name := errand.touches) is not None:
        app_state.sessions.forget(name)
        app_state.broadcaster.recheck(name)
        app_state.broadcaster.hear_money(name)
    if errand.is_order:
        await asyncio.to_thread(app_state.orders.look)
    if isinstance(errand, IssueErrand):
        app_state.feeds.expect(answer.table, answer.name)
    elif isinstance(errand, RevokeErrand):
        app_state.feeds.forget(answer.table)


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
