"""Strategies: what to stake on each round, and what becomes of a session that follows one."""

from punto.simulation.strategy.progression import Progression
from punto.simulation.strategy.session_tally import SessionTally, StakeResult
from punto.simulation.strategy.sessions import Sessions
from punto.simulation.strategy.strategy import CountSystem, Insuring, Strategy

__all__ = [
    "CountSystem",
    "Insuring",
    "Progression",
    "SessionTally",
    "Sessions",
    "StakeResult",
    "Strategy",
]
