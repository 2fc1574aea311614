"""`punto audit shoe`: was a shoe dealt in the order that was promised?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from punto.cli.files.reader import CannotRead, read_bytes
from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, found_table, reading
from punto.cli.terminal.say import answer_json, complain, one_line, refuse

if TYPE_CHECKING:
    from punto.audit.shuffle.check import ShoeCheck
    from punto.audit.shuffle.published import ShoeRecord

NOT_SHOWN = 1
"""Exit status where a shoe does not match, or cannot be checked."""
LARGEST = 256 * 1024 * 1024
"""Bytes of a file."""
SHOWN_PROBLEMS = 10
_SHOE = re.compile(r"([a-z0-9-]{1,40})/([1-9][0-9]{0,8})")


def shoe(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE", help="A shoe, as TABLE/2, or a file with its record.", show_default=False
        ),
    ],
    number: Annotated[
        int | None,
        typer.Option(
            "--shoe", metavar="N", min=1, help="Which shoe, if a file holds several.", show_default=False
        ),
    ] = None,
    order: Annotated[bool, typer.Option("--order", help="Print every card in its order.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Check that a shoe was dealt in the order that was promised.

    From what was published alone: the seed must fit the commitment, the bytes of players their pledges, and
    every card its place. A file is a log (punto table log, punto table export) or what --json prints here.
    Exit status 1 if something does not match, or the shoe cannot be checked.
    """
    from punto.audit.shuffle.check import check_shoe

    named = _SHOE.fullmatch(what)
    if named is not None and number is not None:
        refuse(f"{what} names its shoe already; --shoe is for files")
    found = _stored(named[1], int(named[2]), database) if named else _of_file(what, number, database)
    checked = check_shoe(found)
    if json:
        answer_json(_document(checked))
    else:
        _tell(checked, with_order=order)
    if not checked.matches:
        raise typer.Exit(NOT_SHOWN)


def _stored(table: str, shoe: int, database: str | None) -> ShoeRecord:
    from punto.audit.shuffle.check import check_shoe
    from punto.audit.shuffle.shoe_log import stored_record

    with reading(database) as reader:
        stored = found_table(reader, table)
        found = stored_record(reader, table, stored.version, shoe)
        if found is None:
            _refuse_shoe(reader, table, stored.version)
    if stored.imported and found.commitment and not check_shoe(found).matches:
        # A commitment binds a table by its id, and an import may have another one.
        refuse(f"table {table} was imported: check the file that it came from, punto audit shoe FILE")
    return found


def _refuse_shoe(reader: Any, table: str, version: int) -> NoReturn:
    """The shoes that a table has, for somebody who named none of them."""
    from punto.audit.shuffle.shoe_log import shoes_of

    shoes = shoes_of(reader, table, version)
    if not shoes:
        refuse(f"table {table} has not had a shoe yet")
    has = "shoe 1 only" if shoes == 1 else f"shoes 1 to {shoes:,}"
    refuse(f"table {table} has {has}; write {table}/{shoes} for the last one")


def _of_file(name: str, shoe: int | None, database: str | None) -> ShoeRecord:
    from punto.audit.shuffle.shoe_log import ShoesToChoose, WrongRecord, read_record

    path = Path(name)
    if not path.exists() and re.fullmatch(r"[a-z0-9-]{1,40}", name):
        with reading(database) as reader:
            if (stored := reader.table(name)) is not None:
                _refuse_shoe(reader, name, stored.version)
    if not path.exists() and "." not in name:
        refuse(f"{name!r} is neither a file nor a shoe; a shoe is written TABLE/NUMBER, such as main-1/2")
    try:
        return read_record(read_bytes(path, LARGEST), shoe)
    except ShoesToChoose as several:
        refuse(f"{name} holds shoes 1 to {several.shoes[-1]}; say which with --shoe N")
    except WrongRecord as error:
        refuse(f"{name} cannot be checked: {error}")
    except CannotRead as error:
        refuse(str(error))


def _document(checked: ShoeCheck) -> dict[str, Any]:
    record = checked.record
    return {
        "table": record.table,
        "shoe": record.shoe,
        "decks": record.decks,
        "source": record.source,
        "commitment": record.commitment,
        "seed": record.seed,
        "algorithm": record.algorithm,
        "contributions": record.contributions,
        "pledges": record.pledges,
        "order": checked.order,
        "dealt": record.dealt,
        "matches": checked.matches,
        "problems": checked.problems,
        "closed": checked.closed,
    }


def _tell(checked: ShoeCheck, *, with_order: bool) -> None:
    from punto.cli.terminal.ink import show_pairs, tell
    from punto.documents.page import Style
    from punto.rules.words import counted

    record = checked.record
    tell(f"Shoe {record.id}: {counted(record.decks, 'deck')}, {record.source.value} cards", Style.TITLE)
    rows = []
    if record.commitment:
        rows += [("commitment", record.commitment), ("algorithm", one_line(record.algorithm))]
    for pledge in record.pledges:
        added = pledge.opened if pledge.opened is not None else "pledged, not opened: left out"
        rows.append((f"from {one_line(pledge.player)}" if pledge.player else "added", one_line(added)))
    if record.seed is not None:
        rows.append(("seed", one_line(record.seed)))
    if checked.order is not None:
        rows.append(("dealt", f"{checked.compared} of {len(checked.order)} cards, each compared"))
    if rows:
        show_pairs(rows)
        print()
    if with_order and checked.order is not None:
        cards = [card.symbol for card in checked.order]
        for start in range(0, len(cards), _CARDS_A_LINE):
            print(f"{start + 1:4}  {' '.join(cards[start : start + _CARDS_A_LINE])}")
        print()
    _tell_verdict(checked)


_CARDS_A_LINE = 13


def _tell_verdict(checked: ShoeCheck) -> None:
    if checked.closed is not None:
        complain(checked.closed)
        return
    if checked.matches:
        print("It matches: the house was bound to this order before the first bet, and dealt by it.")
        return
    for problem in checked.problems[:SHOWN_PROBLEMS]:
        print(one_line(problem))
    if len(checked.problems) > SHOWN_PROBLEMS:
        print(f"… and {len(checked.problems) - SHOWN_PROBLEMS:,} more")
    print("It does not match: the shoe was not dealt as it was promised.")
