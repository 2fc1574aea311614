"""`punto table list`: the tables of a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, is_missing, opened
from punto.cli.terminal.say import answer_json

if TYPE_CHECKING:
    from punto.floor.loaded import LoadedTable
    from punto.store.stored import StoredTable


def list_(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List the tables."""
    found = [] if is_missing(database) else _found(database)
    if json:
        answer_json([_record(stored, loaded) for stored, loaded in found])
    elif found:
        _draw(found)
    else:
        print("there are no tables yet; punto table new main-1 ez house opens one")


def _found(database: str | None) -> list[tuple[StoredTable, LoadedTable]]:
    from punto.floor.loaded import load
    from punto.floor.shelf import Shelf

    shelf = Shelf()
    with opened(database) as store, store.read() as reader:
        return [(stored, load(reader, shelf, stored)) for stored in reader.tables()]


def _record(stored: StoredTable, loaded: LoadedTable) -> dict[str, object]:
    state = loaded.table.state
    return {
        "table": stored.id,
        "version": stored.version,
        "digest": stored.digest,
        "book": loaded.table.book.name,
        "phase": state.phase.value,
        "round": state.round,
        "paused": state.is_paused,
        "imported": stored.imported,
        "created_ms": stored.created_ms,
    }


def _draw(found: list[tuple[StoredTable, LoadedTable]]) -> None:
    from punto.cli.terminal.ink import show
    from punto.documents.page import Grid

    rows = tuple(
        (
            stored.id,
            loaded.table.book.title,
            "imported" if stored.imported else _phase(loaded),
            str(loaded.table.state.round),
            f"{stored.version:,}",
        )
        for stored, loaded in found
    )
    show(Grid(("table", "game", "now", "round", "version"), rows, right=(3, 4), grows=1))


def _phase(loaded: LoadedTable) -> str:
    state = loaded.table.state
    return "paused" if state.is_paused else PHASES[state.phase.value]


PHASES = {
    "new": "not open yet",
    "idle": "between rounds",
    "betting": "bets are open",
    "dealing": "dealing",
    "antes": "antes",
    "finished": "to be settled",
    "closed": "closed",
}
"""What a table is doing, for people."""
