"""Deciding one job: the command with its cards, what the table makes of it, and what moves by that."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from punto.audit.shuffle.order import UnknownAlgorithm
from punto.floor.cards import FindSeed, with_cards
from punto.floor.job import Job, refuse_job
from punto.floor.loaded import LoadedTable
from punto.floor.promise import openings, with_promise
from punto.ledger.movement import Movement
from punto.ledger.postings import movements_of
from punto.refusal import Reason, Refusal
from punto.store.errors import KeyTrouble
from punto.table.acting import act, refusal_for_ever
from punto.table.command import Command, OpenSeed
from punto.table.event import Event, TableClosed

FloatBalance = Callable[[], int]
"""What the float of the table holds; asked only when the table closes."""


class Decision(msgspec.Struct, frozen=True):
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
    openings: tuple[OpenSeed, ...] = ()
    """What the floor did about it of its own accord: each made one event, the last ones."""
    is_kept: bool = True
    """Whether it is written down: what a role may never do is refused in the same words without that."""

    def refused(self, refusal: Refusal) -> Decision:
        """The same job, refused after all: it cannot be paid."""
        return Decision(self.job, self.before, self.job.command, refusal)


def decide_job(job: Job, loaded: LoadedTable, find_seed: FindSeed, float_balance: FloatBalance) -> Decision:
    """Decide a job on this version of its table."""
    table = loaded.table
    never = refusal_for_ever(table, job.command)
    if never is not None:
        return Decision(job, loaded, job.command, never, is_kept=False)
    refusal = refuse_job(job, loaded.version, table.state)
    if loaded.imported:
        refusal = Refusal(Reason.TABLE_IMPORTED, None, {"table": loaded.id})
    if refusal is not None:
        return Decision(job, loaded, job.command, refusal)
    try:
        command = with_cards(table, loaded.version, job.command, find_seed)
        if not isinstance(command, Refusal):
            command = with_promise(loaded, command, find_seed)
    except (KeyTrouble, UnknownAlgorithm) as error:
        params: dict[str, str | int] = {"shoe": table.state.shoe_number, "why": str(error)}
        return Decision(job, loaded, job.command, Refusal(Reason.SEED_LOCKED, None, params))
    if isinstance(command, Refusal):
        return Decision(job, loaded, job.command, command)
    step = act(table, command)
    if isinstance(step, Refusal):
        return Decision(job, loaded, job.command, step)
    events, opened = list(step.events), tuple(openings(step.table, command, find_seed))
    for opening in opened:
        step = act(step.table, opening)
        assert not isinstance(step, Refusal), "only what is due is opened"
        events += step.events
    moved = _moved(loaded, events, float_balance)
    after = LoadedTable(loaded.id, loaded.version + len(events), step.table)
    return Decision(job, loaded, command, None, after, tuple(events), moved, opened)


def _moved(
    loaded: LoadedTable, events: list[Event], float_balance: FloatBalance
) -> tuple[tuple[Movement, ...], ...]:
    """What each event moves."""
    state, moved = loaded.table.state, list[tuple[Movement, ...]]()
    for event in events:
        balance = float_balance() if isinstance(event, TableClosed) else 0
        moved.append(movements_of(loaded.id, state, event, float_balance=balance))
        if event is not events[-1]:
            state = event.fold(state)
    return tuple(moved)
