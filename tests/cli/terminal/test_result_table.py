from __future__ import annotations

import pytest

from punto.cli.terminal.result_table import print_by_first_column, print_table
from punto.odds.display import Table
from tests.cli.called import answer


def test_a_table_too_wide_is_told_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    heads = ("Bet", *(f"column {number:02}" for number in range(12)))
    print_table(Table("Wide", heads, (("player", *("1234" for _ in heads[1:])),)))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if "column" in line] == ["Bet", "Bet"]
    assert sum(line.count("1234") for line in lines) == 12


def test_a_table_that_fits_is_told_whole(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table("Narrow", ("Bet", "Edge"), (("player", "1"), ("tie", "10"))))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  Bet     Edge",
        "  ──────  ────",
        "  player     1",
        "  tie       10",
    ]


def test_a_first_column_that_repeats_itself_becomes_headings(capsys: pytest.CaptureFixture[str]) -> None:
    print_by_first_column(Table("Both", ("Window", "Hand"), (("four", "a"), ("four", "b"), ("five", "c"))))
    told = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in told if line in ("four", "five", "a", "b", "c")] == [
        "four",
        "a",
        "b",
        "five",
        "c",
    ]


@pytest.mark.parametrize(
    "command",
    [
        ("odds", "insurance"),
        ("odds", "knockout"),
        ("insurance", "insurance"),
        ("advise", "insurance"),
        ("count", "knockout", "--shoes", "0"),
    ],
    ids=" ".join,
)
def test_answers_fit_80_columns(command: tuple[str, ...]) -> None:
    assert max(map(len, answer(*command).out.splitlines())) <= 80
