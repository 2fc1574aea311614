"""The people of a table, and the order of rank among those who run it."""

from __future__ import annotations

from enum import Enum


class Role(Enum):
    """In which capacity somebody acts at a table."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"

    def is_at_least(self, other: Role) -> bool:
        """Whether this role ranks as high as the other; roles off the ladder rank with nobody."""
        return self in LADDER and other in LADDER and LADDER.index(self) >= LADDER.index(other)


LADDER: tuple[Role, ...] = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)
"""Rank at the table, lowest first. Whoever administers the system is above nobody here."""
PIT: tuple[Role, ...] = LADDER[1:]
"""Those of them who stand behind tables and look after several."""
