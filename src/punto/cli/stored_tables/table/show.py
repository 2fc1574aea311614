"""`punto table show`: a table as it is, or as it was after an event, and what it has won."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.options.moment import TIME_HELP, read_time
from punto.cli.stored_tables.table.list_ import PHASES
from punto.cli.stored_tables.table.run import TableArgument
from punto.cli.terminal.say import answer_json, one_line, refuse

if TYPE_CHECKING:
    from punto.floor.loaded import LoadedTable
    from punto.ledger.results import TableResults
    from punto.table.state import State


def show(
    id: TableArgument,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="SEQ", min=0, help="As it was after this event.", show_default=False),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="TIME", help=f"Results from this time on, {TIME_HELP}", show_default=False
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="Results before this time.", show_default=False),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show a table as it is, or as it was, and its results.

    Results of a shift are those from --since to --until: drop, handle, win, hold and voids.
    """
    from punto.floor.loaded import load
    from punto.floor.results import table_results
    from punto.floor.shelf import Shelf

    begin, end = read_time("--since", since), read_time("--until", until)
    with reading(database) as reader:
        stored = found_table(reader, id)
        if at is not None and at > stored.version:
            refuse(f"--at must be from 0 to {stored.version:,}, the last event of table {id}, not {at:,}")
        loaded = load(reader, Shelf(), stored, at=at)
        results = None
        if not stored.imported:
            results = table_results(reader, id, loaded.version, begin, end)
    if json:
        answer_json(_record(loaded, results))
    else:
        _draw(loaded, results)


def _record(loaded: LoadedTable, results: TableResults | None) -> dict[str, Any]:
    from punto.rules.digest import digest_of
    from punto.store.snapshot import state_hash

    state = loaded.table.state
    return {
        "table": loaded.id,
        "version": loaded.version,
        "digest": digest_of(loaded.table.book),
        "book": loaded.table.book.name,
        "imported": loaded.imported,
        "hash": state_hash(state),
        "terms": state.terms,
        "phase": state.phase.value,
        "round": state.round,
        "state": state,
        "results": _results(results),
    }


def _results(results: TableResults | None) -> dict[str, Any] | None:
    if results is None:
        return None
    from punto.money import format_amount

    hold = results.hold
    return {
        "drop": format_amount(results.drop),
        "handle": format_amount(results.handle),
        "win": format_amount(results.win),
        "hold": float(hold) if hold is not None else None,
        "voids": results.voids,
    }


def _draw(loaded: LoadedTable, results: TableResults | None) -> None:
    from punto.cli.terminal.ink import show as show_blocks
    from punto.cli.terminal.ink import show_pairs, tell
    from punto.documents.page import Style
    from punto.rules.digest import SHORT, digest_of

    table, state = loaded.table, loaded.table.state
    tell(f"{loaded.id}: {table.book.title}", Style.TITLE)
    now = "paused" if state.is_paused else PHASES[state.phase.value]
    rows = [
        ("now", f"{now}, round {state.round}" if state.round else now),
        ("version", f"{loaded.version:,}{' (imported: it cannot go on)' if loaded.imported else ''}"),
        ("book", f"{table.book.name}, digest {digest_of(table.book)[:SHORT]}"),
        *_house(state),
        *_cards(loaded.id, state),
    ]
    show_pairs(rows)
    if state.stakes:
        print()
        show_blocks(_stakes(loaded))
    if results is not None:
        print()
        show_blocks(_results_grid(results, state.terms.currency if state.terms else ""))


def _house(state: State) -> list[tuple[str, str]]:
    from punto.money import format_money
    from punto.rules.words import counted

    terms = state.terms
    if terms is None:
        return []
    most = f" to {format_money(terms.maximum)}" if terms.maximum is not None else " at least"
    rows = [
        ("terms", f"layout {terms.layout}, {counted(terms.decks, 'deck')}, {terms.source.value} cards"),
        ("bets", f"{terms.currency} {format_money(terms.minimum)}{most}"),
    ]
    seats = [f"{box} {one_line(name)}" for box, name in sorted(state.seats.items())]
    return [*rows, ("seats", ", ".join(seats) or "nobody is seated")]


def _cards(id: str, state: State) -> list[tuple[str, str]]:
    if state.shoe is None:
        return [("shoe", "none in play: load the shoe")]
    rows = [("shoe", f"{state.shoe_number}, {state.shoe.cards_left} cards left"), *_promise(id, state)]
    for name, slots in (("Player", state.player), ("Banker", state.banker)):
        if slots:
            shown = [slot.card.symbol if slot.face_up and slot.card else "face down" for slot in slots]
            rows.append((name, " ".join(shown) if "face down" not in shown else ", ".join(shown)))
    return rows


def _promise(id: str, state: State) -> list[tuple[str, str]]:
    """What the house is bound to, and how it can be checked."""
    from punto.cards.source import SourceKind

    if state.terms is not None and state.terms.source is SourceKind.CONTINUOUS:
        return [("shuffle", "a continuous shuffler promises no order")]
    shoe = next((shoe for shoe in state.committed if shoe.shoe == state.shoe_number), None)
    if shoe is None:
        return []
    rows = [("commitment", shoe.commitment)]
    if state.pledges:
        opened = f"{len(shoe.contributions)} of {len(state.pledges)} opened"
        rows.append(("pledges", opened if state.pledges_closed else f"{len(state.pledges)}, open for more"))
    when = f"when shoe {state.shoe_number + 1} is called, or at the close"
    return [*rows, ("", f"its seed is opened {when}: punto audit shoe {id}/{shoe.shoe}")]


def _stakes(loaded: LoadedTable) -> Any:
    from punto.documents.page import Grid
    from punto.money import format_money
    from punto.rules.labels import label_of

    rows = tuple(
        (
            str(stake.box),
            one_line(stake.player),
            label_of(loaded.table.book, stake.area),
            format_money(stake.amount),
        )
        for stake in loaded.table.state.stakes
    )
    return Grid(("box", "player", "bet", "stake"), rows, "On the layout", right=(0, 3), grows=2)


def _results_grid(results: TableResults, currency: str) -> Any:
    from punto.documents.page import Grid
    from punto.money import format_money

    hold = results.hold
    row = (
        format_money(results.drop),
        format_money(results.handle),
        format_money(results.win, is_signed=True),
        f"{float(hold) * 100:.2f} %" if hold is not None else "–",
        str(results.voids),
    )
    heads = ("drop", "handle", "win", "hold", "voids")
    return Grid(heads, (row,), f"Results, {currency}", right=range(5))
