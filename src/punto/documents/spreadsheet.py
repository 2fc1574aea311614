"""Sheets of values: the rows of a report for a spreadsheet, and the same as CSV.

A page has words; a sheet has values, so that a spreadsheet can add them up. Text is never a formula, whoever wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal

import msgspec

Value = str | int | float | Decimal | bool | None


class Sheet(msgspec.Struct, frozen=True):
    """Rows of values under heads."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # What a spreadsheet takes for the beginning of a formula.


def csv_text(sheets: Sequence[Sheet]) -> str:
    """Sheets one below the other, with an empty line between them; the first column has the name of the sheet."""
    parts = []
    for sheet in sheets:
        lines = [_line(("sheet", *sheet.heads)), *(_line((sheet.name, *row)) for row in sheet.rows)]
        parts.append("".join(f"{line}\r\n" for line in lines))
    return "\r\n".join(parts)


def _line(values: Iterable[Value]) -> str:
    return ",".join(map(_cell, values))


def _cell(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str():
            text = f"'{value}" if value.startswith(_FORMULA) else value
            return '"{}"'.format(text.replace('"', '""')) if any(sign in text for sign in ',"\r\n') else text
        case _:
            return str(value)
