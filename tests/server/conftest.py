"""A running floor for tests: in this process, on a free port, with somebody for every role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.running_floor import RunningFloor, running_floor


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    """A floor with tables of its own for each module of tests."""
    folder: Path = tmp_path_factory.mktemp("floor")
    with running_floor(str(folder / "house.db")) as made:
        yield made
