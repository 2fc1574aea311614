"""The notebooks run from top to bottom, and are kept with what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.notebooks import FOLDER, run, written

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[path.name for path in NOTEBOOKS])
def test_a_notebook_is_kept_with_the_output_that_it_gives(notebook: Path) -> None:
    done = run(notebook)
    assert notebook.read_text(encoding="utf-8") == written(done), "it is out of date: run make notebooks"
    shown = [output for cell in done["cells"] for output in cell.get("outputs", [])]
    assert sum("text/html" in output.get("data", {}) for output in shown) >= 5


def test_there_is_a_notebook() -> None:
    assert [path.name for path in NOTEBOOKS] == ["exact-odds.ipynb", "learn-insurance.ipynb"]
