"""Book files, read and written. Reading goes from TOML text, bounded in size, over templates of bets, words
of older files, and one file laid over another, to the values of one whole book, which remembers where
everything stands; these are checked and become a `BookText`. Writing gives TOML that reads back as the
same book.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from punto.rules.book_text import BookText
from punto.rules.entry import Entry, Text, UpToHundred
from punto.rules.validation import BookError, Place, Problem, line_of, shape_problems, validate_book


@dataclass(frozen=True, slots=True)
class BookSource:
    """A book file: what it is called in messages, its text, and what no other file has."""

    file: str
    text: str
    identity: str = ""  # Equal for the same file however it was named; empty where the name is all that is known.


class BaseNotFound(Exception):
    """The book that another one extends is not there or cannot be read; the sentence says so."""


Loader = Callable[[str, BookSource], BookSource]
"""The base of a book: its name, and the file in which that name stands. Raises `BaseNotFound`."""


def no_other_files(name: str, source: BookSource) -> BookSource:
    """The loader of those who have a text and nothing beside it."""
    raise BaseNotFound(f"the book {name} cannot be read from here: {source.file} stands alone")


class BetNotFound(Exception):
    """The catalogue has no bet of this name, or there is no catalogue; the sentence says so."""


Taker = Callable[[str], BookSource]
"""A bet of the catalogue by its name, as a piece of a book: `bets` and `clauses`. Raises `BetNotFound`."""


def no_catalogue(name: str) -> BookSource:
    """The taker of those who have no catalogue."""
    raise BetNotFound(f"the bet {name} cannot be taken from here: there is no catalogue")


FORMAT = 1  # The newest format of book files. Files of every format up to this one are read.


class BookFile(Entry, frozen=True):
    """Keys of the file itself, which are gone when a book is read: what is left is one `BookText`."""

    format: UpToHundred = FORMAT
    """The format of the file, a whole number. There is one so far: 1."""
    extends: Text | None = None
    """The book that this one builds on: a built-in name, or a file beside this one."""
    remove: tuple[Text, ...] = ()
    """What is not taken from that book: sections, keys and entries by name, such as bets.tie."""
    take: tuple[Text, ...] = ()
    """Bets of the catalogue that the book takes, by name, such as quik; punto bets lists them."""


# How large a book file may be: asked around the TOML reader, so that no text keeps it busy for long. The bounds are
# far beyond any book. docs/reference/limits.md lists them.
LONGEST_LINE = 100_000  # Characters of one line.
MOST_ENTRIES = 1000  # Entries of any one list or table.
MOST_STEPS = 20  # A key has fewer steps than this: `a.b.c` has three.
DEEPEST = 11  # Steps to the innermost value: `bets[0].pays[0].when[0].round[0].of.rank[0]` has eleven.

_KEY_STEP = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_DOTTED = re.compile(f"(?:{_KEY_STEP}){{{MOST_STEPS}}}")


def line_problem(text: str) -> Problem | None:
    """The first line that is too long, or has a key of too many steps."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            return Problem((), f"this line has more than {LONGEST_LINE:,} characters", number)
        if line.count(".") >= MOST_STEPS and _DOTTED.search(line):
            # The TOML reader takes far more than twice as long for twice as many steps.
            return Problem((), f"a key has {MOST_STEPS} steps or more", number)
    return None


def long_lists(values: object) -> Iterator[Problem]:
    """Lists and tables with more entries than a book can need, or nested deeper than any book goes."""
    waiting: list[tuple[Place, object]] = [((), values)]
    while waiting:
        place, value = waiting.pop()
        if not isinstance(value, (list, dict)):
            continue
        if len(value) > MOST_ENTRIES:
            yield Problem(place, f"there are at most {MOST_ENTRIES:,} entries here, and not {len(value):,}")
        elif len(place) >= DEEPEST:
            yield Problem(place, "no entry of a book is nested so deeply")
        else:
            steps = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*place, step), item) for step, item in steps]


# Templates of bets: one entry with a list in it, written out as one bet for each place of the list.
#
#     each = { total = [0, 1, 2], pays = ["150:1", "215:1", "225:1"] }
#     area = "egalite-{total}"
#
# A text that is nothing but `{total}` becomes the value itself, so that a number stays a number; inside a
# longer text the value is written out. Templates are gone before books are laid over one another: what
# extends a book names the bets that came of them.

