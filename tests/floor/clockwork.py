"""A table dealt by the clock, with the time in the hands of the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from punto.dealer.bot import BOTS
from punto.dealer.dealer import Pace
from punto.floor.automatic_tables import Turn
from punto.refusal import Refusal
from punto.table.command import Command
from punto.table.state import Phase
from tests.floor.house import House

PACE = Pace(bets=1_000, antes=500, insurance=500, squeeze=300, options=700, draw=400, cards=50, rounds=200)
NAMES = tuple(BOTS)[:4]


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Running tables needs no other database than a file; test_automatic_tables_databases.py has one on each."""
    return str(tmp_path / "house.db")


class Clockwork:
    """A table run by simulated time: what is due is given, then time goes on to what comes next."""

    def __init__(self, house: House, id: str, bots: tuple[str, ...] = NAMES, pace: Pace = PACE) -> None:
        self.house, self.id, self.bots, self.pace = house, id, bots, pace
        self.now, self.moved = 1_000_000, 1_000_000

    def turn(self) -> Turn:
        loaded = self.house.floor.table(self.id)
        assert loaded is not None
        return Turn(loaded, self.pace, self.bots, self.now, self.moved)

    def step(self) -> Command | None:
        """Give what is due next; None where nothing ever will be."""
        at = self.turn().time()
        if at is None:
            return None
        self.now = max(self.now, at)
        given: list[Command] = []

        def decide(_: object) -> Command | None:
            command = self.turn().command()
            given.extend([command] if command else [])
            return command

        answer = self.house.floor.submit_step(self.id, decide).result()
        assert not isinstance(answer, Refusal), answer.sentence
        if not given:  # one clock after another: whoever draws has time after the bets
            later = self.turn().time()
            assert later is None or later > self.now, "what is said to be due is due"
            return self.step()
        self.moved = self.now
        return given[-1]

    def until(self, rounds: int) -> Iterator[Command]:
        while True:
            state = self.house.table(self.id).state
            if state.round >= rounds and state.phase is Phase.IDLE:
                return
            command = self.step()
            assert command is not None
            yield command
