"""`punto house`: what holds for its whole floor, stopping play, invitations, racks, shifts, reports, closing a day."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints
from urllib.parse import urlsplit

from punto.cli.database_options import (
    TIME_HELP,
    AsOption,
    DatabaseOption,
    TableArgument,
    complete_table,
    named_person,
    read_time,
    with_amounts,
)
from punto.cli.files import check_new, check_result_format, write_whole
from punto.cli.house_desk import HouseDesk, ServerOption, accepted, house_desk, not_served
from punto.cli.ink import note, show, show_page
from punto.cli.options import JsonOption, answer, argument, check_one_of, complete_person, option, read_as
from punto.cli.output import answer_json, one_line, refuse, told_time
from punto.documents.page import Grid
from punto.money import format_money, parse_amount
from punto.refusal import Reason, Refusal, RefusalText

if TYPE_CHECKING:
    from punto.floor.answers import Invitation, Stop
    from punto.floor.house_rules import HouseRules
    from punto.floor.rack import Chips, Rack, SlipKind

DEALER = "house:dealer"  # Who deals where nobody is named.


def house_rules(
    rule: Annotated[
        list[str] | None, argument("[NAME=VALUE]...", "Rules to change; NAME= for the default. Without any: show all.")
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the rules of the house, or change them.

    The profile is open, training or strict, or a TOML file of your own. Amounts are in major units.
    """
    from punto.floor import house_rules as rules_of_house
    from punto.floor.errand import RulesErrand

    with house_desk(database, server, create=bool(rule)) as house:
        if rule:
            changes = dict(_changed(text, rules_of_house.AMOUNTS) for text in rule)
            rules = accepted(house, house.do(RulesErrand(rules=changes, reason=reason, by=house.operator)))
        else:
            rules = house.rules()
    if json:
        import msgspec

        answer_json({name: msgspec.to_builtins(getattr(rules, name)) for name in rules_of_house.NAMES})
        return
    show(Grid(("rule", "value"), tuple(_rows(rules, rules_of_house.AMOUNTS)), grows=1))


# A stop has a reason on record; who stops a floor in a hurry need not type one.
STOPPED_HERE = "stopped at the command line"

BookName = Annotated[str | None, argument("[BOOK]", "The name of a book; default: the whole floor.")]