EACH = "each"
MOST_COPIES = 64  # Bets of one template: no book has more bets.
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}", re.ASCII)


def template_problems(values: dict[str, Any]) -> Iterator[Problem]:
    bets = values.get("bets")
    for i, bet in enumerate(bets if isinstance(bets, list) else ()):
        if isinstance(bet, dict) and EACH in bet:
            yield from (Problem(("bets", i, key), sentence) for key, sentence in _template_faults(bet))


def template_copies(entry: Any, place: Place) -> list[Any]:
    """The entries that an entry of a list stands for: those of a template, or the entry itself."""
    if place != ("bets",) or not isinstance(entry, dict) or EACH not in entry:
        return [entry]
    rest = {key: value for key, value in entry.items() if key != EACH}
    lists: dict[str, list[Any]] = entry[EACH]
    return [_filled(rest, dict(zip(lists, values, strict=True))) for values in zip(*lists.values(), strict=True)]


def _template_faults(bet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    each = bet[EACH]
    if not isinstance(each, dict) or not each or not all(isinstance(one, list) for one in each.values()):
        yield EACH, "each is a table of lists, such as { total = [0, 1, 2] }"
        return
    lengths = {name: len(values) for name, values in each.items()}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        yield EACH, f"the lists of each have the same number of values; {sizes}"
    elif not 1 <= next(iter(lengths.values())) <= MOST_COPIES:
        yield EACH, f"a template has 1 to {MOST_COPIES} values, not {next(iter(lengths.values()))}"
    for name in each:
        if not _SLOT.fullmatch(f"{{{name}}}"):
            yield EACH, f"{name!r} is not a name for a value; write lower case letters, digits and underscores"
    used = set(_slots({key: value for key, value in bet.items() if key != EACH}))
    for name in sorted(used - each.keys()):
        yield EACH, f"{{{name}}} stands in the bet, but each has no list {name}"
    if not used & {name for name in each if name in _SLOT.findall(str(bet.get("area", "")))}:
        yield "area", f"the area of a template has a value in it, such as egalite-{{{next(iter(each))}}}"


def _slots(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _SLOT.findall(value)
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _slots(inner)


def _filled(value: Any, values: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, values) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, values) for inner in value]
    if not isinstance(value, str):
        return value
    whole = _SLOT.fullmatch(value)
    return values[whole[1]] if whole else _SLOT.sub(lambda slot: str(values[slot[1]]), value)


# Kept books of every version load for ever. Before evidence decided what had happened at a table, a book had one
# entry for a card too many or exposed, and called everything else `other`. An entry under such a word is read as one
# entry for each word of today.
OLDER_KINDS: dict[str, tuple[str, ...]] = {"excess-or-exposed": ("excess", "exposed"), "other": ("uncovered",)}


def renewed_entry(place: Place, entry: Any) -> tuple[Any, ...]:
    """An entry of a list in the words of today; nearly always the entry itself."""
    if place != ("irregularities",) or not isinstance(entry, dict):
        return (entry,)
    kind = entry.get("kind")
    kinds = OLDER_KINDS.get(kind) if isinstance(kind, str) else None
    return (entry,) if kinds is None else tuple({**entry, "kind": kind} for kind in kinds)


# One book laid over another: sections, keys and entries by their names, each knowing the file it stands in. A section
# is laid over key by key, a list of named entries (bets, clauses, layouts, ...) entry by entry, and everything else is
# replaced whole. An entry that is there already is replaced where it stands; a new one comes last. Nothing here asks
# whether a value has the right shape: what is wrong is passed on and found later, at the line where it was written.


@dataclass(frozen=True, slots=True)
class Written:
    """A value as a file has it, and where."""

    value: Any
    source: BookSource
    place: Place


@dataclass(frozen=True, slots=True)
class Named:
    """A list of entries that have names; a name is None where an entry has none, or is not an entry."""

    entries: tuple[tuple[str | None, Written], ...]
    source: BookSource
    place: Place


@dataclass(frozen=True, slots=True)
class Keys:
    """A section, or the book as a whole."""

    of: dict[str, Written | Named | Keys]
    source: BookSource
    place: Place


def _offer_name(offer: dict[str, Any]) -> object:
    points = [offer.get("player_points"), offer.get("banker_points")]
    if not all(isinstance(numbers, list) for numbers in points):
        return None
    digits = ("".join(str(number) for number in sorted(numbers, key=str)) for numbers in points if numbers)
    return "/".join((str(offer.get("window")), str(offer.get("hand")), *digits))


