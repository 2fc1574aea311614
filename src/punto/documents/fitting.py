"""Grids that are too wide for a page, in parts that fit: each part has the first column again.

Widths are estimates from the usual widths of letters in a typeface, a little too wide rather than too narrow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from punto.documents.page import Grid

_NARROW = " .,:;'|!()[]ijl"
_WIDE = "+±=%MWmw—…"


@dataclass(frozen=True, slots=True)
class Typeface:
    """How wide letters are, and what stands around a cell."""

    size: float
    """Of the type, in points or pixels; so are `room` and `padding`."""
    room: float
    """Width of a page."""
    padding: float
    """The blanks on both sides of a cell together."""
    digit: float
    """Width of a digit, as a share of the size; so are the next three."""
    letter: float = 0.5
    capital: float = 0.7
    wide: float = 0.8
    narrow: float = 0.29
    longest: int = 44
    """Letters from which on a cell of words is wrapped."""

    def width(self, text: str) -> float:
        """About how wide a text is, without padding."""
        return self.size * sum(map(self._share, text))

    def _share(self, letter: str) -> float:
        if letter.isdigit():
            return self.digit
        if letter in _NARROW:
            return self.narrow
        if letter in _WIDE:
            return self.wide
        return self.capital if letter.isupper() or not letter.isascii() else self.letter


def column_width(grid: Grid, column: int, face: Typeface) -> float:
    """About how wide a column is; words that are wrapped count up to where they are."""
    lines = [line for text in _texts(grid, column) for line in text.split("\n")]
    if column == 0 or is_prose(grid, column, face):
        lines = [line[: face.longest] for line in lines]
    return max(map(face.width, lines)) + face.padding


def is_prose(grid: Grid, column: int, face: Typeface) -> bool:
    """Whether a column of words is so long that it has to be wrapped."""
    longest = max((len(row[column]) for row in grid.rows), default=0)
    return column not in grid.right and longest > face.longest


def grid_width(grid: Grid, face: Typeface) -> float:
    """About how wide a grid is when nothing but prose is wrapped."""
    return sum(column_width(grid, i, face) for i in range(len(grid.heads)))


def fitting_parts(grid: Grid, face: Typeface) -> Iterator[Grid]:
    """The grid, or where its figures are wider than the page, parts of it with about as many columns each.

    A row that has nothing to say in a part is left out of it. A grid with a column of prose is never parted:
    the prose gives way.
    """
    if grid.grows is not None or grid_width(grid, face) <= face.room or len(grid.heads) < 3:
        yield grid
        return
    for number in range(2, len(grid.heads)):
        columns = _shared_out(range(1, len(grid.heads)), number)
        parts = [_columns(grid, chosen) for chosen in columns]
        if all(grid_width(part, face) <= face.room for part in parts) or number == len(grid.heads) - 1:
            yield from parts
            return


def _texts(grid: Grid, column: int) -> list[str]:
    return [grid.heads[column], *(row[column] for row in grid.rows)]


def _shared_out(columns: range, number: int) -> list[list[int]]:
    """The columns in this many groups of nearly the same size."""
    ends = [len(columns) * i // number for i in range(number + 1)]
    return [list(columns[ends[i] : ends[i + 1]]) for i in range(number)]


def _columns(grid: Grid, chosen: list[int]) -> Grid:
    taken = [0, *chosen]
    kept = [number for number, row in enumerate(grid.rows) if any(row[i] for i in chosen)]
    rows = tuple(tuple(grid.rows[number][i] for i in taken) for number in kept)
    right = [place for place, i in enumerate(taken) if i in grid.right]
    marks = {kept.index(number): style for number, style in grid.marks.items() if number in kept}
    return Grid(tuple(grid.heads[i] for i in taken), rows, grid.title, right, None, marks)
