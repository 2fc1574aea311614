"""Who looks at a table: somebody in a role, or nobody in particular."""

from __future__ import annotations

from dataclasses import dataclass

from punto.cards.source import SourceKind
from punto.rules.facts import Hand
from punto.rules.role import LADDER, Role
from punto.table.dealing.squeezes import may_open
from punto.table.state import State


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks at a table; without a name, whoever stands in front of its display."""

    name: str | None = None
    role: Role = Role.PLAYER

    @property
    def is_staff(self) -> bool:
        """Whether the viewer works at tables or looks after them: what is said of a case is for these."""
        return self.role in LADDER or self.role is Role.AUDITOR

    def owns(self, player: str | None) -> bool:
        """Whether something of a player is the viewer's own; staff own nothing at a table."""
        return self.role is Role.PLAYER and self.name is not None and self.name == player

    def sees_card(self, state: State, hand: Hand, number: int) -> bool:
        """Whether the viewer may see a card that lies face down: only whoever squeezes it may."""
        return self.role is Role.PLAYER and self.name is not None and may_open(state, self.name, hand, number)

    def sees_named(self, state: State) -> bool:
        """Whether the viewer may see what the house was told of cards face down: where people name the cards,
        the house has it from its own staff.
        """
        return self.is_staff and state.terms is not None and state.terms.source is SourceKind.ENTERED


BOARD = Viewer()
"""The display over a table."""
