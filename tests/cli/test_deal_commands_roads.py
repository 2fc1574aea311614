from __future__ import annotations

import json

import pytest

from punto.cli.main import run

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def test_json_is_the_whole_answer(capsys: Captured) -> None:
    assert run(["roads", "BbPTp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "bead": [
            {"column": 0, "row": 0, "result": "banker", "banker_pair": True, "player_pair": False},
            {"column": 0, "row": 1, "result": "player", "banker_pair": False, "player_pair": False},
            {"column": 0, "row": 2, "result": "tie", "banker_pair": False, "player_pair": True},
        ],
        "big": [
            {"column": 0, "row": 0, "winner": "banker", "ties": 0, "banker_pair": True, "player_pair": False},
            {"column": 1, "row": 0, "winner": "player", "ties": 1, "banker_pair": False, "player_pair": False},
        ],
        "big_eye": "",
        "small": "",
        "cockroach": "",
        "ask": {
            "banker": {"big_eye": "R", "small": None, "cockroach": None},
            "player": {"big_eye": "B", "small": None, "cockroach": None},
        },
    }


def test_json_of_no_rounds(capsys: Captured) -> None:
    nothing = {"big_eye": None, "small": None, "cockroach": None}
    assert run(["roads", "", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "bead": [],
        "big": [],
        "big_eye": "",
        "small": "",
        "cockroach": "",
        "ask": {"banker": nothing, "player": nothing},
    }


def test_drawn_without_colour_in_a_pipe(capsys: Captured) -> None:
    assert run(["roads", "BBBPPBPPPTPBBPB"]) == 0
    drawn = capsys.readouterr().out
    assert "\x1b" not in drawn
    assert "○◎○◎○◎" in drawn
    assert max(map(len, drawn.splitlines())) <= 80


def test_drawn_in_colour_and_plain_with_no_color(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run(["roads", "BPT"]) == 0
    drawn = capsys.readouterr().out
    assert "\x1b[1;31mB" in drawn
    assert "\x1b[1;34mP" in drawn
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(["roads", "BPT"]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_no_rounds_are_answered_kindly(capsys: Captured) -> None:
    assert run(["roads", ""]) == 0
    assert capsys.readouterr().out == "No rounds yet: the first result starts the roads.\n"


@pytest.mark.parametrize("json_option", [[], ["--json"]])
@pytest.mark.parametrize(
    ("results", "place"),
    [("BPX", "character 3 of the results, 'X',"), ("bB", "character 1 of the results, 'b',"), ("B-P", "character 2")],
)
def test_anything_else_is_one_sentence_with_the_place(
    results: str, place: str, json_option: list[str], capsys: Captured
) -> None:
    assert run(["roads", results, *json_option]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"punto: {place}")
    assert said.err.count("\n") == 1
