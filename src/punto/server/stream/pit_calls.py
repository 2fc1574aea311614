"""Calls for the pit on the streams: who hears of them, and what each hears when a stream begins."""

from __future__ import annotations

from punto.rules.role import LADDER, PIT, Role
from punto.server.http.answers import PitCallAnswer
from punto.server.stream.frames import PitCallFrame, encoder
from punto.server.stream.hub import Hub
from punto.server.stream.watcher import Watcher
from punto.store.access.pit_calls import PitAnswer, StoredPitCall, live_pit_calls
from punto.store.store import Store

COMING_MS = 5 * 60_000
"""How long it is still said that somebody is coming."""


def hears_call(watcher: Watcher, call: StoredPitCall) -> bool:
    """Everybody in the pit, whatever they watch and in whichever role; and who works at that table."""
    is_there = watcher.table == call.table and watcher.viewer.role in LADDER
    return is_there or any(role in PIT for role in watcher.roles)


def tell_call(hub: Hub, call: StoredPitCall) -> None:
    """Tell everybody whom a call concerns."""
    hub.tell(None, encode_call(call), lambda watcher: hears_call(watcher, call))


def live_calls(store: Store, now: int) -> list[StoredPitCall]:
    """Every call that is open, or that somebody is coming to."""
    with store.read() as reader:
        return live_pit_calls(reader, now - COMING_MS)


def encode_call(call: StoredPitCall) -> bytes:
    """The frame of a call."""
    return encoder.encode(PitCallFrame(pit_call_answer(call)))


def pit_call_answer(call: StoredPitCall) -> PitCallAnswer:
    """A call as it is sent."""
    return PitCallAnswer(
        call=call.id,
        table=call.table,
        caller=call.caller,
        role=Role(call.role),
        reason=call.reason,
        called=call.called_ms,
        answer=PitAnswer(call.answer) if call.answer is not None else None,
        answered_by=call.answered_by,
        answered=call.answered_ms,
    )
