"""What verification found to be wrong, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

MOST = 50
"""Problems that are listed for one table; the rest are counted."""


class AuditProblem(msgspec.Struct, frozen=True):
    """One thing that is not as it was written."""

    table: str | None
    """The table it belongs to; None for the cashier, balances and books."""
    seq: int | None
    """The event it belongs to, if it belongs to one."""
    problem: str


class Findings:
    """Problems as they are found; those of one table that are too many to be read are only counted."""

    def __init__(self) -> None:
        self._found: list[AuditProblem] = []
        self._counts: Counter[str | None] = Counter()

    def add(self, table: str | None, seq: int | None, sentence: str) -> None:
        """Write down a problem."""
        self._counts[table] += 1
        if self._counts[table] <= MOST:
            self._found.append(AuditProblem(table, seq, sentence))

    def take(self, table: str | None, problems: Sequence[AuditProblem], count: int) -> None:
        """Take over what was found elsewhere about a table: some that are listed, and how many there are."""
        self._found.extend(problems)
        self._counts[table] += count

    @property
    def listed(self) -> tuple[AuditProblem, ...]:
        """The problems that are listed."""
        return tuple(self._found)

    def count(self, table: str | None) -> int:
        """Problems of a table so far."""
        return self._counts[table]

    def all(self) -> tuple[AuditProblem, ...]:
        """Every problem; where a table has too many, one more that gives the number of those left out."""
        more = [
            AuditProblem(table, None, f"and {count - MOST:,} more problems like these")
            for table, count in self._counts.items()
            if count > MOST
        ]
        return (*self._found, *more)
