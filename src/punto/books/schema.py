"""Help for those who write books: a JSON Schema of book files, made from the structs that read them, so that
editors complete and check; and a short first book, whose comments say what may be changed.
"""

from __future__ import annotations

import ast
import inspect
import json
from functools import lru_cache
from textwrap import dedent
from typing import Any

import msgspec

from punto.books.catalogue import bet_names
from punto.rules.book import Book
from punto.rules.book_file import FORMAT, OLDER_KINDS, BookFile
from punto.rules.book_text import BookText

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TITLE = "A rule book of Punto"

Schema = dict[str, Any]

_TAKEN = ("bets", "clauses")  # What a book also has if it takes a bet of the catalogue.
_SOMETHING_TAKEN: Schema = {"take": {"minItems": 1}}

_TEMPLATE: Schema = {
    "type": "object",
    "properties": {
        "each": {
            "type": "object",
            "description": "A template: lists of values, and one bet for each place of them. A text such as "
            "{total} stands for the value of the list total.",
        }
    },
}
"""A bet with lists in it. What its values make of the rest only writing it out can tell."""


def book_schema() -> Schema:
    """The schema of a book file, whole or extending another."""
    (book, file), parts = msgspec.json.schema_components((BookText, BookFile), ref_template="#/$defs/{name}")
    assert book and file, "both are structs, and stand among the parts"
    structs = {kind.__name__: kind for kind in _structs(BookText)} | {"BookFile": BookFile}
    for name, part in parts.items():
        if name in structs:
            _describe(part, structs[name])
    whole, own = parts.pop("BookText"), parts.pop("BookFile")
    own["properties"]["format"]["maximum"] = FORMAT
    own["properties"]["take"] |= {"items": {"enum": list(bet_names())}, "uniqueItems": True}
    kind = parts["Irregularity"]["properties"]["kind"]
    kind["anyOf"] = [*kind.pop("allOf"), {"enum": list(OLDER_KINDS), "deprecated": True}]
    parts["Bet"] = {"if": {"required": ["each"]}, "then": _TEMPLATE, "else": parts["Bet"]}
    sections = {
        name: part["$ref"].removeprefix("#/$defs/")
        for name, part in ((name, _only(part)) for name, part in whole["properties"].items())
        if "$ref" in part
    }
    parts |= {f"{part}Part": _without_required(parts[part]) for part in sections.values()}
    return {
        "$schema": DIALECT,
        "title": _TITLE,
        "description": "One TOML file: a whole book, or a book that extends another one.",
        "type": "object",
        "properties": {
            **own["properties"],
            **{name: _plain(part) for name, part in whole["properties"].items() if name not in sections},
            **{name: {"description": whole["properties"][name]["description"]} for name in sections},
        },
        "additionalProperties": False,
        "if": {"required": ["extends"]},
        "then": {"required": ["name"], "properties": {name: _ref(f"{part}Part") for name, part in sections.items()}},
        "else": {
            "required": [name for name in whole["required"] if name not in _TAKEN],
            "anyOf": [{"required": list(_TAKEN)}, {"required": ["take"], "properties": _SOMETHING_TAKEN}],
            "properties": {"remove": False, **{name: _ref(part) for name, part in sections.items()}},
        },
        "$defs": dict(sorted(parts.items())),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _only(part: Schema) -> Schema:
    """A reference, whether or not the key may be left out."""
    for choice in part.get("anyOf", ()):
        if "$ref" in choice:
            return dict(choice)
    return part


def _without_required(part: Schema) -> Schema:
    """A section of a book that extends another: any of its keys may be left to that one."""
    return {key: value for key, value in part.items() if key != "required"}


def _plain(part: Schema) -> Schema:
    return {key: value for key, value in part.items() if key != "default"}


def _describe(part: Schema, struct: type[msgspec.Struct]) -> None:
    words = field_words(struct)
    for name, field in part["properties"].items():
        field.pop("default", None)
        if "anyOf" in field:  # TOML has no null: what is not said is left out
            choices = [choice for choice in field.pop("anyOf") if choice != {"type": "null"}]
            field.update(choices[0] if len(choices) == 1 else {"anyOf": choices})
        if "$ref" not in field or struct is BookText:
            field["description"] = words[name]
        else:
            field["allOf"] = [{"$ref": field.pop("$ref")}]
            field["description"] = words[name]


@lru_cache(maxsize=64)
def field_words(struct: type[msgspec.Struct]) -> dict[str, str]:
    """What the source says of each field of a struct, in the words under it."""
    described: dict[str, str] = {}
    for kind in reversed(struct.__mro__):
        if kind in (msgspec.Struct, object) or not issubclass(kind, msgspec.Struct):
            continue
        (body,) = ast.parse(dedent(inspect.getsource(kind))).body
        assert isinstance(body, ast.ClassDef)
        for field, words in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(words, ast.Expr)
                and isinstance(words.value, ast.Constant)
                and isinstance(words.value.value, str)
            ):
                described[field.target.id] = " ".join(words.value.value.split())
    return described


