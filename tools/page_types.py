"""Write web/src/api/schema.ts: what the server sends, as TypeScript types, from the same structs.

Usage: .venv/bin/python tools/page_types.py [--check]

The pages are compiled against this file, so a field that is renamed in the server breaks the build of the
pages. A test compares the file in the repository with what the structs give; --check does the same.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from punto.server.http.answers import (
    AccountAnswer,
    ApprovalsAnswer,
    CostsAnswer,
    SessionAnswer,
    StatementAnswer,
    TablesAnswer,
)
from punto.server.routes.books import BookAnswer, BooksAnswer
from punto.server.routes.looking_back import HistoryAnswer, RoadsAnswer, StatisticsAnswer

FILE = Path(__file__).parents[1] / "web/src/api/schema.ts"
TYPES: tuple[type, ...] = (
    *(SessionAnswer, TablesAnswer, AccountAnswer, StatementAnswer, CostsAnswer),
    ApprovalsAnswer,
    *(BooksAnswer, BookAnswer, RoadsAnswer, HistoryAnswer, StatisticsAnswer),
)
HEAD = """// What the server sends, generated from its structs by tools/page_types.py: do not edit.
"""


def schema() -> str:
    """The whole file."""
    _, components = msgspec.json.schema_components(TYPES)
    parts = [_declared(name, component) for name, component in sorted(components.items())]
    return HEAD + "\n" + "\n".join(parts)


def _declared(name: str, component: dict[str, Any]) -> str:
    lines = _comment(component.get("description"), "")
    if "properties" not in component:
        return "\n".join([*lines, f"export type {name} = {_type(component)};", ""])
    needed = set(component.get("required", ()))
    lines.append(f"export interface {name} {{")
    for field, value in component["properties"].items():
        mark = "" if field in needed else "?"
        lines.append(f"  {field}{mark}: {_type(value)};")
    return "\n".join([*lines, "}", ""])


def _comment(text: str | None, indent: str) -> list[str]:
    first = (text or "").split("\n\n")[0].replace("\n", " ").strip()
    return [f"{indent}/** {first} */"] if first else []


_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rsplit("/", 1)[-1]
    if "enum" in value:
        return " | ".join(msgspec.json.encode(one).decode() for one in value["enum"])
    if "anyOf" in value:
        return " | ".join(dict.fromkeys(_type(one) for one in value["anyOf"]))
    if "const" in value:
        return msgspec.json.encode(value["const"]).decode()
    match value.get("type"):
        case "array":
            inner = _type(value["items"]) if value.get("items") else "unknown"
            return f"readonly ({inner})[]" if "|" in inner else f"readonly {inner}[]"
        case "object":
            values = value.get("additionalProperties")
            return f"Record<string, {_type(values) if isinstance(values, dict) and values else 'unknown'}>"
        case str() as plain:
            return _PLAIN[plain]
        case _:
            return "unknown"


def main() -> int:
    """Write the file, or say whether it is the one that the structs give."""
    text = schema()
    if "--check" in sys.argv[1:]:
        if FILE.read_text(encoding="utf-8") == text:
            return 0
        print(
            "web/src/api/schema.ts is out of date; type: .venv/bin/python tools/page_types.py",
            file=sys.stderr,
        )
        return 1
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
