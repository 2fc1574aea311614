"""`punto account show`: what an account has."""

from __future__ import annotations

from datetime import UTC, datetime

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, reading
from punto.cli.stored_tables.account.names import NameArgument, account_record, found_account
from punto.cli.terminal.say import answer_json, one_line


def show(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Show what an account has.

    Free money can be bet or cashed out. What a settlement paid is held for its table until the next call.
    """
    with reading(database) as reader:
        record = account_record(reader, found_account(reader, name))
    if json:
        answer_json(record)
        return
    from punto.cli.terminal.ink import show_pairs, tell
    from punto.documents.page import Style
    from punto.money import format_money, parse_amount

    def money(text: str) -> str:
        return f"{record['currency']} {format_money(parse_amount(text, allow_zero=True))}"

    opened = datetime.fromtimestamp(record["opened_ms"] / 1000, UTC)
    rows = [
        ("free", money(record["free"])),
        *((f"held for {table}", money(amount)) for table, amount in record["held"].items()),
        ("opened", f"{opened:%Y-%m-%d %H:%M} UTC"),
        *((what, one_line(record[what])) for what in ("display", "contact") if record[what]),
    ]
    tell(one_line(name), Style.TITLE)
    show_pairs(rows)
