"""Looking back along a stored table: its steps from some place on, each event with the state before it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from punto.floor.floor import Floor
from punto.floor.loaded import LoadedTable
from punto.store.record import Record
from punto.table.event import BetsCalled, ShoeLoaded
from punto.table.state import State
from punto.views.rounds import ShoeRounds

Steps = Iterator[tuple[State, Record]]
"""Events of a table, each with the state before it."""
MOST_SHOES = 200
"""Shoes whose rounds are remembered; the one looked at longest ago is forgotten first."""


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


class RoundsShelf:
    """The rounds of the shoes in play at a floor, so that only new events are read; a cache, for threads."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._known: OrderedDict[str, tuple[int, ShoeRounds]] = OrderedDict()

    def of_shoe(self, loaded: LoadedTable) -> ShoeRounds:
        """The rounds of the shoe in play at a table."""
        version, rounds = self._known.get(loaded.id, (0, ShoeRounds()))
        if version == loaded.version:
            return rounds
        if not 0 < version < loaded.version or rounds.shoe != loaded.table.state.shoe_number:
            rounds, steps = ShoeRounds(), steps_of_shoe(self._floor, loaded.id)
        else:
            steps = steps_after(self._floor, loaded.id, version, loaded.version)
        version = loaded.version
        for state, record in steps:
            version = max(version, record.seq)
            rounds = rounds.after(loaded.table.book, state, record)
        self._known.pop(loaded.id, None)
        self._known[loaded.id] = version, rounds
        if len(self._known) > MOST_SHOES:
            self._known.popitem(last=False)
        return rounds
