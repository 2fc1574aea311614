"""A random life of a house through the store: the log, the states and the ledger fit together, always."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from punto.store import sqlite
from punto.store.store import open_store
from tests.floor.life import ROUNDS_A_BLOCK, live_block

BLOCKS = 10


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a loss of power does is asked elsewhere; here each command would wait for the disk."""
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "OFF")


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_five_hundred_rounds_of_a_random_life(block: int, tmp_path: Path) -> None:
    with open_store(str(tmp_path / "life.db")) as store:
        _, counts = live_block(store, block)
    assert counts["rounds"] >= ROUNDS_A_BLOCK == 500 // BLOCKS
    assert counts["bet-placed"] > 0


@pytest.mark.slow
def test_the_same_seed_lives_the_same_life(tmp_path: Path) -> None:
    lives: list[tuple[str, Counter[str]]] = []
    for name in ("first.db", "second.db"):
        with open_store(str(tmp_path / name)) as store:
            lives.append(live_block(store, 77, rounds=2))
    assert lives[0] == lives[1]
