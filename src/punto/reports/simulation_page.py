"""Simulations as pages: every bet beside its exact value, how sessions of a strategy ended, and the charts for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from punto.documents.page import CommandLine, Figure, Page, Section, figures, percent
from punto.documents.typesetting import html_page
from punto.money import MINOR, format_money
from punto.reports.charts import BANKER, BRASS, COLUMNS, INK, PLAYER, QUIET, Canvas, bars, chart_label, drawn
from punto.rules.book import digest_of, label_of
from punto.simulation.own_kernel import OwnSessions
from punto.studies.cut_card import SHOES as EFFECT_SHOES
from punto.studies.cut_card import CutCardEffect, cut_card_effect
from punto.studies.expectations import Shoes
from punto.studies.session_results import Ruin, SessionResults, ruin_by_bankroll
from punto.studies.simulation_results import Convergence, Simulated

Points = Sequence[tuple[int, float, float]]  # Rounds, mean less exact value, standard error.


def convergence_chart(bets: Mapping[str, Points]) -> Canvas:
    """One small chart for each bet: distance from the exact value, and two standard errors on either side."""
    rows = -(-len(bets) // COLUMNS)
    with drawn(8, 1.7 * rows, rows * COLUMNS, COLUMNS) as canvas:
        for axes, (name, points) in zip(canvas.axes, bets.items(), strict=False):
            rounds, distance, error = (np.array(column) for column in zip(*points, strict=True))
            axes.fill_between(rounds, -2 * error, 2 * error, color=BRASS, alpha=0.25, linewidth=0)
            axes.plot(rounds, distance, color=PLAYER, linewidth=1.2)
            axes.axhline(0, color=QUIET, linewidth=0.8)
            axes.set_xscale("log")
            axes.set_title(chart_label(name), fontsize=8, color=INK)
            axes.tick_params(labelsize=7)
        for axes in canvas.axes[len(bets) :]:
            axes.set_axis_off()
    return canvas


def fan_chart(paths: Sequence[NDArray[Any]], unit: str) -> Canvas:
    with drawn(8, 3.4) as canvas:
        [axes] = canvas.axes
        for path in paths:
            colour = PLAYER if len(path) and path[-1] >= 0 else BANKER
            axes.plot(range(1, len(path) + 1), path, color=colour, linewidth=0.8, alpha=0.45)
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.set_xlabel("round of the session")
        axes.set_ylabel(unit)
    return canvas


def session_histogram_chart(ends: NDArray[Any], shares: NDArray[Any], unit: str) -> Canvas:
    """How sessions ended: share of sessions by what they won; a bar that holds zero is about even."""
    with drawn(8, 3.0) as canvas:
        [axes] = canvas.axes
        width = float(ends[1] - ends[0]) if len(ends) > 1 else 1.0
        is_even = (ends <= 0) & (ends + width > 0)
        colours = np.select([is_even, ends > 0], [QUIET, PLAYER], BANKER).tolist()
        axes.bar(ends, shares, width=width, align="edge", color=colours)
        axes.set_xlabel(unit)
        axes.set_ylabel("share of sessions, %")
    return canvas


def ruin_chart(ruins: Sequence[Ruin]) -> Canvas:
    """Chance of ruin by bankroll, with an interval that reaches below and above it."""
    bankrolls = [ruin.bankroll / MINOR for ruin in ruins]
    shares = [100 * ruin.sessions.share for ruin in ruins]
    below = [100 * (ruin.sessions.share - ruin.sessions.interval[0]) for ruin in ruins]
    above = [100 * (ruin.sessions.interval[1] - ruin.sessions.share) for ruin in ruins]
    with drawn(8, 2.8) as canvas:
        [axes] = canvas.axes
        axes.errorbar(bankrolls, shares, yerr=(below, above), color=PLAYER, ecolor=INK, marker="o", markersize=4)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("bankroll")
        axes.set_ylabel("ruined sessions, %")
    return canvas


MOST_BARS = 60
SHOWN_QUANTILES = (Fraction(1, 1000), Fraction(999, 1000))  # Quantiles between which the ends of sessions are drawn.
ENDED = "won or lost in a session"
FANNED_SESSIONS = 60  # Sessions drawn in a fan.
RUIN_SHOES = 4096  # Shoes for each bankroll in the chart of ruin.
RUIN_BATCHES = 3  # Batches at most for each: those of a function that runs in Python are small.


def drawn_simulation(ending: str, answer: Simulated | SessionResults, looks: Convergence, command: str) -> str:
    if isinstance(answer, Simulated):
        if ending == ".svg":
            return convergence_figure(answer, looks).picture.svg
        return html_page(simulation_page(answer, looks, command))
    if ending == ".svg":
        return histogram_figure(answer).picture.svg
    sessions = answer.tally.sessions
    shoes = min(RUIN_SHOES, RUIN_BATCHES * sessions.batch_shoes)
    whole = max(1, shoes // sessions.strategy.shoes) * sessions.strategy.shoes
    return html_page(sessions_page(answer, ruin_by_bankroll(sessions, whole, _unit(answer)), command))


def simulation_page(simulated: Simulated, looks: Convergence, command: str) -> Page:
    """Every bet beside its exact value, how it got there, and the cut-card effect."""
    sections = [
        Section("Every bet", (simulated.table(), *simulated.remarks())),
        Section("Convergence", (convergence_figure(simulated, looks),)),
    ]
    terms = simulated.tally.deals.terms
    if terms.rounds_per_shoe is None:
        shoes = Shoes(simulated.book.play, terms.decks, terms.behind_cut, terms.rounds_after_cut, terms.burn)
        sections.append(cut_card_section(cut_card_effect(simulated.book, shoes, EFFECT_SHOES, 1)))
    return _page(simulated, sections, "Simulation", "simulation", command)


def cut_card_section(effect: CutCardEffect) -> Section:
    """By how much playing to the cut card moves the mean of each bet, measured apart from the simulation."""
    shifts = (*effect.bets, *effect.lengths)
    names = [effect.name(shift) for shift in shifts]
    values, errors = [s.shift * 1e6 for s in shifts], [2 * s.error * 1e6 for s in shifts]
    picture = bars(names, values, "millionths of a unit, with two standard errors", errors)
    caption = "By how much playing to the cut card moves the mean of each bet and the lengths of rounds."
    return Section("Cut-card effect", (effect.remark, Figure(picture, caption), effect.table))


def convergence_figure(simulated: Simulated, looks: Convergence) -> Figure:
    exact = {bet.result.bet: bet.exact for bet in simulated.bets}
    ways = {
        label_of(simulated.book, name): [
            (bet.rounds, bet.mean - value, bet.error) for point in looks.points for bet in point if bet.bet == name
        ]
        for name, value in exact.items()
    }
    caption = "Mean less exact value by rounds played; the band is two standard errors."
    return Figure(convergence_chart(ways), caption, 100)


def sessions_page(results: SessionResults, ruins: tuple[Ruin, ...], command: str) -> Page:
    """A strategy: its bets, how its sessions ended, their paths, and ruin against bankroll."""
    sections = [
        Section("Stakes", (results.table(), *results.remarks())),
        Section("Ends of sessions", (histogram_figure(results),)),
        Section("Paths", (_fan_figure(results),)),
    ]
    if ruins:
        rows = [
            (format_money(r.bankroll), percent(r.sessions.share, 3), *(percent(p, 3) for p in r.sessions.interval))
            for r in ruins
        ]
        table = figures("Chance of ruin", ("Bankroll", "Ruined", "From", "To"), rows)
        caption = "Share of sessions that can no longer lay their bets, with 95 % confidence intervals."
        sections.append(Section("Ruin against bankroll", (Figure(ruin_chart(ruins), caption), table)))
    name = results.name
    return _page(results, sections, f"Strategy: {name}", f"strategy {name}", command, _strategy_facts(results))


def _unit(results: SessionResults) -> int:
    """One unit of a strategy; of a function, which names none, the mean stake of its most frequent bet."""
    if not isinstance(results.tally.sessions, OwnSessions):
        return results.tally.sessions.strategy.first_stakes(results.book)
    often = max(results.tally.bets(), key=lambda bet: bet.made, default=None)
    return max(1, often.staked // often.made) if often is not None else MINOR


def histogram_figure(results: SessionResults) -> Figure:
    """What sessions ended with, less the outermost, which would squeeze all others together."""
    tally = results.tally
    low, high = (tally.quantile(share) for share in SHOWN_QUANTILES)
    if low is None or high is None:
        return Figure(session_histogram_chart(np.zeros(1), np.zeros(1), ENDED), "No session came to its end.")
    least, most = low.least, high.most
    step = max(1, -(-(most - least + 1) // MOST_BARS))
    first = least // step
    bars_held = np.zeros(most // step - first + 1)
    beyond = 0
    for lowest, highest, number in tally.nets.bins():
        if least <= lowest and highest <= most:
            bars_held[(lowest + highest) // 2 // step - first] += number
        else:
            beyond += number
    ends = (first + np.arange(len(bars_held))) * step / MINOR
    further = f" {beyond:,} ended further out and are not drawn." if beyond else ""
    picture = session_histogram_chart(ends, 100 * bars_held / tally.number, ENDED)
    return Figure(picture, f"{tally.number:,} sessions by what they won or lost.{further}")


def _fan_figure(results: SessionResults) -> Figure:
    sessions = replace(results.tally.sessions, paths=FANNED_SESSIONS)
    batch = sessions.play(0, FANNED_SESSIONS * sessions.strategy.shoes)
    lengths = batch.results[:, 2]
    paths = [path[:length] / MINOR for path, length in zip(batch.paths, lengths, strict=True)]
    return Figure(fan_chart(paths, "won or lost so far"), f"The first {FANNED_SESSIONS} sessions, round by round.")


_FACT_NAMES = {"book": "Rule book", "cut": "Cards behind the cut card"}  # Others are called as in the record.
Pairs = tuple[tuple[str, str], ...]  # Names and values for the head of a page.


def _page(
    results: Simulated | SessionResults, sections: list[Section], title: str, what: str, command: str, more: Pairs = ()
) -> Page:
    book, run = results.book, results.run
    values = {**asdict(run), "rounds": f"{run.rounds:,}"}
    facts = ((_FACT_NAMES.get(key, key.capitalize()), str(value)) for key, value in values.items() if value is not None)
    again = Section("The same again", (CommandLine(command, "every figure of this page"),))
    header = f"{book.name}, {what}, digest {digest_of(book)}"
    return Page(book.title, (*sections, again), title, facts=(*facts, *more), header=header)


def _strategy_facts(results: SessionResults) -> Pairs:
    strategy = results.tally.sessions.strategy
    stakes = ", ".join(
        f"{format_money(stake)} on {label_of(results.book, area)}" for area, stake in strategy.stakes.items()
    )
    amounts = (
        ("Minimum bet", strategy.minimum or None),
        ("Maximum bet", strategy.maximum),
        ("Bankroll", strategy.bankroll),
        ("Goal", strategy.goal),
        ("Stop-loss", strategy.stop_loss),
    )
    return (
        ("Stakes", stakes),
        *((name, "none" if amount is None else format_money(amount)) for name, amount in amounts),
        ("Shoes in a session", str(strategy.shoes)),
    )
