"""How a road winds through its cells: down six rows, then right along the last free one, the dragon tail.

The big road and the three derived roads are all drawn this way. A streak starts at the top of the first
free column right of where the previous streak started, even where a tail runs through that column. It
goes down until the sixth row or a taken cell stops it; then it turns right and stays in its row.

Nothing needs to remember every cell. A row is only ever filled from left to right, and a tail leaves no
gaps, so a cell right of where the last streak started is taken exactly if its row already reaches that
far. Six numbers say it all, and a road of any length goes on in the same time.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

ROWS = 6

Cell = tuple[int, int]
"""Column and row, both from 0 at the top left."""


class Path(msgspec.Struct, frozen=True):
    """Where a road has come to."""

    start: int = -1
    """Column in which the last streak started."""
    column: int = -1
    row: int = 0
    reach: tuple[int, ...] = (-1,) * ROWS
    """The rightmost taken column of each row; -1 where there is none."""


def walk(path: Path, starts: Iterable[bool]) -> tuple[list[Cell], Path]:
    """The cells of further marks, each said to start a streak or to go on with one, and where they lead."""
    start, column, row = path.start, path.column, path.row
    reach = list(path.reach)
    cells: list[Cell] = []
    for is_start in starts:
        if is_start:
            # The top row reaches to where the last streak started, or further if a tail runs along it.
            start = column = reach[0] + 1
            row = 0
        elif column == start and row < ROWS - 1 and reach[row + 1] < column:
            row += 1
        else:
            column += 1
        reach[row] = column
        cells.append((column, row))
    return cells, Path(start, column, row, tuple(reach))
