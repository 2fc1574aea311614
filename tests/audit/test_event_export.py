"""What changed in a significant event, as people read it."""

from __future__ import annotations

from typing import Any

import pytest

from punto.audit.event_export import what_changed
from punto.store.chain import HouseAct


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (None, {"created_ms": 1_700_000_000_123, "imported": False}, "created 2023-11-14 22:13:20 UTC, imported no"),
        ({"large_stake": None}, {"large_stake": "200"}, "large stake none → 200"),
        ({"amount": 1250}, {"amount": 20_000}, "amount 12.50 → 200.00"),
        (None, {"digest": "5a" * 32}, "digest 5a5a5a5a5a5a…"),
        (None, {"returned": {"Lee": 1}}, 'returned {"Lee": 1}'),
    ],
)
def test_names_and_values_are_told_in_words(before: dict[str, Any] | None, after: dict[str, Any], told: str) -> None:
    assert (
        what_changed(HouseAct(time=0, code="rules-changed", subject="house", who=None, before=before, after=after))
        == told
    )
