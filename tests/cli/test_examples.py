"""The examples in every command's help work as they stand."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from punto.cli.commands import COMMANDS
from punto.cli.examples import EXAMPLES_OF
from tests.cli.called import answer, call

ROOT = Path(__file__).parents[2]
LINES = [line for lines in EXAMPLES_OF.values() for line in lines]


def test_every_command_has_two_examples_in_its_help() -> None:
    assert sorted(EXAMPLES_OF) == sorted(COMMANDS)
    for command, examples in EXAMPLES_OF.items():
        shown = " ".join(answer(command, "--help").out.split())
        assert len(examples) >= 2
        for line, what in examples.items():
            assert f"punto {command}" in line
            assert line in shown
            assert what in shown


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_an_example_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    piped = ""
    for part in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.StringIO(piped))
        done = call(*shlex.split(part)[1:])
        assert done.status == 0, done.err
        piped = done.out
    assert piped.strip()
    if "--json" not in line and "schema" not in line:
        check_numbers(piped)


def check_numbers(shown: str) -> None:
    """Money has decimals only where there are any, and value is the house edge before anything else."""
    assert not re.search(r"\d\.00(?![\d%]| %)", shown)
    for head in shown.splitlines():
        columns = re.split(r"\s{2,}", head.strip())
        if {"Expectation", "Mean", "Exact"} & {*columns}:
            assert "House edge" in head.partition("Expectation")[0].partition("Mean")[0]
