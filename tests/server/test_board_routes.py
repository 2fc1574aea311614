"""The board of a table: who changes it, the key of its screens, what a screen is told and what it may not do; and
roads of results that are typed in.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.cards.source import SourceKind
from punto.client import Client, Refused
from punto.roads.roads import Roads, parse_results
from punto.rules.authority import Role
from punto.server.messages import CloseCode
from punto.table.terms import Faces
from tests.server.running_floor import RunningFloor

USUAL = {
    "on": True,
    "language": None,
    "roads": ["big", "bead", "bigEye", "small", "cockroach"],
    "mirrored": False,
    "code": True,
    "address": "",
}


def linked(floor: RunningFloor, id: str, by: str = "Dan") -> str:
    made = floor.client(by).http.post(f"/tables/{id}/board/key")
    assert made.status_code == 201, made.text
    return str(made.json()["key"])


@contextmanager
def screen(floor: RunningFloor, id: str, key: str) -> Iterator[ClientConnection]:
    with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as line:
        line.send(json.dumps({"type": "hello", "ticket": key}))
        yield line


def until(line: ClientConnection, kind: str) -> dict[str, Any]:
    while (frame := json.loads(line.recv(60)))["type"] != kind:
        pass
    found: dict[str, Any] = frame
    return found


def code_of(line: ClientConnection) -> int | None:
    try:
        while True:
            line.recv(60)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def give(floor: RunningFloor, id: str, command: dict[str, Any]) -> None:
    answer = floor.client("Dan").give(id, command, Role.DEALER, expected=floor.version(id))
    assert not isinstance(answer, Refused), answer


def test_a_board_is_changed_by_who_works_at_tables_and_by_nobody_else(floor: RunningFloor) -> None:
    id = floor.new_table("commission")
    path = f"/tables/{id}/board"
    assert floor.client("Lee").http.get(path).json()["settings"] == USUAL
    wanted = {"language": "zh-Hant", "roads": ["big"], "mirrored": True, "address": "https://floor.example"}
    for name in ("Lee", "Cas", "Aud", "Ada"):
        for answer in (
            floor.client(name).http.put(path, json=wanted),
            floor.client(name).http.post(f"{path}/key"),
            floor.client(name).http.delete(f"{path}/key"),
        ):
            assert answer.status_code == 403, (name, answer.text)
    changed = floor.client("Sue").http.put(path, json=wanted)
    assert changed.status_code == 200 and changed.json()["settings"] == {**USUAL, **wanted}
    assert floor.client("Lee").http.get(path).json() == changed.json(), "it is kept"
    for wrong in ({"roads": ["dragon"]}, {"address": "https://a b"}, {"address": "https://x/y"}, {"colour": "red"}):
        assert floor.client("Dan").http.put(path, json=wrong).status_code == 400
    assert floor.client("Dan").http.put("/tables/none/board", json=wanted).status_code == 404


def test_a_screen_sees_the_table_by_its_key_until_another_is_made(floor: RunningFloor) -> None:
    id, other = floor.new_table("commission"), floor.new_table("commission")
    key = linked(floor, id)
    with screen(floor, id, key) as line, screen(floor, id, key) as second:
        snapshot = until(line, "snapshot")
        assert snapshot["view"]["mine"] is None and snapshot["view"]["table"] == id
        assert until(line, "board")["settings"] == USUAL
        assert until(line, "roads")["roads"]["counts"]["rounds"] == 0
        give(floor, id, {"type": "load-shoe"})
        assert until(line, "view")["view"]["shoe"]["number"] == 1
        floor.client("Dan").http.put(f"/tables/{id}/board", json={"on": False})
        assert until(line, "board")["settings"]["on"] is False, "it is told at once"
        until(second, "board")
        again = linked(floor, id, "Rob")
        assert code_of(line) == CloseCode.SESSION and code_of(second) == CloseCode.SESSION
    for wrong, table in ((key, id), (again, other), (again + "x", id), ("punto-board-", id), (again, "none")):
        with screen(floor, table, wrong) as line:
            assert code_of(line) == CloseCode.SESSION
    with screen(floor, id, again) as line:
        until(line, "snapshot")
        assert floor.client("Mia").http.delete(f"/tables/{id}/board/key").json()["linked_by"] is None
        assert code_of(line) == CloseCode.SESSION


def test_a_screen_does_nothing_and_takes_nothing_from_others(floor: RunningFloor) -> None:
    id = floor.new_table("commission", burn="none")
    key = linked(floor, id)
    give(floor, id, {"type": "load-shoe"})
    give(floor, id, {"type": "call-bets"})
    body = {"type": "command", "id": "c", "key": "k", "role": "player", "command": {"type": "take-seat", "box": 1}}
    with screen(floor, id, key) as line:
        until(line, "snapshot")
        seen = floor.client("Kim").table(id)
        assert not isinstance(seen, Refused)
        assert any(one.command["type"] == "take-seat" for one in seen.legal), "newcomers may sit, whoever watches"
        line.send(json.dumps(body))
        assert code_of(line) == CloseCode.BAD_FRAME
    with httpx.Client(base_url=f"{floor.url}/api/v1", headers={"Authorization": f"Bearer {key}"}) as http:
        assert http.get("/tables").status_code == 401
        assert http.post("/tickets").status_code == 401
        assert http.post("/device/alive", json={}).status_code == 401


def test_a_screen_is_told_no_name_and_no_bet(floor: RunningFloor) -> None:
    """Its key may be opened anywhere, and the board shows neither."""
    id = floor.new_table("commission", source=SourceKind.ENTERED, burn="none")
    key, lee = linked(floor, id), floor.client("Lee")
    floor.client("Cas").buy_in("Lee", 1_000_000)
    give(floor, id, {"type": "load-shoe"})
    frames: list[dict[str, Any]] = []
    with screen(floor, id, key) as line:
        for command in ({"type": "take-seat", "box": 3},):
            assert not isinstance(lee.give(id, command, Role.PLAYER), Refused)
        give(floor, id, {"type": "call-bets"})
        bet = {"type": "place-bet", "box": 3, "area": "banker", "amount": 54_300, "round": 1}
        assert not isinstance(lee.give(id, bet, Role.PLAYER), Refused)
        give(floor, id, {"type": "close-bets"})
        for card in ("KS", "2H", "7D", "6C"):
            give(floor, id, {"type": "deal-card", "card": card})
        give(floor, id, {"type": "settle-round"})
        while not (frames and frames[-1]["type"] == "history" and frames[-1]["rounds"]):
            frames.append(json.loads(line.recv(60)))
    with screen(floor, id, key) as line:
        frames.append(until(line, "snapshot"))
    said = json.dumps(frames)
    assert frames[-1]["view"]["result"]["winner"] == "banker" and frames[-1]["view"]["seats"][2]["player"] == ""
    assert "Lee" not in said and "54300" not in said and "543" not in said
    assert {frame["type"] for frame in frames} <= {"snapshot", "board", "roads", "history", "view", "legal", "clock"}


def test_a_screen_that_comes_back_has_the_table_as_it_is(floor: RunningFloor) -> None:
    id = floor.new_table("commission")
    key = linked(floor, id)
    give(floor, id, {"type": "load-shoe"})
    with connect(f"{floor.url.replace('http', 'ws')}/api/v1/tables/{id}/stream") as line:
        line.send(json.dumps({"type": "hello", "ticket": key, "after": 1}))
        assert until(line, "snapshot")["view"]["shoe"]["number"] == 1, "and no event that it has missed"


def test_a_screen_is_told_no_card_that_lies_face_down(floor: RunningFloor) -> None:
    id = floor.new_table("commission", source=SourceKind.ENTERED, burn="none", faces=Faces.DOWN)
    key = linked(floor, id)
    for step in ("load-shoe", "call-bets", "close-bets"):
        give(floor, id, {"type": step})
    with screen(floor, id, key) as line:
        until(line, "snapshot")
        give(floor, id, {"type": "deal-card", "card": "9H"})
        view = until(line, "view")
        while not view["view"]["hands"]["player"]["cards"]:
            view = until(line, "view")
        assert view["view"]["hands"]["player"]["cards"][0]["card"] is None
        assert "9H" not in json.dumps(view)


def test_results_that_are_typed_in_have_the_roads_of_a_table(floor: RunningFloor) -> None:
    letters = {"B": "banker", "P": "player", "T": "tie"}
    text = "BBBPPBPPPTPBBPB"  # a row with published derived roads
    results = [{"winner": letters[one], "banker_pair": i == 0, "natural": i < 3} for i, one in enumerate(text)]
    with httpx.Client(base_url=f"{floor.url}/api/v1") as http:
        drawn = http.post("/roads", json={"results": results})
        assert drawn.status_code == 200, drawn.text
        roads = drawn.json()
        ours = Roads().extend(parse_results(f"{text[0]}b{text[1:]}"))
        assert roads["results"] == str(ours)
        shades = {name: "".join("R" if one["red"] else "B" for one in roads[name]) for name in ("big_eye", "small")}
        assert shades == {"big_eye": "RBBBRRBRBB", "small": "BRBRBBBB"}
        assert roads["counts"] == {
            **{"rounds": 15, "player": 7, "banker": 7, "tie": 1},
            **{"player_pair": 0, "banker_pair": 1, "naturals": 3},
        }
        assert http.post("/roads", json={"results": [{"winner": "banker"}] * 501}).status_code == 400
        assert http.post("/roads", json={"results": [{"winner": "nobody"}]}).status_code == 400
        code = http.get("/board/code/t1", params={"address": "https://floor.example"}).json()
        assert code["link"] == "https://floor.example/tables/t1"
        assert len(code["rows"]) == len(code["rows"][0]) and set("".join(code["rows"])) == {"0", "1"}
        assert code["rows"][0].startswith("1111111"), "its corner"
        assert http.get("/board/code/t1", params={"address": "javascript:x"}).status_code == 400


def test_a_client_without_a_session_sees_no_board(floor: RunningFloor) -> None:
    with Client(floor.url) as nobody:
        assert nobody.http.get(f"/tables/{floor.new_table('ez')}/board").status_code == 401
