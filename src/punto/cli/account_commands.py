"""`punto account`: what players have, in the same database as the tables. Accounts are opened, listed and
shown; money comes in, goes out and is put right on the word of two people; a name is erased and the
account stays.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeVar

from punto.cli import database_options
from punto.cli.database_options import (
    AsOption,
    DatabaseOption,
    complete_account,
    named_person,
    now_ms,
    opened,
    operator,
    with_amounts,
)
from punto.cli.ink import show, show_pairs, tell
from punto.cli.options import JsonOption, answer, argument, complete_person, option, read_as
from punto.cli.output import answer_json, one_line, refuse
from punto.documents.page import Grid, Style
from punto.money import format_amount, format_money, parse_amount
from punto.refusal import Reason, Refusal
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.floor.answers import Account, AccountStatement
    from punto.ledger.movement import Movement
    from punto.store.record import StatementLine
    from punto.store.store import Store

CASHIER = "house:cashier"  # Who works at the desk where nobody is named.
_T = TypeVar("_T")

NameArgument = Annotated[str, argument("NAME", "The account, by the name of its player.", complete_account)]
AmountArgument = Annotated[str, argument("AMOUNT", "An amount, such as 100 or 12.50.")]


def accepted_account(store: Store, came: _T | Refusal, hint: str = "") -> _T:
    """What the floor answers; the command ends with the sentence of a refusal, and which name may have been meant."""
    if isinstance(came, Refusal) and came.reason is Reason.NO_ACCOUNT:
        with store.read() as reader:
            names = [account.handle for account in reader.accounts()]
        hint = f"{did_you_mean(str(came.params['player']), names)}; punto account list shows all"
    return database_options.accepted(came, hint)


def account_named(store: Store, name: str) -> Account:
    """What somebody is and has; the command ends if there is nobody of that name."""
    from punto.floor.desk import account_of

    with store.read() as reader:
        account = account_of(reader, name, with_contact=True)
    return accepted_account(store, account)


def tell_moved(store: Store, name: str, movement: Movement | Refusal, *, json: bool) -> None:
    """Tell what an account has now; the command ends if nothing was moved."""
    from punto.ledger.movement import player_account, totals

    moved = accepted_account(store, movement)
    account, amount = account_named(store, name), totals([moved])[player_account(name)]
    record = with_amounts(account)
    has = {field: record[field] for field in ("account", "currency", "free", "held")}
    what = f"{moved.kind.value} {format_money(amount, is_signed=True)}"
    sentence = f"{one_line(name)}: {what}; free now: {account.currency} {format_money(account.free)}"
    answer({**has, "kind": moved.kind.value, "amount": format_amount(amount)}, sentence, json=json)


def account_new(
    name: Annotated[str, argument("NAME", "The name of the player in lines of notation.")],
    currency: Annotated[str, option("--currency", "CODE", "The currency of the account.", show_default=True)] = "USD",
    display: Annotated[str | None, option("--display", "TEXT", "A name to be shown.")] = None,
    contact: Annotated[str | None, option("--contact", "TEXT", "Where to reach the player.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open an account.

    The name is in every event of the player, is never used for anybody else and cannot be erased. Display
    name and contact can: punto account erase.
    """
    from punto.floor.people import Author, People
    from punto.store.record import StoredPerson

    with database_options.removed_on_refusal(database), opened(database, create=True) as store:
        person = StoredPerson(name, display, contact)
        accepted_account(store, People(store, now_ms).open_account(person, currency, Author(operator())))
    sentence = f"{name} has an account in {currency}; punto account buy-in {name} AMOUNT puts money into it"
    answer({"account": name, "currency": currency}, sentence, json=json)


