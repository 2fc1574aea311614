"""Stored tables from the command line: from nothing to a settled round, and every way to go wrong."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.called import Answer, answer, call, refusal

BEGIN = """\
Ann as dealer: load the shoe
Ann as dealer: burn
Ann as dealer: place your bets
Lee: sit 3
Lee key k1: bet 3 banker 100
> bet 3 Lee banker 100.00
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_KEY", "PUNTO_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def opened() -> None:
    """A table, and a player with money."""
    answer("table", "new", "t1", "ez", "house")
    answer("account", "new", "Lee", "--display", "Lee W.", "--contact", "lee@example.org")
    answer("account", "buy-in", "Lee", "1000")


@pytest.fixture
def betting(opened: None, tmp_path: Path) -> None:  # noqa: ARG001
    """The same with a bet on the layout."""
    (tmp_path / "begin.punto").write_text(BEGIN, encoding="utf-8")
    answer("table", "run", "t1", "begin.punto")


def given(monkeypatch: pytest.MonkeyPatch, text: str, *options: str) -> Answer:
    """Lines given to t1 by stdin."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return call("table", "run", "t1", "-", *options)


def json_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_before_there_is_anything() -> None:
    assert "there are no tables yet" in answer("table", "list").out
    assert "there are no accounts yet" in answer("account", "list").out
    assert answer("table", "list", "--json").json == answer("account", "list", "--json").json == []
    assert "there is no database at" in refusal("table", "show", "t1")
    assert "there is no database at" in refusal("account", "buy-in", "Lee", "5")
    assert not list(Path().rglob("*.db")), "looking makes nothing"


def test_a_new_table_answers_as_agreed() -> None:
    made = answer("table", "new", "t1", "ez", "house", "minimum=25", "--json").json
    assert made == {"table": "t1", "version": 1, "digest": answer("rules", "ez", "--digest").out.strip()}
    assert "there is already a table t1" in refusal("table", "new", "t1", "ez", "house")
    assert answer("table", "show", "t1", "--json").json["terms"]["minimum"] == 2500


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("T1", "ez", "house"), "cannot be the id of a table"),
        (("t" * 41, "ez", "house"), "cannot be the id of a table"),
        (("t1", "ezz", "house"), "there is no book ezz (did you mean ez?)"),
        (("t1", "ez", "bean-7"), "the layouts are house"),
        (("t1", "ez", "house", "minimun=5"), "'minimun' is not a term (did you mean minimum?)"),
        (("t1", "ez", "house", "minimum"), "write TERM=VALUE"),
        (("t1", "ez", "house", "decks=3"), "the book allows"),
        (("t1", "ez", "house", "--as", "Ann"), "a name, a colon and a role"),
        (("t1", "ez", "house", "--as", "Ann:deeler"), "is not a role (did you mean dealer?)"),
        (("t1", "ez", "house", "--as", "Ann:dealer"), "may not give the command open-table"),
    ],
)
def test_a_table_that_cannot_be(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal("table", "new", *arguments)
    assert answer("table", "list", "--json").json == []


@pytest.mark.usefixtures("opened")
def test_lines_are_given_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = json_lines(given(monkeypatch, BEGIN, "--json").out)
    assert [line["seq"] for line in told] == [2, 3, 4, 5, 6]
    assert [line["event"]["type"] for line in told][-1] == "bet-placed"
    repeated = given(monkeypatch, "Lee key k1: bet 3 banker 100\n", "--json")
    assert json_lines(repeated.out)[0]["seq"] == 6, "a repeat has the first answer"
    assert json_lines(given(monkeypatch, "Lee key k1: bet 3 tie 5\n", "--json").out)[0]["refusal"]["reason"] == (
        "key-reused"
    )
    log = json_lines(answer("table", "log", "t1").out)
    assert [record["seq"] for record in log] == list(range(1, 7))
    assert set(log[0]) == {"table", "seq", "v", "key", "event"}
    assert log[5]["key"] == "k1"
    assert json_lines(answer("table", "log", "t1", "--after", "5").out) == log[5:]


@pytest.mark.usefixtures("betting")
def test_a_person_of_the_option_gives_lines_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = given(monkeypatch, "deal  # the first card\n\ndeal\n", "--as", "Ann:dealer", "--json")
    assert [line["event"]["type"] for line in json_lines(dealt.out)] == ["bets-closed", "card-dealt", "card-dealt"]
    refused = json_lines(given(monkeypatch, "KS\n", "--as", "Ann:dealer", "--json").out)
    assert refused[0]["refusal"]["reason"] == "card-named"


@pytest.mark.usefixtures("opened")
def test_an_expectation_that_is_not_met(monkeypatch: pytest.MonkeyPatch) -> None:
    done = given(monkeypatch, "Lee: sit 3\n> seated 4 Lee\n")
    assert done.status == 1
    assert "line 2: expected" in done.err


@pytest.mark.usefixtures("opened")
def test_lines_that_cannot_be_read_are_not_given_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    done = given(monkeypatch, "Lee: sit 3\nLee: sitt 4\n")
    assert (done.status, done.out) == (2, "")
    assert "line 2" in done.err
    assert answer("table", "show", "t1", "--json").json["version"] == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Lee: sit 3\n")))
    assert "there is no table t2" in refusal("table", "run", "t2", "-")


@pytest.mark.usefixtures("betting")
def test_a_table_is_shown_to_people_and_programs() -> None:
    shown = answer("table", "show", "t1").out
    for words in ("bets are open, round 1", "3 Lee", "Banker", "drop", "hold", "voids"):
        assert words in shown
    assert "not open yet" in answer("table", "show", "t1", "--at", "0").out
    assert answer("table", "show", "t1", "--json").json["results"]["drop"] == "100.00"
    later = answer("table", "show", "t1", "--from", "2999-01-01T00:00", "--json").json
    assert later["results"]["drop"] == "0.00"
    assert "--at must be from 0 to 6" in refusal("table", "show", "t1", "--at", "7")
    assert "--from takes a time" in refusal("table", "show", "t1", "--from", "yesterday")
    assert "there is no table t11 (did you mean t1?)" in refusal("table", "show", "t11")


@pytest.mark.usefixtures("betting")
@pytest.mark.gli("2.5.7")
def test_a_statement_has_every_movement_with_the_balance() -> None:
    lines = answer("account", "statement", "Lee", "--json").json["lines"]
    assert [(line["kind"], line["amount"], line["balance"]) for line in lines] == [
        ("buy-in", "1000.00", "1000.00"),
        ("bet", "-100.00", "900.00"),
    ]
    assert lines[1]["round"] == 1
    shown = answer("account", "statement", "Lee").out
    assert "bet, t1/1, box 3, banker" in shown
    assert "-100" in shown


@pytest.mark.usefixtures("betting")
def test_the_desk() -> None:
    assert answer("account", "cash-out", "Lee", "400", "--json").json["free"] == "500.00"
    assert "this takes 501, and 500 is free" in refusal("account", "cash-out", "Lee", "501")
    assert "there is no account Leo (did you mean Lee?)" in refusal("account", "cash-out", "Leo", "1")
    corrected = ("account", "correct", "Lee", "-50", "--with", "Sue:pit-manager")
    assert "give a reason" in refusal(*corrected)
    assert answer(*corrected, "--reason", "paid twice", "--json").json["free"] == "450.00"
    assert "needs a second person" in refusal(*corrected[:4], "--reason", "x")
    assert "two decimals" in refusal("account", "buy-in", "Lee", "ten")
    assert "is not a currency" in refusal("account", "new", "Kim", "--currency", "dollars")
    assert "cannot be a name" in refusal("account", "new", "Kim\n")
    assert "Lee already has an account" in refusal("account", "new", "Lee")


@pytest.mark.usefixtures("betting")
def test_what_holds_for_a_player_is_shown_with_the_account() -> None:
    assert answer("account", "show", "Lee", "--json").json["limits"] == []
    answer("account", "limits", "Lee", "stake/day=250", "time/day=60", "--reason", "asked for it")
    shown = answer("account", "show", "Lee", "--json").json
    assert shown["exclusion"] is None
    limits = [{**limit, "used": None if limit["what"] == "time" else limit["used"]} for limit in shown["limits"]]
    place = {"period": "day", "by": "house"}
    stake, time = {**place, "what": "stake", "amount": "250.00", "used": "100.00"}, {**place, "what": "time"}
    assert limits == [stake, {**time, "amount": 60, "used": None}]
    answer("account", "exclude", "Lee", "--reason", "asked for it")
    assert answer("account", "show", "Lee", "--json").json["exclusion"]["reason"] == "asked for it"
    lines = [" ".join(line.split()) for line in answer("account", "show", "Lee").out.splitlines()]
    assert "excluded for ever, by the house: asked for it" in lines
    assert "limit, stake by day 100 of 250 used; set by the house" in lines


@pytest.mark.usefixtures("opened")
def test_a_person_can_be_erased() -> None:
    assert "Lee W." in answer("account", "show", "Lee").out
    assert answer("account", "erase", "Lee", "--json").json == {"account": "Lee", "erased": True}
    shown = answer("account", "show", "Lee", "--json").json
    assert (shown["display"], shown["contact"], shown["free"]) == (None, None, "1000.00")
    assert "there was nothing to erase" in answer("account", "erase", "Lee").out


@pytest.mark.usefixtures("betting")
def test_export_import_and_run_lead_to_the_same_table() -> None:
    answer("table", "export", "t1", "-o", "t1.jsonl")
    assert answer("table", "export", "t1").out.encode() == Path("t1.jsonl").read_bytes()
    seen = answer("table", "import", "t1.jsonl", "--as-table", "seen", "--json").json
    assert seen == {"table": "seen", "version": 6, "imported": True}
    shown = [answer("table", "show", id, "--json").json for id in ("t1", "seen")]
    assert shown[0]["hash"] == shown[1]["hash"]
    assert "it cannot go on" in answer("table", "show", "seen").out
    assert "has no commands" in refusal("table", "export", "seen", "-o", "seen.punto")
    answer("table", "export", "t1", "-o", "t1.punto")
    assert answer("run", "t1.punto").out
    Path("bad.jsonl").write_text(Path("t1.jsonl").read_text().replace('"amount":10000', '"amount":20000'))
    assert "it was changed" in refusal("table", "import", "bad.jsonl", "--as-table", "bad")
    assert "cannot be read" in refusal("table", "import", "none.jsonl", "--as-table", "bad")


def test_a_table_by_a_book_of_ones_own_keeps_it(tmp_path: Path) -> None:
    answer("new", "mine.toml")
    answer("table", "new", "t1", "mine.toml", "bean-7")
    name = answer("table", "show", "t1", "--json").json["book"]
    (tmp_path / "mine.toml").unlink()
    assert answer("table", "show", "t1", "--json").json["book"] == name
    answer("table", "export", "t1", "-o", "out.punto")
    assert (tmp_path / "out.toml").exists()
    assert answer("run", "out.punto").out


@pytest.mark.usefixtures("betting")
@pytest.mark.gli("2.8.1")
def test_a_backup_moves_everything() -> None:
    answer("backup", "all.db")
    assert "already there" in refusal("backup", "all.db")
    assert "is not empty" in refusal("restore", "all.db")
    answer("restore", "all.db", "--database", "again.db")
    assert answer("table", "list", "--database", "again.db", "--json").json == answer("table", "list", "--json").json
    assert answer("account", "show", "Lee", "--database", "again.db", "--json").json["free"] == "900.00"
    assert "there is no backup at" in refusal("restore", "none.db", "--database", "x.db")


@pytest.mark.usefixtures("betting")
def test_without_the_key_the_shoe_can_only_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_KEY", "11" * 32)
    refused = json_lines(given(monkeypatch, "deal\n", "--as", "Ann:dealer", "--json").out)[0]["refusal"]
    assert refused["reason"] == "seed-locked"
    assert "replace the cards" in refused["sentence"]
    monkeypatch.setenv("PUNTO_KEY", "short")
    assert "64 hexadecimal digits" in given(monkeypatch, "deal\n", "--as", "Ann:dealer").out


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("mysql://host/x", "is not a kind of database"),
        ("", "is not the address of a database"),
        ("none.db", "there is no database at none.db"),
        ("nowhere/none.db", "there is no folder"),
        ("text.db", "is not a database"),
        ("other.db", "is a database of something else"),
        ("postgresql://127.0.0.1:1/x", "no connection to postgresql://127.0.0.1:1/x"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_sentence(database: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to look like one " * 20)
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE mine (x)")
    other.close()
    assert words in refusal("table", "list", "--database", database)


@pytest.mark.usefixtures("opened")
def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTO_DATABASE", str(Path("other.db").absolute()))
    answer("table", "new", "t2", "ez", "house")
    assert [table["table"] for table in answer("table", "list", "--json").json] == ["t2"]
