"""A simulation as a page: tables, pictures, and the command that gives the same figures again."""

from __future__ import annotations

import numpy as np

from punto.documents.html import html_page
from punto.documents.number import percent
from punto.documents.page import CommandLine, Figure, Page, Section, figures
from punto.money import MINOR, format_money
from punto.reports.charts import bars
from punto.reports.simulation_charts import convergence, fan, ruin, session_histogram
from punto.rules.labels import label_of
from punto.simulation.strategy.session_tally import BINS
from punto.studies.convergence import Convergence
from punto.studies.cut_card import cut_card_effect, shift_table
from punto.studies.ruin import Ruin, ruin_by_bankroll
from punto.studies.session_results import SessionResults
from punto.studies.simulated import Simulated

MOST_BARS = 60
FANNED = 60
"""Sessions drawn in a fan."""
RUIN_SHOES = 4096
"""Shoes for each bankroll in the chart of ruin."""
RUIN_OWN_SHOES = 200
"""The same for a user's own function, which runs at the speed of Python."""


def drawn(ending: str, answer: Simulated | SessionResults, looks: Convergence, command: str) -> str:
    """A page, or its main picture alone."""
    if isinstance(answer, Simulated):
        if ending == ".svg":
            return convergence_figure(answer, looks).svg
        return html_page(simulation_page(answer, looks, command))
    if ending == ".svg":
        return histogram_figure(answer).svg
    sessions = answer.tally.sessions
    shoes = RUIN_OWN_SHOES if answer.name.rpartition(":")[0].endswith(".py") else RUIN_SHOES
    whole = max(1, shoes // sessions.strategy.shoes) * sessions.strategy.shoes
    return html_page(sessions_page(answer, ruin_by_bankroll(sessions, whole), command))


def simulation_page(simulated: Simulated, looks: Convergence, command: str) -> Page:
    """Every bet beside its exact value, how it got there, and the cut-card effect."""
    table = simulated.table()
    sections = [
        Section("Every bet", (table, *simulated.remarks())),
        Section("Convergence", (convergence_figure(simulated, looks),)),
    ]
    shifts = cut_card_effect(simulated)
    if shifts:
        names = [label_of(simulated.book, shift.bet) for shift in shifts]
        values, errors = [s.shift * 1e6 for s in shifts], [2 * s.error * 1e6 for s in shifts]
        picture = bars(names, values, "millionths of a unit, with two standard errors", errors)
        caption = "By how much playing to the cut card moves the mean of each bet."
        sections.append(Section("Cut-card effect", (Figure(picture, caption), shift_table(simulated))))
    sections.append(_again(command))
    return Page(simulated.book.title, tuple(sections), "Simulation", facts=_facts(simulated.record()))


def convergence_figure(simulated: Simulated, looks: Convergence) -> Figure:
    """Each bet's way to its exact value."""
    exact = {bet.result.bet: bet.exact for bet in simulated.bets}
    ways = {
        label_of(simulated.book, name): [
            (bet.rounds, bet.mean - value, bet.error)
            for point in looks.points
            for bet in point
            if bet.bet == name
        ]
        for name, value in exact.items()
    }
    return Figure(
        convergence(ways), "Mean less exact value by rounds played; the band is two standard errors.", 100
    )


def sessions_page(results: SessionResults, ruins: tuple[Ruin, ...], command: str) -> Page:
    """A strategy: its bets, how its sessions ended, their paths, and ruin against bankroll."""
    sections = [
        Section("Stakes", (results.table(), *results.remarks())),
        Section("Ends of sessions", (histogram_figure(results),)),
        Section("Paths", (_fan(results),)),
    ]
    if ruins:
        shown = [(r.bankroll / MINOR, 100 * r.share, 100 * r.error) for r in ruins]
        picture = ruin(*zip(*shown, strict=True))
        rows = [(format_money(r.bankroll), percent(r.share, 3), percent(r.error, 3)) for r in ruins]
        table = figures("Chance of ruin", ("Bankroll", "Ruined", "Error"), rows)
        caption = "Share of sessions that can no longer lay their bets, with two standard errors."
        sections.append(Section("Ruin against bankroll", (Figure(picture, caption), table)))
    sections.append(_again(command))
    facts = _facts(results.record())
    return Page(results.book.title, tuple(sections), f"Strategy: {results.name}", facts=facts)


def histogram_figure(results: SessionResults) -> Figure:
    """What sessions ended with."""
    tally = results.tally
    used = np.flatnonzero(tally.nets)
    first, last = (int(used[0]), int(used[-1]) + 1) if len(used) else (BINS, BINS + 1)
    step = max(1, -(-(last - first) // MOST_BARS))
    places = np.arange(first, last, step)
    shares = [100 * tally.nets[place : place + step].sum() / max(1, tally.number) for place in places]
    ends = (places - BINS) * tally.width / MINOR
    picture = session_histogram(ends, np.array(shares), "won or lost in a session")
    return Figure(picture, f"{tally.number:,} sessions by what they won or lost.")


def _fan(results: SessionResults) -> Figure:
    from dataclasses import replace

    sessions = replace(results.tally.sessions, paths=FANNED)
    batch = sessions.play(0, FANNED * sessions.strategy.shoes)
    lengths = batch.results[:, 2]
    paths = [path[:length] / MINOR for path, length in zip(batch.paths, lengths, strict=True)]
    return Figure(fan(paths, "won or lost so far"), f"The first {FANNED} sessions, round by round.")


def _facts(record: dict[str, object]) -> tuple[tuple[str, str], ...]:
    names = {
        "rounds": "Rounds",
        "seed": "Seed",
        "decks": "Decks",
        "cut": "Cards behind the cut card",
        "burn": "Burn",
    }
    return tuple((name, str(record[key])) for key, name in names.items() if record[key] is not None)


def _again(command: str) -> Section:
    return Section("The same again", (CommandLine(command, "every figure of this page"),))
