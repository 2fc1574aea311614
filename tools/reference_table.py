"""The parts of docs/reference that say what a table takes, tells and refuses, from its structs."""

from __future__ import annotations

from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields

from punto.books.schema import field_words
from punto.cards.card import Card
from punto.refusal import Reason
from punto.rules.authority import HOUSE_AUTHORITY, Authority, Role
from punto.rules.outcome import Hand, Result
from punto.table.command import Command
from punto.table.event import Event
from punto.table.header import CommandHeader, EventHeader, Person
from punto.table.irregularity_case import Evidence, RoundCard
from punto.table.state import LaidInsurance, OfferMade, SettledBet, Stake
from punto.table.terms import BetLimits, Terms
from punto.words import ENGLISH, phrases
from tools.reference_words import NoWords, default_of, in_cell, sentence, table

_KINDS: dict[Any, str] = {
    str: "text",
    int: "number",
    bool: "true or false",
    Card: "card",
    Hand: "hand",
    Result: "result",
    Role: "role",
    Terms: "terms",
    Person: "person",
    Stake: "stake",
    SettledBet: "settled bet",
    OfferMade: "offer",
    LaidInsurance: "insurance",
    Evidence: "evidence",
    RoundCard: "round card",
    BetLimits: "limits",
    Authority: "authority",
}
"""What a field may hold, as the pages call it; enums are called by their own names."""


def commands(_: str) -> str:
    rows = [
        (f"`{kind.name()}`", _fields(kind, CommandHeader), sentence(kind), _roles(HOUSE_AUTHORITY[kind.name()]))
        for kind in Command.__args__
    ]
    return table(("command", "fields", "what it does", "who"), rows)


def events(_: str) -> str:
    rows = [(f"`{kind.name()}`", _fields(kind, EventHeader), sentence(kind)) for kind in Event.__args__]
    return table(("event", "fields", "what happened"), rows)


def terms(_: str) -> str:
    words, hints = field_words(Terms), get_type_hints(Terms, include_extras=True)
    rows = []
    for field in fields(Terms):
        if field.name not in words:
            raise NoWords(f"the term {field.name} has no words")
        kind = kind_words(hints[field.name])
        rows.append((f"`{field.name}`", kind, default_of(field), in_cell(words[field.name])))
    return table(("term", "value", "default", "what it is"), rows)


def refusals(_: str) -> str:
    sentences = phrases(ENGLISH, "refusals.json")
    return table(("reason", "sentence"), [(f"`{reason.value}`", sentences[reason.value]) for reason in Reason])


def _fields(kind: type[msgspec.Struct], header: type[msgspec.Struct]) -> str:
    inherited = {field.name for field in fields(header)}
    hints = get_type_hints(kind, include_extras=True)
    shown = [
        f"`{field.encode_name}`{'' if field.required else '?'} {kind_words(hints[field.name])}"
        for field in fields(kind)
        if field.name not in inherited
    ]
    return ", ".join(shown) or "–"


def objects(_: str) -> str:
    kinds = (Stake, SettledBet, OfferMade, LaidInsurance, Evidence, RoundCard, Person, BetLimits, Authority)
    return table(("object", "fields"), [(_KINDS[kind], _fields(kind, msgspec.Struct)) for kind in kinds])


def kind_words(hint: Any) -> str:
    """A type as the pages say it."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        return next((note for note in notes if isinstance(note, str)), None) or kind_words(inner)
    if get_origin(hint) in (UnionType, Union):
        words = [kind_words(one) for one in get_args(hint) if one is not NoneType]
        return " or ".join((*dict.fromkeys(words), *(["null"] if NoneType in get_args(hint) else [])))
    if get_origin(hint) is tuple:
        inner = [one for one in get_args(hint) if one is not ...]
        together = " and ".join(dict.fromkeys(map(kind_words, inner)))
        return together if len(set(inner)) > 1 else f"list of {together}"
    if get_origin(hint) is dict:
        return f"object of {kind_words(get_args(hint)[1])}"
    if hint in _KINDS:
        return _KINDS[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _NAMED.get(hint.__name__, "text")
    return _NAMED[hint.__name__]


_NAMED: dict[str, str] = {
    "SqueezeKind": "squeeze",
    "Seen": "fact",
    "Finding": "finding",
    "Awaits": "awaits",
    "Resolution": "resolution",
    "Option": "option",
    "Effect": "effect",
    "RoundWinner": "winner",
    "Winner": "winner",
    "Place": "place",
    "Sighting": "sighting",
}


def _roles(authority: Authority) -> str:
    return ", ".join(role.value for role in authority.roles)
