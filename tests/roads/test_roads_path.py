"""The winding of a road against a second one that remembers every cell and looks where it steps."""

from __future__ import annotations

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from punto.roads.roads import ROWS, Cell, Path, walk

streaks = st.lists(st.integers(1, 30), max_size=40)


def starts_of(lengths: list[int]) -> list[bool]:
    return [row == 0 for length in lengths for row in range(length)]


def cells_of(lengths: list[int]) -> list[Cell]:
    return walk(Path(), starts_of(lengths))[0]


def wind_by_looking(lengths: list[int]) -> list[Cell]:
    """The rule as a player at the table carries it out, pencil in hand."""
    drawn: dict[Cell, None] = {}
    start = -1
    for length in lengths:
        start += 1
        while (start, 0) in drawn:
            start += 1
        column, row, has_turned = start, 0, False
        drawn[column, row] = None
        for _ in range(length - 1):
            has_turned = has_turned or row + 1 == ROWS or (column, row + 1) in drawn
            column, row = (column + 1, row) if has_turned else (column, row + 1)
            assert (column, row) not in drawn, "a tail never runs into another mark"
            drawn[column, row] = None
    return list(drawn)


@given(streaks)
def test_it_goes_where_a_player_with_a_pencil_goes(lengths: list[int]) -> None:
    assert cells_of(lengths) == wind_by_looking(lengths)


@given(streaks)
def test_every_mark_has_a_cell_of_its_own_in_the_six_rows(lengths: list[int]) -> None:
    cells = cells_of(lengths)
    assert len(set(cells)) == len(cells) == sum(lengths)
    assert all(column >= 0 and 0 <= row < ROWS for column, row in cells)


@given(streaks)
def test_a_streak_goes_down_then_right_and_never_down_again(lengths: list[int]) -> None:
    cells = iter(cells_of(lengths))
    for length in lengths:
        streak = [next(cells) for _ in range(length)]
        steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(streak)]
        assert [step for step, _ in groupby(steps)] in ([], [(0, 1)], [(1, 0)], [(0, 1), (1, 0)])


@given(streaks)
def test_each_streak_starts_at_the_top_right_of_the_one_before(lengths: list[int]) -> None:
    starts = [cell for cell, is_start in zip(cells_of(lengths), starts_of(lengths), strict=True) if is_start]
    columns = [column for column, _ in starts]
    assert all(row == 0 for _, row in starts)
    assert columns == sorted(set(columns))


@given(streaks, st.data())
def test_stopping_and_going_on_makes_no_difference(lengths: list[int], data: st.DataObject) -> None:
    starts = starts_of(lengths)
    cut = data.draw(st.integers(0, len(starts)))
    first, path = walk(Path(), starts[:cut])
    rest, end = walk(path, starts[cut:])
    assert (first + rest, end) == walk(Path(), starts)


def test_the_seventh_in_a_row_turns_right() -> None:
    assert cells_of([8])[5:] == [(0, 5), (1, 5), (2, 5)]


def test_a_new_streak_starts_above_the_tail_and_turns_on_it() -> None:
    assert cells_of([8, 6])[8:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4)]


def test_a_tail_stays_in_its_row_when_the_cells_below_are_free_again() -> None:
    # The second streak turns on the first one's tail, which ends at column 1.
    assert cells_of([7, 9])[7:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4), (4, 4), (5, 4)]


def test_tails_piled_up_to_the_top_row_push_the_next_streak_past_them() -> None:
    # Six tails fill the rows from the bottom up; the sixth runs along the top row, columns 5 to 9.
    lengths = [12, 11, 10, 9, 8, 5, 1]
    cells = cells_of(lengths)
    assert cells[-6:-1] == [(5, 0), (6, 0), (7, 0), (8, 0), (9, 0)]
    assert cells[-1] == (10, 0)
