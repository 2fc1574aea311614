"""The words of the pages are in the script that their file is named for."""

from __future__ import annotations

import re

import pytest

from tests.books.test_translation import HONG_KONG
from tests.web.test_page_types import WORDS

CODECS = {"hans": "gb2312", "hant": "big5"}
ROAD = set("曱甴")
"""The cockroach road is written with two Cantonese characters in both scripts."""


@pytest.mark.parametrize("script", CODECS)
def test_no_character_is_of_the_other_script(script: str) -> None:
    files = sorted(WORDS.rglob(f"*zh-{script}*"))
    assert len(files) == 3
    shown = set(re.findall(r"[\u3400-\u9fff]", "".join(file.read_text(encoding="utf-8") for file in files)))
    allowed = ROAD | (HONG_KONG if script == "hant" else set())
    assert [one for one in sorted(shown - allowed) if not _has(CODECS[script], one)] == []


def _has(codec: str, character: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("word", ["桌", "檯", "帳", "收銀", "空白鍵", "字節", "“", "”"])
def test_traditional_pages_have_one_word_for_a_thing(word: str) -> None:
    """Beside 枱, 賬房, 空格鍵, 位元組 and 「」, another word for the same thing would be a slip."""
    assert [file.name for file in WORDS.rglob("*zh-hant*") if word in file.read_text(encoding="utf-8")] == []
