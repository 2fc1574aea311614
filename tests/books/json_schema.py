"""A small validator of JSON Schema: the part that the schema of books uses, and nothing else.

It is written from the specification (draft 2020-12), not from the schema; a keyword that it does not know is
an error, so that the schema cannot rest on something that nobody checks.
"""

from __future__ import annotations

import re
from typing import Any

Schema = dict[str, Any] | bool
_TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
_WORDS = {"$schema", "$defs", "title", "description", "default", "deprecated"}
_KNOWN = _WORDS | {
    *("$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "allOf"),
    *("pattern", "minLength", "maxLength", "minimum", "maximum", "if", "then", "else"),
    *("minItems", "uniqueItems"),
}


def is_valid(value: Any, schema: Schema, root: dict[str, Any]) -> bool:
    """Whether a value meets a schema."""
    if isinstance(schema, bool):
        return schema
    assert set(schema) <= _KNOWN, set(schema) - _KNOWN
    return all(_meets(value, keyword, given, schema, root) for keyword, given in schema.items())


def _meets(value: Any, keyword: str, given: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    match keyword:
        case "$ref":
            return is_valid(value, root["$defs"][given.removeprefix("#/$defs/")], root)
        case "type":
            return isinstance(value, _TYPES[given]) and (given == "boolean" or not isinstance(value, bool))
        case "enum":
            return bool(value in given)
        case "anyOf":
            return any(is_valid(value, one, root) for one in given)
        case "allOf":
            return all(is_valid(value, one, root) for one in given)
        case "if":
            return is_valid(value, schema["then" if is_valid(value, given, root) else "else"], root)
        case "properties" if isinstance(value, dict):
            return all(is_valid(value[name], one, root) for name, one in given.items() if name in value)
        case "required" if isinstance(value, dict):
            return set(given) <= set(value)
        case "additionalProperties" if isinstance(value, dict):
            assert given is False
            return set(value) <= set(schema["properties"])
        case "items" if isinstance(value, list):
            return all(is_valid(one, given, root) for one in value)
        case "minItems" if isinstance(value, list):
            return bool(len(value) >= given)
        case "uniqueItems" if isinstance(value, list):
            return all(one not in value[:i] for i, one in enumerate(value))
        case "pattern" if isinstance(value, str):
            return re.search(given, value) is not None
        case "minLength" if isinstance(value, str):
            return bool(len(value) >= given)
        case "maxLength" if isinstance(value, str):
            return bool(len(value) <= given)
        case "minimum" if isinstance(value, int) and not isinstance(value, bool):
            return bool(value >= given)
        case "maximum" if isinstance(value, int) and not isinstance(value, bool):
            return bool(value <= given)
    return True
