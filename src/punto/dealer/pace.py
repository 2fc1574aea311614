"""The pace of a table: how long the dealer waits for people, and how long between cards.

Times are milliseconds, like the times of commands. People who have no clock are waited for until they have
answered; cards have no clock of their own, only a moment to be seen.
"""

from __future__ import annotations

from dataclasses import dataclass


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
