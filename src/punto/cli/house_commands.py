"""`punto house`: what holds for its whole floor, stopping play, invitations, its reports and closing a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from punto.cli.database_options import (
    TIME_HELP,
    DatabaseOption,
    accepted,
    complete_table,
    now_ms,
    opened,
    operator,
    read_time,
    reading,
    with_amounts,
)
from punto.cli.files import check_result_format, write_whole
from punto.cli.ink import note, show, show_page
from punto.cli.options import JsonOption, answer, argument, check_one_of, option, read_as
from punto.cli.output import answer_json, refuse
from punto.documents.page import Grid
from punto.refusal import Refusal

if TYPE_CHECKING:
    from punto.floor.answers import Invitation, Stop
    from punto.floor.house_rules import HouseRules


def house_rules(
    rule: Annotated[
        list[str] | None, argument("[NAME=VALUE]...", "Rules to change; NAME= for the default. Without any: show all.")
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Show the rules of the house, or change them.

    The profile is open, training or strict, or a TOML file of your own. Amounts are in major units.
    """
    from punto.floor import house_rules as rules_of_house

    with opened(database, create=bool(rule)) as store:
        if rule:
            changes = dict(_changed(text, rules_of_house.AMOUNTS) for text in rule)
            rules = accepted(rules_of_house.change_rules(store, changes, operator(), now_ms(), reason))
        else:
            with store.read() as reader:
                rules = rules_of_house.house_rules(reader)
    if json:
        import msgspec

        answer_json({name: msgspec.to_builtins(getattr(rules, name)) for name in rules_of_house.NAMES})
        return
    show(Grid(("rule", "value"), tuple(_rows(rules, rules_of_house.AMOUNTS)), grows=1))


BookName = Annotated[str | None, argument("[BOOK]", "The name of a book; default: the whole floor.")]


