"""Exact odds of a table's bets, and what each is worth at a moment of a round. Nothing here predicts."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec

from punto.cards.card import Card
from punto.odds.undealt import LEAST, Undealt
from punto.server import counting
from punto.server.http.answers import OddsAnswer
from punto.server.http.endpoint import Endpoint, Inquiry
from punto.server.http.rejection import Rejected, ServerReason
from punto.server.routes.tables import found_table
from punto.table.state import Table

WORK = 5
"""As how many requests exact odds count: one session at its usual rate keeps one processor busy, not five."""


class ShoeAsked(Enum):
    """Which cards are counted on."""

    FRESH = "fresh"
    """A full shoe of the table's decks."""
    LIVE = "live"
    """The shoe in play, without the cards that have shown."""


class OddsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which shoe."""

    shoe: ShoeAsked = ShoeAsked.FRESH


class AdviceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a round at the table."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=6)] = ()
    """Cards of the round so far, in dealing order."""
    shoe: ShoeAsked = ShoeAsked.LIVE


async def odds(ask: Inquiry) -> Any:
    loaded = await found_table(ask.hall, ask.path["id"])
    decks, undealt = _undealt(loaded.table, ask.query.shoe)
    key = (loaded.id, decks, undealt)
    return await ask.hall.counting.ask(ask.caller.handle, counting.odds, *key, key=key)


async def advice(ask: Inquiry) -> Any:
    loaded = await found_table(ask.hall, ask.path["id"])
    decks, undealt = _undealt(loaded.table, ask.body.shoe)
    key = (loaded.id, decks, undealt, ask.body.cards)
    return await ask.hall.counting.ask(ask.caller.handle, counting.advice, *key, key=key)


def _undealt(table: Table, asked: ShoeAsked) -> tuple[int, Undealt]:
    """The cards that are counted on. A card that lies face down has not been seen by anybody."""
    terms, shoe = table.state.terms, table.state.shoe
    decks = terms.decks if terms is not None else max(table.book.decks.allowed)
    if asked is ShoeAsked.FRESH or shoe is None:
        return decks, Undealt.of_decks(decks)
    undealt = Undealt.of_composition(shoe.composition)
    if undealt.size < LEAST:
        raise Rejected(409, ServerReason.NO_ADVICE, why="too few cards are left in the shoe")
    return shoe.decks, undealt


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/tables/{id}/odds",
        call=odds,
        summary="Exact odds of every bet, for a full shoe or for the cards not yet seen.",
        tag="odds",
        cost=WORK,
        query=OddsQuery,
        answer=OddsAnswer,
        refuses=(409,),
    ),
    Endpoint(
        method="POST",
        path="/tables/{id}/advice",
        call=advice,
        summary="What every bet is worth after these cards of a round.",
        tag="odds",
        cost=WORK,
        body=AdviceRequest,
        answer=OddsAnswer,
        refuses=(409,),
    ),
)
