"""How large a book file may be: asked around the TOML reader, so that no text keeps it busy for long.

The bounds are far beyond any book. docs/reference/limits.md lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from punto.rules.reading.problem import Place, Problem

LONGEST_LINE = 100_000
"""Characters of one line."""
MOST_ENTRIES = 1000
"""Entries of any one list or table."""
MOST_STEPS = 20
"""A key has fewer steps than this: `a.b.c` has three."""
DEEPEST = 11
"""Steps to the innermost value: `bets[0].pays[0].when[0].round[0].of.rank[0]` has eleven."""

_STEP = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_DOTTED = re.compile(f"(?:{_STEP}){{{MOST_STEPS}}}")


def line_problem(text: str) -> Problem | None:
    """The first line that is too long, or has a key of too many steps."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            return Problem((), f"this line has more than {LONGEST_LINE:,} characters", number)
        if line.count(".") >= MOST_STEPS and _DOTTED.search(line):
            # The TOML reader takes far more than twice as long for twice as many steps.
            return Problem((), f"a key has {MOST_STEPS} steps or more", number)
    return None


def long_lists(values: object) -> Iterator[Problem]:
    """Lists and tables with more entries than a book can need, or nested deeper than any book goes."""
    waiting: list[tuple[Place, object]] = [((), values)]
    while waiting:
        place, value = waiting.pop()
        if not isinstance(value, (list, dict)):
            continue
        if len(value) > MOST_ENTRIES:
            sentence = f"there are at most {MOST_ENTRIES:,} entries here, and not {len(value):,}"
            yield Problem(place, sentence)
        elif len(place) >= DEEPEST:
            yield Problem(place, "no entry of a book is nested so deeply")
        else:
            steps = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*place, step), item) for step, item in steps]
