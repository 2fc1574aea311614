"""The reference for Python programs is what the code says: every name of the front door, every call of the client."""

from __future__ import annotations

import doctest
import re
from importlib import import_module

import punto
from tests.client.test_api_call import METHODS
from tests.docs.shell import PAGES
from tools import python_pages


def test_the_page_of_the_front_door_is_what_its_names_say() -> None:
    """`tools/python_pages.py` writes it anew."""
    assert python_pages.PYTHON.read_text(encoding="utf-8") == python_pages.python_page()


def test_the_page_of_the_client_is_what_its_calls_say() -> None:
    page = python_pages.client_page()
    assert python_pages.CLIENT.read_text(encoding="utf-8") == page
    assert {*re.findall(r"^\| `(\w+)\(", page, re.MULTILINE)} == METHODS.keys()


def test_the_page_of_agents_is_what_the_names_say() -> None:
    assert python_pages.AGENTS.read_text(encoding="utf-8") == python_pages.agents_page()


def test_every_column_of_rounds_is_named() -> None:
    """Those that are alike stand in one row."""
    rounds, page = punto.rounds("ez", 1), python_pages.PYTHON.read_text(encoding="utf-8")
    assert [name for name in rounds.columns if not name.startswith("net_") and f"`{name}`" not in page] == []
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", page, re.MULTILINE)
    assert len(rows) > 8 and [(name, str(rounds[name].dtype)) for name, _ in rows] == rows


def test_the_examples_are_true() -> None:
    result = doctest.testfile(str(python_pages.PYTHON), module_relative=False)
    assert result.attempted > 2 * len(python_pages.NAMES) and result.failed == 0


def test_every_dotted_name_of_the_pages_is_there() -> None:
    """`punto.odds.book_odds` in the text of a page; fields of traces and files are called alike."""
    pages = [page.read_text("utf-8") for page in PAGES if page.name != "metrics.md"]
    named = {name for page in pages for name in re.findall(r"`(punto(?:\.[a-zA-Z_]\w*)+)", page)}
    named -= {"punto.toml"}
    assert len(named) > 30
    assert sorted(name for name in named if not _is_there(name.split("."))) == []


def _is_there(parts: list[str]) -> bool:
    """Whether it is a module, or can be read from the longest module that its name begins with."""
    found: object = punto
    for end, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            try:
                import_module(".".join(parts[:end]))
            except ModuleNotFoundError:
                return False
        found = getattr(found, part)
    return True
