"""What an auditor has over the API: rounds by page and by result, a round event by event with hashes and postings,
files, logs of shoes that are out of play, and verification against an anchor.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest

from punto.audit.anchor import Signer, anchor_file, make_anchor
from punto.cards.source import SourceKind
from punto.client import Done
from punto.rules.authority import Role
from punto.store.chain import first_hash
from tests.browser.croupier import Croupier
from tests.server.running_floor import RunningFloor, running_floor

SIGNER = Signer(b"a" * 32)


class House:
    """A floor of its own with a table at which rounds were played, a void one among them."""

    def __init__(self, floor: RunningFloor) -> None:
        self.floor, self.http = floor, floor.client("Aud").http
        floor.client("Cas").buy_in("Lee", 1_000_000)
        self.dealt = Croupier(floor, "commission", faces="down")
        self.table = self.dealt.table
        self.dealt.open_bets()
        self.dealt.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
        for number, cards in enumerate(("KS 9H 6D 8C", "9S KH KD 2C", "8S 8H KD KC"), start=1):
            if number > 1:
                self.dealt.open_bets()
            bet = {"round": number, "box": 1, "area": "banker", "amount": 10_000}
            self.dealt.give("place-bet", by="Lee", role=Role.PLAYER, **bet)
            self.dealt.deal(cards)
            self.dealt.finish()
        self.dealt.open_bets()
        self.dealt.give("place-bet", by="Lee", role=Role.PLAYER, round=4, box=1, area="player", amount=5_000)
        self.dealt.deal("2S")
        self.dealt.give("report", seen=["interruption"])
        ruling = {"effect": "void", "reason": "the lights went out"}
        self.dealt.give("rule", by="Rob", role=Role.SHIFT_MANAGER, **ruling)

    def asked(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def steps(self, number: int) -> Any:
        return self.asked(f"/audit/rounds/{self.table}/{number}/steps")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with running_floor(str(tmp_path_factory.mktemp("audit") / "house.db")) as floor:
        yield House(floor)


@pytest.mark.parametrize(
    ("result", "rounds"), [("banker", [1]), ("player", [2]), ("tie", [3]), ("void", [4]), ("open", [])]
)
def test_rounds_are_found_by_their_result(house: House, result: str, rounds: list[int]) -> None:
    found = house.asked("/audit/rounds", table=house.table, result=result)
    assert [each["round"] for each in found["rounds"]] == rounds


def test_pages_of_rounds_are_the_whole_list(house: House) -> None:
    whole = house.asked("/audit/rounds")
    assert [each["round"] for each in whole["rounds"]] == [4, 3, 2, 1] and whole["next"] is None
    seen, place = [], None
    while True:
        page = house.asked("/audit/rounds", limit=1, **({} if place is None else {"before": place}))
        seen += page["rounds"]
        if (place := page["next"]) is None:
            break
    assert seen == whole["rounds"]
    assert house.http.get("/audit/rounds?before=yesterday").status_code == 400


def test_the_round_of_an_event_is_found(house: House) -> None:
    rounds = {number: house.steps(number) for number in (1, 2, 3)}
    for number, told in rounds.items():
        for seq in (told["first"], told["last"]):
            [found] = house.asked("/audit/rounds", table=house.table, event=seq)["rounds"]
            assert found["round"] == number
    assert house.asked("/audit/rounds", table=house.table, event=1)["rounds"] == [], "before the first call"
    assert house.http.get("/audit/rounds?event=3").status_code == 404, "of which table?"


def test_every_event_says_who_which_clause_and_what_moved(house: House) -> None:
    told = house.steps(1)
    steps = told["steps"]
    assert [step["seq"] for step in steps] == list(range(told["first"], told["last"] + 1))
    bet = next(step for step in steps if step["type"] == "bet-placed")
    assert (bet["by"], bet["role"], bet["command"]) == ("Lee", "player", "bet 1 banker 100.00 round=1")
    assert bet["words"]["zh_hans"] == "Lee，庄，1 号位：100" and bet["words"]["en"] == "Lee, Banker, box 1: 100"
    [moved] = bet["money"]
    assert moved["kind"] == "bet" and sorted(each["amount"] for each in moved["postings"]) == [-10_000, 10_000]
    for step in steps:
        for movement in step["money"]:
            assert sum(posting["amount"] for posting in movement["postings"]) == 0
    settled = next(step for step in steps if step["type"] == "round-settled")
    [line] = told["felts"][settled["felt"]]["lines"]
    assert (line["net"], line["clause"], line["commission"]) == (9_500, "4.1.2", 500)
    assert told["played"]["winner"] == "banker" and told["balances"][0]["round"] == 9_500


def test_a_card_face_down_is_named_once_it_was_turned_up_and_never_before_that(house: House) -> None:
    steps, felts = house.steps(1)["steps"], house.steps(1)["felts"]
    backs = [
        card
        for felt in felts
        for hand in ("player", "banker")
        for card in felt["hands"][hand]["cards"]
        if not card["up"]
    ]
    assert backs and all(card["card"] is not None for card in backs)
    for step in steps:
        if step["type"] == "card-dealt":
            assert "card" not in step["event"]
    void = house.steps(4)
    last = [felt for felt in void["felts"] if felt["is_void"]][-1]
    assert [card["card"] for card in last["hands"]["player"]["cards"]] == [None], "nobody has seen it"
    assert "2S" not in json.dumps(void["felts"])
    ruled = next(step for step in void["steps"] if step["type"] == "round-voided")
    assert (ruled["by"], ruled["role"], ruled["reason"]) == ("Rob", "shift-manager", "the lights went out")


def test_the_hashes_are_those_of_the_chain_and_a_changed_record_is_seen(house: House) -> None:
    told = house.steps(2)
    assert told["intact"] and all(step["link"]["fits"] for step in told["steps"])
    for before, after in zip(told["steps"], told["steps"][1:], strict=False):
        assert after["link"]["before"] == before["link"]["hash"]
    target = next(step for step in told["steps"] if step["type"] == "bet-placed")["seq"]
    where = "table_id = ? AND seq = ?"
    [(body,)] = (
        house.floor.store.read().__enter__().rows(f"SELECT body FROM events WHERE {where}", (house.table, target))
    )

    def write(text: str) -> None:
        with house.floor.store.write() as transaction:
            transaction.connection.run(f"UPDATE events SET body = ? WHERE {where}", (text, house.table, target))

    try:
        write(body.replace('"amount":10000', '"amount":90000'))
        changed = house.steps(2)
        assert not changed["intact"]
        assert [step["seq"] for step in changed["steps"] if not step["link"]["fits"]] == [target]
        found = house.http.post("/audit/verify", json={"table": house.table}).json()
        assert not found["ok"] and (found["problems"][0]["table"], found["problems"][0]["seq"]) == (house.table, target)
        write('{"type":"bet-placed"}')
        refused = house.asked(f"/audit/rounds/{house.table}/2/steps", 409)
        assert refused["refusal"]["reason"] == "record-broken"
    finally:
        write(body)
    assert house.http.post("/audit/verify", json={}).json()["ok"]


def test_a_round_is_a_file(house: House) -> None:
    address = f"/audit/rounds/{house.table}/1/file"
    for kind, word in (("json", '"outcome"'), ("html", "<!doctype html>"), ("txt", "Banker wins")):
        answer = house.http.get(address, params={"format": kind})
        assert answer.status_code == 200 and word in answer.text
        assert f"round-{house.table}-1.{kind}" in answer.headers["content-disposition"]


def test_a_log_is_told_to_the_letter_up_to_the_shoe_in_play(house: House) -> None:
    floor, dan = house.floor, house.floor.client("Dan")
    id = floor.new_table("commission", source=SourceKind.SHUFFLED)

    def go_on(until: str) -> None:
        while True:
            shown = dan.table(id, Role.DEALER)
            due = shown.view["next"]["command"]  # type: ignore[union-attr]
            if due["type"] == until:
                return
            assert isinstance(dan.give(id, due, Role.DEALER, expected=shown.version), Done)  # type: ignore[union-attr]

    go_on("close-bets")
    go_on("call-bets")
    lines = house.http.get(f"/audit/tables/{id}/log").text.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    kinds = [json.loads(line)["event"]["type"] for line in lines]
    assert "bets-called" in kinds and "card-dealt" not in kinds
    give = {"type": "close-table"}
    version = floor.version(id)
    assert isinstance(floor.client("Rob").give(id, give, Role.SHIFT_MANAGER, expected=version), Done)
    answer = house.http.get(f"/audit/tables/{id}/log")
    with floor.store.read() as reader:
        stored = reader.table(id)
    assert stored is not None
    link = first_hash(id, stored.digest)
    for line in answer.content.splitlines():
        link = sha256(link + line).digest()
    assert link == stored.head, "anybody can compute the chain again"
    assert house.http.get(f"/audit/tables/{id}/log", params={"after": stored.version}).text == ""


def test_an_anchor_vouches_for_what_lies_before_it(house: House) -> None:
    with house.floor.store.read() as reader:
        anchor = json.loads(anchor_file(make_anchor(reader, SIGNER, 1)))
    body = {"anchor": anchor, "public_keys": [SIGNER.public_key]}
    found = house.http.post("/audit/verify", json=body).json()
    assert found["ok"] and found["anchored"] == found["last"]
    for wrong, why in (
        ({**body, "public_keys": ["0" * 64]}, "not one that you trust"),
        ({**body, "anchor": {**anchor, "time": 2}}, "signature is wrong"),
        ({**body, "anchor": {"punto": "something"}}, "not an anchor"),
    ):
        refused = house.http.post("/audit/verify", json=wrong)
        assert refused.status_code == 409 and why in refused.json()["refusal"]["sentence"]


@pytest.mark.parametrize("name", ["Lee", "Dan", "Sue", "Mia", "Cas", "Ada"])
def test_rounds_logs_and_verification_are_for_auditors_and_the_shift_manager(house: House, name: str) -> None:
    http = house.floor.client(name).http
    calls = [f"/audit/rounds/{house.table}/1/steps", f"/audit/rounds/{house.table}/1/file", "/audit/rounds"]
    for path in (*calls, f"/audit/tables/{house.table}/log"):
        assert http.get(path).status_code == 403
        assert house.floor.client("Rob").http.get(path).status_code == 200
    assert http.post("/audit/verify", json={}).status_code == 403


def test_the_latest_significant_events_come_page_by_page(house: House) -> None:
    whole = house.asked("/audit/events", limit=500)["events"]
    seen: list[Any] = []
    before = whole[-1]["seq"] + 1
    while page := house.asked("/audit/events", limit=7, before=before)["events"]:
        seen += page
        before = page[-1]["seq"]
    assert seen == whole[::-1]
    voided = house.asked("/audit/events", before=2**40, code="round-voided")["events"]
    assert [each["round"] for each in voided] == [4]