NAMED: dict[Place, str] = {
    ("layouts",): "name",
    ("bets",): "area",
    ("declarations",): "name",
    ("irregularities",): "kind",
    ("authority",): "command",
    ("clauses",): "number",
    ("acknowledged",): "warning",
    ("insurance", "windows"): "name",
    ("insurance", "offers"): "",
    ("ante", "pairs"): "ante",
}
"""Lists whose entries have names, and the key that names an entry; an offer is named by what it is for."""


def written(value: dict[str, Any], source: BookSource) -> Keys:
    return Keys({key: _written(part, source, (key,)) for key, part in value.items()}, source, ())


def _written(value: Any, source: BookSource, place: Place) -> Written | Named | Keys:
    if isinstance(value, dict) and len(place) == 1:
        return Keys({key: _written(part, source, (*place, key)) for key, part in value.items()}, source, place)
    if isinstance(value, list) and place in NAMED:
        entries = (
            (entry_name(place, entry), Written(entry, source, (*place, i)))
            for i, v in enumerate(value)
            for copy in template_copies(v, place)
            for entry in renewed_entry(place, copy)
        )
        return Named(tuple(entries), source, place)
    return Written(value, source, place)


def entry_name(place: Place, entry: object) -> str | None:
    """The name of an entry of a list in `NAMED`; None where it has none."""
    if not isinstance(entry, dict):
        return None
    name = entry.get(NAMED[place]) if NAMED[place] else _offer_name(entry)
    return name if isinstance(name, str) else None


def laid_over(own: Keys, base: Keys) -> Keys:
    """All of the base, with what the own book adds and replaces."""
    merged = dict(base.of)
    for key, value in own.of.items():
        below = base.of.get(key)
        if isinstance(value, Keys) and isinstance(below, Keys):
            merged[key] = laid_over(value, below)
        elif isinstance(value, Named) and isinstance(below, Named):
            merged[key] = _entries_over(value, below)
        else:
            merged[key] = value
    return replace(own, of=merged)


def _entries_over(own: Named, base: Named) -> Named:
    new = {name: entry for name, entry in reversed(own.entries) if name is not None}
    replaced = tuple((name, new.get(name, entry) if name else entry) for name, entry in base.entries)
    used = {id(entry) for _, entry in replaced}
    # An entry written twice in one file stays there twice, so that whoever checks the book finds it.
    return replace(own, entries=(*replaced, *(item for item in own.entries if id(item[1]) not in used)))


def added(book: Keys, piece: dict[str, Any], source: BookSource, place: Place) -> Keys:
    """The book with the named entries of a piece at the end of its lists; all of them stand at one place."""
    merged = dict(book.of)
    for key, entries in piece.items():
        below = merged.get(key, Named((), source, (key,)))
        if isinstance(below, Named):  # anything else has the wrong shape, which is found later
            new = ((entry_name((key,), entry), Written(entry, source, place)) for entry in entries)
            merged[key] = replace(below, entries=(*below.entries, *new))
    return replace(book, of=merged)


def has_entry(book: Keys, key: str, name: str) -> bool:
    part = book.of.get(key)
    return isinstance(part, Named) and any(one == name for one, _ in part.entries)


def without(book: Keys, path: str) -> Keys | None:
    """The book without a section, a key or a named entry, `bets.tie`; None where it has no such thing."""
    key, dot, rest = path.partition(".")
    part = book.of.get(key)
    if part is not None and not dot:
        return replace(book, of={name: value for name, value in book.of.items() if name != key})
    smaller: Named | Keys | None = None
    if isinstance(part, Keys):
        smaller = without(part, rest)
    elif isinstance(part, Named) and has_entry(book, key, rest):
        smaller = replace(part, entries=tuple(item for item in part.entries if item[0] != rest))
    return replace(book, of={**book.of, key: smaller}) if smaller is not None else None


def without_citations(book: Keys, gone: set[str]) -> Keys:
    """The book whose commissions cite none of these clauses.

    A book could be extended without the clause on its commission before rows named their commission; it still can.
    """
    bets = book.of.get("bets")
    if not gone or not isinstance(bets, Named):
        return book
    entries = tuple((name, replace(entry, value=_uncited(entry.value, gone))) for name, entry in bets.entries)
    return replace(book, of={**book.of, "bets": replace(bets, entries=entries)})