def house_stop(
    book: BookName = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Stop the floor, or the tables of one book.

    Rounds in play are finished. No other round is called and no new bet is taken until punto house start.
    """
    from punto.floor.orders import stop_play

    with opened(database) as store:
        stops = accepted(stop_play(store, book, reason, operator(), now_ms()))
    _tell_stops(stops, json=json)


def house_start(
    book: BookName = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Let the floor, or the tables of one book, be played again."""
    from punto.floor.orders import start_play

    with opened(database) as store:
        stops = accepted(start_play(store, book, operator(), now_ms(), reason))
    _tell_stops(stops, json=json)


def _tell_stops(stops: tuple[Stop, ...], *, json: bool) -> None:
    """Everything that is stopped now."""
    names = [f"tables of {stop.book}" if stop.book is not None else "the whole floor" for stop in stops]
    answer({"stops": stops}, f"stopped: {', '.join(names) or 'nothing'}", json=json)


def house_invite(
    number: Annotated[int, argument("N", "How many invitations; default: 1.")] = 1,
    role: Annotated[str, option("--role", "ROLE", "As what people come in.", show_default=True)] = "player",
    buy_in: Annotated[str | None, option("--buy-in", "AMOUNT", "What each of them begins with.")] = None,
    currency: Annotated[str, option("--currency", "CODE", "The currency of the accounts.", show_default=True)] = "USD",
    expires: Annotated[int | None, option("--expires", "HOURS", "How long they hold; default: 168, a week.")] = None,
    address: Annotated[
        str, option("--address", "URL", "Where people reach the floor, such as https://floor.example.")
    ] = "http://127.0.0.1:8317",
    output: Annotated[
        str | None, option("--output -o", "FILE", "A sheet to be printed and cut up: .html or .pdf.")
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Make invitations: codes with which people make their own log-in.

    Each holds once, until it expires; the codes are shown only here. Who made them is kept in the records of the
    house, and named with every first buy-in.
    """
    from punto.cli.invitation_sheet import ENDINGS, moment, sheet_bytes
    from punto.floor.invitation import USUAL_HOURS, Invitations, Wanted
    from punto.floor.people import Author, People
    from punto.money import parse_amount
    from punto.rules.authority import Role

    check_one_of("role", role, [known.value for known in Role])
    path = check_result_format(output, ENDINGS) if output is not None else None
    amount = 0 if buy_in is None else read_as(parse_amount, buy_in)
    hours = USUAL_HOURS if expires is None else expires
    wanted = Wanted(number, Role(role), amount, currency, hours, address)
    with opened(database, create=True) as store:
        made = accepted(Invitations(store, People(store, now_ms), now_ms).make(wanted, Author(operator())))
    if path is not None:
        write_whole(path, sheet_bytes(made, path))
    if json:
        answer_json({"invitations": with_amounts(made), "sheet": None if path is None else str(path)})
    elif path is not None:
        note(f"{len(made)} invitations are in {path}; keep it as you would keep money")
    else:
        rows = tuple((each.code, each.link, moment(each.expires)) for each in made)
        show(Grid(("code", "link", "holds until"), rows, grows=1))


def house_invitations(
    withdraw: Annotated[str | None, option("--withdraw", "ID", "Withdraw one that nobody has used.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List the invitations, and what became of them; or withdraw one."""
    from punto.floor.invitation import Invitations
    from punto.floor.people import Author, People

    with opened(database) as store:
        invitations = Invitations(store, People(store, now_ms), now_ms)
        if withdraw is not None:
            accepted(invitations.withdraw(withdraw, Author(operator())))
        with store.read() as reader:
            listed = invitations.listed(reader)
    if json:
        answer_json({"invitations": with_amounts(listed)})
    elif listed:
        show(
            Grid(
                ("invitation", "state", "role", "buy-in", "used by", "holds until"),
                tuple(_invitation_rows(listed)),
                grows=4,
            )
        )
    else:
        print("there are no invitations; punto house invite 10 makes some")


def _invitation_rows(listed: tuple[Invitation, ...]) -> Iterator[tuple[str, ...]]:
    from punto.cli.invitation_sheet import moment
    from punto.cli.output import one_line
    from punto.money import format_money

    for each in listed:
        buy_in = f"{each.currency} {format_money(each.buy_in)}" if each.buy_in else "none"
        used_by = one_line(each.used_by or "")
        yield each.invitation, each.state, each.role.value, buy_in, used_by, moment(each.expires)


KindArgument = Annotated[str, argument("KIND", "floor, table, cashier, player, staff or alterations.")]
_FILE_HELP = "Ends in .txt, .md, .html, .pdf, .csv, .xlsx or .json; default: shown here."


def house_report(
    kind: KindArgument,
    start: Annotated[str | None, option("--from", "TIME", f"From this time on, {TIME_HELP}")] = None,
    end: Annotated[str | None, option("--to", "TIME", "Before this time, likewise.")] = None,
    day: Annotated[str | None, option("--day", "YYYY-MM-DD", "Of this gaming day.")] = None,
    month: Annotated[str | None, option("--month", "YYYY-MM", "Of the gaming days of this month.")] = None,
    year: Annotated[str | None, option("--year", "YYYY", "Of the gaming days of this year.")] = None,
    table: Annotated[str | None, option("--table", "ID", "Of this table alone.", autocompletion=complete_table)] = None,
    rounds: Annotated[str | None, option("--rounds", "FIRST-LAST", "Of these rounds of the table.")] = None,
    output: Annotated[str | None, option("--output -o", "FILE", _FILE_HELP)] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Report on the floor, its tables, players, dealers, the cashier, or what was altered.

    Without a time it is of everything up to now. Bots and test accounts are counted apart. Where a gaming day was
    closed, a report of that day says whether its figures are still those that were fixed.
    """
    import msgspec

    from punto.audit.house_report import ReportKind
    from punto.audit.house_report_page import ENDINGS, report_bytes, report_page
    from punto.floor import gaming_day

    check_one_of("report", kind, [known.value for known in ReportKind])
    path = check_result_format(output, ENDINGS) if output is not None else None
    asked = {
        **{"day": day, "month": month, "year": year, "table": table, "rounds": rounds},
        **{"from": read_time("--from", start), "to": read_time("--to", end)},
    }
    try:
        query = msgspec.convert(asked, type=gaming_day.SpanQuery)
    except msgspec.ValidationError:
        refuse("--day is such as 2026-11-17, --month 2026-11, --year 2026, --rounds 10-20, and --table a table's id")
    with reading(database) as reader:
        report = gaming_day.house_report(reader, ReportKind(kind), query, now_ms())
    if isinstance(report, Refusal):
        refuse(report.sentence)
    document = {"kind": kind, **with_amounts(report)}
    if path is not None:
        write_whole(path, content := report_bytes(report, path.suffix.lower(), document))
        told = {"kind": kind, "file": str(path), "bytes": len(content)}
        answer(told, f"{path}: {report.title.lower()}, {len(content):,} bytes", json=json)
    elif json:
        answer_json(document)
    else:
        show_page(report_page(report))


def house_close_day(
    day: Annotated[str | None, option("--day", "YYYY-MM-DD", "Default: the last gaming day that is over.")] = None,
    output: Annotated[str | None, option("--output -o", "FOLDER", "Where; default: in your data folder.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Close a gaming day for good: fix its figures, and write its reports and an anchor.

    The files go to a folder named after the day, with their SHA-256. A day that is not over, was closed before, or has
    rounds that are still open is refused.
    """
    from pathlib import Path

    from punto.floor import gaming_day

    folder = Path(output) if output is not None else gaming_day.days_folder()
    with opened(database) as store:
        closed = accepted(gaming_day.close_day(store, day, operator(), now_ms(), folder))
    answer(
        closed,
        f"gaming day {closed.day} is closed: {len(closed.files)} files in {closed.folder}\n"
        "keep a copy of them away from the database",
        json=json,
    )


def _changed(text: str, amounts: tuple[str, ...]) -> tuple[str, Any]:
    from punto.money import parse_amount

    name, equals, value = text.partition("=")
    if not equals:
        refuse(f"a rule is NAME=VALUE, such as profile=strict, not {text!r}")
    name = name.strip().replace("-", "_")
    if not value:
        return name, None
    if name == "test_accounts":
        return name, [account.strip() for account in value.split(",")]
    return name, read_as(parse_amount, value) if name in amounts else value


def _rows(rules: HouseRules, amounts: tuple[str, ...]) -> list[tuple[str, str]]:
    from punto.money import format_money

    rows = []
    for name in rules.__struct_fields__:
        value = getattr(rules, name)
        if name == "profile":
            value = value.name
        elif name == "test_accounts":
            value = ", ".join(value) or "none"
        elif value is None or value == "":
            value = "none"
        elif name in amounts:
            value = format_money(value)
        rows.append((name, str(value)))
    return rows
