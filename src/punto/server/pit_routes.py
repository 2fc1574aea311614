"""Calls of the pit about the whole floor: the wall of tables, alerts that are acknowledged, terms to choose from, and
what a command would do before it is given.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any

import msgspec

from punto.floor.alert import Alert, acknowledge, damaged_alert, table_alerts
from punto.floor.dispute import MOST_SHOWN
from punto.floor.floor import table_run
from punto.floor.house_rules import house_rules
from punto.floor.pit import COMING_MS, approval_for
from punto.rules.authority import PIT_ROLES, Role
from punto.server.app_state import AppState, book_named
from punto.server.endpoint import Endpoint, Inquiry
from punto.server.messages import BODIES, command_of
from punto.server.validation import not_there
from punto.store.dispute import open_disputes
from punto.store.errors import ContentBroken
from punto.store.pit import StoredApproval, live_pit_calls, waiting_approvals
from punto.store.reader import Reader
from punto.store.record import Dispute, PitCall
from punto.table.terms import default_terms
from punto.views.effect_view import TRIED, EffectView, TermsChoices, effect_of, terms_choices
from punto.views.pit_view import TableDay, WallAnswer, WallTable, standing_of_table, wall_table
from punto.views.viewer import Viewer

_log = logging.getLogger("punto.server")
TriedBody: Any = reduce(or_, (BODIES[kind.name()] for kind in TRIED))  # A command that can be tried out.


class TryCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that is tried out and not given."""

    role: Role
    command: TriedBody


class Acknowledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An alert that somebody has seen."""

    alert: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class _Looked(msgspec.Struct, frozen=True):
    """What the store has of the floor at one moment."""

    day: str
    folds: dict[str, TableDay]
    opened: dict[str, int]
    calls: tuple[PitCall, ...]
    approvals: tuple[StoredApproval, ...]
    disputes: tuple[Dispute, ...]


async def show_wall(ask: Inquiry) -> WallAnswer:
    """Every table with its figures, the alerts of the floor, and what waits for somebody from the pit."""
    app_state, caller = ask.app_state, ask.caller
    looked, tables, alerts, now = await _look(app_state)
    approvals = (approval_for(one, caller.handle, caller.roles, now) for one in looked.approvals)
    mine = tuple(one for one in approvals if one.yours or one.actor == caller.handle)
    return WallAnswer(now, looked.day, tables, alerts, looked.calls, mine, looked.disputes)


async def _look(app_state: AppState) -> tuple[_Looked, tuple[WallTable, ...], tuple[Alert, ...], int]:
    now = app_state.now()

    def read(reader: Reader) -> _Looked:
        gaming_day = house_rules(reader).gaming_day
        folds = app_state.wall.look(reader, gaming_day, now)
        app_state.alerts.look(reader)
        return _Looked(
            gaming_day.day_of(now).isoformat(),
            folds,
            {stored.id: stored.created_ms for stored in reader.tables()},
            tuple(live_pit_calls(reader, now - COMING_MS)),
            tuple(waiting_approvals(reader, now)),
            tuple(open_disputes(reader, MOST_SHOWN)),
        )

    looked = await app_state.read(read)
    tables, alerts = list[WallTable](), list[Alert]()
    for id, fold in looked.folds.items():
        try:
            loaded = await app_state.broadcaster.table(id)
        except ContentBroken as error:
            _log.error("table %s is damaged and is not shown: %s", id, error)
            alerts.append(damaged_alert(id, looked.opened[id]))
            continue
        if loaded is None:
            continue
        house, feed = app_state.house, app_state.feeds.of(id)
        seen = wall_table(
            loaded,
            fold,
            now,
            clock=app_state.view_cache.clock(loaded),
            automatic=house.pace_of(id) is not None,
            problem=house.problem_of(id),
            stopped=app_state.view_cache.stopped(loaded),
            feed=feed,
        )
        tables.append(seen)
        standing = standing_of_table(loaded, seen, fold, app_state.feeds.lost_since(id), looked.opened[id])
        alerts += table_alerts(standing, looked.calls, now)
        await asyncio.sleep(0)  # others may go on while many tables are looked at
    return looked, tuple(tables), app_state.alerts.marked(alerts, now), now


async def acknowledge_alert(ask: Inquiry) -> Alert:
    """Say that you have seen an alert; it is kept, with who and when. The first who says so stays."""
    app_state = ask.app_state
    _, _, alerts, now = await _look(app_state)
    alert = next((one for one in alerts if one.alert == ask.body.alert), None)
    if alert is None:
        raise not_there(f"alert {ask.body.alert[:60]}")
    role = ask.caller.role(next(role for role in reversed(PIT_ROLES) if role in ask.caller.roles))
    wanted = (app_state.store, app_state.alerts, alert, ask.caller.handle, role, now)
    return await asyncio.to_thread(acknowledge, *wanted)


async def show_effect(ask: Inquiry) -> EffectView:
    """What a command would do at a table, worked out and not done: hands, money, the second person, or a refusal."""
    loaded, body, now = await ask.table(), ask.body, ask.app_state.now()
    role = ask.caller.role(body.role)
    command = command_of(body.command, actor=ask.caller.handle, role=role, key="", time=now)
    run = await ask.app_state.read(lambda reader: table_run(reader, loaded.id))
    return effect_of(loaded, command, Viewer(ask.caller.handle, role), run)


async def show_terms(ask: Inquiry) -> TermsChoices:
    """All terms of a table, and what the book leaves to choose."""
    loaded = await ask.table()
    return terms_choices(loaded.table.book, loaded.table.state.terms or default_terms(loaded.table.book))


async def show_opening(ask: Inquiry) -> TermsChoices:
    """The terms with which a table is opened by a book, and what the book leaves to choose."""
    book = await asyncio.to_thread(book_named, ask.app_state, ask.path["digest"])
    return terms_choices(book, default_terms(book))


_pit = partial(Endpoint, tag="pit", roles=PIT_ROLES)
PIT_ENDPOINTS = (
    _pit("GET", "/pit/tables", show_wall, is_act=False, cost=3, answer=WallAnswer),
    _pit("POST", "/pit/alerts", acknowledge_alert, body=Acknowledge, answer=Alert, cost=3, refuses=(404,)),
    _pit("POST", "/pit/tables/{id}/effect", show_effect, body=TryCommand, answer=EffectView, cost=3),
    _pit("GET", "/pit/tables/{id}/terms", show_terms, answer=TermsChoices),
    _pit("GET", "/pit/books/{digest}/terms", show_opening, answer=TermsChoices),
)
