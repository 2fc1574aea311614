"""Rounds are found by the names that the command line has for the same search, and told in minor units."""

from __future__ import annotations

import pytest

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
