"""The reports of a house for readers: a page of the one document model, sheets for a spreadsheet, and files of either.

Every page says who the operator is, what it is, from when to when, when it was made and by which version of Punto, and
where nothing happened it says that there was no activity.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from hashlib import sha256
from typing import Any, get_args
from zoneinfo import ZoneInfo

import msgspec

from punto.audit.house_report import (
    AlterationsReport,
    CashierReport,
    FloorReport,
    FloorTotals,
    HouseReport,
    PlayerReport,
    ReportHead,
    StaffReport,
    TableReport,
)
from punto.documents.page import Block, Grid, Page, Section, Style, percent
from punto.documents.spreadsheet import Sheet, Value, csv_text
from punto.money import MINOR, Money, format_money

NO_ACTIVITY = "There was no activity."
ENDINGS = (".txt", ".md", ".html", ".pdf", ".csv", ".xlsx", ".json")
_BOUNDS = (
    "The theoretical win is the exact house edge of each bet, with a full shoe, times what was staked on it; an ante "
    "counts with its wager and optimal play, insurance by the totals on which it was taken. If every round is dealt "
    "fairly, the win lies within the bounds with a chance of at least 99 %: they are those of Bernstein and Freedman, "
    "which hold for any number of rounds. For evidence against the cards that were left before each round, use punto "
    "audit watch."
)
_DROP = (
    "Drop is fresh money: what the same table has returned to a player earlier on the same gaming day is not counted "
    "again."
)


def report_page(report: HouseReport) -> Page:
    sections = list(_SECTIONS[type(report)](report)) if report.is_active else []
    if report.is_active and (apart := _apart(report)):
        sections.append(apart)
    differing = any(day.is_same is False for day in report.fixed)
    lead = () if report.is_active else (NO_ACTIVITY,)
    return Page(
        report.title,
        tuple(sections),
        lead=(*lead, *_fixed_sentences(report)),
        facts=tuple(_facts(report)),
        header="Figures differ from those that were fixed" if differing else "",
    )


def time_text(time: int | None, zone: str) -> str:
    """A moment for readers, in the time zone of the house."""
    if time is None:
        return "the beginning"
    moment = datetime.fromtimestamp(time / 1000, _zone(zone))
    return f"{moment:%Y-%m-%d %H:%M:%S} {moment:%z}"


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _facts(report: ReportHead) -> Iterator[tuple[str, str]]:
    yield "Operator", report.operator or "not named (punto house rules operator=NAME)"
    yield "From", time_text(report.from_, report.time_zone)
    yield "To", time_text(report.to, report.time_zone)
    if report.table is not None:
        yield "Table", report.table
    if report.rounds is not None:
        yield "Rounds", f"{report.rounds[0]} to {report.rounds[1]}"
    yield "Made", f"{time_text(report.made, report.time_zone)} ({report.time_zone})"
    yield "Made by", f"Punto {report.version}"


def _fixed_sentences(report: ReportHead) -> Iterator[str]:
    for day in report.fixed:
        closed = f"Gaming day {day.day} was closed on {time_text(day.closed, report.time_zone)} by {day.closed_by}"
        if day.is_same is False:
            what = f": {', '.join(day.differing)}" if day.differing else ""
            yield f"{closed}, and these figures DIFFER from those that were fixed{what}."
        elif day.is_same:
            yield f"{closed}; these figures are those that were fixed."
    days = [day.day for day in report.fixed if day.is_same is None]
    if days:
        yield f"Closed gaming days in this span: {', '.join(days)}."


def _money(amount: int | None) -> str:
    return "" if amount is None else format_money(amount)


def _count(number: int) -> str:
    return f"{number:,}"


def _share(share: float | None) -> str:
    return "" if share is None else percent(share, 2)


def _rate(rate: float | None) -> str:
    return "" if rate is None else f"{rate:.1f}"


def _hours(time: int) -> str:
    minutes = time // 60_000
    return f"{minutes // 60}:{minutes % 60:02}"


def _totals_grid(totals: FloorTotals) -> Grid:
    rows: list[tuple[str, str]] = [("rounds", _count(totals.rounds)), ("rounds an hour", _rate(totals.rounds_an_hour))]
    rows += [("bets", _count(totals.bets)), ("handle", _money(totals.handle)), ("drop", _money(totals.drop))]
    rows += [("win", _money(totals.win)), ("hold", _share(totals.hold)), ("commission", _money(totals.commission))]
    rows.append(("theoretical win", _money(totals.theoretical_win)))
    if totals.least_win is not None and totals.greatest_win is not None:
        verdict = "beyond chance" if totals.beyond_chance else "within chance"
        rows.append(("bounds of the win", f"{_money(totals.least_win)} to {_money(totals.greatest_win)}: {verdict}"))
    if totals.unweighed:
        rows.append(("staked without an exact edge", _money(totals.unweighed)))
    rows += [("void rounds", _count(totals.voids)), ("settlements reversed", _count(totals.reversals))]
    rows.append(("irregularities", _count(totals.irregularities)))
    if totals.free is not None:
        rows += [("players' funds, free", _money(totals.free)), ("held", _money(totals.held))]
        rows += [("bets on the layout", _money(totals.in_play)), ("liability", _money(totals.liability))]
    marks = {
        place: Style.BAD for place, (name, _) in enumerate(rows) if totals.beyond_chance and name.startswith("bounds")
    }
    return Grid(("figure", "all together"), tuple(rows), totals.currency or "", right=(1,), marks=marks)


def _all_together(report: FloorReport | TableReport) -> Section:
    grids = tuple(_totals_grid(totals) for totals in (report.by_currency or (report.totals,)))
    return Section("All together", (*grids, _DROP, _BOUNDS))


def _irregularities(report: FloorReport | TableReport) -> Iterator[Section]:
    if report.irregularities:
        rows = tuple((row.table, row.dealer, row.kind, _count(row.count)) for row in report.irregularities)
        yield Section("What went wrong", (Grid(("table", "dealer", "what", "times"), rows, right=(3,)),))


def _floor_sections(report: FloorReport) -> Iterator[Section]:
    yield _all_together(report)
    rows = []
    for row in report.rows:
        money = (_money(amount) for amount in (row.handle, row.drop, row.win))
        counts = (_count(row.rounds), _rate(row.rounds_an_hour))
        theory = (_money(row.commission), _money(row.theoretical_win), _money(row.least_win), _money(row.greatest_win))
        wrong = (_count(row.voids), _count(row.irregularities), _money(row.in_play))
        rows.append((row.table, row.book, row.currency or "", *counts, *money, _share(row.hold), *theory, *wrong))
    heads = (
        *("table", "book", "currency", "rounds", "an hour", "handle", "drop", "win", "hold", "commission"),
        *("theoretical win", "least", "greatest", "voids", "irregularities", "in play"),
    )
    marks = {place: Style.BAD for place, row in enumerate(report.rows) if row.beyond_chance}
    yield Section("Tables", (Grid(heads, tuple(rows), right=range(3, len(heads)), marks=marks),))
    yield from _irregularities(report)


def _table_sections(report: TableReport) -> Iterator[Section]:
    yield _all_together(report)
    rows = []
    for row in report.rows:
        played = (_count(row.bets), _money(row.handle), _money(row.win), _money(row.commission))
        theory = (_money(row.theoretical_win), _share(row.edge), _share(row.hold_by_handle))
        rows.append((row.table, row.area, str(row.decks), *played, *theory))
    heads = (
        "table",
        "bet",
        "decks",
        "bets",
        "handle",
        "win",
        "commission",
        "theoretical win",
        "edge",
        "hold by handle",
    )
    yield Section("Bets", (Grid(heads, tuple(rows), right=range(2, len(heads))),))
    yield from _irregularities(report)


def _player_sections(report: PlayerReport) -> Iterator[Section]:
    rows = []
    for row in report.rows:
        played = (_count(row.rounds), _money(row.average_bet), _hours(row.time_ms), _money(row.handle))
        money = (row.net, row.theoretical_loss, row.buy_ins, row.cash_outs, row.free, row.held, row.in_play)
        rows.append((row.player, row.currency, *played, *map(_money, money)))
    heads = (
        *("player", "currency", "rounds", "average bet", "time", "handle", "net", "theoretical loss"),
        *("buy-ins", "cash-outs", "free", "held", "in play"),
    )
    yield Section("Players", (Grid(heads, tuple(rows), right=range(2, len(heads))),))
    totals = tuple(
        (
            one.currency or "",
            _count(one.players),
            *map(_money, (one.handle, one.net, one.theoretical_loss, one.liability)),
        )
        for one in (report.by_currency or (report.totals,))
    )
    named = ("currency", "players", "handle", "net", "theoretical loss", "liability")
    yield Section("All together", (Grid(named, totals, right=range(1, len(named))),))


def _cashier_sections(report: CashierReport) -> Iterator[Section]:
    rows = []
    for row in report.rows:
        moved = (_money(row.buy_ins), _count(row.buy_in_count), _money(row.cash_outs), _count(row.cash_out_count))
        corrected = (_money(row.corrections), _count(row.correction_count), _money(row.drawer_change))
        rows.append((row.cashier, row.currency, *moved, *corrected))
    heads = (
        *("cashier", "currency", "buy-ins", "number", "cash-outs", "number"),
        *("corrections", "number", "into the drawer"),
    )
    yield Section("Cashiers", (Grid(heads, tuple(rows), right=range(2, len(heads))),))
    totals = tuple(
        (
            one.currency or "",
            *map(_money, (one.buy_ins, one.cash_outs, one.corrections, one.drawer_before, one.drawer_after)),
        )
        for one in (report.by_currency or (report.totals,))
    )
    named = ("currency", "buy-ins", "cash-outs", "corrections", "drawer before", "drawer after")
    yield Section("All together", (Grid(named, totals, right=range(1, len(named))),))


def _staff_sections(report: StaffReport) -> Iterator[Section]:
    rows = []
    for row in report.rows:
        times = (time_text(row.from_, report.time_zone), time_text(row.to, report.time_zone))
        wrong = ", ".join(f"{kind} {count}" for kind, count in row.irregularities.items())
        counts = (_count(row.rounds), _rate(row.rounds_an_hour), _count(row.voids))
        rows.append((row.dealer, row.role, row.table, *times, *counts, wrong))
    heads = ("dealer", "role", "table", "from", "to", "rounds", "an hour", "voids", "irregularities")
    yield Section("Dealers", (Grid(heads, tuple(rows), right=(5, 6, 7)),))


def _alteration_sections(report: AlterationsReport) -> Iterator[Section]:
    rows = []
    for row in report.rows:
        states = (json_line(state) if state is not None else "" for state in (row.before, row.after))
        people = (row.who or "", row.second or "", row.reason or "")
        rows.append((time_text(row.time, report.time_zone), row.what, row.subject, *people, *states))
    heads = ("when", "what", "of", "who", "agreed", "why", "before", "after")
    yield Section("Alterations", (Grid(heads, tuple(rows), grows=7),))


_SECTIONS: dict[type[ReportHead], Callable[[Any], Iterator[Section]]] = {
    FloorReport: _floor_sections,
    TableReport: _table_sections,
    PlayerReport: _player_sections,
    CashierReport: _cashier_sections,
    StaffReport: _staff_sections,
    AlterationsReport: _alteration_sections,
}


def _apart(report: HouseReport) -> Section | None:
    """Bots and test accounts, which are in no figure above."""
    rows = getattr(report, "apart", ())
    if not rows:
        return None
    blocks: list[Block] = ["Bots and test accounts are not in the figures above."]
    sheet = _sheet("", rows)
    texts = tuple(tuple("" if value is None else str(value) for value in row) for row in sheet.rows)
    blocks.append(Grid(sheet.heads, texts))
    return Section("Apart", tuple(blocks))


def json_line(value: object) -> str:
    """A value on one line, the same whenever it is written."""
    return json.dumps(msgspec.to_builtins(value), sort_keys=True, ensure_ascii=False, separators=(", ", ": "))


def figures_digest(report: HouseReport) -> str:
    """The SHA-256 of what a report counts, without when it was made and by which version."""
    document = msgspec.to_builtins(report)
    counted = ("rows", "totals", "by_currency", "apart", "irregularities")
    text = json.dumps({name: document[name] for name in counted if name in document}, sort_keys=True)
    return sha256(text.encode()).hexdigest()


def report_sheets(report: HouseReport) -> tuple[Sheet, ...]:
    """Everything that a report counts, as values: amounts in major units, times in milliseconds."""
    head = tuple(
        (name, _value(getattr(report, name))) for name in ("title", "operator", "from_", "to", "made", "version")
    )
    about = Sheet(
        "report", ("about", "value"), (*((name.rstrip("_"), value) for name, value in head), *_activity(report))
    )
    sheets = [
        about,
        _sheet("rows", report.rows),
        _sheet("totals", getattr(report, "by_currency", ()) or (report.totals,)),
    ]
    sheets += (_sheet(name, rows) for name in ("apart", "irregularities") if (rows := getattr(report, name, ())))
    return tuple(sheet for sheet in sheets if sheet.rows)


def _activity(report: ReportHead) -> tuple[tuple[str, Value], ...]:
    return (("activity", "yes" if report.is_active else NO_ACTIVITY),)


def _sheet(name: str, rows: Sequence[msgspec.Struct]) -> Sheet:
    if not rows:
        return Sheet(name, (), ())
    fields = msgspec.structs.fields(rows[0])
    values = tuple(
        tuple(_value(getattr(row, field.name), is_money=_is_money(field.type)) for field in fields) for row in rows
    )
    return Sheet(name, tuple(field.encode_name for field in fields), values)


def _is_money(kind: Any) -> bool:
    return kind == Money or Money in get_args(kind)


def _value(value: Any, *, is_money: bool = False) -> Value:
    if is_money and value is not None:
        return Decimal(value) / MINOR
    if value is None or isinstance(value, str | int | float):
        return value
    return value.value if hasattr(value, "value") else json_line(value)


def report_bytes(report: HouseReport, ending: str, document: object = None) -> bytes:
    """A report as the content of a file; `document` is its JSON, where that is not the report as the API sends it."""
    if ending == ".json":
        return msgspec.json.format(msgspec.json.encode(report if document is None else document), indent=2) + b"\n"
    if ending == ".csv":
        return csv_text(report_sheets(report)).encode()
    if ending == ".xlsx":
        return workbook_bytes(report_sheets(report))
    page = report_page(report)
    if ending in (".txt", ".md"):
        from punto.documents.text import markdown_lines, page_lines

        lines = page_lines(page) if ending == ".txt" else markdown_lines(page)
        return "".join(f"{line}\n" for line in lines).encode()
    from punto.documents.typesetting import html_page, pdf_bytes

    return html_page(page).encode() if ending == ".html" else pdf_bytes(page)


LONGEST_NAME = 31  # Letters of the name of a sheet in a workbook.


def workbook_bytes(sheets: Sequence[Sheet]) -> bytes:
    """Sheets as an XLSX workbook; the same sheets always give the same bytes."""
    from xlsxwriter import Workbook

    with io.BytesIO() as file:
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        with Workbook(file, options) as book:
            book.set_properties({"created": _NO_DATE})
            bold, amount = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00"})
            for sheet in sheets:
                page = book.add_worksheet(sheet.name[:LONGEST_NAME])
                page.freeze_panes(1, 0)
                for column, head in enumerate(sheet.heads):
                    page.write_string(0, column, head, bold)
                    page.set_column(column, column, max(10, min(40, len(head) + 2)))
                for number, row in enumerate(sheet.rows, start=1):
                    for column, value in enumerate(row):
                        _write(page, (number, column), value, amount)
        return file.getvalue()


_NO_DATE = datetime(2000, 1, 1)  # When a report was made stands in it, not in the properties of the file.


def _write(page: Any, place: tuple[int, int], value: Value, amount: object) -> None:
    match value:
        case None:
            return
        case bool():
            page.write_boolean(*place, value)
        case str():
            page.write_string(*place, value)
        case Decimal():
            page.write_number(*place, value, amount)
        case _:
            page.write_number(*place, value)