def account_list(database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List the accounts."""
    accounts = [] if database_options.is_missing(database) else _all_accounts(database)
    if json:
        answer_json(with_amounts(accounts))
        return
    if not accounts:
        print("there are no accounts yet; punto account new Lee opens one")
        return
    rows = []
    for account in accounts:
        free, held = format_money(account.free), format_money(sum(account.held.values()))
        rows.append((one_line(account.account), one_line(account.display or ""), account.currency, free, held))
    show(Grid(("account", "display name", "", "free", "held"), tuple(rows), right=(3, 4), grows=1))


def _all_accounts(database: str | None) -> list[Account]:
    from punto.floor.desk import Holdings, account_of, all_holdings

    with opened(database) as store:
        with store.read() as reader:
            holds, nothing = all_holdings(reader), Holdings(0, {})
            names = [stored.handle for stored in reader.accounts()]
            accounts = [account_of(reader, name, holds.get(name, nothing), with_contact=True) for name in names]
        return [accepted_account(store, account) for account in accounts]


def account_show(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Show what an account has.

    Free money can be bet or cashed out. What a settlement paid is held for its table until the next call.
    """
    with opened(database) as store:
        account = account_named(store, name)
    if json:
        answer_json(with_amounts(account))
        return
    begun = datetime.fromtimestamp(account.opened_ms / 1000, UTC)
    texts = {"display": account.display, "contact": account.contact}
    rows = [
        ("free", f"{account.currency} {format_money(account.free)}"),
        *((f"held for {table}", f"{account.currency} {format_money(held)}") for table, held in account.held.items()),
        *(
            (f"commission due, {table}", f"{account.currency} {format_money(due)}")
            for table, due in account.due.items()
        ),
        ("opened", f"{begun:%Y-%m-%d %H:%M} UTC"),
        *((what, one_line(text)) for what, text in texts.items() if isinstance(text, str) and text),
    ]
    tell(one_line(name), Style.TITLE)
    show_pairs(rows)


def account_statement(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Print every movement of an account, with its balance.

    The balance is what is free. What a settlement paid comes into it when it is released, at the next call
    of that table or when the table closes.
    """
    from punto.floor.desk import account_statement

    with opened(database) as store:
        with store.read() as reader:
            came = account_statement(reader, name)
        statement = accepted_account(store, came)
    if json:
        answer_json(with_amounts(statement))
    elif statement.lines:
        _draw_statement(statement)
    else:
        print(f"{name} has no movements yet; punto account buy-in {name} AMOUNT makes the first")


def _draw_statement(statement: AccountStatement) -> None:
    rows = []
    for line in statement.lines:
        moment = f"{datetime.fromtimestamp(line.time / 1000, UTC):%m-%d %H:%M}"
        amount, balance = format_money(line.amount, is_signed=True), format_money(line.balance)
        rows.append((moment, _movement_words(line), amount, balance))
    title = f"{one_line(statement.account)}, {statement.currency}, times in UTC"
    show(Grid(("time", "movement", "amount", "balance"), tuple(rows), title, right=(2, 3), grows=1))


def _movement_words(line: StatementLine) -> str:
    where = f"{line.table}/{line.round}" if line.table and line.round is not None else line.table
    box = f"box {line.box}" if line.box is not None else None
    clause = f"clause {line.clause}" if line.clause else None
    people = " and ".join(filter(None, (line.by, line.second))) if line.table is None else None
    kept = f"commission {format_money(line.commission)}" if line.commission else None
    parts = (line.kind, where, box, line.area, clause, line.reason, kept, f"by {people}" if people else None)
    return one_line(", ".join(filter(None, parts)))


def account_buy_in(
    name: NameArgument,
    amount: AmountArgument,
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Take money in."""
    from punto.floor.desk import Desk

    units, person = read_as(parse_amount, amount), named_person("--as", who, CASHIER)
    with opened(database) as store:
        tell_moved(store, name, Desk(store).buy_in(name, units, person, now_ms()), json=json)


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

    units, person = read_as(parse_amount, amount), named_person("--as", who, CASHIER)
    with opened(database) as store:
        tell_moved(store, name, Desk(store).cash_out(name, units, person, now_ms()), json=json)


def account_correct(
    name: NameArgument,
    amount: AmountArgument,
    second: Annotated[
        str | None, option("--with", "NAME:ROLE", "The second person.", autocompletion=complete_person)
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why.")] = "",
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
    units = read_as(lambda text: parse_amount(text, allow_negative=True), amount)
    person, other = named_person("--as", who, CASHIER), named_person("--with", second, "")
    with opened(database) as store:
        moved = Desk(store).correct(name, units, person, other, reason, now_ms())
        tell_moved(store, name, moved, json=json)


def account_erase(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Erase display name and contact; the account stays.

    Its name, its money and its events stay too: they are the record of the house.
    """
    from punto.floor.people import Author, People

    with opened(database) as store:
        erased = accepted_account(store, People(store, now_ms).erase(name, Author(operator())))
    what = "display name and contact are erased" if erased else "there was nothing to erase"
    answer({"account": name, "erased": erased}, f"{one_line(name)}: {what}", json=json)
