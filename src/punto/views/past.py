"""Looking back along a stored table: its steps from some place on, each event with the state before it."""

from __future__ import annotations

from collections.abc import Iterator

from punto.floor.floor import Floor
from punto.store.record import Record
from punto.table.event import BetsCalled, ShoeLoaded
from punto.table.state import State

Steps = Iterator[tuple[State, Record]]
"""Events of a table, each with the state before it."""


def steps_after(floor: Floor, table: str, seq: int, until: int | None = None) -> Steps:
    """The events of a table after a place in its stream, up to another, each with the state before it."""
    start = floor.table(table, seq)
    if start is None:
        return
    state = start.table.state
    with floor.store.read() as reader:
        for record in reader.each_record(table, seq, None if until is None else until - seq):
            yield state, record
            state = record.event.fold(state)


def steps_of_shoe(floor: Floor, table: str) -> Steps:
    """The events of a table since its last shoe was loaded, that event included."""
    with floor.store.read() as reader:
        places = reader.places_of(table, ShoeLoaded.name(), 1)
    return steps_after(floor, table, places[0] - 1 if places else 0)


def steps_of_rounds(floor: Floor, table: str, number: int, before: int | None = None) -> Steps:
    """The events of the last rounds of a table, at most `number` of them.

    With `before`, the place at which some round ended, those of the rounds before that one.
    """
    with floor.store.read() as reader:
        calls = reader.places_of(table, BetsCalled.name(), number + (before is not None), before)
    until = calls[0] - 1 if calls and before is not None else None
    return steps_after(floor, table, calls[-1] - 1, until) if calls else iter(())
