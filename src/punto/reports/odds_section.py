"""The section of a PAR sheet on odds: what the edge of a bet would be if one of its rows paid otherwise.

The edge is linear in the odds of a row: one more to 1 takes the chance of that row off it. So a row, its
chance and the edge say all of it, and a straight line shows it, one for each number of decks.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from punto.documents.number import percent
from punto.documents.page import Block, Figure, Section, figures
from punto.odds.bet_odds import BetOdds
from punto.reports import charts
from punto.reports.par_sheet import ParSheet
from punto.rules.labels import label_of
from punto.rules.outcome import format_odds
from punto.rules.pay_table import CompiledRow
from punto.rules.words import counted, row_words

AT_ONCE = 18
"""Small charts in one figure, so that each figure fits a sheet of paper."""


class PaidRow(NamedTuple):
    """A row that wins, and how the edge of its bet hangs on its odds."""

    area: str
    number: int
    """Its place among the rows of the bet, from 1; 0 where it is the only one that wins."""
    row: CompiledRow
    odds: Fraction
    chance: dict[int, Fraction]
    """Of the row, for each number of decks."""
    edge: dict[int, Fraction]
    """Of the bet, for each number of decks."""

    def edge_at(self, odds: Fraction, decks: int) -> Fraction:
        """The house edge of the bet if this row paid these odds."""
        return self.edge[decks] - (odds - self.odds) * self.chance[decks]

    def even(self, decks: int) -> Fraction:
        """The odds at which neither side has an edge; not positive where the other rows pay too much."""
        return self.odds + self.edge[decks] / self.chance[decks]


def odds_section(sheet: ParSheet) -> Section:
    """What each row does to the edge, as a table and as lines."""
    rows = tuple(paid_rows(sheet))
    table = tuple(
        (
            f"{label_of(sheet.book, one.area)}: {row_words(one.row)}",
            format_odds(one.odds),
            percent(one.edge[sheet.decks]),
            percent(-one.chance[sheet.decks]),
            f"{float(even):.4f}" if (even := one.even(sheet.decks)) > 0 else "never",
        )
        for one in rows
    )
    heads = ("Bet and row", "Pays", "House edge", "For 1 more to 1", "No edge at (to 1)")
    blocks: list[Block] = [
        "The edge of a bet is linear in the odds of each row: paying one more to 1 changes it by the chance "
        "of the row. The last column has the odds at which neither side has an edge, if the other rows stay "
        "as they are.",
        figures(f"House edge and odds, {counted(sheet.decks, 'deck')}", heads, table),
    ]
    for start in range(0, len(rows), AT_ONCE):
        panels = [_panel(sheet, one) for one in rows[start : start + AT_ONCE]]
        chart = charts.slopes(panels, "Odds of the row, to 1", "House edge of the bet, %")
        which = "" if len(rows) <= AT_ONCE else f", rows {start + 1} to {start + len(panels)} of the table"
        caption = f"House edge against the odds of each row{which}; a dot marks the odds of the book."
        blocks.append(Figure(chart, caption))
    return Section("House edge and odds", tuple(blocks))


def paid_rows(sheet: ParSheet) -> Iterator[PaidRow]:
    """Every row of every outright bet that wins, and can come with the decks of the sheet."""
    for bet in sheet.odds.bets:
        rows = sheet.book.pay_tables[bet.area].rows
        came = {id(row) for row, _ in bet.rows}
        wins = [(n, row) for n, row in enumerate(rows, start=1) if row.outcome.odds and id(row) in came]
        by_decks = {decks: odds.bet(bet.area) for decks, odds in sheet.by_decks.items()}
        edges = {decks: odds.edge for decks, odds in by_decks.items()}
        for n, row in wins:
            assert row.outcome.odds is not None
            chances = {decks: _chance(odds, row) for decks, odds in by_decks.items()}
            yield PaidRow(bet.area, n if len(wins) > 1 else 0, row, row.outcome.odds, chances, edges)


def _chance(odds: BetOdds, row: CompiledRow) -> Fraction:
    return Fraction(sum(ways for one, ways in odds.rows if one is row), odds.total)


def _panel(sheet: ParSheet, one: PaidRow) -> charts.Slope:
    """From half the odds, or less, to half as much again, or to where the edge is gone."""
    even = one.even(sheet.decks)
    high = max(one.odds * Fraction(3, 2), min(even * Fraction(11, 10), one.odds * 4))
    low = min(one.odds / 2, max(even * Fraction(9, 10), Fraction(0)))
    others = [decks for decks in one.edge if decks != sheet.decks]
    lines = {
        counted(decks, "deck"): (_percent(one.edge_at(low, decks)), _percent(one.edge_at(high, decks)))
        for decks in (sheet.decks, *others)
    }
    place = f", row {one.number}" if one.number else ""
    title = f"{label_of(sheet.book, one.area)}{place}: {format_odds(one.odds)}"
    now = (float(one.odds), _percent(one.edge[sheet.decks]))
    return charts.Slope(title, (float(low), float(high)), lines, now)


def _percent(share: Fraction) -> float:
    return float(share) * 100
