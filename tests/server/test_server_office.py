"""Calls of the office: book files examined and kept, accounts without a log-in, sessions ended, and the doctor."""

from __future__ import annotations

from typing import Any

import pytest

from punto.audit.verification import verify
from punto.books import built_in_source
from punto.client import Client
from tests.server.running_floor import PASSWORD, RunningFloor

EZ = built_in_source("ez").text
OURS = EZ.replace('name = "ez"', 'name = "ours"', 1)


@pytest.fixture
def ada(floor: RunningFloor) -> Any:
    return floor.client("Ada").http


def test_a_book_file_is_examined_and_nothing_is_kept(ada: Any) -> None:
    before = ada.get("/books").json()
    found = ada.post("/books/examine", json={"source": OURS, "file": "ours.toml"}).json()
    assert (found["ok"], found["book"], found["problems"]) == (True, "ours", [])
    banker = next(bet for bet in found["bets"] if bet["bet"] == "banker")
    assert all(0 < one["edge"] < 0.02 for one in banker["edges"])
    wrong = ada.post("/books/examine", json={"source": "name = 3\n", "file": "x.toml"}).json()
    assert wrong["ok"] is False and wrong["problems"]
    assert ada.get("/books").json() == before


def test_what_is_wrong_and_what_is_warned_of_is_told_in_every_language(ada: Any) -> None:
    source = EZ.replace('name = "ez"', 'name = "Our Book"', 1).replace('odds = "40:1"', 'odds = "40"', 1)
    wrong = ada.post("/books/examine", json={"source": source, "file": "x.toml"}).json()
    sentences = [one["problem"] for one in wrong["problems"]]
    assert len(sentences) > 1 and [one["en"] for one in wrong["problem_words"]] == sentences
    assert "'40' 不是有效的赔率；请写赢得的数、冒号和注额，例如 8:1 或 1.5:1" in [
        one["zh_hans"] for one in wrong["problem_words"]
    ]
    steep = ada.post("/books/examine", json={"source": OURS.replace('odds = "40:1"', 'odds = "2:1"', 1)}).json()
    assert [one["en"] for one in steep["warning_words"]] == [one["sentence"] for one in steep["warnings"]]
    assert any(one["zh_hant"].startswith("8 副牌時，賭場優勢是 ") for one in steep["warning_words"])


@pytest.mark.parametrize("base", ["/etc/passwd", "../../secret.toml", "house.db", "file:///etc/passwd"])
def test_a_book_that_is_sent_reads_no_file_of_the_server(ada: Any, base: str) -> None:
    source = f'name = "x"\nextends = "{base}"\n'
    [problem] = ada.post("/books/examine", json={"source": source}).json()["problems"]
    assert "is not one of them" in problem["problem"]
    kept = ada.post("/books", json={"source": source, "reason": "x"})
    assert (kept.status_code, kept.json()["refusal"]["reason"]) == (409, "wrong-book")


def test_a_book_is_kept_on_record_and_a_table_is_opened_by_it(ada: Any, floor: RunningFloor) -> None:
    assert ada.post("/books", json={"source": OURS}).json()["refusal"]["reason"] == "reason-needed"
    kept = ada.post("/books", json={"source": OURS, "file": "ours.toml", "reason": "charity night"})
    assert (kept.status_code, kept.json()["name"]) == (201, "ours")
    digest = kept.json()["digest"]
    again = ada.post("/books", json={"source": OURS, "reason": "once more"})
    assert (again.status_code, again.json()["digest"]) == (201, digest)
    assert digest in {book["digest"] for book in ada.get("/books").json()["books"]}
    document = ada.get(f"/books/{digest}/document").json()
    assert document["digest"] == digest and '"name":"ours"' in document["document"]
    rob = floor.client("Rob").http
    opened = rob.post("/tables", json={"table": "ours", "book": digest, "role": "shift-manager"})
    assert (opened.status_code, opened.json()["digest"]) == (201, digest)
    acts = [act for act in ada.get("/audit/events?limit=500").json()["events"] if act["code"] == "book-kept"]
    assert [(act["who"], act["reason"], act["after"]["name"]) for act in acts] == [("Ada", "charity night", "ours")]
    with floor.store.read() as reader:
        assert verify(reader).problems == ()


def test_what_is_sent_as_a_book_is_bounded(ada: Any) -> None:
    assert ada.post("/books/examine", json={"source": "x" * 60_001}).status_code == 400
    assert ada.post("/books/examine", json={"source": "x" * 70_000}).status_code == 413
    odd = ada.post("/books/examine", json={"source": "name = \u202e"})
    assert (odd.status_code, "invisible" in odd.json()["refusal"]["sentence"]) == (400, True)
    assert ada.post("/books/examine", json={"source": "a = 1", "file": "a\nb"}).status_code == 400


def test_accounts_are_opened_listed_and_erased(ada: Any, floor: RunningFloor) -> None:
    made = {"name": "Oda", "display": "Oda O.", "contact": "oda@example.org", "kind": "test"}
    assert ada.post("/accounts", json=made).status_code == 201
    assert ada.post("/accounts", json={"name": "ODA"}).json()["refusal"]["reason"] == "account-exists"
    assert ada.post("/accounts", json={"name": "Bot", "kind": "bot"}).status_code == 400
    cas, aud = floor.client("Cas").http, floor.client("Aud").http
    [oda] = [one for one in cas.get("/accounts").json()["accounts"] if one["account"] == "Oda"]
    assert (oda["kind"], oda["free"], "contact" in oda) == ("test", 0, False)
    assert aud.get("/accounts").status_code == 200
    assert ada.get("/accounts").status_code == 403, "who looks after people does not look at their money"
    assert ada.post("/accounts/Oda/erase").json() == {"account": "Oda", "erased": True}
    assert ada.post("/accounts/Nobody/erase").status_code == 404


def test_all_sessions_of_somebody_end(ada: Any, floor: RunningFloor) -> None:
    with Client(floor.url) as kim, Client(floor.url) as other:
        kim.log_in("Kim", PASSWORD)
        other.log_in("Kim", PASSWORD)
        ended = ada.delete("/people/Kim/sessions").json()
        assert ended["ended"] >= 2
        assert kim.http.get("/accounts/me").status_code == other.http.get("/accounts/me").status_code == 401
    assert ada.delete("/people/Nobody/sessions").status_code == 404
    assert ada.get("/people/Lee/second-factor").json()["enrolled"] is False


def test_the_doctor_looks_at_a_house_that_runs(ada: Any) -> None:
    found = ada.get("/house/doctor").json()
    checks = {check["check"]: check for check in found["checks"]}
    assert {"software", "database", "schema", "disk", "clock", "backups"} <= set(checks)
    assert not {"settings", "ports", "proxy"} & set(checks)
    assert checks["database"]["ok"] and checks["schema"]["ok"]
