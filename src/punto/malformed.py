"""What is wrong with input that its types refuse: the one place that reads what msgspec says.

The reader has words of its own, made for programmers, and nothing else: its errors have no fields. `fault_of`
makes a `Fault` of them; `complaint_of` says it to whoever sent a request, and rule books say it in the words of
their designers (`punto.rules.validation`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect

MOST_LISTED = 12  # Choices that are listed; of more, only the kind is named.
LONGEST_SHOWN = 40  # Characters that are shown of what was sent.

Place = tuple[str | int | None, ...]
"""The way to a value: names of fields, numbers of entries, None for an entry under a free name."""


class Wrong(Enum):
    """What can be wrong, with the pattern of the library's sentence; its groups are the details."""

    TYPE = r"Expected `([^`]*)`, got `([^`]*)`"
    BOUND = r"Expected `(?:int|float)` (>=|<=|>|<) (\S+)"
    MULTIPLE = r"Expected `int` that's a multiple of (\d+)"
    LENGTH = r"Expected `(str|array|object|bytes)` of length (>=|<=) (\d+)"
    ENTRIES = r"Expected `array` of .*length.*"
    FORM = r"Expected `str` matching regex (.*)"
    KIND = r"Expected `(\w+)`"
    CHOICE = r"Invalid (?:enum )?value (.*)"
    MISSING = r"Object missing required field `(.*)`"
    UNKNOWN = r"Object contains unknown field `(.*)`"
    RANGE = r"(?:Integer value|Number) out of range"
    TRUNCATED = r"Input data was truncated"
    SYNTAX = r"JSON is malformed: (.*) \(byte (\d+)\)"
    OTHER = r".*"


_STEP = r"\[(\d+)\]|(\[[^\]]*\])|([^.\[\]]+)"


class Fault(msgspec.Struct, frozen=True):
    wrong: Wrong
    place: Place
    details: tuple[str, ...]
    sentence: str  # As msgspec says it, without the place.
    is_own: bool  # The sentence is ours: the type itself refused the value.


def fault_of(error: msgspec.MsgspecError) -> Fault:
    sentence, _, path = str(error).partition(" - at ")
    inner = path.strip("`").removeprefix("key in ").removeprefix("$")
    place = tuple(int(index) if index else name or None for index, _, name in re.findall(_STEP, inner))
    is_own = isinstance(error.__cause__, ValueError)
    kinds = (Wrong.OTHER,) if is_own else tuple(Wrong)
    # Compiled here and not above: nearly every command loads this module, and hardly any has to say what is wrong.
    found = ((wrong, re.fullmatch(wrong.value, sentence, re.DOTALL)) for wrong in kinds)
    wrong, match = next((wrong, match) for wrong, match in found if match)
    return Fault(wrong, place, match.groups(), sentence, is_own)


def choices_at(kind: Any, place: Place) -> tuple[str, ...]:
    """What a value at a place of this type may be, if it is one of a list."""
    choices: list[str] = []
    for type_there in _types_at(inspect.type_info(kind), place):
        if isinstance(type_there, inspect.EnumType):
            choices += (str(member.value) for member in type_there.cls)
        elif isinstance(type_there, inspect.LiteralType):
            choices += map(str, type_there.values)
    return tuple(dict.fromkeys(choices))


def _types_at(kind: inspect.Type, place: Place) -> Iterator[inspect.Type]:
    match kind:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _types_at(each, place)
        case inspect.Metadata(type=inner):
            yield from _types_at(inner, place)
        case _ if not place:
            yield kind
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            name, *rest = place
            if name == tag_field and tag is not None and not rest:
                yield inspect.LiteralType((tag,))
            for field in fields:
                if field.encode_name == name:
                    yield from _types_at(field.type, tuple(rest))
        case inspect.DictType(value_type=inner) | inspect.VarTupleType(item_type=inner):
            yield from _types_at(inner, place[1:])


def listed(choices: Sequence[str]) -> str:
    """`a, b or c`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_LIMITS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_ENTRIES = ("entry", "entries")
_UNITS = {"str": ("character", "characters"), "array": _ENTRIES, "object": _ENTRIES, "bytes": ("byte", "bytes")}
_SYNTAX = {
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


def complaint_of(error: msgspec.MsgspecError, kind: Any = None, forms: dict[str, str] | None = None) -> str:
    """The sentence for what msgspec says; `kind` is the type that was asked for, `forms` are patterns in words."""
    fault = fault_of(error)
    subject, inside = _subject(fault.place), f"in {_subject(fault.place)}, " if fault.place else ""
    if fault.is_own:
        return f"{inside}{fault.sentence}"
    match fault.wrong, fault.details:
        case Wrong.TYPE, (wanted, sent):
            sent_words = "one with decimals" if sent == "float" and "int" in wanted.split(" | ") else _kind(sent)
            return f"{subject} must be {' or '.join(map(_kind, wanted.split(' | ')))}, not {sent_words}"
        case Wrong.BOUND, (limit, number):
            grouped = f"{int(number):,}" if number.lstrip("-").isdecimal() else number
            return f"{subject} must be {_LIMITS[limit]} {grouped}"
        case Wrong.MULTIPLE, (number,):
            return f"{subject} must be a multiple of {number}"
        case Wrong.LENGTH, (counted, limit, number):
            return f"{subject} must have {_LIMITS[limit]} {int(number):,} {_UNITS[counted][number != '1']}"
        case Wrong.ENTRIES, _:
            return f"{subject} has the wrong number of entries"
        case Wrong.FORM, (quoted,):
            pattern = quoted[1:-1].replace("\\\\", "\\")
            return f"{subject} must be {(forms or {}).get(pattern, f'of the form {pattern}')}"
        case Wrong.KIND, (wanted,):
            return f"{subject} must be {_kind(wanted)}"
        case Wrong.CHOICE, (quoted,):
            choices, sent = choices_at(kind, fault.place) if kind is not None else (), _cut(quoted.strip("'\""))
            if 0 < len(choices) <= MOST_LISTED:
                return f"{subject} must be {listed(choices)}, not {sent}"
            return f"{subject} is not known: {sent}"
        case Wrong.MISSING, (name,):
            return f"{inside}{name} is missing"
        case Wrong.UNKNOWN, (name,):
            return f"{inside}{_cut(name)} is not asked for"
        case Wrong.RANGE, _:
            return f"{subject if any(fault.place) else 'a number in it'} is too large"
        case Wrong.TRUNCATED, _:
            return "it is not JSON: it ends too early"
        case Wrong.SYNTAX, (problem, byte):
            return f"it is not JSON: {_SYNTAX.get(problem, problem)}, near byte {int(byte):,}"
        case _:
            return f"{subject} cannot be read"


def toml_fault(error: ValueError) -> str:
    """Why a text is not TOML, as Python's reader says it; of the commonest slip it says only what it cannot do."""
    return str(error).replace("Cannot overwrite a value", "a key stands twice")


def _kind(name: str) -> str:
    return _KINDS.get(name, name)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _subject(place: Place) -> str:
    """The field in words: `amount in command`, `an entry of cards`."""
    if not place:
        return "it"
    *outer, last = place
    if not isinstance(last, str):
        return f"an entry of {_subject(tuple(outer))}" if outer else "an entry of it"
    return " in ".join((last, *(name for name in reversed(outer) if isinstance(name, str))))
