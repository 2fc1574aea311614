"""Python that pages show for notebooks runs, and gives what they show."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if ">>> import punto" in page.read_text(encoding="utf-8")]


def test_there_are_pages_to_run() -> None:
    assert {page.name for page in PAGES} >= {"python-in-ten-minutes.md", "study-a-bet.md", "python.md"}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_comes_out(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert failed == 0 and tried >= 3
