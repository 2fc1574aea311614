"""A game of `punto play` whose lines come from a pipe, and a book of one's own for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.pseudo_terminal import SCRIPT


def piped(folder: Path, lines: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, "play", *arguments],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "PYTHONIOENCODING": "utf-8",
            **settings,
        },
    )
