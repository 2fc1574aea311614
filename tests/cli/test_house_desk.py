"""The same command line on a database, on a database that a running server has, and through a server: every sub-command
of `punto people`, `account`, `table` and `house` says the same three times, and is refused in the same words.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from punto.audit.house_report import ReportKind
from punto.cli import served_house
from punto.cli.commands import SUBCOMMANDS
from punto.client import Client
from punto.floor import orders
from punto.floor.errand import IssueErrand, RevokeErrand, RulesErrand, StartErrand, StopErrand
from punto.rules.authority import ROLES_OF_PEOPLE, Role
from punto.store.server_lock import LockHolder
from tests.cli.called import Answer, call, refusal
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor
from tests.server.served import ServedFloor

PEOPLE: dict[str, tuple[Role, ...]] = {"All": ROLES_OF_PEOPLE, "Kim": (Role.PLAYER,), "Cas": (Role.CASHIER,)}
ROUND = """\
All as dealer: load the shoe
All as dealer: burn 4h
All as dealer: place your bets
All as dealer: no more bets
All as dealer: deal 6d
All as dealer: deal 2c
All as dealer: deal kh
All as dealer: deal 5s
All as dealer: settle
All as dealer: settle
"""
BY = ("--as", "All:cashier")
ACTS: tuple[tuple[str, ...], ...] = (
    ("people", "new", "Zoe", "--role", "dealer", "--password-stdin"),
    ("people", "new", "Zoe", "--password-stdin"),
    ("people", "new", "zoe", "--password-stdin"),
    ("people", "new", "a/b"),
    ("people", "new", "Amber"),
    ("people", "new", "Yan", "--currency", "usd"),
    ("people", "new", "Yan", "--role", "king"),
    ("people", "list"),
    ("people", "roles", "Zoe"),
    ("people", "roles", "Zoe", "player", "cashier"),
    ("people", "roles", "Zo"),
    ("people", "roles", "Zo", "player"),
    ("people", "roles", "Zoe", "--none"),
    ("people", "password", "Zoe", "--password-stdin"),
    ("people", "password", "Nobody", "--password-stdin"),
    ("people", "shut", "Zoe"),
    ("people", "shut", "Zoe", "--reason", "lost the badge"),
    ("people", "shut", "Zoe", "--reason", "again"),
    ("people", "open", "Zoe", "--reason", "found it"),
    ("people", "open", "Zoe", "--reason", "again"),
    ("people", "sessions", "Zoe"),
    ("people", "sessions", "Zoe", "--end"),
    ("people", "sessions", "Nobody"),
    ("people", "second-factor", "Zoe"),
    ("people", "second-factor", "Zoe", "--remove"),
    ("people", "second-factor", "Zoe", "--remove", "--reason", "x"),
    ("account", "new", "Tom", "--display", "Tom T.", "--contact", "tom@example.org", "--test"),
    ("account", "new", "tom"),
    ("account", "new", "Una", "--display", "x" * 201),
    ("account", "list"),
    ("account", "show", "Tom"),
    ("account", "show", "Tmo"),
    ("account", "buy-in", "Tom", "100", *BY),
    ("account", "buy-in", "Nobody", "1", *BY),
    ("account", "buy-in", "All", "1", *BY),
    ("account", "cash-out", "Tom", "500", *BY),
    ("account", "cash-out", "Tom", "25.50", *BY),
    ("account", "correct", "Nobody", "5", "--with", "Ida:pit-manager", "--reason", "x", *BY),
    ("account", "correct", "Tom", "5", "--with", "Ida:pit-manager", "--reason", "", *BY),
    ("account", "statement", "Tom"),
    ("account", "statement", "Zoe"),
    ("account", "statement", "Tmo"),
    ("account", "receipt", "1"),
    ("account", "receipt", "99"),
    ("account", "limits", "Tom"),
    ("account", "limits", "Tom", "loss/day=100", "time/day=60", "--reason", "asked for it"),
    ("account", "limits", "Tom"),
    ("account", "limits", "Nobody"),
    ("account", "exclude", "Tom", "--days", "3"),
    ("account", "exclude", "Tom", "--days", "3", "--reason", "asked for it"),
    ("account", "show", "Tom"),
    ("account", "buy-in", "Tom", "5", *BY),
    ("account", "readmit", "Tom", "--reason", "over"),
    ("account", "readmit", "Tom", "--reason", "over"),
    ("account", "erase", "Tom"),
    ("account", "erase", "Tom"),
    ("account", "erase", "Nobody"),
    ("table", "new", "t1", "ez", "house", "source=entered", "minimum=25", "--as", "All:pit-supervisor"),
    ("table", "new", "t1", "ez", "house", "--as", "All:pit-supervisor"),
    ("table", "new", "t2", "ez", "house", "minimum=0", "--as", "All:pit-supervisor"),
    ("table", "new", "T2", "ez", "house"),
    ("table", "new", "own", "own.toml", "house", "--as", "All:pit-supervisor"),
    ("table", "run", "t1", "round.punto"),
    ("table", "run", "nosuch", "round.punto"),
    ("table", "list"),
    ("table", "show", "t1"),
    ("table", "show", "t1", "--at", "3"),
    ("table", "show", "t1", "--at", "999"),
    ("table", "show", "own"),
    ("table", "log", "t1"),
    ("table", "log", "t1", "--after", "5"),
    ("house", "rules"),
    ("house", "rules", "dispute_days=3", "large_cash=5000", "--reason", "as agreed"),
    ("house", "rules", "dispute_days=soon"),
    ("house", "rules", "dispute-day=3"),
    ("house", "rules", "dispute_days=", "large_cash="),
    ("house", "stop", "ez", "--reason", "the shoe is looked at"),
    ("house", "stop", "nosuch", "--reason", "x"),
    ("house", "stop"),
    ("house", "start"),
    ("house", "stop", "--reason", "fire alarm"),
    ("house", "stop", "--reason", ""),
    ("house", "start"),
    ("house", "start", "ez"),
    ("house", "start", "ez"),
    ("house", "invitations"),
    ("house", "invite", "2", "--role", "king"),
    ("house", "invitations", "--withdraw", "nosuch"),
    ("house", "devices"),
    ("house", "devices", "--issue", "nosuch"),
    ("house", "devices", "--revoke", "nosuch"),
    ("house", "rack", "show", "t1"),
    ("house", "rack", "show", "nosuch"),
    ("house", "rack", "open", "t1", "100x20"),
    ("house", "shift", "show", "All"),
    ("house", "shift", "open", "All", "100x10"),
    ("house", "shift", "open", "All", "100x10"),
    ("house", "shift", "close", "All", "100x9"),
    ("house", "shift", "close", "All"),
    *(("house", "report", kind) for kind in ("cashier", "player")),
    ("house", "report", "floor", "--day", "2026-02-30"),
    ("house", "report", "table", "--table", "t1", "--rounds", "1-9"),
    ("house", "report", "table", "--table", "nosuch"),
    ("house", "close-day", "--day", "9999-01-01"),
)
ELSEWHERE = {
    *(("people", "second-factor", "--enrol"), ("account", "correct"), ("table", "export"), ("table", "import")),
    *(("house", "invite"), ("house", "rack"), ("house", "close-day")),
}
"""What differs, and has a test of its own below."""


class Place(NamedTuple):
    """Where a command line works, and what it needs for that."""

    options: tuple[str, ...]
    environment: dict[str, str]


class Places(NamedTuple):
    local: Place
    held: Place
    served: Place
    floor: RunningFloor
    server: ServedFloor


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    folder = tmp_path_factory.mktemp("places")
    local, held, served = (str(folder / name / "house.db") for name in ("local", "held", "served"))
    for database in (local, held, served):
        Path(database).parent.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PUNTO_KEY", (b"k" * 32).hex())  # as the floors that run in this process have it
        for database in (local, held):
            with running_floor(database, PEOPLE):
                pass
        with ServedFloor(Path(held).parent) as server, running_floor(served, PEOPLE) as floor:
            token = {"PUNTO_TOKEN": floor.client("All").session.token}  # type: ignore[union-attr]
            yield Places(
                Place(("--database", local), {}),
                Place(("--database", held), {}),
                Place(("--server", floor.url), token),
                floor,
                server,
            )


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "round.punto").write_text(ROUND, encoding="utf-8")
    source = (Path(served_house.__file__).parents[1] / "books" / "ez.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(source.replace('name = "ez"', 'name = "own"', 1), encoding="utf-8")


def typed(place: Place, monkeypatch: pytest.MonkeyPatch, *words: str, stdin: str = "a new password\n") -> Answer:
    with monkeypatch.context() as patch:
        for name, value in place.environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        return call(*words, *place.options)


MASKS = (
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d UTC", "DAY"),
    (r"\b\d\d-\d\d \d\d:\d\d\b", "DAY"),
    (r"DAY:\d\d", "DAY"),
    (r"\b1[6-9]\d{11}\b", "TIME"),
    (r"the command line \([^)]*\)", "OPERATOR"),
    (r'"hash": "[0-9a-f]{64}"', "HASH"),
    (r'"key":"[0-9a-f]{24}"', '"key":null'),  # every command of the API has one
)


def masked(text: str) -> str:
    """Without what is another in every run: times, and who types."""
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text


def told(place: Place, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    answer = typed(place, monkeypatch, *words)
    return answer.status, masked(answer.out), masked(answer.err)


def test_every_sub_command_says_the_same_three_times(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    done, refused = set(), 0
    for words in ACTS:
        local = told(places.local, monkeypatch, *words)
        assert "Traceback" not in local[2]
        assert told(places.held, monkeypatch, *words) == local, words
        assert told(places.served, monkeypatch, *words) == local, words
        if local[0] == 0:
            done.add(words[:2])
        refused += local[0] == 2
    everything = {(group, name) for group in ("people", "account", "table", "house") for name in SUBCOMMANDS[group]}
    assert everything - done == {place for place in ELSEWHERE if len(place) == 2}
    assert refused > 20
    in_json = (("people", "list"), ("account", "list"), ("account", "show", "Tom"), ("account", "statement", "Tom"))
    tables = (("table", "list"), ("table", "show", "t1"), ("table", "show", "own"), ("table", "log", "t1"))
    for words in (*in_json, *tables):
        local = told(places.local, monkeypatch, *words, "--json")
        assert local[0] == 0
        for place in (places.held, places.served):
            assert told(place, monkeypatch, *words, "--json") == local, words


def test_a_stop_has_a_reason_on_record_also_where_none_is_typed(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert typed(places.local, monkeypatch, "house", "stop", "--reason", "").status == 2
    answer = typed(places.local, monkeypatch, "house", "stop", "--json")
    assert [stop["reason"] for stop in json.loads(answer.out)["stops"]] == ["stopped at the command line"]
    assert typed(places.local, monkeypatch, "house", "start").status == 0


def test_a_correction_is_done_at_once_where_the_database_is_and_waits_at_a_server(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("account", "correct", "Kim", "5", "--with", "Ida:pit-manager", "--reason", "miscounted", *BY)
    local, held = (typed(place, monkeypatch, *words) for place in (places.local, places.held))
    assert (local.status, local.out.partition("; receipt")[0]) == (0, "Kim: correction +5; free now: USD 5")
    assert held.out.partition("; receipt")[0] == local.out.partition("; receipt")[0]
    waits = typed(places.served, monkeypatch, *words, "--json").json
    assert (waits["needs"], set(waits)) == ("pit-manager", {"approval", "needs", "expires"})
    assert typed(places.served, monkeypatch, "account", "show", "Kim", "--json").json["free"] == "0.00"


def test_invitations_and_keys_are_made_while_a_server_has_the_database(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (places.local, places.held, places.served):
        made = typed(place, monkeypatch, "house", "invite", "2", "--buy-in", "50", "--json").json["invitations"]
        assert len({each["code"] for each in made}) == 2
        assert {(each["state"], each["buy_in"]) for each in made} == {("open", "50.00")}
        gone = made[0]["invitation"]
        left = typed(place, monkeypatch, "house", "invitations", "--withdraw", gone, "--json").json["invitations"]
        states = {each["invitation"]: each["state"] for each in left}
        assert (states[gone], states[made[1]["invitation"]]) == ("withdrawn", "open")
        typed(place, monkeypatch, "table", "new", "t7", "ez", "house", "source=entered", "--as", "All:pit-supervisor")
        issued = typed(place, monkeypatch, "house", "devices", "--issue", "t7", "--name", "shoe-7", "--json").json
        assert issued["issued"]["name"] == "shoe-7" and issued["issued"]["key"]
        device = issued["issued"]["device"]
        revoked = typed(place, monkeypatch, "house", "devices", "--revoke", device, "--json").json["devices"]
        assert [each["revoked"] is not None for each in revoked] == [True]


def test_chips_are_counted_while_a_server_has_the_database(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (places.local, places.held, places.served):
        typed(place, monkeypatch, "table", "new", "t8", "ez", "house", "source=entered", "--as", "All:pit-supervisor")
    words = ("house", "rack", "open", "t8", "100x20", "--as", "All:dealer", "--with", "Cas:cashier", "--json")
    local, held, served = (typed(place, monkeypatch, *words) for place in places[:3])
    assert (local.json["amount"], local.json["second"]["name"]) == ("2000.00", "Cas")
    assert {**held.json, "time": 0} == {**local.json, "time": 0}
    assert set(served.json) == {"approval", "needs", "expires"}, "there it waits for the second person"
    shown = [typed(place, monkeypatch, "house", "rack", "show", "t8") for place in places[:3]]
    assert "2,000" in shown[0].out and masked(shown[1].out) == masked(shown[0].out)
    assert "no slip" in shown[2].err or shown[2].status == 2
    others = typed(places.served, monkeypatch, "house", "shift", "open", "Cas", "100x10")
    assert "everybody counts their own drawer: you are All, not Cas" in others.err


def test_a_day_is_closed_while_a_server_has_the_database(
    places: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("punto.floor.gaming_day.house_began", lambda _: 0)  # the house is old
    words = ("house", "close-day", "--day", "2020-01-02", "--json")
    for place in (places.local, places.held):
        folder = tmp_path / Path(place.options[1]).parent.name
        closed = typed(place, monkeypatch, *words, "-o", str(folder)).json
        assert closed["folder"] == str(folder / "2020-01-02")
        assert closed["closed_by"].startswith("the command line (")
        written = {path.name for path in (folder / "2020-01-02").iterdir()}
        assert set(closed["files"]) < written and "SHA256SUMS" in written
        again = typed(place, monkeypatch, *words, "-o", str(folder))
        assert again.status == 2 and "2020-01-02" in again.err
    refused = typed(places.served, monkeypatch, *words, "-o", str(tmp_path))
    assert "-o is for a database" in refused.err


def test_the_server_heeds_at_once_what_it_carried_out(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "LOOK_S", 3_600.0)  # by itself it looks in an hour
    app_state = places.floor.app_state
    monkeypatch.setattr(app_state, "command_line_key", "k" * 32)
    holder = LockHolder(os.getpid(), places.floor.url, "k" * 32)
    stops: Any = served_house.hand_over(holder, StopErrand(book=None, reason="fire alarm", by="me"))
    assert [stop.reason for stop in stops] == ["fire alarm"]
    assert app_state.orders().stops == stops
    assert served_house.hand_over(holder, StartErrand(book=None, reason="", by="me")) == ()
    assert app_state.orders().stops == ()
    rules = served_house.hand_over(holder, RulesErrand(rules={"dispute_days": 5}, reason="", by="me"))
    assert app_state.orders().rules == rules
    assert rules.dispute_days == 5
    table = "t9"
    typed(places.served, monkeypatch, "table", "new", table, "ez", "house", "--as", "All:pit-supervisor")
    made: Any = served_house.hand_over(holder, IssueErrand(table=table, called="shoe", by="me"))
    assert app_state.feeds.of(table) is not None
    served_house.hand_over(holder, RevokeErrand(device=made.device, by="me"))
    assert app_state.feeds.of(table) is None


def test_reports_have_the_same_figures_three_times(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ReportKind:
        asked = ("house", "report", kind.value, "--day", "2020-03-04", "--json")
        local, held, served = (typed(place, monkeypatch, *asked).json for place in places[:3])
        assert local["kind"] == kind.value
        for other in (held, served):
            assert {**other, "made": 0} == {**local, "made": 0}
        whole = [typed(place, monkeypatch, *asked[:3]).out for place in places[:3]]
        assert {text.splitlines()[0] for text in whole} == {local["title"]}


def test_what_cannot_go_through_a_server_says_why(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    exported = typed(places.served, monkeypatch, "table", "export", "t1")
    assert "an export has every card and every key" in exported.err
    assert "too long for a call" in typed(places.served, monkeypatch, "table", "import", "x", "--as-table", "y").err
    assert "a table can be imported when it has stopped" in (
        typed(places.held, monkeypatch, "table", "import", "round.punto", "--as-table", "y").err
    )
    others = typed(places.served, monkeypatch, "people", "second-factor", "Kim", "--enrol")
    assert "Kim alone can set up the second factor of Kim" in others.err
    name = ("account", "buy-in", "Kim", "5", "--as", "Cas:cashier")
    assert "everybody acts in their own name: you are All, not Cas" in typed(places.served, monkeypatch, *name).err
    enrolled = typed(places.held, monkeypatch, "people", "second-factor", "Kim", "--enrol", "--json")
    assert enrolled.json["account"] == "Kim"


def test_a_person_has_their_own_roles_there_and_no_others(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_PASSWORD", PASSWORD)
    at_cas = ("--server", places.floor.url.replace("://", "://Cas@"))
    assert refusal("people", "list", *at_cas) == "punto: your role must be administrator"
    assert call("account", "show", "Kim", *at_cas).status == 0
    assert "contact" not in call("account", "show", "Kim", "--json", *at_cas).json, "it is not for the cage"
    assert len(places.floor.client("All").http.get("/people/Cas/sessions").json()["sessions"]) == 0, "it logs out"
    monkeypatch.setenv("PUNTO_PASSWORD", "wrong")
    assert refusal("account", "show", "Kim", *at_cas).startswith("punto: ")


def test_what_lets_somebody_in_is_on_no_command_line(
    places: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = places.floor.url
    secret = refusal("people", "list", "--server", url.replace("://", "://All:secret@"))
    assert secret == (
        "punto: a password in an address can be read by others on this machine; set PUNTO_PASSWORD, or leave it out"
    )
    assert "punto: the name is missing; put it in the address" in refusal("people", "list", "--server", url)
    assert "the password of All is missing; set PUNTO_PASSWORD" in refusal(
        "people", "list", "--server", url.replace("://", "://All@")
    )
    (tmp_path / "password").write_text(f"{PASSWORD}\n", encoding="utf-8")
    monkeypatch.setenv("PUNTO_PASSWORD_FILE", str(tmp_path / "password"))
    assert call("people", "list", "--server", url.replace("://", "://All@")).status == 0
    monkeypatch.setenv("PUNTO_TOKEN_FILE", str(tmp_path / "nothing"))
    assert "PUNTO_TOKEN_FILE" in refusal("people", "list", "--server", url)
    monkeypatch.delenv("PUNTO_TOKEN_FILE")
    assert "without encryption; use https" in refusal("people", "list", "--server", "http://floor.example:8317")
    assert "is not the address of a server" in refusal("people", "list", "--server", "ftp://x")
    assert "does not answer" in refusal("people", "list", "--server", "http://All@127.0.0.1:9")


def test_only_whoever_can_read_the_key_beside_the_database_is_the_command_line(places: Places) -> None:
    lock = Path(places.held.options[1]).with_name("house.db.lock")
    assert lock.stat().st_mode & 0o777 == 0o600
    kept = json.loads(lock.read_bytes())
    assert kept["url"] == places.server.url
    errand = {"errand": json.dumps({"errand": "ShutErrand", "by": "me", "name": "Kim", "reason": "x"})}

    def sent(headers: dict[str, str], url: str = places.server.url) -> httpx.Response:
        return httpx.post(f"{url}/api/v1/command-line", json=errand, headers=headers)

    assert [
        sent(headers).status_code for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic"})
    ] == [*(401, 401, 401)]
    assert sent({"authorization": f"Bearer {kept['key']}"}, places.floor.url).status_code == 401, "of another server"
    assert sent({"authorization": "Bearer"}, places.floor.url).status_code == 401, "a server without a key has none"
    with Client(places.server.url) as client:
        session = client.log_in("All", PASSWORD)
        token: Any = getattr(session, "token", "")
        assert sent({"authorization": f"Bearer {token}"}).status_code == 401, "a session is not the command line"
    wrong = httpx.post(
        f"{places.server.url}/api/v1/command-line",
        json={"errand": json.dumps({"errand": "NoErrand"})},
        headers={"authorization": f"Bearer {kept['key']}"},
    )
    assert wrong.status_code == 400
    assert kept["key"] not in Path(os.fspath(lock.with_name("serve.log"))).read_text(encoding="utf-8")


def test_no_proxy_is_told_what_the_command_line_hands_over(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where the server is reached at another address of this machine, which nobody can know for one."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # where nobody listens
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setattr("punto.client.client.is_of_this_machine", lambda _: False)
    assert call("account", "new", "Proxima", *places.held.options).status == 0
