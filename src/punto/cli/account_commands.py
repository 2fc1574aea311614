"""`punto account`: what players have, in the same database as the tables. Accounts are opened, listed and
shown; money comes in, goes out and is put right on the word of two people; a name is erased and the
account stays.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.database_options import (
    AsOption,
    DatabaseOption,
    is_missing,
    named_person,
    now_ms,
    opened,
    operator,
    reading,
    refuse_for,
)
from punto.cli.options import JsonOption, complete_account, complete_person
from punto.cli.output import answer_json, one_line, refuse

if TYPE_CHECKING:
    from punto.floor.desk import Holdings
    from punto.ledger.movement import Movement
    from punto.refusal import Refusal
    from punto.store.reader import Reader
    from punto.store.record import StatementLine, StoredAccount, StoredMovement
    from punto.store.store import Store


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
    from punto.server.sessions import is_of_the_house, is_readable, look_alike

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


# What the desk says after money has moved, to people and to programs.


def tell_moved(store: Store, name: str, moved: Movement | Refusal, *, json: bool) -> None:
    """Tell what an account has now; the command ends if nothing was moved."""
    from punto.ledger.movement import player_account
    from punto.money import format_amount, format_money, parse_amount
    from punto.refusal import Reason, Refusal

    with store.read() as reader:
        if isinstance(moved, Refusal):
            if moved.reason is Reason.NO_ACCOUNT:
                found_account(reader, name)  # says which account may have been meant
            refuse_for(moved)
        record = account_record(reader, found_account(reader, name))
    amount = next(posting.amount for posting in moved.postings if posting.account == player_account(name))
    if json:
        kept = ("account", "currency", "free", "held")
        told = {key: record[key] for key in kept}
        answer_json({**told, "kind": moved.kind.value, "amount": format_amount(amount)})
        return
    free = format_money(parse_amount(record["free"], allow_zero=True))
    what = f"{moved.kind.value} {format_money(amount, is_signed=True)}"
    print(f"{one_line(name)}: {what}; free now: {record['currency']} {free}")


# `punto account new`: opens an account.


def account_new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of the player in lines of notation.", show_default=False)
    ],
    currency: Annotated[str, typer.Option("--currency", metavar="CODE", help="The currency of the account.")] = "USD",
    display: Annotated[
        str | None, typer.Option("--display", metavar="TEXT", help="A name to be shown.", show_default=False)
    ] = None,
    contact: Annotated[
        str | None, typer.Option("--contact", metavar="TEXT", help="Where to reach the player.", show_default=False)
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
    from punto.store.record import StoredPerson

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


# `punto account list`: the accounts of a database.


def account_list(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List the accounts."""
    found = [] if is_missing(database) else _found_accounts(database)
    if json:
        answer_json(found)
    elif found:
        _draw_accounts(found)
    else:
        print("there are no accounts yet; punto account new Lee opens one")


def _found_accounts(database: str | None) -> list[dict[str, Any]]:
    from punto.floor.desk import Holdings, all_holdings

    with reading(database) as reader:
        holds = all_holdings(reader)
        nothing = Holdings(0, {})
        return [account_record(reader, account, holds.get(account.handle, nothing)) for account in reader.accounts()]


def _draw_accounts(found: list[dict[str, Any]]) -> None:
    from punto.cli.ink import show
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


# `punto account show`: what an account has.


def account_show(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Show what an account has.

    Free money can be bet or cashed out. What a settlement paid is held for its table until the next call.
    """
    with reading(database) as reader:
        record = account_record(reader, found_account(reader, name))
    if json:
        answer_json(record)
        return
    from punto.cli.ink import show_pairs, tell
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


# `punto account statement`: every movement of an account, with its balance.


def account_statement(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Print every movement of an account, with its balance.

    The balance is what is free. What a settlement paid comes into it when it is released, at the next call
    of that table or when the table closes.
    """
    from punto.ledger.movement import player_account

    with reading(database) as reader:
        account = found_account(reader, name)
        lines = reader.statement(player_account(name))
    if json:
        answer_json(
            {"account": name, "currency": account.currency, "lines": [_movement_record(line) for line in lines]}
        )
    elif lines:
        _draw_statement(name, account.currency, lines)
    else:
        print(f"{name} has no movements yet; punto account buy-in {name} AMOUNT makes the first")


def _movement_record(line: StatementLine) -> dict[str, Any]:
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


def _draw_statement(name: str, currency: str, lines: list[StatementLine]) -> None:
    from punto.cli.ink import show
    from punto.documents.page import Grid
    from punto.money import format_money

    rows = tuple(
        (
            f"{datetime.fromtimestamp(line.movement.time_ms / 1000, UTC):%m-%d %H:%M}",
            _movement_words(line.movement),
            format_money(line.amount, is_signed=True),
            format_money(line.balance),
        )
        for line in lines
    )
    title = f"{one_line(name)}, {currency}, times in UTC"
    show(Grid(("time", "movement", "amount", "balance"), rows, title, right=(2, 3), grows=1))


def _movement_words(moved: StoredMovement) -> str:
    """What a movement was, in a line."""
    where = f"{moved.table}/{moved.round}" if moved.table and moved.round is not None else moved.table
    box = f"box {moved.box}" if moved.box is not None else None
    clause = f"clause {moved.clause}" if moved.clause else None
    people = " and ".join(filter(None, (moved.actor, moved.second))) if moved.table is None else None
    by = f"by {people}" if people else None
    said = (moved.kind, where, box, moved.area, clause, moved.reason, by)
    return one_line(", ".join(filter(None, said)))


# `punto account buy-in`: money that a player brings.


def account_buy_in(
    name: NameArgument,
    amount: AmountArgument,
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Take money in."""
    from punto.floor.desk import Desk

    units, person = read_amount(amount), named_person("--as", who, CASHIER)
    with opened(database) as store:
        tell_moved(store, name, Desk(store).buy_in(name, units, person, now_ms()), json=json)


# `punto account cash-out`: money that a player takes away.


def account_cash_out(
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


# `punto account correct`: puts an account right, on the word of two people.


def account_correct(
    name: NameArgument,
    amount: AmountArgument,
    second: Annotated[
        str | None,
        typer.Option(
            "--with", metavar="NAME:ROLE", help="The second person.", show_default=False, autocompletion=complete_person
        ),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.", show_default=False)] = "",
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Put an account right: two people, and a reason.

    A negative amount takes money off the account, which never goes below zero. The house bears it.
    """
    from punto.floor.desk import Desk

    if second is None:
        refuse("a correction needs a second person; name one with --with, such as --with Ida:pit-manager")
    units, person = read_amount(amount, allow_negative=True), named_person("--as", who, CASHIER)
    other = named_person("--with", second, "")
    with opened(database) as store:
        moved = Desk(store).correct(name, units, person, other, reason, now_ms())
        tell_moved(store, name, moved, json=json)


# `punto account erase`: forgets who stands behind an account.


def account_erase(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Erase display name and contact; the account stays.

    Its name, its money and its events stay too: they are the record of the house.
    """
    from punto.floor.desk import Desk
    from punto.refusal import Refusal

    with opened(database) as store:
        with store.read() as reader:
            found_account(reader, name)
        erased = Desk(store).erase(name, operator(), now_ms())
    if isinstance(erased, Refusal):
        refuse_for(erased)
    if json:
        answer_json({"account": name, "erased": erased})
    else:
        what = "display name and contact are erased" if erased else "there was nothing to erase"
        print(f"{one_line(name)}: {what}")
