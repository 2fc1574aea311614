"""How property tests run: a failure prints the line that repeats it, and a slow machine is no failure.

`pytest --hypothesis-profile=thorough` looks longer. A failure also tells how its shoes were shuffled. Tests
of what is stored ask for `database`, and run on SQLite and on PostgreSQL. What `make quick` leaves out is marked
`slow`, or measured and listed in tests/slow.txt.
"""

from __future__ import annotations

import gc
import os
import secrets
import signal
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.workers import import_from_own_place, kernels_compiled_once

if TYPE_CHECKING:
    from tests.store.postgres_server import PostgresServer

settings.register_profile("punto", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("punto"), max_examples=5_000)
# Where nobody watches, the same examples every time; elsewhere new ones, and a failure prints its seed.
settings.register_profile("steady", settings.get_profile("punto"), derandomize=True, database=None)
IS_STEADY = bool(os.environ.get("CI"))
settings.load_profile("steady" if IS_STEADY else "punto")
SLOW_TESTS = Path(__file__).with_name("slow.txt")
SLOW_CASE, SLOW_TEST = 0.1, 0.5
"""Seconds of one case, or of all cases of a test, above which it is listed: the inner loop has 90 for everything."""
PAGES = "tests/browser/"
"""Every test there starts a browser, or needs one that was started."""
FAMILY = "PUNTO_TEST_FAMILY"
"""The mark by which everything that tests start is known: it is in the environment of each of them."""
SHOES = "PUNTO_TEST_SHOES"
"""The setting that repeats the shoes of a test that failed."""


class Stopwatch:
    """Lists the tests that took long, each with all its parameters as one; `--list-slow` asks for it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        cases: dict[str, list[float]] = defaultdict(list)
        for case, seconds in self.seconds.items():
            cases[_function(case)].append(seconds)
        slow = {
            test
            for test, times in cases.items()
            if (max(times) > SLOW_CASE or sum(times) > SLOW_TEST) and not test.startswith(PAGES)
        }
        SLOW_TESTS.write_text("".join(f"{test}\n" for test in sorted(slow)), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--list-slow", action="store_true", help="write tests/slow.txt; for a whole run on a quiet machine"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--list-slow") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch())


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is collected stays until the end: the garbage collector does not go through a million values again and again
    while they are made, and passes them over afterwards."""
    gc.disable()
    import_from_own_place(session.config.args)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    listed = set(SLOW_TESTS.read_text(encoding="utf-8").splitlines())
    for item in items:
        if item.nodeid.startswith(PAGES) or _function(item.nodeid) in listed:
            item.add_marker(pytest.mark.slow)


def _function(case: str) -> str:
    """A test without its parameters."""
    return case.partition("[")[0]


@pytest.fixture(autouse=True, scope="session")
def _nothing_left_running() -> Iterator[None]:
    """Whatever tests start has ended when they have, also what was started by something that is gone."""
    mark = f"{FAMILY}={secrets.token_hex(8)}"
    os.environ[FAMILY] = mark.partition("=")[2]
    yield
    end = time.monotonic() + 30
    while (left := _running(mark)) and time.monotonic() < end:
        pass
    assert left == [], "tests left processes running"


def _running(mark: str) -> list[str]:
    """The command lines of the other processes that have this mark, where the system tells of them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment, command = (folder / "environ").read_bytes(), (folder / "cmdline").read_bytes()
        except OSError:  # gone meanwhile, or somebody else's
            continue
        # The helpers of multiprocessing end with this process.
        if mark.encode() in environment.split(b"\0") and b"from multiprocessing" not in command:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found


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


@pytest.fixture(autouse=True, scope="session")
def _undisturbed_by_disks() -> Iterator[str]:
    """Databases in this process do not wait for the disk: what a loss of power does is asked in tests/crash, of
    processes that do. Tests of what is durable ask for `durable`."""
    from punto.store import sqlite

    before, sqlite.SYNCHRONOUS = sqlite.SYNCHRONOUS, "OFF"
    yield before
    sqlite.SYNCHRONOUS = before


@pytest.fixture(autouse=True, scope="session")
def _software_looked_at_once() -> Iterator[None]:
    """Hundreds of servers start in this process; the files that are installed are read for the first of them only.
    What reading them finds is asked in tests/floor/test_integrity.py and of servers that are processes."""
    from punto.floor.integrity import check_software

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("punto.server.app_state.check_software", cache(check_software))
        yield


@pytest.fixture(autouse=True, scope="session")
def _kernels_compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with kernels_compiled_once(tmp_path_factory.getbasetemp().parent):  # workers have folders in that of the run
        yield


@pytest.fixture
def durable(_undisturbed_by_disks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Databases are opened as a house opens them."""
    monkeypatch.setattr("punto.store.sqlite.SYNCHRONOUS", _undisturbed_by_disks)


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
