"""Spans of reports by gaming day, month and year, also where clocks are put on and back; closing a day for good."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.anchor import own_signer, read_anchor
from punto.audit.house_report import CashierReport, FloorReport, ReportKind
from punto.audit.house_report_page import NO_ACTIVITY, report_bytes, report_page
from punto.audit.house_reporting import ReportSpan
from punto.audit.verification import verify
from punto.documents.text import page_lines
from punto.floor.gaming_day import ClosedDay, SpanQuery, close_day, house_report, span_of
from punto.floor.house_rules import HouseRules, change_rules
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.store.gaming_days import stored_days
from punto.store.record import AccountOwner, StoredPerson
from punto.store.store import Store, open_store
from tests.floor.house import CASHIER, House

BERLIN = HouseRules(time_zone="Europe/Berlin")
ZONES = ("UTC", "Asia/Macau", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca")


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return ms(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)))


MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1))


@given(st.sampled_from(ZONES), st.integers(0, 23), st.sampled_from((0, 30)), MOMENTS)
def test_every_moment_is_in_the_day_that_begins_before_it(zone: str, hour: int, minute: int, moment: datetime) -> None:
    rules = HouseRules(time_zone=zone, day_begins=f"{hour:02}:{minute:02}")
    now = ms(moment.replace(tzinfo=UTC))
    day = rules.day_of(now)
    assert rules.day_start(day) <= now < rules.day_start(day + timedelta(days=1))


def test_days_begin_one_after_the_other_also_where_clocks_change_at_that_hour() -> None:
    rules = HouseRules(time_zone="Europe/Berlin", day_begins="02:30")
    for first in (date(2026, 3, 27), date(2026, 10, 23)):
        starts = [rules.day_start(first + timedelta(days=number)) for number in range(5)]
        for start, end in pairwise(starts):
            assert rules.day_of(start) == rules.day_of(end - 1) != rules.day_of(end)


@pytest.mark.parametrize(
    ("query", "start", "end", "hours"),
    [
        (SpanQuery(day="2026-03-28"), "2026-03-28T06:00", "2026-03-29T06:00", 23),
        (SpanQuery(day="2026-10-24"), "2026-10-24T06:00", "2026-10-25T06:00", 25),
        (SpanQuery(month="2026-03"), "2026-03-01T06:00", "2026-04-01T06:00", 31 * 24 - 1),
        (SpanQuery(month="2026-10"), "2026-10-01T06:00", "2026-11-01T06:00", 31 * 24 + 1),
        (SpanQuery(month="2026-12"), "2026-12-01T06:00", "2027-01-01T06:00", 31 * 24),
        (SpanQuery(year="2026"), "2026-01-01T06:00", "2027-01-01T06:00", 365 * 24),
    ],
)
def test_days_months_and_years_over_clocks_that_change(query: SpanQuery, start: str, end: str, hours: int) -> None:
    span = span_of(BERLIN, query)
    assert span == ReportSpan(at(start), at(end))
    assert at(end) - at(start) == hours * 3_600_000


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (SpanQuery(day="2026-02-30"), "there is no day 2026-02-30"),
        (SpanQuery(month="2026-13"), "there is no day 2026-13-01"),
        (SpanQuery(day="2026-02-03", year="2026"), "name only one of day, month, year, rounds, and from with to"),
        (SpanQuery(rounds="1-3"), "rounds are of one table: name it"),
        (SpanQuery(rounds="3-1", table="t1"), "the last round cannot be before the first"),
        (SpanQuery(from_=5, to=4), "a report cannot end before it begins"),
    ],
)
def test_what_is_not_a_span(query: SpanQuery, sentence: str) -> None:
    refused = span_of(BERLIN, query)
    assert isinstance(refused, Refusal) and refused.sentence == sentence


DAY = date(2026, 3, 28)  # Shorter by an hour in Berlin.


@pytest.fixture
def played(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house in Berlin with rounds on three gaming days, one of them in the night in which clocks are put on."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with open_store(database) as store, House(store) as house:
        change_rules(store, {"time_zone": "Europe/Berlin", "operator": "Haus"}, "Ada", 1)
        house.open("t1")
        house.buy_in("Ann", 10_000_000)
        house.time = at("2026-03-28T05:50")
        house.seat("Ann")
        for moment in (
            "2026-03-28T05:58",
            "2026-03-28T06:00",
            "2026-03-29T01:59",
            "2026-03-29T03:00",
            "2026-03-29T06:01",
        ):
            house.time = at(moment)
            house.call()
            assert not isinstance(house.bet("Ann", 5_000), Refusal)
            house.finish()
        yield house


def report_of(store: Store, now: int, kind: ReportKind = ReportKind.FLOOR, **query: Any) -> Any:
    with store.read() as reader:
        report = house_report(reader, kind, SpanQuery(**query), now)
    assert not isinstance(report, Refusal), report.sentence
    return report


NOW = at("2026-03-30T12:00")


@pytest.mark.gli("2.9.1")
def test_days_of_a_month_add_up_to_the_month(played: House) -> None:
    month = report_of(played.store, NOW, month="2026-03").totals
    days = [report_of(played.store, NOW, day=f"2026-03-{day:02}").totals for day in range(1, 32)]
    assert [day.rounds for day in days if day.rounds] == [1, 3, 1]
    for name in ("rounds", "bets", "handle", "drop", "win", "commission", "open_ms"):
        assert getattr(month, name) == sum(getattr(day, name) for day in days), name
    assert month.handle == 25_000


@pytest.mark.gli("2.9.1")
def test_a_report_says_whose_it_is_what_it_is_of_and_when_it_was_made(played: House) -> None:
    text = "\n".join(page_lines(report_page(report_of(played.store, NOW, day="2026-03-28"))))
    for part in (
        "Report of the floor",
        "Operator: Haus",
        "From: 2026-03-28 06:00:00 +0100",
        "To: 2026-03-29 06:00:00 +0200",
    ):
        assert part in text
    assert "Made: 2026-03-30 12:00:00 +0200 (Europe/Berlin)" in text and "Made by: Punto" in text


def test_a_pace_is_told_of_three_rounds_and_more(played: House) -> None:
    """On 28 March there were three rounds, on the day after one; programs read both figures."""
    for day, rounds in (("2026-03-28", 3), ("2026-03-29", 1)):
        report = report_of(played.store, NOW, day=day)
        [row] = report.rows
        assert row.rounds == report.totals.rounds == rounds and row.rounds_an_hour and report.totals.rounds_an_hour
        text = "\n".join(page_lines(report_page(report), 10_000))
        pace = f"{row.rounds_an_hour:.1f}" if rounds == 3 else "–"
        assert re.search(rf"Rounds an hour +{pace}\n", text, re.IGNORECASE)
        assert re.search(rf"^ *t1 .* {rounds} +{pace} ", text, re.MULTILINE)


@pytest.mark.gli("2.9.1")
@pytest.mark.parametrize("kind", ReportKind)
def test_where_nothing_happened_every_report_says_so(played: House, kind: ReportKind) -> None:
    report = report_of(played.store, NOW, kind, day="2026-02-01")
    assert not report.is_active and NO_ACTIVITY in "\n".join(page_lines(report_page(report)))
    for ending in (".csv", ".md", ".html", ".xlsx", ".json", ".pdf"):
        assert report_bytes(report, ending)


def test_some_rounds_of_a_table(played: House) -> None:
    report = report_of(played.store, NOW, rounds="2-4", table="t1")
    assert (report.totals.rounds, report.totals.handle, report.rounds) == (3, 15_000, (2, 4))
    assert report.from_ == at("2026-03-28T06:00") + 1
    with played.store.read() as reader:
        refused = house_report(reader, ReportKind.FLOOR, SpanQuery(rounds="4-6", table="t1"), NOW)
    assert isinstance(refused, Refusal) and refused.reason is Reason.WRONG_SPAN


@pytest.mark.gli("2.9.1")
def test_a_day_is_closed_once_when_it_is_over(played: House, tmp_path: Path) -> None:
    store, over = played.store, at("2026-03-29T06:00")
    early = close_day(store, str(DAY), "Rob", over - 1, tmp_path)
    assert isinstance(early, Refusal) and early.sentence == "gaming day 2026-03-28 is not over yet"
    closed = close_day(store, None, "Rob", over, tmp_path)
    assert isinstance(closed, ClosedDay) and closed.day == str(DAY), "the last day that is over"
    again = close_day(store, str(DAY), "Sue", NOW, tmp_path)
    assert isinstance(again, Refusal) and again.sentence == "gaming day 2026-03-28 was closed already, by Rob"
    folder = tmp_path / str(DAY)
    listed = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert listed == closed.files and len(listed) == 19
    for name, digest in listed.items():
        assert sha256((folder / name).read_bytes()).hexdigest() == digest
    floor = msgspec.json.decode((folder / "floor.json").read_bytes(), type=FloorReport)
    assert (floor.from_, floor.to, floor.totals.rounds) == (closed.from_, closed.to, 3)
    anchor = read_anchor((folder / "anchor.json").read_bytes(), [own_signer(make=False).public_key])
    with store.read() as reader:
        assert verify(reader, anchor=anchor).ok, "the closing is an act of the house"
        assert anchor.house.seq == reader.chain_end("house")[0]


@pytest.mark.gli("A.2.5")
@pytest.mark.parametrize("kind", [AccountOwner.BOT, AccountOwner.TEST])
def test_the_drawer_of_a_closed_day_is_what_players_brought(played: House, tmp_path: Path, kind: AccountOwner) -> None:
    """Drawer after less drawer before is what the tables won and what is owed, whatever bots buy and win."""
    store, desk, noon = played.store, played.desk, at("2026-03-28T12:00")
    desk.open_account(StoredPerson("Amber"), "USD", 0, kind=kind)
    for amount, moment in ((1_000_000, 0), (200_000, noon), (30_000, NOW - 1)):
        assert isinstance(desk.buy_in("Amber", amount, CASHIER, moment), Movement)
        assert isinstance(desk.buy_in("Ann", amount // 1_000, CASHIER, moment), Movement)
    assert isinstance(desk.cash_out("Amber", 7_000, CASHIER, noon), Movement)
    day = report_of(store, NOW, ReportKind.CASHIER, day=str(DAY)).totals
    assert (day.drawer_before, day.drawer_after, day.drawer_change) == (10_001_000, 10_001_200, 200)
    cashier, floor = report_of(store, NOW, ReportKind.CASHIER), report_of(store, NOW)
    assert (cashier.totals.drawer_before, cashier.totals.drawer_after) == (0, 10_001_230)
    assert cashier.totals.drawer_change == 10_001_230 == floor.totals.win + floor.totals.liability
    assert [(row.accounts, row.drawer_change) for row in cashier.apart] == [(kind, 1_223_000)]
    assert isinstance(close_day(store, str(DAY), "Rob", NOW, tmp_path), ClosedDay)
    fixed = msgspec.json.decode((tmp_path / str(DAY) / "cashier.json").read_bytes(), type=CashierReport)
    assert (fixed.totals.drawer_before, fixed.totals.drawer_after) == (10_001_000, 10_001_200)


def test_a_day_before_the_first_of_the_house_is_not_closed(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    began, now = at("2026-03-28T05:59", "UTC"), at("2026-04-02T12:00", "UTC")
    with open_store(database) as store:
        empty = close_day(store, None, "Rob", now, tmp_path)
        assert isinstance(empty, Refusal) and empty.reason is Reason.DAY_BEFORE_HOUSE
        change_rules(store, {"operator": "Haus"}, "Ada", began)
        early = close_day(store, "2026-03-26", "Rob", now, tmp_path)
        assert isinstance(early, Refusal) and early.sentence == (
            "gaming day 2026-03-26 was over before this house began; "
            "its first day, 2026-03-27, can be closed when it is over"
        )
        assert not (tmp_path / "2026-03-26").exists()
        first = close_day(store, "2026-03-27", "Rob", now, tmp_path)
        assert isinstance(first, ClosedDay), "it was the day in which the house began"


def test_a_day_with_open_rounds_is_not_closed(played: House, tmp_path: Path) -> None:
    played.time = at("2026-03-30T05:59")
    played.call()
    late = close_day(played.store, "2026-03-29", "Rob", NOW, tmp_path)
    assert isinstance(late, Refusal) and late.reason is Reason.ROUNDS_OPEN
    assert late.sentence == "rounds of gaming day 2026-03-29 are still open: t1/6"
    assert not (tmp_path / "2026-03-29").exists()
    assert isinstance(close_day(played.store, str(DAY), "Rob", NOW, tmp_path), ClosedDay), "it is of the next day"


def test_a_folder_that_cannot_be_written_closes_nothing(played: House, tmp_path: Path) -> None:
    (tmp_path / str(DAY)).mkdir()
    refused = close_day(played.store, str(DAY), "Rob", NOW, tmp_path)
    assert isinstance(refused, Refusal) and refused.reason is Reason.CANNOT_WRITE
    with played.store.read() as reader:
        assert not stored_days(reader)


def test_a_full_disk_closes_nothing_and_is_no_trouble_later(
    played: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, write = iter(range(5)), Path.write_bytes

    def fill(path: Path, content: bytes) -> int:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fill)
        refused = close_day(played.store, str(DAY), "Rob", NOW, tmp_path / "days")
    assert isinstance(refused, Refusal) and "No space left" in refused.sentence
    assert not list((tmp_path / "days").iterdir()), "nothing is left of it"
    with played.store.read() as reader:
        assert not stored_days(reader)
    assert isinstance(close_day(played.store, str(DAY), "Rob", NOW, tmp_path / "days"), ClosedDay)


def test_a_closing_that_was_cut_off_is_done_again(
    played: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = tmp_path / "days"

    def end(_: Path) -> None:
        if (days / str(DAY)).exists():
            raise SystemExit  # the files have their place, and the day is not fixed

    with monkeypatch.context() as patch:
        patch.setattr("punto.floor.gaming_day.sync", end)
        with pytest.raises(SystemExit):
            close_day(played.store, str(DAY), "Rob", NOW, tmp_path / "days")
    assert (days / str(DAY) / "floor.json").is_file()
    with played.store.read() as reader:
        assert not stored_days(reader)
    closed = close_day(played.store, str(DAY), "Rob", NOW, tmp_path / "days")
    assert isinstance(closed, ClosedDay) and [each.name for each in days.iterdir()] == [str(DAY)]
    assert {each.name for each in (days / str(DAY)).iterdir()} == {*closed.files, "SHA256SUMS"}


def test_the_files_of_a_day_are_for_their_owner_alone(played: House, tmp_path: Path) -> None:
    """They name players and say what they played."""
    assert isinstance(close_day(played.store, str(DAY), "Rob", NOW, tmp_path / "days"), ClosedDay)
    assert stat.S_IMODE((tmp_path / "days" / str(DAY)).stat().st_mode) == 0o700


@pytest.mark.parametrize("kind", ReportKind)
def test_a_later_report_is_compared_with_what_was_fixed(played: House, tmp_path: Path, kind: ReportKind) -> None:
    assert isinstance(close_day(played.store, str(DAY), "Rob", NOW, tmp_path), ClosedDay)
    [fixed] = report_of(played.store, NOW + 5, kind, day=str(DAY)).fixed
    assert (fixed.is_same, fixed.day, fixed.closed_by) == (True, str(DAY), "Rob")
    [noted] = report_of(played.store, NOW + 5, kind, month="2026-03").fixed
    assert noted.is_same is None, "a month is not compared with a day"


def test_figures_that_differ_from_what_was_fixed_are_told(played: House, tmp_path: Path) -> None:
    assert isinstance(close_day(played.store, str(DAY), "Rob", NOW, tmp_path), ClosedDay)
    won = report_of(played.store, NOW, day=str(DAY)).totals.win
    played.desk.mark_account("Ann", AccountOwner.TEST, NOW)
    report = report_of(played.store, NOW, day=str(DAY))
    assert report.fixed[0].is_same is False and {"handle", "drop"} <= set(report.fixed[0].differing)
    assert ("win" in report.fixed[0].differing) == (won != 0), "a day may end as it began"
    assert "DIFFER from those that were fixed" in " ".join(page_lines(report_page(report), 10_000))
    assert [row.accounts.value for row in report.apart] == ["test"] and report.totals.handle == 0
