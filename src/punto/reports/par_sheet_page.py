"""The whole PAR sheet: as a page for people, as rows of figures for a table, and as a record for programs.

Rows and record carry the exact figures, and everything that the page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from punto import __version__
from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, fraction
from punto.odds.ante import AnteSide
from punto.odds.bet_odds import BetOdds
from punto.odds.insurance import InsuranceOdds
from punto.odds.odds_answer import BetName, BetOddsEntry, StudiedOfferEntry, bet_figures, studied_offer_entries
from punto.reports.par_sheet import ParSheet, assumptions_section, pay_rows
from punto.reports.par_sheet_sections import (
    ante_section,
    bets_section,
    countability_section,
    cut_card_depths_section,
    decks_section,
    hold_section,
    insurance_section,
    method_section,
    odds_section,
    pay_tables_section,
    power_section,
    round_section,
    together_section,
)
from punto.reports.rule_book import play_section
from punto.rules.wording import counted, outcome_words, row_words
from punto.studies.card_counting import CountedBet, counted_bet
from punto.studies.composed_bets import ComposedBet


@lru_cache(maxsize=2)
def sheet_page(sheet: ParSheet) -> Page:
    """The PAR sheet for people; the last ones are kept, for drawing the charts takes longest."""
    book = sheet.book
    facts = [
        ("Game", book.title),
        ("Rules", book.source),
        ("Version", book.version or "not stated"),
        ("Effective", book.effective or "not stated"),
        ("Decks", f"{sheet.decks} ({sheet.odds.undealt.size} cards)"),
        ("Rule book", book.name),
        ("Digest", sheet.digest),
        ("Computed by", f"Punto {__version__}"),
        *sheet.signing.facts,
    ]
    sections = [
        bets_section(sheet),
        pay_tables_section(sheet),
        play_section(book),
        round_section(sheet),
        decks_section(sheet),
        odds_section(sheet),
        *([found] if (found := cut_card_depths_section(sheet)) else []),
        hold_section(sheet),
        together_section(sheet),
    ]
    if sheet.insurance is not None and sheet.levels is not None:
        sections.append(insurance_section(sheet.insurance, sheet.levels))
    if sheet.antes is not None:
        sections.append(ante_section(sheet.antes))
    sections += [countability_section(sheet), power_section(sheet), assumptions_section(book), method_section(sheet)]
    subtitle = f"{book.title}, {counted(sheet.decks, 'deck')}"
    return Page(
        "PAR sheet",
        tuple(sections),
        subtitle,
        facts=tuple(facts),
        header=f"PAR sheet, {book.name}, {counted(sheet.decks, 'deck')}, digest {sheet.digest}",
        signatures=sheet.signing.signatures,
    )


# All figures of a PAR sheet as one long table, for spreadsheets and data frames.
#
# A row is one figure: of what, which, exactly as a fraction where it is one, and as a floating-point number.
# After the figures, whatever the page shows follows as it is shown: every fact, sentence and cell.


class FigureRow(NamedTuple):
    """One figure."""

    book: str
    decks: int
    section: str
    subject: str  # The bet, or what else the figure is of.
    item: str  # Which figure.
    clause: str | None
    exact: str | None
    value: float | None
    text: str | None = None  # What the page shows, where the figure is one of its words or cells.


def figure_rows(sheet: ParSheet) -> list[FigureRow]:
    """Every figure of a sheet."""
    book = sheet.book.name
    found = [FigureRow(book, sheet.decks, *figure) for figure in _exact_figures(sheet)]
    for decks, odds in sheet.by_decks.items():
        for bet in odds.bets:
            found.append(
                FigureRow(book, decks, "edge-by-decks", bet.area, "edge", None, fraction(bet.edge), float(bet.edge))
            )
    return [*found, *(FigureRow(book, sheet.decks, *cells) for cells in _shown_cells(sheet))]


def _shown_cells(sheet: ParSheet) -> Iterator[tuple[str, str, str, None, None, float | None, str]]:
    """Everything on the page, as it is shown there."""
    page = sheet_page(sheet)
    for name, text in page.facts:
        yield "facts", name, "", None, None, _number_shown(text), text
    for section in page.sections:
        for block in section.blocks:
            match block:
                case Grid():
                    for row in block.rows:
                        for head, cell in zip(block.heads[1:], row[1:], strict=True):
                            subject = f"{block.title}: {row[0]}" if block.title else row[0]
                            yield section.heading, subject, head, None, None, _number_shown(cell), cell
                case Listing():
                    for item in block.items:
                        yield section.heading, "", "", None, None, None, item
                case Figure():
                    yield section.heading, "figure", "", None, None, None, block.caption
                case CommandLine():
                    yield section.heading, "command", block.gives, None, None, None, block.line
                case str():
                    yield section.heading, "", "", None, None, None, block


def _number_shown(text: str) -> float | None:
    """The number that a cell shows; a share where it is in per cent."""
    bare = text.replace(",", "").removesuffix(" %")
    try:
        return float(bare) / (100 if text.endswith(" %") else 1)
    except ValueError:
        return None


FigureCells = tuple[str, str, str, str | None, str | None, float]  # One exact figure.


def _exact_figures(sheet: ParSheet) -> Iterator[FigureCells]:
    for bet in sheet.odds.bets:
        yield from _bet_cells(sheet, bet)
    for winner, ways in sheet.round.winners.items():
        yield _exact_cells("round", winner.value, "probability", Fraction(ways, sheet.round.total))
    for cards, ways in sheet.round.cards.items():
        yield _exact_cells("round", f"{cards} cards", "probability", Fraction(ways, sheet.round.total))
    yield _exact_cells("round", "cards", "mean", sheet.round.mean_cards)
    yield from _insurance_cells(sheet)
    yield from _ante_cells(sheet)
    yield from _countability_cells(sheet)


def _bet_cells(sheet: ParSheet, bet: BetOdds) -> Iterator[FigureCells]:
    for name in ("ev", "edge", "variance", "win", "push", "lose"):
        yield _exact_cells("bets", bet.area, name, getattr(bet, name))
    yield "bets", bet.area, "sd", None, None, bet.sd
    for outcome, ways in bet.ways:
        chance = Fraction(ways, bet.total)
        yield "outcomes", bet.area, outcome_words(outcome), outcome.clause, fraction(chance), float(chance)
    for number, (row, ways) in enumerate(pay_rows(sheet.book, bet), start=1):
        chance, pays = Fraction(ways, bet.total), outcome_words(row.outcome)
        item = f"row {number}, {pays}: {row_words(row)}"
        yield "rows", bet.area, item, row.outcome.clause, fraction(chance), float(chance)


def _insurance_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    if sheet.insurance is None:
        return
    for row in sheet.insurance.offers:
        place = f"{row.offer.area} at Player {row.player_points}, Banker {row.banker_points}"
        clause = row.offer.on_loss.clause
        for item, value in (("odds", row.offer.odds), ("reach", row.reach), ("ev", row.ev)):
            yield "insurance", place, item, clause, fraction(value), float(value)
    for one in sheet.insurance.bets:
        yield _exact_cells("insurance", one.bet.area, "gain", one.gain)
        yield _exact_cells("insurance", one.bet.area, "edge with best insurance", one.edge)


def _ante_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    for side in sheet.antes.sides if sheet.antes else ():
        for decision in side.decisions:
            shown = " ".join(map(str, decision.shown))
            yield _exact_cells("antes", side.pair.ante, f"play, {shown} shown", decision.play)
        yield _exact_cells("antes", side.pair.ante, "edge per ante", side.edge)
        yield _exact_cells("antes", side.pair.ante, "edge per unit at risk", side.edge_at_risk)


def _countability_cells(sheet: ParSheet) -> Iterator[FigureCells]:
    for one in sheet.countability.bets:
        for name, effect in one.effects.items():
            yield _exact_cells("removal", one.area, name, effect)
        for name, tag in one.tag_of.items():
            yield "tags", one.area, name, None, None, float(tag)
        yield "tags", one.area, "correlation", None, None, one.tags.correlation
        if one.perfect is not None:
            yield "perfect-play", one.area, "units per shoe", None, None, one.perfect.units
            if one.perfect.error is not None:
                yield "perfect-play", one.area, "standard error", None, None, one.perfect.error


def _exact_cells(section: str, subject: str, item: str, value: Fraction) -> FigureCells:
    return section, subject, item, None, fraction(value), float(value)


# A PAR sheet for programs: one JSON object, exact figures as fractions in text.


class OutcomeEntry(msgspec.Struct, frozen=True):
    """A row of a pay table, and how often it comes."""

    row: int
    when: str
    pays: str
    clause: str
    combinations: str
    probability: float


class _BetByClause(BetOddsEntry, frozen=True):
    clause: str


class SheetBet(_BetByClause, frozen=True, kw_only=True):
    """A bet with its pay table."""

    outcomes: tuple[OutcomeEntry, ...]


class NetResultEntry(msgspec.Struct, frozen=True):
    """What a bet made in steps can come to."""

    net: str
    combinations: str


class SheetComposedBet(BetOddsEntry, frozen=True, kw_only=True):
    """A bet made in steps."""

    staked: str
    results: tuple[NetResultEntry, ...]


class SheetRound(msgspec.Struct, frozen=True):
    """Who wins a round, and how many cards it takes."""

    winners: dict[str, str]
    cards: dict[str, str]
    mean_cards: str


class SheetInsuredBet(BetName, frozen=True):
    """What insurance adds to a main bet, and the edge that is left."""

    gain: str
    edge: float


class SheetInsurance(msgspec.Struct, frozen=True):
    """Insurance and the main bets with the best use of it."""

    offers: tuple[StudiedOfferEntry, ...]
    bets: tuple[SheetInsuredBet, ...]


class SheetAnteDecision(msgspec.Struct, frozen=True):
    """What is best with an ante when these points are shown."""

    shown: tuple[int, ...]
    play: str
    best: str


class SheetAnte(msgspec.Struct, frozen=True):
    """An ante with optimal play."""

    ante: str
    edge: float
    edge_at_risk: float
    decisions: tuple[SheetAnteDecision, ...]


class SheetCounting(msgspec.Struct, frozen=True):
    """How far the bets can be counted."""

    shoes: int
    seed: int
    cut: int
    rounds_per_shoe: float
    bets: tuple[CountedBet, ...]


class SheetSection(msgspec.Struct, frozen=True):
    """A section as the page shows it."""

    heading: str
    blocks: tuple[str | dict[str, object], ...]


class SheetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Every figure of a PAR sheet."""

    book: str
    title: str
    source: str
    version: str | None
    effective: str | None
    digest: str
    date: str | None
    revision: str | None
    prepared_by: str | None
    approved_by: str | None
    punto: str
    decks: int
    cards: int
    total: str
    bets: tuple[SheetBet, ...]
    edges_by_decks: dict[str, dict[str, float]]
    composed: tuple[SheetComposedBet, ...]
    round: SheetRound
    insurance: SheetInsurance | UnsetType
    ante: tuple[SheetAnte, ...] | UnsetType
    countability: SheetCounting
    facts: dict[str, str]
    page: tuple[SheetSection, ...]


