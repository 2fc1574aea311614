"""The README says how `punto` comes onto the PATH before it uses it; test_shell_lines follows it and the tutorials."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_readme_starts_with_what_works_after_make_run() -> None:
    """Nothing is shown as `$ punto` before the page has said how `punto` comes onto the PATH."""
    text = README.read_text(encoding="utf-8")
    before = text[: text.index("$ punto")]
    assert "make run" in before
    assert 'export PATH="$PWD/.venv/bin:$PATH"' in before
    assert "pipx install '.[all]'" in before
    assert "uv tool install '.[all]'" in before


@pytest.mark.parametrize("page", ["docs/README.md", "docs/zh-hans.md", "docs/zh-hant.md"])
def test_start_pages_begin_as_the_readme_does(page: str) -> None:
    """The same first command for the same reader, and the first page that the README names for that reader."""
    row = re.compile(r"^\|[^|]+\| `([^`]+)` \|(.*)\|$", re.MULTILINE)
    rows = row.findall(README.read_text(encoding="utf-8"))
    assert len(rows) == 6
    text = (ROOT / page).read_text(encoding="utf-8")
    found = row.findall(text)
    assert [command for command, _ in found] == [command for command, _ in rows]
    for (_, links), (_, due) in zip(found, rows, strict=True):
        first = due.split("](docs/")[1].split(")")[0]
        assert f"]({first})" in links, due
    if page != "docs/README.md":
        assert 'export PATH="$PWD/.venv/bin:$PATH"' in text and "make setup" in text
