"""What is due at a table: a command to give, a card to draw, people to wait for, or nothing a dealer may do.

Whoever runs a table asks `next_step`, does what the answer says, and asks again: after a command at once,
after a wait when its time has come or when anything has happened at the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from msgspec.structs import replace

from punto.cards.card import Card
from punto.refusal import Refusal
from punto.table import command as c


class Awaited(Enum):
    """What a table waits for."""

    BETS = "bets"
    ANTES = "antes"
    INSURANCE = "insurance"
    OPTIONS = "options"
    """Players choose whether to continue after a dealing error."""
    SQUEEZE = "squeeze"
    """The house answers a squeeze that was asked for, or a player opens a card."""
    DRAWER = "drawer"
    """A player draws the cards of this round."""
    PACE = "pace"
    """Nobody: the last card, or the result, is given time to be seen."""
    CASE = "case"
    """The pit resolves an irregularity."""
    RESUMPTION = "resumption"
    """The table is paused."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give this command now."""

    command: c.Command


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Give this command with a card that only the source knows: the next one, or the one that is opened."""

    command: c.DealCard | c.BurnCards | c.RevealCard

    def with_card(self, card: Card | None) -> c.Command:
        """The command once the card is known; None where it is dealt unseen from a physical shoe."""
        return replace(self.command, card=card)


@dataclass(frozen=True, slots=True)
class Wait:
    """Give nothing before a time, unless what is awaited comes first."""

    what: Awaited
    whom: tuple[str, ...] = ()
    """The players who are waited for; none where it is the house, or only time."""
    until: int | None = None
    """Milliseconds; None where there is no clock."""


@dataclass(frozen=True, slots=True)
class Halt:
    """The dealer cannot go on: the table would refuse the only command that is left."""

    command: c.Command
    refusal: Refusal

    @property
    def sentence(self) -> str:
        """What the dealer may not do, and why."""
        role = self.command.role.value.replace("-", " ")
        return f"the {role} cannot give {self.command.name()}: {self.refusal.sentence}"


Due = Give | DrawCard | Wait | Halt
