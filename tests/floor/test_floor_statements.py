"""What is asked of the database while people play: the longer a house is open, the more there is to go through."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from punto.rules.authority import Role
from punto.store.sqlite import SqliteConnection
from punto.store.store import open_store
from punto.table.betting import PlaceBet
from tests.floor.house import House, accepted

GROWING = ("approvals", "commands", "events", "house_events", "movements", "postings")


def test_no_table_that_grows_is_gone_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Sequence[Any]] = {}
    execute = SqliteConnection._execute

    def noted(self: SqliteConnection, statement: str, values: Sequence[Any]) -> Any:
        asked.setdefault(self._worded(statement), values)
        return execute(self, statement, values)

    path = tmp_path / "house.db"
    with open_store(str(path)) as store, House(store) as house:
        house.open("t1")
        for player in ("Ann", "Ben"):
            house.buy_in(player, 100_000)
        house.seat("Ann", "Ben")
        monkeypatch.setattr(SqliteConnection, "_execute", noted)
        house.call()
        waiting = [
            house.floor.submit(
                "t1",
                PlaceBet(actor=player, role=Role.PLAYER, key=f"k{n}", box=box, area="banker", amount=1_000, round=1),
            )
            for n in range(3)
            for box, player in enumerate(("Ann", "Ben"), 1)
        ]
        for one in waiting:
            accepted(one.result())
        accepted(house.bet("Ann", 1_000, key="k0"))
        house.finish()
        house.buy_in("Cat", 1_000)
    assert any("FROM commands" in statement for statement in asked)
    with sqlite3.connect(path) as database:
        for statement, values in asked.items():
            if statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
                steps = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
                assert not [step for step in steps if _goes_through(step)], (statement, steps)


def _goes_through(step: str) -> bool:
    scan, _, what = step.partition(" ")
    return scan == "SCAN" and what.split()[0] in GROWING
