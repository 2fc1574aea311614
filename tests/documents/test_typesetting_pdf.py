"""A page as PDF: where grids are broken."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from punto.documents.page import Grid, Listing, Page, Section
from punto.documents.typesetting import typst_source


def rows_by_sheet(rows: int, lines: int) -> list[int]:
    """How many rows of a grid stand on each sheet, where so many lines of text stand above it."""
    import typst

    grid = Grid(("Name", "Number"), tuple((f"Row{i}end", str(i)) for i in range(rows)), "A long grid")
    page = Page("Orphans", (Section("Grid", (Listing(tuple("line" for _ in range(lines))), grid)),))
    source = re.sub(r'#"Row(\d+)end"', r'#"Row\1end" #metadata(\1) <row>', typst_source(page))
    source += "\n#context [#metadata(query(<row>).map(one => one.location().page())) <sheets>]\n"
    sheets = json.loads(typst.query(source.encode(), "<sheets>", field="value", one=True))
    assert len(sheets) == rows
    return [count for _, count in sorted(Counter(sheets).items())]


@pytest.mark.slow
def test_no_row_of_a_long_grid_stands_alone_on_a_sheet() -> None:
    split = 0
    for rows in (45, 52, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 118, 121):
        for lines in (0, 3):
            sheets = rows_by_sheet(rows, lines)
            split += len(sheets) > 1
            assert min(sheets) >= 3, (rows, lines, sheets)
    assert split > 5
