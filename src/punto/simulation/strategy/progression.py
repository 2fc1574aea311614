"""Progressions: how many units to stake next, by how the bets before went.

Each is the system as it is usually published. A push changes nothing in any of them.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from punto.simulation.kernels.compiling import compiled, inlined


class Progression(Enum):
    """The classic systems; flat always stakes one unit."""

    FLAT = "flat"
    MARTINGALE = "martingale"
    """Twice as much after each loss, one unit after a win."""
    PAROLI = "paroli"
    """Twice as much after each win; after three wins, or a loss, one unit."""
    DALEMBERT = "dalembert"
    """A unit more after a loss, a unit less after a win, never less than one."""
    FIBONACCI = "fibonacci"
    """1 1 2 3 5 8 …: a step on after a loss, two steps back after a win."""
    LABOUCHERE = "labouchere"
    """First and last number of a line: both struck out after a win, their sum put behind it after a loss."""
    ONE_THREE_TWO_SIX = "1-3-2-6"
    """1, 3, 2, 6 units while wins follow each other; one unit after a loss or after the fourth win."""


FLAT, MARTINGALE, PAROLI, DALEMBERT, FIBONACCI, LABOUCHERE, ONE_THREE_TWO_SIX = range(len(Progression))

MOST_UNITS = 1 << 20
"""No progression asks for more: long before that a table's maximum or a bankroll stops it."""
LONGEST_LINE = 512
"""A line that would grow past this is given up, and a new one begun."""
PAROLI_WINS = 3
FIBONACCI_STEPS = 30
_FOUR_STEPS = np.array([1, 3, 2, 6], np.int64)


def number_of(progression: Progression) -> int:
    """The number by which kernels know a progression."""
    return list(Progression).index(progression)


def most_units(progression: Progression) -> int:
    """The most units that a progression ever asks for."""
    few = {Progression.FLAT: 1, Progression.PAROLI: 1 << PAROLI_WINS - 1, Progression.ONE_THREE_TWO_SIX: 6}
    return few.get(progression, MOST_UNITS)


@compiled
def begin(kind: Any, state: Any, line: Any, start: Any) -> None:
    """A fresh progression: `state` holds the step, the line's first place and the one after its last."""
    state[0] = 1 if kind == DALEMBERT else 0
    state[1], state[2] = 0, len(start)
    line[: len(start)] = start


@inlined
def units(kind: Any, state: Any, line: Any) -> Any:
    """How many units to stake now."""
    wanted, step = 1, state[0]
    if kind in (MARTINGALE, PAROLI):
        wanted = 1 << min(step, 20)
    elif kind == DALEMBERT:
        wanted = step
    elif kind == FIBONACCI:
        before = 0
        for _ in range(step):
            before, wanted = wanted, before + wanted
    elif kind == LABOUCHERE:
        first, last = line[state[1]], line[state[2] - 1]
        wanted = first if state[2] - state[1] == 1 else first + last
    elif kind == ONE_THREE_TWO_SIX:
        wanted = _FOUR_STEPS[step]
    return min(wanted, MOST_UNITS)


@inlined
def follow(kind: Any, state: Any, line: Any, start: Any, staked: Any, net: Any) -> None:
    """Go on after a bet of this many units won or lost."""
    is_won, step = net > 0, state[0]
    if net == 0:
        pass
    elif kind == MARTINGALE:
        state[0] = 0 if is_won else step + 1
    elif kind == PAROLI:
        state[0] = (step + 1) % PAROLI_WINS if is_won else 0
    elif kind == DALEMBERT:
        state[0] = max(1, step - 1) if is_won else step + 1
    elif kind == FIBONACCI:
        state[0] = max(0, step - 2) if is_won else min(step + 1, FIBONACCI_STEPS)
    elif kind == ONE_THREE_TWO_SIX:
        state[0] = (step + 1) % 4 if is_won else 0
    elif kind == LABOUCHERE:
        if is_won:
            state[1] += 1
            state[2] -= 1
        elif state[2] < len(line):
            line[state[2]] = staked
            state[2] += 1
        if state[2] <= state[1] or state[2] >= len(line):
            begin(kind, state, line, start)
