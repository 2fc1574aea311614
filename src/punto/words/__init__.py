"""The words of the house, one folder for each language: what conditions and remedies are made of, what the
dealer calls, refusals, events, the pages, and the five books.

English is the language that all others are held to: each has the same files with the same keys, and gaps
such as `{player}` in its sentences are filled in with the same values. Adding a language is adding a folder;
`tools/words.py` lists what is missing in one. JSON is what the pages read too, TOML is for us alone.

The files are part of the package, so that reading them is like importing a module: no rule depends on it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NewType

Language = NewType("Language", str)
"""A language by the name of its folder, which is also its key in labels of books and of the API: `zh_hans`."""
ENGLISH = Language("en")

FOLDER = Path(__file__).parent

Phrases = Mapping[str, str]  # Sentences with gaps by their keys; `has.player` is the key `player` of the table `has`.


@lru_cache(maxsize=1)
def languages() -> tuple[Language, ...]:
    """Every language that has a folder, English first."""
    names = sorted(folder.name for folder in FOLDER.iterdir() if (folder / "refusals.json").is_file())
    return (ENGLISH, *(Language(name) for name in names if name != ENGLISH))


@lru_cache(maxsize=64)
def phrases(language: Language, part: str) -> Phrases:
    """One file of a language, `conditions.toml`, with its tables laid out flat."""
    return dict(flat(read_words(language, part)))


def read_words(language: Language, part: str) -> dict[str, Any]:
    """One file of a language as it is written."""
    text = (FOLDER / language / part).read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text) if part.endswith(".json") else tomllib.loads(text)
    return words


def flat(words: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every sentence of a file with its whole key."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
