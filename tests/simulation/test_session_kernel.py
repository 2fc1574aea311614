"""Sessions against exact Markov chains: every sequence of a few rounds, weighed by its chance, exactly."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from punto.books import load
from punto.simulation.deals import Recorded, ShoeTerms
from punto.simulation.machine_code import wide_numbers, wide_zeros
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.own_strategy import OwnSource, own_strategy
from punto.simulation.run import deals_of
from punto.simulation.session_kernel import STAKED, SUMS
from punto.simulation.sessions import EXTRA_ENTRIES, Sessions
from punto.simulation.strategy import Progression, Strategy
from tests.simulation.chains import CHANCES, LINE, SYSTEMS, Ends, Limits, all_results, chain

BOOK = load("commission")
DEALS = deals_of(BOOK, ShoeTerms(), 1)
LENGTH, UNIT = 7, 100
WAYS = ("end", "ruin", "goal", "stop")

LIMITS = [
    Limits(),
    Limits(bankroll=300),
    Limits(maximum=250, bankroll=730),
    Limits(bankroll=450, goal=300, stop_loss=400),
    Limits(bankroll=400, stop_loss=400),
    Limits(maximum=450, goal=250, stop_loss=350),
]


@cache
def sequences() -> tuple[Recorded, list[int]]:
    return all_results(LENGTH)


def strategy(name: str, area: str, limits: Limits) -> Strategy:
    return Strategy(
        stakes={area: UNIT},
        progression=Progression(name),
        line=LINE,
        maximum=limits.maximum,
        bankroll=limits.bankroll,
        goal=limits.goal,
        stop_loss=limits.stop_loss,
    )


def ends_of(sessions: Sessions) -> Ends:
    """The distribution of ends that a kernel comes to, from every sequence of results."""
    found: Ends = defaultdict(int)
    for (net, drawdown, _, end), weight in zip(played(sessions)[0].tolist(), sequences()[1], strict=True):
        found[net, drawdown, WAYS[end]] += weight
    return found


def played(sessions: Sessions) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What became of every sequence, and the sums of all of them."""
    recorded, weights = sequences()
    results = np.zeros((len(weights), 4), np.int64)
    sums = wide_zeros(len(sessions.slip.bets) + EXTRA_ENTRIES, SUMS)
    sessions._run(recorded, sums, results, np.zeros((0, 0), np.int64))
    return results, sums


@pytest.mark.parametrize("area", ["player", "banker"])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("name", SYSTEMS)
def test_ends_are_those_of_the_chain(name: str, limits: Limits, area: str) -> None:
    """Mean, ruin, end of session and drawdown all follow from this distribution; it is equal, not near."""
    sessions = Sessions(DEALS, BOOK, strategy(name, area, limits))
    assert sessions.problem() is None
    assert ends_of(sessions) == chain(SYSTEMS[name], area, UNIT, limits, LENGTH)


def test_ruin_in_the_last_round_is_ruin() -> None:
    """As many losses in a row as there are units and rounds: the session ends there either way."""
    limits = Limits(bankroll=UNIT * LENGTH)
    ends = ends_of(Sessions(DEALS, BOOK, strategy("flat", "player", limits)))
    ruined = sum(chance for (_, _, end), chance in ends.items() if end == "ruin")
    assert ruined == CHANCES["B"] ** LENGTH


def test_a_maximum_is_staked_and_not_the_units_below_it() -> None:
    """Doubled twice, a unit of 100 is cut to 250."""
    ends = ends_of(Sessions(DEALS, BOOK, strategy("martingale", "player", Limits(maximum=250))))
    assert min(net for net, _, _ in ends) == -100 - 200 - 250 * (LENGTH - 2)
    staked = 0
    for results in product("WLT", repeat=LENGTH):
        stake = 100
        for result in results:
            staked += min(stake, 250)
            stake = {"W": 100, "L": 2 * stake, "T": stake}[result]
    sessions = Sessions(DEALS, BOOK, strategy("martingale", "player", Limits(maximum=250)))
    assert wide_numbers(played(sessions)[1])[STAKED] == staked


OWN = """
def flat(view):
    return {"player": 100}

def flat_arrays(round, net, bankroll, last, results, unseen, memory, stakes):
    stakes[0] = 100

def martingale(view):
    losses, before = view.memory.get("losses", 0), view.memory.get("net", 0)
    losses = losses + 1 if view.net < before else 0 if view.net > before else losses
    view.memory.update(losses=losses, net=view.net)
    stake = 100 * 2 ** losses
    if view.bankroll is not None and min(stake, 250) > view.bankroll:
        stake = max(100, view.bankroll // 100 * 100)
    return {"player": stake}

def martingale_arrays(round, net, bankroll, last, results, unseen, memory, stakes):
    if net < memory[1]:
        memory[0] += 1
    elif net > memory[1]:
        memory[0] = 0
    memory[1] = net
    stake = 100 * 2 ** int(memory[0])
    if bankroll >= 0 and min(stake, 250) > bankroll:
        stake = max(100, bankroll // 100 * 100)
    stakes[0] = stake
"""


@pytest.mark.slow
@pytest.mark.parametrize("limits", [LIMITS[2], LIMITS[4], Limits(maximum=250, bankroll=400, stop_loss=300)], ids=str)
@pytest.mark.parametrize("form", ["", "_arrays"])
@pytest.mark.parametrize("name", ["flat", "martingale"])
def test_own_functions_end_as_the_chain_does(name: str, form: str, limits: Limits) -> None:
    limits = Limits(250, limits.bankroll, limits.goal, limits.stop_loss)
    own = own_strategy(BOOK, strategy(name, "player", limits))
    sessions = OwnSessions(DEALS, BOOK, own, source=OwnSource("own.py", name + form, OWN))
    assert ends_of(sessions) == chain(SYSTEMS[name], "player", UNIT, limits, LENGTH)