def _structs(struct: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
    """A struct and all that it is made of."""
    structs: set[type[msgspec.Struct]] = set()

    def visit(info: object) -> None:
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in structs:
                return
            structs.add(info.cls)
            for field in info.fields:
                visit(field.type)
        elif isinstance(info, msgspec.inspect.UnionType):
            for one in info.types:
                visit(one)
        elif isinstance(info, msgspec.inspect.VarTupleType):
            visit(info.item_type)

    visit(msgspec.inspect.type_info(struct))
    return structs


# A short book to begin with: it extends another one and adds a bet; comments say what may be changed.


_FIRST_BOOK = """\
# {title}
#
# This book takes all of {base} and adds to it. Whatever you write here with the name of something in {base}
# replaces it; anything else is new. Try it:
#
#   punto check {file}           is it right, and what is each bet worth?
#   punto rules {file}           the rules in full, for people
#   punto play {file}            sit down and play it
#   punto rules {file} --toml    the whole book, with everything it takes over
#
# The guide to every key: docs/guides/write-a-rule-book.md

format = 1
extends = {extends}
name = {name}
title = {title_text}
source = "House rules, draft"
# version = "1"
# effective = "2026-01-31"

# What you do not want from {base}, by name: a bet by its area, a clause by its number, a key by its section.
# remove = ["bets.{last}"]

# The number of decks that may be used. Without this section it is as in {base}.
# [decks]
# allowed = [8]
# clause = {clause}

# A new bet. Every possible deal must match exactly one row.
[[bets]]
area = {area}
kind = "side"
labels = {{ en = "Lucky Seven" }}
clause = {clause}
pays = [
  {{ when = {{ winning_points = 7, winning_cards = 3 }}, odds = "9:1", clause = {clause} }},
  {{ when = {{ winning_points = 7, winning_cards = 2 }}, odds = "3:1", clause = {clause} }},
  {{ otherwise = true, result = "lose", clause = {clause} }},
]

# Every rule names a clause, and every clause is written once, in your own words.
[[clauses]]
number = {clause}
kind = "behaviour"
sense = "Lucky Seven pays 9 to 1 when a hand wins with 7 on three cards, and 3 to 1 with 7 on two cards."
"""


def first_book(base: Book, extends: str, file: str, name: str) -> str:
    """The text of a new book file that extends a base; `extends` is how the file calls the base."""
    title = name.replace("-", " ").title()
    return _FIRST_BOOK.format(
        base=base.title,
        file=file,
        extends=_quoted(extends),
        name=_quoted(name),
        title=title,
        title_text=_quoted(title),
        last=base.bets[-1].area,
        area=_quoted(_free_name("lucky-seven", {bet.area for bet in base.bets})),
        clause=_quoted(_free_name("house-1", {clause.number for clause in base.clauses})),
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _free_name(name: str, taken: set[str]) -> str:
    """The name itself, or with the first number that makes it new."""
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)
