from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.called import answer, call, refusal

ROOT = Path(__file__).parents[2]
PLAYTHROUGHS = sorted((ROOT / "tests/playthroughs").glob("*/*.punto"))

ROUND = """\
# A round.
Pia as pit-supervisor: open commission bean-7 burn=none
Ann as dealer: load the shoe
Lee: sit 3
Lee: bet 3 banker 100
Ann as dealer: place your bets
Lee: bet 3 banker 100

Ann as dealer: no more bets
KS 3H 6D 4C
Ann as dealer: settle
"""


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "round.punto"
    path.write_text(ROUND, encoding="utf-8")
    return path


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_session_is_told_with_the_numbers_of_its_lines(session: Path) -> None:
    lines = answer("run", str(session)).out.splitlines()
    assert lines == [
        "   2  Commission Baccarat",
        "      the table is open",
        "      bean-7, 7 boxes, 8 decks, face up",
        "      bets from 10, chip 1 USD",
        "   3  shoe 1 is in play, 8 decks",
        "   4  Lee sits down at box 3",
        "   5  refused, Lee: bets are not open (clause 3.1)",
        "",
        "   6  ── Round 1 ───────────────────────────────────────────────────────────────",
        "      “Place your bets, please”",
        "   7  Lee, Banker, box 3: 100",
        "   9  “No more bets”",
        "  10  Player  K♠  0",
        "      Banker  3♥  3",
        "      Player  K♠ 6♦  6",
        "      Banker  3♥ 4♣  7",
        "      Banker wins: Player 6, Banker 7",
        "  11  round 1 is settled",
        "      box  player  bet     stake         odds  net  clause",
        "      ───  ──────  ──────  ─────  ───  ──────  ───  ──────  ────────────",
        "        3  Lee     Banker    100  win  0.95:1  +95  4.1.2   commission 5",
    ]


def test_json_lines_are_events_and_refusals_with_the_line_of_their_command(session: Path) -> None:
    came = records(answer("run", str(session), "--json").out)
    assert [(record["line"], "refusal" if "refusal" in record else record["event"]["type"]) for record in came] == [
        (2, "table-opened"),
        (3, "shoe-loaded"),
        (4, "seat-taken"),
        (5, "refusal"),
        (6, "bets-called"),
        (7, "bet-placed"),
        (9, "bets-closed"),
        (10, "card-dealt"),
        (10, "card-dealt"),
        (10, "card-dealt"),
        (10, "card-dealt"),
        (10, "deal-finished"),
        (11, "round-settled"),
    ]
    assert came[3]["refusal"] == {
        "reason": "bets-not-open",
        "params": {},
        "sentence": "bets are not open (clause 3.1)",
        "clause": "3.1",
    }
    (bet,) = came[-1]["event"]["bets"]
    assert (bet["result"], bet["net"], bet["clause"]) == ("win", 9500, "4.1.2")


def test_expectations_that_are_not_met_are_named_and_end_with_1(session: Path) -> None:
    session.write_text(ROUND + "> settled 3 Lee banker win 100.00 4.1.2\n> no ended\n", encoding="utf-8")
    for flags in ([], ["--json"]):
        came = call("run", str(session), *flags)
        assert came.status == 1
        assert came.out
        expected = "expected settled 3 Lee banker win 100.00 4.1.2, and settled 3 Lee banker win 95.00 4.1.2 came"
        assert came.err.splitlines() == [
            f"punto: {session}: line 12: {expected}",
            f"punto: {session}: line 13: ended 1 banker came too, and was not expected",
        ]


def test_expectations_that_are_met_change_nothing(session: Path) -> None:
    before = answer("run", str(session)).out
    session.write_text(ROUND + "> settled 3 Lee banker win 95.00 4.1.2\n> ended 1 banker\n", encoding="utf-8")
    assert answer("run", str(session)).out == before


def test_wrong_lines_are_named_by_their_numbers_and_nothing_is_played(session: Path) -> None:
    session.write_text(ROUND + "Lee: bett 3 banker 100\nLee: sit\n", encoding="utf-8")
    came = call("run", str(session))
    assert (came.status, came.out) == (2, "")
    assert came.err.splitlines() == [
        f"{session}: line 12: 'bett 3 banker 100' is not a command; did you mean 'bet'?",
        f"{session}: line 13: 'sit' has to be followed by box",
    ]


