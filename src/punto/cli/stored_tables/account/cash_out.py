"""`punto account cash-out`: money that a player takes away."""

from __future__ import annotations

from punto.cli.options.book import JsonOption
from punto.cli.options.database import AsOption, DatabaseOption, named_person, now_ms, opened
from punto.cli.stored_tables.account.desk_answer import tell_moved
from punto.cli.stored_tables.account.names import CASHIER, AmountArgument, NameArgument, read_amount


def cash_out(
    name: NameArgument,
    amount: AmountArgument,
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Pay money out.

    Only what is free can be paid out: not what is in play or held for a table.
    """
    from punto.floor.desk import Desk

    units, person = read_amount(amount), named_person("--as", who, CASHIER)
    with opened(database) as store:
        tell_moved(store, name, Desk(store).cash_out(name, units, person, now_ms()), json=json)
