"""`punto house`: what holds for its whole floor, stopping play, invitations, racks, shifts, reports, closing a day."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any

from punto.cli.database_options import (
    TIME_HELP,
    AsOption,
    DatabaseOption,
    TableArgument,
    accepted,
    complete_table,
    named_person,
    now_ms,
    opened,
    operator,
    read_time,
    reading,
    stored_table,
    with_amounts,
)
from punto.cli.files import check_new, check_result_format, write_whole
from punto.cli.ink import note, show, show_page
from punto.cli.options import JsonOption, answer, argument, check_one_of, complete_person, option, read_as
from punto.cli.output import answer_json, one_line, refuse, told_time
from punto.documents.page import Grid
from punto.money import format_money, parse_amount
from punto.refusal import Refusal

if TYPE_CHECKING:
    from punto.floor.answers import Invitation, Stop
    from punto.floor.house_rules import HouseRules
    from punto.floor.rack import Chips, Rack

DEALER = "house:dealer"  # Who deals where nobody is named.


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
    expires: Annotated[
        int | None, option("--expires", "HOURS", "How long they are valid; default: 168, a week.")
    ] = None,
    address: Annotated[
        str, option("--address", "URL", "Where people reach the floor, such as https://floor.example.")
    ] = "http://127.0.0.1:8317",
    output: Annotated[
        str | None, option("--output -o", "FILE", "A sheet to be printed and cut up: .html or .pdf.")
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Make invitations, with which guests make their log-ins.

    Each holds once, until it expires; the codes are shown only here. Who made them is kept in the records of the
    house, and named with every first buy-in.
    """
    from punto.cli.invitation_sheet import ENDINGS, sheet_bytes
    from punto.floor.invitation import USUAL_HOURS, Invitations, Wanted
    from punto.floor.people import Author, People
    from punto.money import parse_amount
    from punto.rules.authority import ROLES_OF_PEOPLE, Role

    check_one_of("role", role, [known.value for known in ROLES_OF_PEOPLE])
    if output is not None:
        check_new(output)  # Codes stand nowhere else: a sheet of them is never written over.
    path = check_result_format(output, ENDINGS) if output is not None else None
    amount = 0 if buy_in is None else read_as(parse_amount, buy_in)
    hours = USUAL_HOURS if expires is None else expires
    wanted = Wanted(number, Role(role), amount, currency, hours, address)
    with opened(database, create=True) as store:
        made = accepted(Invitations(store, People(store, now_ms), now_ms).make(wanted, Author(operator())))
    if path is not None:
        write_whole(path, sheet_bytes(made, path), is_new=True)
    if json:
        answer_json({"invitations": with_amounts(made), "sheet": None if path is None else str(path)})
    elif path is not None:
        note(f"{len(made)} invitations are in {path}; keep it as you would keep money")
    else:
        rows = tuple((each.code, each.link, told_time(each.expires)) for each in made)
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


