"""The pages of the house: who opens which. A page shows what its calls answer, so it is for those who may make them.

A session is told its pages, so that the head of every page leads where its reader may go and nowhere else. Tables,
boards, odds and rules are for everybody who has a role, and stand in no list.
"""

from __future__ import annotations

from enum import Enum

from punto.rules.authority import PIT_ROLES, Role


class HousePage(Enum):
    """A page for some of the people of a house."""

    PIT = "pit"
    CAGE = "cage"
    OFFICE = "office"
    REPORTS = "reports"
    AUDIT = "audit"


READERS: dict[HousePage, tuple[Role, ...]] = {
    HousePage.PIT: PIT_ROLES,
    HousePage.CAGE: (Role.CASHIER,),
    HousePage.OFFICE: (Role.ADMINISTRATOR,),
    HousePage.REPORTS: (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR),
    HousePage.AUDIT: (Role.AUDITOR, Role.SHIFT_MANAGER, Role.ADMINISTRATOR),
}
"""Of reports and of the audit everybody sees the parts that their role may ask for."""


def pages_of(roles: tuple[Role, ...]) -> tuple[HousePage, ...]:
    """What these roles find in the head of a page; whoever neither plays nor deals begins with the first."""
    return tuple(page for page, readers in READERS.items() if any(role in readers for role in roles))
