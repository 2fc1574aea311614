"""A body of every command that is well formed, whatever a table makes of it."""

from __future__ import annotations

from typing import Any

import msgspec

from punto.books import load
from punto.server.messages import BODIES
from punto.table.terms import default_terms

VALUES: dict[str, Any] = {
    "terms": msgspec.to_builtins(default_terms(load("commission"))),
    "box": 1,
    "area": "banker",
    "amount": 10_000,
    "player": "Lee",
    "hand": "banker",
    "number": 1,
    "card": "KS",
    "consent": True,
    "reason": "a reason",
    "possible": True,
    "cards": ["KS"],
    "option": "continue",
    "effect": "continue",
    "digest": "0" * 64,
    "value": "00",
    "round": 1,
    "window": 4,
    "shoe": 1,
    "seed": "00",
}
"""What stands in the fields that a command must have."""


def sample(name: str) -> dict[str, Any]:
    """A well-formed command of this name."""
    fields = msgspec.structs.fields(BODIES[name])
    named = [field.name for field in fields if field.required or field.name in ("round", "window")]
    return {"type": name, **{name: VALUES[name] for name in named}}
