"""The random table, for every book."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from punto import books
from tests.table.machine import TableMachine

IS_THOROUGH = settings().max_examples > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", books.NAMES)
def test_everything_adds_up_at_a_random_table(name: str) -> None:
    machine = type(f"{name.title()}Machine", (TableMachine,), {"book": name})
    examples = (40 if name == "insurance" else 20) * (10 if IS_THOROUGH else 1)
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=40))
