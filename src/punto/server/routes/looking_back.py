"""What a table has been through: roads, rounds, statistics, cases."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from punto.rules.role import Role
from punto.server import counting
from punto.server.http.answers import CasesAnswer, HistoryAnswer, RoadsAnswer, StatisticsAnswer
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.routes.tables import RoleQuery, found_table, viewer_of

MOST_ROUNDS = 200


class HistoryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the rounds of a table, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 20
    before: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The `seq` of the oldest round that you have; the rounds before it are sent."""
    role: Role | None = None


async def roads(ask: Inquiry) -> Any:
    loaded = await found_table(ask.hall, ask.path["id"])
    return await ask.hall.counting.ask(
        ask.caller.handle, counting.roads, loaded.id, key=(loaded.id, loaded.version)
    )


async def history(ask: Inquiry) -> Any:
    loaded, viewer, query = await found_table(ask.hall, ask.path["id"]), viewer_of(ask), ask.query
    wanted = (loaded.id, query.limit, query.before, viewer)
    return await ask.hall.counting.ask(
        ask.caller.handle, counting.history, *wanted, key=(*wanted, loaded.version)
    )


async def statistics(ask: Inquiry) -> Any:
    loaded, viewer = await found_table(ask.hall, ask.path["id"]), viewer_of(ask)
    return await ask.hall.counting.ask(
        ask.caller.handle, counting.statistics, loaded.id, viewer, key=(loaded.id, viewer, loaded.version)
    )


async def cases(ask: Inquiry) -> Any:
    loaded, viewer = await found_table(ask.hall, ask.path["id"]), viewer_of(ask)
    return await ask.hall.counting.ask(
        ask.caller.handle, counting.cases, loaded.id, viewer, key=(loaded.id, viewer, loaded.version)
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/roads",
        call=roads,
        summary="The five roads of the shoe in play, every mark in its place.",
        tag="tables",
        cost=2,
        answer=RoadsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/history",
        call=history,
        summary="The last rounds, with what became of your bets.",
        tag="tables",
        cost=lambda query: 2 + query.limit // 20,
        query=HistoryQuery,
        answer=HistoryAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/statistics",
        call=statistics,
        summary="The shoe in play in numbers, beside exact chances.",
        tag="tables",
        cost=3,
        query=RoleQuery,
        answer=StatisticsAnswer,
    ),
    Endpoint(
        method="GET",
        path="/tables/{id}/cases",
        call=cases,
        summary="The open case, and the irregularities of the last rounds.",
        tag="tables",
        cost=10,
        query=RoleQuery,
        answer=CasesAnswer,
    ),
)
