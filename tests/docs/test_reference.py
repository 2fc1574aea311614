"""What docs/reference says of the code is what the code says; `make reference` writes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.cli.commands import LINES
from punto.cli.doctor_command import OTHER_VARIABLES
from punto.server.app import INSIDE
from tools import reference
from tools.reference_calls import WITHOUT
from tools.reference_words import NoWords, in_cell, sentence, table

ROOT = Path(__file__).parents[2]
REMEDY = "run `make reference` and commit what it wrote"
PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if reference.blocks(page.read_text(encoding="utf-8"))]
SERVED = ROOT / "docs/reference/api-calls.md"
"""For this one a server runs for a while."""


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.name, marks=[pytest.mark.slow] if page == SERVED else []) for page in PAGES]
)
def test_a_page_says_what_the_code_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert reference.written(text) == text, REMEDY


def test_every_kind_of_block_is_on_a_page() -> None:
    names = [name for page in PAGES for name in reference.blocks(page.read_text(encoding="utf-8"))]
    assert {name.split()[0] for name in names} == set(reference.BLOCKS)
    assert {name.removeprefix("usage ") for name in names if name.startswith("usage ")} == set(LINES)
    assert len(names) == len(set(names))


def test_every_call_is_shown() -> None:
    text = SERVED.read_text(encoding="utf-8")
    for endpoint in INSIDE:
        section = text.split(f"\n### {endpoint.method} {endpoint.path}\n")[1].split("\n### ")[0]
        assert ("```http" in section) != (f"{endpoint.method} {endpoint.path}" in WITHOUT)


def test_what_is_old_is_written_anew() -> None:
    old = "# A page\n\n<!-- made by make reference: usage demo -->\nold\n<!-- end -->\n\nrest\n"
    new = reference.written(old)
    assert new == (
        "# A page\n\n<!-- made by make reference: usage demo -->\n\n"
        "```text\npunto demo [--json]\n```\n\n<!-- end -->\n\nrest\n"
    )
    assert reference.written(new) == new


def test_something_without_words_is_not_passed_over() -> None:
    class Silent:
        pass

    with pytest.raises(NoWords, match="Silent has no docstring"):
        sentence(Silent)


def test_sentences_stand_in_cells() -> None:
    assert in_cell("The call that\n    opens a round.") == "the call that opens a round"
    assert in_cell("Player wins.") == "Player wins"
    assert in_cell("JSON Lines.") == "JSON Lines"
    assert table(("a", "b"), [("x|y", "z")]) == "| a | b |\n|---|---|\n| x\\|y | z |"


def test_every_variable_of_the_environment_is_on_the_page() -> None:
    page = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8").split("## The environment")[1]
    assert set(re.findall(r"`(PUNTO_\w+)`", page)) == set(OTHER_VARIABLES)
    read = {
        name
        for module in (ROOT / "src").rglob("*.py")
        for name in re.findall(r'"(PUNTO_[A-Z_]+)"', module.read_text(encoding="utf-8"))
    }
    settings = set(re.findall(r"`(PUNTO_\w+)`", (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")))
    assert read - settings - {"PUNTO_"} == set()
