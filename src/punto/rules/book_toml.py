"""A book as TOML, whole: what is printed of a book that extends others, and reads back as the same book."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from punto.rules.text.bet import Bet
from punto.rules.text.book_text import BookText
from punto.rules.text.entry import Entry


def book_toml(book: BookText) -> str:
    """The TOML text of a book; reading it gives an equal book, with the same digest."""
    values: dict[str, Any] = json.loads(msgspec.json.encode(book))
    sections = {key: value for key, value in values.items() if _is_section(value)}
    lines = [f"{key} = {_inline(value)}" for key, value in values.items() if key not in sections]
    for key, value in sections.items():
        for entry in value if isinstance(value, list) else [value]:
            lines += ["", f"[[{key}]]" if isinstance(value, list) else f"[{key}]", *_entry(entry)]
    return "\n".join(lines) + "\n"


def bet_toml(bet: Bet) -> str:
    """The TOML text of one bet."""
    return entry_toml("bets", bet)


def entry_toml(section: str, entry: Entry) -> str:
    """The TOML text of one entry of a list, such as `bets` or `clauses`."""
    return "\n".join((f"[[{section}]]", *_entry(json.loads(msgspec.json.encode(entry))))) + "\n"


def _is_section(value: object) -> bool:
    return isinstance(value, dict) or _is_tables(value)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _entry(entry: dict[str, Any]) -> Iterator[str]:
    """The keys of a section or of an entry; lists of rows have one row to a line."""
    for key, value in entry.items():
        if _is_tables(value):
            yield f"{key} = ["
            yield from (f"  {_inline(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_inline(value)}"


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_inline(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
