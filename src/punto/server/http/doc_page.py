"""The documentation page of the API: plain HTML from the OpenAPI document, with nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#13211d}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid #a8b6ae}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f4f0e6;padding:.75rem;overflow-x:auto}
article{margin:1.5rem 0}.m{font-weight:700;display:inline-block;min-width:4.5rem}
table{border-collapse:collapse}td{padding:.15rem .9rem .15rem 0;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#0c1412;color:#f4f0e6}pre{background:#13211d}a{color:#d2b477}}
"""


def doc_page(document: dict[str, Any]) -> str:
    """The page about every call."""
    info = document["info"]
    by_tag: dict[str, list[str]] = {}
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            by_tag.setdefault(call["tags"][0], []).append(_call(method, path, call))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>Punto API</title>',
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs/style.css">',
        f"</head><body><h1>Punto API, {escape(info['version'])}</h1><p>{escape(info['description'])}</p>",
        '<p><a href="/api/v1/openapi.json">openapi.json</a> · ',
        '<a href="/api/v1/frames.schema.json">frames.schema.json</a></p>',
    ]
    for tag, calls_of_tag in by_tag.items():
        parts += [f"<h2>{escape(tag.capitalize())}</h2>", *calls_of_tag]
    parts += ["<h2>Schemas</h2>", *(_schema(n, s) for n, s in document["components"]["schemas"].items())]
    return "\n".join((*parts, "</body></html>"))


def _call(method: str, path: str, call: dict[str, Any]) -> str:
    rows = [
        f"<tr><td><code>{escape(p['name'])}</code><td>in the {escape(p['in'])}<td>{_type(p['schema'])}"
        for p in call.get("parameters", ())
    ]
    if "requestBody" in call:
        rows.append(f"<tr><td>body<td><td>{_type(_json_of(call['requestBody']))}")
    for status, answer in call["responses"].items():
        if int(status) < 400:
            kind = _type(_json_of(answer)) if "content" in answer else ""
            rows.append(f"<tr><td>{escape(status)}<td>{escape(answer['description'])}<td>{kind}")
    refused = ", ".join(status for status in call["responses"] if int(status) >= 400)
    rows.append(f"<tr><td>refused<td><td>{refused}")
    told = escape(" ".join(filter(None, (call["summary"], call.get("description")))))
    return (
        f'<article><p><span class="m">{method.upper()}</span><code>{escape(path)}</code><br>{told}</p>'
        f"<table>{''.join(rows)}</table></article>"
    )


def _json_of(part: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = part["content"]["application/json"]["schema"]
    return found


def _type(schema: dict[str, Any]) -> str:
    """What a schema allows, in a few words."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_type(inner) for inner in schema["anyOf"])
    if "enum" in schema:
        return escape(", ".join(map(str, schema["enum"])))
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        inner = schema.get("items")
        return f"array of {_type(inner)}" if isinstance(inner, dict) else "array"
    return escape(kind)


def _schema(name: str, schema: dict[str, Any]) -> str:
    rows = [
        f"<tr><td><code>{escape(field)}</code>"
        f"<td>{'required' if field in schema.get('required', ()) else ''}<td>{_type(inner)}"
        for field, inner in schema.get("properties", {}).items()
    ]
    body = f"<table>{''.join(rows)}</table>" if rows else f"<p>{_type(schema)}</p>"
    told = escape(schema.get("description", ""))
    return f'<article id="{escape(name)}"><p><strong>{escape(name)}</strong><br>{told}</p>{body}</article>'
