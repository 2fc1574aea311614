"""The OpenAPI document of the API, the JSON schema of its frames, and a plain page that shows the document.

They are made from the same data that serves the calls. What is read more strictly than types can say is
added to everything that a client sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

import msgspec

from punto import __version__
from punto.server.access import PREFIX
from punto.server.endpoint import COOKIE, Endpoint
from punto.server.messages import ClientFrame, ServerFrame
from punto.server.validation import LARGEST_NUMBER, LONGEST_TEXT, PLAIN_TEXT, WHOLE_TABLE_ID, RefusalAnswer

REFERENCE = "#/components/schemas/{name}"
PARAMETERS: dict[str, dict[str, Any]] = {
    "section": {"type": "string", "description": "A section of the catalogue."},
    "id": {"type": "string", "pattern": WHOLE_TABLE_ID, "description": "The id of a table."},
    "approval": {"type": "string", "pattern": "^[A-Za-z0-9]{1,40}$"},
    "call": {"type": "string", "pattern": "^[A-Za-z0-9]{1,40}$"},
    "session": {"type": "string", "pattern": "^[0-9a-z]{1,40}$"},
    "dispute": {"type": "string", "pattern": "^[A-Za-z0-9]{1,40}$"},
    "invitation": {"type": "string", "pattern": "^[0-9a-f]{1,40}$"},
    "code": {"type": "string", "pattern": "^[0-9A-Za-z-]{1,40}$", "description": "The code of an invitation."},
    "handle": {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Za-z0-9 .'-]+$"},
    "digest": {"type": "string", "pattern": "^[0-9a-z-]{1,64}$"},
    "day": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": "A gaming day."},
    "file": {"type": "string", "pattern": "^[A-Za-z0-9.]{1,40}$", "description": "A file of a closed day."},
    "device": {"type": "string", "pattern": "^[0-9a-f]{1,32}$"},
    "round": {"type": "integer", "minimum": 1, "maximum": 10**9},
    "shoe": {"type": "integer", "minimum": 1, "maximum": 10**9},
    "number": {"type": "integer", "minimum": 1, "maximum": 10**15, "description": "The number of a receipt."},
}
"""The names in the paths."""
STATUS_WORDS = {
    400: "The request cannot be read: malformed, an unknown field, or a host that is not ours.",
    401: "No session, or it has expired; or the password must be given again.",
    403: "Not in this role, a missing CSRF token, or an origin that is not allowed.",
    404: "It is not there.",
    405: "Not with this method.",
    409: "Rejected by table, ledger, version or key; nothing has changed.",
    413: "The body is too large.",
    429: "Too often; Retry-After says when to try again.",
    503: "The database could not do it now; Retry-After says when to try again.",
}


def openapi_document(inside: Iterable[Endpoint], outside: Iterable[Endpoint], cookie: str = COOKIE) -> dict[str, Any]:
    calls = [(f"{PREFIX}{e.path}", e) for e in inside] + [(e.path, e) for e in outside]
    sent = [kind for _, e in calls for kind in (e.body, e.query) if kind is not None]
    answered = [kind for _, e in calls for kind in (e.answer, e.record, *e.also.values()) if kind is not None]
    kinds = list(dict.fromkeys((*sent, *answered, RefusalAnswer)))
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    by_kind = dict(zip(kinds, schemas, strict=True))
    for name in _reached([by_kind[kind] for kind in sent], components):
        components[name] = strict_schema(components[name])
    paths: dict[str, Any] = {}
    for path, endpoint in calls:
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(path, endpoint, by_kind, components)
    description = "Baccarat tables by the book. Amounts are minor units, times milliseconds."
    cookies = {"type": "apiKey", "in": "cookie", "name": cookie}
    schemes = {"token": {"type": "http", "scheme": "bearer"}, "cookie": cookies}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Punto", "version": __version__, "description": description},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": schemes},
    }


def frames_schema() -> dict[str, Any]:
    kinds = (ClientFrame, ServerFrame)
    (client, server), components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for name in _reached([client], components):
        components[name] = strict_schema(components[name])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Frames of the stream of a table",
        "anyOf": [{"$ref": "#/$defs/ClientFrame"}, {"$ref": "#/$defs/ServerFrame"}],
        "$defs": {**components, "ClientFrame": client, "ServerFrame": server},
    }


def strict_schema(schema: Any) -> Any:
    """A schema of something that clients send, with the limits on texts and numbers."""
    if isinstance(schema, list):
        return [strict_schema(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict_schema(inner) if name != "default" else inner for name, inner in schema.items()}
    if made.get("type") == "string" and "enum" not in made:
        made.setdefault("maxLength", LONGEST_TEXT)
        made.setdefault("pattern", PLAIN_TEXT)
    if made.get("type") == "integer" and "enum" not in made:
        made.setdefault("minimum", -LARGEST_NUMBER)
        made.setdefault("maximum", LARGEST_NUMBER)
    if made.get("type") == "object" and isinstance(made.get("additionalProperties"), dict):
        made.setdefault("propertyNames", {"maxLength": LONGEST_TEXT, "pattern": PLAIN_TEXT})
    return made


def _operation(path: str, endpoint: Endpoint, by_kind: dict[Any, Any], components: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"operationId": endpoint.call.__name__, "summary": endpoint.summary, "tags": [endpoint.tag]}
    if endpoint.roles:
        made["description"] = f"Roles: {', '.join(role.value for role in endpoint.roles)}."
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [{"name": n, "in": "path", "required": True, "schema": PARAMETERS[n]} for n in names]
    if endpoint.query is not None:
        query = components[endpoint.query.__name__]
        for name, schema in query["properties"].items():
            is_needed = name in query.get("required", ())
            parameters.append({"name": name, "in": "query", "required": is_needed, "schema": _plain(schema)})
    if parameters:
        made["parameters"] = parameters
    if endpoint.body is not None:
        content = {"application/json": {"schema": by_kind[endpoint.body]}}
        made["requestBody"] = {"required": True, "content": content}
    by_session: list[dict[str, list[str]]] = (
        [{"token": []}] if endpoint.is_for_devices else [{"token": []}, {"cookie": []}]
    )
    made["security"] = [] if endpoint.is_open else by_session
    made["responses"] = _responses(endpoint, by_kind, bool(names))
    return made


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter of a query is left out, never null."""
    if "anyOf" not in schema:
        return schema
    rest = [inner for inner in schema["anyOf"] if inner.get("type") != "null"]
    return rest[0] if len(rest) == 1 else {"anyOf": rest}


