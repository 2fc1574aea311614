"""What a table has been through: roads, rounds, statistics, cases."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec

from punto.rules.role import Role
from punto.server.hall import Hall
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.routes.tables import RoleQuery, found_table, viewer_of
from punto.table import event as e
from punto.views.felt.case_view import CaseView, case_view
from punto.views.history_view import RoundView, history_view
from punto.views.past import steps_of_rounds
from punto.views.road_view import RoadView, road_view
from punto.views.rounds import rounds_of
from punto.views.seen import SeenRecord, seen_record
from punto.views.statistics_view import StatisticsView, statistics_view
from punto.views.viewer import Viewer

MOST_ROUNDS = 200
ROUNDS_OF_CASES = 50
"""Rounds whose irregularities are listed."""
_OF_CASES = (
    *(e.CaseOpened, e.EvidenceAdded, e.EvidenceWithdrawn, e.ClauseFound, e.ErrorFoundLate, e.CardsOrdered),
    *(e.OptionChosen, e.Ruled, e.BetsReturned, e.RoundVoided),
)


class RoadsAnswer(msgspec.Struct, frozen=True):
    """The roads of the shoe in play. They are information only, and predict nothing."""

    table: str
    version: int
    roads: RoadView


class HistoryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the rounds of a table, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 20
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The `seq` of the oldest round that you have; the rounds before it are sent."""
    role: Role | None = None


class HistoryAnswer(msgspec.Struct, frozen=True):
    """Rounds of a table, the latest first."""

    table: str
    rounds: tuple[RoundView, ...]


class StatisticsAnswer(msgspec.Struct, frozen=True):
    """The rounds of the shoe in play in numbers. Nothing here predicts a round."""

    table: str
    version: int
    statistics: StatisticsView


class CasesAnswer(msgspec.Struct, frozen=True):
    """The open case of a table, and what the last rounds' cases came to."""

    table: str
    version: int
    case: CaseView | None
    events: tuple[SeenRecord, ...]
    """Events about irregularities in the last rounds, oldest first."""


async def roads(ask: Inquiry) -> RoadsAnswer:
    loaded = await found_table(ask.hall, ask.path["id"])
    rounds = await asyncio.to_thread(ask.hall.rounds.of_shoe, loaded)
    return RoadsAnswer(loaded.id, loaded.version, road_view(rounds))


async def history(ask: Inquiry) -> HistoryAnswer:
    loaded, viewer, query = await found_table(ask.hall, ask.path["id"]), viewer_of(ask), ask.query

    def read() -> tuple[RoundView, ...]:
        steps = steps_of_rounds(ask.hall.floor, loaded.id, query.limit, query.before)
        return history_view(loaded.table.book, rounds_of(loaded.table.book, steps), viewer)

    return HistoryAnswer(loaded.id, await asyncio.to_thread(read))


async def statistics(ask: Inquiry) -> StatisticsAnswer:
    loaded, viewer = await found_table(ask.hall, ask.path["id"]), viewer_of(ask)

    def read() -> StatisticsView:
        rounds, table = ask.hall.rounds.of_shoe(loaded), loaded.table
        decks = table.terms.decks if table.state.terms is not None else max(table.book.decks.allowed)
        return statistics_view(table.book, decks, rounds.rounds, viewer)

    return StatisticsAnswer(loaded.id, loaded.version, await asyncio.to_thread(read))


async def cases(ask: Inquiry) -> CasesAnswer:
    loaded, viewer = await found_table(ask.hall, ask.path["id"]), viewer_of(ask)
    events = await asyncio.to_thread(_case_events, ask.hall, loaded.id, viewer)
    return CasesAnswer(loaded.id, loaded.version, case_view(loaded.table, viewer), events)


def _case_events(hall: Hall, table: str, viewer: Viewer) -> tuple[SeenRecord, ...]:
    steps = steps_of_rounds(hall.floor, table, ROUNDS_OF_CASES)
    return tuple(
        seen_record(state, record, viewer) for state, record in steps if isinstance(record.event, _OF_CASES)
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/roads",
        call=roads,
        summary="The five roads of the shoe in play, every mark in its place.",
        tag="tables",
        answer=RoadsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/history",
        call=history,
        summary="The last rounds, with what became of your bets.",
        tag="tables",
        query=HistoryQuery,
        answer=HistoryAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/statistics",
        call=statistics,
        summary="The shoe in play in numbers, beside exact chances.",
        tag="tables",
        query=RoleQuery,
        answer=StatisticsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/cases",
        call=cases,
        summary="The open case, and the irregularities of the last rounds.",
        tag="tables",
        query=RoleQuery,
        answer=CasesAnswer,
    ),
)
