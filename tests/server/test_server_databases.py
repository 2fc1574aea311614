"""The same floor on both databases: log in, bet, wait for a second person, stream, correct, look back."""

from __future__ import annotations

import pytest

from punto.client import Done, Refused, Waiting
from punto.rules.authority import LADDER, Authority, Role
from tests.server.running_floor import PASSWORD, running_floor
from tests.server.test_table_routes_commands import BET, opened_round


@pytest.mark.slow
def test_a_floor_works_on_either_database(database: str) -> None:
    two = (Authority("pause-table", LADDER, second=Role.PIT_MANAGER),)
    with running_floor(database) as floor:
        for _ in range(6):
            floor.client("Max").http.post("/sessions", json={"name": "Non", "password": "not it"})
        locked = floor.client("Max").http.post("/sessions", json={"name": "Non", "password": PASSWORD})
        assert locked.status_code == 429
        id = opened_round(floor, "ez", authority=two)
        lee = floor.client("Lee")
        stream = lee.stream(id, after=1)
        assert not isinstance(stream, Refused)
        with stream:
            bet = lee.give(id, BET, key="k")
            assert isinstance(bet, Done) and lee.give(id, BET, key="k") == bet
            seen: list[int] = []
            while not seen or seen[-1] < (bet.version or 0):
                frame = stream.next(60)
                seen += [frame["seq"]] if frame["type"] == "event" else []
        assert seen == list(range(2, floor.version(id) + 1))
        dealer = floor.client("Dan")
        for word in ("deal-card", "deal-card", "deal-card", "deal-card"):
            assert isinstance(dealer.give(id, {"type": word}, Role.DEALER, expected=floor.version(id)), Done)
        for path in ("roads", "history", "statistics", "cases", "odds", "running", "events"):
            assert lee.http.get(f"/tables/{id}/{path}").status_code == 200, path
        for path in ("/accounts/me", "/accounts/me/statement?latest=true", "/accounts/me/costs", "/books"):
            assert lee.http.get(path).status_code == 200, path
        fix = floor.client("Cas").http.post(
            "/cashier/correct", json={"key": "f", "account": "Kim", "amount": 500, "reason": "not booked"}
        )
        assert isinstance(floor.client("Mia").decide(fix.json()["approval"]), Done)
        other = floor.new_table("ez", authority=two)
        waiting = floor.client("Sue").give(other, {"type": "pause-table"}, Role.PIT_SUPERVISOR)
        assert isinstance(waiting, Waiting)
        assert isinstance(floor.client("Mia").decide(waiting.approval), Done)
        again = floor.client("Rob").decide(waiting.approval)
        assert isinstance(again, Refused) and again.reason == "approval-over"
        people = floor.client("Ada").http.put("/people/Kim/roles", json={"roles": ["player", "cashier"]})
        assert people.json()["roles"] == ["player", "cashier"]
        for path in ("/audit/rounds", f"/audit/rounds?table={id}&player=Lee"):
            assert floor.client("Aud").http.get(path).status_code == 200
        verified = floor.client("Aud").http.post("/audit/verify", json={}).json()
        assert verified["ok"], verified
