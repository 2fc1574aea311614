"""The watch of a floor as a page for people, and as a record for programs."""

from __future__ import annotations

from typing import Any

from punto.audit.watching.floor_watch import FloorWatch
from punto.audit.watching.watch import Watch
from punto.audit.watching.watch_page import (
    NOTHING_YET,
    is_empty,
    lead,
    watch_page,
    watch_record,
    watch_sections,
    wrong_sentences,
)
from punto.documents.number import percent
from punto.documents.page import Grid, Page, Section, Style


def floor_page(floor: FloorWatch) -> Page:
    """Everything that a watch says of a floor; of one table, its own page."""
    if len(floor.tables) == 1:
        [(id, watch)] = floor.tables
        return watch_page(id, watch)
    level = (
        "Over the whole life of an honest floor the chance of any false alarm is at most "
        f"{percent(floor.level, 2)}: half of it is shared by the tables, half by tables of one book together."
    )
    named = [*floor.tables, *((_names(ids), watch) for ids, watch in _joined(floor))]
    if not named:
        return Page("Watch of the floor", (), lead=("There are no tables yet.",))
    words = (NOTHING_YET,) if _is_empty(floor) else (floor_sentence(floor), level)
    sections = [Section("All tables", (_summary(named),))]
    for name, watch in named:
        if is_empty(watch):
            continue
        sections.append(Section(name, lead(watch)))
        sections += [Section(f"{name}: {part.heading}", part.blocks) for part in watch_sections(watch)]
    return Page("Watch of the floor", tuple(sections), lead=words)


def floor_sentence(floor: FloorWatch) -> str:
    """What a watch comes to, in a sentence."""
    if not floor.is_quiet:
        return "Something here is beyond chance, or was not paid by the book."
    if _is_empty(floor):
        return NOTHING_YET
    return "Nothing here is beyond chance, and every bet was paid by the book."


def _is_empty(floor: FloorWatch) -> bool:
    return all(is_empty(watch) for _, watch in floor.tables)


def _joined(floor: FloorWatch) -> list[tuple[tuple[str, ...], Watch]]:
    """Tables that say more together: one of them alone is shown already."""
    seen = {id for id, watch in floor.tables if not is_empty(watch)}
    return [(ids, watch) for ids, watch in floor.together if len(seen & set(ids)) > 1 or not watch.is_quiet]


def _names(ids: tuple[str, ...]) -> str:
    return f"{', '.join(ids)} together"


def _summary(named: list[tuple[str, Watch]]) -> Grid:
    rows = []
    for name, watch in named:
        wrong = " ".join(wrong_sentences(watch)) or ("no rounds yet" if is_empty(watch) else "nothing")
        rows.append((name, f"{watch.rounds:,}", f"{watch.shoes:,}", wrong))
    marks = {place: Style.BAD for place, (_, watch) in enumerate(named) if not watch.is_quiet}
    return Grid(
        ("table", "rounds", "shoes", "what is wrong"), tuple(rows), right=(1, 2), grows=3, marks=marks
    )


def floor_record(floor: FloorWatch) -> dict[str, Any]:
    """The same for programs."""
    return {
        "quiet": floor.is_quiet,
        "level": floor.level,
        "tables": [watch_record(id, watch) for id, watch in floor.tables],
        "together": [
            {**watch_record(_names(ids), watch), "tables": list(ids)} for ids, watch in floor.together
        ],
    }
