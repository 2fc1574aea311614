"""One model of a page: sections of words, lists, grids, charts and command lines, and numbers as readers see them.

Whoever has something to show builds a page or a grid; `text` and `typesetting` show it. All words in it are plain text:
no form of it reads a sign as markup. A line feed inside a cell of a grid breaks the line. The value of a bet looks the
same everywhere: the house edge in per cent first, the expectation beside it where it helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Protocol

import msgspec


def percent(share: Fraction | float, places: int = 4) -> str:
    """A share in per cent: `1.0579 %`."""
    return f"{round(float(share) * 100, places) + 0.0:.{places}f} %"  # adding zero takes its sign away


def expectation(value: Fraction | float) -> str:
    """What one unit gains or loses on average: `-0.010579`."""
    return f"{float(value):+.6f}"


def fraction(value: Fraction) -> str:
    """An exact value, `n/d` with its sign, whole numbers too."""
    return f"{value.numerator}/{value.denominator}"


class Style(Enum):
    """What a piece of text is; a style only repeats what the words say, so nothing is lost without it."""

    PLAIN = "plain"
    TITLE = "title"
    HEADING = "heading"
    QUIET = "quiet"
    GOOD = "good"
    BAD = "bad"
    NOTICE = "notice"


class Grid(msgspec.Struct, frozen=True):
    """Rows of text under a head; a table, but that word means a table of play in this project."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    right: Sequence[int] = ()  # Columns of numbers, set to the right.
    grows: int | None = None  # The column of prose, which is wrapped first where the grid is too wide.
    marks: Mapping[int, Style] = {}  # Rows that stand out.

    def by_first_column(self) -> tuple[Grid, ...]:
        """A grid for each text of the first column, under that text, where a column repeats itself."""
        return tuple(
            figures(name, self.heads[1:], tuple(row[1:] for row in self.rows if row[0] == name))
            for name in dict.fromkeys(row[0] for row in self.rows)
        )

    def _repr_html_(self) -> str:
        from punto.documents.typesetting import grid_html

        return grid_html(self)


class Tabled:
    """A result that a notebook shows as its grid, with what there is to say about it underneath."""

    __slots__ = ()

    @property
    def table(self) -> Grid:
        raise NotImplementedError

    @property
    def words(self) -> tuple[str, ...]:
        return ()

    def _repr_html_(self) -> str:
        from punto.documents.typesetting import blocks_html

        return blocks_html(self.table, *self.words)


def figures(title: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Grid:
    """A grid of results: the first column is words, the rest are numbers."""
    return Grid(tuple(heads), tuple(rows), title, range(1, len(heads)))


class Listing(msgspec.Struct, frozen=True):
    items: tuple[str, ...]


class Graphic(Protocol):
    """What can be drawn, when somebody wants to see it."""

    @property
    def svg(self) -> str: ...


class Figure(msgspec.Struct, frozen=True):
    """A picture with what it shows in words."""

    picture: Graphic
    caption: str
    width: int = 88  # How much of the page it takes, in per cent.


class CommandLine(msgspec.Struct, frozen=True):
    """A command line that gives the same figures again."""

    line: str
    gives: str


Block = str | Listing | Grid | Figure | CommandLine  # A paragraph, or one of the others.


class Section(msgspec.Struct, frozen=True):
    heading: str
    blocks: tuple[Block, ...]


class Page(msgspec.Struct, frozen=True):
    title: str
    sections: tuple[Section, ...]
    subtitle: str = ""
    lead: tuple[str, ...] = ()  # Paragraphs under the title.
    facts: tuple[tuple[str, str], ...] = ()  # Names and values that identify the page.
    header: str = ""  # What stands at the head of every sheet of paper.
    signatures: tuple[tuple[str, str], ...] = ()  # Who signs the page: as what, and the name where it is known.

    @property
    def full_title(self) -> str:
        return f"{self.title}: {self.subtitle}" if self.subtitle else self.title
