"""The whole PAR sheet: as a page for people, as rows of figures for a table, and as a record for programs.

Rows and record carry the exact figures, and everything that the page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
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
from punto.reports import par_sheet_sections as parts
from punto.reports.par_sheet import ParSheet, assumptions_section, pay_rows
from punto.reports.rule_book import play_section
from punto.rules.outcome import format_odds
from punto.rules.pay_table import CompiledRow
from punto.rules.wording import counted, outcome_words, row_words
from punto.studies.card_counting import Countable, CountedBet, counted_bet


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
    cut_card = parts.cut_card_depths_section(sheet)
    sections = [
        parts.bets_section(sheet),
        parts.pay_tables_section(sheet),
        play_section(book),
        parts.round_section(sheet),
        parts.decks_section(sheet),
        parts.odds_section(sheet),
        *([cut_card] if cut_card is not None else []),
        parts.hold_section(sheet),
        parts.together_section(sheet),
        *([parts.insurance_section(sheet.insurance, sheet.levels)] if sheet.insurance and sheet.levels else []),
        *([parts.ante_section(sheet.antes)] if sheet.antes else []),
        parts.countability_section(sheet),
        parts.power_section(sheet),
        assumptions_section(book),
        parts.method_section(sheet),
    ]
    subtitle = f"{book.title}, {counted(sheet.decks, 'deck')}"
    return Page(
        "PAR sheet",
        tuple(sections),
        subtitle,
        facts=tuple(facts),
        header=f"PAR sheet, {book.name}, {counted(sheet.decks, 'deck')}, digest {sheet.digest}",
        signatures=sheet.signing.signatures,
    )


class FigureRow(NamedTuple):
    """One figure, for spreadsheets and data frames: exactly as a fraction where it is one, and as a number."""

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
    """Every figure of a sheet; after them whatever the page shows, as it is shown: every fact, sentence and cell."""
    book = sheet.book.name
    rows = [FigureRow(book, sheet.decks, *figure) for figure in _exact_figures(sheet)]
    for decks, odds in sheet.by_decks.items():
        edges = (_exact("edge-by-decks", bet.area, "edge", bet.edge) for bet in odds.bets)
        rows += [FigureRow(book, decks, *figure) for figure in edges]
    rows += [
        FigureRow(book, sheet.decks, *place, None, None, value, text) for place, value, text in _shown_cells(sheet)
    ]
    return rows


def _shown_cells(sheet: ParSheet) -> Iterator[tuple[tuple[str, str, str], float | None, str]]:
    """Everything on the page: section, subject and item, the number that is shown, and the text."""
    page = sheet_page(sheet)
    for name, text in page.facts:
        yield ("facts", name, ""), _number_shown(text), text
    for section in page.sections:
        for block in section.blocks:
            match block:
                case Grid():
                    for row in block.rows:
                        subject = f"{block.title}: {row[0]}" if block.title else row[0]
                        for head, cell in zip(block.heads[1:], row[1:], strict=True):
                            yield (section.heading, subject, head), _number_shown(cell), cell
                case Listing():
                    yield from (((section.heading, "", ""), None, item) for item in block.items)
                case Figure():
                    yield (section.heading, "figure", ""), None, block.caption
                case CommandLine():
                    yield (section.heading, "command", block.gives), None, block.line
                case str():
                    yield (section.heading, "", ""), None, block


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
        yield from _bet_figures(sheet, bet)
    for winner, ways in sheet.round.winners.items():
        yield _exact("round", winner.value, "probability", Fraction(ways, sheet.round.total))
    for cards, ways in sheet.round.cards.items():
        yield _exact("round", f"{cards} cards", "probability", Fraction(ways, sheet.round.total))
    yield _exact("round", "cards", "mean", sheet.round.mean_cards)
    for row in sheet.insurance.offers if sheet.insurance else ():
        place = f"{row.offer.area} at Player {row.player_points}, Banker {row.banker_points}"
        for item, value in (("odds", row.offer.odds), ("reach", row.reach), ("ev", row.ev)):
            yield _exact("insurance", place, item, value, row.offer.on_loss.clause)
    for insured in sheet.insurance.bets if sheet.insurance else ():
        yield _exact("insurance", insured.bet.area, "gain", insured.gain)
        yield _exact("insurance", insured.bet.area, "edge with best insurance", insured.edge)
    for side in sheet.antes.sides if sheet.antes else ():
        for decision in side.decisions:
            yield _exact("antes", side.pair.ante, f"play, {' '.join(map(str, decision.shown))} shown", decision.play)
        yield _exact("antes", side.pair.ante, "edge per ante", side.edge)
        yield _exact("antes", side.pair.ante, "edge per unit at risk", side.edge_at_risk)
    for countable in sheet.countability.bets:
        yield from _counting_figures(countable)


def _bet_figures(sheet: ParSheet, bet: BetOdds) -> Iterator[FigureCells]:
    for name in ("ev", "edge", "variance", "win", "push", "lose"):
        yield _exact("bets", bet.area, name, getattr(bet, name))
    yield "bets", bet.area, "sd", None, None, bet.sd
    for outcome, ways in bet.ways:
        yield _exact("outcomes", bet.area, outcome_words(outcome), Fraction(ways, bet.total), outcome.clause)
    for number, (row, ways) in enumerate(pay_rows(sheet.book, bet), start=1):
        item = f"row {number}, {outcome_words(row.outcome)}: {row_words(row)}"
        yield _exact("rows", bet.area, item, Fraction(ways, bet.total), row.outcome.clause)
        if (kept := row.outcome.commission) is not None:
            place, clause = f"row {number}: {row_words(row)}", kept.clause or row.outcome.clause
            yield _exact("commission", bet.area, f"part of the winnings, {place}", kept.rate, clause)
            yield _exact("commission", bet.area, f"odds before it, {place}", kept.gross, clause)


def _counting_figures(bet: Countable) -> Iterator[FigureCells]:
    for name, effect in bet.effects.items():
        yield _exact("removal", bet.area, name, effect)
    for name, tag in bet.tag_of.items():
        yield "tags", bet.area, name, None, None, float(tag)
    yield "tags", bet.area, "correlation", None, None, bet.tags.correlation
    if bet.perfect is not None:
        yield "perfect-play", bet.area, "units per shoe", None, None, bet.perfect.units
        if bet.perfect.error is not None:
            yield "perfect-play", bet.area, "standard error", None, None, bet.perfect.error


def _exact(section: str, subject: str, item: str, value: Fraction, clause: str | None = None) -> FigureCells:
    return section, subject, item, clause, fraction(value), float(value)


class CommissionEntry(msgspec.Struct, frozen=True):
    """What the house keeps of a win: the part as a fraction, its clause, and the odds before it."""

    rate: str
    clause: str
    before: str


class OutcomeEntry(msgspec.Struct, frozen=True):
    row: int
    when: str
    pays: str
    clause: str
    combinations: str
    probability: float
    commission: CommissionEntry | UnsetType = UNSET


class _BetByClause(BetOddsEntry, frozen=True):
    clause: str


class SheetBet(_BetByClause, frozen=True, kw_only=True):
    outcomes: tuple[OutcomeEntry, ...]


class NetResultEntry(msgspec.Struct, frozen=True):
    net: str
    combinations: str


class SheetComposedBet(BetOddsEntry, frozen=True, kw_only=True):
    staked: str
    results: tuple[NetResultEntry, ...]


class SheetRound(msgspec.Struct, frozen=True):
    winners: dict[str, str]
    cards: dict[str, str]
    mean_cards: str


class SheetInsuredBet(BetName, frozen=True):
    """What insurance adds to a main bet, and the edge that is left."""

    gain: str
    edge: float


class SheetInsurance(msgspec.Struct, frozen=True):
    offers: tuple[StudiedOfferEntry, ...]
    bets: tuple[SheetInsuredBet, ...]


class SheetAnteDecision(msgspec.Struct, frozen=True):
    shown: tuple[int, ...]
    play: str
    best: str


class SheetAnte(msgspec.Struct, frozen=True):
    ante: str
    edge: float
    edge_at_risk: float
    decisions: tuple[SheetAnteDecision, ...]


class SheetCounting(msgspec.Struct, frozen=True):
    shoes: int
    seed: int
    cut: int
    rounds_per_shoe: float
    bets: tuple[CountedBet, ...]


class SheetTable(msgspec.Struct, frozen=True):
    table: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class SheetList(msgspec.Struct, frozen=True):
    list: tuple[str, ...]


class SheetFigure(msgspec.Struct, frozen=True):
    figure: str


class SheetCommand(msgspec.Struct, frozen=True):
    command: str
    gives: str


SheetBlock = str | SheetTable | SheetList | SheetFigure | SheetCommand


class SheetSection(msgspec.Struct, frozen=True):
    heading: str
    blocks: tuple[SheetBlock, ...]


class SheetAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Every figure of a PAR sheet for programs: exact ones are fractions in text."""

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
    book, study, page = sheet.book, sheet.countability, sheet_page(sheet)
    counted_bets = tuple(map(counted_bet, study.bets))
    return SheetAnswer(
        book=book.name,
        title=book.title,
        source=book.source,
        version=book.version,
        effective=book.effective,
        digest=sheet.digest,
        **asdict(sheet.signing),
        punto=__version__,
        decks=sheet.decks,
        cards=sheet.odds.undealt.size,
        total=str(sheet.odds.total),
        bets=tuple(_sheet_bet(sheet, bet) for bet in sheet.odds.bets),
        edges_by_decks={
            str(decks): {bet.area: float(bet.edge) for bet in sheet.bets_with(decks)} for decks in sheet.by_decks
        },
        composed=tuple(
            SheetComposedBet(
                bet.area,
                **bet_figures(bet),
                staked=fraction(bet.staked),
                results=tuple(NetResultEntry(fraction(net), str(ways)) for net, ways in bet.results),
            )
            for bet in sheet.composed[sheet.decks]
        ),
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


def _block(block: Block) -> SheetBlock:
    match block:
        case Grid():
            return SheetTable(block.title, block.heads, block.rows)
        case Listing():
            return SheetList(block.items)
        case Figure():
            return SheetFigure(block.caption)
        case CommandLine():
            return SheetCommand(block.line, block.gives)
        case str():
            return block


def _sheet_bet(sheet: ParSheet, odds: BetOdds) -> SheetBet:
    bet = sheet.book.bet(odds.area)
    assert bet is not None
    scale, outcomes = sheet.odds.total // odds.total, []
    for number, (row, ways) in enumerate(pay_rows(sheet.book, odds), start=1):
        words = (row_words(row), outcome_words(row.outcome), row.outcome.clause)
        outcomes.append(OutcomeEntry(number, *words, str(ways * scale), ways / odds.total, _commission(row)))
    return SheetBet(odds.area, bet.clause, **bet_figures(odds), outcomes=tuple(outcomes))


def _commission(row: CompiledRow) -> CommissionEntry | UnsetType:
    kept = row.outcome.commission
    if kept is None:
        return UNSET
    return CommissionEntry(fraction(kept.rate), kept.clause or row.outcome.clause, format_odds(kept.gross))


def _sheet_insurance(odds: InsuranceOdds) -> SheetInsurance:
    bets = tuple(SheetInsuredBet(one.bet.area, fraction(one.gain), float(one.edge)) for one in odds.bets)
    return SheetInsurance(studied_offer_entries(odds), bets)


def _sheet_ante(side: AnteSide) -> SheetAnte:
    decisions = tuple(SheetAnteDecision(one.shown, fraction(one.play), one.best) for one in side.decisions)
    return SheetAnte(side.pair.ante, float(side.edge), float(side.edge_at_risk), decisions)