def sheet_answer(sheet: ParSheet) -> SheetAnswer:
    book, signing, study, page = sheet.book, sheet.signing, sheet.countability, sheet_page(sheet)
    counted_bets = tuple(map(counted_bet, study.bets))
    return SheetAnswer(
        book=book.name,
        title=book.title,
        source=book.source,
        version=book.version,
        effective=book.effective,
        digest=sheet.digest,
        date=signing.date,
        revision=signing.revision,
        prepared_by=signing.prepared_by,
        approved_by=signing.approved_by,
        punto=__version__,
        decks=sheet.decks,
        cards=sheet.odds.undealt.size,
        total=str(sheet.odds.total),
        bets=tuple(_sheet_bet(sheet, bet) for bet in sheet.odds.bets),
        edges_by_decks={
            str(decks): {bet.area: float(bet.edge) for bet in sheet.bets_with(decks)} for decks in sheet.by_decks
        },
        composed=tuple(map(_composed_bet, sheet.composed[sheet.decks])),
        round=SheetRound(
            {winner.value: str(ways) for winner, ways in sheet.round.winners.items()},
            {str(cards): str(ways) for cards, ways in sheet.round.cards.items()},
            fraction(sheet.round.mean_cards),
        ),
        insurance=UNSET if sheet.insurance is None else _sheet_insurance(sheet.insurance),
        ante=UNSET if sheet.antes is None else tuple(map(_sheet_ante, sheet.antes.sides)),
        countability=SheetCounting(study.number, study.seed, study.shoes.behind_cut, study.rounds, counted_bets),
        facts=dict(page.facts),
        page=tuple(SheetSection(one.heading, tuple(map(_block, one.blocks))) for one in page.sections),
    )


