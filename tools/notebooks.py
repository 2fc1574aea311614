"""Runs the notebooks of docs/notebooks and keeps each with its output.

    python tools/notebooks.py

tests/docs/test_notebooks.py runs them in every test run and compares.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "notebooks"
RUN = ROOT / "tests" / "docs" / "run_notebook.py"


def run(notebook: Path) -> dict[str, Any]:
    """The notebook with its output, and without what differs from run to run."""
    ran = subprocess.run([sys.executable, str(RUN), str(notebook)], capture_output=True, text=True, check=True)
    done: dict[str, Any] = json.loads(ran.stdout)
    done["metadata"] = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
    for cell in done["cells"]:
        cell["metadata"].pop("execution", None)
    return done


def written(notebook: dict[str, Any]) -> str:
    """As a notebook is kept."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for path in sorted(FOLDER.glob("*.ipynb")):
        path.write_text(written(run(path)), encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
