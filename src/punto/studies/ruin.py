"""Ruin against bankroll: the same strategy over the same shoes, begun with less and with more."""

from __future__ import annotations

from dataclasses import dataclass, replace

from punto.simulation.strategy import Sessions, SessionTally

UNITS = (5, 10, 20, 40, 80, 160, 320)
"""Bankrolls, in units of the strategy."""


@dataclass(frozen=True, slots=True)
class Ruin:
    """The share of sessions ruined with one bankroll, and its error."""

    bankroll: int
    """In minor units."""
    share: float
    error: float


def ruin_by_bankroll(sessions: Sessions, shoes: int) -> tuple[Ruin, ...]:
    """Chance of ruin for bankrolls from a few units to many; a strategy has one unit on each of its bets."""
    unit = sum(sessions.strategy.stakes.values())
    found = []
    for units in UNITS:
        values = {name: getattr(sessions.strategy, name) for name in sessions.strategy.__struct_fields__}
        strategy = type(sessions.strategy)(**{**values, "bankroll": units * unit})
        poorer = replace(sessions, strategy=strategy)
        tally = SessionTally.empty(poorer).plus(poorer.play(0, shoes))
        found.append(Ruin(units * unit, *tally.ruin))
    return tuple(found)
