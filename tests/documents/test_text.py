"""A page as text: it fits, it lines up, and it loses nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.documents.page import CommandLine, Figure, Grid, Listing, Page, Section, Style, figures
from punto.documents.text import grid_lines, page_lines, width
from tests.cli.called import answer

WORDS = st.text(st.characters(codec="utf-8"), max_size=40)


def test_a_grid_of_figures_too_wide_is_told_in_parts() -> None:
    heads = ("Bet", *(f"column {number:02}" for number in range(12)))
    lines = grid_lines(figures("Wide", heads, [("player", *("1234" for _ in heads[1:]))]))
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if "column" in line] == ["Bet", "Bet"]
    assert sum(line.count("1234") for line in lines) == 12


def test_a_grid_that_fits_is_told_whole() -> None:
    assert grid_lines(figures("Narrow", ("Bet", "Edge"), [("player", "1"), ("tie", "10")])) == [
        "Narrow",
        "  Bet     Edge",
        "  ──────  ────",
        "  player     1",
        "  tie       10",
    ]


def test_prose_is_wrapped_before_anything_else_gives_way() -> None:
    grid = Grid(("clause", "its sense"), (("4.1", "a sentence that goes on " * 5),), grows=1)
    lines = grid_lines(grid, 40)
    assert max(map(len, lines)) <= 40
    assert all(line.startswith("          a sent") or line.startswith("  4.1") for line in lines[2:3])
    assert " ".join(" ".join(lines[2:]).split()) == "4.1 " + " ".join(["a sentence that goes on"] * 5)


def test_chinese_and_combining_marks_line_up() -> None:
    grid = Grid(("name", "n"), (("闲家", "1"), ("e\u0301te\u0301", "2"), ("plain", "3")))
    assert [width(line) for line in grid_lines(grid)] == [10, 10, 10, 10, 10]


def test_what_repeats_itself_in_the_first_column_becomes_titles() -> None:
    grid = figures("Both", ("Window", "Hand"), [("four", "a"), ("four", "b"), ("five", "c")])
    assert [(part.title, part.rows) for part in grid.by_first_column()] == [
        ("four", (("a",), ("b",))),
        ("five", (("c",),)),
    ]


def test_marks_and_headings_are_painted_and_widths_stay() -> None:
    grid = Grid(("bet", "net"), (("player", "+5"), ("tie", "-5")), "Settled", marks={1: Style.BAD})
    painted = grid_lines(grid, 80, lambda text, style: f"{style.value}:{text}")
    assert [line.split(":")[0] for line in painted] == ["title", "quiet", "quiet", "plain", "bad"]
    assert [line.partition(":")[2] for line in painted] == grid_lines(grid)


def test_control_characters_of_a_book_never_reach_the_terminal() -> None:
    page = Page("a\x1b[31mb", (Section("c\rd", ("e\x07f", Grid(("g",), (("h\x1b]0;i",),)))),))
    assert "\x1b" not in "".join(page_lines(page)) and "\r" not in "".join(page_lines(page))


@given(WORDS, st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=4), st.integers(40, 120), st.booleans())
def test_everything_fits_every_terminal(
    words: str, rows: list[tuple[str, str, str]], columns: int, has_prose: bool
) -> None:
    grid = Grid(("one", "two", words), tuple(rows), words, (1,), 2 if has_prose else None)
    blocks = (
        words,
        Listing((words, words)),
        grid,
        Figure(SimpleNamespace(svg="<svg/>"), words),
        CommandLine("punto", words),
    )
    page = Page(words, (Section(words, blocks),), words, (words,), ((words, words),))
    for line in page_lines(page, columns):
        assert width(line) <= columns
        assert line == line.rstrip()
        assert line.isprintable() or "\u200d" in line


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 57, 80])
@pytest.mark.parametrize(
    "command",
    [
        ("odds", "insurance"),
        ("odds", "knockout"),
        ("insurance", "insurance"),
        ("advise", "insurance"),
        ("count", "knockout", "--shoes", "0"),
        ("rules", "insurance"),
        ("books",),
    ],
    ids=" ".join,
)
def test_answers_fit_the_terminal(command: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(width, answer(*command).out.splitlines())) <= columns
