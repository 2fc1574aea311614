"""Every event is kept as JSON and read back as it was, whatever its fields hold."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings

from punto.table.event import Event
from punto.table.header import EventHeader
from tests.table.drawn import FEW, record

EVENTS: tuple[type[EventHeader], ...] = get_args(Event)
JSON = msgspec.json.Decoder(Event)


@pytest.mark.slow
@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_survives_json(kind: type[EventHeader]) -> None:
    @settings(max_examples=FEW * settings().max_examples // 100)
    @given(record(kind))
    def check(event: Event) -> None:
        assert JSON.decode(msgspec.json.encode(event)) == event

    check()


def test_every_event_has_its_own_name() -> None:
    names = [kind.name() for kind in EVENTS]
    assert len(set(names)) == len(names)
    assert {"case-opened", "evidence-added", "evidence-withdrawn", "clause-found", "case-closed"} < set(names)
