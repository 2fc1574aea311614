"""A case: an irregularity that is being dealt with, its evidence, and what it waits for."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

import msgspec

from punto.rules.role import Role
from punto.rules.text.irregularity import Finding
from punto.table.irregularities.evidence import Evidence

if TYPE_CHECKING:
    from punto.table.state import State


class Awaits(Enum):
    """What an open case is waiting for."""

    ORDER = "order"
    JUDGEMENT = "judgement"
    VOID = "void"
    OPTIONS = "options"
    RETURN_BETS = "return-bets"
    RULING = "ruling"
    NOTHING = "nothing"
    """The book leaves nothing to decide."""


class Found(msgspec.Struct, frozen=True):
    """The clause that the evidence comes to, what it waits for and on whose word."""

    finding: Finding
    clause: str | None
    awaits: Awaits
    decider: Role | None
    """The least rank whose word it takes; players for options, nobody where nothing is left to decide."""
    house_term: bool = False
    """The document does not name who decides: it is the house's reading."""


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with; the round stands still."""

    number: int
    evidence: Evidence
    before: Any
    """The state of the table when the case was opened: evidence is measured against it."""
    found: Found | None = None
    is_possible: bool | None = None
    """The House's word on reconstruction."""
    closed_bets: bool = False
    """A card that left the shoe too early closed the bets: they close once, whatever is found out then."""
    is_reconstructed: bool = False
    undecided: tuple[str, ...] = ()
    """Players whose choice is still to come."""
    options_clause: str | None = None
    """The clause that gives them their choice."""
    is_choice_reconstructed: bool = False
    """To continue means with the reconstructed hand."""
    asked_at: int = 0
    """When they were given it: their clock runs from here."""
    still_asked: tuple[str, ...] = ()
    """Players who had a choice open when this further error was reported, and have not chosen since."""
    asked_clause: str | None = None
    """The clause that had given it to them."""
    asked_reconstructed: bool = False
    """To continue meant with the reconstructed hand in that choice."""
    reverses: bool = False
    """It took back the settlement of the round, which is made again if the report is dismissed."""
    slips: tuple[int, ...] = ()
    """Numbers of cards on record that never left the shoe, once the record is corrected."""
    is_chosen: bool = False
    """Somebody has chosen: the evidence stands."""

    @property
    def state_before(self) -> State:
        state: State = self.before
        return state

    @property
    def clause(self) -> str | None:
        """The clause that was found."""
        return self.found.clause if self.found else None
