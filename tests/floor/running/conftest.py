"""Running tables needs no other database than a file; `tests/floor/test_running.py` runs one on each."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The address of a new, empty database."""
    return str(tmp_path / "house.db")
