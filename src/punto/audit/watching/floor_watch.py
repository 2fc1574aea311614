"""Watching a floor: every table by itself, and tables of the same book together.

A fault that shows too rarely at one table, such as a bad deck that wanders from table to table or a player
who does, adds up over the floor. Shoes of all tables of a book are taken in the order in which they were
loaded, as if one table had dealt them. The level is for the floor as a whole: half of it is shared by the
tables, half by the books.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from punto.audit.watching.arrays import arrays_of
from punto.audit.watching.seen import Sight
from punto.audit.watching.watch import LEVEL, Watch, watch, watch_arrays
from punto.rules.digest import digest_of


@dataclass(frozen=True, slots=True)
class FloorWatch:
    """All that a watch says of a floor."""

    level: float
    tables: tuple[tuple[str, Watch], ...]
    """By id."""
    together: tuple[tuple[tuple[str, ...], Watch], ...]
    """Tables of one book, with what they say together."""

    @property
    def is_quiet(self) -> bool:
        """Whether nothing speaks against an honest floor that pays by the book."""
        return all(watch.is_quiet for _, watch in (*self.tables, *self.together))


def watch_floor(sights: Mapping[str, Sight], level: float = LEVEL) -> FloorWatch:
    """Compare what was seen at these tables with what honest ones bring."""
    books: dict[str, list[str]] = {}
    for id, sight in sights.items():
        books.setdefault(digest_of(sight.table.book), []).append(id)
    groups = [tuple(ids) for ids in books.values() if len(ids) > 1]
    share = level / 2 if groups else level
    return FloorWatch(
        level,
        tuple((id, watch(sight, share / len(sights))) for id, sight in sights.items()),
        tuple((ids, _together(sights, ids, share / len(groups))) for ids in groups),
    )


def _together(sights: Mapping[str, Sight], ids: tuple[str, ...], level: float) -> Watch:
    shoes = [shoe for id in ids for shoe in sights[id].shoes if shoe.rounds or shoe.cards]
    shoes.sort(key=lambda shoe: shoe.time)
    found = watch_arrays(sights[ids[0]].table.book, arrays_of(shoes), level)
    return replace(found, left_out=sum(sights[id].left_out for id in ids))
