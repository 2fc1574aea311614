"""Records in their envelope, and events of an earlier form brought up to date one version at a time."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.store.errors import SchemaUnknown, StoreBroken
from punto.store.record import (
    SCHEMA_VERSION,
    Record,
    Upcast,
    decode_event,
    encode_event,
    record_line,
    record_of_line,
    upcast,
)
from tests.store.sessions import events_of

EVENTS = events_of("insurance/banker-insurance-after-four-cards")


@given(st.sampled_from(EVENTS), st.integers(1), st.none() | st.text())
def test_a_line_reads_back(event: Any, seq: int, key: str | None) -> None:
    line = record_line("t-1", seq, SCHEMA_VERSION, key, encode_event(event))
    assert record_of_line(line) == Record("t-1", seq, SCHEMA_VERSION, key, event)
    assert msgspec.json.decode(line) == {
        "table": "t-1",
        "seq": seq,
        "v": SCHEMA_VERSION,
        "key": key,
        "event": msgspec.json.decode(msgspec.json.encode(event)),
    }


def test_earlier_forms_go_through_every_version() -> None:
    def rename(document: dict[str, Any]) -> dict[str, Any]:
        return document | {"type": "table-paused"}

    def with_reason(document: dict[str, Any]) -> dict[str, Any]:
        return document | {"reason": document["why"].upper()}

    steps: dict[tuple[str, int], Upcast] = {("table-stopped", 1): rename, ("table-paused", 3): with_reason}
    old = {"type": "table-stopped", "why": "lunch"}
    assert upcast(old, 1, steps, 4) == {"type": "table-paused", "why": "lunch", "reason": "LUNCH"}
    assert upcast(old, 4, steps, 4) == old
    assert upcast({"type": "other"}, 1, steps, 4) == {"type": "other"}


@pytest.mark.parametrize("version", [0, -1, SCHEMA_VERSION + 1])
def test_a_version_that_nobody_knows(version: int) -> None:
    with pytest.raises(SchemaUnknown):
        decode_event(encode_event(EVENTS[0]), version)


@pytest.mark.parametrize("body", ["", "{}", '{"type":"no-such-event"}', "null", '{"type":"table-paused"}'])
def test_what_is_not_an_event(body: str) -> None:
    with pytest.raises(StoreBroken):
        decode_event(body)


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"table":"t1","seq":1,"v":1,"key":null,"event":{},"x":1}'])
def test_what_is_not_a_record(line: str) -> None:
    with pytest.raises(StoreBroken):
        record_of_line(line)
