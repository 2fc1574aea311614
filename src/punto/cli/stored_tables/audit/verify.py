"""`punto audit verify`: is what is stored what was written?"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.files.reader import CannotRead, read_bytes, read_text
from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, opened
from punto.cli.stored_tables.audit.problem_lines import problem_lines
from punto.cli.terminal.say import answer_json, one_line, refuse

if TYPE_CHECKING:
    from punto.audit.chain.anchor import Anchor
    from punto.audit.chain.verification import Begin, Verification
    from punto.store.address import Address

CHANGED = 1
"""Exit status where something was changed."""
MANY_EVENTS = 200_000
"""From this number of events on, several processes are faster than one."""
MOST_WORKERS = 64


def verify(
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="ID", help="One table; default: everything.", show_default=False),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", metavar="FILE", help="An anchor that was kept.", show_default=False),
    ] = None,
    public_key: Annotated[
        list[str] | None,
        typer.Option(
            "--public-key",
            metavar="KEY",
            help="A key that you trust, or a file with it; default: that of this machine. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            help="Processes that look at tables; default: one per core if there are many events.",
            show_default=False,
        ),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Look for records that were changed, removed or added.

    Every hash is computed again, and every posting and balance found again from the events. With an anchor,
    everything that it covers is known to be as it was; what came later is reported as unanchored. Of each
    table the first problem is shown, and what may follow from it in short; --json lists them one by one. Exit
    status 1 if something was changed.
    """
    from punto.audit.chain.verification import verify as look

    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        refuse(f"workers must be from 1 to {MOST_WORKERS}")
    if anchor is None and public_key:
        refuse("--public-key is for an anchor: give one with --anchor FILE")
    kept = _anchor(anchor, public_key or []) if anchor is not None else None
    with opened(database) as store, store.read() as reader:
        tables = reader.tables()
        asked = found_table(reader, table) if table is not None else None
        if kept is not None:
            _check_same_house(kept, [each.id for each in tables], table)
        number = workers or _workers([each.version for each in tables] if asked is None else [])
        with _pool(store.address, number) as begin:
            found = look(reader, asked, kept, begin)
    if json:
        answer_json(found)
    else:
        _tell(found, has_anchor=kept is not None)
    if not found.ok:
        raise typer.Exit(CHANGED)


def _workers(versions: list[int]) -> int:
    """How many processes are worth their start."""
    return min(os.cpu_count() or 1, len(versions)) if sum(versions) >= MANY_EVENTS else 1


def _pool(address: Address, workers: int) -> AbstractContextManager[Begin | None]:
    if workers == 1:
        return nullcontext()
    from punto.audit.chain.workers import several

    return several(address, workers)


def _anchor(file: str, keys: list[str]) -> Anchor:
    """The anchor in a file; the command ends if it is not one, or nobody who is trusted signed it."""
    from punto.audit.chain.anchor import LARGEST, WrongAnchor, read_anchor
    from punto.audit.chain.signing import found_signer
    from punto.store.errors import KeyTrouble

    try:
        trusted = [_public_key(key) for key in keys] or [found_signer(os.environ, make=False).public_key]
        return read_anchor(read_bytes(Path(file), LARGEST), trusted)
    except WrongAnchor as error:
        refuse(f"{file} cannot be used: {error}")
    except (CannotRead, KeyTrouble) as error:
        refuse(str(error))


def _public_key(text: str) -> str:
    from punto.audit.chain.signing import PUBLIC_KEY

    told = text.strip().lower()
    if not PUBLIC_KEY.fullmatch(told) and Path(text).is_file():
        told = read_text(Path(text), 1024).strip().lower()
    if not PUBLIC_KEY.fullmatch(told):
        refuse(f"--public-key takes 64 hexadecimal digits, or a file that holds them, not {text!r}")
    return told


def _check_same_house(anchor: Anchor, tables: list[str], asked: str | None) -> None:
    if asked is not None and asked not in anchor.tables:
        refuse(f"the anchor says nothing about table {asked}; make a new one with punto audit anchor")
    if anchor.tables and tables and not anchor.tables.keys() & set(tables):
        refuse("none of the tables in the anchor is in this database: it is the anchor of another one")


def _tell(found: Verification, *, has_anchor: bool) -> None:
    for line in problem_lines(found.problems):
        print(one_line(line))
    if found.problems:
        print()
    for id, last in found.last.items():
        vouched = _vouched(found.anchored.get(id), last, has_anchor=has_anchor)
        print(one_line(f"{id}: last event {last:,}{vouched}"))
    if found.cashier:
        last = found.cashier["last"] or 0
        vouched = _vouched(found.cashier["anchored"], last, has_anchor=has_anchor)
        print(f"cashier: last movement {last:,}{vouched}")
    if found.house:
        last = found.house["last"] or 0
        print(f"house: last act {last:,}{_vouched(found.house['anchored'], last, has_anchor=has_anchor)}")
    events, tables = _number(found.events, "event"), _number(len(found.last), "table")
    print(f"{events} in {tables}: {'no change found' if found.ok else 'something was changed'}")
    if not has_anchor:
        print("without an anchor, somebody who computed every hash again is not found: see --anchor")


def _vouched(anchored: int | None, last: int, *, has_anchor: bool) -> str:
    if not has_anchor:
        return ""
    if anchored is None:
        return ", not in the anchor: unanchored"
    if anchored >= last:
        return f", anchored at {anchored:,}"
    return f", anchored at {anchored:,}; {last - anchored:,} after that unanchored"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
