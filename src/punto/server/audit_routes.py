"""Calls for oversight: the stream of significant events, as answers and as files, and which software runs."""

from __future__ import annotations

import asyncio
from enum import Enum
from functools import partial
from typing import Annotated, Any

import msgspec

from punto.floor.caretaker import kept_integrity
from punto.floor.integrity import Integrity
from punto.rules.authority import Role
from punto.server import count_room
from punto.server.endpoint import Endpoint, FileAnswer, Inquiry
from punto.server.messages import IntegrityAnswer, SignificantEventsAnswer
from punto.server.validation import WHOLE_TABLE_ID
from punto.store.chain import HouseCode
from punto.store.significant_events import EventFilter

OVERSEERS = (Role.AUDITOR, Role.SHIFT_MANAGER, Role.ADMINISTRATOR)
MOST_EVENTS, MOST_EXPORTED = 500, 100_000  # Of one answer, and of one file.
MOST_KEPT = 200  # Results of checks in one answer: more than the 90 days that GLI-19 asks for.
FILE_KINDS = ("text/csv", "application/jsonl")
Natural = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class SignificantQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which significant events are wanted; whatever is left out is not asked."""

    after: Natural = 0  # The `seq` of the last one that you have.
    before: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)] | None = None
    """Those before this one, the latest first; a number beyond all of them begins with the last."""
    code: HouseCode | None = None
    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)] | None = None
    person: Name | None = None  # Who did it or agreed to it, or whom it is about.
    from_: Natural | None = msgspec.field(default=None, name="from")
    to: Natural | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)] = 100

    @property
    def wanted(self) -> EventFilter:
        codes = () if self.code is None else (self.code.value,)
        return EventFilter(codes, self.from_, self.to, self.table, self.person)


class EventFormat(Enum):
    """As what a file of significant events is wanted."""

    CSV = "csv"
    JSONL = "jsonl"


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which significant events a file is to have, at most 100,000 of them."""

    format: EventFormat = EventFormat.CSV
    after: Natural = 0
    code: HouseCode | None = None
    table: Annotated[str, msgspec.Meta(pattern=WHOLE_TABLE_ID)] | None = None
    person: Name | None = None  # Who did it or agreed to it, or whom it is about.
    from_: Natural | None = msgspec.field(default=None, name="from")
    to: Natural | None = None

    wanted = SignificantQuery.wanted


async def show_events(ask: Inquiry) -> Any:
    """What was significant for the house: who did it, who agreed, and why. Oldest first, with `before` latest first."""
    query = ask.query
    wanted = (query.after, query.before, query.wanted, query.limit)
    return await ask.app_state.counting.ask_afresh(ask.caller.handle, count_room.read_significant_events, *wanted)


async def export_events(ask: Inquiry) -> FileAnswer:
    """The same as a file, for a spreadsheet or for whoever computes the chain of hashes again."""
    query = ask.query
    wanted = (query.format.value, query.after, query.wanted, MOST_EXPORTED)
    room = ask.app_state.long_counting
    content = await room.ask_afresh(ask.caller.handle, count_room.export_significant_events, *wanted)
    kind = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}[query.format.value]
    return FileAnswer(f"events.{query.format.value}", kind, msgspec.json.decode(content, type=str).encode())


async def show_integrity(ask: Inquiry) -> IntegrityAnswer:
    """Which software runs, and what was found of it at every start, every day, and on demand."""
    kept = await ask.app_state.read(lambda reader: kept_integrity(reader, MOST_KEPT))
    return IntegrityAnswer(ask.app_state.caretaker.integrity, tuple(kept))


async def check_integrity(ask: Inquiry) -> Integrity:
    """Compare every file of the software with what was installed, now; the result is kept for good."""
    return await asyncio.to_thread(ask.app_state.caretaker.check, ask.caller.handle)


_oversight = partial(Endpoint, roles=OVERSEERS)
OVERSIGHT_ENDPOINTS = (
    _oversight("GET", "/audit/events", show_events, cost=5, query=SignificantQuery, answer=SignificantEventsAnswer),
    _oversight("GET", "/audit/events/export", export_events, cost=25, query=ExportQuery, files=FILE_KINDS),
    _oversight("GET", "/audit/integrity", show_integrity, cost=5, answer=IntegrityAnswer),
    _oversight("POST", "/audit/integrity", check_integrity, cost=25, answer=Integrity),
)
