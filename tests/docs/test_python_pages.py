"""The reference for Python programs is what the code says: every name of the front door, every call of the client."""

from __future__ import annotations

import doctest
import re

import punto
from tests.client.test_api_call import METHODS
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
