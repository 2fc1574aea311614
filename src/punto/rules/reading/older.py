"""Words of older book files, read as what they are called today: kept books of every version load for ever.

Before evidence decided what had happened at a table, a book had one entry for a card too many or exposed, and
called everything else `other`. An entry under an old word is read as one entry for each word of today.
"""

from __future__ import annotations

from typing import Any

from punto.rules.reading.problem import Place

OLDER_KINDS: dict[str, tuple[str, ...]] = {
    "excess-or-exposed": ("excess", "exposed"),
    "other": ("uncovered",),
}
"""Kinds of irregularities as they were called once, and what they are called now."""


def renewed(place: Place, entry: Any) -> tuple[Any, ...]:
    """An entry of a list in the words of today; nearly always the entry itself."""
    if place != ("irregularities",) or not isinstance(entry, dict):
        return (entry,)
    kind = entry.get("kind")
    kinds = OLDER_KINDS.get(kind) if isinstance(kind, str) else None
    return (entry,) if kinds is None else tuple({**entry, "kind": kind} for kind in kinds)
