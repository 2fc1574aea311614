"""Results as tables: rows of text that a terminal, a notebook and a report all show."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape


@dataclass(frozen=True, slots=True)
class Table:
    """A title, heads and rows of text; the first column is words, the rest figures."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self) -> str:
        """The table for a notebook or a page."""
        head = "".join(f"<th>{escape(text)}</th>" for text in self.heads)
        body = "".join(f"<tr>{''.join(_cells(row))}</tr>" for row in self.rows)
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def _repr_html_(self) -> str:
        return self.html()


def _cells(row: tuple[str, ...]) -> list[str]:
    first, *figures = row
    cells = [f'<th scope="row" style="text-align:left">{escape(first)}</th>']
    return cells + [f'<td style="text-align:right">{escape(text)}</td>' for text in figures]


def percent(share: Fraction | float, places: int = 4) -> str:
    """A share in percent."""
    return f"{float(share) * 100:.{places}f} %"


def fraction(value: Fraction) -> str:
    """A fraction as text, `n/d` with its sign, whole numbers too."""
    return f"{value.numerator}/{value.denominator}"
