"""Every command of the guide about audits runs, one after the other, as it is printed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.called import answer, call

TRIED = 3
"""With so many commands a reader tries it; then the past is changed."""
GUIDE = Path(__file__).parents[2] / "docs/guides/audit.md"


def lines() -> list[str]:
    text = GUIDE.read_text(encoding="utf-8")
    shown = [line.strip() for line in text.splitlines() if line.startswith("    punto ")]
    return [part for line in shown for part in line.split(" && ")]


def test_the_guide_leads_where_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_ANCHOR_KEY", "PUNTO_ANCHOR_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    answer("table", "new", "t1", "ez", "house")
    assert len(lines()) >= 8
    for line in lines()[:TRIED]:
        answer(*shlex.split(line)[1:])
    (change,) = re.findall(r'^    python -c "(.*)"$', GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    exec(change, {})
    found = call(*shlex.split(lines()[TRIED - 1])[1:])
    assert found.status == 1 and "try-1" in found.out + found.err
    for line in lines()[TRIED:]:
        answer(*shlex.split(line)[1:])
        if line.endswith("anchor-monday.json") and "anchor -o" in line:
            key = json.loads(Path("anchor-monday.json").read_text(encoding="utf-8"))["public_key"]
            for file in ("public-key.txt", "new-public-key.txt"):
                Path(file).write_text(key, encoding="ascii")
