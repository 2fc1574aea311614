"""The derived roads against the published rows, and against the way they are taught at the table.

A teacher at the table does not count. Having made a mark on the big road below another, look k columns to
the left: at the cell beside the mark and at the cell above that one. Both filled or both empty is red,
one of them only is blue. Having made a mark at the top of a column, ask what would have been shown had
the last streak gone on instead, and show the opposite.
"""

from __future__ import annotations

import pytest

from punto.roads.roads import BLUE, RED, Roads, place_shades
from tests.roads.random_shoes import random_shoes

OPPOSITE = {RED: BLUE, BLUE: RED}


def look_left(filled: set[tuple[int, int]], column: int, row: int, k: int) -> str | None:
    """What a mark at this place, under another, shows; None if there is no column to look at."""
    if (column - k, 0) not in filled:
        return None
    is_beside, is_above = (column - k, row) in filled, (column - k, row - 1) in filled
    return RED if is_beside == is_above else BLUE


def derive_by_looking(text: str, k: int) -> str:
    """The derived road as it is taught, over the columns of a plate of endless depth."""
    filled: set[tuple[int, int]] = set()
    column, row, last = -1, 0, ""
    shown = ""
    for letter in text:
        if letter not in "BP":
            continue
        if letter == last:
            row += 1
            answer = look_left(filled, column, row, k)
        else:
            had_it_gone_on = look_left(filled, column, row + 1, k) if last else None
            answer = OPPOSITE[had_it_gone_on] if had_it_gone_on else None
            column, row, last = column + 1, 0, letter
        filled.add((column, row))
        shown += answer or ""
    return shown


@pytest.mark.parametrize(
    ("results", "big_eye", "small", "cockroach"),
    [
        ("BBBPPBPPPTPBBPB", "RBBBRRBRBB", "BRBRBBBB", "RRBBRRR"),
        ("BPPBBBPPPP", "BBRBBRRB", "BRBRBR", "BRR"),
        ("BBBBBBPPPPPPP", "RRRRRB", "", ""),
        ("BBPP", "R", "", ""),
    ],
)
def test_the_published_rows(results: str, big_eye: str, small: str, cockroach: str) -> None:
    roads = Roads.parse(results)
    assert (roads.big_eye, roads.small, roads.cockroach) == (big_eye, small, cockroach)


@pytest.mark.parametrize(
    ("before", "first"), [("BP", "P"), ("BP", "B"), ("BPB", "B"), ("BPB", "P"), ("BPBP", "P"), ("BPBP", "B")]
)
def test_each_road_starts_at_the_second_row_or_one_column_later(before: str, first: str) -> None:
    k = len(before) - 1

    def shown(text: str) -> str:
        roads = Roads.parse(text)
        return (roads.big_eye, roads.small, roads.cockroach)[k - 1]

    assert shown(before) == ""
    assert len(shown(before + first)) == 1


def test_ties_and_pairs_make_no_difference() -> None:
    with_ties, without = Roads.parse("TBTbBpPTTPbBPTP"), Roads.parse("BBPPBPP")
    assert with_ties.big_eye == without.big_eye
    assert (with_ties.small, with_ties.cockroach) == (without.small, without.cockroach)


def test_tails_make_no_difference() -> None:
    # Column 2 is seven long, but its seventh mark stands in the sixth row: the comparison must not see that.
    assert Roads.parse("B" * 7 + "P" * 8).big_eye == "RRRRRRB"


@pytest.mark.slow
def test_twenty_thousand_random_shoes_as_taught_at_the_table() -> None:
    for text in random_shoes(20_000, seed=4):
        roads = Roads.parse(text)
        taught = (derive_by_looking(text, 1), derive_by_looking(text, 2), derive_by_looking(text, 3))
        assert (roads.big_eye, roads.small, roads.cockroach) == taught, text


def test_a_streak_of_one_colour_winds_like_one_of_the_big_road() -> None:
    placed = place_shades("RRRRRRRB")
    assert placed == [((0, row), "R") for row in range(6)] + [((1, 5), "R"), ((1, 0), "B")]
    assert place_shades("") == []
