"""The conversations that the guides show are those that the commands hold."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import SCRIPT

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BEGIN = "    > punto "
TYPED = re.compile(r"^(?:your bets|insure [^(]+ \([^)]*\)|wager or give up|answer)> (.*)$")


def transcripts(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Commands shown as `> punto ...`, each with the conversation shown under it."""
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if not line.startswith(BEGIN):
            continue
        shown = []
        for below in lines:
            if below and not below.startswith("    "):
                break
            shown.append(below[4:])
        yield line.removeprefix(BEGIN), shown


FOUND = [(command, shown) for page in PAGES for command, shown in transcripts(page)]


@pytest.mark.parametrize(("command", "shown"), FOUND, ids=[command for command, _ in FOUND])
def test_a_conversation_goes_as_it_is_shown(command: str, shown: list[str], tmp_path: Path) -> None:
    typed = [match[1] for line in shown if (match := TYPED.match(line))]
    assert typed
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *shlex.split(command)],
        input="\n".join(typed) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    # Three dots stand for whatever comes there.
    pattern = re.escape("\n".join(shown).strip("\n")).replace(re.escape("..."), r"[\s\S]*")
    assert re.fullmatch(pattern, "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip("\n"))


def test_both_guides_show_one() -> None:
    assert {command.split()[0] for command, _ in FOUND} >= {"play", "drill"}
