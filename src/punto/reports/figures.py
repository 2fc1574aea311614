"""All figures of a PAR sheet as one long table, for spreadsheets and data frames.

A row is one figure: of what, which, exactly as a fraction where it is one, and as a floating-point number.
After the figures, whatever the page shows follows as it is shown: every fact, sentence and cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from punto.documents.number import fraction
from punto.documents.page import CommandLine, Figure, Grid, Listing
from punto.odds.bet_odds import BetOdds
from punto.reports.par_sheet import ParSheet, pay_rows
from punto.reports.sheet_page import sheet_page
from punto.rules.words import outcome_words, row_words


class FigureRow(NamedTuple):
    """One figure."""

    book: str
    decks: int
    section: str
    subject: str
    """The bet, or what else the figure is of."""
    item: str
    """Which figure."""
    clause: str | None
    exact: str | None
    value: float | None
    text: str | None = None
    """What the page shows, where the figure is one of its words or cells."""


def rows(sheet: ParSheet) -> list[FigureRow]:
    """Every figure of a sheet."""
    book = sheet.book.name
    found = [FigureRow(book, sheet.decks, *figure) for figure in _figures(sheet)]
    for decks, odds in sheet.by_decks.items():
        for bet in odds.bets:
            found.append(
                FigureRow(
                    book, decks, "edge-by-decks", bet.area, "edge", None, fraction(bet.edge), float(bet.edge)
                )
            )
    return [*found, *(FigureRow(book, sheet.decks, *cells) for cells in _shown(sheet))]


def _shown(sheet: ParSheet) -> Iterator[tuple[str, str, str, None, None, float | None, str]]:
    """Everything on the page, as it is shown there."""
    page = sheet_page(sheet)
    for name, text in page.facts:
        yield "facts", name, "", None, None, _number(text), text
    for section in page.sections:
        for block in section.blocks:
            match block:
                case Grid():
                    for row in block.rows:
                        for head, cell in zip(block.heads[1:], row[1:], strict=True):
                            subject = f"{block.title}: {row[0]}" if block.title else row[0]
                            yield section.heading, subject, head, None, None, _number(cell), cell
                case Listing():
                    for item in block.items:
                        yield section.heading, "", "", None, None, None, item
                case Figure():
                    yield section.heading, "figure", "", None, None, None, block.caption
                case CommandLine():
                    yield section.heading, "command", block.gives, None, None, None, block.line
                case str():
                    yield section.heading, "", "", None, None, None, block


def _number(text: str) -> float | None:
    """The number that a cell shows; a share where it is in per cent."""
    bare = text.replace(",", "").removesuffix(" %")
    try:
        return float(bare) / (100 if text.endswith(" %") else 1)
    except ValueError:
        return None


Cells = tuple[str, str, str, str | None, str | None, float]
"""One exact figure."""


def _figures(sheet: ParSheet) -> Iterator[Cells]:
    for bet in sheet.odds.bets:
        yield from _bet(sheet, bet)
    for winner, ways in sheet.round.winners.items():
        yield _exact("round", winner.value, "probability", Fraction(ways, sheet.round.total))
    for cards, ways in sheet.round.cards.items():
        yield _exact("round", f"{cards} cards", "probability", Fraction(ways, sheet.round.total))
    yield _exact("round", "cards", "mean", sheet.round.mean_cards)
    yield from _insurance(sheet)
    yield from _antes(sheet)
    yield from _countability(sheet)


def _bet(sheet: ParSheet, bet: BetOdds) -> Iterator[Cells]:
    for name in ("ev", "edge", "variance", "win", "push", "lose"):
        yield _exact("bets", bet.area, name, getattr(bet, name))
    yield "bets", bet.area, "sd", None, None, bet.sd
    for outcome, ways in bet.ways:
        chance = Fraction(ways, bet.total)
        yield "outcomes", bet.area, outcome_words(outcome), outcome.clause, fraction(chance), float(chance)
    for number, (row, ways) in enumerate(pay_rows(sheet.book, bet), start=1):
        chance, pays = Fraction(ways, bet.total), outcome_words(row.outcome)
        item = f"row {number}, {pays}: {row_words(row)}"
        yield "rows", bet.area, item, row.outcome.clause, fraction(chance), float(chance)


def _insurance(sheet: ParSheet) -> Iterator[Cells]:
    if sheet.insurance is None:
        return
    for row in sheet.insurance.offers:
        place = f"{row.offer.area} at Player {row.player_points}, Banker {row.banker_points}"
        clause = row.offer.on_loss.clause
        for item, value in (("odds", row.offer.odds), ("reach", row.reach), ("ev", row.ev)):
            yield "insurance", place, item, clause, fraction(value), float(value)
    for one in sheet.insurance.bets:
        yield _exact("insurance", one.bet.area, "gain", one.gain)
        yield _exact("insurance", one.bet.area, "edge with best insurance", one.edge)


def _antes(sheet: ParSheet) -> Iterator[Cells]:
    for side in sheet.antes.sides if sheet.antes else ():
        for decision in side.decisions:
            shown = " ".join(map(str, decision.shown))
            yield _exact("antes", side.pair.ante, f"play, {shown} shown", decision.play)
        yield _exact("antes", side.pair.ante, "edge per ante", side.edge)
        yield _exact("antes", side.pair.ante, "edge per unit at risk", side.edge_at_risk)


def _countability(sheet: ParSheet) -> Iterator[Cells]:
    for one in sheet.countability.bets:
        for name, effect in one.effects.items():
            yield _exact("removal", one.area, name, effect)
        for name, tag in one.tag_of.items():
            yield "tags", one.area, name, None, None, float(tag)
        yield "tags", one.area, "correlation", None, None, one.tags.correlation
        if one.perfect is not None:
            yield "perfect-play", one.area, "units per shoe", None, None, one.perfect.units
            if one.perfect.error is not None:
                yield "perfect-play", one.area, "standard error", None, None, one.perfect.error


def _exact(section: str, subject: str, item: str, value: Fraction) -> Cells:
    return section, subject, item, None, fraction(value), float(value)
