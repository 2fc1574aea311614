"""Rounds are found by the names that the command line has for the same search, and by the older ones."""

from __future__ import annotations

import pytest

from punto.client import Done, Refused
from punto.rules.authority import Role
from tests.server.running_floor import RunningFloor
from tests.server.test_commands import BET, opened_round


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


@pytest.mark.parametrize(("name", "older"), [("from", "since"), ("to", "until"), ("amount_over", "over")])
def test_the_older_name_of_a_part_of_a_search_finds_the_same(
    floor: RunningFloor, played: tuple[str, int], name: str, older: str
) -> None:
    (id, after), http = played, floor.client("Aud").http
    counts = set()
    for value in (0, 9_999, 10_000, after):
        found = [http.get(f"/audit/rounds?table={id}&{one}={value}").json() for one in (name, older)]
        assert found[0] == found[1]
        counts.add(len(found[0]["rounds"]))
    assert counts == {0, 1}, "it depends on what is asked"
    first = http.get(f"/audit/rounds?table={id}&{name}={after}").json()
    assert http.get(f"/audit/rounds?table={id}&{name}={after}&{older}=0").json() == first
