"""Grids in parts that fit a page: nothing is lost, and the columns are shared out evenly."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from punto.documents.page import Grid, Page, Section, Style, figures
from punto.documents.typesetting import Typeface, fitting_parts, grid_width, html_page

FACE = Typeface(size=10.0, room=200.0, padding=4.0, digit=0.5)


def wide(columns: int, rows: int) -> Grid:
    heads = ("Bet", *(f"c{i}" for i in range(columns)))
    body = [(f"bet {r}", *(f"{r}.{i:03}" for i in range(columns))) for r in range(rows)]
    return replace_marks(figures("Wide", heads, body), {0: Style.NOTICE})


def replace_marks(grid: Grid, marks: dict[int, Style]) -> Grid:
    return Grid(grid.heads, grid.rows, grid.title, grid.right, grid.grows, marks)


@given(st.integers(1, 40), st.integers(0, 6))
def test_every_cell_is_in_one_part(columns: int, rows: int) -> None:
    grid = wide(columns, rows)
    parts = list(fitting_parts(grid, FACE))
    assert tuple(head for part in parts for head in part.heads[1:]) == grid.heads[1:]
    for number, row in enumerate(grid.rows):
        assert tuple(cell for part in parts for cell in part.rows[number][1:]) == row[1:]
        assert all(part.rows[number][0] == row[0] for part in parts)
    assert all(grid_width(part, FACE) <= FACE.room for part in parts)
    sizes = [len(part.heads) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert all(part.marks == grid.marks for part in parts) or not rows


def test_rows_without_figures_are_left_out_of_a_part_and_marks_follow_theirs() -> None:
    rows = [("a", *["1.0"] * 9, *[""] * 9), ("b", *["1.0"] * 18)]
    grid = replace_marks(figures("Half", ("Bet", *map(str, range(18))), rows), {1: Style.BAD})
    first, second = fitting_parts(grid, FACE)
    assert [row[0] for row in first.rows] == ["a", "b"]
    assert [row[0] for row in second.rows] == ["b"]
    assert (first.marks, second.marks) == ({1: Style.BAD}, {0: Style.BAD})


def test_prose_gives_way_and_is_not_parted() -> None:
    grid = Grid(("Clause", "Words"), (("1", "word " * 80),), grows=1)
    assert list(fitting_parts(grid, FACE)) == [grid]


def test_a_narrower_page_has_more_parts() -> None:
    grid = wide(30, 2)
    few = len(list(fitting_parts(grid, replace(FACE, room=400.0))))
    assert 1 < few < len(list(fitting_parts(grid, FACE)))


def test_a_page_of_html_has_the_parts_and_its_print_header() -> None:
    text = html_page(Page("t", (Section("s", (wide(60, 2),)),), header='digest "a\\b" </style>'))
    assert text.count("<caption>Wide</caption>") > 1
    assert "@top-left" in text
    assert text.count("</style>") == 1
