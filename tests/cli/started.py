"""The command as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = "import sys; from punto.cli.main import main; sys.argv[0] = 'punto'; main()"
SETTLE = ("settle", "commission", "--cards", "KS 3H 9D 5C", "--bet", "player=100")


def process(*arguments: str, script: str = SCRIPT, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def redirected(where: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command with its streams set by a shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {where}', "sh", sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
