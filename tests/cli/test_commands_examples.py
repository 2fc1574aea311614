"""The examples in every command's help work as they stand."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from punto.cli.commands import EXAMPLES_OF, LINES
from tests.cli.called import answer, call

ROOT = Path(__file__).parents[2]
STORED = [
    line
    for line in LINES
    if line.startswith(("table", "account", "people", "house", "audit", "replay", "backup", "restore"))
]
SERVED = ("serve",)
"""Goes on until it is stopped; tests/server/test_serving.py runs these."""
ALONE = [line for command, lines in EXAMPLES_OF.items() if command not in (*STORED, *SERVED) for line in lines]
TOGETHER = [line for command in EXAMPLES_OF if command in STORED for line in EXAMPLES_OF[command]]
"""Examples about a database, which is made by the first of them."""


def test_every_command_has_two_examples_in_its_help() -> None:
    assert sorted(EXAMPLES_OF) == sorted(LINES)
    for command, examples in EXAMPLES_OF.items():
        shown = " ".join(answer(*command.split(), "--help").out.split())
        assert len(examples) >= 2
        for line, what in examples.items():
            assert f"punto {command}" in line
            assert line in shown
            assert what in shown


@pytest.mark.slow
@pytest.mark.parametrize("line", ALONE)
def test_an_example_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _prepare(tmp_path, monkeypatch)
    _run(line, monkeypatch)


@pytest.mark.slow
def test_the_examples_about_a_database_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _prepare(tmp_path, monkeypatch)
    # A house that began today has no day that is over.
    monkeypatch.setattr("punto.floor.gaming_day.house_began", lambda _: 0)
    accounts = [line for line in TOGETHER if line.startswith(("punto account new", "punto account buy-in"))]
    for line in (*accounts, *(line for line in TOGETHER if line not in accounts)):
        _run(line, monkeypatch)


def _prepare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def _run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert not re.search(r"\d\.00(?![\d%]| %)", _without_z(shown))
    for head in shown.splitlines():
        columns = re.split(r"\s{2,}", head.strip())
        if {"Expectation", "Mean", "Exact"} & {*columns}:
            assert "House edge" in head.partition("Expectation")[0].partition("Mean")[0]


def _without_z(shown: str) -> str:
    """What is shown without the columns of z: these are no money, and any of them may come to +0.00."""
    lines, is_column = [], False
    for line in shown.splitlines():
        is_column = line.endswith("  z") or (is_column and re.search(r"\s[+-]\d+\.\d\d$|─$", line) is not None)
        lines.append(re.sub(r"[+-]\d+\.\d\d$", "", line) if is_column else line)
    return "\n".join(lines)


def test_a_z_of_nothing_is_no_money_and_money_is() -> None:
    head = "  Bet  House edge  Mean      z\n  ───  ──────────  ────  ─────\n"
    check_numbers(f"{head}  Tie  1 %  0.1  +0.00\n  Tie  1 %  0.1  -1.00")
    with pytest.raises(AssertionError):
        check_numbers(f"{head}  Tie  1.00  0.1  +0.00")
    with pytest.raises(AssertionError):
        check_numbers(f"{head}  Tie  1 %  0.1  +0.00\n  and it cost\n  you +5.00")
