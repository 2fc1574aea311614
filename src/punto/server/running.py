"""Tables that deal by themselves while the server runs."""

from __future__ import annotations

import asyncio

from punto.dealer import DrawCard, Give, Pace, next_step
from punto.floor.floor import Floor


class Running:
    """Deals at every table of this floor."""

    def __init__(self, floor: Floor, pace: Pace, clock: object) -> None:
        self.floor, self.pace, self._clock = floor, pace, clock

    async def deal(self, ids: list[str]) -> None:
        """Until it is cancelled."""
        while True:
            for id in ids:
                loaded = await asyncio.to_thread(self.floor.table, id)
                if loaded is None:
                    continue
                due = next_step(loaded.table, self._clock(), self.pace)  # type: ignore[operator]
                if isinstance(due, Give | DrawCard):
                    await asyncio.wrap_future(self.floor.submit(id, due.command, loaded.version))
            await asyncio.sleep(0.1)
