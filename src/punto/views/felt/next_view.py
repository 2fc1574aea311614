"""What comes next at a table: the dealer's next act, whom the table waits for, and the clock."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.cards.source import SourceKind
from punto.dealer import AT_LEISURE, Awaited, DrawCard, Give, Halt, Pace, Wait, next_step
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.table.command import DealCard
from punto.table.dealing.decisions import due_hand
from punto.table.header import Person
from punto.table.state import Phase, Table
from punto.views.asked import asked_command
from punto.views.viewer import Viewer

AT_ONCE = Pace(bets=0, antes=0, insurance=0, squeeze=0)
"""Nobody is waited for: what a dealer would do if everybody had decided."""


class WaitView(msgspec.Struct, frozen=True):
    """What a table waits for."""

    what: Awaited
    whom: tuple[str, ...]
    """The players who are waited for; none where it is the house, or only time."""


class ProblemView(msgspec.Struct, frozen=True):
    """Why a dealer cannot go on: the only command that is left would be refused."""

    command: str
    """Its type, such as `close-bets`."""
    reason: str
    params: dict[str, str | int]
    sentence: str
    """Why it would be refused, in English."""
    clause: str | None


class NextView(msgspec.Struct, frozen=True):
    """The dealer's next act."""

    command: dict[str, Any] | None
    """As the API takes it; None where the dealer can only wait."""
    phrase: str
    """What it is called, such as `no more bets`."""
    needs_card: bool
    """Whether the dealer names a card with it: at a table with a physical shoe."""
    hand: Hand | None
    """The hand that gets the card."""
    waits: WaitView | None
    """Whom the dealer may wait for before it."""
    problem: ProblemView | None
    """Why the dealer cannot go on, where that is so."""


class ClockView(msgspec.Struct, frozen=True):
    """A clock that runs at an automatic table."""

    what: Awaited
    """What it gives time for."""
    ends_at: int
    """When it runs out, in milliseconds of the server's time."""
    ends_in_ms: int
    """How long that is from now."""


def clock_view(table: Table, pace: Pace | None, now: int) -> ClockView | None:
    """The clock of a table that is dealt at this pace; None where no clock runs."""
    if pace is None or table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    due = next_step(table, now, pace)
    if isinstance(due, Wait) and due.what is Awaited.PACE and due.until is not None:
        # A beat comes first, and nothing happens at its end: the clock after it is told with the card.
        due = next_step(table, due.until, pace)
    if not isinstance(due, Wait) or due.until is None or due.what is Awaited.PACE:
        return None
    return ClockView(due.what, due.until, max(0, due.until - now))


def next_view(table: Table, viewer: Viewer) -> NextView | None:
    """The next act of a dealer; None for everybody else."""
    if viewer.role is not Role.DEALER or table.state.phase in (Phase.NEW, Phase.CLOSED):
        return None
    dealer = Person(viewer.name or "", Role.DEALER)
    now = table.state.since  # every clock of no length has just run out, and none of the others
    due = next_step(table, now, AT_ONCE, dealer=dealer)
    patient = next_step(table, now, AT_LEISURE, dealer=dealer)
    waits = WaitView(patient.what, patient.whom) if isinstance(patient, Wait) else None
    match due:
        case Give(command) | DrawCard(command):
            to = due_hand(table) if isinstance(command, DealCard) else None
            return NextView(
                command=asked_command(table, command),
                phrase=command.phrase,
                needs_card=isinstance(due, DrawCard) and names_cards(table),
                hand=to if isinstance(to, Hand) else getattr(command, "hand", None),
                waits=waits,
                problem=None,
            )
        case Halt(command, refusal):
            why = ProblemView(
                command.name(), refusal.reason.value, refusal.params, refusal.sentence, refusal.clause
            )
            return NextView(None, command.phrase, needs_card=False, hand=None, waits=waits, problem=why)
        case Wait():
            waits = WaitView(due.what, due.whom)
            return NextView(None, "", needs_card=False, hand=None, waits=waits, problem=None)


def names_cards(table: Table) -> bool:
    """Whether people name the cards of a table."""
    return table.terms.source is SourceKind.ENTERED
