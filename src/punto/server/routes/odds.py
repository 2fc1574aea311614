"""Exact odds of a table's bets, and what each is worth at a moment of a round. Nothing here predicts."""

from __future__ import annotations

import asyncio
from enum import Enum
from fractions import Fraction
from typing import Annotated

import msgspec

from punto.cards.card import Card
from punto.documents.number import fraction
from punto.odds.advice import advise
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import BetOdds
from punto.odds.insurance import insurance_odds
from punto.odds.odds import odds_of
from punto.odds.round_so_far import StageError
from punto.odds.undealt import LEAST, Undealt, UndealtError
from punto.rules.digest import digest_of
from punto.rules.outcome import format_odds
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


class BetOddsEntry(msgspec.Struct, frozen=True):
    """The exact odds of one bet."""

    bet: str
    ev: str
    """What a unit staked gains on average, as a fraction."""
    edge: float
    """What the house keeps of a unit staked, on average."""
    sd: float
    win: float
    push: float
    lose: float


class InsuranceEntry(msgspec.Struct, frozen=True):
    """An insurance offer."""

    window: str
    hand: str
    odds: str
    ev: str
    player_points: int | None = None
    banker_points: int | None = None
    reach: str | None = None
    """How often it comes to this offer."""


class AnteEntry(msgspec.Struct, frozen=True):
    """An ante and its wager."""

    ante: str
    wager: str
    ev: str | None = None
    """Before the deal: with optimal play."""
    play: str | None = None
    """What going on is worth, per ante; giving up is worth -1."""
    best: str | None = None


class OddsAnswer(msgspec.Struct, frozen=True):
    """Exact odds of every bet of a table."""

    table: str
    book: str
    digest: str
    decks: int
    cards: int
    """Cards that have not been seen."""
    bets: tuple[BetOddsEntry, ...]
    insurance: tuple[InsuranceEntry, ...]
    ante: tuple[AnteEntry, ...]
    stage: str | None = None
    """For advice: how far the round has come."""


async def odds(ask: Inquiry) -> OddsAnswer:
    loaded = await found_table(ask.hall, ask.path["id"])
    return await asyncio.to_thread(_odds, loaded.id, loaded.table, ask.query.shoe)


async def advice(ask: Inquiry) -> OddsAnswer:
    loaded = await found_table(ask.hall, ask.path["id"])
    return await asyncio.to_thread(_advice, loaded.id, loaded.table, ask.body)


def _odds(id: str, table: Table, asked: ShoeAsked) -> OddsAnswer:
    book, (decks, undealt) = table.book, _undealt(table, asked)
    insurance = insurance_odds(book, undealt).offers if book.insurance is not None else ()
    return OddsAnswer(
        table=id,
        book=book.name,
        digest=digest_of(book),
        decks=decks,
        cards=undealt.size,
        bets=tuple(map(_bet, odds_of(book, undealt).bets)),
        insurance=tuple(
            InsuranceEntry(
                row.offer.window.name,
                row.offer.hand.value,
                format_odds(row.offer.odds),
                fraction(row.ev),
                row.player_points,
                row.banker_points,
                fraction(row.reach),
            )
            for row in insurance
        ),
        ante=tuple(
            AnteEntry(side.pair.ante, side.pair.wager, fraction(side.ev))
            for side in ante_odds(book, undealt).sides
        ),
    )


def _advice(id: str, table: Table, asked: AdviceRequest) -> OddsAnswer:
    book, (decks, undealt) = table.book, _undealt(table, asked.shoe)
    try:
        found = advise(book, undealt.less(asked.cards), asked.cards)
    except (StageError, UndealtError) as error:
        raise Rejected(409, ServerReason.NO_ADVICE, why=str(error)) from None
    return OddsAnswer(
        table=id,
        book=book.name,
        digest=digest_of(book),
        decks=decks,
        cards=found.odds.undealt.size,
        bets=tuple(map(_bet, found.odds.bets)),
        insurance=tuple(
            InsuranceEntry(
                one.offer.window.name, one.offer.hand.value, format_odds(one.offer.odds), fraction(one.ev)
            )
            for one in found.offers
        ),
        ante=(
            *(AnteEntry(one.pair.ante, one.pair.wager, fraction(one.ev)) for one in found.ante_sides),
            *(AnteEntry(one.ante, one.wager, None, fraction(one.play), one.best) for one in found.antes),
        ),
        stage=found.stage.value,
    )


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


def _bet(bet: BetOdds) -> BetOddsEntry:
    shares: list[Fraction] = [bet.win, bet.push, bet.lose]
    return BetOddsEntry(bet.area, fraction(bet.ev), float(bet.edge), bet.sd, *map(float, shares))


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
