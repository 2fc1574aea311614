"""Mutants of everything that Punto reads: each is accepted or refused, and nothing else ever happens.

A few hundred here, with the same seeds always; `make soak` goes on for as long as one likes. A fault names
the seed that repeats it: `python tools/fuzz.py TARGET --seed SEED --count 1`.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.corpus import Corpus, collected
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import TARGETS

COUNTS = {
    "book": 30,
    "session": 150,
    "game": 100,
    "score": 100,
    "checkpoint": 60,
    "arguments": 120,
    "composition": 120,
    "exported": 30,
    "backed_up": 30,
    "anchor": 40,
    "shoe": 120,
    "settings": 150,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def collection(folder: Path) -> Corpus:
    """Made once: bytes that nobody changes."""
    with pytest.MonkeyPatch.context() as patch:
        _live_in(folder, patch)
        return collected()


@pytest.fixture
def corpus(folder: Path, collection: Corpus, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    _live_in(folder, monkeypatch)
    return collection


def _live_in(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.chdir(folder)
    patch.setenv("XDG_DATA_HOME", str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_mutants_are_accepted_or_refused(corpus: Corpus, target: str) -> None:
    counts = Counter(TARGETS[target](Random(f"{target} {seed}"), corpus) for seed in range(COUNTS[target]))
    print(target, dict(counts))
    assert counts["refused"] > 0
    assert counts.total() == COUNTS[target]


@pytest.mark.slow
def test_what_is_not_changed_is_accepted(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the mutants would be refused for another reason than their damage."""
    monkeypatch.setattr("tests.fuzz.targets.mutated", lambda _, content: content)
    for target in (
        "book",
        "session",
        "game",
        "score",
        "checkpoint",
        "composition",
        *("exported", "backed_up", "anchor", "shoe", "settings"),
    ):
        assert TARGETS[target](Random(1), corpus) == "accepted", target


def test_a_seed_repeats_its_mutant() -> None:
    content = bytes(range(256))
    for seed in range(100):
        assert mutated(Random(seed), content) == mutated(Random(seed), content)
    assert sum(mutated(Random(seed), content) != content for seed in range(100)) > 90
