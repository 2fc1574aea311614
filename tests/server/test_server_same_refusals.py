"""The same act is refused in the same words, whether it is asked over HTTP or at the command line."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from tests.cli.called import call
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor

PEOPLE_NEW = "/people"


def new(name: str, password: str = PASSWORD, **fields: Any) -> tuple[str, str, dict[str, Any]]:
    return ("POST", PEOPLE_NEW, {"name": name, "password": password, **fields})


def cash(act: str, account: str, amount: int) -> tuple[str, str, dict[str, Any]]:
    return ("POST", f"/cashier/{act}", {"key": f"{act}/{account}/{amount}", "account": account, "amount": amount})


ACTS: tuple[tuple[tuple[str, str, dict[str, Any]], tuple[str, ...], str], ...] = (
    (new("a/b"), ("people", "new", "a/b"), "wrong-name"),
    (new("a/b"), ("account", "new", "a/b"), "wrong-name"),
    (new(""), ("people", "new", ""), "wrong-name"),
    (new(" Zoe"), ("account", "new", " Zoe"), "wrong-name"),
    (new("z" * 81), ("people", "new", "z" * 81), "wrong-name"),
    (new(".."), ("people", "new", ".."), "unseen-name"),
    (new("Zoe\u3164"), ("account", "new", "Zoe\u3164"), "unseen-name"),
    (new("Amber"), ("people", "new", "Amber"), "house-name"),
    (new("THE HOUSE"), ("account", "new", "THE HOUSE"), "house-name"),
    (new("lee"), ("people", "new", "lee"), "account-exists"),
    (new("Lee"), ("people", "new", "Lee"), "account-exists"),
    (new("ＬＥＥ"), ("account", "new", "ＬＥＥ"), "account-exists"),
    (new("Zoe", currency="usd"), ("people", "new", "Zoe", "--currency", "usd"), "wrong-currency"),
    (new("Zoe", display="x" * 201), ("account", "new", "Zoe", "--display", "x" * 201), "text-too-long"),
    (new("Zoe", password="short"), ("people", "new", "Zoe", "--password-stdin"), "weak-password"),
    (
        ("PUT", "/people/Lee/password", {"password": "short"}),
        ("people", "password", "Lee", "--password-stdin"),
        "weak-password",
    ),
    (("PUT", "/people/Nobody/password", {"password": PASSWORD}), ("people", "password", "Nobody"), "no-account"),
    (("PUT", "/people/Nobody/roles", {"roles": ["dealer"]}), ("people", "roles", "Nobody", "dealer"), "no-account"),
    (("GET", "/cashier/accounts/Nobody", {}), ("account", "show", "Nobody"), "no-account"),
    (("GET", "/cashier/accounts/Nobody/statement", {}), ("account", "statement", "Nobody"), "no-account"),
    (
        ("POST", "/people/Lee/second-factor/remove", {"reason": "x"}),
        ("people", "second-factor", "Lee", "--remove", "--reason", "x"),
        "no-second-factor",
    ),
    (
        ("POST", "/people/Lee/second-factor/remove", {"reason": ""}),
        ("people", "second-factor", "Lee", "--remove"),
        "reason-needed",
    ),
    (
        ("POST", "/accounts/me/second-factor/confirm", {"code": "123456"}),
        ("people", "second-factor", "Ada", "--code", "123456"),
        "nothing-begun",
    ),
    (
        ("POST", "/house/invitations", {"role": "administrator"}),
        ("house", "invite", "--role", "administrator"),
        "wrong-invitation",
    ),
    (("POST", "/house/invitations", {"currency": "usd"}), ("house", "invite", "--currency", "usd"), "wrong-currency"),
    (("DELETE", "/house/invitations/ab", {}), ("house", "invitations", "--withdraw", "ab"), "invitation-over"),
    (("POST", "/people/Lee/shut", {"reason": ""}), ("people", "shut", "Lee"), "reason-needed"),
    (("POST", "/people/Lee/open", {"reason": "x"}), ("people", "open", "Lee", "--reason", "x"), "not-shut"),
    (("POST", "/people/Nobody/shut", {"reason": "x"}), ("people", "shut", "Nobody", "--reason", "x"), "no-account"),
    (("GET", "/people/Nobody/sessions", {}), ("people", "sessions", "Nobody"), "no-account"),
    (("POST", "/house/stop", {"reason": ""}), ("house", "stop", "--reason", ""), "reason-needed"),
    (("POST", "/house/stop", {"reason": "x", "book": "midi"}), ("house", "stop", "midi", "--reason", "x"), "no-book"),
    (("POST", "/house/start", {"book": "ez"}), ("house", "start", "ez"), "not-stopped"),
    (cash("buy-in", "Nobody", 100), ("account", "buy-in", "Nobody", "1"), "no-account"),
    (cash("cash-out", "Lee", 50_000), ("account", "cash-out", "Lee", "500"), "not-enough-funds"),
    (cash("cash-out", "Cas", 100), ("account", "cash-out", "Cas", "1", "--as", "Cas:cashier"), "own-account"),
)
"""What is sent, what is typed, and the reason of the refusal."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A floor whose file the command line may open too."""
    database = str(tmp_path_factory.mktemp("house") / "house.db")
    with running_floor(database) as floor:
        yield floor, database


@pytest.mark.parametrize(("sent", "typed", "reason"), ACTS, ids=lambda part: part if isinstance(part, str) else "")
def test_the_same_act_is_refused_in_the_same_words(
    house: tuple[RunningFloor, str],
    monkeypatch: pytest.MonkeyPatch,
    sent: tuple[str, str, dict[str, Any]],
    typed: tuple[str, ...],
    reason: str,
) -> None:
    floor, database = house
    method, path, body = sent
    client = floor.client("Cas" if path.startswith("/cashier") else "Ada").http
    answer = client.request(method, path, json=body or None)
    refusal = answer.json()["refusal"]
    assert refusal["reason"] == reason
    monkeypatch.setattr(sys, "stdin", io.StringIO("short\n"))
    done = call(*typed, "--database", database)
    assert (done.status, done.out) == (2, "")
    told = done.err.removeprefix("punto: ").removesuffix("\n")
    hint = told.removeprefix(refusal["sentence"])
    assert hint != told, (told, refusal["sentence"])
    assert hint in ("", "; punto account list shows all", "; punto people password Lee gives a new password")


def test_the_last_administrator_stays_for_both(house: tuple[RunningFloor, str]) -> None:
    floor, database = house
    ada = floor.client("Ada").http
    assert ada.put("/people/Eve/roles", json={"roles": []}).status_code == 200
    assert call("people", "roles", "Eve", "administrator", "--database", database).status == 0
    floor.app_state.sessions.forget("Eve")
    eve = floor.client("Eve").http
    assert call("people", "roles", "Ada", "--none", "--database", database).status == 0
    typed = call("people", "roles", "Eve", "player", "--database", database)
    assert typed.err == "punto: Eve is the last administrator: name another one first\n"
    assert call("people", "roles", "Ada", "administrator", "--database", database).status == 0
    # Over HTTP nobody reaches the last one but themselves, or at the same moment as somebody else.
    own = eve.put("/people/Eve/roles", json={"roles": []}).json()["refusal"]
    assert own["sentence"] == "you cannot change your own roles"
