"""The five books and the catalogue in other languages: titles, clauses, labels and notes, which pages show in place of
the English.

A book may carry its own Chinese, and a designer's does. The five built-in books carry no more of it than the
labels on their layouts: their digests are published and stand in stored tables, and every word in a book
counts in its digest. The rest lies in `words/*/books`, by the numbers of the clauses. It is looked up by the
English text, so that it serves a book that extends one of the five, or takes a bet, as far as it keeps their words.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from punto.books import NAMES, built_in_source
from punto.books.catalogue import catalogue
from punto.rules.entry import Entry, Labels, Line, Text
from punto.words import ENGLISH, FOLDER, Language


class TranslatedClause(Entry, frozen=True):
    number: Line
    sense: Text
    reading: Text | None = None


class TranslatedBook(Entry, frozen=True):
    title: Line
    digest: Text  # The digest of the book that these words were written for.
    clauses: tuple[TranslatedClause, ...]
    labels: dict[str, Line] = msgspec.field(default_factory=dict)
    """By the English label, where the book itself has none in this language."""


class TranslatedCatalogue(Entry, frozen=True):
    names: dict[str, Line]
    """By the names of the bets in the catalogue."""
    notes: dict[str, Text]
    """By the English note, which several bets may share."""


def read_catalogue_words(language: Language, folder: Path = FOLDER) -> TranslatedCatalogue:
    text = (folder / language / "books/catalogue.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), TranslatedCatalogue)


def read_translation(name: str, language: Language, folder: Path = FOLDER) -> TranslatedBook:
    text = (folder / language / f"books/{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), TranslatedBook)


def translated(english: str, language: Language) -> str | None:
    """A title, a label, a note, or the sense or reading of a clause; None where neither a built-in book nor the
    catalogue has this text."""
    if language == ENGLISH:
        return None
    return _known_words(language).get(english) or _catalogue_words(language).get(english)


def name_in(labels: Labels, language: Language) -> str:
    """A label in a language: the book's own, else ours, else the English one."""
    return labels.own(language) or translated(labels.en, language) or labels.en


@lru_cache(maxsize=16)
def _known_words(language: Language) -> dict[str, str]:
    known: dict[str, str] = {}
    for name in NAMES:
        book = tomllib.loads(built_in_source(name).text)
        words = read_translation(name, language)
        known |= words.labels
        known[book["title"]] = words.title
        clauses = {clause["number"]: clause for clause in book["clauses"]}
        for clause in words.clauses:
            english = clauses[clause.number]
            known[english["sense"]] = clause.sense
            if clause.reading:
                known[english["reading"]] = clause.reading
    return known


@lru_cache(maxsize=16)
def _catalogue_words(language: Language) -> dict[str, str]:
    words, bets = read_catalogue_words(language), catalogue()
    names = {bets[name].labels.en: text for name, text in words.names.items()}
    senses = {bet.as_clause.sense: bet.sense_in(language, words.names[name]) for name, bet in bets.items()}
    return {**words.notes, **senses, **names}
