"""The notebooks run from top to bottom, and show tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
RUN = Path(__file__).with_name("run_notebook.py")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_runs_and_shows_tables(notebook: Path) -> None:
    ran = subprocess.run(
        [sys.executable, str(RUN), str(notebook)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    shown = [output for cell in json.loads(ran.stdout)["cells"] for output in cell.get("outputs", [])]
    assert sum("text/html" in output.get("data", {}) for output in shown) >= 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_is_kept_without_its_results(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["exact-odds.ipynb"]
