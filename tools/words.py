"""What is missing or too much in the words of a language, beside English.

Usage: .venv/bin/python tools/words.py [LANGUAGE]

Adding a language is adding a folder to src/punto/words: copy `en`, translate, and run this until it is silent.
The five books are in English themselves; other languages have a file for each in `books`, with the title, every
clause, and every label that the book itself has not in that language.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from punto.books import NAMES, load
from punto.books.catalogue import catalogue
from punto.books.translation import read_catalogue_words, read_translation
from punto.rules.book import digest_of
from punto.rules.entry import Labels
from punto.rules.validation import book_entries
from punto.words import ENGLISH, FOLDER, Language

LEAVES_OUT = ("refusals.json",)
"""Files whose sentences may leave out gaps: some values of refusals are English sentences themselves."""
FORMS = "by"
"""The key of a sentence in several forms: which of its gaps chooses, such as a number with one and many."""

_GAP = re.compile(r"\{(\w+)\}")


def language_gaps(language: str, folder: Path = FOLDER) -> list[str]:
    """One line for each file, key and gap that a language has not, or has and English has not."""
    english, own = (_files(folder / name) for name in (ENGLISH, language))
    lines = [f"{language}/{name} is missing" for name in english if name not in own]
    lines += [f"{language}/{name} is not in English" for name in own if name not in english]
    for name in english:
        if name in own:
            ours, theirs = (dict(_sentences(_read(path))) for path in (own[name], english[name]))
            lines += [
                f"{language}/{name}: {line}" for line in _key_gaps(ours, theirs, may_leave_out=name in LEAVES_OUT)
            ]
    if language != ENGLISH:
        for name in NAMES:
            lines += [f"{language}/books/{name}.toml{line}" for line in _book_gaps(name, Language(language), folder)]
        lines += [f"{language}/books/catalogue.toml{line}" for line in _catalogue_gaps(Language(language), folder)]
    return lines


def _catalogue_gaps(language: Language, folder: Path) -> Iterator[str]:
    """What the words of the catalogue are missing, beside its bets."""
    try:
        words = read_catalogue_words(language, folder)
    except FileNotFoundError:
        yield " is missing"
        return
    notes = {bet.note for bet in catalogue().values() if bet.note}
    for what, own, needed in (("bet", words.names, catalogue().keys()), ("note", words.notes, notes)):
        yield from (f": the {what} {key} is missing" for key in sorted(needed - own.keys()))
        yield from (f": the {what} {key} is not in the catalogue" for key in sorted(own.keys() - needed))


def _book_gaps(name: str, language: Language, folder: Path) -> Iterator[str]:
    """What a translation of a built-in book is missing, beside the book."""
    book = load(name)
    try:
        words = read_translation(name, language, folder)
    except FileNotFoundError:
        yield " is missing"
        return
    if words.digest != digest_of(book):
        yield ": the book changed; look at its words, then write the new digest"
    ours = {clause.number: clause for clause in words.clauses}
    numbers = [clause.number for clause in book.clauses]
    yield from (f": clause {number} is missing" for number in numbers if number not in ours)
    yield from (f": clause {number} is not in the book" for number in ours if number not in numbers)
    for clause in book.clauses:
        if clause.number in ours and bool(ours[clause.number].reading) != bool(clause.reading):
            yield f": clause {clause.number} {'has no reading' if clause.reading else 'has a reading, the book none'}"
    labels = {entry.en: entry for _, entry in book_entries(book.text) if isinstance(entry, Labels)}
    needed = [english for english, label in labels.items() if label.own(language) is None]
    needed += [entry.label for entry in book.irregularities if entry.label not in needed]  # a book has these in English
    yield from (f": the label {english} is missing" for english in needed if english not in words.labels)
    yield from (f": the label {english} is not needed" for english in words.labels if english not in needed)


def _files(folder: Path) -> dict[str, Path]:
    """The files of a language; those of books are held to the books themselves."""
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file()}


def _read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    return words


def _sentences(words: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every sentence with its whole key, in all its forms."""
    for key, value in words.items():
        if isinstance(value, str):
            yield f"{above}{key}", (value,)
        elif FORMS in value:
            yield f"{above}{key}", tuple(value.values())
        else:
            yield from _sentences(value, f"{above}{key}.")


def _key_gaps(
    ours: Mapping[str, tuple[str, ...]], english: Mapping[str, tuple[str, ...]], *, may_leave_out: bool
) -> Iterator[str]:
    yield from (f"{key} is missing" for key in english if key not in ours)
    yield from (f"{key} is not in English" for key in ours if key not in english)
    for key, forms in ours.items():
        if key in english:
            own, needed = (set(_GAP.findall(" ".join(each))) for each in (forms, english[key]))
            yield from (f"{key} has {{{gap}}}, which English has not" for gap in sorted(own - needed))
            if not may_leave_out:
                yield from (f"{key} has no {{{gap}}}" for gap in sorted(needed - own))
            if not any(forms) and any(form.strip() for form in english[key]):
                yield f"{key} is empty"


def main() -> int:
    """Print what is missing, of one language or of all."""
    names = sys.argv[1:] or sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
    lines = [line for name in names if not name.startswith("_") for line in language_gaps(name)]
    print(*lines, sep="\n", end="\n" if lines else "")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
