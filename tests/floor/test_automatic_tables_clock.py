"""The clock of a house: follows the machine's clock, and never goes back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.floor.automatic_tables import HouseClock

HOUR = 3_600_000


def read(machine: list[int]) -> list[int]:
    """What the clock of a house shows while that of the machine shows this."""
    left = iter([machine[0], *machine])
    clock = HouseClock(lambda: next(left))
    return [clock() for _ in machine]


@given(st.lists(st.integers(-3 * HOUR, 3 * HOUR), min_size=1, max_size=40))
@pytest.mark.gli("2.2.1")
def test_it_never_goes_back_and_goes_as_fast_as_the_machine(steps: list[int]) -> None:
    machine, now = [100 * HOUR], 100 * HOUR
    for step in steps:
        now += step
        machine.append(now)
    shown = read(machine)
    assert all(house >= there for house, there in zip(shown, machine, strict=True))
    for (before, after), (there, then) in zip(pairwise(shown), pairwise(machine), strict=True):
        assert after >= before
        assert after == (then if then >= before else before + max(0, then - there))


def test_put_on_and_put_back_by_hours() -> None:
    assert read([0, 10, 5 * HOUR, 5 * HOUR + 20, 40, 50]) == [
        *(0, 10, 5 * HOUR, 5 * HOUR + 20),
        *(5 * HOUR + 20, 5 * HOUR + 30),
    ]
