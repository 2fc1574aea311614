"""`punto account list`: the accounts of a database."""

from __future__ import annotations

from typing import Any

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, is_missing, reading
from punto.cli.stored_tables.account.names import account_record
from punto.cli.terminal.say import answer_json, one_line


def list_(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List the accounts."""
    found = [] if is_missing(database) else _found(database)
    if json:
        answer_json(found)
    elif found:
        _draw(found)
    else:
        print("there are no accounts yet; punto account new Lee opens one")


def _found(database: str | None) -> list[dict[str, Any]]:
    from punto.floor.desk import Holdings, all_holdings

    with reading(database) as reader:
        holds = all_holdings(reader)
        nothing = Holdings(0, {})
        return [
            account_record(reader, account, holds.get(account.handle, nothing))
            for account in reader.accounts()
        ]


def _draw(found: list[dict[str, Any]]) -> None:
    from punto.cli.terminal.ink import show
    from punto.documents.page import Grid
    from punto.money import format_money, parse_amount

    def money(text: str) -> int:
        return parse_amount(text, allow_zero=True)

    rows = tuple(
        (
            one_line(entry["account"]),
            one_line(entry["display"] or ""),
            entry["currency"],
            format_money(money(entry["free"])),
            format_money(sum(map(money, entry["held"].values()))),
        )
        for entry in found
    )
    show(Grid(("account", "display name", "", "free", "held"), rows, right=(3, 4), grows=1))
