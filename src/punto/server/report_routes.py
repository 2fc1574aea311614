"""Calls for the reports of the house, as answers and as files, and for closing a gaming day.

Reports are counted in the count room.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from punto.audit import house_report as reports
from punto.audit.house_report import ReportKind
from punto.audit.house_report_layout import LAYOUTS, ReportLayout
from punto.floor import gaming_day
from punto.floor.gaming_day import (
    OVERSEERS,
    REPORT_READERS,
    ClosedDay,
    DayText,
    KeptDay,
    NextDay,
    PreparedDay,
    SpanQuery,
    reports_for,
)
from punto.floor.house_rules import house_rules
from punto.floor.people import ADMINISTRATORS
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server import count_room
from punto.server.app_state import AppState
from punto.server.endpoint import Endpoint, FileAnswer, Inquiry
from punto.server.house_routes import STOPPERS
from punto.server.validation import not_there, rejected
from punto.store.reader import Reader

COST = 50  # A report of a large day takes seconds of the count room.
LISTED_DAYS = 60  # Closed days in one answer.


class ReportFormat(Enum):
    """As what a file of a report is wanted."""

    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"
    JSON = "json"
    HTML = "html"
    MD = "md"
    TXT = "txt"


_NEEDS = {ReportFormat.PDF: "typst", ReportFormat.XLSX: "xlsxwriter"}  # What may not be installed.
_KINDS = {
    ReportFormat.CSV: "text/csv; charset=utf-8",
    ReportFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ReportFormat.PDF: "application/pdf",
    ReportFormat.JSON: "application/json",
    ReportFormat.HTML: "text/html; charset=utf-8",
    ReportFormat.MD: "text/markdown; charset=utf-8",
    ReportFormat.TXT: "text/plain; charset=utf-8",
}
FILE_KINDS = tuple(kind.partition(";")[0] for kind in _KINDS.values())


class CloseDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gaming day to close."""

    day: DayText | None = None  # Default: the last one that is over.


class DayQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gaming day that is to be closed."""

    day: DayText | None = None  # Default: the last one that is over.


class FileQuery(SpanQuery, frozen=True, forbid_unknown_fields=True):
    """Of what a report is, and as which file it is wanted."""

    format: ReportFormat = ReportFormat.CSV


class ReportsAnswer(msgspec.Struct, frozen=True):
    """The reports that you may see, and what each of them shows."""

    reports: tuple[ReportLayout, ...]
    formats: tuple[ReportFormat, ...]  # As which files this server can write them.
    today: str  # The gaming day that it is now.
    time_zone: str
    day_begins: str
    is_closer: bool  # Whether you may close a gaming day.


class DaysAnswer(msgspec.Struct, frozen=True):
    """The day that can be closed next, and those that were."""

    next: NextDay
    days: tuple[KeptDay, ...]  # The latest first.


def _formats() -> tuple[ReportFormat, ...]:
    return tuple(each for each in ReportFormat if each not in _NEEDS or find_spec(_NEEDS[each]) is not None)


async def list_reports(ask: Inquiry) -> ReportsAnswer:
    """Which reports you may see, with their columns, and which gaming day it is."""
    roles, now = ask.caller.roles, ask.app_state.now()
    rules = await ask.app_state.read(house_rules)
    layouts = tuple(LAYOUTS[kind] for kind in reports_for(roles))
    day = (str(rules.day_of(now)), rules.time_zone, rules.day_begins)
    return ReportsAnswer(layouts, _formats(), *day, bool(set(STOPPERS) & set(roles)))


def _of_kind(kind: ReportKind, sentence: str) -> Callable[[Inquiry], Awaitable[Any]]:
    async def show_report(ask: Inquiry) -> Any:
        room, now = ask.app_state.long_counting, ask.app_state.now()
        return await room.ask(ask.caller.handle, count_room.count_report, kind, ask.query, now)

    show_report.__doc__ = sentence
    return show_report


def _file_of_kind(kind: ReportKind) -> Callable[[Inquiry], Awaitable[FileAnswer]]:
    async def send_report(ask: Inquiry) -> FileAnswer:
        """The same as a file."""
        wanted, now = ask.query.format, ask.app_state.now()
        if wanted not in _formats():
            raise not_there(f"report as {wanted.value} on this server")
        span = SpanQuery(*(getattr(ask.query, name) for name in SpanQuery.__struct_fields__))
        room, ending = ask.app_state.long_counting, f".{wanted.value}"
        content = await room.ask(ask.caller.handle, count_room.write_report, kind, span, ending, now)
        named = "-".join(filter(None, (kind.value, span.table, span.day or span.month or span.year)))
        return FileAnswer(f"{named}{ending}", _KINDS[wanted], msgspec.json.decode(content, type=bytes))

    return send_report


async def list_days(ask: Inquiry) -> DaysAnswer | Refusal:
    """The gaming day that can be closed next, what stands in the way, and the days that were closed."""
    kinds, now, day = reports_for(ask.caller.roles), ask.app_state.now(), ask.query.day

    def read(reader: Reader) -> DaysAnswer | Refusal:
        following = gaming_day.next_day(reader, house_rules(reader), now, day)
        if isinstance(following, Refusal):
            return following
        return DaysAnswer(following, gaming_day.kept_days(reader, kinds, LISTED_DAYS))

    return await ask.app_state.read(read)


async def send_day_file(ask: Inquiry) -> FileAnswer:
    """A file of a closed day, if it is still what was written then."""
    day, name, kinds = ask.path["day"], ask.path["file"], reports_for(ask.caller.roles)
    folder = ask.app_state.settings.days_folder
    content = await ask.app_state.read(lambda reader: gaming_day.kept_file(reader, folder, day, name, kinds))
    if isinstance(content, Refusal):
        raise rejected(content, 404)
    ending = name.rpartition(".")[2]
    kind = next((_KINDS[each] for each in ReportFormat if each.value == ending), "text/plain; charset=utf-8")
    return FileAnswer(f"{day}-{name}", kind, content)


async def close_day(ask: Inquiry) -> ClosedDay | Refusal:
    """Close a gaming day: fix its figures, and write its reports and an anchor to the folder of closed days."""
    app_state, by = ask.app_state, ask.caller.handle
    return await close_in_count_room(app_state, by, by, ask.body.day, app_state.settings.days_folder)


async def close_in_count_room(
    app_state: AppState, account: str, by: str, named: str | None, folder: Path
) -> ClosedDay | Refusal:
    """Close a gaming day, whose figures are counted beside the play, in the turn of an account."""
    now, rules = app_state.now(), await app_state.read(house_rules)
    day = gaming_day.day_to_close(rules, now, named)
    if isinstance(day, Refusal):
        return day
    refusal = await app_state.read(lambda reader: gaming_day.refuse_to_close(reader, rules, day, now))
    if refusal is not None:
        return refusal
    counted = await app_state.long_counting.ask(account, count_room.count_day, day, now)
    prepared = msgspec.json.decode(counted, type=PreparedDay)
    return await asyncio.to_thread(gaming_day.finish_day, app_state.store, prepared, by, now, folder)


_SENTENCES: dict[ReportKind, tuple[type, str]] = {
    ReportKind.FLOOR: (reports.FloorReport, "Every table, all of them together, and what is owed to players."),
    ReportKind.TABLE: (reports.TableReport, "Every bet of every table, or of one, beside its exact odds."),
    ReportKind.CASHIER: (reports.CashierReport, "What was done at the cashier's desk."),
    ReportKind.PLAYER: (reports.PlayerReport, "The ratings of players, and what each of them has."),
    ReportKind.STAFF: (reports.StaffReport, "Who dealt where, how fast, and what went wrong."),
    ReportKind.ALTERATIONS: (reports.AlterationsReport, "What was altered, by whom, and why."),
}


def _report(kind: ReportKind) -> tuple[Endpoint, Endpoint]:
    """A report as an answer and as a file."""
    (answer, sentence), roles, path = _SENTENCES[kind], REPORT_READERS[kind], f"/reports/{kind.value}"
    shown, sent, refuses = _of_kind(kind, sentence), _file_of_kind(kind), (404, 409)
    return (
        Endpoint("GET", path, shown, query=SpanQuery, answer=answer, roles=roles, cost=COST, refuses=refuses),
        Endpoint(
            *("GET", f"{path}/file", sent),
            query=FileQuery,
            files=FILE_KINDS,
            record=answer,
            roles=roles,
            cost=COST,
            refuses=refuses,
        ),
    )


READERS = tuple(dict.fromkeys(role for roles in REPORT_READERS.values() for role in roles))
DAY_READERS: tuple[Role, ...] = (*OVERSEERS, *ADMINISTRATORS)
REPORT_ENDPOINTS = (
    Endpoint("GET", "/reports", list_reports, answer=ReportsAnswer, roles=READERS),
    *(endpoint for kind in ReportKind for endpoint in _report(kind)),
    Endpoint("GET", "/house/days", list_days, query=DayQuery, answer=DaysAnswer, roles=DAY_READERS, refuses=(409,)),
    Endpoint(
        *("GET", "/house/days/{day}/{file}", send_day_file), files=FILE_KINDS, roles=DAY_READERS, cost=5, refuses=(404,)
    ),
    Endpoint(
        *("POST", "/house/close-day", close_day),
        body=CloseDay,
        answer=ClosedDay,
        is_fresh=True,
        roles=STOPPERS,
        cost=COST,
        refuses=(409,),
    ),
)
