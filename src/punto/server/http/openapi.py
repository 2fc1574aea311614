"""The OpenAPI document of the API and the JSON schema of its frames, from the same data that serves them.

msgspec writes the schema of every struct. What is read more strictly than types can say (the length and the
characters of texts, the size of numbers) is added to everything that a client sends.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from punto import __version__
from punto.server.http.endpoint import COOKIE, PREFIX, Endpoint
from punto.server.http.pattern import PLAIN_TEXT, TABLE_ID
from punto.server.http.rejection import RefusalAnswer
from punto.server.http.strict import LARGEST_NUMBER, LONGEST_TEXT

REFERENCE = "#/components/schemas/{name}"
PARAMETERS: dict[str, dict[str, Any]] = {
    "id": {"type": "string", "pattern": TABLE_ID, "description": "The id of a table."},
    "approval": {"type": "string", "pattern": "^[A-Za-z0-9]{1,40}$"},
    "call": {"type": "string", "pattern": "^[A-Za-z0-9]{1,40}$"},
    "handle": {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Za-z0-9 .'-]+$"},
    "digest": {"type": "string", "pattern": "^[0-9a-z-]{1,64}$"},
    "round": {"type": "integer", "minimum": 1, "maximum": 10**9},
    "shoe": {"type": "integer", "minimum": 1, "maximum": 10**9},
}
"""The names in the paths."""
WORDS = {
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


def document(inside: Iterable[Endpoint], outside: Iterable[Endpoint], cookie: str = COOKIE) -> dict[str, Any]:
    """The OpenAPI document."""
    calls = [(f"{PREFIX}{e.path}", e) for e in inside] + [(e.path, e) for e in outside]
    sent = [kind for _, e in calls for kind in (e.body, e.query) if kind is not None]
    answered = [kind for _, e in calls for kind in (e.answer, *e.also.values()) if kind is not None]
    kinds = list(dict.fromkeys((*sent, *answered, RefusalAnswer)))
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    by_kind = dict(zip(kinds, schemas, strict=True))
    for name in _reached([by_kind[kind] for kind in sent], components):
        components[name] = strict_schema(components[name])
    paths: dict[str, Any] = {}
    for path, endpoint in calls:
        paths.setdefault(path, {})[endpoint.method.lower()] = _operation(path, endpoint, by_kind, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Punto",
            "version": __version__,
            "description": "Baccarat tables by the book. Amounts are minor units, times milliseconds.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": cookie},
            },
        },
    }


def frames_schema() -> dict[str, Any]:
    """The JSON schema of all frames of a stream."""
    from punto.server.stream.frames import ClientFrame, ServerFrame

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
    made: dict[str, Any] = {
        "operationId": f"{endpoint.call.__module__.rpartition('.')[2]}.{endpoint.call.__name__}",
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
    }
    if endpoint.roles:
        made["description"] = f"Roles: {', '.join(role.value for role in endpoint.roles)}."
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [{"name": n, "in": "path", "required": True, "schema": PARAMETERS[n]} for n in names]
    if endpoint.query is not None:
        found = components[endpoint.query.__name__]
        for name, schema in found["properties"].items():
            parameters.append({"name": name, "in": "query", "required": False, "schema": _plain(schema)})
    if parameters:
        made["parameters"] = parameters
    if endpoint.body is not None:
        content = {"application/json": {"schema": by_kind[endpoint.body]}}
        made["requestBody"] = {"required": True, "content": content}
    made["security"] = [] if endpoint.is_open else [{"token": []}, {"cookie": []}]
    made["responses"] = _responses(endpoint, by_kind, bool(names))
    return made


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter of a query is left out, never null."""
    if "anyOf" not in schema:
        return schema
    rest = [inner for inner in schema["anyOf"] if inner.get("type") != "null"]
    return rest[0] if len(rest) == 1 else {"anyOf": rest}


def statuses_of(endpoint: Endpoint, has_path: bool) -> list[int]:
    """The statuses of refusals that a call can answer."""
    found = {400, 429, 503, *endpoint.refuses}
    found |= set() if endpoint.is_open else {401, 403}
    found |= {403} if endpoint.method != "GET" else set()
    found |= {404} if has_path else set()
    found |= {413} if endpoint.body is not None else set()
    return sorted(found.difference(endpoint.also))


def _responses(endpoint: Endpoint, by_kind: dict[Any, Any], has_path: bool) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for status, kind in {endpoint.status: endpoint.answer, **endpoint.also}.items():
        made[str(status)] = {"description": "Done." if status != 202 else "Waits for a second person."}
        if kind is not None:
            made[str(status)]["content"] = {"application/json": {"schema": by_kind[kind]}}
    for status in statuses_of(endpoint, has_path):
        schema = by_kind[RefusalAnswer]
        made[str(status)] = {
            "description": WORDS[status],
            "content": {"application/json": {"schema": schema}},
        }
    return made


def _reached(schemas: list[Any], components: dict[str, Any]) -> set[str]:
    """The names of all schemas that these lead to."""
    found: set[str] = set()
    waiting = list(schemas)
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, list):
            waiting += schema
        elif isinstance(schema, dict):
            name = str(schema.get("$ref", "")).rpartition("/")[2]
            if name in components and name not in found:
                found.add(name)
                waiting.append(components[name])
            waiting += [inner for key, inner in schema.items() if key not in ("discriminator", "$ref")]
    return found
