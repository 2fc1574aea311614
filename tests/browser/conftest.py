"""One Chromium and one floor for each worker; a test has tables and visitors of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.visitor import ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

Visit = Callable[..., Visitor]

HALL = "hall.example"
"""Another name of this machine, for browsers alone: pages from there are not secure, as over the network of a hall."""
FLAGS = (
    f"--host-resolver-rules=MAP {HALL} 127.0.0.1",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, found or fetched by tools/browser; it ends with its module, and with it the event loop that it runs."""
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    with sync_playwright() as playwright:
        # The tests may run as root, where Chromium has no sandbox; it sees pages of ours only.
        opened = playwright.chromium.launch(
            executable_path=found.stdout.strip(), args=list(FLAGS), chromium_sandbox=False
        )
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    """A floor with somebody for every role; the players have money."""
    pages = ROOT / "src/punto/server/pages/index.html"
    assert pages.exists(), "the pages are not built; type: make pages"
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db")) as made:
        for player in ("Lee", "Kim", "Max"):
            made.client("Cas").buy_in(player, 100_000_000)
        yield made


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether the test itself failed, for those who tidy up after it."""
    report = yield
    if call.when == "call":
        item.stash[_FAILED] = report.failed
    return report


@pytest.fixture
def visit(browser: Browser, floor: RunningFloor, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens browsers for people. At the end none may have asked for anything outside, or complained.

    Of a test that failed the pages are kept as pictures.
    """
    with ExitStack() as stack:
        visitors: list[Visitor] = []

        def open_for(name: str | None, **options: Any) -> Visitor:
            visitors.append(stack.enter_context(Visitor(browser, floor, name, **options)))
            return visitors[-1]

        yield open_for
        if request.node.stash.get(_FAILED, True):
            for number, visitor in enumerate(visitors, start=1):
                visitor.picture(f"failed-{request.node.name}-{number}")
        else:
            assert [address for visitor in visitors for address in visitor.outside()] == []
            assert [error for visitor in visitors for error in visitor.errors] == []