def _uncited(value: Any, gone: set[str]) -> Any:
    """A bet, its rows or a row without the citation of these clauses in a commission."""
    if isinstance(value, list):
        return [_uncited(part, gone) for part in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"commission": {"clause": str(number)} as commission} if number in gone:
            return value | {"commission": {key: part for key, part in commission.items() if key != "clause"}}
        case {"pays": list(rows)}:
            return value | {"pays": _uncited(rows, gone)}
    return value


MOST_BASES = 20  # Books that extend one another in a row.


@dataclass(frozen=True, slots=True)
class Resolved:
    """The values of a whole book, a base and what each file lays over it, and where each of them stands.

    Resolving comes before anything is checked, so shape, sense and proof see one book and do not know of several
    files; here the file and the line of a problem are found again.
    """

    source: BookSource  # The file that was asked for.
    values: dict[str, Any]
    origins: dict[Place, tuple[BookSource, Place]]  # Of every part the file, and its place there.

    def located(self, problems: list[Problem]) -> list[Problem]:
        """The problems with the files and lines they stand at, first lines first."""
        located = [self.locate(problem) for problem in problems]
        return sorted(located, key=lambda problem: (problem.file or "", problem.line or 0))

    def locate(self, problem: Problem) -> Problem:
        """One problem with its line, and with its file where that is another one."""
        place = problem.place
        length = next((n for n in range(len(place), 0, -1) if place[:n] in self.origins), 0)
        source, start = self.origins[place[:length]] if length else (self.source, ())
        return _located(source, replace(problem, place=(*start, *place[length:])), self.source)


def resolve_source(source: BookSource, loader: Loader, taker: Taker = no_catalogue) -> Resolved:
    """The whole book that a file says, with all it builds on; `BookError` where that cannot be read."""
    origins: dict[Place, tuple[BookSource, Place]] = {}

    def plain(part: Written | Named | Keys, place: Place) -> Any:
        origins[place] = (part.source, part.place)
        if isinstance(part, Keys):
            return {key: plain(value, (*place, key)) for key, value in part.of.items()}
        if isinstance(part, Named):
            return [plain(entry, (*place, i)) for i, (_, entry) in enumerate(part.entries)]
        return part.value

    return Resolved(source, plain(_Reading(source, loader, taker).book(), ()), origins)


