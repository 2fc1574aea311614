"""The part of docs/reference about the calls of the API: who may make each, what it takes and answers, and one
exchange with a running server, as tests/docs/api_tour.py makes it.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from punto.server.app import INSIDE, OUTSIDE
from punto.server.endpoint import Endpoint
from punto.server.openapi import openapi_document, statuses_of
from tests.docs.api_tour import Exchange, exchanges
from tests.server.running_floor import PEOPLE
from tools.reference_words import table

WITHOUT = {
    "POST /command-line": "For `punto` on the same machine alone: what it takes may change with any version.",
    "GET /books/{digest}/par-sheet": "The answer is the sheet that `punto report` writes.",
}
"""Calls without an exchange, and why."""
_LINES, _WIDTH, _DEPTH, _ENTRIES, _NAMES = 12, 110, 3, 2, 20
"""Of a text, a line, objects in objects, and a list: how much is shown."""


def calls(_: str) -> str:
    """Every call under the heading of its tag."""
    shown = exchanges()
    schemas = openapi_document(INSIDE, OUTSIDE)["components"]["schemas"]
    by_tag: dict[str, list[str]] = {}
    for endpoint in INSIDE:
        by_tag.setdefault(endpoint.tag, []).append(_call(endpoint, shown, schemas))
    return "\n\n".join(f"## {tag.capitalize()}\n\n" + "\n\n".join(parts) for tag, parts in by_tag.items())


def _call(endpoint: Endpoint, shown: dict[str, Exchange], schemas: dict[str, Any]) -> str:
    name = f"{endpoint.method} {endpoint.path}"
    parts = [f"### {name}", endpoint.summary, f"*Who:* {_who(endpoint)}."]
    for title, kind in (("In the query", endpoint.query), ("In the body", endpoint.body)):
        rows = [_row(field, schemas) for field in _fields(kind)]
        if rows:
            parts += [f"{title}:", table(("field", "value", ""), rows)]
    parts.append(_answers(endpoint))
    parts.append(WITHOUT[name] if name in WITHOUT else _exchange(shown[name]))
    return "\n\n".join(parts)


def _who(endpoint: Endpoint) -> str:
    if endpoint.is_for_command_line:
        return "the command line of the same machine"
    if endpoint.is_for_devices:
        return "a device, by its key"
    if endpoint.is_open:
        return "anybody, without a session"
    who = ", ".join(role.value for role in endpoint.roles) or "anybody who has logged in"
    return f"{who}; the password must have been given lately" if endpoint.is_fresh else who


def _fields(kind: Any) -> list[msgspec.structs.FieldInfo]:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return list(msgspec.structs.fields(kind)) if is_struct else []


def _row(field: msgspec.structs.FieldInfo, schemas: dict[str, Any]) -> tuple[str, str, str]:
    (schema,), components = msgspec.json.schema_components((field.type,), ref_template="#/{name}")
    return f"`{field.encode_name}`", _words(schema, {**schemas, **components}), "needed" if field.required else ""


def _words(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """What a schema allows, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        named = schemas.get(name, {})
        return _words(named, schemas) if "enum" in named else f"`{name}`"
    if "anyOf" in schema:
        kinds = dict.fromkeys(_words(inner, schemas) for inner in schema["anyOf"])
        return " or ".join(kinds) if len(kinds) <= 4 else "one of several objects"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        inner = schema.get("items")
        return f"list of {_words(inner, schemas)}" if isinstance(inner, dict) else "list"
    kind = str(schema.get("type", "anything"))
    return {"integer": "number", "string": "text", "boolean": "true or false", "null": "null"}.get(kind, kind)


def _answers(endpoint: Endpoint) -> str:
    kind = endpoint.answer
    name = (
        f" `{kind.__name__}`" if isinstance(kind, type) else f" {', '.join(endpoint.files)}" if endpoint.files else ""
    )
    refused = ", ".join(map(str, statuses_of(endpoint, "{" in endpoint.path)))
    also = "".join(f"; {status}" for status in endpoint.also)
    return f"*Answers* {endpoint.status}{name}{also}. *Refused with* {refused}."


def _exchange(made: Exchange) -> str:
    method = made.call.split(" ")[0]
    who = f"        # {', '.join(role.value for role in PEOPLE[made.who]) or 'no role'}" if made.who else ""
    lines = [f"{method} /api/v1{made.address}{who}"]
    if made.body is not None:
        lines.append(printed(made.body))
    lines += ["", f"{made.status}{f' {made.kind}' if made.kind not in ('', 'application/json') else ''}"]
    if isinstance(made.answer, str):
        text, most = made.answer.replace("\r", "").splitlines(), 1 if made.kind == "text/csv" else _LINES
        lines += [line[:_WIDTH] + ("…" if len(line) > _WIDTH else "") for line in text[:most]]
        lines += ["…"] if len(text) > most else []
    elif made.answer is not None:
        lines.append(printed(made.answer))
    return "```http\n" + "\n".join(lines) + "\n```"


def printed(value: Any, indent: int = 0, depth: int = 0) -> str:
    """JSON for people: on one line where it fits, with three dots for what is too long or too deep."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= _WIDTH and _depth_of(value) + depth <= _DEPTH and _is_short(value):
        return flat
    margin = " " * (indent + 2)
    if isinstance(value, dict):
        if depth >= _DEPTH:
            return "{…}"
        shown = list(value.items())
        # Many of one kind by name, such as the packages of this machine: the first stand for all.
        is_long = len(shown) > _NAMES and all(isinstance(one, dict) for one in value.values())
        shown = shown[:_ENTRIES] if is_long else shown
        inner = [f'{margin}"{key}": {printed(one, indent + 2, depth + 1)}' for key, one in shown]
        inner += [f"{margin}…"] if is_long else []
        return "{\n" + ",\n".join(inner) + f"\n{' ' * indent}}}"
    if isinstance(value, list):
        if depth >= _DEPTH:
            return "[…]"
        inner = [f"{margin}{printed(one, indent + 2, depth + 1)}" for one in value[:_ENTRIES]]
        inner += [f"{margin}…"] if len(value) > _ENTRIES else []
        return "[\n" + ",\n".join(inner) + f"\n{' ' * indent}]"
    if isinstance(value, str) and len(value) > _WIDTH:
        return json.dumps(value[:_WIDTH] + "…", ensure_ascii=False)
    return flat


def _depth_of(value: Any) -> int:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth_of, inner), default=0) if isinstance(value, dict | list) else 0


def _is_short(value: Any) -> bool:
    if isinstance(value, list) and len(value) > 6 and isinstance(value[0], dict | list):
        return False
    return all(map(_is_short, value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()))
