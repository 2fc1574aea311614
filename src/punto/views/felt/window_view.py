"""What players are asked in the middle of a deal: insurance windows, antes, squeezes."""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.rules.facts import Hand
from punto.rules.outcome import format_odds
from punto.rules.text.insurance import Insurance
from punto.table.dealing.squeezes import highest_bettor
from punto.table.insurance.decisions import (
    due_offers,
    exposed_at,
    greatest_stake,
    insurance_of,
    offers_at,
    open_offer,
)
from punto.table.layout import AnteState, OfferMade, SqueezeKind
from punto.table.state import Phase, Table
from punto.views.felt.result_view import is_void
from punto.views.viewer import Viewer

LAST = 5
"""Cards on the table at the second window."""


class OfferView(msgspec.Struct, frozen=True):
    """Insurance that one holder of a main bet may take. Amounts are minor units."""

    box: int
    player: str
    hand: Hand
    odds: str
    most: int
    """What may still be staked on it, earlier pay-outs taken off; 0 once it is used up or forgone."""
    taken: int
    """What was staked on it in this window."""
    forgone: bool
    """The player declined it, or walked away."""
    mine: bool


class DisplayedOdds(msgspec.Struct, frozen=True):
    """What the display shows for one hand."""

    hand: Hand
    odds: str


class NoOffer(Enum):
    """Why nobody is offered insurance after Player's third card."""

    STANDS = "banker-stands"
    """No more cards come."""
    UNLISTED = "unlisted"
    """The insurance pay table has no row for these points."""


class InsuranceView(msgspec.Struct, frozen=True):
    """Insurance in this round."""

    window: int | None
    """The window that is open, by the number of cards on the table; None where none is."""
    odds: tuple[DisplayedOdds, ...]
    """The odds of the open window."""
    offers: tuple[OfferView, ...]
    due: bool
    """The cards call for an offer, and the dealer has not made it yet."""
    no_offer: NoOffer | None
    """Why the window after Player's third card brings no offer, once that card lies open."""
    no_offer_clause: str | None
    waived: bool
    """The window after Player's third card is waived for all (3.14 of the book `insurance`)."""
    forgone: bool
    """The viewer has no more insurance in this round."""
    neglected: tuple[int, ...]
    """Windows that should have been offered and were not."""
    wished: tuple[int, ...]
    """Windows in which the viewer asked for insurance and got no offer."""
    wishing: tuple[str, ...]
    """Players who asked and got no offer, for those who work at the table; empty for players."""
    cap_clause: str
    """The clause on the greatest stake."""
    waive_clause: str | None
    """The clause by which a squeeze waives the last window."""
    neglect_clause: str
    """The clause on an offer that was due and not made."""


class AnteView(msgspec.Struct, frozen=True):
    """An ante and its decision."""

    box: int
    player: str
    ante: str
    """Its betting area."""
    stake: int
    wager: str
    """The betting area of the wager."""
    amount: int
    """What the wager is, exactly."""
    state: AnteState
    mine: bool


class SqueezeView(msgspec.Struct, frozen=True):
    """A squeeze that was asked for."""

    kind: SqueezeKind
    player: str
    hand: Hand | None
    number: int | None
    consent: bool | None
    """None while the house has not answered."""
    mine: bool


def insurance_view(table: Table, viewer: Viewer) -> InsuranceView | None:
    """Insurance as a viewer sees it; None where the table has none."""
    insurance, squeeze = insurance_of(table), table.book.squeeze
    if insurance is None:
        return None
    state = table.state
    shown = offers_at(table, state.window) if state.window is not None else ()
    why, why_clause = _no_offer(table, insurance)
    wished = (wish.window for wish in state.wishes if viewer.owns(wish.player))
    return InsuranceView(
        window=state.window,
        odds=tuple(DisplayedOdds(offer.hand, format_odds(offer.odds)) for offer in shown),
        offers=tuple(_offer_view(table, made, viewer) for made in state.offers),
        due=bool(due_offers(table)),
        no_offer=why,
        no_offer_clause=why_clause,
        waived=state.is_waived,
        forgone=viewer.name is not None and viewer.owns(viewer.name) and state.has_forgone(viewer.name),
        neglected=state.neglected,
        wished=tuple(dict.fromkeys(wished)),
        wishing=tuple(dict.fromkeys(wish.player for wish in state.wishes)) if viewer.is_staff else (),
        cap_clause=insurance.cap_clause,
        waive_clause=squeeze.reorder_clause if squeeze else None,
        neglect_clause=insurance.neglect_clause,
    )


def _no_offer(table: Table, insurance: Insurance) -> tuple[NoOffer | None, str | None]:
    state = table.state
    exposed = exposed_at(table, LAST) if len(state.player) == LAST - 2 else None
    is_there = any(window.cards == LAST for window in insurance.windows)
    if exposed is None or not is_there or state.is_waived or state.case is not None or is_void(state):
        return None, None
    _, player, banker, third = exposed
    if not table.book.play.brings_card(player, banker, third):
        return NoOffer.STANDS, insurance.draw_clause
    return (None, None) if table.book.open_offers(*exposed) else (NoOffer.UNLISTED, insurance.table_clause)


def _offer_view(table: Table, made: OfferMade, viewer: Viewer) -> OfferView:
    state = table.state
    offer = open_offer(table, made.box, made.player, made.hand)
    most = greatest_stake(table, made.box, made.player, offer) if offer is not None else 0
    spot = (made.box, made.player, made.hand, state.window)
    taken = sum(t.amount for t in state.insured if (t.box, t.player, t.hand, t.window) == spot)
    mine, forgone = viewer.owns(made.player), state.has_forgone(made.player)
    return OfferView(made.box, made.player, made.hand, made.odds, most, taken, forgone, mine)


def ante_views(table: Table, viewer: Viewer) -> tuple[AnteView, ...]:
    """The antes on the layout, from the card that is shown to the end of the round."""
    rules, state = table.book.ante, table.state
    if rules is None or state.phase is Phase.BETTING:
        return ()
    return tuple(
        AnteView(
            bet.box,
            bet.player,
            bet.area,
            bet.stake,
            pair.wager,
            rules.multiple * bet.stake,
            bet.ante,
            viewer.owns(bet.player),
        )
        for bet in state.bets
        for pair in rules.pairs
        if pair.ante == bet.area
    )


def squeeze_views(table: Table, viewer: Viewer) -> tuple[SqueezeView, ...]:
    """The squeezes of this round, the last one last."""
    return tuple(
        SqueezeView(
            asked.kind, asked.player, asked.hand, asked.number, asked.consent, viewer.owns(asked.player)
        )
        for asked in table.state.squeezes
    )


def squeezer_of(table: Table) -> str | None:
    """The player who may ask for a squeeze, where the book has one."""
    return highest_bettor(table) if table.book.squeeze is not None else None
