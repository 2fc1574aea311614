"""`punto audit shoe`: from a stored table and from files, and every way in which it cannot say yes."""

from __future__ import annotations

import io
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.called import answer, call, refusal

EXAMPLE = Path(__file__).parents[2] / "docs/examples/checked-table.jsonl"
VALUE = b"lee's bytes"
PLEDGED = f"""\
Ann as dealer: load the shoe
Lee: pledge {sha256(VALUE).hexdigest()}
Ann as dealer: close the pledges
Lee: open bytes {VALUE.hex()}
Ann as dealer: burn
"""
CLOSED = "Pia as pit-supervisor: close the table\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    for name in ("PUNTO_DATABASE", "PUNTO_KEY", "PUNTO_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> Any:
    def given(text: str, table: str = "t1") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return answer("table", "run", table, "-").out

    return given


def kept_answer(**fields: Any) -> dict[str, Any]:
    document = answer("audit", "shoe", str(EXAMPLE), "--shoe", "1", "--json").json | fields
    Path("answer.json").write_text(json.dumps(document), encoding="utf-8")
    return dict(document)


def test_a_shoe_from_its_commitment_to_its_seed(give: Any, tmp_path: Path) -> None:
    answer("table", "new", "t1", "commission", "bean-9", "burn=first-card")
    assert "t1 has not had a shoe yet" in refusal("audit", "shoe", "t1/1")
    told = give(PLEDGED)
    closed = call("audit", "shoe", "t1/1", "--json")
    document = closed.json
    assert closed.status == 1
    assert "".join(told.split()).count(document["commitment"]) == 1, "everybody is told"
    assert document["commitment"] in answer("table", "show", "t1").out
    assert (document["seed"], document["order"], document["matches"]) == (None, None, None)
    assert "is not opened yet" in document["closed"]
    give(CLOSED)
    document = answer("audit", "shoe", "t1/1", "--json").json
    assert document["matches"] is True
    assert document["contributions"] == [VALUE.hex()]
    assert len(document["order"]) == 416
    assert document["dealt"] == [{"place": 1, "card": document["order"][0], "round": 0}]
    out = answer("audit", "shoe", "t1/1").out
    assert document["seed"] in out
    assert "It matches" in out
    (tmp_path / "log.jsonl").write_text(answer("table", "log", "t1").out, encoding="utf-8")
    assert answer("audit", "shoe", "log.jsonl", "--json").json == document
    answer("table", "export", "t1", "-o", "export.jsonl")
    assert answer("audit", "shoe", "export.jsonl", "--json").json == document
    (tmp_path / "answer.json").write_text(json.dumps(document), encoding="utf-8")
    assert answer("audit", "shoe", "answer.json", "--json").json == document
    answer("table", "import", "export.jsonl", "--as-table", "seen-1")
    assert "check the file that it came from" in refusal("audit", "shoe", "seen-1/1"), "t1 was promised"
    assert "has shoe 1 only" in refusal("audit", "shoe", "t1/2")
    assert answer("audit", "shoe", "t1", "--json").json == document, "its only shoe needs no number"
    assert answer("audit", "shoe", "t1", "--shoe", "1", "--json").json == document
    assert "has shoe 1 only" in refusal("audit", "shoe", "t1", "--shoe", "2")


def test_of_several_shoes_somebody_says_which(give: Any) -> None:
    answer("table", "new", "t1", "commission", "bean-9", "burn=none")
    assert "t1 has not had a shoe yet" in refusal("audit", "shoe", "t1")
    give(
        "Ann as dealer: load the shoe\nAnn as dealer: place your bets\nAnn as dealer: report seen=foreign-card\n"
        "Pia as pit-supervisor: void the round\nPia as pit-supervisor: replace the cards\n"
        "Ann as dealer: load the shoe\n"
    )
    assert "table t1 has shoes 1 to 2; write t1/2 for the last one" in refusal("audit", "shoe", "t1")
    assert call("audit", "shoe", "t1", "--shoe", "2", "--json").json["shoe"] == 2


def test_a_continuous_shuffler_promises_nothing_and_says_so(give: Any) -> None:
    answer("table", "new", "t1", "ez", "house", "source=continuous")
    give("Ann as dealer: load the shoe\n")
    told = call("audit", "shoe", "t1/1")
    assert told.status == 1
    assert "promises nothing: it is dealt by a continuous shuffler" in told.err
    assert "promises no order" in answer("table", "show", "t1").out


def test_the_whole_order_on_demand() -> None:
    out = answer("audit", "shoe", str(EXAMPLE), "--shoe", "1", "--order").out
    order = answer("audit", "shoe", str(EXAMPLE), "--shoe", "1", "--json").json["order"]
    assert sum(out.count(suit) for suit in "♠♥♦♣") == len(order)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"seed": "ab" * 32}, "the seed does not fit the commitment"),
        ({"seed": "ab"}, "the seed is not 64 hexadecimal digits"),
        ({"seed": "no seed"}, "the seed is not 64 hexadecimal digits"),
        ({"table": "main-2"}, "the seed does not fit the commitment"),
        ({"shoe": 2}, "the seed does not fit the commitment"),
        ({"decks": 6}, "the seed does not fit the commitment"),
        ({"contributions": []}, "are not those that players opened"),
        ({"pledges": [{"player": "Lee", "digest": "0" * 64, "opened": "ab"}]}, "the bytes of Lee are not"),
        ({"algorithm": "dice"}, "cannot deal by dice"),
        ({"dealt": [{"place": 1, "card": "5S", "round": 0}]}, "5S was dealt instead of 4S"),
        ({"dealt": [{"place": 417, "card": "5S", "round": 9}]}, "has no place 417"),
    ],
)
def test_what_does_not_fit_is_told(fields: dict[str, Any], problem: str) -> None:
    kept_answer(**fields)
    told = call("audit", "shoe", "answer.json", "--json")
    assert told.status == 1
    assert told.json["matches"] is False
    assert any(problem in line for line in told.json["problems"])
    assert call("audit", "shoe", "answer.json").status == 1


def test_what_is_not_a_shoe() -> None:
    assert "neither a file nor a shoe" in refusal("audit", "shoe", "t1/0")
    assert "there is no database" in refusal("audit", "shoe", "t1/1")
    assert "cannot be read" in refusal("audit", "shoe", "nothing.json")
    assert "holds shoes 1 to 2" in refusal("audit", "shoe", str(EXAMPLE))
    assert "no shoe 3 was loaded" in refusal("audit", "shoe", str(EXAMPLE), "--shoe", "3")
    assert "names its shoe already" in refusal("audit", "shoe", "t1/1", "--shoe", "3")
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    for name, text, problem in (
        ("tail.jsonl", "\n".join(lines[1:]), "must begin with record 1"),
        ("gap.jsonl", "\n".join((*lines[:5], *lines[6:])), "record 6 of table main-1 is missing"),
        ("broken.jsonl", lines[0] + "\n{", "line 2"),
        ("list.json", "[1, 2]", "line 1"),
        ("empty.json", "", "must begin with record 1"),
        ("other.json", '{"commitment": 5}', "not the record of a shoe"),
    ):
        Path(name).write_text(text, encoding="utf-8")
        assert problem in refusal("audit", "shoe", name, "--shoe", "1"), name
    kept_answer(decks=10**9)
    assert "decks" in refusal("audit", "shoe", "answer.json")
    kept_answer()
    assert "not of shoe 2" in refusal("audit", "shoe", "answer.json", "--shoe", "2")
