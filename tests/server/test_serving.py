"""`punto serve` as a program: what it prints, who may log in, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.client import Client, Refused
from punto.rules.authority import ROLES_OF_PEOPLE
from punto.server.serving import listen
from punto.server.settings import Settings
from punto.store.backup import TABLES

PUNTO = (sys.executable, "-c", "from punto.cli.main import main; main()")
SERVE = (*PUNTO, "serve", "--port", "0", "--no-browser")


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """A server as a process, with what its first line says."""
    names = {name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    process = subprocess.Popen(
        [*SERVE, "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **names, **environment},
        cwd=folder,
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline() or "null")
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_floor_to_try(tmp_path: Path) -> None:
    with serving(tmp_path, "--database", "house.db", "--pace", "0.01") as (process, said):
        assert set(said) == {"url", "database", "logins", "entry"}
        assert [login["role"] for login in said["logins"]] == [role.value for role in ROLES_OF_PEOPLE]
        kept = tmp_path / "house.db.logins"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        by_role = {login["role"]: login for login in said["logins"]}
        address, _, code = said["entry"].partition("#")
        assert address == f"{said['url']}/enter", "the code stands where browsers send it to nobody"
        entries = [httpx.post(f"{said['url']}/api/v1/sessions/entry", json={"code": code}) for _ in range(2)]
        assert [entry.status_code for entry in entries] == [201, 401]
        assert (entries[0].json()["account"], entries[1].json()["refusal"]["reason"]) == ("player", "link-over")
        assert code.encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("house.db*"))
        with Client(said["url"]) as player:
            login = by_role["player"]
            assert not isinstance(player.log_in(login["name"], login["password"]), Refused)
            tables = player.tables()
            assert not isinstance(tables, Refused) and len(tables) == 6
            by_hand = [shown.table for shown in tables if shown.view["terms"]["source"] == "entered"]
            assert by_hand == ["by-hand"] and not any(t.view["dealer"] for t in tables if t.table in by_hand)
            down = [shown.table for shown in tables if shown.view["terms"]["faces"] == "down"]
            assert down == ["insurance"], "only its book has a squeeze"
            account = player.account()
            assert not isinstance(account, Refused) and account.free == 1_000_000
            stream = player.stream("ez")
            assert not isinstance(stream, Refused)
            with stream:
                while stream.next(60).get("event", {}).get("type") != "round-settled":
                    pass
                process.send_signal(signal.SIGTERM)
                assert process.wait(60) == 0
    with closing(sqlite3.connect(tmp_path / "house.db")) as stored:
        assert stored.execute("SELECT refusal FROM commands WHERE refusal LIKE '%no-account%'").fetchall() == []
    with serving(tmp_path, "--database", "house.db") as (process, again):
        assert again["logins"] == said["logins"]
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


@pytest.mark.slow
def test_elsewhere_an_administrator_comes_first(tmp_path: Path) -> None:
    from tests.cli.called import call

    for options in (("--host", "0.0.0.0"), ("--no-demonstration",)):
        with serving(tmp_path, "--database", "house.db", *options) as (process, said):
            assert said is None and process.wait(60) == 2
            assert process.stderr is not None
            sentence = process.stderr.read()
            assert sentence.startswith("punto: nobody could log in") and sentence.count("\n") == 1
    database = str(tmp_path / "house.db")
    new = call("people", "new", "Ada", "--role", "administrator", "--database", database, "--json")
    made = json.loads(new.out)
    with serving(tmp_path, "--database", "house.db", "--no-demonstration") as (_, said), Client(said["url"]) as ada:
        assert said["logins"] == []
        assert not isinstance(ada.log_in("Ada", made["password"]), Refused)
        assert ada.http.get("/people").status_code == 200
        assert ada.http.get("/tables").json() == {"tables": []}


@pytest.mark.slow
def test_a_demonstration_that_is_served_elsewhere_has_lost_its_log_ins(tmp_path: Path) -> None:
    from tests.cli.called import answer

    with serving(tmp_path, "--database", "house.db") as (_, said):
        logins = said["logins"]
        with Client(said["url"]) as admin:
            admin.log_in("admin", next(login["password"] for login in logins if login["name"] == "admin"))
            token = admin.http.headers["authorization"]
    with serving(tmp_path, "--database", "house.db", "--hosts", "floor.example") as (process, said):
        assert said is None and process.wait(20) == 2
        assert process.stderr is not None
        assert "--role administrator --database house.db" in process.stderr.read()
    with serving(tmp_path, "--database", "house.db") as (_, said):
        assert said["logins"] == logins, "nothing was changed where it was refused"
    database = str(tmp_path / "house.db")
    made = answer("people", "new", "Ada", "--role", "administrator", "--database", database, "--json").json
    with serving(tmp_path, "--database", "house.db", "--no-demonstration") as (_, said):
        with Client(said["url"]) as ada:
            assert not isinstance(ada.log_in("Ada", made["password"]), Refused)
            people = {person["account"]: person["roles"] for person in ada.http.get("/people").json()["people"]}
            assert {name for name, roles in people.items() if roles} == {"Ada"}
            assert len(ada.http.get("/tables").json()["tables"]) == 6
        with Client(said["url"]) as other:
            assert all(isinstance(other.log_in(each["name"], each["password"]), Refused) for each in logins)
            assert other.http.get("/people", headers={"authorization": token}).status_code == 401
    with serving(tmp_path, "--database", "house.db") as (_, said), Client(said["url"]) as ada:
        assert said["logins"] == [], "it is a house now, and stays one"
        assert not isinstance(ada.log_in("Ada", made["password"]), Refused)
    with serving(tmp_path, "--database", "house.db", "--demonstration") as (process, said):
        assert said is None and process.wait(60) == 2
        assert process.stderr is not None and "house.db is a house" in process.stderr.read()


def content(path: Path) -> dict[str, list[Any]]:
    """Every row of a database, but for what servers write down of themselves at the end of the chain of the house."""
    with closing(sqlite3.connect(path)) as stored:
        rows = {table: sorted(stored.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}
    rows["house_events"] = [row for row in rows["house_events"] if json.loads(row[1])["code"] not in OF_SERVERS]
    rows["chains"] = [row for row in rows["chains"] if row[0] != "house"]
    return rows


OF_SERVERS = ("server-started", "server-stopped", "integrity-checked", "events-begun")


@pytest.mark.slow
def test_a_house_that_exists_is_never_touched(tmp_path: Path) -> None:
    """Also where its people and tables have the names of a demonstration."""
    from tests.cli.called import answer

    path = tmp_path / "house.db"
    database = ("--database", str(path))
    roles = {"admin": "administrator", "cashier": "pit-manager", "dealer": "dealer"}
    made = {
        name: answer("people", "new", name, "--role", role, *database, "--json").json["password"]
        for name, role in roles.items()
    }
    answer("account", "new", "player", *database)
    answer("account", "buy-in", "player", "12.50", *database)
    answer("table", "new", "ez", "ez", "house", *database)
    before = content(path)
    with serving(tmp_path, *database) as (process, said):
        assert set(said) == {"url", "database", "logins", "entry"} and said["logins"] == []
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert content(path) == before and not path.with_name("house.db.logins").exists()
    with serving(tmp_path, *database, "--no-demonstration") as (_, said), Client(said["url"]) as client:
        for name, password in made.items():
            found = client.log_in(name, password)
            assert not isinstance(found, Refused) and [role.value for role in found.roles] == [roles[name]]
    after = content(path)
    changing = ("sessions", "known_addresses")
    assert {t: rows for t, rows in after.items() if t not in changing} == {
        t: rows for t, rows in before.items() if t not in changing
    }


@pytest.mark.slow
def test_a_house_without_people_is_told_what_to_type(tmp_path: Path) -> None:
    from tests.cli.called import answer

    path = tmp_path / "house.db"
    answer("table", "new", "t1", "ez", "house", "--database", str(path))
    before = content(path)
    process = subprocess.Popen(
        [*SERVE, "--database", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    lines: list[str] = []
    while not lines or not lines[-1].startswith("Ctrl-C"):
        lines.append(process.stdout.readline())
        assert lines[-1], "it says how to stop it"
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    process.communicate()
    said = "".join(lines)
    assert f"punto people new NAME --role administrator --database {path}" in said
    assert "punto serve --database FILE" in said and "password" not in said
    assert content(path) == before


@pytest.mark.slow
def test_a_file_has_one_server(tmp_path: Path) -> None:
    """A server that was killed leaves nothing behind that stands in the way."""
    from tests.cli.called import answer

    database = str(tmp_path / "house.db")
    answer("people", "new", "Ada", "--role", "administrator", "--database", database)
    named = ("--database", database, "--no-demonstration")
    with serving(tmp_path, *named) as (first, said):
        with serving(tmp_path, *named) as (second, nothing):
            assert nothing is None and second.wait(60) == 2
            assert second.stderr is not None
            sentence = second.stderr.read()
            assert f"is in use by punto serve at {said['url']}" in sentence and sentence.count("\n") == 1
        assert httpx.get(f"{said['url']}/ready").status_code == 200
        first.kill()
        first.wait(60)
        with serving(tmp_path, *named) as (third, again):
            assert httpx.get(f"{again['url']}/ready").status_code == 200
            third.send_signal(signal.SIGTERM)
            assert third.wait(60) == 0


def test_wrong_books_are_found_before_anything_is_made(tmp_path: Path) -> None:
    from tests.cli.called import answer, call, refusal

    mine, other, wrong = (tmp_path / f"{name}.toml" for name in ("mine", "other", "wrong"))
    answer("new", str(mine), "--from", "ez")
    other.write_text(mine.read_text())
    wrong.write_text('name = "wrong"\n')
    database = ("--no-browser", "--database", str(tmp_path / "h.db"))
    for demonstration in ("--demonstration", "--no-demonstration"):
        assert "there is no file" in refusal("serve", demonstration, "--books", "no.toml", *database)
        twice = refusal("serve", demonstration, "--books", str(mine), "--books", str(other), *database)
        assert twice.startswith(f"punto: books: {other} has the name mine, like {mine}")
        listed = call("serve", demonstration, "--books", str(wrong), *database)
        assert (listed.status, listed.out) == (2, "")
        lines = listed.err.splitlines()
        assert len(lines) > 3 and all(line.startswith(f"{wrong}: ") for line in lines)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "other.toml", "wrong.toml"]


def test_another_database_needs_no_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.cli.called import refusal

    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    assert "cannot be written" in refusal("serve", "--no-browser", "--port", "0")
    wrong = ("--no-demonstration", "--database", str(tmp_path / "h.db"))
    assert "nobody could log in" in refusal("serve", "--no-browser", "--port", "0", *wrong)


def test_a_wrong_setting_ends_it_with_one_sentence(tmp_path: Path) -> None:
    from tests.cli.called import call

    wrong = (("--port", "70000"), ("--config", "none.toml"), ("--host", "256.1.1.1"), ("--books", "no.toml"))
    for options in wrong:
        done = call("serve", "--no-browser", "--database", str(tmp_path / "h.db"), *options)
        assert done.status == 2 and done.out == ""
        assert done.err.startswith("punto: ") and done.err.count("\n") == 1


@pytest.mark.slow
def test_the_log_tells_of_requests_and_of_no_secret(tmp_path: Path) -> None:
    with serving(tmp_path, "--database", "house.db", PUNTO_LOG="info") as (process, said):
        login = said["logins"][0]
        with Client(said["url"]) as player:
            player.log_in(login["name"], login["password"])
            ticket = player.ticket()
            assert player.session is not None and not isinstance(ticket, Refused)
            token = player.session.token
        process.send_signal(signal.SIGTERM)
        _, logged = process.communicate(timeout=60)
    lines = [json.loads(line) for line in logged.splitlines()]
    assert {"POST"} <= {line.get("method") for line in lines}
    assert any(line.get("route") == "/sessions" and line.get("status") == 201 for line in lines)
    for secret in (login["password"], token, ticket.ticket):
        assert secret not in logged


def test_small_answers_are_sent_at_once_with_any_loop() -> None:
    """Otherwise each would wait 40 ms for a receipt of its head; asyncio goes by what the socket says."""
    with listen(Settings(database="house.db", port=0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_as_many_files_may_be_open_as_the_system_allows() -> None:
    code = (
        "import resource as r; from punto.server.serving import allow_open_files; "
        "r.setrlimit(r.RLIMIT_NOFILE, (100, 300)); allow_open_files(); print(r.getrlimit(r.RLIMIT_NOFILE))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "(300, 300)"


def test_other_commands_do_not_load_the_server() -> None:
    code = "import sys; from punto.cli.main import run; run(['books']); print(sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("uvicorn", "argon2", "httpx", "websockets", "punto.server"):
        assert f"'{heavy}'" not in shown


@pytest.mark.slow
def test_a_server_that_drains_says_so_first_and_still_answers(tmp_path: Path) -> None:
    """`/ready` turns, requests are answered and end their connection; a second signal ends it at once, as an end of
    the time does.
    """
    options = ("--database", "house.db", "--drain-seconds", "600", "--metrics-port", "0")
    with serving(tmp_path, *options) as (process, said), httpx.Client(base_url=said["url"]) as client:
        metrics = f"http://127.0.0.1:{said['metrics_port']}/metrics"
        assert client.get("/ready").status_code == 200
        assert "punto_ready 1.0" in httpx.get(metrics).text
        with socket.create_connection(("127.0.0.1", int(said["url"].rpartition(":")[2]))) as held:
            process.send_signal(signal.SIGTERM)
            while client.get("/ready").status_code == 200:
                pass
            answer = client.get("/health")
            assert answer.status_code == 200 and answer.headers["connection"] == "close"
            assert "punto_ready 0.0" in httpx.get(metrics).text
            held.sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert held.recv(12) == b"HTTP/1.1 200", "who was connected is answered"
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
