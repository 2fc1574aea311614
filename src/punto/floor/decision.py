"""Deciding one job: the command with its cards, what the table makes of it, and what moves by that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from punto.floor.cards import FindSeed, with_cards
from punto.floor.job import Job, refuse_job
from punto.floor.loaded import LoadedTable
from punto.floor.seed import UnknownAlgorithm
from punto.ledger.movement import Movement
from punto.ledger.postings import movements_of
from punto.refusal import Reason, Refusal
from punto.store.errors import KeyTrouble
from punto.table.acting import act
from punto.table.command import Command
from punto.table.event import Event, TableClosed

FloatBalance = Callable[[], int]
"""What the float of the table holds; asked only when the table closes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What came of a job on one version of its table; nothing is stored yet."""

    job: Job
    before: LoadedTable
    command: Command
    """With the cards that were drawn for it."""
    refusal: Refusal | None = None
    after: LoadedTable | None = None
    events: tuple[Event, ...] = ()
    movements: tuple[tuple[Movement, ...], ...] = ()
    """By event."""

    def refused(self, refusal: Refusal) -> Decision:
        """The same job, refused after all: it cannot be paid."""
        return Decision(self.job, self.before, self.job.command, refusal)


def decide_job(job: Job, loaded: LoadedTable, find_seed: FindSeed, float_balance: FloatBalance) -> Decision:
    """Decide a job on this version of its table."""
    table = loaded.table
    refusal = refuse_job(job, loaded.version, table.state)
    if loaded.imported:
        refusal = Refusal(Reason.TABLE_IMPORTED, None, {"table": loaded.id})
    if refusal is not None:
        return Decision(job, loaded, job.command, refusal)
    try:
        command = with_cards(table, loaded.version, job.command, find_seed)
    except (KeyTrouble, UnknownAlgorithm) as error:
        params: dict[str, str | int] = {"shoe": table.state.shoe_number, "why": str(error)}
        return Decision(job, loaded, job.command, Refusal(Reason.SEED_LOCKED, None, params))
    if isinstance(command, Refusal):
        return Decision(job, loaded, job.command, command)
    step = act(table, command)
    if isinstance(step, Refusal):
        return Decision(job, loaded, job.command, step)
    state, moved, last = table.state, list[tuple[Movement, ...]](), step.events[-1:]
    for event in step.events:
        balance = float_balance() if isinstance(event, TableClosed) else 0
        moved.append(movements_of(loaded.id, state, event, float_balance=balance))
        if event is not last[0]:
            state = event.fold(state)
    after = LoadedTable(loaded.id, loaded.version + len(step.events), step.table)
    return Decision(job, loaded, command, None, after, step.events, tuple(moved))
