"""Calls for the reports of the house, and closing a gaming day. Reports are counted in the count room."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from punto.audit import house_report as reports
from punto.audit.house_report import ReportKind
from punto.floor import gaming_day
from punto.floor.gaming_day import ClosedDay, DayText, PreparedDay, SpanQuery
from punto.floor.house_rules import house_rules
from punto.floor.people import ADMINISTRATORS
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server import count_room
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.house_routes import STOPPERS

READERS = (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR)
"""Who may see every report; beside them the cashier that of the cashier, and the administrator who did what."""
COST = 50  # A report of a large day takes seconds of the count room.


class CloseDay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gaming day to close."""

    day: DayText | None = None  # Default: the last one that is over.


def _of_kind(kind: ReportKind, sentence: str) -> Callable[[Inquiry], Awaitable[Any]]:
    async def show_report(ask: Inquiry) -> Any:
        room, now = ask.app_state.long_counting, ask.app_state.now()
        return await room.ask(ask.caller.handle, count_room.count_report, kind, ask.query, now)

    show_report.__doc__ = sentence
    return show_report


async def close_day(ask: Inquiry) -> ClosedDay | Refusal:
    """Close a gaming day: fix its figures, and write its reports and an anchor to the folder of closed days."""
    app_state, now = ask.app_state, ask.app_state.now()
    rules = await app_state.read(house_rules)
    day = gaming_day.day_to_close(rules, now, ask.body.day)
    if isinstance(day, Refusal):
        return day
    refusal = await app_state.read(lambda reader: gaming_day.refuse_to_close(reader, rules, day, now))
    if refusal is not None:
        return refusal
    counted = await app_state.long_counting.ask(ask.caller.handle, count_room.count_day, day, now)
    prepared, folder = msgspec.json.decode(counted, type=PreparedDay), app_state.settings.days_folder
    finish = gaming_day.finish_day
    return await asyncio.to_thread(finish, app_state.store, prepared, ask.caller.handle, now, folder)


def _report(kind: ReportKind, answer: type, sentence: str, *others: Role) -> Endpoint:
    call, roles = _of_kind(kind, sentence), (*READERS, *others)
    refuses = (404, 409)
    return Endpoint(
        "GET", f"/reports/{kind.value}", call, query=SpanQuery, answer=answer, roles=roles, cost=COST, refuses=refuses
    )


REPORT_ENDPOINTS = (
    _report(ReportKind.FLOOR, reports.FloorReport, "Every table, all of them together, and what is owed to players."),
    _report(ReportKind.TABLE, reports.TableReport, "Every bet of every table, or of one, beside its exact odds."),
    _report(ReportKind.CASHIER, reports.CashierReport, "What was done at the cashier's desk.", Role.CASHIER),
    _report(ReportKind.PLAYER, reports.PlayerReport, "The ratings of players, and what each of them has."),
    _report(ReportKind.STAFF, reports.StaffReport, "Who dealt where, how fast, and what went wrong.", *ADMINISTRATORS),
    _report(ReportKind.ALTERATIONS, reports.AlterationsReport, "What was altered, by whom, and why.", *ADMINISTRATORS),
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
