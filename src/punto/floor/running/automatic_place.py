"""A table that deals by itself, as the house knows it: what is due, and what came of the last step."""

from __future__ import annotations

from dataclasses import dataclass, field

from punto.floor.loaded import LoadedTable
from punto.floor.running.run import TableRun
from punto.table.command import Command

RETRY_MS = 2_000
"""After something that could not be done, the next try."""
LONGEST_RETRY_MS = 64_000
"""Between two tries of what is refused again and again; each is kept, and nothing may fill the database."""


@dataclass(slots=True)
class AutomaticPlace:
    """One of the tables of the house. All of it is a cache: the store has what matters."""

    run: TableRun
    loaded: LoadedTable
    moved: int
    """When the table last changed."""
    due: int | None = None
    is_busy: bool = False
    """A step was handed in and is not answered yet."""
    given: Command | None = None
    """What the last step came to."""
    barred: dict[str, int] = field(default_factory=dict)
    """Bots that do nothing more in a round, with its number."""
    problem: str | None = None
    """Why the dealer cannot go on."""
    failed: str | None = None
    """What the last step failed by, as the log was told."""
    refused: int = 0
    """How often the dealer was refused since the last step that was done."""

    @property
    def retry_ms(self) -> int:
        """How long to wait before the dealer tries again: twice as long each time."""
        return int(min(LONGEST_RETRY_MS, RETRY_MS * 2 ** min(self.refused - 1, 16)))
