"""The front door: its names work before anything is loaded, do what they say, and are documented."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import punto
from punto import front_door
from punto.refusal import Refusal

PAGE = Path(__file__).parents[1] / "docs/reference/python.md"
NAMES = [name for name in punto.__all__ if name != "format_money"]


def test_the_examples_of_the_docstrings_are_true() -> None:
    result = doctest.testmod(front_door, optionflags=doctest.ELLIPSIS)
    assert result.attempted > len(NAMES)
    assert result.failed == 0


def test_the_examples_of_the_page_are_true() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > len(NAMES)
    assert result.failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented_with_its_signature(name: str) -> None:
    function = getattr(punto, name)
    signature = str(inspect.signature(function)).replace("'", "")
    assert f"\n## {name}\n\n`punto.{name}{signature}`\n" in PAGE.read_text(encoding="utf-8")
    assert ">>> " in (inspect.getdoc(function) or "")


def test_nothing_is_loaded_before_a_name_is_used() -> None:
    code = "import punto, sys; print(dir(punto)); print([m for m in sys.modules if m.startswith('punto.')])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names, loaded = told.stdout.splitlines()
    assert set(NAMES) <= set(eval(names))
    assert loaded == "[]"


@pytest.mark.parametrize("package", ["odds", "table", "roads", "simulation", "cards", "coup", "books"])
def test_no_name_hides_a_package(package: str) -> None:
    names = "[getattr(punto, name) for name in punto.__all__]"
    code = f"import punto; {names}; import punto.{package} as m; print(m.__name__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == f"punto.{package}"


@pytest.mark.parametrize("name", ["commission", "easy-six", "ez", "insurance", "knockout"])
def test_what_a_notebook_prints_is_short(name: str) -> None:
    table = punto.open_table(name)
    step = punto.act(table, "Ann as dealer: load the shoe")
    assert not isinstance(step, Refusal)
    result, roads = punto.simulate(name, 1_000, seed=1), punto.roads_of("BPT" * 20)
    shown = (punto.load(name), table, step, punto.odds_of(name), result, roads, punto.load(name).play)
    assert all(len(repr(value)) < 200 for value in shown)


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    punto.simulate("ez", 3_000, seed=1, progress=lambda done, rounds: told.append((done, rounds)))
    assert told[-1] == (3_000, 3_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_simulation_is_the_same_for_its_seed() -> None:
    one, other = (punto.simulate("ez", 5_000, seed=3, workers=workers) for workers in (1, 2))
    assert [bet.result.mean for bet in one.bets] == [bet.result.mean for bet in other.bets]


def test_what_is_wrong_is_said_in_a_sentence() -> None:
    table = punto.open_table("ez")
    with pytest.raises(ValueError, match="decks cannot be 5 at a table"):
        punto.open_table("ez", decks=5)
    with pytest.raises(ValueError, match="is not a command"):
        punto.act(table, "KS 3H")
    with pytest.raises(ValueError, match="amount"):
        punto.settle("ez", "2S KH 3D 2C KD 5S", {"banker": "many"})
