"""A store for every test of this folder, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.store.store import Store, open_store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An open store in a new database."""
    with open_store(database) as opened:
        yield opened
