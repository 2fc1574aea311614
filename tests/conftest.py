"""How property tests run: a failure prints the line that repeats it, and a slow machine is no failure.

`pytest --hypothesis-profile=thorough` looks longer. Tests of what is stored ask for `database`, and run on
SQLite and on PostgreSQL.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.store.postgres_server import PostgresServer

settings.register_profile("punto", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("punto"), max_examples=5_000)
# Where nobody watches, the same examples every time; elsewhere new ones, and a failure prints its seed.
settings.register_profile("steady", settings.get_profile("punto"), derandomize=True, database=None)
settings.load_profile("steady" if os.environ.get("CI") else "punto")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started when a test first asks for it and stopped at the end."""
    from tests.store.postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database, once of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()
