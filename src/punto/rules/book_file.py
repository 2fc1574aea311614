"""Book files, read and written. Reading goes from TOML text, bounded in size, over templates of bets, words
of older files, and one file laid over another, to the values of one whole book, which remembers where
everything stands; these are checked and become a `BookText`. Writing gives TOML that reads back as the
same book.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from punto.malformed import toml_fault
from punto.rules.book_text import BookText, ClauseWords
from punto.rules.entry import Entry, Line, Text, UpToHundred
from punto.rules.outcome import INSURANCE, Hand
from punto.rules.shape import Shaped, shaped
from punto.rules.told import Told, told
from punto.rules.validation import BookError, Place, Problem, line_of, turned_texts, validate_book


class BookSource(msgspec.Struct, frozen=True):
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


class TakenLabels(Entry, frozen=True):
    """The name of a taken bet on a layout in Chinese."""

    zh_hans: Line | None = None
    """In simplified Chinese."""
    zh_hant: Line | None = None
    """In traditional Chinese."""


class Taken(Entry, frozen=True):
    """A bet of the catalogue with Chinese words of your own."""

    bet: Text
    """Its name in the catalogue."""
    labels: TakenLabels | None = None
    """Its name on the layout in Chinese."""
    zh_hans: ClauseWords | None = None
    """Sense and reading of its clause in simplified Chinese."""
    zh_hant: ClauseWords | None = None
    """Sense and reading of its clause in traditional Chinese."""


class BookFile(Entry, frozen=True):
    """Keys of the file itself, which are gone when a book is read: what is left is one `BookText`."""

    format: UpToHundred = FORMAT
    """The format of the file, a whole number. There is one so far: 1."""
    extends: Text | None = None
    """The book that this one builds on: a built-in name, or a file in the same folder."""
    remove: tuple[Text, ...] = ()
    """What is not taken from that book: sections, keys and entries by name, such as bets.tie."""
    take: tuple[Text | Taken, ...] = ()
    """Bets of the catalogue that the book takes, each by its name, such as quik, or with Chinese words beside it."""


# How large a book file may be: asked around the TOML reader, so that no text keeps it busy for long. The bounds are
# far beyond any book. docs/reference/limits.md lists them.
LONGEST_LINE = 100_000  # Characters of one line.
MOST_ENTRIES = 1000  # Entries of any one list or table.
MOST_STEPS = 20  # A key has fewer steps than this: `a.b.c` has three.
MOST_BITS = 14_280  # Of a whole number: Python writes none of more than 4,300 digits.
DEEPEST = 11  # Steps to the innermost value: `bets[0].pays[0].when[0].round[0].of.rank[0]` has eleven.

_KEY_STEP = r"""(?:(?<![\w-])[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_DOTTED = f"(?:{_KEY_STEP}){{{MOST_STEPS}}}"


def line_problem(text: str) -> Problem | None:
    """The first line that is too long, or has a key of too many steps."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            return Problem((), told("long-line", most=LONGEST_LINE), number)
        if line.count(".") >= MOST_STEPS and re.search(_DOTTED, line):
            # The TOML reader takes far more than twice as long for twice as many steps.
            return Problem((), told("long-key", most=MOST_STEPS), number)
    return None


def long_lists(values: object) -> Iterator[Problem]:
    """Lists and tables with more entries than a book can need, or nested deeper than any book goes; and numbers that
    cannot even be said, which TOML allows in other figures than ours.
    """
    waiting: list[tuple[Place, object]] = [((), values)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            yield Problem(place, told("unreadable"))
        if not isinstance(value, (list, dict)):
            continue
        if len(value) > MOST_ENTRIES:
            yield Problem(place, told("long-list", most=MOST_ENTRIES, number=len(value)))
        elif len(place) >= DEEPEST:
            yield Problem(place, told("deep"))
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
LONGEST_WRITTEN_OUT = 2000  # Characters of a text with its values in it, as of any text of a book.
_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}", re.ASCII)


def template_problems(values: dict[str, Any]) -> Iterator[Problem]:
    bets = values.get("bets")
    for i, bet in enumerate(bets if isinstance(bets, list) else ()):
        if isinstance(bet, dict) and EACH in bet:
            yield from (Problem(("bets", i, key), sentence) for key, sentence in _template_faults(bet))


def too_many_copies(values: dict[str, Any]) -> Iterator[Problem]:
    """More bets than a list may have, once templates without faults are written out."""
    bets = values.get("bets")
    number = sum(_number_of_copies(bet) for bet in bets) if isinstance(bets, list) else 0
    if number > MOST_ENTRIES:
        yield Problem(("bets",), told("long-list", most=MOST_ENTRIES, number=number))


def _number_of_copies(bet: Any) -> int:
    return len(next(iter(bet[EACH].values()))) if isinstance(bet, dict) and EACH in bet else 1


def template_copies(entry: Any, place: Place) -> list[Any]:
    """The entries that an entry of a list stands for: those of a template, or the entry itself."""
    if place != ("bets",) or not isinstance(entry, dict) or EACH not in entry:
        return [entry]
    rest = {key: value for key, value in entry.items() if key != EACH}
    lists: dict[str, list[Any]] = entry[EACH]
    return [_filled(rest, dict(zip(lists, values, strict=True))) for values in zip(*lists.values(), strict=True)]


def _template_faults(bet: dict[str, Any]) -> Iterator[tuple[str, Told]]:
    each = bet[EACH]
    if not isinstance(each, dict) or not each or not all(isinstance(one, list) for one in each.values()):
        yield EACH, told("each-lists")
        return
    lengths = {name: len(values) for name, values in each.items()}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        yield EACH, told("each-lengths", sizes=sizes)
    elif not 1 <= next(iter(lengths.values())) <= MOST_COPIES:
        yield EACH, told("each-number", most=MOST_COPIES, number=next(iter(lengths.values())))
    for name in each:
        if not _SLOT.fullmatch(f"{{{name}}}"):
            yield EACH, told("each-name", name=repr(name))
    rest = {key: value for key, value in bet.items() if key != EACH}
    used = {slot for text in _texts(rest) for slot in _SLOT.findall(text)}
    for name in sorted(used - each.keys()):
        yield EACH, told("each-missing", slot=f"{{{name}}}", name=name)
    # Before anything is written out: a few thousand slots for a long value would fill the memory.
    longest = {name: max((len(str(value)) for value in values), default=0) for name, values in each.items()}
    for key, value in rest.items():
        if any(_written_out(text, longest) > LONGEST_WRITTEN_OUT for text in _texts(value)):
            yield key, told("too-long", most=LONGEST_WRITTEN_OUT)
    if not used & {name for name in each if name in _SLOT.findall(str(bet.get("area", "")))}:
        yield "area", told("each-area", slot=f"{{{next(iter(each))}}}")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _written_out(text: str, longest: dict[str, int]) -> int:
    """How long a text with slots can become; one that is nothing but a slot becomes the value itself."""
    slots = [] if _SLOT.fullmatch(text) else _SLOT.findall(text)
    return sum(longest.get(slot, 0) for slot in slots) + len(_SLOT.sub("", text)) if slots else 0


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


class Written(msgspec.Struct, frozen=True):
    """A value as a file has it, and where."""

    value: Any
    source: BookSource
    place: Place


class Named(msgspec.Struct, frozen=True):
    """A list of entries that have names; a name is None where an entry has none, or is not an entry."""

    entries: tuple[tuple[str | None, Written], ...]
    source: BookSource
    place: Place


class Keys(msgspec.Struct, frozen=True):
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


def without_stale_acknowledgements(base: Keys, own: Keys, taken: list[str]) -> Keys:
    """The base without its acknowledged warnings of what the own book writes anew.

    Who accepted a warning accepted it of the bet that was there: another bet of that name needs a word of its own.
    """
    accepted = base.of.get("acknowledged")
    changed = _changed_subjects(base, own) | set(taken)
    if not isinstance(accepted, Named):
        return base
    entries = tuple(item for item in accepted.entries if (item[0] or "").partition("/")[2] not in changed)
    return replace(base, of={**base.of, "acknowledged": replace(accepted, entries=entries)})


def _changed_subjects(base: Keys, own: Keys) -> set[str]:
    """What warnings may be about, of all that the own book writes: betting areas, and entries by section and name."""
    names = [(key, name) for key, part in own.of.items() if isinstance(part, Named) for name, _ in part.entries]
    changed = {f"{key}.{name}" for key, name in names} | {str(name) for key, name in names if key == "bets"}
    for pair in _raw_entries(base, "ante", "pairs"):
        areas = {str(pair.get("ante")), str(pair.get("wager"))}
        changed |= areas if areas & changed else set()  # an ante is worth what its wager makes it
    insurance = own.of.get("insurance")
    if isinstance(insurance, Keys):
        windows = _raw_entries(base, "insurance", "windows") + _raw_entries(own, "insurance", "windows")
        cards = {str(window.get("name")): window.get("cards") for window in windows}
        if insurance.of.keys() & {"windows", "tie"}:
            changed |= {f"{INSURANCE}{hand.value}-{number}" for hand in Hand for number in cards.values()}
        for offer in _raw_entries(own, "insurance", "offers"):
            changed.add(f"{INSURANCE}{offer.get('hand')}-{cards.get(str(offer.get('window')))}")
    return changed


def _raw_entries(book: Keys, section: str, key: str) -> list[dict[str, Any]]:
    """The entries of a list in a section, as they are written; empty where it has another shape."""
    part = book.of.get(section)
    entries = part.of.get(key) if isinstance(part, Keys) else None
    written = [entry.value for _, entry in entries.entries] if isinstance(entries, Named) else []
    return [value for value in written if isinstance(value, dict)]


MOST_BASES = 20  # Books that extend one another in a row.


class Resolved(msgspec.Struct, frozen=True):
    """The values of a whole book, a base and what each file lays over it, and where each of them stands.

    Resolving comes before anything is checked, so shape, sense and proof see one book and do not know of several
    files; here the file and the line of a problem are found again.
    """

    source: BookSource  # The file that was asked for.
    values: dict[str, Any]
    origins: dict[Place, tuple[BookSource, Place]]  # Of every part the file, and its place there.
    problems: tuple[Problem, ...] = ()
    """What is wrong with what the files build on, where the rest could be read all the same."""

    def located(self, problems: list[Problem]) -> list[Problem]:
        """These problems and those of resolving, with the files and lines they stand at, first lines first."""
        located = [*self.problems, *map(self.locate, problems)]
        return sorted(located, key=lambda problem: (problem.file or "", problem.line is None, problem.line or 0))

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

    reading = _Reading(source, loader, taker)
    values = plain(reading.book(), ())
    return Resolved(source, values, origins, tuple(reading.found))


class _Reading(msgspec.Struct, frozen=True):
    source: BookSource
    loader: Loader
    taker: Taker
    above: tuple[BookSource, ...] = ()  # The files that led to it, the one that was asked for first.
    found: list[Problem] = msgspec.field(default_factory=list)  # What is wrong so far, with files and lines.

    def book(self) -> Keys:
        values = self._values()
        keys = {key: values.pop(key) for key in BookFile.__struct_fields__ if key in values}
        shape = shaped(keys, BookFile)
        self._note(*shape.problems)
        wrong = {place[0] for place in shape.stand_ins}
        if "extends" in wrong:
            raise self._error()  # Of a book without its base nothing more can be said.
        keys = {key: value for key, value in keys.items() if key not in wrong}
        if (number := keys.get("format", FORMAT)) > FORMAT:
            self._refuse(Problem(("format",), told("newer-format", format=number, most=FORMAT)))
        own, extends = written(values, self.source), keys.get("extends")
        take = [one if isinstance(one, dict) else {"bet": one} for one in keys.get("take", [])]
        if extends is None:
            if "remove" in keys:
                self._note(Problem(("remove",), told("nothing-to-remove")))
            return self._with_taken(own, take)
        if "name" not in values:
            self._note(Problem((), told("no-own-name")))
        base = self._base(extends)
        if isinstance(below := base.of.get("name"), Written) and below.value == values.get("name"):
            self._note(Problem(("name",), told("name-of-base", name=str(below.value))))
        trimmed = self._trimmed(base, extends, keys.get("remove", []))
        gone = {path.partition(".")[2] for path in keys.get("remove", []) if path.startswith("clauses.")}
        trimmed = without_citations(trimmed, {number for number in gone if not has_entry(own, "clauses", number)})
        # What is true of the base's document only is left out: a new book is another version of nothing. Where
        # the book has a title of its own, the Chinese ones of the base are titles of another book.
        left_out = {"version", "effective", *(("zh_hans", "zh_hant") if "title" in values else ())}
        below = replace(trimmed, of={key: part for key, part in trimmed.of.items() if key not in left_out})
        below = without_stale_acknowledgements(below, own, [one["bet"] for one in take])
        return self._with_taken(laid_over(own, below), take)

    def _values(self) -> dict[str, Any]:
        if problem := line_problem(self.source.text):
            self._refuse(problem)
        try:
            values = tomllib.loads(self.source.text)
        except tomllib.TOMLDecodeError as error:
            raise self._error(Problem((), told("not-toml", why=toml_fault(error)))) from None
        except (RecursionError, ValueError):
            # Brackets inside brackets by the thousand, or a number too long to be one: the reader gives up.
            raise self._error(Problem((), told("unreadable"))) from None
        self._refuse(*long_lists(values))
        if faults := list(template_problems(values)):
            self._note(*faults)
            wrong = {problem.place[1] for problem in faults}
            values["bets"] = [bet for i, bet in enumerate(values["bets"]) if i not in wrong]
        self._refuse(*too_many_copies(values))
        return values

    def _base(self, name: str) -> Keys:
        way, place = (*self.above, self.source), ("extends",)
        if len(way) > MOST_BASES:
            self._refuse(Problem(place, told("most-bases", most=MOST_BASES)))
        try:
            base = self.loader(name, self.source)
        except BaseNotFound as error:
            raise self._error(Problem(place, error.args[0])) from None
        if (base.identity or base.file) in {one.identity or one.file for one in way}:
            files = " extends ".join(one.file for one in (*way, base))
            self._refuse(Problem(place, told("circle", files=files)))
        return replace(self, source=base, above=way).book()

    def _trimmed(self, base: Keys, name: str, remove: list[str]) -> Keys:
        for i, path in enumerate(remove):
            smaller = without(base, path)
            if smaller is None:
                self._note(Problem(("remove", i), told("not-to-remove", name=name, path=path)))
            else:
                base = smaller
        return base

    def _with_taken(self, book: Keys, take: list[dict[str, Any]]) -> Keys:
        """The book with the bets it takes from the catalogue; what is wrong with them stands at their name."""
        for i, entry in enumerate(take):
            name, place = entry["bet"], ("take", i)
            try:
                piece = self.taker(name)
            except BetNotFound as error:
                self._note(Problem(place, error.args[0]))
                continue
            if has_entry(book, "bets", name):
                self._note(Problem(place, told("taken-already", name=name)))
            else:
                book = added(book, _worded(tomllib.loads(piece.text), entry), self.source, place)
        return book

    def _note(self, *problems: Problem) -> None:
        """Keep what is wrong, and read on."""
        first = self.above[0] if self.above else self.source
        self.found.extend(_located(self.source, problem, first) for problem in problems)

    def _refuse(self, *problems: Problem) -> None:
        if problems:
            raise self._error(*problems)

    def _error(self, *problems: Problem) -> BookError:
        first = self.above[0] if self.above else self.source
        self._note(*problems)
        return BookError(first.file, self.found)


def _worded(piece: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    """A bet of the catalogue and its clause with the Chinese that a book has for them."""
    [bet], [clause] = piece["bets"], piece["clauses"]
    words = {key: entry[key] for key in ("zh_hans", "zh_hant") if key in entry}
    return {"bets": [{**bet, "labels": bet["labels"] | entry.get("labels", {})}], "clauses": [clause | words]}


def _located(source: BookSource, problem: Problem, first: BookSource) -> Problem:
    file = None if source is first else source.file
    return replace(problem, line=problem.line or line_of(source.text, problem.place), file=file)


def parse_book(text: str, file: str, loader: Loader = no_other_files, taker: Taker = no_catalogue) -> BookText:
    """The book that a TOML text says; `file` names it in errors, and the rest is what it builds on."""
    return parse_resolved(resolve_source(BookSource(file, text), loader, taker))


def parse_resolved(resolved: Resolved) -> BookText:
    """The book that these values are; problems carry the files and lines they stand at."""
    book, problems = examined(resolved)
    if problems or resolved.problems:
        raise BookError(resolved.source.file, resolved.located(problems))
    return book


def examined(resolved: Resolved) -> tuple[BookText, list[Problem]]:
    """The book that these values are, and everything wrong with its shape and its sense.

    Where there is a problem of shape, the book has something else there, and is good for more questions only.
    """
    try:
        shape = Shaped(resolved.values)
        book = msgspec.convert(resolved.values, BookText)
    except msgspec.ValidationError:
        shape = shaped(resolved.values)
        assert shape.problems, "a book that does not convert has a problem"
        book = msgspec.convert(shape.values, BookText)
    sense = [*validate_book(book), *turned_texts(book)]
    # Where something could not be taken, removed or written out, what looks it up would be told falsely.
    told = (one for one in sense if shape.supports(one) and not (one.asks and resolved.problems))
    return book, [*shape.problems, *told]


def book_toml(book: BookText) -> str:
    """The TOML text of a book; reading it gives an equal book, with the same digest."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(book))
    sections = {key: value for key, value in values.items() if isinstance(value, dict) or _is_tables(value)}
    lines = [f"{key} = {_toml_value(value)}" for key, value in values.items() if key not in sections]
    for key, value in sections.items():
        for entry in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{key}]]" if isinstance(value, list) else f"[{key}]", *_toml_lines(entry)]
    return "\n".join(lines) + "\n"


def entry_toml(section: str, entry: Entry) -> str:
    """The TOML text of one entry of a list, such as `bets` or `clauses`."""
    return "\n".join((f"[[{section}]]", *_toml_lines(msgspec.json.decode(msgspec.json.encode(entry))))) + "\n"


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
    return str(value) if isinstance(value, int) else msgspec.json.encode(value).decode()
