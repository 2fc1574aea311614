"""Odds for programs: one struct for each thing that has odds, whether the command line, the server or a PAR
sheet answers with it. Exact values are fractions in text; docs/reference/odds.md describes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from punto.cards.card import format_cards
from punto.documents.page import fraction
from punto.odds.advice import Advice
from punto.odds.ante import AnteOdds, AnteSide, ante_odds
from punto.odds.bet_odds import BetOdds, NetResults, Odds, Weighing
from punto.odds.insurance import InsuranceOdds, InsuredBet, OfferOdds, insurance_odds
from punto.odds.known_cards import LEAST_CARDS, RoundSoFar, undealt_without
from punto.odds.ordered_draws import falling
from punto.rules.book import Book, digest_of
from punto.rules.outcome import format_odds
from punto.rules.pay_table import InsuranceOffer


class ExactFigure(msgspec.Struct, frozen=True):
    """A figure as a fraction, and near enough as a decimal."""

    exact: str
    decimal: float

    @classmethod
    def of(cls, value: Fraction) -> ExactFigure:
        return cls(fraction(value), float(value))


class BetName(msgspec.Struct, frozen=True):
    """What every entry of a bet begins with."""

    bet: str


class BetOddsEntry(BetName, frozen=True, kw_only=True):
    """The exact odds of one bet."""

    ev: str  # What a unit staked gains on average, as a fraction.
    edge: float  # What the house keeps of a unit staked, on average.
    sd: float
    win: float
    push: float
    lose: float


def bet_figures(odds: NetResults) -> dict[str, Any]:
    return {
        "ev": fraction(odds.ev),
        "edge": float(odds.edge),
        "sd": odds.sd,
        "win": float(odds.win),
        "push": float(odds.push),
        "lose": float(odds.lose),
    }


def bet_entries(odds: Odds) -> tuple[BetOddsEntry, ...]:
    return tuple(BetOddsEntry(bet.area, **bet_figures(bet)) for bet in odds.bets)


class InsuranceEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance offer."""

    window: str
    hand: str
    player_points: int | None = None
    banker_points: int | None = None
    odds: str
    reach: str | None = None  # How often it comes to this offer.
    ev: str


class OpenOfferEntry(InsuranceEntry, frozen=True, kw_only=True, omit_defaults=True):
    """An insurance offer that is made now."""


class AfterHoldEntry(msgspec.Struct, frozen=True):
    """What is best in the second window after these totals in the first."""

    player_points: int
    banker_points: int
    best: str


class StudiedOfferEntry(InsuranceEntry, frozen=True, kw_only=True):
    """An insurance offer with who has its edge and what is best."""

    favours: str
    best: str
    after_hold: tuple[AfterHoldEntry, ...] | UnsetType = UNSET


def _offer(offer: InsuranceOffer) -> dict[str, Any]:
    return {"window": offer.window.name, "hand": offer.hand.value, "odds": format_odds(offer.odds)}


def _reached_offer(row: OfferOdds) -> dict[str, Any]:
    points = {"player_points": row.player_points, "banker_points": row.banker_points}
    return {**_offer(row.offer), **points, "reach": fraction(row.reach), "ev": fraction(row.ev)}


def offer_entries(odds: InsuranceOdds) -> tuple[InsuranceEntry, ...]:
    return tuple(InsuranceEntry(**_reached_offer(row)) for row in odds.offers)


def open_offer_entries(advice: Advice, kind: type[InsuranceEntry] = InsuranceEntry) -> tuple[InsuranceEntry, ...]:
    return tuple(kind(**_offer(one.offer), ev=fraction(one.ev)) for one in advice.offers)


def studied_offer_entries(odds: InsuranceOdds, has_after_hold: bool = False) -> tuple[StudiedOfferEntry, ...]:
    """The offers with the best policy, and with what is best after holding where that is wanted."""
    entries = []
    for row in odds.offers:
        after = tuple(AfterHoldEntry(a.player_points, a.banker_points, a.choice.value) for a in row.after)
        held = after if has_after_hold else UNSET
        policy: dict[str, Any] = {"favours": row.favours, "best": row.choice.value, "after_hold": held}
        entries.append(StudiedOfferEntry(**_reached_offer(row), **policy))
    return tuple(entries)


