"""Ruin against bankroll: the same strategy over the same shoes, begun with less and with more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from punto.simulation.strategy import Sessions, SessionTally
from punto.studies.proportion import Proportion

UNITS = (5, 10, 20, 40, 80, 160, 320)
"""Bankrolls, in units of the strategy."""


@dataclass(frozen=True, slots=True)
class Ruin:
    """The share of sessions ruined with one bankroll."""

    bankroll: int
    """In minor units."""
    sessions: Proportion


def ruin_by_bankroll(sessions: Sessions, shoes: int, unit: int) -> tuple[Ruin, ...]:
    """Chance of ruin for bankrolls from a few units to many."""
    found = []
    for units in UNITS:
        strategy = msgspec.structs.replace(sessions.strategy, bankroll=units * unit)
        poorer = replace(sessions, strategy=strategy)
        if poorer.problem() is None:
            tally = SessionTally.empty(poorer).plus(poorer.play(0, shoes))
            assert tally.ruined is not None, "there is a bankroll"
            found.append(Ruin(units * unit, Proportion(tally.ruined, tally.number)))
    return tuple(found)
