"""The state of a table as bytes: snapshots that save replaying a long log, and the hash of a state.

A snapshot is a cache. It carries a fingerprint of the code that made it; where the code has changed since,
the snapshot is passed over and the log is replayed. Nothing is ever read from a snapshot alone that the log
would not give.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec.structs import fields as struct_fields
from msgspec.structs import replace

from punto.table.state import State

_PACKAGES = ("punto.cards", "punto.coup", "punto.rules", "punto.table")
"""What a state is made of, and what folds events into it."""

NOT_HASHED: dict[str, tuple[str, ...]] = {
    "Case": ("asked_at", "is_choice_reconstructed"),
    "State": ("bets_before_return", "kept"),
}
"""Fields by the name of their struct that came after hashes of states were first given to people.

A new field of a state that older logs fill too would change their hashes: it is named here.
"""

_decoder: msgspec.json.Decoder[State] = msgspec.json.Decoder(State)


@cache
def fingerprint() -> str:
    """The SHA-256 of the code that makes states: another fingerprint, another way to fold."""
    found = sha256()
    for package in _PACKAGES:
        for module in sorted(_modules(files(package), package)):
            name, content = module
            found.update(name.encode() + b"\0" + content + b"\0")
    return found.hexdigest()


def encode_state(state: State) -> bytes:
    """A state as bytes."""
    return msgspec.json.encode(state)


def decode_state(body: bytes) -> State:
    """The state that these bytes were made from."""
    return _with_case(_decoder.decode(body))


def state_hash(state: State) -> str:
    """The SHA-256 of a state, the same on every machine and for ever.

    It is taken of the state's JSON with sorted keys, without blanks, without what has its default value and
    without what a later version of Punto added to states.
    """
    text = json.dumps(_plain(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _with_case(state: State) -> State:
    """A case keeps the state before it under `Any`, which JSON reads as a plain dict."""
    if state.case is None or not isinstance(state.case.before, dict):
        return state
    before = _with_case(msgspec.convert(state.case.before, type=State, str_keys=True))
    return replace(state, case=replace(state.case, before=before))


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case msgspec.Struct():
            later = NOT_HASHED.get(type(value).__name__, ())
            names = {field.name: _default(field) for field in struct_fields(value) if field.name not in later}
            return _told({name: (getattr(value, name), default) for name, default in names.items()})
        case dict():
            return {str(_plain(key)): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case frozenset() | set():
            return sorted(_plain(item) for item in value)
        case _ if is_dataclass(value):
            return _told({f.name: (getattr(value, f.name), f.default) for f in fields(value)})
        case _:
            assert value is None or isinstance(value, (str, int)), f"{value!r} is not part of a state"
            return value


def _told(values: dict[str, tuple[Any, Any]]) -> dict[str, Any]:
    return {name: _plain(value) for name, (value, default) in values.items() if value != default}


def _default(field: Any) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _modules(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _modules(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            found.append((f"{path}/{entry.name}", entry.read_bytes()))
    return found
