"""Anchors and verification from the command line: what comes out, and every way to go wrong."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.called import answer, call, refusal


@pytest.fixture(autouse=True)
def _house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table and a player with money, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_ANCHOR_KEY", "PUNTO_ANCHOR_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PUNTO_DATABASE", str(tmp_path / "house.db"))
    answer("table", "new", "t1", "ez", "house")
    answer("account", "new", "Lee")
    answer("account", "buy-in", "Lee", "1000")


def change(statement: str) -> None:
    with sqlite3.connect("house.db") as connection:
        assert connection.execute(statement).rowcount == 1
    connection.close()


def anchored() -> dict[str, object]:
    answer("audit", "anchor", "-o", "anchor.json")
    found: dict[str, object] = json.loads(Path("anchor.json").read_text(encoding="utf-8"))
    return found


def test_an_anchor_and_what_verification_says_of_it() -> None:
    anchor = anchored()
    assert list(anchor) == ["punto", "v", "time", "tables", "cashier", "house", "public_key", "signature", "software"]
    done = answer("audit", "verify", "--anchor", "anchor.json", "--json").json
    assert done == {
        "ok": True,
        "events": 1,
        "anchored": {"t1": 1},
        "last": {"t1": 1},
        "cashier": {"anchored": 1, "last": 1},
        "problems": [],
        "house": {"anchored": 2, "last": 2},
    }
    clean = answer("audit", "verify", "--anchor", "anchor.json").out
    assert "t1: last event 1, anchored at 1" in clean and "1 event in 1 table: no change found" in clean
    answer("table", "new", "t2", "ez", "house")
    answer("account", "buy-in", "Lee", "5")
    shown = answer("audit", "verify", "--anchor", "anchor.json").out
    assert "t2: last event 1, not in the anchor: unanchored" in shown
    assert "cashier: last movement 2, anchored at 1; 1 after that unanchored" in shown
    told = answer("audit", "anchor", "-o", "second.json", "--json").json
    assert told == {"file": "second.json", "tables": 2, "events": 2, "public_key": anchor["public_key"]}
    assert json.loads(answer("audit", "anchor").out)["tables"].keys() == {"t1", "t2"}


def test_a_change_is_status_1_and_named() -> None:
    anchored()
    change("UPDATE events SET body = replace(body, 'Pit', 'Pat') WHERE body LIKE '%Pit%' OR seq = 1")
    change("UPDATE events SET key = 'other'")
    done = call("audit", "verify", "--anchor", "anchor.json", "--json")
    assert (done.status, done.err) == (1, "")
    assert done.json["ok"] is False
    assert {(each["table"], each["seq"]) for each in done.json["problems"]} == {("t1", 1)}
    shown = call("audit", "verify")
    assert (shown.status, shown.err) == (1, "")
    assert "t1/1: the hash does not follow from the record and the one before it" in shown.out
    assert "1 event in 1 table: something was changed" in shown.out
    assert call("audit", "verify", "--table", "t1").status == 1


def test_an_event_that_is_missing_is_told_first_and_what_follows_in_short() -> None:
    lines = ["Ann as dealer: load the shoe", *["Lee: sit 3", "Lee: leave the seat"] * 20]
    Path("go-on.punto").write_text("\n".join(lines), encoding="utf-8")
    answer("table", "run", "t1", "go-on.punto")
    change("DELETE FROM events WHERE seq = 5")
    every = call("audit", "verify", "--json").json["problems"]
    kind: dict[str, object] = {"kind": "record-missing", "params": {}}
    words = every[0].pop("words")
    assert every[0] == {"table": "t1", "seq": 5, "problem": "the record is missing", **kind}
    assert (words["en"], words["zh_hans"]) == ("the record is missing", "缺少这项记录")
    assert {each["seq"] for each in every} == {5}, "from the next one on all is well"
    with sqlite3.connect("house.db") as connection:
        connection.execute("DELETE FROM events WHERE seq > 20")
    connection.close()
    every = call("audit", "verify", "--json").json["problems"]
    shown = call("audit", "verify").out.splitlines()
    assert shown[:2] == ["t1/5: the record is missing", "  what may follow from it:"]
    assert len(shown) < 15 < len(every)
    assert f"    the same at 21 to {max(each['seq'] for each in every)}" in shown


@pytest.mark.parametrize("seq", range(1, 43, 6))
def test_a_command_that_was_removed_is_named_by_its_event_alone(seq: int) -> None:
    lines = ["Ann as dealer: load the shoe", *["Lee: sit 3", "Lee: leave the seat"] * 20]
    Path("go-on.punto").write_text("\n".join(lines), encoding="utf-8")
    answer("table", "run", "t1", "go-on.punto")
    change(f"DELETE FROM commands WHERE first_seq = {seq}")
    problems = call("audit", "verify", "--json").json["problems"]
    assert {each["seq"] for each in problems} == {seq}


def test_money_that_came_from_nowhere() -> None:
    change("UPDATE balances SET amount = 7 WHERE account = 'player/Lee'")
    done = call("audit", "verify")
    assert done.status == 1
    assert "the balance of player/Lee is 0.07, and its postings sum to 1,000" in done.out


def test_a_table_that_was_removed() -> None:
    answer("table", "new", "t2", "ez", "house")
    anchored()
    with sqlite3.connect("house.db") as connection:
        for statement in ("events WHERE table_id", "commands WHERE table_id", "tables WHERE id"):
            connection.execute(f"DELETE FROM {statement} = 't2'")
    connection.close()
    assert call("audit", "verify").status == 1, "the house has written down that it was opened"
    done = call("audit", "verify", "--anchor", "anchor.json", "--json")
    assert done.status == 1
    assert {each["table"] for each in done.json["problems"]} == {"t2"}


@pytest.mark.gli("B.6.2")
def test_the_key_is_the_owners_alone() -> None:
    key = Path(os.environ["XDG_CONFIG_HOME"]) / "punto/anchor-key"
    assert not key.exists()
    anchored()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o644)
    assert "can be read by others" in refusal("audit", "anchor")
    assert "can be read by others" in refusal("audit", "verify", "--anchor", "anchor.json")


@pytest.mark.gli("B.6.2")
def test_keys_are_rotated(monkeypatch: pytest.MonkeyPatch) -> None:
    """An old anchor is checked with the old public key, which is kept, by its digits or in a file."""
    old = str(anchored()["public_key"])
    monkeypatch.setenv("PUNTO_ANCHOR_KEY", "12" * 32)
    assert f"is signed with the key {old}" in refusal("audit", "verify", "--anchor", "anchor.json")
    Path("old-key").write_text(f"{old}\n", encoding="ascii")
    for told in (old, old.upper(), "old-key"):
        answer("audit", "verify", "--anchor", "anchor.json", "--public-key", "34" * 32, "--public-key", told)
    Path("anchor.json").unlink()
    assert anchored()["public_key"] != old
    answer("audit", "verify", "--anchor", "anchor.json")
    Path("key-file").write_text("12" * 32, encoding="ascii")
    Path("key-file").chmod(0o600)
    monkeypatch.delenv("PUNTO_ANCHOR_KEY")
    monkeypatch.setenv("PUNTO_ANCHOR_KEY_FILE", "key-file")
    answer("audit", "verify", "--anchor", "anchor.json")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is not an anchor"),
        ("[]", "it is not an anchor"),
        ("[" * 100_000, "it is not an anchor"),
        ("\xff", "it is not an anchor"),
        ('{"punto":"export"}', "it is not an anchor"),
    ],
)
def test_a_file_that_is_not_an_anchor(content: str, words: str) -> None:
    anchored()
    Path("anchor.json").write_bytes(content.encode("latin-1"))
    assert words in refusal("audit", "verify", "--anchor", "anchor.json")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("time", 1, "its signature is wrong"),
        ("tables", {}, "its signature is wrong"),
        ("signature", "00" * 64, "its signature is wrong"),
        ("signature", "00", "it is not an anchor"),
        ("public_key", "00" * 32, "which is not one that you trust"),
        ("v", 2, "it is of version 2"),
        ("punto", "table", "it is not an anchor but 'table'"),
        ("more", 1, "it is not an anchor"),
    ],
)
def test_an_anchor_that_was_changed(name: str, value: object, words: str) -> None:
    Path("anchor.json").write_text(json.dumps({**anchored(), name: value}), encoding="utf-8")
    assert words in refusal("audit", "verify", "--anchor", "anchor.json")


def test_what_else_can_go_wrong() -> None:
    anchored()
    assert "there is no table t9" in refusal("audit", "verify", "--table", "t9")
    assert "nope cannot be read" in refusal("audit", "verify", "--anchor", "nope")
    assert "there is no such file" in refusal("audit", "verify", "--anchor", "anchor.json", "--public-key", "0")
    assert "holds something else" in refusal("audit", "verify", "--anchor", "x", "--public-key", "anchor.json")
    assert "is for an anchor" in refusal("audit", "verify", "--public-key", "00" * 32)
    assert "from 1 to 64" in refusal("audit", "verify", "--workers", "0")
    assert "cannot be written" in refusal("audit", "anchor", "-o", "nowhere/anchor.json")
    answer("table", "new", "t2", "ez", "house")
    assert "says nothing about table t2" in refusal("audit", "verify", "--anchor", "anchor.json", "--table", "t2")
    answer("table", "new", "other", "ez", "house", "--database", str(Path("other.db").absolute()))
    assert "anchor of another" in refusal("audit", "verify", "--anchor", "anchor.json", "--database", "other.db")
    assert "there is no database" in refusal("audit", "verify", "--database", "missing.db")


def test_an_anchor_of_a_table_whose_end_is_missing_is_not_made() -> None:
    change("DELETE FROM events")
    assert "does not end at the record that it should" in refusal("audit", "anchor")


def test_a_refused_command_is_no_change_of_an_imported_table() -> None:
    answer("table", "export", "t1", "-o", "t1.jsonl")
    answer("table", "import", "t1.jsonl", "--as-table", "seen")
    Path("go-on.punto").write_text("Ann as dealer: load the shoe\n", encoding="utf-8")
    assert "but not continued" in " ".join(call("table", "run", "seen", "go-on.punto").out.split())
    assert answer("audit", "verify", "--json").json["ok"] is True
    change("UPDATE commands SET refusal = NULL WHERE table_id = 'seen'")
    assert "an imported table accepts no commands" in call("audit", "verify").out


def test_a_key_that_was_made_is_named() -> None:
    assert "made now in" in answer("audit", "anchor", "-o", "first.json").out
    assert "made now" not in answer("audit", "anchor", "-o", "second.json").out


def test_an_anchor_is_never_written_over_a_file() -> None:
    anchored()
    before = Path("anchor.json").read_bytes()
    answer("account", "buy-in", "Lee", "5")
    assert "anchor.json is already there, and is left as it is" in refusal("audit", "anchor", "-o", "anchor.json")
    Path("leads-nowhere").symlink_to("gone.json")
    assert "leads-nowhere is already there" in refusal("audit", "anchor", "-o", "leads-nowhere")
    Path("folder").mkdir()
    assert "it is a folder" in refusal("audit", "anchor", "-o", "folder")
    assert Path("anchor.json").read_bytes() == before and not Path("gone.json").exists()


def test_a_key_file_that_is_named_and_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped name must not make a key that nobody has the public half of."""
    monkeypatch.setenv("PUNTO_ANCHOR_KEY_FILE", "mistyped")
    told = refusal("audit", "anchor")
    assert "PUNTO_ANCHOR_KEY_FILE names mistyped, which is not there" in told
    assert refusal("audit", "anchor", "-o", "anchor.json") == told
    assert not Path("mistyped").exists() and not Path("anchor.json").exists()
    making = told[told.index("(umask") :].strip()
    subprocess.run(["sh", "-c", making], check=True)
    assert anchored()["public_key"] == json.loads(answer("audit", "anchor").out)["public_key"]
    monkeypatch.setenv("PUNTO_ANCHOR_KEY_FILE", "no-folder/key")
    assert "nor is its folder; check the name" in refusal("audit", "anchor")
