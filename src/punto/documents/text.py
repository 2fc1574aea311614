"""A page as lines of text: for a terminal of any width from 40 columns, with or without colour.

In a grid that is too wide prose is wrapped first; a grid of figures is told in parts, each with the first
column again. What remains too wide is wrapped cell by cell, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from punto.documents.columns import clean, pad, width, wrap
from punto.documents.page import Block, CommandLine, Figure, Grid, Listing, Page, Style

COLUMNS = 80
INDENT = 2
GAP = 2
NARROWEST = 12
"""Columns to which prose in a grid is wrapped before other columns give way."""

Paint = Callable[[str, Style], str]
"""Gives a text its colour."""


def plain(text: str, _: Style) -> str:
    """No colour at all."""
    return text


def page_lines(page: Page, columns: int = COLUMNS, paint: Paint = plain) -> Iterator[str]:
    """The lines of a page."""
    title = f"{page.title}: {page.subtitle}" if page.subtitle else page.title
    yield from (paint(line, Style.TITLE) for line in wrap(title, columns))
    for text in page.lead:
        yield from wrap(text, columns)
    for name, text in page.facts:
        yield from wrap(f"{name}: {text}", columns, "", " " * INDENT)
    for section in page.sections:
        yield ""
        yield from (paint(line, Style.HEADING) for line in wrap(section.heading.upper(), columns))
        for i, block in enumerate(section.blocks):
            if i:
                yield ""
            yield from block_lines(block, columns, paint)


def block_lines(block: Block, columns: int = COLUMNS, paint: Paint = plain) -> list[str]:
    """The lines of a paragraph, a list, a grid, a figure or a command line."""
    margin = " " * INDENT
    match block:
        case Grid():
            return grid_lines(block, columns, paint)
        case Listing():
            items = [wrap(item, columns, f"{margin}- ", f"{margin}  ") for item in block.items]
            return [line for lines in items for line in lines]
        case Figure():
            return wrap(f"[figure] {block.caption}", columns, margin, margin)
        case CommandLine():
            gives = wrap(f"# {block.gives}", columns, margin, margin)
            return [*(paint(line, Style.QUIET) for line in gives), margin + clean(block.line)]
        case str():
            return wrap(block, columns, margin, margin)


def grid_lines(grid: Grid, columns: int = COLUMNS, paint: Paint = plain) -> list[str]:
    """A grid with its title, its head and a rule under it."""
    lines = [paint(line, Style.TITLE) for line in wrap(grid.title, columns)]
    for part in _parts(grid, columns - INDENT):
        widths = _widths(grid, part, columns - INDENT)
        rule = tuple("─" * w for w in widths)
        head = tuple(grid.heads[column] for column in part)
        lines += [paint(line, Style.QUIET) for row in (head, rule) for line in _row(grid, part, row, widths)]
        for number, row in enumerate(grid.rows):
            cells = tuple(row[column] for column in part)
            style = grid.marks.get(number, Style.PLAIN)
            lines += [paint(line, style) for line in _row(grid, part, cells, widths)]
    return lines


def _natural(grid: Grid, column: int) -> int:
    """As wide as its widest line."""
    cells = (grid.heads[column], *(row[column] for row in grid.rows))
    return max(width(clean(line)) for cell in cells for line in cell.split("\n"))


def _least(grid: Grid, column: int) -> int:
    natural = _natural(grid, column)
    return min(natural, NARROWEST) if column == grid.grows else natural


def _total(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _parts(grid: Grid, room: int) -> Iterator[list[int]]:
    """The columns in groups that fit, each with the first column."""
    group = [0]
    for column in range(1, len(grid.heads)):
        if len(group) > 1 and _total([_least(grid, c) for c in (*group, column)]) > room:
            yield group
            group = [0]
        group.append(column)
    yield group


def _widths(grid: Grid, part: list[int], room: int) -> list[int]:
    widths = [_natural(grid, column) for column in part]
    over = _total(widths) - room
    if over > 0 and grid.grows in part:
        place = part.index(grid.grows)
        widths[place] = max(widths[place] - over, _least(grid, grid.grows))
    while _total(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(grid: Grid, part: list[int], row: tuple[str, ...], widths: list[int]) -> list[str]:
    cells = [_cell(text, columns) for text, columns in zip(row, widths, strict=True)]
    lines = []
    for n in range(max(map(len, cells))):
        pieces = [
            pad(cell[n] if n < len(cell) else "", columns, is_right=column in grid.right)
            for cell, columns, column in zip(cells, widths, part, strict=True)
        ]
        lines.append((" " * INDENT + (" " * GAP).join(pieces)).rstrip())
    return lines


def _cell(text: str, columns: int) -> list[str]:
    """The lines of a cell; one that fits keeps its blanks."""
    lines: list[str] = []
    for part in text.split("\n"):
        shown = clean(part)
        lines += [shown] if width(shown) <= columns else wrap(shown, columns)
    return lines
