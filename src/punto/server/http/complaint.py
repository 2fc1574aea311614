"""What is wrong with something that a client sent, in a sentence for people.

The reader of JSON has words of its own, made for programmers. Here each of its complaints becomes a sentence
that names the field, says what must stand there, and lists what could, where that is a short list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import inspect

from punto.server.http.pattern import IN_WORDS

MOST_LISTED = 12
"""Choices that are listed; of more, only the kind is named."""
LONGEST_SHOWN = 40
"""Characters that are shown of what was sent."""

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_UNREADABLE = {
    "invalid character": "a character that JSON does not have there",
    "trailing characters": "something after its end",
    "trailing comma in object": "a comma after the last value of an object",
    "trailing comma in array": "a comma after the last value of a list",
    "object keys must be strings": "a name without quotation marks",
    "expected ':'": "a name without a colon after it",
    "expected ',' or '}'": "an object without a comma or its end",
    "expected ',' or ']'": "a list without a comma or its end",
    "invalid escape character in string": "a backslash that stands for nothing",
    "unexpected end of hex escape": "half of an escaped character",
    "invalid number": "a number that is not written as JSON has it",
}
"""What the reader finds where something is not JSON."""


def complaint_of(error: msgspec.MsgspecError, kind: Any = None) -> str:
    """The sentence for what msgspec says; `kind` is the type that was asked for."""
    told, _, place = str(error).partition(" - at ")
    path = _path(place)
    for pattern, say in _SAYINGS:
        found = pattern.fullmatch(told)
        if found is not None:
            return say(_Complaint(found, path, kind))
    if isinstance(error.__cause__, ValueError):  # a sentence of our own, from the type itself
        return f"{_inside(path)}{told}"
    return f"{_subject(path)} cannot be read"


class _Complaint:
    """One complaint: what msgspec said, where, and of which type."""

    def __init__(self, found: re.Match[str], path: tuple[str, ...], kind: Any) -> None:
        self.found, self.path, self.kind = found, path, kind

    def __getitem__(self, number: int) -> str:
        return self.found[number] or ""

    @property
    def who(self) -> str:
        return _subject(self.path)


def _wrong_type(of: _Complaint) -> str:
    wanted = [_KINDS.get(name, name) for name in of[1].split(" | ")]
    got = _KINDS.get(of[2], of[2])
    if of[2] == "float" and "int" in of[1].split(" | "):
        got = "one with decimals"
    return f"{of.who} must be {' or '.join(wanted)}, not {got}"


def _bounded(of: _Complaint) -> str:
    limit = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}[of[2]]
    number = f"{int(of[3]):,}" if of[3].lstrip("-").isdecimal() else of[3]
    return f"{of.who} must be {limit} {number}"


def _sized(of: _Complaint) -> str:
    unit = {"str": "character", "array": "entry", "object": "entry", "bytes": "byte"}[of[1]]
    limit, number = {">=": "at least", "<=": "at most"}[of[2]], int(of[3])
    units = unit if number == 1 else {"entry": "entries"}.get(unit, f"{unit}s")
    return f"{of.who} must have {limit} {number:,} {units}"


def _numbered(of: _Complaint) -> str:
    return f"{of.who} has the wrong number of entries"


def _shaped(of: _Complaint) -> str:
    pattern = of[1][1:-1].replace("\\\\", "\\")
    return f"{of.who} must be {IN_WORDS.get(pattern, f'of the form {pattern}')}"


def _unknown_value(of: _Complaint) -> str:
    shown = of[1].strip("'\"")
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    choices = list(dict.fromkeys(_choices(of.kind, of.path)))
    if 0 < len(choices) <= MOST_LISTED:
        return f"{of.who} must be {listed(choices)}, not {shown}"
    return f"{of.who} is not known: {shown}"


def _too_large(of: _Complaint) -> str:
    return f"{of.who} is too large" if any(of.path) else "a number in it is too large"


def _missing(of: _Complaint) -> str:
    return f"{_inside(of.path)}{of[1]} is missing"


def _unknown_field(of: _Complaint) -> str:
    shown = of[1] if len(of[1]) <= LONGEST_SHOWN else f"{of[1][:LONGEST_SHOWN]}…"
    return f"{_inside(of.path)}{shown} is not asked for"


def _unreadable(of: _Complaint) -> str:
    found = _UNREADABLE.get(of[1], of[1])
    return f"it is not JSON: {found}, near byte {int(of[2]):,}"


_SAYINGS: tuple[tuple[re.Pattern[str], Callable[[_Complaint], str]], ...] = tuple(
    (re.compile(pattern, re.DOTALL), say)
    for pattern, say in (
        (r"Expected `([^`]*)`, got `([^`]*)`", _wrong_type),
        (r"Expected `(int|float)` (>=|<=|>|<) (\S+)", _bounded),
        (r"Expected `int` that's a multiple of (\d+)", lambda of: f"{of.who} must be a multiple of {of[1]}"),
        (r"Expected `(str|array|object|bytes)` of length (>=|<=) (\d+)", _sized),
        (r"Expected `array` of .*length.*", _numbered),
        (r"Expected `str` matching regex (.*)", _shaped),
        (r"Expected `(\w+)`", lambda of: f"{of.who} must be {_KINDS.get(of[1], of[1])}"),
        (r"Invalid enum value (.*)", _unknown_value),
        (r"Invalid value (.*)", _unknown_value),
        (r"Object missing required field `(.*)`", _missing),
        (r"Object contains unknown field `(.*)`", _unknown_field),
        (r"(Integer value|Number) out of range", _too_large),
        (r"Input data was truncated", lambda _: "it is not JSON: it ends too early"),
        (r"JSON is malformed: (.*) \(byte (\d+)\)", _unreadable),
    )
)
"""Every complaint of msgspec that JSON and our types can cause."""


# ── Where it is ──────────────────────────────────────────────────────────────────────────────────


def _path(place: str) -> tuple[str, ...]:
    """`$.command.cards[...]` as its names; an entry of a list, or under a free name, has none."""
    inner = place.strip("`").removeprefix("key in ").removeprefix("$")
    return tuple("" if part.startswith("[") else part for part in re.findall(r"\[[^\]]*\]|[^.\[\]]+", inner))


def _subject(path: tuple[str, ...]) -> str:
    """The field in words: `amount in command`, `an entry of cards`."""
    if not path:
        return "it"
    *outer, last = path
    if not last:
        return f"an entry of {_subject(tuple(outer))}" if outer else "an entry of it"
    named = [name for name in outer if name]
    return " in ".join((last, *reversed(named)))


def _inside(path: tuple[str, ...]) -> str:
    return f"in {_subject(path)}, " if path else ""


# ── What could stand there ───────────────────────────────────────────────────────────────────────


def _choices(kind: Any, path: tuple[str, ...]) -> Iterator[str]:
    """What a field of this type may be, if it is one of a list."""
    if kind is not None:
        for found in _at(inspect.type_info(kind), path):
            if isinstance(found, inspect.EnumType):
                yield from (str(one.value) for one in found.cls)
            elif isinstance(found, inspect.LiteralType):
                yield from map(str, found.values)


def _at(found: inspect.Type, path: tuple[str, ...]) -> Iterator[inspect.Type]:
    """The types that may stand at a place."""
    match found:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _at(each, path)
        case inspect.Metadata(type=inner):
            yield from _at(inner, path)
        case _ if not path:
            yield found
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            name, *rest = path
            if name == tag_field and tag is not None and not rest:
                yield inspect.LiteralType((tag,))
            for field in fields:
                if field.encode_name == name:
                    yield from _at(field.type, tuple(rest))
        case inspect.DictType(value_type=inner) | inspect.VarTupleType(item_type=inner):
            yield from _at(inner, path[1:])


def listed(choices: list[str]) -> str:
    """`a, b or c`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
