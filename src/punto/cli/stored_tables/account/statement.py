"""`punto account statement`: every movement of an account, with its balance."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, reading
from punto.cli.stored_tables.account.names import NameArgument, found_account
from punto.cli.terminal.say import answer_json, one_line

if TYPE_CHECKING:
    from punto.store.stored import StatementLine, StoredMovement


def statement(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Print every movement of an account, with its balance.

    The balance is what is free. What a settlement paid comes into it when it is released, at the next call
    of that table or when the table closes.
    """
    from punto.ledger.account import player_account

    with reading(database) as reader:
        account = found_account(reader, name)
        lines = reader.statement(player_account(name))
    if json:
        answer_json(
            {"account": name, "currency": account.currency, "lines": [_record(line) for line in lines]}
        )
    elif lines:
        _draw(name, account.currency, lines)
    else:
        print(f"{name} has no movements yet; punto account buy-in {name} AMOUNT makes the first")


def _record(line: StatementLine) -> dict[str, Any]:
    from punto.money import format_amount

    moved = line.movement
    return {
        "time_ms": moved.time_ms,
        "kind": moved.kind,
        "amount": format_amount(line.amount),
        "balance": format_amount(line.balance),
        "table": moved.table,
        "seq": moved.seq,
        "round": moved.round,
        "box": moved.box,
        "area": moved.area,
        "clause": moved.clause,
        "reason": moved.reason or None,
        "by": moved.actor,
        "second": moved.second,
    }


def _draw(name: str, currency: str, lines: list[StatementLine]) -> None:
    from punto.cli.terminal.ink import show
    from punto.documents.page import Grid
    from punto.money import format_money

    rows = tuple(
        (
            f"{datetime.fromtimestamp(line.movement.time_ms / 1000, UTC):%m-%d %H:%M}",
            _words(line.movement),
            format_money(line.amount, is_signed=True),
            format_money(line.balance),
        )
        for line in lines
    )
    title = f"{one_line(name)}, {currency}, times in UTC"
    show(Grid(("time", "movement", "amount", "balance"), rows, title, right=(2, 3), grows=1))


def _words(moved: StoredMovement) -> str:
    """What a movement was, in a line."""
    where = f"{moved.table}/{moved.round}" if moved.table and moved.round is not None else moved.table
    box = f"box {moved.box}" if moved.box is not None else None
    clause = f"clause {moved.clause}" if moved.clause else None
    people = " and ".join(filter(None, (moved.actor, moved.second))) if moved.table is None else None
    by = f"by {people}" if people else None
    said = (moved.kind, where, box, moved.area, clause, moved.reason, by)
    return one_line(", ".join(filter(None, said)))
