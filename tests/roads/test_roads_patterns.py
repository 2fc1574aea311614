"""The patterns of the big road that players have names for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.roads.roads import Pattern, PatternKind, Roads, find_patterns
from tests.roads.random_shoes import random_shoes

DEFINED: dict[PatternKind, Callable[[Sequence[int]], bool]] = {
    PatternKind.DRAGON: lambda columns: len(columns) == 1 and columns[0] > 5,
    PatternKind.SINGLE_JUMP: lambda columns: len(columns) > 3 and set(columns) == {1},
    PatternKind.DOUBLE_JUMP: lambda columns: len(columns) > 2 and set(columns) == {2},
    PatternKind.ONE_TWO: lambda columns: (
        len(columns) > 3 and all(pair in ((1, 2), (2, 1)) for pair in pairwise(columns))
    ),
    PatternKind.SIDE_BY_SIDE: lambda columns: len(columns) > 3 and min(columns) > 1 and max(columns) > 2,
}
"""Each pattern once more, as a question about a whole stretch of columns."""


def every_stretch(lengths: Sequence[int]) -> set[Pattern]:
    """By trying every stretch of columns, and keeping those that lie in no longer one of their kind."""
    found = set()
    for kind, is_pattern in DEFINED.items():
        stretches = [
            (first, last)
            for first in range(len(lengths))
            for last in range(first + 1, len(lengths) + 1)
            if is_pattern(lengths[first:last])
        ]
        for first, last in stretches:
            if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in stretches):
                found.add(Pattern(kind, sum(lengths[:first]), sum(lengths[:last]) - 1))
    return found


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ("BBBBB", []),
        ("BBBTBBB", [("dragon", 0, 5)]),
        ("PBBBBBBBP", [("dragon", 1, 7)]),
        ("BPB", []),
        ("BTPBPTT", [("single-jump", 0, 3)]),
        ("BBPPB", []),
        ("BBPPBB", [("double-jump", 0, 5)]),
        ("BBPPBBPP", [("double-jump", 0, 7)]),
        ("BPPBPP", [("one-two", 0, 5)]),
        ("BBPPPBBPP", [("side-by-side", 0, 8)]),
        ("BBPPBBPPP", [("double-jump", 0, 5), ("side-by-side", 0, 8)]),
        ("", []),
        ("TTT", []),
    ],
)
def test_patterns_by_hand(results: str, expected: list[tuple[str, int, int]]) -> None:
    found = [(pattern.kind.value, pattern.first, pattern.last) for pattern in Roads.parse(results).patterns]
    assert found == expected


def test_every_small_road_agrees_with_trying_every_stretch() -> None:
    for columns in range(7):
        for lengths in product((1, 2, 3, 6), repeat=columns):
            found = find_patterns(lengths)
            assert len(set(found)) == len(found) and set(found) == every_stretch(lengths), lengths


@given(st.lists(st.integers(1, 9), max_size=40))
def test_any_road_agrees_with_trying_every_stretch(lengths: list[int]) -> None:
    assert set(find_patterns(lengths)) == every_stretch(lengths)


def test_patterns_only_say_what_was() -> None:
    """What comes later lengthens the last ones or adds others; one that the road has left stays as it is."""
    for text in random_shoes(200, seed=11):
        roads = Roads()
        for result in Roads.parse(text).results:
            before, roads = roads, roads.append(result)
            columns_ended = sum(before.big_road.lengths[:-1])
            left = [pattern for pattern in before.patterns if pattern.last < columns_ended - 1]
            assert set(left) <= set(roads.patterns), str(roads)
            marks = [roads.big[pattern.first : pattern.last + 1] for pattern in roads.patterns]
            assert all(marks), str(roads)
