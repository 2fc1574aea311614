"""Hosts, origins, headers, and bodies that nobody can mean: all of them stay outside, with a sentence."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response
from websockets.sync.client import connect

from punto.rules.authority import Role
from punto.server.access import Throttle
from punto.server.app import DOCUMENTS, INSIDE, OUTSIDE
from punto.server.validation import DEEPEST, LARGEST_BODY
from tests.server.running_floor import RunningFloor, running_floor

BODY = {
    "key": "k",
    "role": "player",
    "command": {"type": "place-bet", "round": 1, "box": 1, "area": "banker", "amount": 10_000},
}


def refusal(answer: httpx.Response) -> dict[str, Any]:
    found: dict[str, Any] = answer.json()["refusal"]
    assert set(found) == {"reason", "params", "sentence", "clause"}
    assert found["sentence"]
    return found


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "", "localhost.evil", "[::1]evil", "[::1", "::1"),
        *("127.0.0.1:80:80", "127.0.0.1:x", "127.0.0.1/x", "x@127.0.0.1"),
    ],
)
def test_another_host_is_not_answered(floor: RunningFloor, host: str) -> None:
    for path in ("/health", "/api/v1/tables", "/docs"):
        answer = httpx.get(f"{floor.url}{path}", headers={"host": host})
        assert answer.status_code == 400 and refusal(answer)["reason"] == "wrong-host"
        assert int(answer.headers["content-length"]) == len(answer.content), "HTTP/1.0 knows no chunks"


def test_our_own_names_are_answered(floor: RunningFloor) -> None:
    port = floor.url.rpartition(":")[2]
    for host in ("127.0.0.1", f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}", "[::1]:80"):
        assert httpx.get(f"{floor.url}/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "file://"])
def test_pages_of_others_may_not_call(floor: RunningFloor, origin: str) -> None:
    lee = floor.client("Lee")
    answer = lee.http.post("/tickets", headers={"origin": origin})
    assert answer.status_code == 403 and refusal(answer)["reason"] == "wrong-origin"
    address = f"{floor.url.replace('http', 'ws')}/api/v1/tables/t1/stream"
    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers={"origin": origin}):
        pass
    assert refused.value.response.status_code == 403
    assert_refused(refused.value.response, "wrong-origin")


def test_a_stream_by_another_host_is_told_why(floor: RunningFloor) -> None:
    address = f"{floor.url.replace('http', 'ws')}/api/v1/tables/t1/stream"
    with pytest.raises(InvalidStatus) as refused, connect(address, additional_headers={"host": "evil.example"}):
        pass
    assert refused.value.response.status_code == 400
    assert_refused(refused.value.response, "wrong-host")


@pytest.mark.parametrize("path", ["/", "/api/v1/nowhere", "/api/v1/tables", "/api/v1/tables/t1/events"])
def test_a_stream_that_is_not_there_is_told_so(floor: RunningFloor, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused, connect(f"{floor.url.replace('http', 'ws')}{path}"):
        pass
    assert refused.value.response.status_code == 404
    assert_refused(refused.value.response, "not-there")


def assert_refused(answer: Response, reason: str) -> None:
    """A stream is refused in the same form as everything else, and with the same headers."""
    found = json.loads(answer.body or b"")["refusal"]
    assert found["reason"] == reason and found["sentence"]
    assert answer.headers["content-type"] == "application/json" and answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


NOT_HTTP = (
    b"garbage\r\n\r\n",
    b"FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
)


@pytest.mark.parametrize("content", NOT_HTTP)
def test_what_is_not_http_is_refused_like_everything_else(floor: RunningFloor, content: bytes) -> None:
    host, port = floor.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as line:
        line.sendall(content)
        with line.makefile("rb") as answer:
            head, _, body = answer.read().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"content-type: application/json" in head
    found = json.loads(body)["refusal"]
    assert (found["reason"], found["sentence"]) == ("malformed", "the request cannot be read: it is not HTTP")


def test_our_own_pages_and_allowed_ones_may(floor: RunningFloor, tmp_path: Path) -> None:
    assert floor.client("Lee").http.post("/tickets", headers={"origin": floor.url}).status_code == 200
    allowed = "https://play.example"
    with running_floor(str(tmp_path / "house.db"), origins=(allowed,), hosts=("floor.example",)) as other:
        answer = other.client("Lee").http.post("/tickets", headers={"origin": allowed})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == allowed
        assert "access-control-allow-credentials" not in answer.headers
        asked = httpx.options(f"{other.url}/api/v1/tickets", headers={"origin": allowed})
        assert asked.status_code == 204 and "authorization" in asked.headers["access-control-allow-headers"]
        assert httpx.get(f"{other.url}/health", headers={"host": "floor.example"}).status_code == 200


def heads(floor: RunningFloor) -> list[str]:
    """Every address that GET can be sent to, and some where it is refused."""
    id = floor.new_table()
    values = {"id": id, "table": id, "handle": "Lee", "name": "ez", "book": "ez", "n": "1", "number": "1"}
    calls = [f"/api/v1{each.path}" for each in INSIDE if each.method == "GET"]
    paths = [re.sub(r"\{(\w+)\}", lambda named: values.get(named[1], "1"), path) for path in calls]
    outside = [each.path for each in OUTSIDE]
    documents = [f"/api/v1/{name}" for name in DOCUMENTS]
    return [*paths, *outside, *documents, "/", "/docs", "/tables/x", "/none.txt", "/api/v1/none", "/sessions"]


def test_head_is_answered_as_get_is_without_a_body(floor: RunningFloor) -> None:
    for name in ("Lee", "Aud", "Ada", "Cas"):
        token = floor.client(name).http.headers["authorization"]
        with httpx.Client(base_url=floor.url, headers={"authorization": token}) as client:
            for path in heads(floor):
                got, asked = client.get(path), client.head(path)
                assert asked.status_code == got.status_code, path
                assert asked.content == b"", path
                assert headers_of(asked) == headers_of(got), path
    for path in ("/api/v1/tickets", "/api/v1/sessions"):
        assert httpx.head(f"{floor.url}{path}").status_code == httpx.get(f"{floor.url}{path}").status_code


def test_what_head_leaves_out_is_not_read_as_the_next_answer(floor: RunningFloor) -> None:
    host, port = floor.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 10) as line:
        for method, after in (("HEAD", "keep-alive"), ("HEAD", "keep-alive"), ("GET", "close")):
            asked = f"{method} /health HTTP/1.1\r\nHost: localhost\r\nConnection: {after}\r\n\r\n"
            line.sendall(asked.encode())
        with line.makefile("rb") as answer:
            found = answer.read()
    assert found.count(b"HTTP/1.1 200 ") == 3 and found.count(b'{"status":"ok",') == 1


def test_a_wrong_method_is_told_which_there_are(floor: RunningFloor) -> None:
    answer = httpx.delete(f"{floor.url}/health")
    assert answer.status_code == 405
    assert {each.strip() for each in answer.headers["allow"].split(",")} >= {"GET", "HEAD"}


def headers_of(answer: httpx.Response) -> dict[str, str]:
    """The headers that say what the answer is; the length of a view changes with its clocks."""
    return {name: value for name, value in answer.headers.items() if name not in ("date", "content-length")}


def test_every_answer_keeps_browsers_strict(floor: RunningFloor) -> None:
    for path in ("/", "/docs", "/health", "/api/v1/tables", "/api/v1/nowhere", "/api/v1/openapi.json"):
        headers = httpx.get(f"{floor.url}{path}").headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_the_documentation_loads_nothing_from_elsewhere(floor: RunningFloor) -> None:
    page = httpx.get(f"{floor.url}/docs").text
    assert "<script" not in page and "style=" not in page
    assert "http://" not in page and "https://" not in page
    for path in ("/api/v1/tables/{id}/commands", "PlaceBetBody", "sessions"):
        assert path in page


def nested(depth: int) -> bytes:
    return b'{"key":' + b"[" * depth + b"]" * depth + b"}"


WRONG = {
    "not JSON": b"{",
    "not an object": b"[]",
    "empty": b"",
    "not UTF-8": b'{"key":"\xff"}',
    "half a character": b'{"key":"\\ud800","role":"player","command":{"type":"walk-away"}}',
    "nested": nested(DEEPEST + 1),
    "nested very deeply": nested(30_000),
    "not a number": b'{"key":"k","role":"player","expected":NaN,"command":{"type":"walk-away"}}',
}


@pytest.mark.parametrize("name", WRONG)
def test_a_body_that_cannot_be_read_is_refused(floor: RunningFloor, name: str) -> None:
    id = floor.new_table("ez")
    answer = floor.client("Lee").http.post(
        f"/tables/{id}/commands", content=WRONG[name], headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400 and refusal(answer)["reason"] == "malformed"


FIELDS: dict[str, dict[str, Any]] = {
    "a negative amount": {"amount": -10_000},
    "nothing": {"amount": 0},
    "a fraction": {"amount": 10_000.5},
    "text": {"amount": "10000"},
    "true": {"amount": True},
    "too much for a database": {"amount": 2**63},
    "too much for anything": {"amount": 10**400},
    "more than may move": {"amount": 10**15 + 1},
    "no box": {"box": 0},
    "a huge round": {"round": 2**70},
    "a control character": {"area": "banker\u0000"},
    "a line break": {"area": "ban\nker"},
    "a turned text": {"area": "\u202ereknab"},
    "an invisible character": {"area": "bank\u200ber"},
    "a long text": {"area": "b" * 501},
    "an unknown field": {"color": "red"},
    "an unknown command": {"type": "win-everything"},
}


@pytest.mark.parametrize("name", FIELDS)
def test_values_that_nobody_can_mean_are_refused(floor: RunningFloor, name: str) -> None:
    id = floor.new_table("ez")
    body = {**BODY, "command": {**BODY["command"], **FIELDS[name]}}  # type: ignore[dict-item]
    answer = floor.client("Lee").http.post(
        f"/tables/{id}/commands", content=json.dumps(body), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400 and refusal(answer)["reason"] == "malformed", answer.text
    assert floor.client("Lee").table(id).version == 1  # type: ignore[union-attr]


def test_a_large_body_is_refused_before_it_is_read(floor: RunningFloor) -> None:
    lee = floor.client("Lee")
    headers = {"content-type": "application/json"}
    whole = lee.http.post("/tables/t1/commands", content=b" " * (LARGEST_BODY + 1), headers=headers)
    assert whole.status_code == 413 and refusal(whole)["reason"] == "too-large"

    def parts() -> Any:
        for _ in range(20):
            yield b" " * 8192

    streamed = lee.http.post("/tables/t1/commands", content=parts(), headers=headers)
    assert streamed.status_code == 413


def test_only_json_is_read(floor: RunningFloor) -> None:
    lee = floor.client("Lee")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = lee.http.post("/tables/t1/commands", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 400


QUERIES = ("after=x", "after=-1", "after=1e3", "limit=0", "limit=1001", "who=me", "after=1&after=2", "after=%ff")


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_read_strictly(floor: RunningFloor, query: str) -> None:
    id = floor.new_table("ez")
    answer = floor.client("Lee").http.get(f"/tables/{id}/events?{query}")
    assert answer.status_code == 400 and refusal(answer)["reason"] == "malformed"


def test_a_shoe_that_was_never_loaded_is_not_there(floor: RunningFloor) -> None:
    id, client = floor.new_table("ez"), floor.client("Dan")
    assert client.http.get(f"/audit/shoes/{id}/1").status_code == 404
    client.give(id, {"type": "load-shoe"}, Role.DEALER, expected=1)
    answer = client.http.get(f"/audit/shoes/{id}/1")
    assert answer.status_code == 409 and refusal(answer)["reason"] == "still-open"
    assert client.http.get(f"/audit/shoes/{id}/2").status_code == 404


PATHS = (*("/tables/T1", "/tables/..", "/tables/a%2fb", "/tables/%00"), *("/audit/rounds/t1/0", "/audit/shoes/t1/x"))


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_names_nothing_is_not_there(floor: RunningFloor, path: str) -> None:
    answer = floor.client("Aud").http.get(path)
    assert answer.status_code == 404
    refusal(answer)


def test_another_method_is_refused_with_those_that_work(floor: RunningFloor) -> None:
    answer = floor.client("Lee").http.put("/tickets", json={})
    assert answer.status_code == 405 and refusal(answer)["reason"] == "no-method"
    assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize("name", ["%00", "a%00b", "%E2%80%AE", "x" * 501, "%7F"])
def test_names_in_an_address_that_nobody_can_mean_are_not_there(floor: RunningFloor, name: str) -> None:
    """Nothing of them is said back, and no database has to look for them."""
    folders = (("Lee", "tables"), ("Lee", "approvals"), ("Lee", "books"), ("Cas", "cashier/accounts"))
    for who, folder in folders:
        answer = floor.client(who).http.get(f"/{folder}/{name}")
        assert answer.status_code == 404 and refusal(answer)["params"] == {"what": "such address"}


def test_a_method_that_is_not_possible_is_named(floor: RunningFloor) -> None:
    answer = floor.client("Lee").http.request("PATCH", "/tables")
    assert answer.status_code == 405 and refusal(answer)["sentence"] == "PATCH is not possible here"


def test_who_guesses_tokens_is_slowed_down(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor.app_state, "by_address", Throttle(0.001, 5))
    with httpx.Client(base_url=floor.url) as http:
        statuses = {http.get("/api/v1/tables").status_code for _ in range(10)}
        assert statuses == {401}, "who sends none guesses nothing"
        sent = [http.get("/api/v1/tables", headers={"authorization": f"Bearer {n}"}) for n in range(7)]
        assert [answer.status_code for answer in sent] == [401] * 5 + [429] * 2
        assert int(sent[-1].headers["retry-after"]) > 1
