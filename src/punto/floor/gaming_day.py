"""Gaming days: what span of time a report is of, and closing a day for good.

A gaming day begins at an hour of the house in its time zone, so the day on which clocks are put on is shorter and the
other longer; months and years are made of whole gaming days. Closing a day writes its reports to a folder with their
SHA-256 and an anchor, and keeps digests of the figures in the records of the house: every later report of that day is
compared with them.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Annotated, Any

import msgspec

from punto.audit.anchor import anchor_file, make_anchor, own_signer
from punto.audit.house_report import FixedDay, FloorReport, FloorTotals, HouseReport, ReportKind
from punto.audit.house_report_page import figures_digest, report_bytes
from punto.audit.house_reporting import HouseFrame, NoSuchRounds, ReportSpan, make_reports
from punto.floor.house_rules import HouseRules, house_rules
from punto.floor.loaded_table import BookCache
from punto.floor.people import ADMINISTRATORS
from punto.refusal import Reason, Refusal, RefusalText
from punto.rules.authority import Role
from punto.store.cage import open_racks, open_shifts
from punto.store.gaming_days import StoredDay, add_day, stored_days
from punto.store.reader import Reader
from punto.store.record import json_text
from punto.store.significant_events import house_began
from punto.store.sqlite import sync
from punto.store.store import Store
from punto.table.betting import BetsCalled

KEPT_ENDINGS = (".json", ".html", ".csv")  # The files of each report of a day that is closed.
ANCHOR_FILE, SUMS_FILE = "anchor.json", "SHA256SUMS"
MOST_NAMED = 10  # Open rounds that are named one by one.

OVERSEERS = (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR)
REPORT_READERS: dict[ReportKind, tuple[Role, ...]] = {
    ReportKind.FLOOR: OVERSEERS,
    ReportKind.TABLE: OVERSEERS,
    ReportKind.CASHIER: (*OVERSEERS, Role.CASHIER),
    ReportKind.PLAYER: OVERSEERS,
    ReportKind.STAFF: (*OVERSEERS, *ADMINISTRATORS),
    ReportKind.ALTERATIONS: (*OVERSEERS, *ADMINISTRATORS),
}
"""Who may see which report."""


def reports_for(roles: Collection[Role]) -> tuple[ReportKind, ...]:
    """The reports that somebody with these roles may see."""
    return tuple(kind for kind, readers in REPORT_READERS.items() if set(readers) & set(roles))


DayText = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Moment = Annotated[int, msgspec.Meta(ge=0, le=10**14)]


class SpanQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of what a report is: one of day, month and year, or from a time to another, or some rounds; default: all."""

    day: DayText | None = None  # A gaming day, such as 2026-11-17.
    month: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}$")] | None = None
    year: Annotated[str, msgspec.Meta(pattern=r"^\d{4}$")] | None = None
    from_: Moment | None = msgspec.field(default=None, name="from")
    to: Moment | None = None
    table: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{1,40}$")] | None = None
    rounds: Annotated[str, msgspec.Meta(pattern=r"^[1-9]\d{0,9}(-[1-9]\d{0,9})?$")] | None = None  # Such as 10-20.


class ClosedDay(msgspec.Struct, frozen=True):
    """A gaming day that was closed, and where its files are. Times are milliseconds."""

    day: str
    from_: int = msgspec.field(name="from")
    to: int
    closed: int
    closed_by: str
    files: dict[str, str]  # The SHA-256 of each file, by name.
    folder: str


class PreparedDay(msgspec.Struct, frozen=True):
    """Everything that is fixed when a day is closed, before it is."""

    day: str
    from_: int = msgspec.field(name="from")
    to: int
    figures: str
    files: dict[str, bytes]


def span_of(rules: HouseRules, query: SpanQuery) -> ReportSpan | Refusal:
    """The span that a query asks for, by the days of the house."""
    named = [name for name in ("day", "month", "year") if getattr(query, name) is not None]
    ends = query.from_ is not None or query.to is not None
    if len(named) + ends + (query.rounds is not None) > 1:
        return _wrong("name only one of day, month, year, rounds, and from with to")
    if query.rounds is not None:
        return _rounds(query)
    if not named:
        if query.from_ is not None and query.to is not None and query.from_ > query.to:
            return _wrong("a report cannot end before it begins")
        return ReportSpan(query.from_, query.to, query.table)
    text = query.day or (f"{query.month}-01" if query.month else f"{query.year}-01-01")
    first = _date(text)
    if first is None:
        return _wrong(f"there is no day {text}")
    return ReportSpan(rules.day_start(first), rules.day_start(_after(first, named[0])), query.table)


