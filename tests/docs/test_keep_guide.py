"""The guide to keeping a table works as it stands, from nothing to a restored backup."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.called import call

TEXT = (Path(__file__).parents[2] / "docs/guides/keep-a-table.md").read_text(encoding="utf-8")
LINES = re.findall(r"^    ((?:punto|echo) .*)$", TEXT, flags=re.MULTILINE)
FILES = dict(
    zip(re.findall(r"into `(\w+\.punto)`", TEXT), re.findall(r"```punto\n(.*?)```", TEXT, re.DOTALL), strict=True)
)


@pytest.mark.slow
def test_every_line_of_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"PUNTO_DATABASE": "house.db", "PUNTO_KEY": "5a" * 32}.items():
        monkeypatch.setenv(name, value)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(LINES) >= 18
    shown = {}
    for line in LINES:
        said, _, command = line.rpartition(" | ")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(_echoed(said).encode())))
        done = call(*shlex.split(command)[1:])
        assert (done.status, done.err) == (0, ""), line
        shown[line] = done.out
    assert "USD 900" in shown["punto account show Lee"]
    assert "refused" not in shown["punto table run main-1 begin.punto"]
    assert "main-1" in shown["punto table list --database again.db"]
    assert "-500" in call("account", "statement", "Lee").out


def _echoed(said: str) -> str:
    return f"{shlex.split(said)[1]}\n" if said else ""