class InsuredBetEntry(BetName, frozen=True):
    """A main bet without insurance and with the best policy of it."""

    ev: str
    edge: float
    gain: str
    insured_ev: str
    insured_edge: float


def insured_bet_entry(one: InsuredBet) -> InsuredBetEntry:
    alone, insured = (fraction(one.bet.ev), float(one.bet.edge)), (fraction(one.ev), float(one.edge))
    return InsuredBetEntry(one.bet.area, *alone, fraction(one.gain), *insured)


class AnteEntry(msgspec.Struct, frozen=True):
    """An ante and its wager."""

    ante: str
    wager: str
    ev: str | None = None  # Before the deal: with optimal play.
    play: str | None = None  # What going on is worth, per ante; giving up is worth -1.
    best: str | None = None


class OpenAnteEntry(AnteEntry, frozen=True, omit_defaults=True):
    """An ante that is decided now."""


def ante_entries(sides: tuple[AnteSide, ...], kind: type[AnteEntry] = AnteEntry) -> tuple[AnteEntry, ...]:
    return tuple(kind(side.pair.ante, side.pair.wager, fraction(side.ev)) for side in sides)


def open_ante_entries(advice: Advice, kind: type[AnteEntry] = AnteEntry) -> tuple[AnteEntry, ...]:
    decided = (kind(one.ante, one.wager, None, fraction(one.play), one.best) for one in advice.antes)
    return (*ante_entries(advice.ante_sides, kind), *decided)


class AnteDecisionEntry(msgspec.Struct, frozen=True):
    """What is best with an ante when these cards are shown."""

    side: str
    first: int
    shown: tuple[int, ...] | UnsetType  # In a book that shows more than one card.
    play: str
    best: str


def ante_decision_entries(antes: AnteOdds) -> tuple[AnteDecisionEntry, ...]:
    entries = []
    for side in antes.sides:
        for one in side.decisions:
            shown = one.shown if len(one.shown) > 1 else UNSET
            entries.append(AnteDecisionEntry(side.hand.value, one.shown[0], shown, fraction(one.play), one.best))
    return tuple(entries)


class ShoeOdds(msgspec.Struct, frozen=True):
    """Exact odds of every bet of a book before a deal from these cards."""

    book: str
    digest: str
    decks: int | None
    cards: int
    total: str
    bets: tuple[BetOddsEntry, ...]
    insurance: tuple[InsuranceEntry, ...] | UnsetType
    ante: tuple[AnteDecisionEntry, ...] | UnsetType


def shoe_odds(odds: Odds, decks: int | None, insurance: InsuranceOdds | None, antes: AnteOdds | None) -> ShoeOdds:
    offers = UNSET if insurance is None else offer_entries(insurance)
    decisions = UNSET if antes is None else ante_decision_entries(antes)
    cards = odds.undealt.size
    return ShoeOdds(
        odds.book.name, digest_of(odds.book), decks, cards, str(odds.total), bet_entries(odds), offers, decisions
    )


class RoundAdvice(msgspec.Struct, frozen=True):
    """What every bet is worth at a moment of a round."""

    book: str
    digest: str
    decks: int | None
    cards: int
    stage: str
    player: str
    banker: str
    bets: tuple[BetOddsEntry, ...]
    insurance: tuple[InsuranceEntry, ...]
    ante: tuple[AnteEntry, ...]


def round_advice(advice: Advice, decks: int | None) -> RoundAdvice:
    odds = advice.odds
    hands = format_cards(odds.dealt.player), format_cards(odds.dealt.banker)
    entries = open_offer_entries(advice, OpenOfferEntry), open_ante_entries(advice, OpenAnteEntry)
    shoe = odds.book.name, digest_of(odds.book), decks, odds.undealt.size
    return RoundAdvice(*shoe, advice.stage.value, *hands, bet_entries(odds), *entries)


class OddsAnswer(msgspec.Struct, frozen=True):
    """Exact odds of every bet of a table."""

    table: str
    book: str
    digest: str
    decks: int
    cards: int  # Cards that have not been seen.
    bets: tuple[BetOddsEntry, ...]
    insurance: tuple[InsuranceEntry, ...]
    ante: tuple[AnteEntry, ...]
    stage: str | None = None  # For advice: how far the round has come.


