"""The random table, for every book."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from punto import books
from tests.table.machine import TableMachine


@pytest.mark.slow
@pytest.mark.parametrize("name", books.NAMES)
def test_everything_adds_up_at_a_random_table(name: str) -> None:
    machine = type(f"{name.title()}Machine", (TableMachine,), {"book": name})
    run_state_machine_as_test(
        machine, settings=settings(max_examples=60 if name == "insurance" else 30, stateful_step_count=40)
    )
