"""People without an account watch tables, where the house lets them: later, without names, and nothing else."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from punto.floor.house_rules import change_rules
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.server.access import Throttle
from punto.table.betting import CallBets, CloseBets, PlaceBet
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, LoadShoe, TakeSeat
from tests.server.running_floor import PEOPLE, RunningFloor

DELAY_S = 600


def ask(floor: RunningFloor, path: str = "/watch/tables") -> httpx.Response:
    return httpx.get(f"{floor.url}/api/v1{path}")


def allow(floor: RunningFloor, seconds: int | None) -> None:
    changed = change_rules(floor.store, {"watch_delay_seconds": seconds}, "Ada", 1, "a test")
    assert not isinstance(changed, Refusal), changed
    floor.app_state.orders.look()
    floor.app_state.gallery._kept = None


def test_nobody_watches_where_the_house_has_not_said_so(floor: RunningFloor) -> None:
    floor.new_table()
    assert {ask(floor, path).status_code for path in ("/watch/tables", "/watch/tables/t1")} == {401}


def test_a_guest_sees_what_is_old_enough_and_nobodys_name(floor: RunningFloor) -> None:
    id, now = floor.new_table(), floor.app_state.now()
    floor.client("Cas").buy_in("Lee", 100_000)
    floor.client("Cas").buy_in("Kim", 100_000)

    def give(kind: Any, actor: str, role: Role, time: int, **fields: Any) -> None:
        loaded = floor.app_state.floor.table(id)
        assert loaded is not None
        came = floor.app_state.floor.give(id, kind(actor=actor, role=role, time=time, **fields), loaded.version)
        assert not isinstance(came, Refusal), came

    allow(floor, 0)
    guest = {one["table"]: one for one in ask(floor).json()["tables"]}
    assert guest[id]["phase"] == "idle"
    old, new = now + 1_000, now + 10_000_000
    give(LoadShoe, "Dan", Role.DEALER, old)
    give(BurnCards, "Dan", Role.DEALER, old)
    give(CallBets, "Dan", Role.DEALER, old)
    give(TakeSeat, "Lee", Role.PLAYER, old, box=3)
    give(PlaceBet, "Lee", Role.PLAYER, old, box=3, area="banker", amount=10_000, round=1)
    seen = floor.version(id)
    give(PlaceBet, "Lee", Role.PLAYER, new, box=3, area="banker", amount=5_000, round=1)
    give(CloseBets, "Dan", Role.DEALER, new)
    give(DealCard, "Dan", Role.DEALER, new)
    moment = floor.app_state.gallery._now
    floor.app_state.gallery._now = lambda: old + 1 + DELAY_S * 1000
    try:
        allow(floor, DELAY_S)
        answer = ask(floor, f"/watch/tables/{id}")
        shown = answer.json()["table"]
        assert (answer.json()["delay"], shown["seq"], shown["staked"], shown["boxes"]) == (DELAY_S, seen, 10_000, 1)
        assert shown["hands"]["player"]["cards"] == [], "the card was dealt later"
        assert not [name for name in PEOPLE if f'"{name}"' in answer.text or f" {name} " in answer.text]
        assert "mine" not in answer.text and "legal" not in shown
        allow(floor, DELAY_S + 3600)
        assert ask(floor, f"/watch/tables/{id}").status_code == 404, "then it was not open yet"
    finally:
        floor.app_state.gallery._now = moment


def test_a_guest_learns_nothing_else(floor: RunningFloor) -> None:
    allow(floor, 5)
    id = floor.new_table(private=True)
    floor.app_state.gallery._kept = None
    assert ask(floor, f"/watch/tables/{id}").status_code == 404, "a private table is not for guests"
    for path in ("/tables", f"/tables/{id}", f"/tables/{id}/events", f"/tables/{id}/roads", f"/tables/{id}/history"):
        assert ask(floor, path).status_code == 401
    assert httpx.post(f"{floor.url}/api/v1/tickets").status_code == 401, "no stream"
    assert ask(floor, "/watch/tables/%00").status_code in (400, 404)
    assert ask(floor, "/watch/tables?role=dealer").status_code == 400


def test_all_who_watch_together_are_slowed_down(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(floor, 5)
    monkeypatch.setattr(floor.app_state.gallery, "_asked", Throttle(0.001, 2))
    assert [ask(floor).status_code for _ in range(3)] == [200, 200, 429]


@pytest.fixture(autouse=True)
def _off_again(floor: RunningFloor) -> Any:
    yield
    allow(floor, None)