def table_odds(
    odds: Odds, decks: int, insurance: tuple[InsuranceEntry, ...], ante: tuple[AnteEntry, ...], stage: str | None = None
) -> OddsAnswer:
    """The odds for a table, which has no name yet."""
    book, digest, cards, bets = odds.book.name, digest_of(odds.book), odds.undealt.size, bet_entries(odds)
    return OddsAnswer("", book, digest, decks, cards, bets, insurance, ante, stage)


class ExploredRow(msgspec.Struct, frozen=True):
    """A row of a pay table that can come."""

    row: int  # Its place in the pay table, from 0.
    ways: str  # Ordered draws that lead to it, out of `total` of the bet.
    chance: str


class ExploredBet(BetOddsEntry, frozen=True, kw_only=True):
    """A bet with every figure as a fraction too, and how often each row of its pay table comes."""

    total: str
    variance: str
    exact_win: str
    exact_push: str
    exact_lose: str
    rows: tuple[ExploredRow, ...]


class AnteSummary(msgspec.Struct, frozen=True):
    """An ante with the best play."""

    ante: str
    wager: str
    side: str
    ev: str  # Per ante.
    staked: str  # Units put at risk per ante, on average.
    edge_at_risk: str


class ExploredOdds(msgspec.Struct, frozen=True):
    """Exact odds of a book before a deal, when some cards have been taken out of a full shoe."""

    book: str
    digest: str
    decks: int
    cards: int
    removed: tuple[str, ...]
    total: str
    bets: tuple[ExploredBet, ...]
    needs_suits: tuple[str, ...]  # Bets that cannot be counted, because the suits of what was removed are not known.
    insurance: tuple[StudiedOfferEntry, ...]
    insured: tuple[InsuredBetEntry, ...]
    ante: tuple[AnteDecisionEntry, ...]
    antes: tuple[AnteSummary, ...]


def explored_bet(book: Book, bet: BetOdds) -> ExploredBet:
    places = {id(row): place for place, row in enumerate(book.pay_tables[bet.area].rows)}
    rows = (ExploredRow(places[id(row)], str(ways), fraction(Fraction(ways, bet.total))) for row, ways in bet.rows)
    return ExploredBet(
        bet.area,
        **bet_figures(bet),
        total=str(bet.total),
        variance=fraction(bet.variance),
        exact_win=fraction(bet.win),
        exact_push=fraction(bet.push),
        exact_lose=fraction(bet.lose),
        rows=tuple(rows),
    )


def ante_summaries(antes: AnteOdds) -> tuple[AnteSummary, ...]:
    return tuple(
        AnteSummary(
            *(side.pair.ante, side.pair.wager, side.hand.value),
            *(fraction(side.ev), fraction(side.staked), fraction(side.edge_at_risk)),
        )
        for side in antes.sides
    )


def explored_odds(book: Book, decks: int, removed: Sequence[str]) -> ExploredOdds:
    """Exact odds without these cards, named as `9H`, or as `9` where the suit is not known.

    One card without a suit makes all suits unknown: bets that ask for them are not counted then.
    """
    undealt = undealt_without(decks, removed)
    undealt.require_a_round()
    weighing, tables = Weighing(book, undealt, RoundSoFar()), book.pay_tables
    blind = tuple(area for area in book.outright_areas if undealt.cards is None and tables[area].reads_suits)
    bets = (weighing.odds(area) for area in book.outright_areas if area not in blind)
    insurance = insurance_odds(book, undealt) if book.insurance is not None else None
    antes = ante_odds(book, undealt)
    return ExploredOdds(
        *(book.name, digest_of(book), decks, undealt.size, tuple(removed)),
        str(falling(undealt.size, LEAST_CARDS)),
        tuple(explored_bet(book, bet) for bet in bets),
        blind,
        studied_offer_entries(insurance) if insurance is not None else (),
        tuple(map(insured_bet_entry, insurance.bets)) if insurance is not None else (),
        *(ante_decision_entries(antes), ante_summaries(antes)),
    )
