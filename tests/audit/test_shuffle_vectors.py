"""The published test vectors: they are what this version gives, and the short script in the documentation agrees."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest

from tests.test_tidy import ROOT
from tools import shoe_vectors

PUBLISHED = json.loads(shoe_vectors.FILE.read_text(encoding="utf-8"))


def script() -> Any:
    spec = importlib.util.spec_from_file_location("check_shoe", ROOT / "docs/examples/check_shoe.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_this_version_gives() -> None:
    assert json.loads(json.dumps(shoe_vectors.vectors())) == PUBLISHED


@pytest.mark.parametrize("vector", PUBLISHED["orders"], ids=lambda vector: f"{vector['table']}-{vector['shoe']}")
def test_the_script_of_the_documentation_finds_the_same_order(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["key"])
    assert script().order_of(key, vector["decks"]) == vector["order"].split()
    assert (vector["key"] == vector["seed"]) == (not vector["contributions"])


def test_records_that_fit_that_do_not_and_that_cannot_be_checked() -> None:
    found = {record["name"]: record["matches"] for record in PUBLISHED["records"]}
    assert {name for name, matches in found.items() if matches} == {"good"}
    assert {name for name, matches in found.items() if matches is None} == {"not opened", "not promised"}
