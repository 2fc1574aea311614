"""Second factors over HTTP: logging in with a code, who may do nothing but set one up, and what is told to whom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from punto.client import Client, Refused, Stream
from punto.floor.second_factor import STEP_MS, code_at, step_of
from punto.server.app import INSIDE
from tests.server.running_floor import PASSWORD, RunningFloor
from tests.server.test_sessions_idle import Floor, end_of, floor, reason, recheck

__all__ = ["floor"]


def code_of(floor: Floor, secret: str) -> str:
    return code_at(secret, step_of(floor.now()))


def enrol(floor: Floor, client: Client) -> tuple[str, list[str]]:
    begun = client.http.post("/accounts/me/second-factor")
    assert begun.status_code == 201
    secret = begun.json()["secret"]
    confirmed = client.http.post("/accounts/me/second-factor/confirm", json={"code": code_of(floor, secret)})
    assert confirmed.status_code == 201
    return secret, confirmed.json()["codes"]


@pytest.mark.gli("2.5.3")
def test_logging_in_with_a_code(floor: Floor) -> None:
    lee = floor.running.fresh_client("Lee")
    assert lee.http.get("/accounts/me/second-factor").json()["enrolled"] is False
    secret, codes = enrol(floor, lee)
    assert lee.http.get("/sessions/current").json()["second_factor"] is True, "the session goes on"
    floor.later(STEP_MS)
    with Client(floor.running.url) as again:
        for name in ("Lee", "Nobody"):
            wrong = again.http.post("/sessions", json={"name": name, "password": "not it", "code": "123456"})
            assert reason(wrong) == (401, "wrong-password"), "whether there is one is not told before the password"
        needed = again.log_in("Lee", PASSWORD)
        assert isinstance(needed, Refused) and (needed.status, needed.reason) == (401, "second-factor-needed")
        used = again.log_in("Lee", PASSWORD, "12345")
        assert isinstance(used, Refused) and (used.status, used.reason) == (401, "wrong-code")
        assert not isinstance(again.log_in("Lee", PASSWORD, code_of(floor, secret)), Refused)
        assert not isinstance(again.log_in("Lee", PASSWORD, codes[0]), Refused)
        assert again.http.get("/accounts/me/second-factor").json()["recovery_left"] == 9
    removed = floor.running.client("Ada").http.post("/people/Lee/second-factor/remove", json={"reason": "lost"})
    assert removed.status_code == 200 and removed.json()["second_factor"] is False
    assert reason(lee.http.get("/tables")) == (401, "no-session")


@pytest.mark.gli("2.5.3")
def test_who_needs_one_and_has_none_sets_one_up_and_nothing_else(floor: Floor) -> None:
    table, running = floor.running.new_table(), floor.running
    rob, lee = running.fresh_client("Rob"), running.fresh_client("Lee")
    stream = rob.stream(table)
    assert isinstance(stream, Stream)
    with stream:
        stream.next(30)
        floor.set_profile(second_factor=["shift-manager"])
        recheck(floor, "Rob")
        closed = end_of(stream)
        assert closed.code == 4401 and "second factor" in closed.reason
    assert lee.http.get("/tables").status_code == 200
    for endpoint in INSIDE:
        path = endpoint.path.replace("{id}", table)
        if endpoint.is_open or endpoint.is_for_devices or endpoint.is_for_unenrolled or "{" in path:
            continue
        answer = rob.http.request(endpoint.method, path)
        assert reason(answer) == (403, "second-factor-missing"), path
    with Client(running.url) as again:
        told = again.log_in("Rob", PASSWORD)
        assert not isinstance(told, Refused) and told.must_enrol
        assert again.http.get("/sessions/current").json()["must_enrol"] is True
        enrol(floor, again)
        assert again.http.get("/sessions/current").json()["must_enrol"] is False
        assert again.http.get("/tables").status_code == 200
        own = again.http.post("/people/Rob/second-factor/remove", json={"reason": "x"})
        assert reason(own) == (403, "role-needed")
    assert reason(rob.http.get("/tables")) == (401, "no-session"), "a session without it ends"


def test_a_wrong_first_code_ends_no_session(floor: Floor) -> None:
    lee = floor.running.fresh_client("Lee")
    assert reason(lee.http.post("/accounts/me/second-factor/confirm", json={"code": "1"})) == (409, "nothing-begun")
    secret = lee.http.post("/accounts/me/second-factor").json()["secret"]
    answer = lee.http.post("/accounts/me/second-factor/confirm", json={"code": "no"})
    assert reason(answer) == (409, "wrong-code") and secret not in answer.text
    floor.later(16 * 60_000)
    assert reason(lee.http.post("/accounts/me/second-factor")) == (401, "password-again")


def answers_to(running: RunningFloor, names: tuple[str, ...], table: str) -> str:
    """Everything that these people can read, in one text."""
    texts = []
    for name in names:
        http = running.client(name).http
        for endpoint in INSIDE:
            path = endpoint.path.replace("{id}", table).replace("{handle}", "Lee")
            if endpoint.method == "GET" and "{" not in path:
                texts.append(http.get(path).text)
    return json.dumps(texts)


@pytest.mark.gli("B.6.2")
def test_nothing_secret_is_in_any_answer(floor: Floor) -> None:
    running, table = floor.running, floor.running.new_table()
    lee = running.client("Lee")
    secret, codes = enrol(floor, lee)
    kim = running.client("Kim").http.post("/accounts/me/second-factor").json()["secret"]
    with running.store.read() as reader:
        kept = [row[0] for row in reader.rows("SELECT password FROM people WHERE password IS NOT NULL")]
        kept += [row[0] for row in reader.rows("SELECT token FROM sessions")]
        kept += [row[0] for row in reader.rows("SELECT digest FROM recovery_codes")]
    told: Any = answers_to(running, ("Lee", "Kim", "Ada", "Aud", "Rob", "Cas"), table)
    assert len(told) > 5_000
    tokens = [client.session.token for client in running._clients.values() if client.session is not None]
    for each in (secret, kim, *codes, *kept, *tokens, PASSWORD):
        assert each not in told
