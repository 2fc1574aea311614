"""What the pages are compiled against is what the server sends."""

from __future__ import annotations

import pytest

from tools.page_types import FILES, FOLDER


@pytest.mark.parametrize("name", FILES)
def test_the_types_of_the_pages_are_those_of_the_server(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    assert kept == FILES[name](), "type: .venv/bin/python tools/page_types.py"
