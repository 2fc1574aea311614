"""The sections of a PAR sheet that every game has: its bets, their pay tables, the round, and the decks."""

from __future__ import annotations

from fractions import Fraction

from punto.documents.number import expectation, fraction, percent
from punto.documents.page import Block, Figure, Grid, Section, figures
from punto.odds.bet_odds import BetOdds
from punto.reports import charts
from punto.reports.par_sheet import ParSheet, pay_rows
from punto.rules.facts import Winner
from punto.rules.labels import label_of
from punto.rules.words import counted, outcome_words, row_words
from punto.studies.composed import ComposedBet

FEWEST_POINTS = 3
"""Numbers of decks from which on a line shows more than the table does."""
_COLOURS = {Winner.PLAYER: charts.PLAYER, Winner.TIE: charts.TIE, Winner.BANKER: charts.BANKER}


def bets_section(sheet: ParSheet) -> Section:
    """Every bet at a glance."""
    rows = tuple(
        (
            bet.label,
            percent(bet.edge),
            percent(bet.win),
            percent(bet.push),
            f"{bet.sd:.6f}",
            fraction(-bet.edge),
        )
        for bet in sheet.all_bets
    )
    heads = ("Bet", "House edge", "Hit frequency", "Push", "Standard deviation", "Exact expectation")
    names = [bet.label for bet in sheet.all_bets]
    edges = [float(bet.edge) * 100 for bet in sheet.all_bets]
    return Section(
        "Bets",
        (
            "All figures are for one unit staked on a bet before the deal of a full shoe of "
            f"{counted(sheet.decks, 'deck')}, {sheet.odds.undealt.size} cards, over all "
            f"{sheet.odds.total:,} ordered draws of six cards. An ante counts with its wager, "
            "per unit of ante; an insured bet with its insurance, per unit of main bet; both with optimal "
            "play by the totals shown.",
            figures("Probability, house edge and deviation of every bet", heads, rows),
            Figure(
                charts.bars(names, edges, "House edge, %"),
                "House edge of every bet, in per cent of the stake.",
            ),
        ),
    )


def pay_tables_section(sheet: ParSheet) -> Section:
    """For each bet, what it pays when, by which clause, and how often."""
    composed = (_results(sheet, bet) for bet in sheet.composed[sheet.decks])
    return Section("Pay tables", (*(_pay_table(sheet, bet) for bet in sheet.odds.bets), *composed))


def _results(sheet: ParSheet, bet: ComposedBet) -> Grid:
    """A bet made in steps: its net results take the place of pay-outs."""
    scale = sheet.odds.total // bet.total
    rows = [
        (
            f"{float(net):+.4f}".rstrip("0").rstrip("."),
            bet.clause,
            f"{ways * scale:,}",
            percent(Fraction(ways, bet.total), 6),
            expectation(Fraction(ways, bet.total) * net),
        )
        for net, ways in bet.results
    ]
    rows.append(("all", "", f"{sheet.odds.total:,}", percent(1.0, 6), expectation(bet.ev)))
    title = f"{bet.label}: net results per unit; {float(bet.staked):.4f} units staked on average"
    return figures(title, ("Net", "Clause", "Combinations", "Probability", "Contribution"), rows)


def _pay_table(sheet: ParSheet, odds: BetOdds) -> Grid:
    bet = sheet.book.bet(odds.area)
    assert bet is not None
    rows = []
    for row, ways in pay_rows(sheet.book, odds):
        chance, outcome = Fraction(ways, odds.total), row.outcome
        rows.append(
            (
                row_words(row),
                outcome_words(outcome),
                outcome.clause,
                f"{ways * (sheet.odds.total // odds.total):,}",
                percent(chance, 6),
                expectation(chance * outcome.net),
            )
        )
    rows.append(("all", "", "", f"{sheet.odds.total:,}", percent(1.0, 6), expectation(odds.ev)))
    heads = ("When", "Pays", "Clause", "Combinations", "Probability", "Contribution")
    return figures(f"{bet.labels.en} (clause {bet.clause})", heads, rows)


def round_section(sheet: ParSheet) -> Section:
    """Who wins, how many cards it takes, and with which points."""
    found = sheet.round
    winners = tuple(
        (winner.value.capitalize(), f"{ways:,}", percent(Fraction(ways, found.total), 6))
        for winner, ways in found.winners.items()
    )
    cards = tuple(
        (str(number), f"{ways:,}", percent(Fraction(ways, found.total), 6))
        for number, ways in found.cards.items()
    )
    parts = [
        (winner.value.capitalize(), found.winners[winner] / found.total, _COLOURS[winner])
        for winner in _COLOURS
    ]
    cells = {
        (player, banker): ways / found.total * 100
        for player, row in enumerate(found.points)
        for banker, ways in enumerate(row)
    }
    heat = charts.heat_maps({"Final points, %": cells}, "Banker", "Player", signed=False)
    return Section(
        "The round",
        (
            Figure(charts.shares(parts), "How rounds end."),
            figures("Winner", ("Winner", "Combinations", "Probability"), winners),
            figures("Cards in a round", ("Cards", "Combinations", "Probability"), cards),
            f"A round takes {float(found.mean_cards):.6f} cards on average.",
            Figure(
                heat,
                "Chance of each pair of final points, in per cent: Player's by rows, Banker's by columns.",
                58,
            ),
        ),
    )


def decks_section(sheet: ParSheet) -> Section:
    """House edges for every number of decks that the book allows."""
    heads = ("Bet", *(counted(decks, "deck") for decks in sheet.by_decks))
    rows = tuple(
        (
            label_of(sheet.book, bet.area),
            *(percent(odds.bet(bet.area).edge) for odds in sheet.by_decks.values()),
        )
        for bet in sheet.odds.bets
    )
    composed = zip(*sheet.composed.values(), strict=True)
    rows += tuple((bets[0].label, *(percent(bet.edge) for bet in bets)) for bets in composed)
    blocks: list[Block] = [figures("House edge by number of decks", heads, rows)]
    if len(sheet.by_decks) >= FEWEST_POINTS:
        bets = zip(*(sheet.bets_with(decks) for decks in sheet.by_decks), strict=True)
        curves = [(row[0].label, [float(bet.edge) * 100 for bet in row]) for row in bets]
        for first in range(0, len(curves), charts.MOST_LINES):
            drawn = dict(curves[first : first + charts.MOST_LINES])
            chart = charts.lines(list(sheet.by_decks), drawn, "Decks", "House edge, %")
            blocks.append(
                Figure(chart, "House edge by number of decks, in per cent; each bet in its own scale.")
            )
    clause = sheet.book.decks.clause
    return Section(f"Numbers of decks (clause {clause})", tuple(blocks))
