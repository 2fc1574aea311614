"""Limits, exclusion and reality checks over the API, by players and by the house, by a clock that the test sets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.audit.verification import verify
from punto.client import Refused
from punto.dealer.bot import BOTS
from punto.floor.house_rules import change_rules
from punto.floor.job import Accepted
from punto.rules.authority import Role
from punto.server.app_state import PROTECTED_A_DAY
from punto.store.record import AccountOwner, StoredPerson
from punto.table.betting import CallBets
from punto.table.dealing import DealCard
from punto.table.house import BurnCards, LoadShoe, TakeSeat
from punto.table.settlement import SettleRound
from tests.server.running_floor import RunningFloor, running_floor

MINUTE, DAY = 60_000, 86_400_000


class Evening:
    """A floor with a table, two players who sit there, and a clock that the test sets.

    Its gaming day began an hour ago, at whatever hour the tests run: what is used of a day's limit is not forgotten
    in the middle of a test.
    """

    def __init__(self, floor: RunningFloor) -> None:
        self.floor, self._keys = floor, count()
        self.time = floor.app_state.now()
        an_hour_ago = datetime.fromtimestamp(self.time / 1000, UTC) - timedelta(hours=1)
        change_rules(floor.store, {"time_zone": "UTC", "day_begins": f"{an_hour_ago:%H:%M}"}, "Ada", 1)
        floor.app_state._clock = lambda: self.time  # type: ignore[assignment]
        self.table = floor.new_table("ez")
        for place, player in enumerate(("Lee", "Kim"), start=1):
            self.cash("buy-in", player, 100_000)
            self.give(TakeSeat, player, Role.PLAYER, box=place)
        self.give(LoadShoe)
        self.give(BurnCards)
        self.give(CallBets)

    def http(self, name: str) -> httpx.Client:
        return self.floor.client(name).http

    def give(self, kind: Any, by: str = "Dan", role: Role = Role.DEALER, **fields: Any) -> None:
        command = kind(actor=by, role=role, time=self.time, **fields)
        answer = self.floor.app_state.floor.give(self.table, command, self.floor.version(self.table))
        assert isinstance(answer, Accepted), answer

    def finish(self) -> None:
        while self._state.phase.value in ("betting", "dealing"):
            self.give(DealCard)
        self.give(SettleRound)

    @property
    def _state(self) -> Any:
        loaded = self.floor.app_state.floor.table(self.table)
        assert loaded is not None
        return loaded.table.state

    def bet(self, name: str, amount: int) -> httpx.Response:
        box = {"Lee": 1, "Kim": 2}[name]
        round = self._state.round
        command = {"type": "place-bet", "round": round, "box": box, "area": "banker", "amount": amount}
        body = {"key": f"b{next(self._keys)}", "role": "player", "command": command}
        return self.http(name).post(f"/tables/{self.table}/commands", json=body)

    def cash(self, what: str, name: str, amount: int) -> httpx.Response:
        body = {"key": f"c{next(self._keys)}", "account": name, "amount": amount}
        return self.http("Cas").post(f"/cashier/{what}", json=body)

    def limit(self, name: str, what: str, period: str, amount: int) -> Any:
        body = {"limits": [{"what": what, "period": period, "amount": amount}]}
        answer = self.http(name).put("/accounts/me/limits", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with running_floor(str(tmp_path / "house.db")) as floor:
        yield Evening(floor)
        with floor.store.read() as reader:
            assert verify(reader).problems == ()


def refusal(answer: httpx.Response, status: int = 409) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()["refusal"]
    return body


@pytest.mark.gli("2.5.5")
def test_a_player_sets_limits_and_a_bet_over_one_is_refused_by_name(evening: Evening) -> None:
    assert evening.http("Lee").get("/accounts/me/limits").json() == {"limits": [], "house": []}
    limit = {"what": "stake", "period": "day", "amount": 5_000}
    assert evening.limit("Lee", "stake", "day", 5_000) == {"limits": [limit], "house": []}
    assert evening.bet("Lee", 4_000).status_code == 200
    refused = refusal(evening.bet("Lee", 2_000))
    assert (refused["reason"], refused["params"]) == ("limit", {"what": "stake", "period": "day", "amount": "50.00"})
    assert evening.bet("Kim", 50_000).status_code == 200


@pytest.mark.gli("2.5.5")
def test_a_looser_limit_waits_for_a_day_and_shows_when(evening: Evening) -> None:
    evening.limit("Lee", "stake", "month", 5_000)
    [kept] = evening.limit("Lee", "stake", "month", 9_000)["limits"]
    assert kept == {
        "what": "stake",
        "period": "month",
        "amount": 5_000,
        "changes_ms": evening.time + DAY,
        "next": 9_000,
    }
    assert refusal(evening.bet("Lee", 6_000))["reason"] == "limit"


@pytest.mark.gli("2.5.5")
def test_the_house_sets_limits_too_and_refused_buy_ins_name_them(evening: Evening) -> None:
    limits = [{"what": "buy-in", "period": "week", "amount": 120_000}]
    for name in ("Dan", "Lee", "Cas"):
        tried = evening.http(name).put("/people/Lee/limits", json={"limits": limits})
        assert refusal(tried, 403)["reason"] == "role-needed"
    answer = evening.http("Mia").put("/people/Lee/limits", json={"limits": limits, "reason": "agreed"})
    assert answer.json() == {"limits": [], "house": limits}
    assert evening.http("Aud").get("/people/Lee/limits").json() == answer.json()
    refused = refusal(evening.cash("buy-in", "Lee", 30_000))
    assert refused["params"] == {"what": "buy-in", "period": "week", "amount": "1200.00"}
    assert evening.cash("buy-in", "Lee", 20_000).status_code == 200
    assert refusal(evening.http("Mia").put("/people/Mia/limits", json={"limits": limits}))["reason"] == "own-protection"
    assert refusal(evening.http("Mia").get("/people/Zoe/limits"), 404)["reason"] == "no-account"


@pytest.mark.parametrize(
    "limits",
    [
        [{"what": "stakes", "period": "day", "amount": 1}],
        [{"what": "stake", "period": "year", "amount": 1}],
        [{"what": "stake", "period": "day", "amount": -1}],
        [{"what": "stake", "period": "day", "amount": 1.5}],
        [{"what": "stake", "period": "day"}],
        [{"what": "stake", "period": "day", "amount": 1}] * 17,
    ],
)
def test_limits_that_are_none_are_malformed(evening: Evening, limits: list[Any]) -> None:
    assert refusal(evening.http("Lee").put("/accounts/me/limits", json={"limits": limits}), 400)
    twice = [{"what": "stake", "period": "day", "amount": 1}] * 2
    assert refusal(evening.http("Lee").put("/accounts/me/limits", json={"limits": twice}))["reason"] == "limit-twice"


@pytest.mark.gli("A.3.8")
def test_exclusion_holds_at_once_and_money_can_be_taken_away(evening: Evening) -> None:
    assert evening.bet("Lee", 1_000).status_code == 200
    answer = evening.http("Lee").post("/accounts/me/exclusion", json={"days": 7})
    until = evening.time + 7 * DAY
    assert answer.json() == {"since_ms": evening.time, "until_ms": until}
    refused = refusal(evening.bet("Lee", 1_000))
    assert (refused["reason"], refused["params"]["until"]) == ("excluded", until)
    assert refusal(evening.cash("buy-in", "Lee", 1_000))["reason"] == "excluded"
    evening.finish()
    evening.give(CallBets)
    free = evening.http("Lee").get("/accounts/me").json()["free"]
    assert evening.cash("cash-out", "Lee", free).status_code == 200
    shorter = evening.http("Lee").post("/accounts/me/exclusion", json={"days": 1})
    assert shorter.json()["until_ms"] == until
    lifted = evening.http("Rob").post("/people/Lee/readmission", json={"reason": "begged"})
    assert refusal(lifted)["reason"] == "excluded"
    assert evening.http("Lee").get("/accounts/me/play").json()["exclusion"]["until_ms"] == until


def test_a_player_who_changes_them_all_day_fills_no_disk(evening: Evening) -> None:
    """Each change is a significant event, and stays for ever."""
    lee = evening.http("Lee")
    asked = [{"what": "stake", "period": "day", "amount": 1_000_000 - number} for number in range(PROTECTED_A_DAY + 1)]
    answers = [lee.put("/accounts/me/limits", json={"limits": [limit]}) for limit in asked]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert refusal(answers[-1], 429)["reason"] == "too-often" and int(answers[-1].headers["retry-after"]) > 1
    assert lee.put("/accounts/me/limits", json={"limits": [asked[-2]]}).status_code == 200, "that changes nothing"
    assert lee.put("/accounts/me/reality-check", json={"minutes": 15}).status_code == 429
    assert lee.post("/accounts/me/reality-check").status_code == 200
    excluded = lee.post("/accounts/me/exclusion", json={"days": 1})
    assert excluded.status_code == 200, "nobody who wants to stop is ever told to wait"
    assert lee.post("/accounts/me/exclusion", json={"days": 2}).status_code == 429


@pytest.mark.gli("A.3.8")
def test_the_house_excludes_and_readmits_with_a_reason(evening: Evening) -> None:
    exclude = evening.http("Rob").post
    assert refusal(exclude("/people/Lee/exclusion", json={"reason": " "}))["reason"] == "reason-needed"
    answer = exclude("/people/Lee/exclusion", json={"reason": "court order"})
    assert answer.json() == {"since_ms": evening.time, "by": "house", "reason": "court order"}
    assert refusal(evening.bet("Lee", 1_000))["reason"] == "excluded"
    assert refusal(evening.http("Kim").post("/people/Lee/readmission", json={"reason": "x"}), 403)
    readmitted = exclude("/people/Lee/readmission", json={"reason": "the order was lifted"})
    assert readmitted.json()["exclusion"] is None
    assert evening.bet("Lee", 1_000).status_code == 200


@pytest.mark.gli("RTS 13B")
def test_a_reality_check_blocks_betting_until_it_is_answered(evening: Evening) -> None:
    chosen = evening.http("Lee").put("/accounts/me/reality-check", json={"minutes": 20}).json()
    assert chosen["check_minutes"] == 20
    assert evening.bet("Lee", 2_000).status_code == 200
    evening.time += 20 * MINUTE
    refused = refusal(evening.bet("Lee", 1_000))
    assert refused["reason"] == "reality-check"
    assert refused["params"] == {"minutes": 20, "staked": "20.00", "won": "0.00", "net": "-20.00"}
    assert "20 minutes, staked 20, got back 0, net −20" in refused["sentence"].replace("-20", "−20")
    assert evening.http("Lee").get("/accounts/me/play").json()["is_check_due"] is True
    answered = evening.http("Lee").post("/accounts/me/reality-check").json()
    assert answered["is_check_due"] is False and answered["check_ms"] == evening.time + 20 * MINUTE
    assert evening.bet("Lee", 1_000).status_code == 200


@pytest.mark.gli("RTS 2E")
def test_time_and_net_of_the_session_can_be_asked_for_and_come_with_every_round(evening: Evening) -> None:
    began = evening.time
    evening.limit("Lee", "loss", "day", 50_000)
    stream = evening.floor.client("Lee").stream(evening.table, views=True)
    assert not isinstance(stream, Refused)
    with stream:
        assert stream.next(30)["type"] == "snapshot"
        assert evening.bet("Lee", 2_000).status_code == 200
        evening.time += 3 * MINUTE
        evening.finish()
        [line] = [line for line in evening._state.settled if line.player == "Lee"]
        frames = (frame for frame in stream if frame["type"] == "play")
        told = next(frame["play"] for frame in frames if frame["play"]["returned"] == 2_000 + line.net)
    play = evening.http("Lee").get("/accounts/me/play").json()
    assert play == told
    assert (play["began_ms"], play["minutes"]) == (began, 3)
    assert (play["staked"], play["returned"], play["net"]) == (2_000, 2_000 + line.net, line.net)
    assert play["limits"] == [{"what": "loss", "period": "day", "amount": 50_000, "used": 2_000, "by": "player"}]
    assert evening.http("Aud").get("/people/Lee/play").json() == play
    assert refusal(evening.http("Kim").get("/people/Lee/play"), 403)


@pytest.mark.gli("A.3.7")
def test_a_strict_house_takes_no_bet_without_a_limit(evening: Evening) -> None:
    change_rules(evening.floor.store, {"profile": {"name": "own", "limits_required": True}}, "Ada", 1)
    assert refusal(evening.bet("Lee", 1_000))["reason"] == "limits-needed"
    assert evening.http("Lee").get("/accounts/me/play").json()["is_limit_needed"] is True
    evening.limit("Lee", "loss", "day", 50_000)
    assert evening.bet("Lee", 1_000).status_code == 200


@pytest.mark.gli("4.9.1")
@pytest.mark.parametrize(("money", "is_play"), [(None, False), ("play", True), ("real", False)])
def test_the_house_says_whether_it_is_for_play_money(evening: Evening, money: str | None, is_play: bool) -> None:
    change_rules(evening.floor.store, {"money": money, "operator": "Casino Aurora"}, "Ada", 1)
    answer = httpx.get(f"{evening.floor.url}/api/v1/house").json()
    house = {"operator": "Casino Aurora", "profile": "open", "play_money": is_play}
    assert answer == {**house, "watch_delay_seconds": None}


@pytest.mark.gli("A.7.1")
@pytest.mark.gli("A.2.5")
def test_bots_are_told_from_players(evening: Evening) -> None:
    [bot, *_] = BOTS
    evening.floor.app_state.desk.open_account(StoredPerson(bot), "USD", 0, kind=AccountOwner.BOT)
    evening.give(TakeSeat, bot, Role.PLAYER, box=3)
    seats = evening.http("Kim").get(f"/tables/{evening.table}").json()["view"]["seats"]
    assert {seat["player"]: seat["bot"] for seat in seats[:4]} == {"Lee": False, "Kim": False, bot: True, None: False}
    kinds = {each["account"]: each["kind"] for each in evening.http("Ada").get("/people").json()["people"]}
    assert (kinds["Lee"], kinds[bot]) == ("player", "bot")
