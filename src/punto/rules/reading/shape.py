"""The shape of a book: its keys and the kinds of their values, by the fields of `BookText`.

The converter stops at its first error and speaks of types. A designer wants all errors at once, in the words
of a rule book, each at its own place.
"""

from __future__ import annotations

import re
from enum import Enum
from inspect import isclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from punto.rules.reading.problem import Place, Problem
from punto.rules.text.book_text import BookText
from punto.suggestion import did_you_mean

_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number with decimals",
    "bool": "true or false",
    "array": "a list",
    "object": "a table of keys",
    "date": "a date",
    "datetime": "a date",
    "time": "a time",
}
_STEP = re.compile(r"\.([A-Za-z0-9_]+)|\[(\d+)\]")
_KEY = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_KIND = re.compile(r"Expected `([a-z |]+)`, got `([a-z]+)`")
_LONGEST = re.compile(r"Expected `str` of length <= (\d+)")
_BOUND = re.compile(r"Expected `int` (>=|<=) (-?\d+)")


def shape_problems(raw: dict[str, Any], struct: type[msgspec.Struct] = BookText) -> list[Problem]:
    """Every entry that has the wrong shape; each is asked alone."""
    hints = get_type_hints(struct, include_extras=True)
    required = {field.name for field in msgspec.structs.fields(struct) if field.required}
    problems = [
        Problem((name,), f"there is no such key in a book{did_you_mean(name, hints)}")
        for name in raw
        if name not in hints
    ]
    problems += [Problem((), f"the key {name} is missing") for name in hints if name in required - raw.keys()]
    for name, value in raw.items():
        if name in hints:
            problems += _entry_problems(value, hints[name], (name,))
    return problems


def _entry_problems(value: Any, kind: Any, place: Place) -> list[Problem]:
    if get_origin(kind) is tuple and isinstance(value, list):
        item = get_args(kind)[0]
        return [p for i, v in enumerate(value) for p in _entry_problems(v, item, (*place, i))]
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        sentence, _, path = str(error).partition(" - at `$")
        inside: Place = tuple(int(index) if index else name for name, index in _STEP.findall(path))
        if key := _KEY.fullmatch(sentence):
            if key[1] == "contains unknown":
                meant = did_you_mean(key[2], _words_at(kind, inside))
                return [Problem((*place, *inside, key[2]), f"there is no such key{meant}")]
            return [Problem((*place, *inside), f"the key is missing: `{key[2]}`")]
        return [Problem((*place, *inside), _plain(sentence, _words_at(kind, inside)))]
    return []


def _plain(sentence: str, words: tuple[str, ...]) -> str:
    """The converter's sentence in the words of a rule book; `words` are those that may stand there."""
    if sentence.startswith("Invalid enum value "):
        listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
        return f"{sentence.removeprefix('Invalid enum value ')} is not known here; write {listed}"
    if kind := _KIND.fullmatch(sentence):
        expected = [_KINDS[name] for name in kind[1].split(" | ") if name != "null"]
        return f"{' or '.join(expected)} is expected, not {_KINDS.get(kind[2], kind[2])}"
    if bound := _BOUND.fullmatch(sentence):
        return f"a whole number of {'at least' if bound[1] == '>=' else 'at most'} {bound[2]} is expected"
    if longest := _LONGEST.fullmatch(sentence):
        return f"it has more than {int(longest[1]):,} characters"
    if "of length >=" in sentence:
        return "it must not be empty"
    if "matching regex" in sentence:
        return "a name is expected: lower case and digits with hyphens between, such as banker-pair"
    return sentence[0].lower() + sentence[1:]


def _words_at(kind: Any, place: Place) -> tuple[str, ...]:
    """The words that may stand at a place inside an entry of this kind: of an enumeration, or its keys."""
    if get_origin(kind) is Annotated:
        return _words_at(get_args(kind)[0], place)
    if get_origin(kind) in (Union, UnionType):
        return next(filter(None, (_words_at(one, place) for one in get_args(kind))), ())
    if not place:
        if isclass(kind) and issubclass(kind, msgspec.Struct):
            return tuple(field.encode_name for field in msgspec.structs.fields(kind))
        is_enum = isclass(kind) and issubclass(kind, Enum)
        return tuple(str(member.value) for member in kind) if is_enum else ()
    step, *rest = place
    if get_origin(kind) is tuple and isinstance(step, int):
        return _words_at(get_args(kind)[0], tuple(rest))
    if isclass(kind) and issubclass(kind, msgspec.Struct) and isinstance(step, str):
        return _words_at(get_type_hints(kind, include_extras=True)[step], tuple(rest))
    return ()
