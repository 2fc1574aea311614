"""The clocks of an automatic dealer in tests, and a table after its command."""

from __future__ import annotations

from punto.dealer.dealer import Pace
from punto.table import Refusal, Table, act
from punto.table.command import Command

CLOCKS = Pace(
    bets=20_000, antes=10_000, insurance=8_000, squeeze=5_000, options=9_000, draw=6_000, cards=500, rounds=3_000
)


def after(table: Table, command: Command) -> Table:
    step = act(table, command)
    assert not isinstance(step, Refusal), (command, step.sentence)
    return step.table
