"""From TOML text to a `BookText`, or to every problem found on the way.

First the shape (keys and kinds of values, `shape`), then the sense (`validate`). The compiler proves
the rest: that every possible deal has exactly one result for every bet.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace

import msgspec

from punto.rules.reading.locate import line_of
from punto.rules.reading.problem import BookError, Problem
from punto.rules.reading.shape import shape_problems
from punto.rules.reading.validate import validate
from punto.rules.text.book_text import BookText


def parse_book(text: str, file: str) -> BookText:
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
        book = msgspec.convert(raw, BookText)
    except msgspec.ValidationError:
        problems = shape_problems(raw)
        assert problems, "a book that does not convert has a problem"
        raise BookError(file, located(problems, text)) from None
    if problems := validate(book):
        raise BookError(file, located(problems, text))
    return book


def located(problems: list[Problem], text: str) -> list[Problem]:
    """The problems with the lines of the text they stand at, first lines first."""
    found = [replace(problem, line=line_of(text, problem.place)) for problem in problems]
    return sorted(found, key=lambda problem: problem.line or 0)