def house_stop(
    book: BookName = None,
    reason: Annotated[
        str, option("--reason", "TEXT", f"Why, for the records of the house; default: {STOPPED_HERE}.")
    ] = STOPPED_HERE,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Stop play on the floor, or at the tables of one book.

    Rounds in play are finished. No other round is called and no new bet is taken until punto house start.
    """
    from punto.floor.errand import StopErrand

    with house_desk(database, server) as house:
        stops = accepted(house, house.do(StopErrand(book=book, reason=reason, by=house.operator)))
    answer({"stops": stops}, f"stopped: {_stopped_words(stops)}", json=json)


def house_start(
    book: BookName = None,
    reason: Annotated[str, option("--reason", "TEXT", "Why, for the records of the house.")] = "",
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Start play again on the floor, or at the tables of one book."""
    from punto.floor.errand import StartErrand

    with house_desk(database, server) as house:
        stops = accepted(house, house.do(StartErrand(book=book, reason=reason, by=house.operator)))
    rest = f"still stopped: {_stopped_words(stops)}" if stops else "nothing is stopped any more"
    where = "on the floor" if book is None else f"at tables of {book}"
    answer({"stops": stops}, f"play has started again {where}; {rest}", json=json)


def _stopped_words(stops: tuple[Stop, ...]) -> str:
    return ", ".join(f"tables of {stop.book}" if stop.book is not None else "the whole floor" for stop in stops)


def house_invite(
    number: Annotated[int, argument("N", "How many invitations; default: 1.")] = 1,
    role: Annotated[str, option("--role", "ROLE", "The role that they give.", show_default=True)] = "player",
    buy_in: Annotated[str | None, option("--buy-in", "AMOUNT", "The chips that each guest begins with.")] = None,
    currency: Annotated[str, option("--currency", "CODE", "The currency of the accounts.", show_default=True)] = "USD",
    expires: Annotated[
        int | None, option("--expires", "HOURS", "How long they are valid; default: 168, a week.")
    ] = None,
    address: Annotated[
        str,
        option(
            "--address", "URL", "Where people reach the floor, such as https://floor.example; default: this machine."
        ),
    ] = "http://127.0.0.1:8317",
    output: Annotated[
        str | None, option("--output -o", "FILE", "A sheet to be printed and cut up: .html or .pdf.")
    ] = None,
    evening: Annotated[
        str | None, option("--evening", "TEXT", "The name of the evening, for the sheet; default: the operator's.")
    ] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Make invitations, with which guests make their log-ins.

    Each can be used once, until it expires; the codes are shown only here. Who made them is kept in the records of the
    house, and named with every first buy-in.
    """
    from punto.cli.invitation_sheet import ENDINGS, sheet_bytes
    from punto.floor.errand import InviteErrand
    from punto.floor.invitation import USUAL_HOURS, Wanted
    from punto.money import parse_amount
    from punto.rules.authority import ROLES_OF_PEOPLE, Role

    check_one_of("role", role, [known.value for known in ROLES_OF_PEOPLE])
    if output is not None:
        check_new(output)  # Codes stand nowhere else: a sheet of them is never written over.
    path = check_result_format(output, ENDINGS) if output is not None else None
    amount = 0 if buy_in is None else read_as(parse_amount, buy_in)
    hours = USUAL_HOURS if expires is None else expires
    wanted = Wanted(number, Role(role), amount, currency, hours, address)
    with house_desk(database, server, create=True) as house:
        made = accepted(house, house.do(InviteErrand(wanted=wanted, by=house.operator)))
        if path is not None:
            name = house.rules().operator if evening is None else evening
            write_whole(path, sheet_bytes(made, path, name), is_new=True, is_secret=True)
    if json:
        answer_json({"invitations": with_amounts(made), "sheet": None if path is None else str(path)})
    elif path is not None:
        from punto.rules.wording import counted

        note(f"{path} has {counted(len(made), 'invitation')}; keep it as you would keep money")
        if _leads_here(address):
            note(f"Its codes lead to {address}, which phones cannot open; --address says where they reach the floor.")
    else:
        rows = tuple((each.code, each.link, told_time(each.expires)) for each in made)
        show(Grid(("code", "link", "valid until"), rows, grows=1))


def _leads_here(address: str) -> bool:
    """Whether an address leads nobody but this machine to the floor."""
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def house_invitations(
    withdraw: Annotated[str | None, option("--withdraw", "ID", "Withdraw one that nobody has used.")] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """List the invitations, and what became of them; or withdraw one."""
    from punto.floor.errand import WithdrawErrand

    with house_desk(database, server) as house:
        if withdraw is not None:
            accepted(house, house.do(WithdrawErrand(invitation=withdraw, by=house.operator)))
        listed = house.invitations()
    if json:
        answer_json({"invitations": with_amounts(listed)})
    elif listed:
        show(
            Grid(
                ("invitation", "state", "role", "buy-in", "used by", "valid until"),
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
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """List, issue or revoke the keys of devices that read cards.

    With its key a device says which card left the shoe of its table, and nothing else. A key is shown only here.
    """
    from punto.floor.errand import IssueErrand, RevokeErrand

    made = None
    with house_desk(database, server) as house:
        if issue is not None:
            made = accepted(house, house.do(IssueErrand(table=issue, called=name, by=house.operator)))
        if revoke is not None:
            accepted(house, house.do(RevokeErrand(device=revoke, by=house.operator)))
        listed = house.devices()
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
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Count the rack of a table, fill it or take chips from it.

    Everything but show takes two people: a dealer or the pit (--as), with a cashier or somebody of the pit (--with).
    What should be there follows from the ledger: the opener, fills less credits, and what the table has won. Through a
    server a slip waits there until the second person agrees.
    """
    from punto.floor.rack import SlipKind

    check_one_of("action", action, [*(kind.value for kind in SlipKind), "show"])
    counted = _read_chips(chips)
    with house_desk(database, server) as house:
        house.check_table(table)
        if action != "show":
            _sign_slip(house, SlipKind(action), table, counted, (who, second), json=json)
            return
        rack = accepted(house, house.rack(table))
    if json:
        answer_json(with_amounts(rack))
        return
    _draw_rack(rack)


def _sign_slip(
    house: HouseDesk, kind: SlipKind, table: str, chips: Chips, people: tuple[str | None, str | None], *, json: bool
) -> None:
    """Two people sign a slip of a rack."""
    from punto.floor.answers import Waiting
    from punto.floor.errand import SlipErrand
    from punto.floor.rack import AddSlip, slip_words

    who, second = people
    if second is None:
        refuse("a slip of a rack needs a second person; name one with --with, such as --with Cas:cashier")
    by, other = named_person("--as", who, DEALER), named_person("--with", second, "")
    command = AddSlip(actor=by.name, role=by.role, second=other, table=table, kind=kind, chips=chips)
    slip = accepted(house, house.do(SlipErrand(command=command)))
    if isinstance(slip, Waiting):
        waits = f"it waits for the second person, {slip.needs.value}: approval {slip.approval}"
        answer(slip, f"{kind.value} of {table}; {waits}", json=json)
    else:
        answer(with_amounts(slip), slip_words(slip), json=json)


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
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Begin, end or show the shift of a cashier.

    What should be there at the end is the opener, with what the cashier took in and paid out since.
    """
    from punto.floor.errand import CloseShiftErrand, OpenShiftErrand

    check_one_of("action", action, ["open", "close", "show"])
    counted = _read_chips(chips)
    with house_desk(database, server, create=action == "open") as house:
        if action == "open":
            shift = accepted(house, house.do(OpenShiftErrand(cashier=name, chips=counted, currency=currency)))
        elif action == "close":
            shift = accepted(house, house.do(CloseShiftErrand(cashier=name, chips=counted)))
        else:
            shift = accepted(house, house.shift(name))
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
_FILE_HELP = "Ends in .txt, .md, .html, .pdf, .csv, .xlsx or .json; default: print it."


def house_report(
    kind: KindArgument,
    start: Annotated[str | None, option("--from", "TIME", f"From this time on, {TIME_HELP}")] = None,
    end: Annotated[str | None, option("--to", "TIME", "Before this time, in the same form.")] = None,
    day: Annotated[str | None, option("--day", "YYYY-MM-DD", "Of this gaming day.")] = None,
    month: Annotated[str | None, option("--month", "YYYY-MM", "Of the gaming days of this month.")] = None,
    year: Annotated[str | None, option("--year", "YYYY", "Of the gaming days of this year.")] = None,
    table: Annotated[str | None, option("--table", "ID", "Of this table alone.", autocompletion=complete_table)] = None,
    rounds: Annotated[str | None, option("--rounds", "FIRST-LAST", "Of these rounds of the table.")] = None,
    output: Annotated[str | None, option("--output -o", "FILE", _FILE_HELP)] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Report on floor, tables, players, staff, cashier or changes.

    Without --from and --to it covers everything up to now. Bots and test accounts are counted apart. If a gaming day
    was closed, a report of that day says whether its figures are still those that were fixed.
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
    with house_desk(database, server) as house:
        report = house.report(ReportKind(kind), query)
    if isinstance(report, RefusalText):
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
    output: Annotated[str | None, option("--output -o", "FOLDER", "Where to; default: in your data folder.")] = None,
    database: DatabaseOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Close a gaming day: fix its figures, write its reports.

    The files go to a folder named after the day, with their SHA-256. A day that is not over, was closed before, or has
    rounds that are still open is refused. Through a server the files are where its closed days are.
    """
    from pathlib import Path

    from punto.floor import gaming_day
    from punto.floor.errand import CloseDayErrand

    if output is not None:
        not_served(server, "a server writes the files of a day where it keeps them, so -o is for a database")
    folder = (Path(output) if output is not None else gaming_day.days_folder()).absolute()
    with house_desk(database, server) as house:
        closed = accepted(house, house.do(CloseDayErrand(day=day, folder=str(folder), by=house.operator)))
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
    if name == "profile" and value.endswith(".toml"):
        return name, _profile_of(value)
    kind = get_type_hints(HouseRules).get(name)
    if kind is bool and value in ("true", "false"):
        return name, value == "true"
    is_number = int in (kind, *get_args(kind))  # also one that may be left out
    return name, int(value) if is_number and value.isascii() and value.isdecimal() else value


def _profile_of(file: str) -> dict[str, Any]:
    """A profile of your own, read here: a server may not know the file."""
    import msgspec

    from punto.floor.profile import WrongProfile, load_profile

    try:
        document: dict[str, Any] = msgspec.to_builtins(load_profile(file))
    except WrongProfile as error:
        refuse(Refusal(Reason.WRONG_RULE, None, {"problem": str(error)}).sentence)
    return document


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
