"""Any line of a session, made by chance: every command with every field, terms, people, comments."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from hypothesis import strategies as st

from punto.cards.card import Card
from punto.cards.shoe import Burn
from punto.cards.source import SourceKind
from punto.money import Rounding
from punto.rules.authority import HOUSE_AUTHORITY, Authority, Role
from punto.table.command import Command
from punto.table.event import FACT_KINDS
from punto.table.header import CommandHeader, Person
from punto.table.irregularity_events import OrderCards, WithdrawEvidence
from punto.table.notation import CardsDealt, CommandGiven, FactExpected, Remark
from punto.table.terms import Audience, BetLimits, Collecting, Drawing, Faces, Noticing, Offering, Terms
from tests.table.drawn import any_of

COMMANDS: tuple[type[CommandHeader], ...] = Command.__args__
ODD = ["Lee", "as", "none", "for", "Ann S.", "#", 'a"b', ":", "a=b,c"]
names = st.text(max_size=6) | st.sampled_from(ODD)
people_names = names.filter(lambda name: bool(name.strip()))
amounts = st.integers(-(10**12), 10**12)
numbers = st.integers(-(10**15), 10**15)
limits = st.builds(BetLimits, amounts, st.none() | amounts)
authorities = st.builds(
    Authority,
    st.sampled_from(sorted(HOUSE_AUTHORITY)),
    st.lists(st.sampled_from(Role), max_size=3).map(tuple),
    st.none() | st.sampled_from(Role),
    st.none() | names,
)

TERMS: dict[str, st.SearchStrategy[Any]] = {
    "book": names,
    "layout": names,
    "boxes": st.none() | numbers,
    "decks": numbers,
    "currency": names,
    "chip": amounts,
    "minimum": amounts,
    "maximum": st.none() | amounts,
    "differential": st.none() | amounts,
    "bet_limits": st.dictionaries(names, limits, max_size=3),
    "faces": st.sampled_from(Faces),
    "private": st.booleans(),
    "requested_by": st.none() | names,
    "insurance": st.booleans(),
    "offering": st.sampled_from(Offering),
    "noticing": st.sampled_from(Noticing),
    "drawing": st.sampled_from(Drawing),
    "rounding": st.sampled_from(Rounding),
    "commission": st.sampled_from(Collecting),
    "burn": names | st.just(str(Burn())),
    "behind_cut": numbers,
    "rounds_after_cut": numbers,
    "boxes_each": numbers,
    "source": st.sampled_from(SourceKind),
    "advice": st.none() | st.sampled_from(Audience),
    "authority": st.lists(authorities, max_size=3).map(tuple),
}

terms = st.builds(Terms, **TERMS)
people = st.builds(Person, people_names, st.sampled_from(Role))
header = {
    "actor": people_names,
    "role": st.sampled_from(Role),
    "time": numbers,
    "key": names,
    "second": st.none() | people,
}

fields: dict[str, st.SearchStrategy[Any]] = {
    "terms": terms,
    "amount": amounts,
    "box": numbers,
    "number": st.none() | numbers,
    "round": st.none() | numbers,
    "shoe": numbers,
    "window": st.none() | numbers,
    "area": names,
    "reason": names,
    "note": names,
    "players": st.lists(people_names, max_size=3).map(tuple),
    "player": st.none() | people_names,
}


def commands_of(kind: type[CommandHeader]) -> st.SearchStrategy[Command]:
    """Every command of a kind; fields that are not named above follow from their types."""
    own: dict[str, st.SearchStrategy[Any]] = {}
    for field in msgspec.structs.fields(kind):
        own[field.name] = (header | fields).get(field.name, any_of(field.type))
        if field.required and field.name in ("number", "player"):
            own[field.name] = own[field.name].filter(lambda value: value is not None)
        if kind is WithdrawEvidence and field.name == "cards":
            own[field.name] = st.lists(numbers, max_size=3).map(tuple)
        if kind is OrderCards and field.name == "cards":
            own[field.name] = st.lists(numbers | st.sampled_from(Card), max_size=3).map(tuple)
    return cast("st.SearchStrategy[Command]", st.builds(kind, **own))


commands = st.sampled_from(COMMANDS).flatmap(commands_of)
comments = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Zs"]), max_size=5).map(
    lambda text: f"# {text}".rstrip()
)

remarks = st.builds(Remark, st.just("") | comments)
lines = (
    st.builds(CommandGiven, commands, st.just("") | comments)
    | remarks
    | st.builds(CardsDealt, st.lists(st.sampled_from(Card), min_size=1, max_size=4).map(tuple), comments)
    | st.builds(
        FactExpected,
        st.tuples(st.sampled_from(sorted(FACT_KINDS)), names, amounts.map(str)) | st.just(("no", "offered")),
        st.just("") | comments,
    )
)
