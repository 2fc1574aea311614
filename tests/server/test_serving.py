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

import pytest

from punto.client import Client, Refused
from punto.rules.role import Role
from punto.server.serving import _listen
from punto.server.settings import Settings

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
        assert set(said) == {"url", "database", "logins"}
        assert [login["role"] for login in said["logins"]] == [role.value for role in Role]
        kept = tmp_path / "house.db.logins"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        by_role = {login["role"]: login for login in said["logins"]}
        with Client(said["url"]) as player:
            login = by_role["player"]
            assert not isinstance(player.log_in(login["name"], login["password"]), Refused)
            tables = player.tables()
            assert not isinstance(tables, Refused) and len(tables) == 5
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
        assert (
            stored.execute("SELECT refusal FROM commands WHERE refusal LIKE '%no-account%'").fetchall() == []
        )
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
    with (
        serving(tmp_path, "--database", "house.db", "--no-demonstration") as (_, said),
        Client(said["url"]) as ada,
    ):
        assert said["logins"] == []
        assert not isinstance(ada.log_in("Ada", made["password"]), Refused)
        assert ada.http.get("/people").status_code == 200
        assert ada.http.get("/tables").json() == {"tables": []}


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
    with _listen(Settings(database="house.db", port=0)) as listener:
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
    for heavy in ("litestar", "uvicorn", "argon2", "httpx", "websockets", "punto.server"):
        assert f"'{heavy}'" not in shown
