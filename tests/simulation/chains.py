"""Betting systems as exact Markov chains, written from their published descriptions, in whole numbers.

Nothing here is shared with the simulator: stakes are lists and tables instead of steps, and the chain goes
through states with their probabilities instead of through sessions. Beside it stand all results of a few
rounds as shoes that can be given to a kernel, each with its probability.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from punto.simulation.deals import Recorded

WIN, LOSE, PUSH = 1, -1, 0
NINE, TEN, JACK, QUEEN = 12, 0, 1, 2
"""Codes of cards: points are code - 3, and none below that."""
ROUNDS = {"P": (NINE, TEN, JACK, QUEEN), "B": (TEN, NINE, JACK, QUEEN), "T": (NINE, NINE, TEN, JACK)}
"""A natural win of either hand, and a tie of nines: first cards in dealing order."""
CHANCES = {"P": 4462, "B": 4586, "T": 952}
"""Ways of each result, out of so many:"""
ALL = sum(CHANCES.values())

State = tuple[int, ...]
Staked = Callable[[State], int]
Next = Callable[[State, int, int], State]
"""The state after a win or a loss of so many units."""


@dataclass(frozen=True)
class System:
    """A betting system: its first state, the units it stakes in one, and where a result leads."""

    first: State
    units: Staked
    after: Next


def _fibonacci(step: int) -> int:
    numbers = [1, 1]
    while len(numbers) <= step:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[step]


def _labouchere(line: State, result: int, units: int) -> State:
    left = line[1:-1] if result == WIN else (*line, units)
    return left or LINE


LINE = (1, 2, 3)

SYSTEMS = {
    "flat": System((), lambda _: 1, lambda state, _result, _units: state),
    "martingale": System((1,), lambda s: s[0], lambda s, r, _: (1,) if r == WIN else (2 * s[0],)),
    "paroli": System((0,), lambda s: (1, 2, 4)[s[0]], lambda s, r, _: ((s[0] + 1) % 3,) if r == WIN else (0,)),
    "dalembert": System((1,), lambda s: s[0], lambda s, r, _: (max(1, s[0] - r),)),
    "fibonacci": System(
        (0,), lambda s: _fibonacci(s[0]), lambda s, r, _: (max(0, s[0] - 2) if r == WIN else s[0] + 1,)
    ),
    "labouchere": System(LINE, lambda s: s[0] + s[-1] if len(s) > 1 else s[0], _labouchere),
    "1-3-2-6": System((0,), lambda s: (1, 3, 2, 6)[s[0]], lambda s, r, _: ((s[0] + 1) % 4,) if r == WIN else (0,)),
}


@dataclass(frozen=True)
class Limits:
    """What ends a session, in minor units."""

    maximum: int | None = None
    bankroll: int | None = None
    goal: int | None = None
    stop_loss: int | None = None


Ends = dict[tuple[int, int, str], int]
"""Ways to each net, drawdown and end, out of `ALL` to the power of the rounds."""


def chain(system: System, area: str, unit: int, limits: Limits, rounds: int) -> Ends:
    """The exact distribution of how sessions end, state by state."""
    states: dict[tuple[State, int, int, int], int] = {(system.first, 0, 0, 0): 1}
    ends: Ends = defaultdict(int)
    for number in range(rounds):
        following: dict[tuple[State, int, int, int], int] = defaultdict(int)
        to_come = ALL ** (rounds - number - 1)
        for (state, net, peak, fall), chance in states.items():
            wanted = system.units(state) * unit
            stake = wanted if limits.maximum is None else min(wanted, limits.maximum)
            if limits.bankroll is not None and stake > limits.bankroll + net:
                stake = (limits.bankroll + net) // unit * unit
            for winner, likely in CHANCES.items():
                gain = paid(area, winner, stake)
                after = net + gain
                top = max(peak, after)
                deepest = max(fall, top - after)
                result = WIN if gain > 0 else LOSE if gain < 0 else PUSH
                going = state if result == PUSH else system.after(state, result, -(-stake // unit))
                end = how_it_ends(after, unit, limits) or ("end" if number == rounds - 1 else "")
                if end:
                    ends[after, deepest, end] += chance * likely * to_come
                else:
                    following[going, after, top, deepest] += chance * likely
        states = following
    assert sum(ends.values()) == ALL**rounds
    return ends


def how_it_ends(net: int, unit: int, limits: Limits) -> str:
    if limits.goal is not None and net >= limits.goal:
        return "goal"
    if limits.bankroll is not None and limits.bankroll + net < unit:
        return "ruin"
    if limits.stop_loss is not None and net <= -limits.stop_loss:
        return "stop"
    return ""


def paid(area: str, winner: str, stake: int) -> int:
    """What a stake gains in Commission Baccarat: 1 to 1 on Player, 19 to 20 on Banker, halves rounded up."""
    mine = {"player": "P", "banker": "B"}[area]
    if winner == "T":
        return 0
    if winner != mine:
        return -stake
    return stake if area == "player" else int(Fraction(19 * stake, 20) + Fraction(1, 2))


def all_results(rounds: int) -> tuple[Recorded, list[int]]:
    """Every sequence of results as a shoe, and its ways."""
    sequences = list(product(CHANCES, repeat=rounds))
    codes = {winner: sum(code << 4 * i for i, code in enumerate(cards)) for winner, cards in ROUNDS.items()}
    cards: Any = np.array([[codes[winner] for winner in sequence] for sequence in sequences], np.uint32)
    shoes = len(sequences)
    recorded = Recorded(cards, np.full(shoes, -1, np.int8), np.full(shoes, rounds, np.uint16))
    return recorded, [prod(CHANCES[winner] for winner in sequence) for sequence in sequences]