def house_devices(
    issue: Annotated[
        str | None, option("--issue", "TABLE", "Issue a key for this table; the one before it is revoked.")
    ] = None,
    name: Annotated[
        str, option("--name", "NAME", "What the device is called in the records.", show_default=True)
    ] = "shoe",
    revoke: Annotated[str | None, option("--revoke", "ID", "Revoke a key.")] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """List, issue or revoke the keys of devices that read cards.

    With its key a device says which card left the shoe of its table, and nothing else. A key is shown only here.
    """
    from punto.floor.device import Devices
    from punto.floor.people import Author, People

    with opened(database) as store:
        devices, by = Devices(store, People(store, now_ms), now_ms), Author(operator())
        made = accepted(devices.issue(issue, name, by)) if issue is not None else None
        if revoke is not None:
            accepted(devices.revoke(revoke, by))
        with store.read() as reader:
            listed = devices.listed(reader)
    if json:
        answer_json({"devices": listed, "issued": made})
        return
    if made is not None:
        note(f"the key of {made.name} at table {made.table}; keep it as you would keep a password")
        print(made.key)
    rows = tuple(
        (each.device, each.table, each.name, told_time(each.issued), told_time(each.revoked) if each.revoked else "")
        for each in listed
    )
    if rows:
        show(Grid(("id", "table", "name", "issued", "revoked"), rows, grows=2))
    else:
        print("there are no keys of devices; punto house devices --issue TABLE issues one")


def _invitation_rows(listed: tuple[Invitation, ...]) -> Iterator[tuple[str, ...]]:
    from punto.cli.output import one_line
    from punto.money import format_money

    for each in listed:
        buy_in = f"{each.currency} {format_money(each.buy_in)}" if each.buy_in else "none"
        used_by = one_line(each.used_by or "")
        yield each.invitation, each.state, each.role.value, buy_in, used_by, told_time(each.expires)


ChipsArgument = Annotated[list[str] | None, argument("[VALUExCOUNT]...", "Chips by value, such as 100x20 25x40.")]


def house_rack(
    action: Annotated[str, argument("ACTION", "open, fill, credit, count, close or show.")],
    table: TableArgument,
    chips: ChipsArgument = None,
    who: AsOption = None,
    second: Annotated[
        str | None, option("--with", "NAME:ROLE", "The second person.", autocompletion=complete_person)
    ] = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Count the rack of a table, fill it or take chips from it.

    Everything but show takes two people: a dealer or the pit (--as), with a cashier or somebody of the pit (--with).
    What should be there follows from the ledger: the opener, fills less credits, and what the table has won.
    """
    from punto.floor.rack import AddSlip, Racks, SlipKind, rack_of, slip_words

    check_one_of("action", action, [*(kind.value for kind in SlipKind), "show"])
    counted = _read_chips(chips)
    with opened(database) as store:
        with store.read() as reader:
            stored_table(reader, table)
        if action != "show":
            if second is None:
                refuse("a slip of a rack needs a second person; name one with --with, such as --with Cas:cashier")
            by, other = named_person("--as", who, DEALER), named_person("--with", second, "")
            kind = SlipKind(action)
            command = AddSlip(actor=by.name, role=by.role, second=other, table=table, kind=kind, chips=counted)
            slip = accepted(Racks(store).add(command, now_ms()))
            answer(with_amounts(slip), slip_words(slip), json=json)
            return
        with store.read() as reader:
            rack = accepted(rack_of(reader, table))
    if json:
        answer_json(with_amounts(rack))
        return
    _draw_rack(rack)


def _read_chips(texts: list[str] | None) -> Chips:
    from punto.floor.rack import parse_chips

    return read_as(lambda text: parse_chips(text.split()), " ".join(texts or ()))


def _draw_rack(rack: Rack) -> None:
    state = "open" if rack.is_open else "closed"
    amounts = (("opener", rack.opener), ("fills", rack.fills), ("credits", -rack.credits), ("win", rack.win))
    rows = [(name, format_money(amount, is_signed=name != "opener")) for name, amount in amounts]
    rows.append(("expected", format_money(rack.expected)))
    show(Grid(("", rack.currency), tuple(rows), f"Rack of {rack.table}, {state}", right=(1,)))
    lines = [
        (
            *(str(slip.number), slip.kind.value, format_money(slip.amount)),
            format_money(slip.difference, is_signed=True) if slip.difference is not None else "",
            f"{one_line(slip.by.name)} and {one_line(slip.second.name)}",
            " ".join(f"{format_money(chip.value)}x{chip.count}" for chip in slip.chips),
        )
        for slip in rack.slips
    ]
    show(Grid(("slip", "", "amount", "difference", "by", "chips"), tuple(lines), right=(0, 2, 3), grows=5))


def house_shift(
    action: Annotated[str, argument("ACTION", "open, close or show.")],
    name: Annotated[str, argument("NAME", "The cashier.")],
    chips: ChipsArgument = None,
    currency: Annotated[str, option("--currency", "CODE", "What the drawer holds.", show_default=True)] = "USD",
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Begin, end or show the shift of a cashier.

    What should be there at the end is the opener, with what the cashier took in and paid out since.
    """
    from punto.floor.shift import Shifts, shift_of

    check_one_of("action", action, ["open", "close", "show"])
    counted = _read_chips(chips)
    with opened(database, create=action == "open") as store:
        if action == "open":
            shift = accepted(Shifts(store).begin(name, counted, currency, now_ms()))
        elif action == "close":
            shift = accepted(Shifts(store).close(name, counted, now_ms()))
        else:
            with store.read() as reader:
                shift = accepted(shift_of(reader, name))
    if json:
        answer_json(with_amounts(shift))
        return
    rows = [
        ("opened with", format_money(shift.opened)),
        ("taken in", format_money(shift.bought, is_signed=True)),
        ("paid out", format_money(-shift.paid, is_signed=True)),
        ("expected", format_money(shift.expected)),
    ]
    if shift.closed is not None and shift.difference is not None:
        rows += [
            ("counted", format_money(shift.closed)),
            ("difference", format_money(shift.difference, is_signed=True)),
        ]
    state = "open" if shift.closed_ms is None else "closed"
    title = f"Shift {shift.number} of {one_line(shift.cashier)}, {state}, {counted_words(len(shift.receipts))}"
    show(Grid(("", shift.currency), tuple(rows), title, right=(1,)))


def counted_words(receipts: int) -> str:
    return "1 receipt" if receipts == 1 else f"{receipts} receipts"


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
    """Report on floor, tables, players, staff, cashier or changes.

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
    """Close a gaming day: fix its figures, write its reports.

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
    from punto.floor.house_rules import HouseRules

    name, equals, value = text.partition("=")
    if not equals:
        refuse(f"a rule is NAME=VALUE, such as profile=strict, not {text!r}")
    name = name.strip().replace("-", "_")
    if not value:
        return name, None
    if name in amounts:
        return name, read_as(parse_amount, value)
    default = getattr(HouseRules(), name, "")
    if isinstance(default, bool) and value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if type(default) is int and value.isascii() and value.isdecimal() else value


def _rows(rules: HouseRules, amounts: tuple[str, ...]) -> list[tuple[str, str]]:
    rows = []
    for name in rules.__struct_fields__:
        value = getattr(rules, name)
        if name == "profile":
            value = value.name
        elif value is None or value == "":
            value = "none"
        elif name in amounts:
            value = format_money(value)
        elif isinstance(value, bool):
            value = str(value).lower()
        elif isinstance(value, Enum):
            value = value.value
        rows.append((name, str(value)))
    return rows
