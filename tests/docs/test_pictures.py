"""The pictures of README.md are what the commands print now; `make pictures` writes them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

from punto.cli.app import load_command
from tools.pictures import FOLDER, left_standing, pictures

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_pictures_are_up_to_date() -> None:
    for path, picture in pictures().items():
        assert path.read_text(encoding="utf-8") == picture, f"{path.name} is out of date: run make pictures"
        words = " ".join(element.text or "" for element in ET.fromstring(picture).iter())
        if path.name == "game.svg":
            # Each drawing of the cards took the place of the last: one before insurance, one at the end.
            assert words.count("BANKER") == 2
            assert words.count("Big road") == words.count("Cockroach") == 2
            assert words.count("pays 3:1") == 1
        else:
            # Every table stands there in one piece, with all its columns.
            assert words.count("House edge") == words.count("Exact expectation") == 1
            assert words.count("When") == words.count("Contribution") == 3


def test_a_drawing_that_was_drawn_over_is_not_in_the_picture() -> None:
    assert left_standing("head\none\ntwo\n\x1b[2A\x1b[Jthree\nfour\nfoot") == ["head", "three", "four", "foot"]


def test_readme_shows_them_and_the_table_first() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        assert f"docs/pictures/{path.name}" in readme
    assert re.findall(r"\]\((docs/pictures/[^)]*)\)", readme)[0] == "docs/pictures/table.webp"


def test_the_picture_of_the_table_is_small() -> None:
    assert (FOLDER / "table.webp").stat().st_size < 200_000
    with Image.open(FOLDER / "table.webp") as picture:
        assert picture.size == (1280, 720)


def test_readme_has_six_paths_with_a_first_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| .*\]\(docs/.*\|$", readme, re.MULTILINE)
    assert len(rows) == 6
    for row in (row.split() for row in rows if row.startswith("punto ")):
        assert load_command(" ".join(row[1:3]) if row[1] == "audit" else row[1]).params
