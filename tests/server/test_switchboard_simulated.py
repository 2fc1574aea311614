"""Houses of three servers in simulated time, each with its own troubles; and that faults are found.

Here 100 of them; `make soak` lives these and thousands more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from punto.floor import job as floor_job
from punto.refusal import Refusal
from punto.server.broadcast import Broadcaster
from punto.store.lease import RunningServer
from punto.store.notice import LogReader, Notice
from tests.server.simulated_house import simulate

BLOCKS, SEEDS = 4, 25
MOST_SEEDS = 40  # In which a planted fault is found.


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_whatever_goes_wrong_nothing_is_lost_or_done_twice(block: int) -> None:
    deaths = answers = 0
    for seed in range(block * SEEDS, (block + 1) * SEEDS):
        try:
            _, died, answered = simulate(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}: python -m tests.server.simulated_house {seed}")
            raise
        deaths, answers = deaths + died, answers + answered
    assert deaths > SEEDS / 4 and answers > 10 * SEEDS


def test_a_seed_is_lived_again() -> None:
    assert simulate(7) == simulate(7)


def without_catching_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks once a second."""
    look = LogReader.look

    def only_first(self: LogReader, connection: Any) -> list[Notice]:
        return look(self, connection) if self._seen is None else []

    monkeypatch.setattr(LogReader, "look", only_first)


def without_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that was decided on another version is carried out."""
    refuse = floor_job.refuse_job

    def not_for_versions(job: Any, loaded: Any) -> Refusal | None:
        refusal = refuse(job, loaded)
        return None if refusal is not None and refusal.reason.value == "version" else refusal

    monkeypatch.setattr(floor_job, "refuse_job", not_for_versions)


def without_an_end_of_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunningServer, "is_there", lambda _, __: True)


def without_mending(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another server wrote in between is passed over."""
    deliver = Broadcaster._deliver

    def gaps(self: Broadcaster, changes: Any) -> None:
        for change in changes:
            known = self._tables.get(change.table)
            if known is not None and known.version < change.before.version:
                self._tables[change.table] = change.before
        deliver(self, changes)

    monkeypatch.setattr(Broadcaster, "_deliver", gaps)


FAULTS = (without_catching_up, without_versions, without_an_end_of_leases, without_mending)


@pytest.mark.slow
@pytest.mark.parametrize("plant", FAULTS)
def test_a_planted_fault_is_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    for seed in range(MOST_SEEDS):
        try:
            simulate(seed)
        except AssertionError:
            return
    pytest.fail("nothing was found")
