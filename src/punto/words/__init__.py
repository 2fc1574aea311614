"""The words of the house, one folder for each language: what conditions and remedies are made of, what the
dealer calls, refusals, events, the pages, and the five books.

English is the language that all others are held to: each has the same files with the same keys, and gaps
such as `{player}` in its sentences are filled in with the same values. Adding a language is adding a folder;
`tools/words.py` lists what is missing in one. JSON is what the pages read too, TOML is for us alone.

The files are part of the package, so that reading them is like importing a module: no rule depends on it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NewType

import msgspec

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
    words: dict[str, Any] = msgspec.json.decode(text) if part.endswith(".json") else tomllib.loads(text)
    return words


def flat(words: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every sentence of a file with its whole key."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


class _Gaps(dict[str, str]):
    """What fills the gaps of a sentence, worked out as they are met."""

    def __init__(self, words: Phrases, values: Mapping[str, object]) -> None:
        super().__init__()
        self._words, self._values = words, values

    def __missing__(self, gap: str) -> str:
        value = self._values[gap]
        named = self._words.get(f"named.{gap}.{value}")
        if named is not None:
            return named.format_map(self)
        return f"{value:,}" if isinstance(value, int) else str(value)


def said(language: Language, part: str, key: str, values: Mapping[str, object]) -> str:
    """A sentence of a file with its gaps filled in. A value for which the file has words under `named`, by gap and
    value, is said in them; whole numbers are grouped."""
    words = phrases(language, part)
    return words[key].format_map(_Gaps(words, values))


if TYPE_CHECKING:

    class LabelView(msgspec.Struct, frozen=True):
        """A name or text in every language; a field for each is known when the words are."""

        en: str

        def __init__(self, *texts: str) -> None: ...

        def __getattr__(self, language: str) -> str: ...

else:
    LabelView = msgspec.defstruct(
        "LabelView",
        [(language, str) for language in languages()],
        frozen=True,
        module=__name__,
        namespace={"__doc__": "A name or text in every language; English where a book has none in one."},
    )


def in_every_language(words_in: Callable[[Language], str]) -> LabelView:
    return LabelView(*map(words_in, languages()))
