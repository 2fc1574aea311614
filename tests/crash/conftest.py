"""What is found after a crash is opened as a house opens it."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _durable(durable: None) -> None:
    """Nothing here is spared the disk."""
