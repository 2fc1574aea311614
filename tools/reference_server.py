"""The parts of docs/reference about a floor: settings, rules of the house, profiles and metrics, from the code."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields

from punto.books.schema import field_words
from punto.floor.house_rules import AMOUNTS, HouseRules
from punto.floor.profile import Profile
from punto.money import format_amount
from punto.server.metrics import DESCRIBED
from punto.server.settings import SETTINGS, Setting
from tools.reference_words import NoWords, default_of, in_cell, table

_IN_FILE = {
    "database": '"house.db"',
    "bets": "20.0",
    "https": "true",
    "demonstration": "false",
    "days": '"days"',
    "drain_seconds": "10",
    "metrics_port": "9317",
    "hosts": '["floor.example"]',
    "origins": '["https://play.example"]',
    "proxies": '["10.0.0.2"]',
    "books": '["mine.toml"]',
    "metrics_token": '"…"',
}
"""How settings are written in a file whose defaults do not show it."""


def settings(_: str) -> str:
    rows = [
        (f"`{one.flag}`", f"`{one.variable}`", f"`{one.name} = {_written(one)}`", in_cell(one.option_help))
        for one in SETTINGS
    ]
    return table(("option", "environment", "in the file", "what it is"), rows)


def _written(setting: Setting) -> str:
    if setting.name in _IN_FILE:
        return _IN_FILE[setting.name]
    assert setting.default is not None, f"say how {setting.name} is written in a file"
    return msgspec.json.encode(setting.default).decode()


def rules(_: str) -> str:
    words, rows = field_words(HouseRules), []
    for field in fields(HouseRules):
        if field.name not in words:
            raise NoWords(f"the rule {field.name} has no words")
        default = default_of(field) if field.name != "profile" else "`open`"
        if field.name in AMOUNTS and field.default is not None:
            default = f"`{format_amount(field.default)}`"
        rows.append((f"`{field.name}`", _no_null(default), in_cell(words[field.name])))
    return table(("rule", "default", "what it is"), rows)


def profile(_: str) -> str:
    words, hints = field_words(Profile), get_type_hints(Profile, include_extras=True)
    rows = []
    for field in fields(Profile):
        if field.name not in words:
            raise NoWords(f"{field.name} of a profile has no words")
        bounds = _bounds(hints[field.name])
        rows.append((f"`{field.name}`", _no_null(default_of(field)), bounds, in_cell(words[field.name])))
    return table(("key", "default", "from, to", "what it is"), rows)


def _no_null(default: str) -> str:
    return "none" if default in ("`null`", "``") else default


def _bounds(hint: Any) -> str:
    """The least and the greatest value of a number."""
    for part in (hint, *get_args(hint)):
        if get_origin(part) is Annotated:
            meta = get_args(part)[1]
            if isinstance(meta, msgspec.Meta) and meta.ge is not None:
                return f"{meta.ge}, {meta.le}"
    return ""


def metrics(_: str) -> str:
    rows = [(f"`{one.name}`", one.kind, _labels(one.labels), in_cell(one.about)) for one in DESCRIBED]
    return table(("metric", "kind", "labels", "what"), rows)


def _labels(labels: tuple[str, ...]) -> str:
    return ", ".join(f"`{label}`" for label in labels)
