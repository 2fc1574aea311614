"""`punto account new`: opens an account."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.database import DatabaseOption, now_ms, opened, operator, refuse_for
from punto.cli.stored_tables.account.names import LONGEST_NAME, LONGEST_TEXT, refuse_name
from punto.cli.terminal.say import answer_json, one_line, refuse


def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The name of the player in lines of notation.", show_default=False
        ),
    ],
    currency: Annotated[
        str, typer.Option("--currency", metavar="CODE", help="The currency of the account.")
    ] = "USD",
    display: Annotated[
        str | None,
        typer.Option("--display", metavar="TEXT", help="A name to be shown.", show_default=False),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option("--contact", metavar="TEXT", help="Where to reach the player.", show_default=False),
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open an account.

    The name is in every event of the player, is never used for anybody else and cannot be erased. Display
    name and contact can: punto account erase.
    """
    from punto.floor.desk import CURRENCY, Desk
    from punto.refusal import Refusal
    from punto.store.stored import StoredPerson

    if not name.strip() or name != one_line(name) or name != name.strip() or len(name) > LONGEST_NAME:
        refuse(f"{name!r} cannot be the name of an account; use 1 to {LONGEST_NAME} printed characters")
    if not CURRENCY.fullmatch(currency):
        refuse(f"{currency!r} is not a currency; write it in capital letters, such as USD or HKD")
    for text in (display, contact):
        if text is not None and len(text) > LONGEST_TEXT:
            refuse(f"a display name or contact has at most {LONGEST_TEXT} characters")
    with opened(database, create=True) as store:
        with store.read() as reader:
            refuse_name(reader, name)
        person = StoredPerson(name, display, contact)
        account = Desk(store).open_account(person, currency, now_ms(), operator())
    if isinstance(account, Refusal):
        refuse_for(account)
    if json:
        answer_json({"account": name, "currency": currency})
    else:
        print(f"{name} has an account in {currency}; punto account buy-in {name} AMOUNT puts money into it")
