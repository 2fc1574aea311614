"""The tutorial, step by step in an empty folder; test_commands and test_transcripts compare what it shows."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.called import call

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/tutorials/first-hour.md"
README = ROOT / "README.md"


@pytest.mark.slow
def test_every_step_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    steps = re.findall(r"^    \$? ?(punto (?!play).*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {step.split()[1] for step in steps} == {"deal", "settle", "odds", "simulate", "report"}
    for step in steps:
        piped = ""
        for part in step.split(" | "):
            monkeypatch.setattr(sys, "stdin", io.StringIO(piped))
            done = call(*shlex.split(part)[1:])
            assert done.status == 0, f"{part}: {done.err}"
            piped = done.out
    assert (tmp_path / "commission.html").stat().st_size > 10_000


def test_readme_starts_with_what_works_after_make_run() -> None:
    """Nothing is shown as `$ punto` before the page has said how `punto` comes onto the PATH."""
    text = README.read_text(encoding="utf-8")
    before = text[: text.index("$ punto")]
    assert "make run" in before
    assert 'export PATH="$PWD/.venv/bin:$PATH"' in before
    assert "pipx install '.[all]'" in before
    assert "uv tool install '.[all]'" in before
