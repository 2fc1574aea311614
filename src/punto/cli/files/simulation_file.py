"""Simulations as pages and pictures, through the machinery of `punto report`."""

from __future__ import annotations

import shlex
import sys

from punto.reports.page_html import html_page
from punto.reports.simulation_document import (
    convergence_figure,
    histogram_figure,
    sessions_document,
    simulation_document,
)
from punto.studies.convergence import Convergence
from punto.studies.ruin import ruin_by_bankroll
from punto.studies.session_results import SessionResults
from punto.studies.simulated import Simulated

RUIN_SHOES = 4096
"""Shoes for each bankroll in the chart of ruin."""
RUIN_OWN_SHOES = 200
"""The same for a user's own function, which runs at the speed of Python."""


def drawn_file(suffix: str, answer: Simulated | SessionResults, looks: Convergence) -> bytes:
    """A page, or its main picture alone."""
    if isinstance(answer, Simulated):
        if suffix == ".svg":
            return convergence_figure(answer, looks).svg.encode()
        return html_page(simulation_document(answer, looks, _command(answer.tally.deals.seed))).encode()
    if suffix == ".svg":
        return histogram_figure(answer).svg.encode()
    sessions = answer.tally.sessions
    shoes = RUIN_OWN_SHOES if answer.name.rpartition(":")[0].endswith(".py") else RUIN_SHOES
    whole = max(1, shoes // sessions.strategy.shoes) * sessions.strategy.shoes
    ruins = ruin_by_bankroll(sessions, whole)
    return html_page(sessions_document(answer, ruins, _command(sessions.deals.seed))).encode()


def _command(seed: int) -> str:
    """The command line, with the seed that it had even if nobody named one."""
    named = [] if "--seed" in sys.argv else ["--seed", str(seed)]
    return shlex.join(["punto", *sys.argv[1:], *named])
