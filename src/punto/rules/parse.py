"""From TOML text to a `Book`, or to every problem found on the way.

First the shape (keys and types, by the fields of `Book`), then the sense (`validate`). The compiler proves
the rest: that every possible deal has exactly one result for every bet.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from punto.rules.book import Book
from punto.rules.locate import line_of
from punto.rules.problem import BookError, Place, Problem
from punto.rules.validate import validate


def parse_book(text: str, file: str) -> Book:
    """The book that a TOML text says; `file` names it in errors."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BookError(file, [Problem((), f"this is not TOML: {error}")]) from None
    except (RecursionError, ValueError):
        # Brackets inside brackets by the thousand, or a number too long to be one: the reader gives up.
        sentence = "it is nested too deeply, or holds a number that is too long"
        raise BookError(file, [Problem((), sentence)]) from None
    try:
        book = msgspec.convert(raw, Book)
    except msgspec.ValidationError:
        raise BookError(file, located(_shape_problems(raw), text)) from None
    if problems := validate(book):
        raise BookError(file, located(problems, text))
    return book


def located(problems: list[Problem], text: str) -> list[Problem]:
    """The problems with the lines of the text they stand at, first lines first."""
    found = [replace(problem, line=line_of(text, problem.place)) for problem in problems]
    return sorted(found, key=lambda problem: problem.line or 0)


def _shape_problems(raw: dict[str, Any]) -> list[Problem]:
    """Every entry that has the wrong shape. The converter stops at its first error, so each entry is asked
    alone.
    """
    hints = get_type_hints(Book, include_extras=True)
    required = {field.name for field in msgspec.structs.fields(Book) if field.required}
    problems = [Problem((name,), "there is no such key in a book") for name in raw if name not in hints]
    problems += [Problem((), f"the key {name} is missing") for name in hints if name in required - raw.keys()]
    for name, value in raw.items():
        if name in hints:
            problems += _entry_problems(value, hints[name], (name,))
    assert problems, "a book that does not convert has a problem"
    return problems


def _entry_problems(value: Any, kind: Any, place: Place) -> list[Problem]:
    if get_origin(kind) is tuple and isinstance(value, list):
        item = get_args(kind)[0]
        return [p for i, v in enumerate(value) for p in _entry_problems(v, item, (*place, i))]
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$")
        steps = re.findall(r"\.([A-Za-z0-9_]+)|\[(\d+)\]", path)
        inside: Place = tuple(int(index) if index else name for name, index in steps)
        return [Problem((*place, *inside), _plain(sentence))]
    return []


def _plain(sentence: str) -> str:
    """The converter's sentence in the words of a rule book."""
    words = {
        "Object missing required field": "the key is missing:",
        "Object contains unknown field": "there is no such key:",
    }
    for theirs, ours in words.items():
        sentence = sentence.replace(theirs, ours)
    return sentence[0].lower() + sentence[1:]
