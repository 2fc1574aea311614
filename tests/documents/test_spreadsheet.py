"""Sheets as CSV: what was written is read back, and no text is taken for a formula."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from punto.documents.spreadsheet import Sheet, csv_text

TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")) | st.sampled_from(',"\n\r\t=+-@'))


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@given(st.lists(st.tuples(TEXT, st.integers(), TEXT), min_size=1))
def test_every_cell_is_read_back(rows: list[tuple[str, int, str]]) -> None:
    heads, *found = read(csv_text([Sheet("s", ("a", "b", "c"), tuple(rows))]))
    assert heads == ["sheet", "a", "b", "c"]
    for (_, text, number, other), row in zip(found, rows, strict=True):
        assert (text.removeprefix("'"), int(number), other.removeprefix("'")) == (
            *(row[0].removeprefix("'"), row[1], row[2].removeprefix("'")),
        )
        assert not text.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_values_and_sheets() -> None:
    one = Sheet("one", ("n",), ((Decimal("12.50"),), (-3,)))
    two = Sheet("two", ("x", "y"), ((True, None), ("=1+1", 0.5)))
    lines = csv_text([one, two]).split("\r\n")
    assert lines == ["sheet,n", "one,12.50", "one,-3", "", "sheet,x,y", "two,yes,", "two,'=1+1,0.5", ""]
