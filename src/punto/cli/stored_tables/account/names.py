"""What the commands on accounts share: the name of an account, its holder, amounts, and what it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.options.completion import complete_account
from punto.cli.terminal.say import refuse

if TYPE_CHECKING:
    from punto.floor.desk import Holdings
    from punto.store.reader import Reader
    from punto.store.stored import StoredAccount

CASHIER = "house:cashier"
"""Who works at the desk where nobody is named."""
LONGEST_NAME = 80
LONGEST_TEXT = 200

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The account, by the name of its player.",
        show_default=False,
        autocompletion=complete_account,
    ),
]
AmountArgument = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="An amount, such as 100 or 12.50.", show_default=False)
]


def refuse_name(reader: Reader, name: str) -> None:
    """End the command where a new name cannot be read, is one of the house, or looks like somebody else's."""
    from punto.server.access.likeness import is_of_the_house, is_readable, look_alike

    if not is_readable(name):
        refuse(f"{name!r} cannot be a name; use characters that can be seen, and not only dots")
    if is_of_the_house(name):
        refuse(f"the house itself acts under the name {name}; choose another one")
    known = look_alike(name, (account.handle for account in reader.accounts() if account.handle != name))
    if known is not None:
        refuse(f"{name} looks like {known}, who has an account; choose another name")


def read_amount(text: str, *, allow_negative: bool = False) -> int:
    """An amount from the command line, in minor units."""
    from punto.money import parse_amount

    try:
        return parse_amount(text, allow_negative=allow_negative)
    except ValueError as error:
        refuse(str(error))


def found_account(reader: Reader, name: str) -> StoredAccount:
    """The account of a name; the command ends if there is none."""
    from punto.suggestion import did_you_mean

    account = reader.account(name)
    if account is None:
        names = [known.handle for known in reader.accounts()]
        refuse(f"there is no account {name}{did_you_mean(name, names)}; punto account list shows all")
    return account


def account_record(reader: Reader, account: StoredAccount, holds: Holdings | None = None) -> dict[str, Any]:
    """What an account is and has, for programs."""
    from punto.floor.desk import holdings_of
    from punto.money import format_amount

    holds = holds or holdings_of(reader, account.handle)
    person = reader.person(account.handle)
    return {
        "account": account.handle,
        "currency": account.currency,
        "opened_ms": account.opened_ms,
        "display": person.display if person else None,
        "contact": person.contact if person else None,
        "free": format_amount(holds.free),
        "held": {table: format_amount(amount) for table, amount in sorted(holds.held.items())},
    }
