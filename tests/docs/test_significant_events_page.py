"""docs/reference/significant-events.md lists every code, and every language has words for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.store.chain import HouseAct, HouseCode
from punto.words import languages, phrases

PAGE = (Path(__file__).parents[2] / "docs/reference/significant-events.md").read_text(encoding="utf-8")
CODES = [code.value for code in HouseCode]


@pytest.mark.gli("2.8.8")
def test_every_code_is_listed_once_and_no_other() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGE.split("## Codes")[1], re.MULTILINE)
    assert sorted(code for row in rows for code in re.findall(r"`([a-z-]+)`", row)) == sorted(CODES)


def test_every_field_is_described() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGE.split("## An event")[1].split("##")[0], re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`([a-z]+)`", row)) == sorted(HouseAct.__struct_fields__)


@pytest.mark.parametrize("language", languages())
def test_every_code_has_words(language: str) -> None:
    words = phrases(language, "significant.json")
    assert sorted(key.removeprefix("codes.") for key in words if key.startswith("codes.")) == sorted(CODES)
