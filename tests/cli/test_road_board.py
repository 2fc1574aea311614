from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from punto.cli.road_board import ASCII_SHAPES, MIN_HEIGHT, MIN_WIDTH, SHAPES, draw_roads, has_shapes
from punto.roads.roads import Roads
from tests.roads.random_shoes import random_shoes


def board(text: str, width: int = 80, height: int | None = None, *, ascii_only: bool = False) -> list[str]:
    """The lines of a board, without colour."""
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(draw_roads(Roads.parse(text), width, height, ascii_only=ascii_only))
    return captured.get().splitlines()


def part(lines: list[str], title: str) -> list[str]:
    """The six rows under a title, empty cells as blanks."""
    first = next(number for number, line in enumerate(lines) if line.startswith(title))
    return [line.replace("·", " ").rstrip() for line in lines[first + 1 : first + 7]]


def test_the_bead_plate_is_the_notation_in_six_rows() -> None:
    assert part(board("BbPTpBBPBbp"), "Bead plate") == ["Bb  Bbp", "P", "Tp", "B", "B", "P"]


def test_the_big_road_shows_winner_ties_and_pairs() -> None:
    assert part(board("BbBTTPpPbpT"), "Big road") == ["B' P,", "B2 P1:", "", "", "", ""]


def test_a_tail_is_drawn_where_it_runs() -> None:
    assert part(board("BBBBBBBBPP"), "Big road") == ["B  P", "B  P", "B", "B", "B", "B  B  B"]


def test_derived_roads_have_shapes_of_their_own() -> None:
    # BBBPPBPPPTPBBPB: big eye boy RBBBRRBRBB, small BRBRBBBB, cockroach RRBBRRR.
    rows = part(board("BBBPPBPPPTPBBPB"), "Big eye boy")
    assert rows[0].split() == ["○◎○◎○◎", "◆●◆●◆", "/\\/"]
    assert rows[1].split() == ["◎○", "◎", "◆", "/\\/"]
    assert rows[3].split() == ["◆"]


def test_all_six_shapes_differ_so_that_no_colour_is_needed() -> None:
    for glyphs in (SHAPES, ASCII_SHAPES):
        shapes = glyphs.big_eye + glyphs.small + glyphs.cockroach + glyphs.empty + glyphs.none
        assert len(set(shapes)) == len(shapes) == 8
        assert all(cell_len(shape) == 1 for shape in shapes)


def test_ask_answers_for_both_sides() -> None:
    lines = board("BBPP")
    assert "If Banker wins next:  big eye boy ○  small –  cockroach –" in lines
    assert "If Player wins next:  big eye boy ◎  small –  cockroach –" in lines


def test_the_count_of_the_shoe() -> None:
    assert board("BbPTpB")[0] == "4 rounds: Banker 2, Player 1, Tie 1; Banker pair 1, Player pair 1"


def test_no_rounds_are_said_kindly() -> None:
    assert board("") == ["No rounds yet: the first result starts the roads."]


def test_ties_before_the_first_win_are_seen_waiting() -> None:
    assert "Big road, ties waiting for the first win: 2" in board("TT")


def test_more_than_nine_ties_take_no_more_room() -> None:
    assert part(board("Bb" + "T" * 12), "Big road")[0] == "B+'"


def test_a_long_road_shows_its_latest_columns() -> None:
    lines = board("BP" * 40 + "BB")
    assert "Big road, from 56" in lines
    assert part(lines, "Big road")[1] == " " * 75 + "B"


def test_the_last_mark_is_shown_even_far_left_under_a_tail() -> None:
    lines = board("B" * 90 + "P")
    assert part(lines, "Big road, from 2")[0] == "P"


@pytest.mark.parametrize("width", [MIN_WIDTH, 41, 60, 80, 120])
def test_no_line_is_wider_than_the_board(width: int) -> None:
    for text in random_shoes(20, seed=8):
        lines = board(text, width) if text else []
        assert all(cell_len(line) <= width for line in lines), text
        assert not any(line.endswith(" ") for line in lines), text


@pytest.mark.parametrize("height", range(MIN_HEIGHT, 30))
def test_no_board_is_higher_than_it_may_be_and_the_big_road_stays(height: int) -> None:
    for text in random_shoes(5, seed=9):
        lines = board("B" + text, height=height)
        assert len(lines) <= height
        assert any(line.startswith("Big road") for line in lines)


def test_a_board_of_24_lines_holds_all_five_roads_and_ask() -> None:
    drawn = "\n".join(board("BPPBBBPPPP", height=24))
    assert re.search(r"Bead plate.*Big road.*Big eye boy +Small road +Cockroach.*If Player", drawn, re.DOTALL)


def test_a_terminal_without_the_shapes_gets_plain_letters() -> None:
    assert has_shapes("utf-8")
    assert not has_shapes("ascii")
    assert not has_shapes("iso-8859-1")
    assert not has_shapes("no such encoding")
    assert "\n".join(board("BBBPPBPPPTPBBPB", ascii_only=True)).isascii()
