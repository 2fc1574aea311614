"""A device that reads the shoe: its key, what it may say, and readings that are doubled, out of turn or stolen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.audit.verification import verify
from punto.cards.source import SourceKind
from punto.client import Refused
from punto.floor.device import Devices
from punto.floor.people import Author, People
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server import feeds
from punto.table.terms import Faces
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.served_house import wait_until
from tests.store.postgres_server import PostgresServer

PROGRAM = Path(__file__).parents[2] / "docs/examples/shoe_reader.py"


def dealt_by_hand(floor: RunningFloor, **terms: Any) -> str:
    """A table with a physical shoe, where bets are closed and the first card is due."""
    id = floor.new_table("commission", source=SourceKind.ENTERED, burn="none", **terms)
    for step in ("load-shoe", "call-bets", "close-bets"):
        give(floor, id, {"type": step})
    return id


def give(floor: RunningFloor, id: str, command: dict[str, Any]) -> None:
    answer = floor.client("Dan").give(id, command, Role.DEALER, expected=floor.version(id))
    assert not isinstance(answer, Refused), answer


def issued(floor: RunningFloor, id: str, by: str = "Rob", name: str = "shoe-1") -> dict[str, Any]:
    answer = floor.fresh_client(by).http.post("/devices", json={"table": id, "name": name})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def say(floor: RunningFloor, secret: str, path: str = "readings", **body: Any) -> httpx.Response:
    with httpx.Client(base_url=f"{floor.url}/api/v1/device/", headers={"Authorization": f"Bearer {secret}"}) as http:
        return http.post(path, json=body)


def cards(floor: RunningFloor, id: str) -> dict[str, list[str]]:
    shown = floor.client("Dan").table(id)
    assert not isinstance(shown, Refused)
    return {hand: [card["card"] for card in shown.view["hands"][hand]["cards"]] for hand in ("player", "banker")}


def feed(floor: RunningFloor, id: str, by: str = "Dan") -> dict[str, Any]:
    shown = floor.client(by).table(id)
    assert not isinstance(shown, Refused)
    told: dict[str, Any] = shown.view["feed"]
    return told


def test_a_device_deals_the_card_that_left_the_shoe_once(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    assert feed(floor, id, "Lee") == {"state": "manual", "device": None, "refused": None}
    made = issued(floor, id)
    key = made["key"]
    assert feed(floor, id, "Lee")["state"] == "lost", "nothing was heard of it yet"
    first = say(floor, key, key="r1", card="9H")
    assert (first.status_code, first.json()["version"]) == (200, floor.version(id))
    assert say(floor, key, key="r1", card="9H").json() == first.json(), "a doubled reading is dealt once"
    again = say(floor, key, key="r1", card="8H")
    assert (again.status_code, again.json()["refusal"]["reason"]) == (409, "key-reused")
    assert say(floor, key, key="r2", card="9H").status_code == 200, "another card of the same name"
    assert cards(floor, id) == {"player": ["9H"], "banker": ["9H"]}
    assert feed(floor, id) == {"state": "device", "device": "shoe-1", "refused": None}
    assert feed(floor, id, "Lee") == {"state": "device", "device": None, "refused": None}
    told = floor.client("Dan").events(id, 1, 100)
    assert not isinstance(told, Refused)
    dealt = [one.event for one in told.events if one.event["type"] == "card-dealt"]
    assert {(one["by"], one["role"]) for one in dealt} == {(f"device/shoe-1/{made['device']}", "device")}


@pytest.mark.gli("4.18.4")
def test_the_dealer_puts_a_reading_right_by_the_book(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    assert say(floor, issued(floor, id)["key"], key="r1", card="9H").status_code == 200
    give(floor, id, {"type": "correct-card", "hand": "player", "number": 1, "card": "8H"})
    assert cards(floor, id)["player"] == ["8H"]


@pytest.mark.gli("4.18.4")
def test_a_card_out_of_turn_is_refused_and_the_dealer_sees_it(floor: RunningFloor) -> None:
    id = floor.new_table("commission", source=SourceKind.ENTERED, burn="none")
    give(floor, id, {"type": "load-shoe"})
    give(floor, id, {"type": "call-bets"})
    key = issued(floor, id)["key"]
    before = floor.version(id)
    early = say(floor, key, key="r1", card="9H")
    assert (early.status_code, early.json()["refusal"]["reason"]) == (409, "bets-still-open")
    assert floor.version(id) == before
    refused = feed(floor, id)["refused"]
    assert (refused["card"], refused["refusal"]["reason"]) == ("9H", "bets-still-open")
    assert feed(floor, id, "Lee")["refused"] is None
    give(floor, id, {"type": "close-bets"})
    assert say(floor, key, key="r2", card="9H").status_code == 200
    assert feed(floor, id)["refused"] is None, "the next reading is in order"


def test_a_key_holds_at_its_table_until_it_is_revoked(floor: RunningFloor) -> None:
    id, other = dealt_by_hand(floor), dealt_by_hand(floor)
    made = issued(floor, id, by="Ada")
    there = say(floor, made["key"], key="r1", card="9H", table=other)
    assert (there.status_code, there.json()["refusal"]["params"]) == (403, {"table": id})
    assert say(floor, made["key"], "alive").json() == {"table": id, "lost_after_s": feeds.LOST_S}
    listed = floor.client("Sue").http.get("/devices").json()["devices"]
    assert [one["name"] for one in listed if one["table"] == id] == ["shoe-1"] and "key" not in listed[0]
    assert floor.client("Ada").http.delete(f"/devices/{made['device']}").json()["revoked_by"] == "Ada"
    for path, body in (("readings", {"key": "r2", "card": "9H"}), ("alive", {})):
        late = say(floor, made["key"], path, **body)
        assert (late.status_code, late.json()["refusal"]["reason"]) == (401, "no-device"), "a stolen key is of no use"
    assert cards(floor, id)["player"] == [] and feed(floor, id)["state"] == "manual"
    assert floor.client("Ada").http.delete(f"/devices/{made['device']}").status_code == 404


def test_a_new_key_ends_the_one_before(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    first, second = issued(floor, id)["key"], issued(floor, id, name="shoe-2")["key"]
    assert say(floor, first, key="r1", card="9H").status_code == 401
    assert say(floor, second, key="r1", card="9H").status_code == 200


@pytest.mark.parametrize("who", ["Lee", "Dan", "Sue", "Mia", "Cas", "Aud"])
def test_only_administrators_and_shift_managers_issue_keys(floor: RunningFloor, who: str) -> None:
    id = floor.new_table("commission", source=SourceKind.ENTERED)
    assert floor.fresh_client(who).http.post("/devices", json={"table": id, "name": "x"}).status_code == 403
    assert floor.fresh_client(who).http.delete("/devices/00").status_code == 403


def test_what_is_not_a_table_or_a_name_gets_no_key(floor: RunningFloor) -> None:
    id, rob = floor.new_table("commission"), floor.fresh_client("Rob").http
    assert rob.post("/devices", json={"table": "nowhere", "name": "x"}).json()["refusal"]["reason"] == "no-table"
    assert rob.post("/devices", json={"table": id, "name": "A b"}).json()["refusal"]["reason"] == "wrong-device-name"


def test_a_key_opens_nothing_else_and_a_session_is_not_a_key(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    key, lee = issued(floor, id)["key"], floor.fresh_client("Lee")
    with httpx.Client(base_url=f"{floor.url}/api/v1", headers={"Authorization": f"Bearer {key}"}) as http:
        for path in ("/tables", f"/tables/{id}", "/accounts/me", "/devices"):
            assert http.get(path).status_code == 401, path
        body = {"key": "k", "role": "device", "command": {"type": "deal-card", "card": "9H"}}
        assert http.post(f"/tables/{id}/commands", json=body).status_code == 401
    assert lee.http.post("/device/readings", json={"key": "r1", "card": "9H"}).status_code == 401
    refused = floor.client("Dan").give(id, {"type": "deal-card", "card": "9H"}, Role.DEVICE)
    assert isinstance(refused, Refused) and refused.status == 403
    roles = floor.fresh_client("Ada").http.put("/people/Non/roles", json={"roles": ["device"]})
    assert (roles.status_code, roles.json()["refusal"]["reason"]) == (409, "of-devices")


def test_a_device_that_is_not_heard_of_is_lost(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "LOST_S", 0.05)
    id = dealt_by_hand(floor)
    key = issued(floor, id)["key"]
    with floor.client("Lee").stream(id, views=True) as stream:  # type: ignore[union-attr]
        say(floor, key, "alive")
        states: list[str] = []
        while states[-2:] != ["device", "lost"]:
            frame = stream.next(60)
            state = frame["view"]["feed"]["state"] if "view" in frame else None
            if state is not None and states[-1:] != [state]:
                states.append(state)


def test_keys_are_acts_of_the_house_and_kept_as_digests(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    key = issued(floor, id)["key"]
    assert say(floor, key, key="r1", card="9H").status_code == 200
    devices = Devices(floor.store, People(floor.store, floor.app_state.now), floor.app_state.now)
    with floor.store.read() as reader:
        [(body,)] = list(reader.rows("SELECT body FROM house_events ORDER BY seq DESC LIMIT 1"))
        [device] = [one for one in devices.listed(reader) if one.table == id]
        rows = " ".join(map(str, reader.rows("SELECT * FROM devices")))
    assert '"device-key-issued"' in str(body) and key not in str(body) + rows
    revoked = devices.revoke(device.device, Author("house"))
    assert not isinstance(revoked, Refusal) and revoked.revoked is not None
    again = devices.revoke(device.device, Author("house"))
    assert isinstance(again, Refusal) and again.reason is Reason.NO_DEVICE
    with floor.store.read() as reader:
        assert not verify(reader).problems


def test_the_program_in_the_documentation_deals_a_round(floor: RunningFloor) -> None:
    id = dealt_by_hand(floor)
    key = issued(floor, id)["key"]
    program = [sys.executable, str(PROGRAM), floor.url, key]
    readings = "9h\n8s\nkd\nKC\n2c\n"
    told = subprocess.run(program, input=readings, capture_output=True, text=True, timeout=120, check=True)
    assert cards(floor, id) == {"player": ["9H", "KD"], "banker": ["8S", "KC"]}
    assert told.stdout.splitlines()[3].startswith("KC dealt")
    assert told.stdout.splitlines()[4].startswith("2C refused: "), "the round is over"


@pytest.mark.gli("4.18.4")
def test_what_a_device_reads_face_down_is_told_to_no_player(floor: RunningFloor) -> None:
    """At a face-down table the device knows what nobody sees: players are not told until it is turned."""
    id = dealt_by_hand(floor, faces=Faces.DOWN)
    assert say(floor, issued(floor, id)["key"], key="r1", card="9H").status_code == 200
    shown = floor.client("Lee").table(id)
    assert not isinstance(shown, Refused)
    assert shown.view["hands"]["player"]["cards"][0]["card"] is None


def test_a_device_speaks_to_any_server_of_the_house(postgres: PostgresServer) -> None:
    """A card that is read at one server is dealt for all, and every server knows who names the cards."""
    with postgres.lent_database() as database, running_floor(database) as first, running_floor(database, {}) as second:
        id = dealt_by_hand(first)
        wait_until(lambda: not isinstance(second.client("Dan").table(id), Refused))
        key = issued(first, id)["key"]
        wait_until(lambda: feed(second, id)["device"] == "shoe-1")
        assert feed(second, id)["state"] == "lost", "nothing was heard of it yet"
        assert say(second, key, key="1", card="9H").status_code == 200
        wait_until(lambda: feed(first, id)["state"] == "device")
        assert say(second, key, key="2", card="9S").status_code == 200
        assert say(first, key, key="3", card="KH", table=id).status_code == 200
        assert say(first, key, key="4", card="KD").status_code == 200
        wait_until(lambda: [len(cards(second, id)[hand]) for hand in ("player", "banker")] == [2, 2])
        assert say(first, key, key="5", card="2D").status_code == 409, "no card is due"
        wait_until(lambda: feed(second, id)["refused"] is not None)
        assert feed(second, id)["refused"]["card"] == "2D" and feed(second, id)["state"] == "device"
        device = second.client("Rob").http.get("/devices").json()["devices"][0]["device"]
        assert second.fresh_client("Rob").http.delete(f"/devices/{device}").status_code == 200
        wait_until(lambda: feed(first, id)["state"] == "manual")