@dataclass(frozen=True, slots=True)
class _Reading:
    source: BookSource
    loader: Loader
    taker: Taker
    above: tuple[BookSource, ...] = ()  # The files that led to it, the one that was asked for first.

    def book(self) -> Keys:
        values = self._values()
        keys = {key: values.pop(key) for key in BookFile.__struct_fields__ if key in values}
        self._refuse(*shape_problems(keys, BookFile))
        if (number := keys.get("format", FORMAT)) > FORMAT:
            self._refuse(Problem(("format",), f"the file has format {number}; this Punto reads formats up to {FORMAT}"))
        own, extends, take = written(values, self.source), keys.get("extends"), keys.get("take", [])
        if extends is None:
            if "remove" in keys:
                self._refuse(Problem(("remove",), "there is nothing to remove from: the book extends no other"))
            return self._with_taken(own, take)
        if "name" not in values:
            self._refuse(Problem((), "the key name is missing: a book that extends another has a name of its own"))
        trimmed = self._trimmed(self._base(extends), extends, keys.get("remove", []))
        gone = {path.partition(".")[2] for path in keys.get("remove", []) if path.startswith("clauses.")}
        trimmed = without_citations(trimmed, {number for number in gone if not has_entry(own, "clauses", number)})
        # What is true of the base's document only is left out: a new book is another version of nothing. Where
        # the book has a title of its own, the Chinese ones of the base are titles of another book.
        left_out = {"version", "effective", *(("zh_hans", "zh_hant") if "title" in values else ())}
        below = replace(trimmed, of={key: part for key, part in trimmed.of.items() if key not in left_out})
        return self._with_taken(laid_over(own, below), take)

    def _values(self) -> dict[str, Any]:
        if problem := line_problem(self.source.text):
            self._refuse(problem)
        try:
            values = tomllib.loads(self.source.text)
        except tomllib.TOMLDecodeError as error:
            raise self._error(Problem((), f"this is not TOML: {error}")) from None
        except (RecursionError, ValueError):
            # Brackets inside brackets by the thousand, or a number too long to be one: the reader gives up.
            raise self._error(Problem((), "it is nested too deeply, or holds a number that is too long")) from None
        self._refuse(*long_lists(values))
        self._refuse(*template_problems(values))
        return values

    def _base(self, name: str) -> Keys:
        way, place = (*self.above, self.source), ("extends",)
        if len(way) > MOST_BASES:
            self._refuse(Problem(place, f"more than {MOST_BASES} books extend one another"))
        try:
            base = self.loader(name, self.source)
        except BaseNotFound as error:
            raise self._error(Problem(place, str(error))) from None
        if (base.identity or base.file) in {one.identity or one.file for one in way}:
            files = " extends ".join(one.file for one in (*way, base))
            self._refuse(Problem(place, f"the books go round in a circle: {files}"))
        return replace(self, source=base, above=way).book()

    def _trimmed(self, base: Keys, name: str, remove: list[str]) -> Keys:
        problems = []
        for i, path in enumerate(remove):
            smaller = without(base, path)
            if smaller is None:
                problems.append(Problem(("remove", i), f"{name} has no {path} that could be removed"))
            else:
                base = smaller
        self._refuse(*problems)
        return base

    def _with_taken(self, book: Keys, take: list[str]) -> Keys:
        """The book with the bets it takes from the catalogue; what is wrong with them stands at their name."""
        problems = []
        for i, name in enumerate(take):
            place: Place = ("take", i)
            try:
                piece = self.taker(name)
            except BetNotFound as error:
                problems.append(Problem(place, str(error)))
                continue
            if has_entry(book, "bets", name):
                problems.append(Problem(place, f"the book has a bet {name} already; take adds new bets only"))
            else:
                book = added(book, tomllib.loads(piece.text), self.source, place)
        self._refuse(*problems)
        return book

    def _refuse(self, *problems: Problem) -> None:
        if problems:
            raise self._error(*problems)

    def _error(self, *problems: Problem) -> BookError:
        first = self.above[0] if self.above else self.source
        return BookError(first.file, [_located(self.source, problem, first) for problem in problems])


def _located(source: BookSource, problem: Problem, first: BookSource) -> Problem:
    file = None if source is first else source.file
    return replace(problem, line=problem.line or line_of(source.text, problem.place), file=file)


def parse_book(text: str, file: str, loader: Loader = no_other_files, taker: Taker = no_catalogue) -> BookText:
    """The book that a TOML text says; `file` names it in errors, and the rest is what it builds on."""
    return parse_resolved(resolve_source(BookSource(file, text), loader, taker))


def parse_resolved(resolved: Resolved) -> BookText:
    """The book that these values are; problems carry the files and lines they stand at."""
    try:
        book = msgspec.convert(resolved.values, BookText)
    except msgspec.ValidationError:
        problems = shape_problems(resolved.values)
        assert problems, "a book that does not convert has a problem"
        raise BookError(resolved.source.file, resolved.located(problems)) from None
    if problems := validate_book(book):
        raise BookError(resolved.source.file, resolved.located(problems))
    return book


def book_toml(book: BookText) -> str:
    """The TOML text of a book; reading it gives an equal book, with the same digest."""
    values: dict[str, Any] = json.loads(msgspec.json.encode(book))
    sections = {key: value for key, value in values.items() if isinstance(value, dict) or _is_tables(value)}
    lines = [f"{key} = {_toml_value(value)}" for key, value in values.items() if key not in sections]
    for key, value in sections.items():
        for entry in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{key}]]" if isinstance(value, list) else f"[{key}]", *_toml_lines(entry)]
    return "\n".join(lines) + "\n"


def entry_toml(section: str, entry: Entry) -> str:
    """The TOML text of one entry of a list, such as `bets` or `clauses`."""
    return "\n".join((f"[[{section}]]", *_toml_lines(json.loads(msgspec.json.encode(entry))))) + "\n"


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _toml_lines(entry: dict[str, Any]) -> Iterator[str]:
    """The keys of a section or of an entry; lists of rows have one row to a line."""
    for key, value in entry.items():
        if _is_tables(value):
            yield f"{key} = ["
            yield from (f"  {_toml_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_toml_value(value)}"


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
