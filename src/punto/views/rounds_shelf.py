"""Rounds of shoes in play that are remembered, so that whoever asks again waits for new events only."""

from __future__ import annotations

from collections import OrderedDict

from punto.floor.floor import Floor
from punto.floor.loaded import LoadedTable
from punto.views.past import steps_after, steps_of_shoe
from punto.views.rounds import ShoeRounds

MOST_SHOES = 200
"""Shoes whose rounds are remembered; the one looked at longest ago is forgotten first."""


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
            # Nobody may have looked for many shoes; only the last one is read.
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
