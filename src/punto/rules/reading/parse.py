"""From the text of a book file to a `BookText`, or to every problem found on the way.

First the files that make up the book (`resolve`), then the shape (keys and kinds of values, `shape`), then
the sense (`validate`). The compiler proves the rest: that every possible deal has exactly one result for
every bet.
"""

from __future__ import annotations

import msgspec

from punto.rules.reading.book_source import (
    BookSource,
    Loader,
    Taker,
    no_catalogue,
    no_other_files,
)
from punto.rules.reading.problem import BookError
from punto.rules.reading.resolve import Resolved, resolve
from punto.rules.reading.sense import sense_problems
from punto.rules.reading.shape import shape_problems
from punto.rules.reading.validate import validate
from punto.rules.text.book_text import BookText


def parse_book(
    text: str, file: str, loader: Loader = no_other_files, taker: Taker = no_catalogue
) -> BookText:
    """The book that a TOML text says; `file` names it in errors, and the rest is what it builds on."""
    return parse_resolved(resolve(BookSource(file, text), loader, taker))


def parse_resolved(resolved: Resolved) -> BookText:
    """The book that these values are; problems carry the files and lines they stand at."""
    try:
        book = msgspec.convert(resolved.values, BookText)
    except msgspec.ValidationError:
        problems = shape_problems(resolved.values)
        assert problems, "a book that does not convert has a problem"
        raise BookError(resolved.source.file, resolved.located(problems)) from None
    if problems := [*validate(book), *sense_problems(book)]:
        raise BookError(resolved.source.file, resolved.located(problems))
    return book
