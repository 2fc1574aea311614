from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from punto.cli.database_options import read_time
from punto.cli.output import told_time, told_times, typed_name


@pytest.mark.parametrize(
    ("called", "is_on_path", "typed"),
    [
        (".venv/bin/punto", False, ".venv/bin/punto"),
        (".venv/bin/punto", True, "punto"),
        ("/usr/local/bin/punto", True, "punto"),
        ("punto", False, "punto"),
    ],
)
def test_the_command_is_named_as_it_can_be_typed(
    called: str, is_on_path: bool, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_on_path:
        (tmp_path / "punto").write_text("#!/bin/sh\n")
        (tmp_path / "punto").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [called])
    assert typed_name() == typed


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("UTC", "2026-07-18 20:24 UTC"),
        ("Asia/Macau", "2026-07-19 04:24 UTC+08:00"),
        ("America/St_Johns", "2026-07-18 17:54 UTC-02:30"),
    ],
)
def test_times_are_those_of_the_readers_clock(zone: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        assert told_time(1_784_406_240_000) == told
    time.tzset()


JULY, JANUARY = 1_784_406_240_000, 1_800_000_000_000


@pytest.mark.parametrize(
    ("zone", "moments", "told"),
    [
        ("Asia/Macau", [JULY, JANUARY], ("UTC+08:00", ["2026-07-19 04:24:00", "2027-01-15 16:00:00"])),
        ("Europe/London", [JULY, JANUARY], ("UTC", ["2026-07-18 20:24:00", "2027-01-15 08:00:00"])),
        ("Europe/London", [JULY], ("UTC+01:00", ["2026-07-18 21:24:00"])),
        ("Asia/Macau", [7, JULY], ("UTC", ["7", "1784406240000"])),
    ],
)
def test_a_list_has_one_clock(
    zone: str, moments: list[int], told: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the reader, unless it was put on or back between its times."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        assert told_times(moments) == told
    time.tzset()


@pytest.mark.parametrize(
    ("typed", "read"), [("2026-07-19T04:24", JULY), ("2026-07-18T20:24Z", JULY), ("2026-07-18T22:24+02:00", JULY)]
)
def test_what_is_read_can_be_typed(typed: str, read: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Macau")
        time.tzset()
        assert read_time("--from", typed) == read
    time.tzset()
