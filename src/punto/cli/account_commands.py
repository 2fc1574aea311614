"""`punto account`: what players have, in the same database as the tables. Accounts are opened, listed and
shown; money comes in, goes out and is put right on the word of two people; a name is erased and the
account stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Option

from punto.cli import database_options
from punto.cli.database_options import AsOption, DatabaseOption, complete_account, named_person, with_amounts
from punto.cli.house_desk import HouseDesk, ServerOption, accepted, house_desk
from punto.cli.ink import show, show_pairs, tell
from punto.cli.options import JsonOption, answer, argument, complete_person, option, read_as
from punto.cli.output import answer_json, one_line, refuse, told_time
from punto.documents.page import Grid, Style
from punto.money import format_amount, format_money, parse_amount

if TYPE_CHECKING:
    from punto.floor.answers import (
        Account,
        AccountStatement,
        Exclusion,
        KeptLimit,
        LimitUse,
        Moved,
        PlayMeasure,
        PlayPeriod,
    )
    from punto.store.record import StatementLine

CASHIER = "house:cashier"  # Who works at the desk where nobody is named.

NameArgument = Annotated[str, argument("NAME", "The account, by the name of its player.", complete_account)]
LargeOption = Annotated[bool, Option("--large", help="Confirm that it is large cash by the rules of the house.")]
ReasonOption = Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")]
AmountArgument = Annotated[str, argument("AMOUNT", "An amount, such as 100 or 12.50.")]


def tell_moved(house: HouseDesk, name: str, moved: Moved, *, json: bool) -> None:
    """Tell what was moved, and what an account has now."""
    account = accepted(house, house.account(name))
    record = with_amounts(account)
    has = {field: record[field] for field in ("account", "currency", "free", "held")}
    what = f"{moved.kind} {format_money(moved.amount, is_signed=True)}"
    sentence = f"{one_line(name)}: {what}; free now: {account.currency} {format_money(account.free)}"
    told = {**has, "kind": moved.kind, "amount": format_amount(moved.amount), "receipt": moved.receipt}
    answer(told, f"{sentence}; receipt {moved.receipt}", json=json)


def account_new(
    name: Annotated[str, argument("NAME", "The name of the player in lines of notation.")],
    currency: Annotated[str, option("--currency", "CODE", "The currency of the account.", show_default=True)] = "USD",
    display: Annotated[str | None, option("--display", "TEXT", "A name to be shown.")] = None,
    contact: Annotated[str | None, option("--contact", "TEXT", "Where to reach the player.")] = None,
    test: Annotated[bool, option("--test", None, "Mark it as a test account, which reports keep apart.")] = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Open an account.

    The name is in every event of the player, is never used for anybody else and cannot be erased. Display
    name and contact can: punto account erase.
    """
    from punto.floor.errand import AccountErrand
    from punto.store.record import AccountOwner

    kind = AccountOwner.TEST if test else AccountOwner.PLAYER
    with database_options.removed_on_refusal(database, server), house_desk(database, server, create=True) as house:
        errand = AccountErrand(
            name=name, currency=currency, display=display, contact=contact, kind=kind, by=house.operator
        )
        accepted(house, house.do(errand))
    sentence = f"{name} has an account in {currency}; punto account buy-in {name} AMOUNT puts money into it"
    answer({"account": name, "currency": currency, "kind": kind.value}, sentence, json=json)


def account_list(database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False) -> None:
    """List the accounts."""
    accounts: list[Account] = []
    if server is not None or not database_options.is_missing(database):
        with house_desk(database, server) as house:
            accounts = house.accounts()
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


def account_show(
    name: NameArgument, database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False
) -> None:
    """Show what an account has.

    Free money can be bet or cashed out. What a settlement paid is held for its table until the next call, and what is
    staked lies on layouts. Limits of the player, with what is used of them, and an exclusion are shown too.
    """
    with house_desk(database, server) as house:
        account = accepted(house, house.account(name))
        play = accepted(house, house.play(name))
    if json:
        answer_json({**with_amounts(account), "limits": [*map(_use_told, play.limits)], "exclusion": play.exclusion})
        return
    texts, staked = {"display": account.display, "contact": account.contact}, account.balance.staked
    rows = [
        ("free", f"{account.currency} {format_money(account.free)}"),
        *((("staked", f"{account.currency} {format_money(staked)}"),) if staked else ()),
        *((f"held for {table}", f"{account.currency} {format_money(held)}") for table, held in account.held.items()),
        *(
            (f"commission due, {table}", f"{account.currency} {format_money(due)}")
            for table, due in account.due.items()
        ),
        ("opened", told_time(account.opened_ms)),
        *((("kind", account.kind),) if account.kind != "player" else ()),
        *((what, one_line(text)) for what, text in texts.items() if isinstance(text, str) and text),
        *((("excluded", _exclusion_words(play.exclusion)),) if play.exclusion is not None else ()),
        *((f"limit, {use.what.value} by {use.period.value}", _use_words(use)) for use in play.limits),
    ]
    tell(one_line(name), Style.TITLE)
    show_pairs(rows)


