"""What commands print as JSON is in the reference: every key of the answers that the examples of the help give."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from punto.cli.commands import EXAMPLES_OF
from tests.cli.called import call

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs/reference"
TEXT = (REFERENCE / "command-line.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## punto ([^\n]+)\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE))
LONG = ("audit watch", "count", "demo", "drill", "insurance", "play", "report", "schema", "serve", "simulate", "tune")
"""Goes on, asks, prints no JSON of its own, or computes for long; what is printed is held by tests of that command."""
FIRST = ("punto account new", "punto account buy-in")


def words_of(command: str) -> str:
    """The section of a command, of commands that it names, and the pages that it leads to."""
    own = SECTIONS[command]
    named = [text for name, text in SECTIONS.items() if f"`punto {name}" in own]
    pages = [(REFERENCE / page).resolve() for page in re.findall(r"\]\(([\w./-]+\.md)", own)]
    return "\n".join((own, *named, *(page.read_text("utf-8") for page in pages)))


def keys_of(printed: str) -> set[str]:
    """Of one document, or of the first of a list or of lines."""
    try:
        document: Any = json.loads(printed)
    except ValueError:
        lines = printed.splitlines()
        document = json.loads(lines[0]) if lines and lines[0].startswith("{") else {}
    first = document[0] if isinstance(document, list) and document else document
    return set(first) if isinstance(first, dict) else set()


@pytest.mark.slow
def test_every_key_is_in_the_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    lines = [(command, line) for command in EXAMPLES_OF if command not in LONG for line in EXAMPLES_OF[command]]
    seen, missing = set[str](), set[str]()
    for command, line in sorted(lines, key=lambda each: not each[1].startswith(FIRST)):
        if " | " in line:
            continue
        arguments = shlex.split(line)[1:]
        done = call(*arguments, *(() if "--json" in arguments else ("--json",)))
        if done.status < 2 and (keys := keys_of(done.out)):
            seen.add(command)
            text = words_of(command)
            missing |= {f"{command}: {key}" for key in keys if f"`{key}`" not in text and f'"{key}"' not in text}
    assert len(seen) > 45
    assert sorted(missing) == []
