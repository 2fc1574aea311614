"""The bot of the guide for clients sits down, bets in three rounds, and says what each brought."""

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

GUIDE = Path(__file__).parents[2] / "docs/guides/write-a-client.md"
CARDS = ("KS", "9H", "3D", "KC")
"""Player has 3 and Banker 9, a natural, which ends the deal."""


def test_the_bot_plays_three_rounds(floor: RunningFloor, capsys: pytest.CaptureFixture[str]) -> None:
    table, dealer = floor.new_table("commission", source="entered", burn="none"), floor.client("Dan")
    floor.client("Cas").buy_in("Lee", 100_000)
    _give(dealer, table, {"type": "load-shoe"})
    [program] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    for shown, here in (("http://127.0.0.1:8317", floor.url), ('"player"', '"Lee"'), ('"ez"', f'"{table}"')):
        assert shown in program
        program = program.replace(shown, here)
    program = program.replace('line["Lee"]', 'line["player"]')
    running = Thread(target=exec, args=(program, {"password": PASSWORD}))
    running.start()
    while running.is_alive() and not floor.app_state.broadcaster.count():
        dealer.table(table)
    for _ in range(3):
        _give(dealer, table, {"type": "call-bets"})
        while running.is_alive() and not _staked(floor, table):
            dealer.table(table)
        _give(dealer, table, {"type": "close-bets"})
        for card in CARDS:
            _give(dealer, table, {"type": "deal-card", "card": card})
        _give(dealer, table, {"type": "settle-round"})
    running.join()
    assert capsys.readouterr().out == "1 banker 950\n2 banker 950\n3 banker 950\n"


def _staked(floor: RunningFloor, table: str) -> bool:
    seen = floor.client("Lee").table(table)
    assert not isinstance(seen, Refused)
    return bool(seen.view["mine"]["staked"])


def _give(dealer: Client, table: str, command: dict[str, str]) -> None:
    shown = dealer.table(table)
    assert not isinstance(shown, Refused)
    assert isinstance(dealer.give(table, command, Role.DEALER, expected=shown.version), Done)
