"""How a table is run: dealt by the house at its pace, or by a person; and which bots sit there."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec

from punto.dealer import Pace
from punto.floor.running.run import LONGEST_MS, DealtBy, TableRun, run_of
from punto.refusal import Refusal
from punto.rules.role import PIT
from punto.server.hall import Hall
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.routes.tables import found_table

Clock = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_MS)]


class PaceBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long the dealer waits, in milliseconds."""

    bets: Clock
    antes: Clock
    insurance: Clock
    squeeze: Clock
    options: Clock | None = None
    """To choose after an irregularity; default: as for antes."""
    draw: Clock | None = None
    """To draw a card, where players do; default: as for a squeeze."""
    cards: Clock
    """From one card to the next."""
    rounds: Clock
    """From the end of a round to the next call."""


class RunningBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is run."""

    dealer: DealtBy
    pace: PaceBody | None = None
    """None for the pace of the house."""
    bots: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] = ()
    """Bots that sit there, by name."""


class RunningAnswer(msgspec.Struct, frozen=True):
    """How a table is run now."""

    table: str
    dealer: DealtBy
    pace: Pace | None
    """Of an automatic dealer, in milliseconds."""
    bots: tuple[str, ...]
    problem: str | None
    """Why the dealer cannot go on, in a sentence."""


async def show(ask: Inquiry) -> RunningAnswer:
    loaded = await found_table(ask.hall, ask.path["id"])
    return await asyncio.to_thread(_answer, ask.hall, loaded.id)


async def change(ask: Inquiry) -> Any:
    hall, body = ask.hall, ask.body
    loaded = await found_table(hall, ask.path["id"])
    pace = Pace(**msgspec.to_builtins(body.pace)) if body.pace is not None else None
    run = TableRun(body.dealer, pace, tuple(dict.fromkeys(body.bots)))
    refusal = await asyncio.to_thread(hall.house.run_table, loaded.id, run, ask.caller.handle)
    if isinstance(refusal, Refusal):
        return refusal
    return await asyncio.to_thread(_answer, hall, loaded.id)


def _answer(hall: Hall, table: str) -> RunningAnswer:
    with hall.store.read() as reader:
        run = run_of(reader, table)
    pace = hall.house.pace_of(table) if run.is_automatic else None
    return RunningAnswer(table, run.dealer, run.pace or pace, run.bots, hall.house.problem_of(table))


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/running",
        call=show,
        summary="Who deals at a table, at which pace, and which bots sit there.",
        tag="tables",
        answer=RunningAnswer,
    ),
    Endpoint(
        method="PUT",
        path="/tables/{id}/running",
        call=change,
        summary="Have a table dealt by the house or by a person, and seat bots.",
        tag="tables",
        body=RunningBody,
        answer=RunningAnswer,
        roles=PIT,
        refuses=(409,),
    ),
)
