"""A stored record: an event in its envelope, which adds table, place, schema version and key.

The JSON of events is for ever. When an event changes its form, `SCHEMA_VERSION` goes up and `UPCASTS` gets
a function from the old JSON to the new one; what is stored is never rewritten. `tests/store/kept` has logs of
every version, and they must replay to the same state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from punto.store.errors import ContentBroken, SchemaUnknown, StoreBroken
from punto.table.event import Event

SCHEMA_VERSION = 1
"""The form in which events are written now."""

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""By the name of an event and the version it was written in: its JSON in the next version."""

_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What reading JSON that somebody else wrote can come to."""
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_key_encoder = msgspec.json.Encoder()


class Record(msgspec.Struct, frozen=True):
    """An event with its place in the stream of its table."""

    table: str
    seq: int
    v: int
    key: str | None
    event: Event


def encode_event(event: Event) -> str:
    """The JSON of an event, as it is stored."""
    return msgspec.json.encode(event).decode()


def decode_event(body: str | bytes, version: int = SCHEMA_VERSION) -> Event:
    """An event from the JSON of any version there has been."""
    try:
        if version == SCHEMA_VERSION:
            return _event_decoder.decode(body)
        document = upcast(msgspec.json.decode(body), version)
        event: Event = msgspec.convert(document, type=Event, str_keys=True)
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
        step = upcasts.get((document["type"], v))
        document = step(document) if step is not None else document
    return document


def record_line(table: str, seq: int, version: int, key: str | None, body: str) -> str:
    """A record as one line of JSON, exactly as it is stored."""
    shown = "null" if key is None else _key_encoder.encode(key).decode()
    return f'{{"table":"{table}","seq":{seq},"v":{version},"key":{shown},"event":{body}}}'


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    table: str
    seq: int
    v: int
    key: str | None
    event: msgspec.Raw


_line_decoder: msgspec.json.Decoder[_Line] = msgspec.json.Decoder(_Line)


def read_line(line: str | bytes) -> Record:
    """A record from its line of JSON, of any version."""
    try:
        found = _line_decoder.decode(line)
    except _UNREADABLE as error:
        raise StoreBroken(f"this is not a stored record: {error}") from error
    return Record(found.table, found.seq, found.v, found.key, decode_event(bytes(found.event), found.v))
