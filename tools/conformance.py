"""Writes docs/reference/conformance.md: every clause of every book, and the tests that check it; and gli-19.md beside
it, the same for a standard of test laboratories (`tools/standard.py`).

    python tools/conformance.py

A test checks a clause when it is marked `@pytest.mark.clause("commission", "3.4")`, or `@pytest.mark.gli("2.5.5")`. The
marks are read from the source of the tests without running them, so the arguments must be literal strings.
tests/clauses/held.txt lists every clause that ever had a test. The list only grows, and a clause on it
without a test is an error. tests/clauses/test_conformance.py checks the same in every test run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from punto import books
from punto.rules.book_text import BookText, Clause, ClauseKind, Irregularity
from punto.rules.wording import SILENT, decider_words, options_words, remedy_words

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import standard  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "conformance.md"
HELD = ROOT / "tests" / "clauses" / "held.txt"

INTRODUCTION = """\
Every clause of the five documents: what it means in our own words, how we read it where the text is not
clear, and the tests that check it; then what each book does when something goes wrong. What follows *We read*
is ours, and so is whatever is marked as a house term: the document does not say it. `make conformance` writes
this page from the books and from the marks on the tests. A test run fails when the page is out of date or
when a clause has lost its last test."""

ClauseId = tuple[str, str]
"""Book name and clause number."""

Tests = dict[ClauseId, list[str]]
"""Names of tests by clause, each as `tests/clauses/test_ez.py::test_what_is_declared`."""


class WrongMark(Exception):
    """A mark that does not name a clause, or cannot be read."""


# ── Reading the marks ────────────────────────────────────────────────────────────────────────────────


def collect(root: Path = ROOT) -> Tests:
    """Every clause named in a mark, and the tests that have it."""
    found: Tests = {}
    for (book, number), test in _all_marks(root, CLAUSE):
        found.setdefault((book, number), []).append(test)
    return found


def collect_standard(root: Path = ROOT) -> standard.Tests:
    """Every clause of the standard named in a mark, and the tests that have it."""
    found: standard.Tests = {}
    for (number,), test in _all_marks(root, GLI):
        found.setdefault(number, []).append(test)
    return found


class Mark(NamedTuple):
    """A mark that tests can have, and the names of its arguments."""

    name: str
    arguments: tuple[str, ...]

    @property
    def needs(self) -> str:
        return " and ".join(self.arguments)


CLAUSE = Mark("pytest.mark.clause", ("book", "number"))
GLI = Mark("pytest.mark.gli", ("number",))


def _all_marks(root: Path, mark: Mark) -> Iterator[tuple[tuple[str, ...], str]]:
    for file in sorted((root / "tests").rglob("test_*.py")):
        name = file.relative_to(root).as_posix()
        yield from marks_in(file.read_text(encoding="utf-8"), name, mark)


def marks_in(source: str, file: str, mark: Mark = CLAUSE) -> Iterator[tuple[tuple[str, ...], str]]:
    """The marks of a kind in one file, each with its test; `WrongMark` if one is not a literal mark on a test."""
    if mark.name not in source:
        return
    tree = ast.parse(source)
    read: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == mark.name:
                    read |= {decorator, decorator.func}
                    yield _arguments_of(decorator, file, mark), f"{file}::{node.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == mark.name and node not in read:
            raise WrongMark(f"{file}:{node.lineno}: {mark.name} must be a decorator on a test, with {mark.needs}")


def _arguments_of(call: ast.Call, file: str, mark: Mark) -> tuple[str, ...]:
    values = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if len(call.args) != len(mark.arguments) or call.keywords or len(values) != len(call.args):
        raise WrongMark(f"{file}:{call.lineno}: {mark.name} needs {mark.needs}, as literal strings and nothing else")
    return tuple(values)


# ── Checking them ────────────────────────────────────────────────────────────────────────────────────


def all_clauses() -> dict[ClauseId, Clause]:
    """Every clause of the built-in books, in the order of the documents."""
    return {(name, clause.number): clause for name in books.NAMES for clause in books.load(name).clauses}


def unknown(tests: Tests) -> list[str]:
    """Marks that name a book or a clause that does not exist."""
    clauses = all_clauses()
    return [
        f"{test} is marked with clause {number} of {book}, which does not exist"
        for (book, number), names in tests.items()
        for test in names
        if (book, number) not in clauses
    ]


def read_held(text: str) -> list[ClauseId]:
    """The clauses of held.txt: a book and a number on each line."""
    pairs = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return [(book, number) for book, number in pairs]


def lost(tests: Tests, held: Iterable[ClauseId]) -> list[str]:
    """Clauses that used to have a test and now have none."""
    return [
        f"clause {number} of {book} used to have a test and now has none"
        for book, number in held
        if (book, number) not in tests
    ]


def format_held(held: Iterable[ClauseId]) -> str:
    """held.txt, in the order of the documents."""
    order = list(all_clauses())
    lines = [f"{book} {number}" for book, number in sorted(set(held), key=order.index)]
    head = "# Clauses that have a test. Written by `make conformance`, which only adds to this list."
    return "\n".join([head, *lines]) + "\n"


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────


def page(tests: Tests) -> str:
    """The whole page."""
    shelf = [books.load(name).text for name in books.NAMES]
    parts = [_head(shelf, tests), *(_chapter(book, tests) for book in shelf)]
    return "\n\n".join(parts) + "\n"


def _head(shelf: list[BookText], tests: Tests) -> str:
    rows = ["| book | clauses | behaviour clauses | with a test | without |", "|---|---:|---:|---:|---:|"]
    for book in shelf:
        behaviour = _behaviour(book)
        held = sum((book.name, clause.number) in tests for clause in behaviour)
        counts = (len(book.clauses), len(behaviour), held, len(behaviour) - held)
        rows.append(f"| [{book.name}](#{book.name}) | {' | '.join(map(str, counts))} |")
    return "\n".join(["# Conformance", "", INTRODUCTION, "", *rows])


def _chapter(book: BookText, tests: Tests) -> str:
    lines = [
        f"## {book.name}",
        "",
        f"{book.source}{f', in effect from {book.effective}' if book.effective else ''}.",
        "",
    ]
    open_numbers = [clause.number for clause in _behaviour(book) if (book.name, clause.number) not in tests]
    if open_numbers:
        lines += [f"Behaviour clauses without a test: {', '.join(open_numbers)}.", ""]
    lines += ["| clause | kind | sense | tests |", "|---|---|---|---|"]
    for clause in book.clauses:
        names = tests.get((book.name, clause.number), [])
        reading = f"<br>*Our reading:* {clause.reading}" if clause.reading else ""
        lines.append(f"| {clause.number} | {clause.kind.value} | {clause.sense}{reading} | {_links(names, clause)} |")
    return "\n".join([*lines, "", *_irregularities(book)])


def _irregularities(book: BookText) -> list[str]:
    """What is done when something goes wrong, and on whose word."""
    return [
        f"When something goes wrong at a table of {book.name}:",
        "",
        "| found | what is done | who decides | clauses |",
        "|---|---|---|---|",
        *map(_irregularity, book.irregularities),
    ]


def _irregularity(entry: Irregularity) -> str:
    done = "; ".join(filter(None, (remedy_words(entry.remedy), options_words(entry.options))))
    ours = "" if entry.clause else f" ({SILENT})"
    named = (entry.clause, entry.void_clause, entry.options_clause, entry.replace_clause, entry.orders_clause)
    clauses = ", ".join(dict.fromkeys(filter(None, named)))
    decider = decider_words(entry) or "nobody has to"
    return f"| `{entry.kind.value}`: {entry.label} | {done}{ours} | {decider} | {clauses} |"


def _links(names: list[str], clause: Clause) -> str:
    if not names:
        return "**no test yet**" if clause.kind is ClauseKind.BEHAVIOUR else ""
    links = []
    for name in sorted(set(names)):
        file, test = name.split("::")
        links.append(f"[{test}](../../{file})")
    return "<br>".join(links)


def _behaviour(book: BookText) -> list[Clause]:
    return [clause for clause in book.clauses if clause.kind is ClauseKind.BEHAVIOUR]


def main() -> int:
    """Write the pages and held.txt, or print what is wrong."""
    try:
        tests, shown = collect(), collect_standard()
    except WrongMark as error:
        print(f"punto: {error}", file=sys.stderr)
        return 1
    held = read_held(HELD.read_text(encoding="utf-8")) if HELD.exists() else []
    clauses = standard.load()
    problems = unknown(tests) + lost(tests, held) + standard.problems(clauses, shown)
    if problems:
        print("\n".join(f"punto: {problem}" for problem in problems), file=sys.stderr)
        return 1
    pages = {PAGE: page(tests), standard.PAGE: standard.page(clauses, shown)}
    _write({**pages, HELD: format_held([*held, *tests])})
    return 0


def _write(files: Mapping[Path, str]) -> None:
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"punto: wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
