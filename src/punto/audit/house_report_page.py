"""The reports of a house for readers: a page of the one document model, sheets for a spreadsheet, and files of either.

Every page says who the operator is, what it is, from when to when, when it was made and by which version of Punto, and
where nothing happened it says that there was no activity.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from hashlib import sha256
from typing import Any, get_args
from zoneinfo import ZoneInfo

import msgspec

from punto.audit.house_report import (
    CashierReport,
    FloorReport,
    FloorTotals,
    HouseReport,
    PlayerReport,
    ReportHead,
    ReportKind,
    TableReport,
)
from punto.audit.house_report_layout import LAYOUTS, LEAST_ROUNDS, NUMBERS, FigureForm, ReportColumn
from punto.documents.page import Grid, Page, Section, Style, percent
from punto.documents.spreadsheet import Sheet, Value, csv_text
from punto.money import MINOR, Money, format_money
from punto.words import ENGLISH, phrases

NO_ACTIVITY = "There was no activity."
APART = "Bots and test accounts are not in the figures above."
BOUNDS_LINE = "bounds of the win"
WORDS = "reports.json"
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
    sections = list(_sections(report)) if report.is_active else []
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


def _text(value: Any, form: FigureForm, zone: str) -> str:
    """A value of a report as readers see it; nothing where there is none."""
    if value is None:
        return ""
    match form:
        case FigureForm.COUNT:
            return f"{value:,}"
        case FigureForm.MONEY:
            return format_money(value)
        case FigureForm.SHARE:
            return percent(value, 2)
        case FigureForm.RATE:
            return f"{value:.1f}"
        case FigureForm.HOURS:
            minutes = value // 60_000
            return f"{minutes // 60}:{minutes % 60:02}"
        case FigureForm.TIME:
            return time_text(value, zone)
        case FigureForm.KINDS:
            return ", ".join(f"{kind} {count}" for kind, count in value.items())
        case FigureForm.KIND:
            return str(getattr(value, "value", value))
        case FigureForm.STATE:
            return json_line(value)
        case _:
            return str(value)


def _shown(row: Any, field: str, form: FigureForm, zone: str) -> str:
    """A field of a row; a dash for the pace of so few rounds that they say nothing of it."""
    return "–" if form is FigureForm.RATE and row.rounds < LEAST_ROUNDS else _text(getattr(row, field), form, zone)


def _heads(columns: Sequence[ReportColumn], part: str = "columns") -> tuple[str, ...]:
    words = phrases(ENGLISH, WORDS)
    return tuple(words[f"{part}.{column.field}"] for column in columns)


def _grid(columns: Sequence[ReportColumn], rows: Sequence[msgspec.Struct], zone: str, part: str = "columns") -> Grid:
    names = {field.encode_name: field.name for field in msgspec.structs.fields(rows[0])} if rows else {}
    texts = tuple(tuple(_shown(row, names[column.field], column.form, zone) for column in columns) for row in rows)
    numbers = tuple(place for place, column in enumerate(columns) if column.form in NUMBERS)
    states = (place for place, column in enumerate(columns) if column.form is FigureForm.STATE)
    marks = {place: Style.BAD for place, row in enumerate(rows) if getattr(row, "beyond_chance", False)}
    return Grid(_heads(columns, part), texts, right=numbers, grows=max(states, default=None), marks=marks)


_NO_LINE = ("unweighed", "free", "held", "in_play", "liability")  # Totals without a line where there are none.


def _totals_grid(totals: FloorTotals, columns: Sequence[ReportColumn], zone: str) -> Grid:
    """The totals of play, a line each; the bounds of the win are one line, with what they say of it."""
    rows: list[tuple[str, str]] = []
    for column, head in zip(columns, _heads(columns, "totals"), strict=True):
        value = getattr(totals, column.field)
        if column.field in ("least_win", "greatest_win"):
            if column.field == "least_win" and value is not None:
                verdict = "beyond chance" if totals.beyond_chance else "within chance"
                span = f"{format_money(value)} to {format_money(totals.greatest_win or 0)}"
                rows.append((BOUNDS_LINE, f"{span}: {verdict}"))
        elif column.field not in _NO_LINE or value or (column.field != "unweighed" and totals.free is not None):
            rows.append((head, _shown(totals, column.field, column.form, zone)))
    marks = {place: Style.BAD for place, (name, _) in enumerate(rows) if totals.beyond_chance and name == BOUNDS_LINE}
    return Grid(("figure", "all together"), tuple(rows), totals.currency or "", right=(1,), marks=marks)


def _sections(report: HouseReport) -> Iterator[Section]:
    layout, zone = LAYOUTS[kind_of(report)], report.time_zone
    rows = Section(phrases(ENGLISH, WORDS)[f"rows.{layout.kind.value}"], (_grid(layout.columns, report.rows, zone),))
    if isinstance(report, FloorReport | TableReport):
        every = report.by_currency or (report.totals,)
        grids = tuple(_totals_grid(totals, layout.totals, zone) for totals in every)
        yield Section("All together", (*grids, _DROP, _BOUNDS))
        yield rows
        if report.irregularities:
            yield Section("What went wrong", (_grid(layout.irregularities, report.irregularities, zone),))
        return
    yield rows
    if isinstance(report, PlayerReport | CashierReport):
        together = report.by_currency or (report.totals,)
        yield Section("All together", (_grid(layout.totals, together, zone, "totals"),))
    if isinstance(report, CashierReport) and report.large:
        yield Section(phrases(ENGLISH, WORDS)["largeCash"], (_grid(layout.large, report.large, zone),))


def kind_of(report: HouseReport) -> ReportKind:
    return ReportKind(report.__struct_config__.tag)


def _apart(report: HouseReport) -> Section | None:
    """Bots and test accounts, which are in no figure above."""
    rows, columns = getattr(report, "apart", ()), LAYOUTS[kind_of(report)].apart
    if not rows:
        return None
    return Section("Apart", (APART, _grid(columns, rows, report.time_zone)))


def json_line(value: object) -> str:
    """A value on one line, the same whenever it is written."""
    return json.dumps(msgspec.to_builtins(value), sort_keys=True, ensure_ascii=False, separators=(", ", ": "))


def figures_digest(report: HouseReport) -> str:
    """The SHA-256 of what a report counts, without when it was made and by which version."""
    document = msgspec.to_builtins(report)
    counted = ("rows", "totals", "by_currency", "apart", "irregularities")
    figures = {name: document[name] for name in counted if name in document}
    if document.get("large"):  # days that were closed before there was large cash have none
        figures["large"] = document["large"]
    text = json.dumps(figures, sort_keys=True)
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
    sheets += (
        _sheet(name, rows) for name in ("apart", "irregularities", "large") if (rows := getattr(report, name, ()))
    )
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
