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
    from punto.floor.answers import Account, AccountStatement, KeptLimit, PlayMeasure, PlayPeriod
    from punto.ledger.movement import Movement
    from punto.store.record import StatementLine
    from punto.store.store import Store

CASHIER = "house:cashier"  # Who works at the desk where nobody is named.
_T = TypeVar("_T")

NameArgument = Annotated[str, argument("NAME", "The account, by the name of its player.", complete_account)]
ReasonOption = Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")]
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
    from punto.store.cage import last_of_account

    moved = accepted_account(store, movement)
    account, amount = account_named(store, name), totals([moved])[player_account(name)]
    record = with_amounts(account)
    has = {field: record[field] for field in ("account", "currency", "free", "held")}
    with store.read() as reader:
        number = last_of_account(reader, name)
    what = f"{moved.kind.value} {format_money(amount, is_signed=True)}"
    sentence = f"{one_line(name)}: {what}; free now: {account.currency} {format_money(account.free)}"
    told = {**has, "kind": moved.kind.value, "amount": format_amount(amount), "receipt": number}
    answer(told, f"{sentence}; receipt {number}", json=json)


def account_new(
    name: Annotated[str, argument("NAME", "The name of the player in lines of notation.")],
    currency: Annotated[str, option("--currency", "CODE", "The currency of the account.", show_default=True)] = "USD",
    display: Annotated[str | None, option("--display", "TEXT", "A name to be shown.")] = None,
    contact: Annotated[str | None, option("--contact", "TEXT", "Where to reach the player.")] = None,
    test: Annotated[bool, option("--test", None, "Mark it as a test account, which reports keep apart.")] = False,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Open an account.

    The name is in every event of the player, is never used for anybody else and cannot be erased. Display
    name and contact can: punto account erase.
    """
    from punto.floor.people import Author, People
    from punto.store.record import AccountOwner, StoredPerson

    with database_options.removed_on_refusal(database), opened(database, create=True) as store:
        person = StoredPerson(name, display, contact)
        kind = AccountOwner.TEST if test else AccountOwner.PLAYER
        accepted_account(store, People(store, now_ms).open_account(person, currency, Author(operator()), kind))
    sentence = f"{name} has an account in {currency}; punto account buy-in {name} AMOUNT puts money into it"
    answer({"account": name, "currency": currency, "kind": kind.value}, sentence, json=json)


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
        *((("kind", account.kind),) if account.kind != "player" else ()),
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


def account_receipt(
    number: Annotated[int, argument("NUMBER", "The number of the receipt.")],
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Print the receipt of a movement at the cashier's desk."""
    from punto.floor.shift import receipt_of, receipt_rows

    with opened(database) as store, store.read() as reader:
        receipt = database_options.accepted(receipt_of(reader, number))
    if json:
        answer_json(with_amounts(receipt))
        return
    moment = datetime.fromtimestamp(receipt.time / 1000, UTC)
    rows = tuple((name, one_line(text)) for name, text in receipt_rows(receipt))
    show(Grid(("", ""), (*rows, ("time", f"{moment:%Y-%m-%d %H:%M} UTC")), grows=1))


def account_erase(name: NameArgument, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """Erase display name and contact; the account stays.

    Its name, its money and its events stay too: they are the record of the house.
    """
    from punto.floor.people import Author, People

    with opened(database) as store:
        erased = accepted_account(store, People(store, now_ms).erase(name, Author(operator())))
    what = "display name and contact are erased" if erased else "there was nothing to erase"
    answer({"account": name, "erased": erased}, f"{one_line(name)}: {what}", json=json)


def account_limits(
    name: NameArgument,
    limit: Annotated[
        list[str] | None,
        argument(
            "[WHAT/PERIOD=AMOUNT]...", "Limits of the house to set; WHAT/PERIOD= ends one. Without any: show all."
        ),
    ] = None,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show the limits of a player, or change those of the house.

    WHAT is stake, loss, buy-in or time, PERIOD is session, day, week or month. Amounts are in major units, time in
    minutes. Stricter limits hold at once, looser ones after 24 hours. Of two limits, the player's and the house's, the
    stricter holds.
    """
    from punto.floor.answers import Guardian, Limit
    from punto.floor.protection import Protections

    with opened(database) as store:
        protections = Protections(store, now_ms)
        limits = accepted_account(store, protections.limits(name))
        if limit:
            # A limit that ends or waits to become looser is asked for as it is to be.
            wanted = {(kept.what, kept.period): _wanted(kept) for kept in limits.house}
            wanted |= dict(read_as(_limit_of, text) for text in limit)
            asked = [Limit(*place, amount) for place, amount in wanted.items() if amount is not None]
            kept = protections.set_limits(name, asked, operator(), Guardian.HOUSE, reason)
            limits = accepted_account(store, kept)
    by_whom = {"limits": limits.limits, "house": limits.house}
    if json:
        told = {whose: [_limit_told(each) for each in kept] for whose, kept in by_whom.items()}
        answer_json({"account": name, **told})
        return
    rows = [
        (each.what.value, each.period.value, _limit_amount(each.what, each.amount), whose, _limit_change(each))
        for whose, kept in (("player", limits.limits), ("house", limits.house))
        for each in kept
    ]
    if not rows:
        print(
            f"{one_line(name)} has no limits; punto account limits {one_line(name)} loss/day=100 sets one of the house"
        )
        return
    show(Grid(("limit", "by", "amount", "set by", "then"), tuple(rows), right=(2,), grows=4))


def account_exclude(
    name: NameArgument,
    days: Annotated[
        int | None, option("--days", "N", "For how many days; default: for ever.", min=1, max=36525)
    ] = None,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Exclude a player from play: no seat, bet or buy-in from now on.

    Bets that lie are settled by the book, and money can be cashed out. A reason is needed.
    """
    from punto.floor.answers import Guardian
    from punto.floor.protection import Protections

    with opened(database) as store:
        excluded = Protections(store, now_ms).exclude(name, days, operator(), Guardian.HOUSE, reason)
        exclusion = accepted_account(store, excluded)
    until = "for ever" if exclusion.until_ms is None else f"until {_moment(exclusion.until_ms)}"
    record = {
        "account": name,
        "since_ms": exclusion.since_ms,
        "until_ms": exclusion.until_ms,
        "reason": exclusion.reason,
    }
    answer(record, f"{one_line(name)} is excluded from play {until}", json=json)


def account_readmit(
    name: NameArgument, reason: ReasonOption = "", database: DatabaseOption = None, json: JsonOption = False
) -> None:
    """Lift an exclusion of the house, with a reason.

    What a player asked for ends when it is over, and not before.
    """
    from punto.floor.protection import Protections

    with opened(database) as store:
        play = accepted_account(store, Protections(store, now_ms).readmit(name, operator(), reason))
    own = play.exclusion
    still = f"; the player's own exclusion lasts until {_moment(own.until_ms)}" if own and own.until_ms else ""
    answer({"account": name, "excluded": own is not None}, f"{one_line(name)} is readmitted{still}", json=json)


def _limit_of(text: str) -> tuple[tuple[PlayMeasure, PlayPeriod], int | None]:
    from punto.floor.answers import PlayMeasure, PlayPeriod

    place, equals, amount = text.partition("=")
    what, slash, period = place.partition("/")
    measures, periods = [each.value for each in PlayMeasure], [each.value for each in PlayPeriod]
    if not equals or not slash or what not in measures or period not in periods:
        raise ValueError(
            f"a limit is WHAT/PERIOD=AMOUNT, such as loss/day=100, not {text!r}; "
            f"WHAT is {', '.join(measures)}, PERIOD is {', '.join(periods)}"
        )
    if not amount:
        return (PlayMeasure(what), PlayPeriod(period)), None
    if what == PlayMeasure.TIME.value and not amount.isdecimal():
        raise ValueError(f"a limit on time is a number of minutes, not {amount!r}")
    units = int(amount) if what == PlayMeasure.TIME.value else parse_amount(amount)
    return (PlayMeasure(what), PlayPeriod(period)), units


def _wanted(limit: KeptLimit) -> int | None:
    return limit.amount if limit.changes_ms is None else limit.next


def _limit_amount(what: PlayMeasure, amount: int) -> str:
    return f"{amount} minutes" if what.value == "time" else format_money(amount)


def _limit_change(limit: KeptLimit) -> str:
    if limit.changes_ms is None:
        return ""
    after = "ends" if limit.next is None else f"becomes {_limit_amount(limit.what, limit.next)}"
    return f"{after} on {_moment(limit.changes_ms)}"


def _limit_told(limit: KeptLimit) -> dict[str, object]:
    def told(amount: int | None) -> object:
        return amount if amount is None or limit.what.value == "time" else format_amount(amount)

    pending = {} if limit.changes_ms is None else {"changes_ms": limit.changes_ms, "next": told(limit.next)}
    return {"what": limit.what.value, "period": limit.period.value, "amount": told(limit.amount), **pending}


def _moment(time_ms: int) -> str:
    return f"{datetime.fromtimestamp(time_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
