"""Random books over the whole vocabulary: whatever is accepted works everywhere, and everybody agrees."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import settings

from punto.rules.condition import When
from punto.simulation import Threads
from tests.agreement.random_books import FACTS, random_book
from tests.agreement.used_books import accepted, counted_once, use
from tests.fuzz.targets import called
from tests.rules.layered import toml

BLOCK = 60
IS_THOROUGH = settings().max_examples > 100
BLOCKS = 32 if IS_THOROUGH else 4
"""240 books are put to use, and with `--hypothesis-profile=thorough` 1,920; about as many again are refused."""
DRILLED = 20 if IS_THOROUGH else 8
"""Books that are drilled and reported: a sheet takes as long as twenty books in every other use."""


def test_the_generator_knows_every_fact() -> None:
    assert {*FACTS, "wins"} == set(When.__struct_fields__)


def test_a_seed_is_a_book() -> None:
    assert random_book(7) == random_book(7) != random_book(8)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_what_is_accepted_works_everywhere(block: int) -> None:
    """Each block has seeds of its own: 10,000 are more than it can need."""
    workers, used = Threads(1), 0
    with counted_once():
        for seed in range(block * 10_000, (block + 1) * 10_000):
            used += use(seed, workers)
            if used == BLOCK:
                break
    workers.close()
    assert used == BLOCK


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_accepted_books_are_drilled_and_reported(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    first = 900_000 + block * 1000
    seeds = (seed for seed in range(first, first + 1000) if accepted(seed) is not None)
    for seed in islice(seeds, DRILLED // 4):
        file = tmp_path / f"random-{seed}.toml"
        file.write_text(toml(random_book(seed)), encoding="utf-8")
        assert called("drill", str(file), "--seed", "1", "--json", lines="skip\n" * 60) == "accepted"
        assert called("report", str(file), "-o", str(tmp_path / "sheet.html"), "--shoes", "0") == "accepted"
