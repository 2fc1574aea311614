"""Many problems, summed up for people: the first of each table, and what may follow from it, by kind.

One deleted event leaves a gap, commands without their events, and money that nobody moved. All of it is in
the list of problems, and every place is in the summary too, as far as there is room; but the first one is
where somebody has to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from punto.audit.chain.problem import AuditProblem

_VARYING = re.compile(r"[a-z]+/\S+|-?\d[\d.,]*")
"""What differs between problems of one kind: accounts and numbers."""


class ProblemGroup(msgspec.Struct, frozen=True):
    """Problems of one kind at one table."""

    first: AuditProblem
    others: tuple[AuditProblem, ...]
    """Those of the same kind after it, in the order of their events."""


def problem_groups(problems: Iterable[AuditProblem]) -> dict[str | None, tuple[ProblemGroup, ...]]:
    """By table, the problems of each kind together; the group with the first event stands first.

    Problems that belong to no table, such as those of balances, come last, under None.
    """
    by_table: dict[str | None, list[AuditProblem]] = {}
    for problem in problems:
        by_table.setdefault(problem.table, []).append(problem)
    tables = sorted(by_table, key=lambda table: table is None)
    return {table: _grouped(by_table[table]) for table in tables}


def _grouped(problems: Sequence[AuditProblem]) -> tuple[ProblemGroup, ...]:
    kinds: dict[str, list[AuditProblem]] = {}
    for problem in sorted(problems, key=_place):
        kinds.setdefault(_VARYING.sub("#", problem.problem), []).append(problem)
    return tuple(ProblemGroup(first, tuple(others)) for first, *others in kinds.values())


def _place(problem: AuditProblem) -> tuple[bool, int]:
    return problem.seq is None, problem.seq or 0


def event_ranges(events: Iterable[int]) -> list[str]:
    """Numbers of events as people write them: `31 to 33`, `40`."""
    told = []
    for _, run in groupby(enumerate(sorted(set(events))), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        first, last = numbers[0], numbers[-1]
        told.append(f"{first:,}" if first == last else f"{first:,} to {last:,}")
    return told
