"""The table of play as bit masks: one bit for each points count, so that a shift answers who draws.

Everything comes from the compiled book; the kernels know no rule of drawing by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from punto.rules.play import STOOD, Play

PLAYER = 0
"""Whether Player draws, by its own points."""
NATURALS = 1
"""Points that end the deal in either hand."""
BANKER = 2
"""Rows 2 to 11: whether Banker draws, by the points of Player's third card and then by its own."""
STOOD_MASK = BANKER + STOOD
"""Whether Banker draws when Player stood."""

POINTS = range(10)


def play_masks(play: Play) -> NDArray[np.uint16]:
    """The table of play of a book."""
    naturals = _mask(points in play.naturals for points in POINTS)
    player = _mask(_draws(play, points) for points in POINTS)
    banker = (_mask(row) for row in play.banker_draws)
    return np.array([player, naturals, *banker], np.uint16)


def _draws(play: Play, points: int) -> bool:
    """Whether Player draws on these points beside any Banker hand that does not end the deal."""
    return any(play.player_draws[points * 10 + banker] for banker in POINTS)


def _mask(rows: Iterable[bool]) -> int:
    return sum(1 << points for points, draws in enumerate(rows) if draws)
