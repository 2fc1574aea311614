"""What stands in the rows of a database, as values: a record is an event in its envelope, a snapshot is a
state as bytes, and the rest are frozen rows. The JSON of events is for ever: when an event changes its
form, `SCHEMA_VERSION` goes up. A snapshot is only a cache, and is passed over where the code that made it
has changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec.structs import fields as struct_fields

from punto.money import Money
from punto.rules.authority import Role
from punto.store.errors import ContentBroken, SchemaUnknown, StoreBroken
from punto.table.event import Event
from punto.table.state import State

SCHEMA_VERSION = 1  # The form in which events are written now.

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""By the name of an event and the version it was written in: its JSON in the next version."""

_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading JSON that somebody else wrote can come to."""
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_encoder = msgspec.json.Encoder()


class Record(msgspec.Struct, frozen=True):
    """An event with its place in the stream of its table."""

    table: str
    seq: int
    v: int
    key: str | None
    event: Event


def json_text(value: Any) -> str:
    """A value as it is stored: its JSON, on one line."""
    return _encoder.encode(value).decode()


encode_event: Callable[[Event], str] = json_text


def decode_event(body: str | bytes, version: int = SCHEMA_VERSION) -> Event:
    """An event from the JSON of any version there has been."""
    try:
        if version == SCHEMA_VERSION:
            return _event_decoder.decode(body)
        event: Event = msgspec.convert(upcast(msgspec.json.decode(body), version), type=Event, str_keys=True)
        return event
    except _UNREADABLE as error:
        raise ContentBroken(f"a stored event cannot be read: {error}") from error


def upcast(
    document: dict[str, Any],
    version: int,
    upcasts: dict[tuple[str, int], Upcast] = UPCASTS,
    newest: int = SCHEMA_VERSION,
) -> dict[str, Any]:
    """The JSON of an event, brought from its version to the newest, one version at a time."""
    if not 1 <= version <= newest:
        raise SchemaUnknown(f"an event is of version {version}; this version of Punto reads 1 to {newest}")
    for v in range(version, newest):
        if (document["type"], v) in upcasts:
            document = upcasts[document["type"], v](document)
    return document


def record_line(table: str, seq: int, version: int, key: str | None, body: str) -> str:
    """A record as one line of JSON, exactly as it is stored."""
    key_text = "null" if key is None else json_text(key)
    return f'{{"table":"{table}","seq":{seq},"v":{version},"key":{key_text},"event":{body}}}'


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    table: str
    seq: int
    v: int
    key: str | None
    event: msgspec.Raw


_line_decoder: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)


def record_of_line(line: str | bytes) -> Record:
    """A record from its line of JSON, of any version."""
    try:
        parts = _line_decoder.decode(line)
    except _UNREADABLE as error:
        raise StoreBroken(f"this is not a stored record: {error}") from error
    return Record(parts.table, parts.seq, parts.v, parts.key, decode_event(bytes(parts.event), parts.v))


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
    """The SHA-256 of the code that makes states: another fingerprint, another way to fold.

    A snapshot carries that of the code that made it. Where the code has changed since, it is passed over and the log
    is replayed: nothing is ever read from a snapshot alone that the log would not give.
    """
    digest = sha256()
    for package in _PACKAGES:
        for name, content in sorted(_modules_of_package(files(package), package)):
            digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()


encode_state: Callable[[State], bytes] = _encoder.encode


def decode_state(body: bytes) -> State:
    return _decoder.decode(body)


def state_hash(state: State) -> str:
    """The SHA-256 of a state, the same on every machine and for ever.

    It is taken of the state's JSON with sorted keys, without blanks, without what has its default value and
    without what a later version of Punto added to states.
    """
    text = json.dumps(_plain(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case msgspec.Struct():
            later = NOT_HASHED.get(type(value).__name__, ())
            return _changed(value, {n: d for n, d in _defaults(type(value)).items() if n not in later})
        case dict():
            return {str(_plain(key)): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case frozenset() | set():
            return sorted(_plain(item) for item in value)
        case _ if is_dataclass(value):
            kind: Any = type(value)
            return _changed(value, _defaults(kind))
        case _:
            assert value is None or isinstance(value, (str, int)), f"{value!r} is not part of a state"
            return value


def _changed(value: Any, defaults: dict[str, Any]) -> dict[str, Any]:
    """The fields of a value that are not what they are by default."""
    items = ((name, getattr(value, name), default) for name, default in defaults.items())
    return {name: _plain(item) for name, item, default in items if item != default}


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """What the fields of a struct or a dataclass are by default. Worked out once: it takes far longer than to hash."""
    if issubclass(kind, msgspec.Struct):
        return {field.name: _default(field) for field in struct_fields(kind)}
    return {field.name: field.default for field in fields(kind)}


def _default(field: Any) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def _modules_of_package(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    modules = []
    for entry in folder.iterdir():
        if entry.is_dir():
            modules += _modules_of_package(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".py"):
            modules.append((f"{path}/{entry.name}", entry.read_bytes()))
    return modules


class StoredTable(msgspec.Struct, frozen=True):
    """A table of play, its book by digest, and how far its stream goes."""

    id: str
    digest: str
    version: int  # The `seq` of its last event.
    created_ms: int
    imported: bool  # It came from a file: it has no postings and cannot go on.
    head: bytes = b""  # The hash of its last event, or what its chain begins with.
    asked: int = 0  # How many commands were given to it, those that were refused and kept too.
    asked_head: bytes = b""  # The hash of the last of them, or what their chain begins with.


class StoredCommand(msgspec.Struct, frozen=True):
    """A command that was decided, and what came of it."""

    actor: str
    key: str | None
    body: str  # Its JSON.
    table: str | None = None
    version: int | None = None  # The version of the table after it.
    first_seq: int | None = None  # Its first event; None where there is none.
    last_seq: int | None = None
    refusal: str | None = None  # The JSON of the refusal, if it was refused.
    answer: str | None = None  # The JSON of the answer, where that is not its events.
    id: int = 0  # Its place among all commands; given when it is written.
    expected: int | None = None  # The version that it was decided on, if it named one.


class AccountOwner(Enum):
    """Whose an account is, so that reports can keep them apart."""

    PLAYER = "player"
    BOT = "bot"  # The house itself plays with it.
    TEST = "test"  # Somebody tries the floor with it.


class StoredAccount(msgspec.Struct, frozen=True):
    """An account: its handle is never reused and never removed."""

    handle: str
    currency: str
    opened_ms: int
    kind: str = AccountOwner.PLAYER.value  # An `AccountOwner`.


class StoredPerson(msgspec.Struct, frozen=True):
    """Who stands behind a handle. None of it is in any event, and all of it can be erased."""

    handle: str
    display: str | None = None
    contact: str | None = None
    password: str | None = None  # As the server keeps it, never plain.
    is_drawn: bool = False  # Made for a demonstration, with a password that was shown on a screen.


class StatementLine(msgspec.Struct, frozen=True):
    """One movement of an account, with the balance after it. Amounts are minor units, times milliseconds."""

    id: int
    time: int
    kind: str
    amount: Money
    balance: Money
    table: str | None = None
    seq: int | None = None  # The event that caused it.
    round: int | None = None
    box: int | None = None
    area: str | None = None
    clause: str | None = None
    reason: str | None = None
    by: str | None = None
    second: str | None = None
    commission: Money | None = None  # What the house kept of the wins that it pays, where it kept any.


class Member(msgspec.Struct, frozen=True):
    """Somebody who has an account, with the roles they hold."""

    account: str
    display: str | None
    currency: str
    roles: tuple[Role, ...]
    can_log_in: bool
    shut: str | None = None  # Why the log-in was shut, where it was.
    second_factor: bool = False
    kind: str = AccountOwner.PLAYER.value  # An `AccountOwner`.


class PitAnswer(Enum):
    """How a call ended."""

    COMING = "coming"
    CLEARED = "cleared"


class PitCall(msgspec.Struct, frozen=True):
    """A call for somebody from the pit to come to a table."""

    call: str
    table: str
    caller: str
    role: Role
    reason: str | None  # Why, in a few words, where the caller said so.
    called: int
    answer: PitAnswer | None  # None while nobody has answered.
    answered_by: str | None
    answered: int | None


class Dispute(msgspec.Struct, frozen=True):
    """A round that a player disputes, and what the house answers. Times are milliseconds."""

    dispute: str
    table: str
    round: int
    player: str
    text: str  # What the player says.
    raised: int
    answer: str | None  # None while nobody has answered.
    answered_by: str | None
    answered: int | None


class StoredSeed(msgspec.Struct, frozen=True):
    table: str
    shoe: int
    algorithm: str
    sealed: bytes


class StoredSnapshot(msgspec.Struct, frozen=True):
    """The state of a table after an event: a cache, never the truth."""

    table: str
    seq: int
    state: State
