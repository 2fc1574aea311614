"""A house on every database: a store, a floor that runs its tables, and its cashier."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.store.store import Store, open_store
from tests.floor.house import House


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store in a new database."""
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def house(store: Store) -> Iterator[House]:
    """A house with a table of EZ Baccarat and three players who have 1,000 each."""
    with House(store) as opened:
        opened.open("t1")
        for player in ("Ann", "Ben", "Cat"):
            opened.buy_in(player, 100_000)
        yield opened
