"""What the generated parts of docs/reference share: tables, sentences and types as the pages say them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import FieldInfo

BAR = r"\|"  # A bar inside a cell.
_NAMES = frozenset(("Player", "Banker", "Tie", "Punto", "English", "Chinese"))


class NoWords(Exception):
    """Something public has no sentence that could be printed."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cell.replace('|', BAR) for cell in row)} |" for row in (head, *rows)]
    lines.insert(1, f"|{'---|' * len(head)}")
    return "\n".join(lines)


def sentence(kind: type) -> str:
    """What the source says of a class, as one paragraph."""
    words = kind.__dict__.get("__doc__")
    if not words:
        raise NoWords(f"{kind.__module__}.{kind.__name__} has no docstring")
    return in_cell(inspect.cleandoc(words).partition("\n\n")[0])


def in_cell(words: str) -> str:
    """A sentence as it stands in a table: without its point, and without a capital unless it begins with a name."""
    text = " ".join(words.split()).removesuffix(".")
    first = text.split(" ", 1)[0]
    is_name = not re.fullmatch(r"[A-Z][a-z-]*[,:;]?", first) or first in _NAMES
    return text if is_name else text[0].lower() + text[1:]


def default_of(field: FieldInfo) -> str:
    """What a field holds where nobody says otherwise, as JSON has it."""
    if field.required:
        return "needed"
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    plain = msgspec.to_builtins(value)
    return f"`{plain if isinstance(plain, str) else msgspec.json.encode(plain).decode()}`"
