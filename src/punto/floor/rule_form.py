"""How each rule of the house, and each part of a profile, is typed: what kind of value it has, and what it can be.

It follows from the types of the rules themselves, so a rule that is added is on the page of the office at once; only
its words have to be written.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect

from punto.floor.house_rules import AMOUNTS, HouseRules
from punto.floor.profile import BUILT_IN, Profile
from punto.rules.authority import ROLES_OF_PEOPLE, Role

PROFILE = "profile"
BEGINS = {"operator": "house", "shortest_betting_seconds": "play", "shifts_required": "cage", "large_stake": "record"}
"""The groups of rules, each by the rule with which it begins."""


class RuleKind(Enum):
    """What is typed for a rule."""

    TEXT = "text"
    TIME = "time"  # Of a day, such as 06:00.
    MONEY = "money"
    NUMBER = "number"
    CHOICE = "choice"
    FLAG = "flag"
    ROLES = "roles"


class RuleForm(msgspec.Struct, frozen=True):
    """How one rule is typed."""

    rule: str  # Its name; that of a part of the profile as `profile.advice`.
    group: str  # Where it belongs: house, play, cage, record, or profile.
    kind: RuleKind
    values: tuple[str, ...] = ()  # What it can be, of a choice and of roles.
    optional: bool = False  # Whether there can be nothing.


class RuleForms(msgspec.Struct, frozen=True):
    """How the rules of a house are typed, in the order in which they are shown."""

    rules: tuple[RuleForm, ...]
    profiles: tuple[str, ...]  # The built-in ones; a house may write its own.


def rule_forms() -> RuleForms:
    """How every rule, and every part of a profile, is typed."""
    return RuleForms((*_of_house(), *_of_profile()), BUILT_IN)


def _of_house() -> Iterator[RuleForm]:
    group = ""
    for field in _fields(HouseRules):
        if field.name != PROFILE:
            group = BEGINS.get(field.name, group)
            yield _form(field.name, group, field)


def _of_profile() -> Iterator[RuleForm]:
    for field in _fields(Profile):
        if field.name != "name":  # It is chosen, or typed by itself.
            yield _form(f"{PROFILE}.{field.name}", PROFILE, field)


def _fields(struct: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _form(rule: str, group: str, field: inspect.Field) -> RuleForm:
    type, can_be_none = field.type, False
    if isinstance(type, inspect.UnionType):
        can_be_none = any(isinstance(one, inspect.NoneType) for one in type.types)
        [type] = (one for one in type.types if not isinstance(one, inspect.NoneType))
    kind = RuleKind.MONEY if rule in AMOUNTS else _kind(type)
    values: tuple[str, ...] = ()
    if isinstance(type, inspect.EnumType):
        values = tuple(one.value for one in type.cls)
    elif kind is RuleKind.ROLES:
        values = tuple(role.value for role in ROLES_OF_PEOPLE)
    # An empty text is one that nobody has set.
    return RuleForm(rule, group, kind, values, can_be_none or field.default == "")


def _kind(type: Any) -> RuleKind:
    match type:
        case inspect.BoolType():
            return RuleKind.FLAG
        case inspect.IntType():
            return RuleKind.NUMBER
        case inspect.StrType(pattern=None):
            return RuleKind.TEXT
        case inspect.StrType():
            return RuleKind.TIME  # The only text with a form of its own.
        case inspect.EnumType():
            return RuleKind.CHOICE
        case inspect.VarTupleType(item_type=inspect.EnumType(cls=cls)) if cls is Role:
            return RuleKind.ROLES
    raise AssertionError(f"a rule of type {type} has no form")