def _date(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if 1970 < day.year < 9999 else None


def _after(first: date, unit: str) -> date:
    """The day after a day, the first of the next month, or that of the next year."""
    if unit == "day":
        return first + timedelta(days=1)
    if unit == "year":
        return first.replace(year=first.year + 1)
    return (first + timedelta(days=31)).replace(day=1)


def _rounds(query: SpanQuery) -> ReportSpan | Refusal:
    if query.table is None:
        return _wrong("rounds are of one table: name it")
    first, _, last = (query.rounds or "").partition("-")
    if int(last or first) < int(first):
        return _wrong("the last round cannot be before the first")
    return ReportSpan(None, None, query.table, (int(first), int(last or first)))


def _wrong(problem: str) -> Refusal:
    return Refusal(Reason.WRONG_SPAN, None, {"problem": problem})


def house_report(
    reader: Reader, kind: ReportKind, query: SpanQuery, now: int, books: BookCache | None = None
) -> HouseReport | Refusal:
    """A report of the house; where it is of a day that was closed, it says whether the figures are still the same."""
    rules = house_rules(reader)
    span = span_of(rules, query)
    if isinstance(span, Refusal):
        return span
    if span.table is not None and (kind is ReportKind.CASHIER or reader.table(span.table) is None):
        if kind is ReportKind.CASHIER:
            return _wrong("the report of the cashier is not of one table")
        return Refusal(Reason.NO_TABLE, None, {"table": span.table})
    try:
        [report] = make_reports(reader, (kind,), span, frame_of(reader, rules, now, books or BookCache()))
    except NoSuchRounds:
        return _wrong(f"table {span.table} has not had all of these rounds")
    return msgspec.structs.replace(report, fixed=_fixed(reader, kind, span, report))


def frame_of(reader: Reader, rules: HouseRules, now: int, books: BookCache) -> HouseFrame:
    from punto import __version__

    return HouseFrame(
        made=now,
        version=__version__,
        operator=rules.operator,
        time_zone=rules.time_zone,
        day_start=lambda moment: rules.day_start(rules.day_of(moment)),
        day_end=lambda moment: rules.day_start(rules.day_of(moment) + timedelta(days=1)),
        book_of=lambda digest: books.book(reader, digest),
    )


def _fixed(reader: Reader, kind: ReportKind, span: ReportSpan, report: HouseReport) -> tuple[FixedDay, ...]:
    """The closed days that a report has to do with; a report of exactly one of them is compared with it."""
    if span.rounds is not None:
        return ()
    found = []
    for day in stored_days(reader, span.start, span.end):
        is_same: bool | None = None
        differing: tuple[str, ...] = ()
        if (span.start, span.end, span.table) == (day.from_ms, day.to_ms, None):
            figures = msgspec.json.decode(day.figures)
            is_same = figures["digests"][kind.value] == figures_digest(report)
            differing = _differing(figures["totals"], report) if not is_same else ()
        who, when = day.closed_by, day.closed_ms
        found.append(FixedDay(day=day.day, closed=when, closed_by=who, is_same=is_same, differing=differing))
    return tuple(found)


def _differing(was: Mapping[str, Any], report: HouseReport) -> tuple[str, ...]:
    if not isinstance(report, FloorReport):
        return ()
    now = msgspec.to_builtins(report.totals)
    return tuple(name for name in now if now[name] != was.get(name))


def day_to_close(rules: HouseRules, now: int, day: str | None) -> date | Refusal:
    """The day that is meant, where one is named; else the last one that is over."""
    if day is None:
        return rules.day_of(now) - timedelta(days=1)
    named = _date(day) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", day) else None
    return named if named is not None else _wrong(f"there is no day {day}")


def refuse_to_close(reader: Reader, rules: HouseRules, day: date, now: int) -> Refusal | None:
    """Why a gaming day cannot be closed: it is not over, is closed already, was over before there was anything of the
    house, or has rounds that are still open."""
    start, end = rules.day_start(day), rules.day_start(day + timedelta(days=1))
    if now < end:
        return Refusal(Reason.DAY_NOT_OVER, None, {"day": str(day)})
    closed = stored_days(reader, start, end) or [each for each in stored_days(reader) if each.day == str(day)]
    if closed:
        return Refusal(Reason.DAY_CLOSED, None, {"day": closed[0].day, "by": closed[0].closed_by})
    first = house_began(reader)
    began = now if first is None else first
    if end <= began:
        return Refusal(Reason.DAY_BEFORE_HOUSE, None, {"day": str(day), "began": str(rules.day_of(began))})
    if rounds := open_rounds(reader, end):
        named = ", ".join(rounds[:MOST_NAMED])
        more = f" and {len(rounds) - MOST_NAMED} more" if len(rounds) > MOST_NAMED else ""
        return Refusal(Reason.ROUNDS_OPEN, None, {"rounds": f"{named}{more}", "day": str(day)})
    return None


def open_rounds(reader: Reader, before: int) -> list[str]:
    """Rounds that were called before a moment and are not over yet, as `t1/17`."""
    rounds = []
    for stored in reader.tables():
        state = reader.state_at(stored.id, stored.version) if not stored.imported else None
        if state is None or not state.is_in_round:
            continue
        [place] = reader.places_of(stored.id, BetsCalled.name(), 1)
        if reader.records(stored.id, place - 1, 1)[0].event.time < before:
            rounds.append(f"{stored.id}/{state.round}")
    return rounds


class KeptDay(msgspec.Struct, frozen=True):
    """A gaming day that was closed, as those may see it who see its reports. Times are milliseconds."""

    day: str
    from_: int = msgspec.field(name="from")
    to: int
    closed: int
    closed_by: str
    files: tuple[str, ...]
    totals: FloorTotals | None = None  # Those of the floor as they were fixed; for whoever sees that report.


class NextDay(msgspec.Struct, frozen=True):
    """A gaming day that could be closed, and what stands in the way."""

    day: str
    from_: int = msgspec.field(name="from")
    to: int
    refusal: RefusalText | None = None  # Why it cannot be closed now.
    shifts: tuple[str, ...] = ()  # Cashiers whose shift is open: that does not stop it.
    racks: tuple[str, ...] = ()  # Tables whose rack is open: neither does that.


def next_day(reader: Reader, rules: HouseRules, now: int, day: str | None) -> NextDay | Refusal:
    """The day that is named, or the last one that is over, with what stands in the way of closing it."""
    wanted = day_to_close(rules, now, day)
    if isinstance(wanted, Refusal):
        return wanted
    span = rules.day_start(wanted), rules.day_start(wanted + timedelta(days=1))
    refusal = refuse_to_close(reader, rules, wanted, now)
    text = refusal.text if refusal is not None else None
    return NextDay(str(wanted), *span, text, tuple(open_shifts(reader)), tuple(open_racks(reader)))


def kept_days(reader: Reader, kinds: Collection[ReportKind], most: int) -> tuple[KeptDay, ...]:
    """The days that were closed last, the latest first, as somebody sees them who may see these reports."""
    days = []
    for day in reversed(stored_days(reader)[-most:]):
        files = msgspec.json.decode(day.files, type=dict[str, str])
        names = (*sorted(name for name in files if _may_see(name, kinds)), ANCHOR_FILE, SUMS_FILE)
        totals = None
        if ReportKind.FLOOR in kinds:
            totals = msgspec.convert(msgspec.json.decode(day.figures)["totals"], type=FloorTotals)
        days.append(KeptDay(day.day, day.from_ms, day.to_ms, day.closed_ms, day.closed_by, names, totals))
    return tuple(days)


def _may_see(file: str, kinds: Collection[ReportKind]) -> bool:
    return Path(file).stem in {kind.value for kind in kinds} or file in (ANCHOR_FILE, SUMS_FILE)


def kept_file(reader: Reader, folder: Path, day: str, name: str, kinds: Collection[ReportKind]) -> bytes | Refusal:
    """A file of a closed day, if it is still what was written then. Only names that were written are looked for."""
    gone = Refusal(Reason.DAY_FILE_GONE, None, {"file": name, "day": day})
    stored = next((each for each in stored_days(reader) if each.day == day), None)
    sums = msgspec.json.decode(stored.files, type=dict[str, str]) if stored is not None else {}
    if stored is None or name not in (*sums, ANCHOR_FILE, SUMS_FILE) or not _may_see(name, kinds):
        return gone
    try:
        content = (folder / day / name).read_bytes()
    except OSError:
        return gone
    if name in sums and sha256(content).hexdigest() != sums[name]:
        return Refusal(Reason.DAY_FILE_CHANGED, None, {"file": name, "day": day})
    return content


def days_folder() -> Path:
    """Where the files of closed days are kept unless somebody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("punto", appauthor=False) / "days"


def prepare_day(reader: Reader, day: date, now: int, books: BookCache | None = None) -> PreparedDay:
    """Everything that closing a day fixes; it only reads."""
    rules = house_rules(reader)
    start, end = rules.day_start(day), rules.day_start(day + timedelta(days=1))
    frame = frame_of(reader, rules, now, books or BookCache())
    digests, totals, files = {}, None, {}
    for kind, report in zip(ReportKind, make_reports(reader, ReportKind, ReportSpan(start, end), frame), strict=True):
        digests[kind.value] = figures_digest(report)
        if isinstance(report, FloorReport):
            totals = report.totals
        for ending in KEPT_ENDINGS:
            files[f"{kind.value}{ending}"] = report_bytes(report, ending)
    return PreparedDay(str(day), start, end, json_text({"digests": digests, "totals": totals}), files)


def finish_day(store: Store, prepared: PreparedDay, by: str, now: int, folder: Path) -> ClosedDay | Refusal:
    """Close a day that was prepared: write its files to a folder of its own, fix it, and anchor everything.

    The files are written whole under another name first, and get theirs in the moment in which the day is fixed: a
    full disk, or a process that ends, leaves nothing that a later closing would take for another one's. They name
    players and what they played, so the folder is its owner's alone, as the database is.
    """
    own, draft = folder / prepared.day, folder / f".{prepared.day}-{secrets.token_hex(8)}"
    sums = {name: sha256(content).hexdigest() for name, content in sorted(prepared.files.items())}
    day = StoredDay(prepared.day, prepared.from_, prepared.to, now, by, prepared.figures, json_text(sums))
    try:
        draft.mkdir(mode=0o700, parents=True)
        for name, content in prepared.files.items():
            (draft / name).write_bytes(content)
            sync(draft / name)
        sync(draft)
        with store.write() as transaction:
            refusal = refuse_to_close(transaction, house_rules(transaction), date.fromisoformat(prepared.day), now)
            if refusal is None and not add_day(transaction, day):
                refusal = Refusal(Reason.DAY_CLOSED, None, {"day": prepared.day, "by": by})
            if refusal is None:
                _put_in_place(draft, own, sums)
    except OSError as error:
        refusal = Refusal(Reason.CANNOT_WRITE, None, {"path": str(own), "problem": error.strerror or str(error)})
    finally:
        rmtree(draft, ignore_errors=True)
    if refusal is not None:
        return refusal
    with store.read() as reader:
        anchor = anchor_file(make_anchor(reader, own_signer(make=True), now))
    sums[ANCHOR_FILE] = sha256(anchor).hexdigest()
    with suppress(OSError):  # the day is closed all the same, and an anchor can be made at any time
        (own / ANCHOR_FILE).write_bytes(anchor)
        (own / SUMS_FILE).write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())))
    return ClosedDay(prepared.day, prepared.from_, prepared.to, now, by, sums, str(own))


def _put_in_place(draft: Path, own: Path, names: Collection[str]) -> None:
    """Give the folder of a day its name; `OSError` where something is there.

    While nobody else can close a day, what has the files of a closing and no anchor is left of one that was cut off in
    this very moment, before the day was fixed.
    """
    if own.is_dir() and {each.name for each in own.iterdir()} == set(names):
        rmtree(own)
    if own.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    draft.rename(own)
    sync(own.parent)


def close_day(store: Store, day: str | None, by: str, now: int, folder: Path) -> ClosedDay | Refusal:
    """Close a gaming day, or the last one that is over."""
    with store.read() as reader:
        rules = house_rules(reader)
        wanted = day_to_close(rules, now, day)
        if isinstance(wanted, Refusal):
            return wanted
        if refusal := refuse_to_close(reader, rules, wanted, now):
            return refusal
        prepared = prepare_day(reader, wanted, now)
    return finish_day(store, prepared, by, now, folder)
