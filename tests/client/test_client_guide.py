"""The program in the guide of a floor does what it says: it sits down, waits for the call and bets."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Thread

import pytest

from punto.client import Client, Done, Refused
from punto.rules.authority import Role
from tests.server.conftest import floor
from tests.server.running_floor import PASSWORD, RunningFloor

__all__ = ["floor"]

GUIDE = Path(__file__).parents[2] / "docs/guides/run-a-floor.md"


def test_the_program_places_its_bet(floor: RunningFloor, capsys: pytest.CaptureFixture[str]) -> None:
    table, dealer = floor.new_table("ez"), floor.client("Dan")
    floor.client("Cas").buy_in("Lee", 100_000)
    for step in ("load-shoe", "burn-cards"):
        _deal(dealer, table, step)
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    for shown, here in (("http://127.0.0.1:8317", floor.url), ('"player"', '"Lee"'), ('"ez"', f'"{table}"')):
        assert shown in program
        program = program.replace(shown, here)
    running = Thread(target=exec, args=(program, {"password": PASSWORD}))
    running.start()
    while running.is_alive() and not floor.app_state.broadcaster.count():
        dealer.table(table)
    _deal(dealer, table, "call-bets")
    running.join()
    seen = floor.client("Lee").table(table)
    assert not isinstance(seen, Refused)
    assert seen.view["mine"]["staked"] == 1000
    assert capsys.readouterr().out == f"{seen.version}\n"


def _deal(dealer: Client, table: str, step: str) -> None:
    shown = dealer.table(table)
    assert not isinstance(shown, Refused)
    assert isinstance(dealer.give(table, {"type": step}, Role.DEALER, expected=shown.version), Done)