def _block(block: Block) -> str | dict[str, object]:
    match block:
        case Grid():
            return {"table": block.title, "heads": block.heads, "rows": block.rows}
        case Listing():
            return {"list": block.items}
        case Figure():
            return {"figure": block.caption}
        case CommandLine():
            return {"command": block.line, "gives": block.gives}
        case str():
            return block


def _sheet_bet(sheet: ParSheet, odds: BetOdds) -> SheetBet:
    bet = sheet.book.bet(odds.area)
    assert bet is not None
    outcomes = (
        OutcomeEntry(
            number,
            row_words(row),
            outcome_words(row.outcome),
            row.outcome.clause,
            str(ways * (sheet.odds.total // odds.total)),
            ways / odds.total,
        )
        for number, (row, ways) in enumerate(pay_rows(sheet.book, odds), start=1)
    )
    return SheetBet(odds.area, bet.clause, **bet_figures(odds), outcomes=tuple(outcomes))


def _composed_bet(one: ComposedBet) -> SheetComposedBet:
    results = tuple(NetResultEntry(fraction(net), str(ways)) for net, ways in one.results)
    return SheetComposedBet(one.area, **bet_figures(one), staked=fraction(one.staked), results=results)


def _sheet_insurance(odds: InsuranceOdds) -> SheetInsurance:
    bets = tuple(SheetInsuredBet(one.bet.area, fraction(one.gain), float(one.edge)) for one in odds.bets)
    return SheetInsurance(studied_offer_entries(odds), bets)


def _sheet_ante(side: AnteSide) -> SheetAnte:
    decisions = tuple(SheetAnteDecision(one.shown, fraction(one.play), one.best) for one in side.decisions)
    return SheetAnte(side.pair.ante, float(side.edge), float(side.edge_at_risk), decisions)
