"""The audit: finished rounds as they were, shoes against their promises, and the chain of hashes.

Everything here is read only. A round or a shoe in play is not shown: nobody is told a card before it shows.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from punto.audit.chain.verification import Verification
from punto.audit.history.search import RoundSearch
from punto.floor.loaded import LoadedTable
from punto.rules.role import Role
from punto.server import counting
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.pattern import TABLE_ID
from punto.server.http.rejection import Rejected, ServerReason
from punto.server.routes.tables import found_table
from punto.table.state import Phase

AUDITORS = (Role.AUDITOR, Role.SHIFT_MANAGER)
MOST_FOUND = 500


Natural = Annotated[int, msgspec.Meta(ge=0)]


class RoundsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What rounds to look for; whatever is left out is not asked."""

    table: Annotated[str, msgspec.Meta(pattern=TABLE_ID)] | None = None
    player: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    from_: Natural | None = msgspec.field(default=None, name="from")
    """Called from this time on."""
    to: Natural | None = None
    """Called before this time."""
    irregularity: Annotated[str, msgspec.Meta(max_length=80)] | None = None
    """A finding, a clause, `void`, `reversed`, or `any`."""
    amount_over: Natural | None = None
    """A player staked or won more than this, in minor units."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOUND)] = 50
    since: Natural | None = None
    """The older name of `from`."""
    until: Natural | None = None
    """The older name of `to`."""
    over: Natural | None = None
    """The older name of `amount_over`."""


class RoundsAnswer(msgspec.Struct, frozen=True):
    """Rounds in a line each, the latest first."""

    rounds: tuple[dict[str, Any], ...]


class AtQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a round."""

    at: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The event after which the felt is shown; default: the last."""


class VerifyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is verified."""

    table: Annotated[str, msgspec.Meta(pattern=TABLE_ID)] | None = None
    """One table; default: everything."""


async def rounds(ask: Inquiry) -> Any:
    query, hall = ask.query, ask.hall
    search = RoundSearch(
        tables=() if query.table is None else (query.table,),
        player=query.player,
        since=_either(query.from_, query.since),
        until=_either(query.to, query.until),
        irregularity=query.irregularity,
        over=_either(query.amount_over, query.over),
    )

    return await hall.long_counting.ask(ask.caller.handle, counting.rounds, search, query.limit)


def _either(value: int | None, older: int | None) -> int | None:
    """What was asked for, under its name or else under the one it had before."""
    return older if value is None else value


async def round_(ask: Inquiry) -> Any:
    loaded, number = await found_table(ask.hall, ask.path["id"]), _number(ask, "round")
    state = loaded.table.state
    if state.round == number and state.is_in_round:
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"round {loaded.id}/{number}")

    return await ask.hall.counting.ask(ask.caller.handle, counting.one_round, loaded.id, number, ask.query.at)


async def shoe(ask: Inquiry) -> Any:
    loaded, number = await found_table(ask.hall, ask.path["id"]), _number(ask, "shoe")
    if _is_in_play(loaded, number):
        raise Rejected(409, ServerReason.STILL_OPEN, what=f"shoe {loaded.id}/{number}")

    return await ask.hall.counting.ask(ask.caller.handle, counting.shoe, loaded.id, loaded.version, number)


async def verify_chain(ask: Inquiry) -> Any:
    if ask.body.table is not None:
        await found_table(ask.hall, ask.body.table)

    return await ask.hall.long_counting.ask_afresh(ask.caller.handle, counting.verify_chain, ask.body.table)


def _number(ask: Inquiry, name: str) -> int:
    text = ask.path[name]
    if not text.isascii() or not text.isdecimal() or not 0 < len(text) < 11 or text[0] == "0":
        raise Rejected(404, ServerReason.NOT_THERE, what=f"{name} {text[:20]}")
    return int(text)


def _is_in_play(loaded: LoadedTable, shoe: int) -> bool:
    state = loaded.table.state
    return shoe == state.shoe_number and state.phase is not Phase.CLOSED and not loaded.imported


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/audit/rounds",
        call=rounds,
        summary="Find rounds by table, player, time, irregularity and amount.",
        tag="audit",
        cost=25,
        query=RoundsQuery,
        answer=RoundsAnswer,
        roles=AUDITORS,
    ),
    Endpoint(
        method="GET",
        path="/audit/rounds/{id}/{round}",
        call=round_,
        summary="A finished round as it was: cards, bets, money, people, clauses; the felt at any event.",
        tag="audit",
        cost=5,
        query=AtQuery,
        answer=dict[str, Any],
        roles=AUDITORS,
        refuses=(409,),
    ),
    Endpoint(
        method="GET",
        path="/audit/shoes/{id}/{shoe}",
        call=shoe,
        summary="Whether a shoe was dealt in the order that was promised.",
        tag="audit",
        cost=5,
        answer=dict[str, Any],
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/audit/verify",
        call=verify_chain,
        summary="Look for records that were changed, removed or added.",
        tag="audit",
        cost=100,
        body=VerifyRequest,
        answer=Verification,
        roles=AUDITORS,
        refuses=(404,),
    ),
)
