"""The way out: from every table, the people whom the book names can bring the round to its end.

Nothing but what is listed for them is done: cards are dealt and opened, antes decided, a case resolved by
whoever it waits for, the round settled. Only a shoe without cards needs a report, which voids.
"""

from __future__ import annotations

from random import Random

from punto.rules.authority import Role
from punto.table import Legal, Refusal, Table, act, legal_commands
from punto.table.antes import ExpireAntes, GiveUpAnte, PlaceWager
from punto.table.betting import CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import ResumeTable
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Report
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from tests.table.machine_commands import PEOPLE, RESOLVING

_WAYS: tuple[tuple[type[Command], ...], ...] = (
    (ResumeTable,),
    RESOLVING,
    (RevealCard, DealCard, SettleRound, PlaceWager, GiveUpAnte),
    (ExpireAntes, CloseBets),
)
"""What is tried first, and what only where nothing of that is listed."""

MOST_STEPS = 60


def way_out(table: Table, random: Random) -> list[Command]:
    """The commands by which the round ended; an assertion fails where it cannot end."""
    done: list[Command] = []
    while is_underway(table):
        command = _next(table, random)
        step = act(table, command)
        assert not isinstance(step, Refusal), (command, step)
        table = step.table
        done.append(command)
        assert len(done) < MOST_STEPS, f"the round does not end: {done[-8:]}"
    return done


def is_underway(table: Table) -> bool:
    """Whether a round is to be finished, or a case to be resolved."""
    return table.state.phase not in (Phase.NEW, Phase.IDLE, Phase.CLOSED) or table.state.case is not None


def _next(table: Table, random: Random) -> Command:
    listed = [legal for actor, role in _people(table) for legal in legal_commands(table, actor, role)]
    for kinds in _WAYS:
        found = [legal for legal in listed if isinstance(legal.command, kinds) and _leads_on(legal)]
        if found:
            return random.choice(found).command
    state = table.state
    assert state.shoe is not None and not state.shoe.cards_left, (
        f"nobody can go on: {state.phase}, {state.case and state.case.found}, {state.player}, {state.banker}"
    )
    return Report(actor="Dan", role=Role.DEALER, seen=(Seen.CARDS_RUN_OUT,))


def _people(table: Table) -> list[tuple[str, Role]]:
    """Everybody at the table: a player whom the machine does not know may have been seated by staff."""
    known = dict(PEOPLE)
    others = (*table.state.bettors, *table.state.seats.values())
    return [*PEOPLE, *((name, Role.PLAYER) for name in dict.fromkeys(others) if name not in known)]


def _leads_on(legal: Legal) -> bool:
    """A ruling that returns some bets resolves a case too, but one that only lets bets stand does not."""
    command = legal.command
    return not (isinstance(command, CloseBets) and command.role is not Role.DEALER)
