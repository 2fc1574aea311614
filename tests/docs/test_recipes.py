"""Recipes for changes name files, folders, pages and tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

from punto.cli.commands import LINES

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "docs/internals/recipes.md").read_text(encoding="utf-8")


def test_every_place_that_is_named_is_there() -> None:
    named = set(re.findall(r"\b(?:src|tests|tools|web)/[\w./-]*\w", RECIPES))
    assert len(named) > 40
    assert {place for place in named if not (ROOT / place).exists()} == set()


def test_every_name_of_the_code_is_there() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/punto").rglob("*.py"))
    names = set(re.findall(r"`([A-Z][a-z]+[A-Za-z]*)`", RECIPES))
    assert {"When", "Verb", "Endpoint", "QuestionKind"} <= names
    assert {name for name in names if not re.search(rf"\b{name}\b", source)} == set()


def test_every_kind_of_change_has_tests_to_run() -> None:
    parts = RECIPES.split("\n## ")[1:]
    assert len(parts) >= 9
    assert [part.partition("\n")[0] for part in parts if "pytest tests/" not in part] == []


TEMPLATES = [*(ROOT / ".github").rglob("*.md")]


def test_there_are_templates_for_a_mistake_an_idea_and_a_change() -> None:
    assert {path.name for path in TEMPLATES} == {"bug.md", "idea.md", "pull_request_template.md"}


def test_templates_name_what_is_there() -> None:
    """Pages of the repository, targets of make, and commands that answer."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in TEMPLATES)
    pages, targets = set(re.findall(r"\b[A-Z]+\.md\b", text)), set(re.findall(r"`make (\w+)`", text))
    assert pages >= {"SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"} and targets >= {"test", "reference"}
    assert {page for page in pages if not (ROOT / page).exists()} == set()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)} == set()
    assert {line for line in re.findall(r"`punto (\w+)`", text) if line not in LINES} == set()
