"""The words of a language are in the script that its folder is named for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.words import FOLDER
from tests.books.test_translation import HONG_KONG

CODECS = {"hans": "gb2312", "hant": "big5"}
ROAD = set("曱甴")
"""The cockroach road is written with two Cantonese characters in both scripts."""


def files_of(script: str) -> list[Path]:
    return [path for path in (FOLDER / f"zh_{script}").rglob("*") if path.is_file()]


@pytest.mark.parametrize("script", CODECS)
def test_no_character_is_of_the_other_script(script: str) -> None:
    files = files_of(script)
    assert len(files) == 28
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
    assert [file.name for file in files_of("hant") if word in file.read_text(encoding="utf-8")] == []
