"""From book files to the values of one whole book: a base and what each file lays over it.

Resolving comes before anything is checked, so shape, sense and proof see one book and do not know of several
files. `Resolved` remembers where everything stands, and finds the file and the line of a problem again.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from typing import Any

from punto.rules.reading.book_source import (
    BaseNotFound,
    BetNotFound,
    BookSource,
    Loader,
    Taker,
    no_catalogue,
)
from punto.rules.reading.locate import line_of
from punto.rules.reading.patch import Keys, added, flattened, has_entry, laid_over, without, written
from punto.rules.reading.problem import BookError, Place, Problem
from punto.rules.reading.shape import shape_problems
from punto.rules.reading.size import line_problem, long_lists
from punto.rules.reading.template import template_problems
from punto.rules.text.book_file import FORMAT, BookFile

MOST_BASES = 20
"""Books that extend one another in a row."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The values of a whole book, and where each of them stands."""

    source: BookSource
    """The file that was asked for."""
    values: dict[str, Any]
    origins: dict[Place, tuple[BookSource, Place]]

    def located(self, problems: list[Problem]) -> list[Problem]:
        """The problems with the files and lines they stand at, first lines first."""
        found = [self.locate(problem) for problem in problems]
        return sorted(found, key=lambda problem: (problem.file or "", problem.line or 0))

    def locate(self, problem: Problem) -> Problem:
        """One problem with its line, and with its file where that is another one."""
        source, place = self._origin(problem.place)
        return _at(source, replace(problem, place=place), self.source)

    def _origin(self, place: Place) -> tuple[BookSource, Place]:
        for length in range(len(place), 0, -1):
            if place[:length] in self.origins:
                source, start = self.origins[place[:length]]
                return source, (*start, *place[length:])
        return self.source, place


def resolve(source: BookSource, loader: Loader, taker: Taker = no_catalogue) -> Resolved:
    """The whole book that a file says, with all it builds on; `BookError` where that cannot be read."""
    values, origins = flattened(_book(source, loader, taker, ()))
    return Resolved(source, values, origins)


def _book(source: BookSource, loader: Loader, taker: Taker, above: tuple[BookSource, ...]) -> Keys:
    """The book of one file; `above` are the files that led to it."""
    first = above[0] if above else source
    values = _values(source, first)
    keys = {key: values.pop(key) for key in BookFile.__struct_fields__ if key in values}
    _refuse(first, source, shape_problems(keys, BookFile))
    if (number := keys.get("format", FORMAT)) > FORMAT:
        sentence = f"the file has format {number}; this Punto reads formats up to {FORMAT}"
        _refuse(first, source, [Problem(("format",), sentence)])
    own, base, take = written(values, source), keys.get("extends"), keys.get("take", [])
    if base is None:
        if "remove" in keys:
            sentence = "there is nothing to remove from: the book extends no other"
            _refuse(first, source, [Problem(("remove",), sentence)])
        return _with_taken(own, take, taker, source, first)
    if "name" not in values:
        sentence = "the key name is missing: a book that extends another has a name of its own"
        _refuse(first, source, [Problem((), sentence)])
    below = _base(base, source, loader, taker, above)
    trimmed = _trimmed(below, base, keys.get("remove", []), source, first)
    whole = laid_over(own, _without_identity(trimmed, values))
    return _with_taken(whole, take, taker, source, first)


def _without_identity(base: Keys, own: dict[str, Any]) -> Keys:
    """The base without what is true of its document only: a new book is another version of nothing.

    Where the book has a title of its own, the Chinese ones of the base are titles of another book.
    """
    left_out = {"version", "effective", *(("zh_hans", "zh_hant") if "title" in own else ())}
    return replace(base, of={key: part for key, part in base.of.items() if key not in left_out})


def _base(name: str, source: BookSource, loader: Loader, taker: Taker, above: tuple[BookSource, ...]) -> Keys:
    way = (*above, source)
    place: Place = ("extends",)
    if len(way) > MOST_BASES:
        sentence = f"more than {MOST_BASES} books extend one another"
        raise _error(way[0], source, [Problem(place, sentence)])
    try:
        found = loader(name, source)
    except BaseNotFound as error:
        raise _error(way[0], source, [Problem(place, str(error))]) from None
    if any(found.is_same_as == one.is_same_as for one in way):
        files = " extends ".join(one.file for one in (*way, found))
        raise _error(way[0], source, [Problem(place, f"the books go round in a circle: {files}")])
    return _book(found, loader, taker, way)


def _trimmed(base: Keys, name: str, remove: list[str], source: BookSource, first: BookSource) -> Keys:
    """The base without what is removed from it."""
    problems = []
    for i, path in enumerate(remove):
        smaller = without(base, path)
        if smaller is None:
            problems.append(Problem(("remove", i), f"{name} has no {path} that could be removed"))
        else:
            base = smaller
    _refuse(first, source, problems)
    return base


def _with_taken(book: Keys, take: list[str], taker: Taker, source: BookSource, first: BookSource) -> Keys:
    """The book with the bets it takes from the catalogue; what is wrong with them stands at their name."""
    problems = []
    for i, name in enumerate(take):
        place: Place = ("take", i)
        try:
            piece = taker(name)
        except BetNotFound as error:
            problems.append(Problem(place, str(error)))
            continue
        if has_entry(book, "bets", name):
            problems.append(Problem(place, f"the book has a bet {name} already; take adds new bets only"))
        else:
            book = added(book, tomllib.loads(piece.text), source, place)
    _refuse(first, source, problems)
    return book


def _values(source: BookSource, first: BookSource) -> dict[str, Any]:
    problem = line_problem(source.text)
    if problem is not None:
        raise _error(first, source, [problem])
    try:
        values = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        problem = Problem((), f"this is not TOML: {error}")
    except (RecursionError, ValueError):
        # Brackets inside brackets by the thousand, or a number too long to be one: the reader gives up.
        problem = Problem((), "it is nested too deeply, or holds a number that is too long")
    else:
        _refuse(first, source, list(long_lists(values)))
        _refuse(first, source, list(template_problems(values)))
        return values
    raise _error(first, source, [problem])


def _refuse(first: BookSource, source: BookSource, problems: list[Problem]) -> None:
    if problems:
        raise _error(first, source, problems)


def _error(first: BookSource, source: BookSource, problems: list[Problem]) -> BookError:
    return BookError(first.file, [_at(source, problem, first) for problem in problems])


def _at(source: BookSource, problem: Problem, first: BookSource) -> Problem:
    file = None if source is first else source.file
    return replace(problem, line=problem.line or line_of(source.text, problem.place), file=file)
