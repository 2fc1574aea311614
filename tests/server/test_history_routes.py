"""Rounds are found by the names that the command line has for the same search, and told in minor units; and a round is
told step by step to each as they saw it.
"""

from __future__ import annotations

from typing import Any

import pytest

from punto.cards.source import SourceKind
from punto.client import Done, Refused
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor
from tests.server.test_table_routes_commands import BET, opened_round


@pytest.fixture(scope="module")
def played(floor: RunningFloor) -> tuple[str, int]:
    """A table with one finished round, and the time after it."""
    id, dealer = opened_round(floor), floor.client("Dan")
    assert isinstance(floor.client("Lee").give(id, BET), Done)
    while True:
        shown = dealer.table(id, Role.DEALER)
        assert not isinstance(shown, Refused)
        if shown.view["phase"] == "idle":
            return id, floor.app_state.now() + 1
        command = shown.view["next"]["command"]
        assert isinstance(dealer.give(id, command, Role.DEALER, expected=shown.version), Done)


@pytest.mark.parametrize("name", ["from", "to", "amount_over"])
def test_every_part_of_a_search_decides(floor: RunningFloor, played: tuple[str, int], name: str) -> None:
    (id, after), http = played, floor.client("Aud").http
    answers = [http.get(f"/audit/rounds?table={id}&{name}={value}").json() for value in (0, 9_999, 10_000, after)]
    assert {len(answer["rounds"]) for answer in answers} == {0, 1}, "it depends on what is asked"


@pytest.mark.parametrize("name", ["since", "until", "over"])
def test_a_search_has_one_name_for_each_part(floor: RunningFloor, played: tuple[str, int], name: str) -> None:
    answer = floor.client("Aud").http.get(f"/audit/rounds?table={played[0]}&{name}=0")
    assert answer.status_code == 400, answer.text


def test_amounts_are_minor_units(floor: RunningFloor, played: tuple[str, int]) -> None:
    """As in every other answer, and as `amount_over` takes them."""
    (id, _), http = played, floor.client("Aud").http
    [summary] = http.get(f"/audit/rounds?table={id}").json()["rounds"]
    assert summary["id"] == f"{id}/1" and summary["status"] == "settled"
    result = summary["players"]["Lee"]
    assert result["staked"] == BET["amount"] == 10_000
    told = http.get(f"/audit/rounds/{id}/1").json()
    [stake], [settlement] = told["stakes"], told["settlements"]
    assert (stake["amount"], stake["change"]) == (10_000, 10_000)
    assert [(line["stake"], line["net"]) for line in settlement["lines"]] == [(10_000, result["net"])]
    [balance] = told["balances"]
    assert balance["round"] == result["net"] and balance["after"] == balance["before"] + result["net"]


def stepped(floor: RunningFloor, name: str, table: str, number: int = 1, role: Role | None = None) -> dict[str, Any]:
    answer = floor.client(name).http.get(
        f"/tables/{table}/rounds/{number}", params={"role": role.value} if role else None
    )
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def reason_of(floor: RunningFloor, name: str, path: str) -> tuple[int, str]:
    answer = floor.client(name).http.get(path)
    return answer.status_code, answer.json()["refusal"]["reason"]


def dealt(floor: RunningFloor, table: str, cards: str) -> None:
    """Everything that the dealer does in a round, with these cards, up to and with the settlement."""
    dealer, waiting = floor.client("Dan"), cards.split()
    while True:
        shown = dealer.table(table, Role.DEALER)
        assert not isinstance(shown, Refused)
        command = shown.view["next"]["command"]
        if command["type"] == "call-bets":
            return
        if command["type"] == "deal-card":
            command = {**command, "card": waiting.pop(0)}
        assert isinstance(dealer.give(table, command, Role.DEALER, expected=shown.version), Done)


def test_a_round_is_told_step_by_step_to_each_as_they_saw_it(floor: RunningFloor) -> None:
    table = floor.new_table("insurance", source=SourceKind.ENTERED, burn="none")
    for player, box in (("Lee", 1), ("Kim", 2)):
        floor.client("Cas").buy_in(player, 100_000)
        assert isinstance(floor.client(player).give(table, {"type": "take-seat", "box": box}), Done)
    dealt(floor, table, "")
    shown = floor.client("Dan").table(table, Role.DEALER)
    assert not isinstance(shown, Refused)
    call = shown.view["next"]["command"]
    assert isinstance(floor.client("Dan").give(table, call, Role.DEALER, expected=shown.version), Done)
    for player, box, area in (("Lee", 1, "banker"), ("Kim", 2, "player")):
        bet = {"type": "place-bet", "box": box, "area": area, "amount": 20_000, "round": 1}
        assert isinstance(floor.client(player).give(table, bet), Done)
    path = f"/tables/{table}/rounds"
    assert reason_of(floor, "Lee", f"{path}/1") == (409, "still-open")
    dealt(floor, table, "KS 9H 2D KC 3S")
    told = stepped(floor, "Lee", table)
    steps = told["steps"]
    kinds = [step["kind"] for step in steps]
    assert kinds[:3] == ["called", "placed", "closed"] and kinds[-2:] == ["finished", "settled"]
    assert [step["card"] for step in steps if step["kind"] == "dealt"] == ["KS", "9H", "2D", "KC"]
    assert [len(step["hands"]["player"]["cards"]) for step in steps if step["kind"] == "dealt"] == [1, 1, 2, 2]
    assert "Kim" not in str(steps), "bets of others are not told"
    [line] = steps[-1]["lines"]
    assert line["mine"] and line["net"] == told["played"]["net"] == 20_000
    assert all(step["lines"] == [] for step in steps[:-1]) and steps[-1]["winner"] == "banker"
    assert all(step["winner"] is None for step in steps[: kinds.index("finished")]), "nobody has won before"
    seen = stepped(floor, "Sue", table, role=Role.PIT_SUPERVISOR)
    assert {bet["player"] for step in seen["steps"] for bet in step["bets"]} == {"Lee", "Kim"}
    assert {line["player"] for line in seen["steps"][-1]["lines"]} == {"Lee", "Kim"}
    bystander = stepped(floor, "Max", table, role=Role.PLAYER)
    assert bystander["played"]["lines"] == [] and not any(step["bets"] for step in bystander["steps"])
    assert [reason_of(floor, "Lee", f"{path}/{n}") for n in (2, 99)] == [(404, "not-there")] * 2
    mine = floor.client("Lee").http.get("/accounts/me/rounds", params={"table": table}).json()
    assert [(one["table"], one["played"]["round"]) for one in mine["rounds"]] == [(table, 1)]
    other = floor.client("Lee").http.get("/accounts/me/rounds", params={"table": "nowhere"}).json()
    assert other["rounds"] == []
