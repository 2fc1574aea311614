"""Help for those who write books: a JSON Schema of book files, made from the structs that read them, so that
editors complete and check; and a short first book, whose comments say what may be changed.
"""

from __future__ import annotations

import ast
import inspect
import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec

from punto.books.catalogue import bet_names
from punto.rules.book import Book
from punto.rules.book_file import FORMAT, OLDER_KINDS, BookFile
from punto.rules.book_text import BookText

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

_TAKEN = ("bets", "clauses")  # What a book also has if it takes a bet of the catalogue.
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
    structs = {kind.__name__: kind for kind in (*_structs(BookText), *_structs(BookFile))}
    for name, part in parts.items():
        if name in structs:
            _describe(part, structs[name])
    whole, own = parts.pop("BookText"), parts.pop("BookFile")
    own["properties"]["format"]["maximum"] = FORMAT
    names: Schema = {"enum": list(bet_names())}
    own["properties"]["take"] |= {"items": {"anyOf": [names, _ref("Taken")]}, "uniqueItems": True}
    parts["Taken"]["properties"]["bet"] |= names
    kind = parts["Irregularity"]["properties"]["kind"]
    kind["anyOf"] = [*kind.pop("allOf"), {"enum": list(OLDER_KINDS), "deprecated": True}]
    parts["Bet"] = {"if": {"required": ["each"]}, "then": _TEMPLATE, "else": parts["Bet"]}
    references = {  # whether or not the key may be left out
        name: [choice["$ref"] for choice in (*part.get("anyOf", ()), part) if "$ref" in choice]
        for name, part in whole["properties"].items()
    }
    sections = {name: refs[0].removeprefix("#/$defs/") for name, refs in references.items() if refs}
    # In a book that extends another any key of a section may be left to that one.
    parts |= {f"{part}Part": _without(parts[part], "required") for part in sections.values()}
    return {
        "$schema": DIALECT,
        "title": "A rule book of Punto",
        "description": "One TOML file: a whole book, or a book that extends another one.",
        "type": "object",
        "properties": {
            **own["properties"],
            **{name: _without(part, "default") for name, part in whole["properties"].items() if name not in sections},
            **{name: {"description": whole["properties"][name]["description"]} for name in sections},
        },
        "additionalProperties": False,
        "if": {"required": ["extends"]},
        "then": {"required": ["name"], "properties": {name: _ref(f"{part}Part") for name, part in sections.items()}},
        "else": {
            "required": [name for name in whole["required"] if name not in _TAKEN],
            "anyOf": [{"required": list(_TAKEN)}, {"required": ["take"], "properties": {"take": {"minItems": 1}}}],
            "properties": {"remove": False, **{name: _ref(part) for name, part in sections.items()}},
        },
        "$defs": dict(sorted(parts.items())),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _without(part: Schema, left_out: str) -> Schema:
    return {key: value for key, value in part.items() if key != left_out}


def _describe(part: Schema, struct: type[msgspec.Struct]) -> None:
    words = field_words(struct)
    for name, field in part["properties"].items():
        field.pop("default", None)
        if "anyOf" in field:  # TOML has no null: what is not said is left out
            choices = [choice for choice in field.pop("anyOf") if choice != {"type": "null"}]
            field.update(choices[0] if len(choices) == 1 else {"anyOf": choices})
        if "$ref" in field and struct is not BookText:
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
        for pair in pairwise(body.body):
            match pair:
                case (ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words)))):
                    described[name] = " ".join(words.split())
    return described


def _structs(struct: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
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


def first_book(base: Book, extends: str, file: str, name: str) -> str:
    """The text of a new book file that extends a base and adds a bet.

    `extends` is how the file calls the base, and `file` how a shell is told of it. Its comments say what to change.
    """
    title = name.replace("-", " ").title()
    return (
        Path(__file__)
        .with_name("first-book.txt")
        .read_text(encoding="utf-8")
        .format(
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
    )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _free_name(name: str, taken: set[str]) -> str:
    """The name itself, or with the first number that makes it new."""
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)
