"""A table of results on a terminal of 80 columns.

A title too long is wrapped; a table too wide is told in parts, each with the first column again.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from punto.cli.terminal import page
from punto.cli.terminal.ink import Style, ink, width
from punto.cli.terminal.page_text import COLUMNS, GAP, INDENT, table_lines
from punto.odds.display import Table


def print_table(table: Table) -> None:
    """Print a table of results."""
    for line in wrap(table.title, COLUMNS):
        print(ink(line, Style.TITLE))
    for part in _parts(table):
        for line in table_lines(part):
            print(line)


def print_by_first_column(table: Table) -> None:
    """Print a table whose first column repeats itself in parts, that column as the heading of each."""
    for line in wrap(table.title, COLUMNS):
        print(ink(line, Style.TITLE))
    for heading in dict.fromkeys(row[0] for row in table.rows):
        rows = tuple(row[1:] for row in table.rows if row[0] == heading)
        print_table(Table(heading, table.heads[1:], rows))


def _parts(table: Table) -> Iterator[page.Table]:
    """The columns of a table in groups that fit the terminal."""
    columns = list(zip(table.heads, *table.rows, strict=True))
    widths = [GAP + max(map(width, column)) for column in columns]
    group: list[int] = [0]
    for number in range(1, len(columns) + 1):
        taken = INDENT - GAP + sum(widths[column] for column in group)
        if number == len(columns) or (len(group) > 1 and taken + widths[number] > COLUMNS):
            rows = tuple(tuple(columns[column][row] for column in group) for row in range(1, len(columns[0])))
            heads = tuple(columns[column][0] for column in group)
            yield page.Table(heads, rows, right=tuple(range(1, len(group))))
            group = [0]
        group.append(number)
