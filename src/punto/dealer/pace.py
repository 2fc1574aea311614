"""The pace of a table: how long the dealer waits for people, and how long between cards.

Times are milliseconds, like the times of commands. People who have no clock are waited for until they have
answered; cards have no clock of their own, only a moment to be seen.
"""

from __future__ import annotations

from dataclasses import dataclass

SKEW_MS = 60_000
"""How far the clocks of two machines may lie apart, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a dealer waits, in milliseconds; None is as long as it takes."""

    bets: int | None = None
    antes: int | None = None
    insurance: int | None = None
    squeeze: int | None = None
    """For the house to answer a squeeze that was asked for, and for a player to open a card."""
    options: int | None = None
    """For a player to choose after an irregularity."""
    draw: int | None = None
    """For a player to draw a card, where players do."""
    cards: int = 0
    """From one card to the next, and from the last card to the settlement."""
    rounds: int = 0
    """From the end of a round to the next call for bets."""


AT_LEISURE = Pace()
"""Nobody is hurried, and cards come at once."""


def clock_start(time: int, now: int) -> int:
    """When a clock began that runs from this time.

    A time far ahead of now was written down before the clock of the machine was put back. Nobody can say how
    much of it is left, and a table must not stand still for as long as the clock was wrong: it has run out.
    """
    return time if time <= now + SKEW_MS else 0
