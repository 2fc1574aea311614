"""The bot of the guide for clients sits down, bets in three rounds, and says what each brought; so does curl, once."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from punto.client import Client, Done, Refused
from punto.rules.authority import Role
from tests.docs.shell import typed
from tests.server.conftest import floor
from tests.server.running_floor import PASSWORD, RunningFloor

__all__ = ["floor"]

GUIDE = Path(__file__).parents[2] / "docs/guides/write-a-client.md"
CARDS = ("KS", "9H", "3D", "KC")
"""Player has 3 and Banker 9, a natural, which ends the deal."""


def test_the_bot_plays_three_rounds(floor: RunningFloor, capsys: pytest.CaptureFixture[str]) -> None:
    (table,) = _plays_three_rounds(floor, 0, {'"ez"'})
    assert capsys.readouterr().out == "1 banker 950\n2 banker 950\n3 banker 950\n"
    _has_left(floor, table)


def test_the_awaited_bot_plays_at_two_tables(floor: RunningFloor, capsys: pytest.CaptureFixture[str]) -> None:
    tables = _plays_three_rounds(floor, 1, {'"ez"', '"knockout"'})
    told = [f"{table} {number} banker 950" for table in tables for number in (1, 2, 3)]
    assert sorted(capsys.readouterr().out.splitlines()) == sorted(told)
    for table in tables:
        _has_left(floor, table)


def _plays_three_rounds(floor: RunningFloor, number: int, named: set[str]) -> list[str]:
    """Run a program of the guide against tables of this floor, in place of those that it names."""
    dealer = floor.client("Dan")
    floor.client("Cas").buy_in("Lee", 100_000)
    program = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[number]
    tables = [floor.new_table("commission", source="entered", burn="none") for _ in named]
    shown = dict(zip(sorted(named), (f'"{table}"' for table in tables), strict=True))
    own = {"http://127.0.0.1:8317": floor.url, '"player"': '"Lee"', "the one that punto serve shows": PASSWORD}
    for word, here in (own | shown).items():
        assert word in program
        program = program.replace(word, here)
    program = program.replace('line["Lee"]', 'line["player"]')
    for table in tables:
        _give(dealer, table, {"type": "load-shoe"})
    running = Thread(target=exec, args=(program, {}))
    running.start()
    while running.is_alive() and floor.app_state.broadcaster.count() < len(tables):
        dealer.table(tables[0])
    for table in tables * 3:
        _give(dealer, table, {"type": "call-bets"})
        while running.is_alive() and not _staked(floor, table):
            dealer.table(table)
        _give(dealer, table, {"type": "close-bets"})
        for card in CARDS:
            _give(dealer, table, {"type": "deal-card", "card": card})
        _give(dealer, table, {"type": "settle-round"})
    running.join()
    return tables


def _has_left(floor: RunningFloor, table: str) -> None:
    seen = floor.client("Dan").table(table)
    assert not isinstance(seen, Refused) and not [box for box in seen.view["seats"] if box["player"]]


def test_curl_logs_in_and_bets(floor: RunningFloor) -> None:
    table, dealer = floor.new_table("commission", source="entered", burn="none"), floor.client("Dan")
    floor.client("Cas").buy_in("Lee", 100_000)
    for step in ("load-shoe", "call-bets"):
        _give(dealer, table, {"type": step})
    token, answers = "", list[dict[str, Any]]()
    for line in typed(GUIDE):
        text = line.text
        for shown, here in (
            ("http://127.0.0.1:8317", floor.url),
            ('"name": "player"', '"name": "Lee"'),
            ("…", PASSWORD),
            ("tables/ez", f"tables/{table}"),
            ('"round": 12', '"round": 1'),
        ):
            text = text.replace(shown, here)
        done = subprocess.run(["bash", "-c", text], capture_output=True, env={**os.environ, "TOKEN": token}, check=True)
        answers.append(json.loads(done.stdout))
        token = answers[-1].get("token", token)
    assert token and answers[1]["phase"] == "betting" and answers[-1]["version"] and _staked(floor, table)


def _staked(floor: RunningFloor, table: str) -> bool:
    seen = floor.client("Lee").table(table)
    assert not isinstance(seen, Refused)
    return bool(seen.view["mine"]["staked"])


def _give(dealer: Client, table: str, command: dict[str, str]) -> None:
    shown = dealer.table(table)
    assert not isinstance(shown, Refused)
    assert isinstance(dealer.give(table, command, Role.DEALER, expected=shown.version), Done)
