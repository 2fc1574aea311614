"""`punto people`: who may log in, and as what; passwords are shown once and kept as hashes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from punto.floor.password import is_password
from punto.store.store import open_store
from tests.cli.called import answer, call


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


def test_somebody_is_let_in_and_gets_other_roles(database: str) -> None:
    made = answer("people", "new", "Dan", "--role", "dealer", "--database", database, "--json").json
    assert (made["account"], made["roles"]) == ("Dan", ["dealer"])
    with open_store(database) as store, store.read() as reader:
        person = reader.person("Dan")
    assert person is not None and person.password is not None and made["password"] not in person.password
    assert is_password(person.password, made["password"])
    answer("people", "roles", "Dan", "pit-supervisor", "dealer", "--database", database)
    listed = json.loads(answer("people", "list", "--database", database, "--json").out)
    member = {"account": "Dan", "display": None, "currency": "USD", "can_log_in": True}
    member |= {"shut": None, "second_factor": False, "kind": "player"}
    assert listed == [{**member, "roles": ["dealer", "pit-supervisor"]}]
    shown = answer("people", "roles", "Dan", "--database", database)
    assert shown.out == "Dan has the roles dealer, pit-supervisor\n", "asking takes nothing away"
    assert answer("people", "roles", "Dan", "--database", database, "--json").json == {
        "account": "Dan",
        "roles": ["dealer", "pit-supervisor"],
    }
    assert "not both" in call("people", "roles", "Dan", "dealer", "--none", "--database", database).err
    assert "no longer has any roles" in answer("people", "roles", "Dan", "--none", "--database", database).out
    assert answer("people", "roles", "Dan", "--database", database).out == "Dan has no roles\n"
    listing = answer("people", "list", "--database", database).out
    assert "Dan" in listing and "none" in listing


def test_the_last_administrator_stays(database: str) -> None:
    answer("people", "new", "Ada", "--role", "administrator", "--database", database)
    answer("account", "new", "Eve", "--database", database)
    answer("people", "roles", "Eve", "administrator", "--database", database)  # who cannot log in
    last = "punto: Ada is the last administrator: name another one first\n"
    for words in (
        ("people", "roles", "Ada", "player"),
        ("people", "roles", "Ada", "--none"),
        ("account", "erase", "Ada"),
    ):
        done = call(*words, "--database", database)
        assert (done.status, done.out, done.err) == (2, "", last)
    answer("people", "password", "Ada", "--database", database)
    listed = json.loads(answer("people", "list", "--database", database, "--json").out)
    assert ("Ada", ["administrator"], True) in [(one["account"], one["roles"], one["can_log_in"]) for one in listed]
    answer("people", "password", "Eve", "--database", database)
    answer("account", "erase", "Ada", "--database", database)


def test_who_is_let_in_keeps_what_they_had(database: str) -> None:
    answer("account", "new", "Lee", "--database", database)
    answer("people", "roles", "Lee", "cashier", "--database", database)
    made = answer("people", "new", "Lee", "--database", database, "--json").json
    assert made["roles"] == ["player", "cashier"]


def test_a_password_can_be_given_and_changed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a long password\n"))
    words = ("new", "Ada", "--role", "administrator", "--password-stdin")
    made = answer("people", *words, "--database", database)
    assert "a long password" not in made.out
    fresh = json.loads(answer("people", "password", "Ada", "--database", database, "--json").out)["password"]
    with open_store(database) as store, store.read() as reader:
        person = reader.person("Ada")
    assert person is not None and is_password(person.password, fresh)
    assert not is_password(person.password, "a long password")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new", "Amber"), "acts under the name"),
        (("new", "AMBER"), "acts under the name"),
        (("new", "kim"), "Kim already has an account"),
        (("new", "Ｋｉｍ"), "Kim already has an account"),
        (("new", "K im"), "Kim already has an account"),
        (("new", "Lee\u3164"), "has invisible characters"),
        (("new", ".."), "only dots"),
        (("new", "a/b"), "cannot be a name"),
        (("new", " Lee"), "cannot be a name"),
        (("new", "Lee", "--role", "deeler"), "did you mean dealer"),
        (("new", "Lee", "--currency", "usd"), "is not a currency"),
        (("roles", "Nobody", "dealer"), "there is no account Nobody"),
        (("password", "Nobody"), "there is no account Nobody"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(database: str, words: tuple[str, ...], told: str) -> None:
    answer("account", "new", "Kim", "--database", database)
    done = call("people", *words, "--database", database)
    assert done.status == 2 and done.out == ""
    assert told in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kim", "Kim already has an account"),
        ("amber", "acts under the name"),
        ("Lee\u2800", "has invisible characters"),
        ("a/b", "cannot be a name"),
    ],
)
def test_an_account_has_a_name_of_its_own(database: str, name: str, told: str) -> None:
    answer("account", "new", "Kim", "--database", database)
    done = call("account", "new", name, "--database", database)
    assert done.status == 2 and done.out == ""
    assert told in done.err and done.err.count("\n") == 1
    with open_store(database) as store, store.read() as reader:
        assert [account.handle for account in reader.accounts()] == ["Kim"]


def test_nobody_is_made_twice_and_an_account_is_kept(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer("account", "new", "Lee", "--currency", "HKD", "--display", "Lee W.", "--database", database)
    answer("people", "new", "Lee", "--database", database)
    with open_store(database) as store, store.read() as reader:
        account, person = reader.account("Lee"), reader.person("Lee")
    assert account is not None and account.currency == "HKD"
    assert person is not None and person.display == "Lee W."
    again = call("people", "new", "Lee", "--database", database).err
    assert "Lee already has an account; punto people password Lee gives a new password" in again
    monkeypatch.setattr(sys, "stdin", io.StringIO("short\n"))
    short = call("people", "password", "Lee", "--password-stdin", "--database", database)
    assert short.status == 2 and "8 to 200" in short.err
    assert "Nobody may log in yet" not in answer("people", "list", "--database", database).out


def test_the_records_name_the_login_of_whoever_was_at_the_command_line(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for login, words in (
        ("alice", ("people", "new", "Dan", "--role", "dealer")),
        ("bob", ("people", "password", "Dan")),
        ("carol", ("people", "roles", "Dan", "auditor")),
        ("dave", ("account", "erase", "Dan")),
    ):
        monkeypatch.setenv("LOGNAME", login)
        answer(*words, "--database", database)
    with open_store(database) as store, store.read() as reader:
        acts = [json.loads(body) for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
    told = [(act["code"], (act["who"] or "").removeprefix("the command line ")) for act in acts]
    assert told == [
        *(("account-opened", "(alice)"), ("password-set", "(alice)"), ("roles-changed", "(alice)")),
        *(("password-set", "(bob)"), ("roles-changed", "(carol)")),
        *(("person-erased", "(dave)"), ("person-erased", "(dave)")),
    ]
