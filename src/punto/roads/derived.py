"""The three derived roads: does the big road repeat itself?

Big eye boy compares a column of the big road with the one before it, the small road with the second
before, the cockroach with the third before. Red means that the pattern repeats, blue that it changes;
neither has anything to do with Banker and Player. All three look at the logical columns of the big road,
before any bending.

With k for how far a road looks back, a mark of the big road at row m of column n, both counted from 1,
gives

- at row 2 or below: blue if column n-k has exactly m-1 entries, that is if it ended just above, else red;
- at row 1: red if columns n-1 and n-1-k are of equal length, else blue;
- nothing, as long as there is no such column to look back to.

A mark is settled once made: every column it looks at has ended. So the lengths of the columns are all
that is needed, and what has been drawn never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from punto.roads.big_road import Place

RED = "R"
BLUE = "B"

BIG_EYE = 1
SMALL = 2
COCKROACH = 3
"""How many columns back each road looks: its k."""


def derive(k: int, lengths: Sequence[int], places: Iterable[Place]) -> str:
    """What a road shows for these marks: `R` or `B` for each that it can answer.

    `lengths` are those of the big road's logical columns, at least up to the column before each place.
    """
    shown = ""
    for n, m in places:
        if m > 1:
            if n > k:
                shown += BLUE if lengths[n - k - 1] == m - 1 else RED
        elif n > k + 1:
            shown += RED if lengths[n - 2] == lengths[n - k - 2] else BLUE
    return shown
