"""A page for a terminal of 80 columns, with or without colour."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from punto.cli.terminal.ink import Style, ink, pad, width
from punto.cli.terminal.page import Block, Page, Points, Table

COLUMNS = 80
INDENT = 2
GAP = 2


def page_lines(page: Page) -> Iterator[str]:
    """The lines of a page."""
    yield ink(page.title, Style.TITLE)
    for text in page.lead:
        yield from wrap(text, COLUMNS)
    for section in page.sections:
        yield ""
        yield ink(section.heading.upper(), Style.HEADING)
        for i, block in enumerate(section.blocks):
            if i:
                yield ""
            yield from _block_lines(block)


def table_lines(table: Table) -> list[str]:
    """A table with its head and a rule under it."""
    widths = _widths(table)
    rule = tuple("─" * columns for columns in widths)
    lines = [ink(line, Style.QUIET) for row in (table.head, rule) for line in _row_lines(row, widths, table)]
    for row in table.rows:
        lines += _row_lines(row, widths, table)
    return lines


def _block_lines(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield from table_lines(block)
    elif isinstance(block, Points):
        for item in block.items:
            yield from _indented(item, first="- ", others="  ")
    else:
        yield from _indented(block)


def _indented(text: str, first: str = "", others: str = "") -> list[str]:
    margin = " " * INDENT
    return wrap(text, COLUMNS, initial_indent=margin + first, subsequent_indent=margin + others)


def _widths(table: Table) -> list[int]:
    """Each column as wide as its widest line; the one that grows gives way."""
    columns = zip(table.head, *table.rows, strict=True)
    widths = [max(width(line) for cell in column for line in cell.split("\n")) for column in columns]
    if table.grows is not None:
        others = sum(widths) - widths[table.grows] + GAP * (len(widths) - 1) + INDENT
        widths[table.grows] = min(widths[table.grows], COLUMNS - others)
    return widths


def _row_lines(row: tuple[str, ...], widths: list[int], table: Table) -> list[str]:
    cells = [
        _wrapped(cell, columns) if i == table.grows else cell.split("\n")
        for i, (cell, columns) in enumerate(zip(row, widths, strict=True))
    ]
    lines = []
    for n in range(max(map(len, cells))):
        pieces = [
            pad(cell[n] if n < len(cell) else "", columns, is_right=i in table.right)
            for i, (cell, columns) in enumerate(zip(cells, widths, strict=True))
        ]
        lines.append((" " * INDENT + (" " * GAP).join(pieces)).rstrip())
    return lines


def _wrapped(text: str, columns: int) -> list[str]:
    return [line for part in text.split("\n") for line in wrap(part, columns) or [""]]
