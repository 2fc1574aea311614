"""What is said of a book, in a sentence that every language has: its key in `words/*/book.toml`, and its gaps.

What is told is the English sentence, as text, so that whoever asks for no language need not know of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from punto.suggestion import nearest
from punto.words import ENGLISH, Language, phrases, said

Value = str | int | tuple[str, ...] | Callable[[Language], str]
"""What fills a gap: itself, something told, any of several, or what says it in a language."""


class Told(str):
    """A sentence in English, which is there in every other language too."""

    key: str
    values: dict[str, Value]

    def words_in(self, language: Language) -> str:
        return said(
            language, "book.toml", self.key, {name: _filling(one, language) for name, one in self.values.items()}
        )


def told(key: str, /, **values: Value) -> Told:
    sentence = Told(_said(key, values, ENGLISH))
    sentence.key, sentence.values = key, values
    return sentence


def words_in(sentence: str, language: Language) -> str:
    """A sentence in a language, as far as it was told and is not just text."""
    return sentence.words_in(language) if isinstance(sentence, Told) else str(sentence)


def meant(word: str, names: Iterable[str]) -> str:
    """A question to put behind a sentence; empty where no name is like the word."""
    name = nearest(word, names)
    return told("meant", name=name) if name is not None else ""


def _said(key: str, values: dict[str, Value], language: Language) -> str:
    return said(language, "book.toml", key, {name: _filling(one, language) for name, one in values.items()})


def _filling(value: Value, language: Language) -> str | int:
    if isinstance(value, tuple):
        say = phrases(language, "conditions.toml")
        words = [words_in(one, language) for one in value]
        return say["either"].join(filter(None, (say["listed"].join(words[:-1]), words[-1])))
    if isinstance(value, str):
        return words_in(value, language)
    return value if isinstance(value, int) else value(language)
