"""A user's own strategy: a Python function that is asked before every round.

    def bets(view):
        return {"banker": 100} if view.results.endswith("PP") else {}

It gets a `View` and gives stakes in minor units by betting area; nothing, or an empty mapping, sits the round
out. It is called once a round, so it runs at the speed of Python, not of a kernel.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from punto.cards.card import Rank
from punto.rules.book import Book
from punto.rules.facts import NO_PAIR, Facts, Totals, Winner
from punto.rules.outcome import Outcome
from punto.simulation.kernels.recording import Recorded, record
from punto.simulation.strategy import session_kernel as kernel
from punto.simulation.strategy.sessions import SessionBatch, Sessions
from punto.simulation.strategy.strategy import MOST_STAKE, Strategy

LETTERS = {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}
USUAL_STAKE = 100
"""Minor units, for the width in which ends of sessions are told apart."""
OWN_SHOES = 64
"""Shoes of a batch, about: a second of Python."""


class StrategyFault(Exception):
    """A user's function that cannot be used, in one sentence."""


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy may know before a round."""

    round: int
    """Of the shoe, from 1."""
    net: int
    """Of the session so far."""
    bankroll: int | None
    """What is left of it."""
    results: str
    """Winners of the shoe so far: `B`, `P` and `T`."""
    last: Facts | None
    """Facts of the round before in this shoe."""
    unseen: tuple[int, ...]
    """Cards not seen yet of each rank, ace first."""


Bets = Callable[[View], Mapping[str, int] | None]


def load_function(path: str, name: str) -> Bets:
    """The function of this name in a file; `StrategyFault` if there is none."""
    spec = importlib.util.spec_from_file_location("punto_strategy", path)
    if not Path(path).is_file() or spec is None or spec.loader is None:
        raise StrategyFault(f"there is no Python file {path}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise StrategyFault(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise StrategyFault(f"{path} has no function {name}")
    found: Bets = function
    return found


def own_strategy(book: Book, limits: Strategy) -> Strategy:
    """The limits of a strategy for a function that may lay any bet whose suits need not be known."""
    areas = [area for area in book.outright_areas if not book.pay_tables[area].reads_suits]
    values = {name: getattr(limits, name) for name in limits.__struct_fields__}
    return Strategy(**{**values, "stakes": dict.fromkeys(areas, USUAL_STAKE)})


@dataclass(frozen=True)
class OwnSessions(Sessions):
    """Sessions played by a user's function."""

    path: str = ""
    name: str = ""

    @property
    def batch_shoes(self) -> int:
        return max(1, OWN_SHOES // self.strategy.shoes) * self.strategy.shoes

    @cached_property
    def function(self) -> Bets:
        return load_function(self.path, self.name)

    def check(self) -> None:
        """Load the function now; `StrategyFault` if it cannot be."""
        assert callable(self.function)

    def play(self, first: int, shoes: int, last_rounds: int | None = None) -> SessionBatch:
        recorded = record(self.deals, first, shoes, last_rounds)
        return self._played(first, recorded, last_rounds is not None, self._run)

    def _run(self, recorded: Recorded, sums: Any, products: Any, results: Any, paths: Any) -> None:
        per_session = self.strategy.shoes
        for session in range(len(results)):
            played = _Session(self, sums, products)
            shoes = range(session * per_session, min((session + 1) * per_session, len(recorded.lengths)))
            for shoe in shoes:
                if played.end == kernel.TO_THE_END:
                    played.play_shoe(recorded, shoe)
            results[session] = played.net, played.drawdown, len(played.path), played.end
            if session < len(paths):
                paths[session, : len(played.path)] = played.path


class _Session:
    """One session while it is played."""

    def __init__(self, sessions: OwnSessions, sums: Any, products: Any) -> None:
        self._sessions, self._sums, self._products = sessions, sums, products
        self._places = {area: i for i, area in enumerate(sessions.areas)}
        self.net = self._peak = self.drawdown = 0
        self.end = kernel.TO_THE_END
        self.path: list[int] = []

    def play_shoe(self, recorded: Recorded, shoe: int) -> None:
        sessions, strategy = self._sessions, self._sessions.strategy
        unseen = [4 * sessions.deals.terms.decks] * len(Rank)
        shown = recorded.shown_rank(shoe)
        if shown is not None:
            unseen[shown - 1] -= 1
        results, last = "", None
        for number in range(int(recorded.lengths[shoe])):
            left = None if strategy.bankroll is None else strategy.bankroll + self.net
            view = View(number + 1, self.net, left, results, last, tuple(unseen))
            stakes = self._asked(view)
            if left is not None and left <= 0:
                self.end = kernel.RUINED
                return
            ranks = recorded.round_ranks(shoe, number)
            last = facts_of(recorded, shoe, number)
            self._settle(stakes, last)
            results += LETTERS[Totals(*_spelled(last.totals)).winner]
            for rank in ranks:
                unseen[rank - 1] -= 1
            self._peak = max(self._peak, self.net)
            self.drawdown = max(self.drawdown, self._peak - self.net)
            self.path.append(self.net)
            if strategy.goal is not None and self.net >= strategy.goal:
                self.end = kernel.AT_GOAL
                return
            if strategy.stop_loss is not None and -self.net >= strategy.stop_loss:
                self.end = kernel.STOPPED
                return

    def _asked(self, view: View) -> dict[str, int]:
        try:
            stakes = dict(self._sessions.function(view) or {})
        except Exception as error:
            raise StrategyFault(f"the strategy failed: {type(error).__name__}: {error}") from error
        strategy = self._sessions.strategy
        for area, stake in stakes.items():
            if area not in self._places:
                raise StrategyFault(f"the strategy bets on {area!r}, which is not a betting area it may use")
            if type(stake) is not int or stake < 0:
                raise StrategyFault(f"the strategy stakes {stake!r} on {area}; a stake is a whole number")
            # The table's limits bite: less than the least is no bet, more than the most is cut.
            stakes[area] = 0 if stake < strategy.minimum else min(stake, strategy.maximum or MOST_STAKE)
        if view.bankroll is not None and sum(stakes.values()) > view.bankroll:
            return {}
        return stakes

    def _settle(self, stakes: dict[str, int], facts: Facts) -> None:
        for area, stake in stakes.items():
            if stake:
                net = _net(stake, self._sessions.book.pay_tables[area].outcome(facts))
                entry = self._places[area]
                self._sums[entry] += (1, stake, net)
                self._products[entry] += (float(net) * net, float(net) * stake, float(stake) * stake)
                self.net += net


def facts_of(recorded: Recorded, shoe: int, number: int) -> Facts:
    """The facts of a recorded round; its pairs count as pairs of two suits."""
    codes = int(recorded.cards[shoe, number])
    player_drew, banker_drew = codes >> 24 & 1, codes >> 25 & 1
    ranks = recorded.round_ranks(shoe, number)
    thirds = ranks[4:]
    player = [ranks[0], ranks[2], *thirds[:player_drew]]
    banker = [ranks[1], ranks[3], *thirds[player_drew:]]
    points = [sum(rank.points for rank in hand) % 10 for hand in (player, banker)]
    totals = Totals(points[0], 2 + player_drew, points[1], 2 + banker_drew).index
    pairs = [2 * hand[0] - 1 if hand[0] is hand[1] else NO_PAIR for hand in (player, banker)]
    return Facts(totals, *pairs)


def _spelled(totals: int) -> tuple[int, int, int, int]:
    return totals // 40, 2 + totals // 2 % 2, totals // 4 % 10, 2 + totals % 2


def _net(stake: int, outcome: Outcome) -> int:
    """To the minor unit, halves rounded up as at the table."""
    numerator, denominator = outcome.net_numerator, outcome.net_denominator
    return (2 * stake * numerator + denominator) // (2 * denominator)