def account_statement(
    name: NameArgument, database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False
) -> None:
    """Print every movement of an account, with its balance.

    The balance is what is free. What a settlement paid is added when it is released, at the next call
    of that table or when the table closes.
    """
    with house_desk(database, server) as house:
        statement = accepted(house, house.statement(name))
    if json:
        answer_json(with_amounts(statement))
    elif statement.lines:
        _draw_statement(statement)
    else:
        print(f"{name} has no movements yet; punto account buy-in {name} AMOUNT makes the first")


def _draw_statement(statement: AccountStatement) -> None:
    rows = []
    for line in statement.lines:
        amount, balance = format_money(line.amount, is_signed=True), format_money(line.balance)
        rows.append((told_time(line.time), _movement_words(line), amount, balance))
    title = f"{one_line(statement.account)}, {statement.currency}"
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
    large: LargeOption = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Take money in.

    An amount that is large cash by the rules of the house is refused first; --large confirms it, and it goes on record.
    """
    from punto.floor.errand import CashErrand, CashKind

    units, person = read_as(parse_amount, amount), named_person("--as", who, CASHIER)
    with house_desk(database, server) as house:
        came = house.do(CashErrand(kind=CashKind.BUY_IN, name=name, amount=units, person=person, is_large=large))
        tell_moved(house, name, accepted(house, came), json=json)


def account_cash_out(
    name: NameArgument,
    amount: AmountArgument,
    who: AsOption = None,
    large: LargeOption = False,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Pay money out.

    Only what is free can be paid out: not what is in play or held for a table. An amount that is
    large cash is refused first; --large confirms it.
    """
    from punto.floor.errand import CashErrand, CashKind

    units, person = read_as(parse_amount, amount), named_person("--as", who, CASHIER)
    with house_desk(database, server) as house:
        came = house.do(CashErrand(kind=CashKind.CASH_OUT, name=name, amount=units, person=person, is_large=large))
        tell_moved(house, name, accepted(house, came), json=json)


