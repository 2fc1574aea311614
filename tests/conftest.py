"""How property tests run: a failure prints the line that repeats it, and a slow machine is no failure.

`pytest --hypothesis-profile=thorough` looks longer. A failure also tells how its shoes were shuffled. Tests
of what is stored ask for `database`, and run on SQLite and on PostgreSQL.
"""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from tests.store.postgres_server import PostgresServer

settings.register_profile("punto", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("punto"), max_examples=5_000)
# Where nobody watches, the same examples every time; elsewhere new ones, and a failure prints its seed.
settings.register_profile("steady", settings.get_profile("punto"), derandomize=True, database=None)
IS_STEADY = bool(os.environ.get("CI"))
settings.load_profile("steady" if IS_STEADY else "punto")
SHOES = "PUNTO_TEST_SHOES"
"""The setting that repeats the shoes of a test that failed."""


@pytest.fixture(autouse=True)
def _shoes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Floors and commands in this process shuffle as the test is named where nobody watches, else anew."""
    from punto.floor import shoe as seed

    drawn = request.node.nodeid if IS_STEADY else secrets.token_hex(4)
    name = os.environ.get(SHOES, drawn)
    chance = Random(name)
    monkeypatch.setattr(seed, "secrets", SimpleNamespace(token_bytes=chance.randbytes))
    monkeypatch.setattr(secrets, "randbits", chance.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", chance.randrange)
    request.node.add_report_section("setup", "shoes", f"{SHOES}='{name}' shuffles them again")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Children can be interrupted, also where the tests run in the background of a shell that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started when a test first asks for it and stopped at the end."""
    from tests.store.postgres_server import PostgresServer

    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database, once of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "house.db")
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.lent_database() as address:
        yield address
