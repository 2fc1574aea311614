"""The problems that verification found, as lines for people: the first of each table, the rest in short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punto.audit.chain.problem import AuditProblem
    from punto.audit.chain.summary import ProblemGroup

MOST_PLACES = 8
"""Places of one kind of problem that are named; the others are counted."""
MOST_ALIKE = 5
"""Problems of one kind without a place that are shown."""


def problem_lines(problems: Sequence[AuditProblem]) -> Iterator[str]:
    """The lines for people."""
    from punto.audit.chain.summary import problem_groups

    for table, (first, *others) in problem_groups(problems).items():
        yield from _group_lines(first)
        if others and table is not None:
            yield "  what may follow from it:"
        for group in others:
            for line in _group_lines(group):
                yield f"  {line}" if table is not None else line


def _group_lines(group: ProblemGroup) -> Iterator[str]:
    from punto.audit.chain.summary import event_ranges

    placeless = [problem for problem in group.others if problem.seq is None]
    elsewhere = {problem.seq for problem in group.others if problem.seq is not None} - {group.first.seq}
    yield _line(group.first)
    if places := event_ranges(elsewhere):
        more = len(places) - MOST_PLACES
        told = ", ".join(places[:MOST_PLACES]) + (f" and {more:,} more" if more > 0 else "")
        yield f"  the same at {told}"
    yield from map(_line, placeless[: MOST_ALIKE - 1])
    if len(placeless) >= MOST_ALIKE:
        yield f"  and {len(placeless) - MOST_ALIKE + 1:,} more like this"


def _line(problem: AuditProblem) -> str:
    place = "" if problem.table is None else problem.table
    place += "" if problem.seq is None else f"/{problem.seq}"
    return f"{place}: {problem.problem}" if place else problem.problem
