"""The charts of a simulation, drawn as all charts of a report are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.reports.charts import BANKER, BRASS, INK, PLAYER, QUIET, drawn, shown

Points = Sequence[tuple[int, float, float]]
"""Rounds, mean less exact value, standard error."""


def convergence(bets: Mapping[str, Points]) -> str:
    """One small chart for each bet: distance from the exact value, and two standard errors on either side."""
    columns = 3
    rows = -(-len(bets) // columns)
    with drawn(8, 1.7 * rows) as canvas:
        grid = canvas.figure.subplots(rows, columns, squeeze=False)
        for axes, (name, points) in zip(grid.flat, bets.items(), strict=False):
            rounds, distance, error = (np.array(column) for column in zip(*points, strict=True))
            axes.fill_between(rounds, -2 * error, 2 * error, color=BRASS, alpha=0.25, linewidth=0)
            axes.plot(rounds, distance, color=PLAYER, linewidth=1.2)
            axes.axhline(0, color=QUIET, linewidth=0.8)
            axes.set_xscale("log")
            axes.set_title(shown(name), fontsize=8, color=INK)
            axes.tick_params(labelsize=7)
        for axes in list(grid.flat)[len(bets) :]:
            axes.set_axis_off()
    return canvas.svg


def fan(paths: Sequence[NDArray[Any]], unit: str) -> str:
    """Bankroll paths of single sessions, one over the other."""
    with drawn(8, 3.4) as canvas:
        [axes] = canvas.axes()
        for path in paths:
            colour = PLAYER if len(path) and path[-1] >= 0 else BANKER
            axes.plot(range(1, len(path) + 1), path, color=colour, linewidth=0.8, alpha=0.45)
        axes.axhline(0, color=QUIET, linewidth=0.8)
        axes.set_xlabel("round of the session")
        axes.set_ylabel(unit)
    return canvas.svg


def _side(start: float, width: float) -> str:
    """The colour of a bar: won, lost, or about even where the bar holds zero."""
    if start <= 0 < start + width:
        return QUIET
    return PLAYER if start > 0 else BANKER


def session_histogram(ends: NDArray[Any], shares: NDArray[Any], unit: str) -> str:
    """How sessions ended: share of sessions by what they won."""
    with drawn(8, 3.0) as canvas:
        [axes] = canvas.axes()
        width = float(ends[1] - ends[0]) if len(ends) > 1 else 1.0
        colours = [_side(float(end), width) for end in ends]
        axes.bar(ends, shares, width=width, align="edge", color=colours)
        axes.set_xlabel(unit)
        axes.set_ylabel("share of sessions, %")
    return canvas.svg


def ruin(
    bankrolls: Sequence[float], shares: Sequence[float], below: Sequence[float], above: Sequence[float]
) -> str:
    """Chance of ruin by bankroll, with an interval that reaches below and above it."""
    with drawn(8, 2.8) as canvas:
        [axes] = canvas.axes()
        reach = (below, above)
        axes.errorbar(bankrolls, shares, yerr=reach, color=PLAYER, ecolor=INK, marker="o", markersize=4)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("bankroll")
        axes.set_ylabel("ruined sessions, %")
    return canvas.svg
