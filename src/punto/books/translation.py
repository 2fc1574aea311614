"""The five books in Chinese: their titles and clauses, which pages show in place of the English.

A book may carry its own Chinese, and a designer's does. The five built-in books do not: their digests are
published and stand in stored tables, and every word in a book counts in its digest. Their Chinese lies
beside them in `chinese/`, by the numbers of the clauses. It is looked up by the English text, so that it
serves a book that extends one of the five too, as far as it keeps the words of that one.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from punto.books import NAMES, built_in_source
from punto.rules.book_text import BookWords, ClauseWords
from punto.rules.entry import Entry, Line, Text

CHINESE_FOLDER = Path(__file__).with_name("chinese")


class TranslatedClause(Entry, frozen=True):
    """A clause of a built-in book in Chinese."""

    number: Line
    zh_hans: ClauseWords
    zh_hant: ClauseWords


class TranslatedBook(Entry, frozen=True):
    """A built-in book in Chinese."""

    digest: Text
    """The digest of the book that these words were written for."""
    zh_hans: BookWords
    zh_hant: BookWords
    clauses: tuple[TranslatedClause, ...]


class Chinese(NamedTuple):
    """A text in both Chinese scripts."""

    zh_hans: str
    zh_hant: str


def read_translation(name: str) -> TranslatedBook:
    """The Chinese of a built-in book."""
    text = (CHINESE_FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), TranslatedBook)


def chinese_of(english: str) -> Chinese | None:
    """A title, or the sense or reading of a clause, in Chinese; None where no built-in book has this text."""
    return _known_words().get(english)


@lru_cache(maxsize=1)
def _known_words() -> dict[str, Chinese]:
    known: dict[str, Chinese] = {}
    for name in NAMES:
        book = tomllib.loads(built_in_source(name).text)
        words = read_translation(name)
        known[book["title"]] = Chinese(words.zh_hans.title, words.zh_hant.title)
        clauses = {clause["number"]: clause for clause in book["clauses"]}
        for clause in words.clauses:
            english, hans, hant = clauses[clause.number], clause.zh_hans, clause.zh_hant
            known[english["sense"]] = Chinese(hans.sense, hant.sense)
            if hans.reading and hant.reading:
                known[english["reading"]] = Chinese(hans.reading, hant.reading)
    return known
