from __future__ import annotations

import random

import pytest

from punto.studies.significance import POWER, is_seen, rounds_to_see, seen_reach


def test_one_row_reaches_1_96_errors_and_more_rows_further() -> None:
    assert seen_reach() == pytest.approx(1.95996, abs=1e-5)
    assert seen_reach(12) == pytest.approx(2.86526, abs=1e-4)  # from printed tables: 1 - 0.05 / 24


def test_nothing_is_seen_without_an_error() -> None:
    assert not is_seen(1.0, None)
    assert not is_seen(1.0, 0.0)
    assert is_seen(2.0, 1.0)
    assert not is_seen(-2.0, 1.0, tests=2)


def test_false_alarms_over_1000_tables_of_twelve() -> None:
    chance = random.Random(5)
    alarms = sum(any(is_seen(chance.gauss(0, 1), 1.0, tests=12) for _ in range(12)) for _ in range(1_000))
    assert alarms <= 67


def test_so_many_rounds_show_it_as_often_as_promised() -> None:
    chance = random.Random(6)
    rounds = rounds_to_see(0.01, 1.0, tests=5)
    error = 1 / rounds**0.5
    seen = sum(is_seen(chance.gauss(0.01, error), error, tests=5) for _ in range(4_000)) / 4_000
    assert seen == pytest.approx(POWER, abs=0.02)
    assert rounds_to_see(0.0, 1.0) == float("inf")