def statuses_of(endpoint: Endpoint, has_path: bool) -> list[int]:
    statuses = {400, 429, 503, *endpoint.refuses}
    statuses |= set() if endpoint.is_open else {401, 403}
    statuses |= {403} if endpoint.method != "GET" else set()
    statuses |= {404} if has_path else set()
    statuses |= {413} if endpoint.body is not None else set()
    return sorted(statuses.difference(endpoint.also))


def _responses(endpoint: Endpoint, by_kind: dict[Any, Any], has_path: bool) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for status, kind in {endpoint.status: endpoint.answer, **endpoint.also}.items():
        made[str(status)] = {"description": "Done." if status != 202 else "Waits for a second person."}
        if kind is not None:
            made[str(status)]["content"] = {"application/json": {"schema": by_kind[kind]}}
        elif endpoint.files:
            record = {"type": "object"} if endpoint.record is None else by_kind[endpoint.record]
            made[str(status)]["content"] = {
                file: {"schema": record if file == "application/json" else {"type": "string"}}
                for file in endpoint.files
            }
    for status in statuses_of(endpoint, has_path):
        schema = by_kind[RefusalAnswer]
        made[str(status)] = {"description": STATUS_WORDS[status], "content": {"application/json": {"schema": schema}}}
    return made


def _reached(schemas: list[Any], components: dict[str, Any]) -> set[str]:
    reached, waiting = set[str](), list(schemas)
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, list):
            waiting += schema
        elif isinstance(schema, dict):
            name = str(schema.get("$ref", "")).rpartition("/")[2]
            if name in components and name not in reached:
                reached.add(name)
                waiting.append(components[name])
            waiting += [inner for key, inner in schema.items() if key not in ("discriminator", "$ref")]
    return reached


DOC_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;color:#13211d}
h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid #a8b6ae}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{background:#f4f0e6;padding:.75rem;overflow-x:auto}
article{margin:1.5rem 0}.m{font-weight:700;display:inline-block;min-width:4.5rem}
table{border-collapse:collapse}td{padding:.15rem .9rem .15rem 0;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#0c1412;color:#f4f0e6}pre{background:#13211d}a{color:#d2b477}}
"""


def doc_page(document: dict[str, Any]) -> str:
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
        rows.append(f"<tr><td>body<td><td>{_body_type(call['requestBody'])}")
    for status, answer in call["responses"].items():
        if int(status) < 400:
            rows.append(f"<tr><td>{escape(status)}<td>{escape(answer['description'])}<td>{_body_type(answer)}")
    refused = ", ".join(status for status in call["responses"] if int(status) >= 400)
    rows.append(f"<tr><td>refused<td><td>{refused}")
    summary = escape(" ".join(filter(None, (call["summary"], call.get("description")))))
    return (
        f'<article><p><span class="m">{method.upper()}</span><code>{escape(path)}</code><br>{summary}</p>'
        f"<table>{''.join(rows)}</table></article>"
    )


def _body_type(part: dict[str, Any]) -> str:
    content = part.get("content", {})
    json = content.get("application/json")
    return _type(json["schema"]) if json is not None else ", ".join(map(escape, content))


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
    description = escape(schema.get("description", ""))
    return f'<article id="{escape(name)}"><p><strong>{escape(name)}</strong><br>{description}</p>{body}</article>'
