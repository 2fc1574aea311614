"""Looking back from the command line: a round, a search, exports and their replay, and bad input."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from punto.floor.dispute import Disputes
from punto.rules.authority import Role
from punto.store.record import Dispute
from punto.store.store import open_store
from tests.cli.called import answer, call, refusal

SESSION = """\
Ann as dealer: load the shoe
Ann as dealer: burn
Ann as dealer: place your bets
Lee: sit 3
Lee: bet 3 banker 100
Lee: bet 3 banker 1000000
Ann as dealer: deal
Ann as dealer: report seen=interruption
"""


@pytest.fixture(autouse=True)
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_KEY", "PUNTO_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    answer("table", "new", "t1", "ez", "house")
    answer("account", "new", "Lee")
    answer("account", "buy-in", "Lee", "1000")
    (tmp_path / "session.punto").write_text(SESSION, encoding="utf-8")
    answer("table", "run", "t1", "session.punto")


@pytest.mark.gli("2.8.2")
def test_a_round_for_people_and_for_programs() -> None:
    text = answer("audit", "round", "t1/1").out
    for heading in ("CARDS IN ORDER", "WHO BET WHAT", "WHAT WENT WRONG", "WHAT WAS REFUSED", "BALANCES"):
        assert heading in text
    record = answer("audit", "round", "t1/1", "--json").json
    assert (record["table"], record["round"], record["digest"]) == (
        "t1",
        1,
        answer("rules", "ez", "--digest").out.strip(),
    )
    assert [one["refusal"]["reason"] for one in record["refusals"]] == ["not-enough-funds"]
    assert record["balances"][0]["before"] == "1000.00" and record["balances"][0]["after"] == "900.00"
    assert "t1/1" in answer("audit", "round", "t1/1", "-o", "round.html").out
    assert "Who bet what, and when" in Path("round.html").read_text(encoding="utf-8")


def test_a_round_says_whether_its_records_are_as_they_were_stored() -> None:
    record = answer("audit", "round", "t1/1", "--json").json
    answer("table", "export", "t1", "-o", "whole.jsonl")
    replayed = answer("replay", "whole.jsonl", "--json").json
    assert {key: record[key] for key in ("same", "version", "hash")} == {
        key: replayed[key] for key in ("same", "version", "hash")
    }
    early = answer("audit", "round", "t1/1", "--at", str(record["first"]), "--json").json
    assert early["same"] and early["version"] == record["first"] and early["hash"] != record["hash"]
    path = next(Path().rglob("*.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE events SET body = replace(body, 'banker', 'player') WHERE body LIKE '%bet-placed%'")
        assert database.execute("SELECT changes()").fetchone() == (1,)
    changed = call("audit", "round", "t1/1", "--json")
    assert changed.status == 1 and not changed.json["same"]
    assert "are not as they were stored" in changed.err


def test_a_round_at_an_event() -> None:
    first = answer("audit", "round", "t1/1", "--json").json["first"]
    early = answer("audit", "round", "t1/1", "--at", str(first), "--json").json
    assert (early["felt"]["phase"], early["felt"]["stakes"], early["refusals"]) == ("betting", [], [])
    assert f"THE TABLE AFTER EVENT {first}" in answer("audit", "round", "t1/1", "--at", str(first)).out
    assert "--at 1 is not one of them" in refusal("audit", "round", "t1/1", "--at", "1")


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("t1/2", "table t1 has no round 2; its rounds are 1 to 1"),
        ("t1/0", "table t1 has no round 0"),
        ("t2/1", "there is no table t2"),
        ("t1", "'t1' is not a round; write the table, a slash and its number"),
        ("t1/x", "is not a round"),
        ("/1", "is not a round"),
        ("t1/١", "is not a round"),
    ],
)
def test_a_round_that_is_not_there(id: str, words: str) -> None:
    assert words in refusal("audit", "round", id)


def test_rounds_are_listed_and_found() -> None:
    assert "t1/1" in answer("audit", "rounds").out
    found = answer("audit", "rounds", "--irregularity", "interruption", "--player", "Lee", "--json").json
    assert [one["id"] for one in found] == ["t1/1"]
    assert found[0]["players"]["Lee"]["staked"] == "100.00"
    for options in (("--player", "Kim"), ("--irregularity", "void"), ("--amount-over", "100"), ("--to", "2020-01-01")):
        assert "no round matches" in answer("audit", "rounds", *options).out
    assert len(answer("audit", "rounds", "--amount-over", "99.99", "--json").json) == 1
    assert "did you mean void?" in refusal("audit", "rounds", "--irregularity", "viod")
    assert "--from takes a time" in refusal("audit", "rounds", "--from", "yesterday")
    assert "--amount-over" in refusal("audit", "rounds", "--amount-over", "much")
    assert "there is no table t9" in refusal("audit", "rounds", "--table", "t9")


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "punto"])
def test_an_export_replays_to_the_same_hash(ending: str) -> None:
    answer("table", "export", "t1", "-o", f"t1.{ending}")
    came = answer("replay", f"t1.{ending}", "--json").json
    head = answer("replay", f"t1.{ending}").out.split()[-1]
    assert (came["same"], came["version"], came["hash"]) == (True, 10, head)
    if ending != "punto":
        assert answer("table", "import", f"t1.{ending}", "--as-table", "seen").out
        assert "imported" in answer("audit", "round", "seen/1").out


def test_a_replay_that_differs_and_files_that_are_none() -> None:
    answer("table", "export", "t1", "-o", "t1.jsonl")
    text = Path("t1.jsonl").read_text(encoding="utf-8").replace('"amount":10000', '"amount":10100')
    Path("t1.jsonl").write_text(text, encoding="utf-8")
    told = call("replay", "t1.jsonl")
    assert told.status == 1 and "it comes to the state" in told.err
    assert call("replay", "t1.jsonl", "--json").json["same"] is False
    Path("broken.jsonl").write_text("{}\n", encoding="utf-8")
    assert "broken.jsonl cannot be replayed: line 1" in refusal("replay", "broken.jsonl")
    assert "there is no file none" in refusal("replay", "none")
    assert "'xml' is not a format" in refusal("table", "export", "t1", "--format", "xml")
    assert "name a file" in refusal("table", "export", "t1", "--format", "parquet")


def test_a_watch_of_the_floor_and_of_a_table() -> None:
    assert "Watch of t1" in answer("audit", "watch").out, "one table is a floor of one"
    found = answer("audit", "watch", "--table", "t1", "-o", "watch.html", "--json").json
    assert found["quiet"] is True and [one["table"] for one in found["tables"]] == ["t1"]
    assert "burn card" in [one["question"] for one in found["tables"][0]["questions"]]
    assert "Watch of t1" in Path("watch.html").read_text(encoding="utf-8")
    assert "--level must be between 0 and 1" in refusal("audit", "watch", "--level", "2")
    assert "there is no table t9" in refusal("audit", "watch", "--table", "t9")
    answer("table", "export", "t1", "-o", "t1.jsonl")
    answer("table", "import", "t1.jsonl", "--as-table", "copy")
    assert [one["table"] for one in answer("audit", "watch", "--json").json["tables"]] == ["t1"]
    answer("table", "new", "t2", "ez", "house")
    floor = answer("audit", "watch").out
    assert "Watch of the floor" in floor and "t1, t2 together" not in floor
    assert re.search(r"t2 +0 +0 +no rounds yet", floor) and "T2" not in floor
    answer("table", "run", "t2", "session.punto")
    assert "t1, t2 together" in answer("audit", "watch").out


def test_a_watch_where_nothing_was_played() -> None:
    nothing = "No round has been finished yet, so there is nothing to compare."
    answer("account", "new", "Lee", "--database", str(Path("new.db").absolute()))
    watching = ("audit", "watch", "--database", "new.db")
    assert "there are no tables yet" in answer(*watching).out
    assert answer(*watching, "--json").json == {"quiet": True, "level": 0.01, "tables": [], "together": []}
    answer("table", "new", "t1", "ez", "house", "--database", "new.db")
    assert answer(*watching).out.splitlines() == ["Watch of t1", nothing]
    assert answer(*watching, "-o", "w.html").out == f"w.html is written. {nothing}\n"
    answer("table", "new", "t2", "ez", "house", "--database", "new.db")
    assert answer(*watching).out.splitlines()[:2] == ["Watch of the floor", nothing]


@pytest.mark.gli("A.4.4")
def test_disputes_are_listed(tmp_path: Path) -> None:
    assert "no round is disputed" in answer("audit", "disputes").out
    database = str(tmp_path / "xdg_data_home" / "punto" / "house.db")
    with open_store(database) as store:
        disputes = Disputes(store, lambda: time.time_ns() // 1_000_000)
        raised = disputes.raise_dispute("t1", 1, "Lee", "I had 200")
        assert isinstance(raised, Dispute)
        assert [one["text"] for one in answer("audit", "disputes", "--open", "--json").json] == ["I had 200"]
        disputes.answer(raised, "it was 100", "Mia", (Role.PIT_MANAGER,))
    assert answer("audit", "disputes", "--open", "--json").json == []
    [told] = answer("audit", "disputes", "--table", "t1", "--player", "Lee", "--json").json
    assert (told["round"], told["answer"], told["answered_by"]) == (1, "it was 100", "Mia")
    assert answer("audit", "disputes", "--player", "Kim", "--json").json == []
    text = answer("audit", "disputes").out
    assert "t1/1" in text and "I had 200" in text and "Mia: it was 100" in text
    assert "DISPUTES" in answer("audit", "round", "t1/1").out
