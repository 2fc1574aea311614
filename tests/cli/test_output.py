from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from punto.cli.output import told_time, typed_name


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
