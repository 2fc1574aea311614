"""What hypothesis draws of a table's records: any value that a field's type allows, as deep as it goes."""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from punto.cards.card import DECK
from punto.table.irregularity_case import Face, Place, Sighting

NUMBERS = st.integers(1, 10**17)
FEW = 30
"""Examples of each kind of command or event, where they are tried kind by kind; of a hundred that the profile asks for.
What they have in common is tried once more with every kind."""

_SUBJECTS = st.fixed_dictionaries({"card": st.none() | st.sampled_from(DECK)}) | st.fixed_dictionaries({"nth": NUMBERS})
_TAGS = st.fixed_dictionaries(
    {},
    optional={
        "lies": st.sampled_from(Place),
        "face": st.sampled_from(Face),
        "is_": st.sampled_from(DECK),
        "after": st.just(0) | NUMBERS,
        "together": st.booleans(),
        "foreign": st.booleans(),
        "carried": st.booleans(),
    },
)
SIGHTINGS = st.builds(lambda subject, tags: Sighting(**subject, **tags), _SUBJECTS, _TAGS)
"""Every entry that a report may have, sensible or not."""


def any_of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type; records field by field."""
    if kind is Sighting:
        return SIGHTINGS
    if get_origin(kind) is Annotated:
        plain, *metas = get_args(kind)
        patterns = [meta.pattern for meta in metas if isinstance(meta, msgspec.Meta) and meta.pattern]
        longest = min((m.max_length for m in metas if isinstance(m, msgspec.Meta) and m.max_length), default=99)
        if patterns:
            return st.from_regex(patterns[0], fullmatch=True).filter(lambda text: len(text) <= longest)
        return any_of(plain)
    if get_origin(kind) in (Union, UnionType):
        return st.one_of(*map(any_of, get_args(kind)))
    if get_origin(kind) is tuple:
        first, *rest = get_args(kind)
        if rest and rest[-1] is not Ellipsis:
            return st.tuples(*map(any_of, get_args(kind)))
        return st.lists(any_of(first), max_size=3).map(tuple)
    if get_origin(kind) is dict:
        key, value = get_args(kind)
        return st.dictionaries(any_of(key), any_of(value), max_size=3)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return record(kind)
    if kind is int:
        return st.integers(-(2**62), 2**62)
    return st.from_type(kind)


def record(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Any record of a kind."""
    return st.builds(kind, **{field.name: any_of(field.type) for field in msgspec.structs.fields(kind)})