def account_correct(
    name: NameArgument,
    amount: AmountArgument,
    second: Annotated[
        str | None, option("--with", "NAME:ROLE", "The second person.", autocompletion=complete_person)
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    who: AsOption = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Correct an account: two people, and a reason.

    A negative amount takes money off the account, which never goes below zero. The house bears it. Through a server
    it waits there until the second person agrees.
    """
    from punto.floor.answers import Waiting
    from punto.floor.errand import CorrectionErrand

    if second is None:
        refuse("a correction needs a second person; name one with --with, such as --with Ida:pit-manager")
    units = read_as(lambda text: parse_amount(text, allow_negative=True), amount)
    person, other = named_person("--as", who, CASHIER), named_person("--with", second, "")
    errand = CorrectionErrand(name=name, amount=units, reason=reason, person=person, second=other)
    with house_desk(database, server) as house:
        moved = accepted(house, house.do(errand))
        if isinstance(moved, Waiting):
            waits = f"it waits until a {moved.needs.value} or above agrees: approval {moved.approval}"
            answer(moved, f"{one_line(name)}: correction {format_money(units, is_signed=True)}; {waits}", json=json)
        else:
            tell_moved(house, name, moved, json=json)


def account_receipt(
    number: Annotated[int, argument("NUMBER", "The number of the receipt.")],
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Print the receipt of a movement at the cashier's desk."""
    from punto.floor.shift import receipt_rows

    with house_desk(database, server) as house:
        receipt = accepted(house, house.receipt(number))
    if json:
        answer_json(with_amounts(receipt))
        return
    rows = tuple((name, one_line(text)) for name, text in receipt_rows(receipt))
    show(Grid(("", ""), (*rows, ("time", told_time(receipt.time))), grows=1))


def account_erase(
    name: NameArgument, database: DatabaseOption = None, server: ServerOption = None, json: JsonOption = False
) -> None:
    """Erase display name and contact; the account stays.

    Its name, its money and its events stay too: they are the record of the house.
    """
    from punto.floor.errand import EraseErrand

    with house_desk(database, server) as house:
        erased = accepted(house, house.do(EraseErrand(name=name, by=house.operator)))
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
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the limits of a player, or change those of the house.

    WHAT is stake, loss, buy-in or time, PERIOD is session, day, week or month. Amounts are in major units, time in
    minutes. Stricter limits apply at once, looser ones after 24 hours. If player and house both set a
    limit, the stricter one applies.
    """
    from punto.floor.answers import Limit
    from punto.floor.errand import LimitsErrand

    with house_desk(database, server) as house:
        limits = accepted(house, house.limits(name))
        if limit:
            # A limit that ends or waits to become looser is asked for as it is to be.
            wanted = {(kept.what, kept.period): _wanted(kept) for kept in limits.house}
            wanted |= dict(read_as(_limit_of, text) for text in limit)
            asked = tuple(Limit(*place, amount) for place, amount in wanted.items() if amount is not None)
            errand = LimitsErrand(name=name, limits=asked, reason=reason, by=house.operator)
            limits = accepted(house, house.do(errand))
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
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Exclude a player from play: no seat, bet or buy-in from now on.

    Bets on the table are settled by the book, and money can be cashed out. A reason is needed.
    """
    from punto.floor.errand import ExclusionErrand

    with house_desk(database, server) as house:
        errand = ExclusionErrand(name=name, days=days, reason=reason, by=house.operator)
        exclusion = accepted(house, house.do(errand))
    record = {
        "account": name,
        "since_ms": exclusion.since_ms,
        "until_ms": exclusion.until_ms,
        "reason": exclusion.reason,
    }
    answer(record, f"{one_line(name)} is excluded from play {_until(exclusion)}", json=json)


def account_readmit(
    name: NameArgument,
    reason: ReasonOption = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Lift an exclusion of the house, with a reason.

    An exclusion that the player asked for ends by itself, and not before.
    """
    from punto.floor.errand import ReadmissionErrand

    with house_desk(database, server) as house:
        play = accepted(house, house.do(ReadmissionErrand(name=name, reason=reason, by=house.operator)))
    own = play.exclusion
    still = f"; the player's own exclusion lasts until {told_time(own.until_ms)}" if own and own.until_ms else ""
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


def _until(exclusion: Exclusion) -> str:
    return "for ever" if exclusion.until_ms is None else f"until {told_time(exclusion.until_ms)}"


def _exclusion_words(exclusion: Exclusion) -> str:
    by = "the house" if exclusion.by.value == "house" else "the player"
    reason = f": {one_line(exclusion.reason)}" if exclusion.reason else ""
    return f"{_until(exclusion)}, by {by}{reason}"


def _use_words(use: LimitUse) -> str:
    by = "the house" if use.by.value == "house" else "the player"
    amount, used = _limit_amount(use.what, use.amount), _limit_amount(use.what, max(0, use.used))
    return f"{used} of {amount} used; set by {by}"


def _use_told(use: LimitUse) -> dict[str, object]:
    amounts = (use.amount, use.used) if use.what.value == "time" else map(format_amount, (use.amount, use.used))
    place = {"what": use.what.value, "period": use.period.value}
    return {**place, **dict(zip(("amount", "used"), amounts, strict=True)), "by": use.by.value}


def _wanted(limit: KeptLimit) -> int | None:
    return limit.amount if limit.changes_ms is None else limit.next


def _limit_amount(what: PlayMeasure, amount: int) -> str:
    return f"{amount} minutes" if what.value == "time" else format_money(amount)


def _limit_change(limit: KeptLimit) -> str:
    if limit.changes_ms is None:
        return ""
    after = "ends" if limit.next is None else f"becomes {_limit_amount(limit.what, limit.next)}"
    return f"{after} on {told_time(limit.changes_ms)}"


def _limit_told(limit: KeptLimit) -> dict[str, object]:
    def told(amount: int | None) -> object:
        return amount if amount is None or limit.what.value == "time" else format_amount(amount)

    pending = {} if limit.changes_ms is None else {"changes_ms": limit.changes_ms, "next": told(limit.next)}
    return {"what": limit.what.value, "period": limit.period.value, "amount": told(limit.amount), **pending}