def test_files_that_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "x.punto"
    assert refusal("run", str(path)) == f"punto: there is no file {path}"
    assert refusal("run", str(tmp_path)) == f"punto: {tmp_path} cannot be read: Is a directory"
    path.write_bytes(b"")
    assert refusal("run", str(path)) == f"punto: {path} is empty: there is no session in it"
    path.write_bytes(b" \n\n")
    assert refusal("run", str(path)) == f"punto: {path} is empty: there is no session in it"
    path.write_bytes(b"\xff\xfe\x00")
    assert refusal("run", str(path)) == f"punto: {path} cannot be read: it is not UTF-8 text"
    path.write_text("# only a comment\n", encoding="utf-8")
    assert refusal("run", str(path)) == f"punto: {path}: no line opens a table"
    path.write_text("Pia as pit-supervisor: open nowhere house\n", encoding="utf-8")
    assert f"{path}: line 1: there is no book nowhere; built in are" in refusal("run", str(path))
    path.write_text("\nPia as pit-supervisor: open nowhere.toml house\n", encoding="utf-8")
    missing = tmp_path / "nowhere.toml"
    assert refusal("run", str(path)) == f"punto: {path}: line 2: there is no file {missing}"
    path.write_text(f"Pia as pit-supervisor: open {'a' * 300} house\n", encoding="utf-8")
    assert refusal("run", str(path)).endswith("cannot be read: File name too long")
    path.write_text('Pia as pit-supervisor: open "a\\u0000b" house\n', encoding="utf-8")
    assert "line 1: " in refusal("run", str(path))
    assert "that is not a name for a file" in refusal("run", str(path))
    assert "no session was named" in refusal("run", "")
    path.write_text("Pia as pit-supervisor: open broken.toml house\n", encoding="utf-8")
    (tmp_path / "broken.toml").write_text('name = "x"\n', encoding="utf-8")
    broken = call("run", str(path))
    assert (broken.status, broken.out) == (2, "")
    told = f"{path}: line 1: {tmp_path / 'broken.toml'}: "
    assert all(line.startswith(told) for line in broken.err.splitlines())


def test_a_book_may_be_a_file_beside_the_session(tmp_path: Path) -> None:
    book = (ROOT / "src/punto/books/commission.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(book.replace('"commission"', '"mine"'), encoding="utf-8")
    path = tmp_path / "round.punto"
    path.write_text(ROUND.replace("commission", "mine.toml"), encoding="utf-8")
    first, *_ = records(answer("run", str(path), "--json").out)
    assert first["event"]["terms"]["book"] == "mine"


def test_a_call_without_words_of_the_book_closes_the_bets_not_the_first_card(tmp_path: Path) -> None:
    guide = (ROOT / "docs/guides/write-a-rule-book.md").read_text(encoding="utf-8")
    called = guide.split("```toml\n")[1].split("```")[0]  # the book to start with: it closes by a call
    first_card = called.replace('closes = { by = "call"', 'closes = { by = "first-card"')
    assert first_card != called
    for book, close, told in (
        (called, "Ann as dealer: no more bets\n", "the bets are closed (2)"),
        (first_card, "", "the first card closes the bets (2)"),
    ):
        (tmp_path / "own.toml").write_text(book, encoding="utf-8")
        session = tmp_path / "own.punto"
        session.write_text(
            "Pia as pit-supervisor: open own.toml mini-7 burn=none\nAnn as dealer: load the shoe\n"
            f"Ann as dealer: place your bets\n{close}KS 3H 6D 4C\n",
            encoding="utf-8",
        )
        out = answer("run", str(session)).out
        assert [line.strip(" 0123456789") for line in out.splitlines() if "close" in line] == [told]


def test_a_byte_order_mark_and_windows_line_ends_are_read(session: Path) -> None:
    before = answer("run", str(session)).out
    session.write_bytes(b"\xef\xbb\xbf" + ROUND.replace("\n", "\r\n").encode())
    assert answer("run", str(session)).out == before


def test_a_dash_reads_stdin(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = answer("run", str(session)).out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ROUND.encode())))
    assert answer("run", "-").out == before


def test_colour_only_repeats_the_words(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = answer("run", str(session)).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = answer("run", str(session)).out
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert answer("run", str(session)).out == plain


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_playthroughs_are_told_in_80_columns(path: Path) -> None:
    came = answer("run", str(path)).out
    assert came
    assert max(map(len, came.splitlines())) <= 80
