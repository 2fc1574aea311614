"""A process that dies at any instant comes back with every answered command and no other effect.

What a process wrote outlives it, so the server of these tests does not wait for the disk; that of
`tools/crash.py` does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.checking import check
from tests.crash.journal import Answered, Known
from tests.crash.killing import strike
from tests.store.postgres_server import PostgresServer

TIMES = 10


@pytest.mark.slow
def test_kill_9_on_sqlite(tmp_path: Path) -> None:
    counts = strike(str(tmp_path / "house.db"), tmp_path, 1, TIMES)
    assert counts["strikes"] >= TIMES and counts["answered"] > TIMES
    print(dict(counts))


@pytest.mark.slow
def test_kill_9_on_postgresql(postgres: PostgresServer, tmp_path: Path) -> None:
    counts = strike(postgres.new_database(), tmp_path, 2, TIMES)
    assert counts["strikes"] >= TIMES and counts["answered"] > TIMES
    print(dict(counts))


@pytest.mark.slow
def test_the_server_is_stopped_at_once(postgres: PostgresServer, tmp_path: Path) -> None:
    counts = strike(postgres.new_database(), tmp_path, 3, TIMES, postgres)
    assert counts["strikes"] >= TIMES and counts["answered"] > TIMES
    print(dict(counts))


@pytest.mark.slow
def test_a_lost_answer_is_noticed(tmp_path: Path) -> None:
    """The check can fail: an answer that the database does not hold is found."""
    address = str(tmp_path / "house.db")
    strike(address, tmp_path, 4, 1)
    known = Known()
    known.read(tmp_path / "journal-4-0")
    check(address, known)
    known.answered["Ada", "never"] = Answered("Ada", "never", 5, (5,))
    with pytest.raises(AssertionError, match="was lost"):
        check(address, known)
