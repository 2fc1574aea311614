"""The table before each of the last events is found without the store, whether anybody watches or not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.rules.authority import Role
from punto.server import broadcast
from punto.server.broadcast import Broadcaster
from punto.store.store import open_store
from punto.table.betting import PlaceBet
from tests.floor.house import House, accepted


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_store(str(tmp_path / "house.db")) as store, House(store) as opened:
        opened.open("t1")
        opened.buy_in("Ann", 100_000)
        yield opened


def test_the_table_before_each_of_the_last_events_is_remembered(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "RECENT_EVENTS", 5)
    asked: list[int | None] = []
    look = house.floor.table

    def table(id: str, at: int | None = None) -> Any:
        asked.append(at)
        return look(id, at)

    monkeypatch.setattr(house.floor, "table", table)

    async def play() -> None:
        told = Broadcaster(house.floor, view_cache=None)  # type: ignore[arg-type]
        told.start()
        house.seat("Ann")
        house.call()
        for _ in range(9):
            bet = PlaceBet(actor="Ann", role=Role.PLAYER, box=1, area="banker", amount=1_000, round=1)
            accepted(await asyncio.wrap_future(house.floor.submit("t1", bet)))
        while not told._recent or told._recent["t1"][-1].after.version < house.version():
            await asyncio.sleep(0)
        with house.store.read() as reader:
            known = [(record.seq, state) for state, record in reader.replayed("t1")]
            records = reader.records("t1")
        asked.clear()
        for back in range(1, 8):
            [(state, record)] = await told.steps("t1", [records[-back]])
            assert (record.seq, state) == known[-back]
        assert asked == [len(records) - 6, len(records) - 7], "only what lies further back is read again"
        told.stop()

    asyncio.run(play())
