"""How each command is said in a line of notation: a few words, then its fields.

The fields say themselves how they are written: what a command must have stands in its order, what it may have
follows as `field=value`, a card just as a card, and the player it is given for after `for`. So a new field
needs nothing here, and a new command needs its words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields

from punto.cards.card import Card
from punto.money import format_amount
from punto.table.command import Command
from punto.table.header import CommandHeader
from punto.table.irregularities.sighting import Sighting, format_sighting, parse_sighting
from punto.table.notation.term_words import format_authority, format_limits, parse_authority, parse_limits
from punto.table.notation.word import (
    format_word,
    parse_any_amount,
    parse_name,
    parse_number,
    parse_word,
    split_at,
    suggestion,
)
from punto.table.terms import Terms

PHRASES: dict[type[CommandHeader], str] = {kind: kind.phrase for kind in get_args(Command)}
"""The words of every command."""

AMOUNTS = frozenset(("amount", "chip", "minimum", "maximum", "differential"))
"""Fields that are money: written with decimals, held in minor units."""

_PEOPLE = frozenset(("player", "players"))
_TRUTH = {"yes": True, "no": False}


def format_phrase(command: CommandHeader) -> str:
    """What a command asks, without who asks it."""
    return " ".join((PHRASES[type(command)], *_format_fields(command)))


def parse_phrase(words: list[str], header: dict[str, Any]) -> Command:
    """The command that these words say, given by the people of `header`; `ValueError` says what is wrong."""
    found = [kind for kind, phrase in PHRASES.items() if words[: len(phrase.split())] == phrase.split()]
    if not found:
        raise ValueError(_unknown(words))
    kind = max(found, key=lambda kind: len(PHRASES[kind].split()))
    said = PHRASES[kind]
    values = _parse_fields(kind, words[len(said.split()) :], said)
    return cast("Command", kind(**header, **values))


def _unknown(words: list[str]) -> str:
    if not words:
        return "nothing is said after the colon"
    near = suggestion(" ".join(words[:3]), PHRASES.values()) or suggestion(words[0], PHRASES.values())
    return f"{' '.join(words)!r} is not a command{near}"


# ── Fields ───────────────────────────────────────────────────────────────────────────────────────


@cache
def _own_fields(kind: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    header = {field.name for field in fields(CommandHeader)} if issubclass(kind, CommandHeader) else set()
    return tuple(field for field in fields(kind) if field.name not in header)


def _format_fields(struct: msgspec.Struct) -> Iterator[str]:
    for field in _own_fields(type(struct)):
        value = getattr(struct, field.name)
        if isinstance(value, Terms):
            yield from _format_fields(value)
        elif field.required:
            yield _format_value(field.name, value)
        elif value == _default(field):
            continue
        elif field.name == "player":
            yield f"for {format_word(value)}"
        elif field.name == "card":
            yield str(value)
        elif field.name == "bet_limits":
            yield from map(format_limits, value.items())
        elif field.name == "authority":
            yield from map(format_authority, value)
        else:
            yield f"{field.name}={_format_value(field.name, value)}"


def _default(field: FieldInfo) -> Any:
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def _format_value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return format_amount(value) if name in AMOUNTS else str(value)
    if isinstance(value, tuple):
        text = ",".join(_format_value(name, item) for item in value)
        return '"none"' if text == "none" else text or "none"  # somebody may be called so
    if isinstance(value, Sighting):
        return format_sighting(value)
    if name == "area" and value != value.lower():
        return json.dumps(value, ensure_ascii=not value.isprintable())  # bare, it would be read as lower case
    return format_word(str(value.value if isinstance(value, Enum) else value))


def _parse_fields(kind: type[msgspec.Struct], words: list[str], said: str) -> dict[str, Any]:
    if any(field.type is Terms for field in _own_fields(kind)):
        return {"terms": Terms(**_parse_fields(Terms, words, said))}
    known = {field.name: field for field in _own_fields(kind)}
    values: dict[str, Any] = {}
    for field in known.values():
        if field.required:
            if not words or words[0] == "for" or len(split_at(words[0], "=")) > 1:
                raise ValueError(f"{said!r} has to be followed by {_required(kind)}")
            values[field.name] = _parse_value(field, words[0])
            words = words[1:]
    while words:
        words = _parse_optional(known, values, words, said)
    return values


def _required(kind: type[msgspec.Struct]) -> str:
    return ", ".join(field.name for field in _own_fields(kind) if field.required)


def _parse_optional(
    known: dict[str, FieldInfo], values: dict[str, Any], words: list[str], said: str
) -> list[str]:
    """Read one field that may be left out; the words after it."""
    word, *rest = words
    name, *given = split_at(word, "=")
    if word == "for" and "player" in known and rest:
        word, *rest = rest
        name, text = "player", word
    elif len(given) == 1 and name in known and not known[name].required and name not in _SPECIAL:
        text = given[0]
    elif len(given) == 1 and "bet_limits" in known and name.startswith(("limit.", "may.")):
        _parse_term(values, name, given[0])
        return rest
    elif not given and "card" in known and not known["card"].required:
        name, text = "card", word
    else:
        raise ValueError(f"{word!r} does not belong after {said!r}")
    if name in values:
        raise ValueError(f"{name} is said twice")
    values[name] = _parse_value(known[name], text)
    return rest


_SPECIAL = frozenset(("player", "card", "bet_limits", "authority"))
"""Fields that are not written as `field=value`."""


def _parse_term(values: dict[str, Any], name: str, text: str) -> None:
    what, _, of = name.partition(".")
    if what == "may":
        values["authority"] = (*values.get("authority", ()), parse_authority(parse_word(of), text))
        return
    area, limits = parse_word(of), values.setdefault("bet_limits", {})
    if area in limits:
        raise ValueError(f"the limits of {area} are said twice")
    limits[area] = parse_limits(text)


def _parse_value(field: FieldInfo, text: str) -> Any:
    return _read(field.name, _plain(field.type), text)


def _plain(annotation: Any) -> Any:
    """A type without what was annotated to it, and without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        return _plain(kinds[0]) if len(kinds) == 1 else annotation
    return annotation


def _read(name: str, kind: Any, text: str) -> Any:
    if get_origin(kind) is tuple:
        parts = [] if text == "none" else split_at(text, ",")
        return tuple(_read(name, _plain(get_args(kind)[0]), part) for part in parts)
    if kind is str:
        if name == "area":  # areas are named in lower case: Banker is read as banker
            return parse_word(text if text.startswith('"') else text.lower())
        return parse_name(text) if name in _PEOPLE else parse_word(text)
    if kind is bool:
        return _choice(name, _TRUTH, text)
    if kind is int:
        return parse_any_amount(text) if name in AMOUNTS else parse_number(name, text)
    if kind == Card | int:
        return parse_number(name, text) if text.lstrip("-").isdecimal() else Card.parse(text)
    if kind is Card:
        return Card.parse(text)
    if kind is Sighting:
        return parse_sighting(text)
    assert issubclass(kind, Enum), f"{name} can be written"
    return _choice(name, {str(member.value): member for member in kind}, text)


def _choice(name: str, choices: dict[str, Any], text: str) -> Any:
    if text not in choices:
        near = suggestion(text.lower(), choices)
        raise ValueError(f"{text!r} is not a valid {name}; write {', '.join(choices)}{near}")
    return choices[text]
