"""One book laid over another: sections, keys and entries by their names, each knowing the file it stands in.

A section is laid over key by key, a list of named entries (bets, clauses, layouts, ...) entry by entry, and
everything else is replaced whole. An entry that is there already is replaced where it stands; a new one comes
last. Nothing here asks whether a value has the right shape: what is wrong is passed on and found later, at
the line where it was written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from punto.rules.reading.book_source import BookSource
from punto.rules.reading.older import renewed
from punto.rules.reading.problem import Place
from punto.rules.reading.template import copies


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


def _key(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda entry: entry.get(name)


def _offer_name(offer: dict[str, Any]) -> object:
    points = [offer.get("player_points"), offer.get("banker_points")]
    if not all(isinstance(numbers, list) for numbers in points):
        return None
    digits = ("".join(str(number) for number in sorted(numbers, key=str)) for numbers in points if numbers)
    return "/".join((str(offer.get("window")), str(offer.get("hand")), *digits))


NAMED: dict[Place, Callable[[dict[str, Any]], object]] = {
    ("layouts",): _key("name"),
    ("bets",): _key("area"),
    ("declarations",): _key("name"),
    ("irregularities",): _key("kind"),
    ("authority",): _key("command"),
    ("clauses",): _key("number"),
    ("acknowledged",): _key("warning"),
    ("insurance", "windows"): _key("name"),
    ("insurance", "offers"): _offer_name,
    ("ante", "pairs"): _key("ante"),
}
"""Lists whose entries have names, and what the name of an entry is."""


def written(value: dict[str, Any], source: BookSource) -> Keys:
    """A book as one file has it."""
    book = _written(value, source, ())
    assert isinstance(book, Keys)
    return book


def _written(value: Any, source: BookSource, place: Place) -> Written | Named | Keys:
    if isinstance(value, dict) and len(place) < 2:
        return Keys({k: _written(v, source, (*place, k)) for k, v in value.items()}, source, place)
    if isinstance(value, list) and place in NAMED:
        entries = (
            (_name(place, entry), Written(entry, source, (*place, i)))
            for i, v in enumerate(value)
            for copy in copies(v, place)
            for entry in renewed(place, copy)
        )
        return Named(tuple(entries), source, place)
    return Written(value, source, place)


def _name(place: Place, entry: object) -> str | None:
    name = NAMED[place](entry) if isinstance(entry, dict) else None
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
    kept = tuple((name, new.get(name, entry) if name else entry) for name, entry in base.entries)
    used = {id(entry) for _, entry in kept}
    # An entry written twice in one file stays there twice, so that whoever checks the book finds it.
    return replace(own, entries=(*kept, *(item for item in own.entries if id(item[1]) not in used)))


def added(book: Keys, piece: dict[str, Any], source: BookSource, place: Place) -> Keys:
    """The book with the named entries of a piece at the end of its lists; all of them stand at one place."""
    merged = dict(book.of)
    for key, entries in piece.items():
        below = merged.get(key, Named((), source, (key,)))
        if isinstance(below, Named):  # anything else has the wrong shape, which is found later
            new = ((_name((key,), entry), Written(entry, source, place)) for entry in entries)
            merged[key] = replace(below, entries=(*below.entries, *new))
    return replace(book, of=merged)


def has_entry(book: Keys, key: str, name: str) -> bool:
    """Whether a list of the book has an entry of this name."""
    part = book.of.get(key)
    return isinstance(part, Named) and any(one == name for one, _ in part.entries)


def without(book: Keys, path: str) -> Keys | None:
    """The book without a section, a key or a named entry, `bets.tie`; None where it has no such thing."""
    key, dot, rest = path.partition(".")
    part = book.of.get(key)
    if part is None:
        return None
    if not dot:
        return replace(book, of={name: value for name, value in book.of.items() if name != key})
    smaller: Named | Keys | None = None
    if isinstance(part, Keys):
        smaller = without(part, rest)
    elif isinstance(part, Named):
        entries = tuple(item for item in part.entries if item[0] != rest)
        smaller = replace(part, entries=entries) if len(entries) < len(part.entries) else None
    return replace(book, of={**book.of, key: smaller}) if smaller is not None else None


def flattened(book: Keys) -> tuple[dict[str, Any], dict[Place, tuple[BookSource, Place]]]:
    """The book as plain values, and for every part of it the file and the place where it stands."""
    origins: dict[Place, tuple[BookSource, Place]] = {}

    def plain(part: Written | Named | Keys, place: Place) -> Any:
        origins[place] = (part.source, part.place)
        if isinstance(part, Keys):
            return {key: plain(value, (*place, key)) for key, value in part.of.items()}
        if isinstance(part, Named):
            return [plain(entry, (*place, i)) for i, (_, entry) in enumerate(part.entries)]
        return part.value

    return plain(book, ()), origins
