"""The pictures of README.md are what the commands print now; `make pictures` writes them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tools.pictures import FOLDER, pictures

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_pictures_are_up_to_date() -> None:
    for path, picture in pictures().items():
        assert path.read_text(encoding="utf-8") == picture, f"{path.name} is out of date: run make pictures"
        words = " ".join(element.text or "" for element in ET.fromstring(picture).iter())
        assert ("pays 3:2" in words) or ("Dragon 7" in words)


def test_readme_shows_them() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.glob("*.svg"):
        assert f"docs/pictures/{path.name}" in readme
