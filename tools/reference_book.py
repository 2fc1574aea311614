"""The part of docs/reference about book files: every section and key, from the structs that read them."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields

from punto.books.schema import field_words
from punto.rules.book_file import BookFile
from punto.rules.book_text import BookText
from tools.reference_words import NoWords, in_cell, sentence, table


def book_file(_: str) -> str:
    """A section for each struct that a book is made of, the book itself first."""
    return "\n\n".join(_section(struct) for struct in structs())


def structs() -> list[type[msgspec.Struct]]:
    """Everything that a book file is made of, in the order in which it is met."""
    found: list[type[msgspec.Struct]] = []
    waiting: list[Any] = [BookFile, BookText]
    while waiting:
        struct = waiting.pop(0)
        if struct in found:
            continue
        found.append(struct)
        for hint in get_type_hints(struct).values():
            waiting += [kind for kind in _kinds(hint) if issubclass(kind, msgspec.Struct)]
    return found


def _kinds(hint: Any) -> list[type]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct | Enum):
        return [hint]
    return [kind for inner in get_args(hint) for kind in _kinds(inner)]


def _section(struct: type[msgspec.Struct]) -> str:
    words, hints = field_words(struct), get_type_hints(struct)
    rows = []
    for field in fields(struct):
        if field.name not in words:
            raise NoWords(f"{struct.__name__}.{field.name} has no words")
        needed = "needed" if field.required else ""
        rows.append((f"`{field.encode_name}`", _value(hints[field.name]), needed, in_cell(words[field.name])))
    about = sentence(struct)
    head = f"## {struct.__name__}\n\n{about[0].upper()}{about[1:]}."
    return f"{head}\n\n{table(('key', 'value', '', 'what it says'), rows)}"


def _value(hint: Any) -> str:
    """What a key may hold: words of a closed set, a part of the book, or a kind of value."""
    inside = [inner for inner in get_args(hint) if get_origin(inner) is tuple]
    many = "list of " if get_origin(hint) is tuple or (inside and str not in get_args(hint)) else ""
    for kind in _kinds(hint):
        if issubclass(kind, Enum):
            return many + ", ".join(f"`{member.value}`" for member in kind)
        return f"{many}[{kind.__name__}](#{kind.__name__.lower()})"
    return many + next((words for kind, words in _PLAIN.items() if kind in (hint, *_leaves(hint))), "a table of lists")


_PLAIN: dict[Any, str] = {bool: "true or false", int: "number", str: "text"}


def _leaves(hint: Any) -> list[Any]:
    return [leaf for inner in get_args(hint) for leaf in (inner, *_leaves(inner))]
