"""Every terminal shows the same words: narrow or wide, without colour, without signs, without a cursor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from punto.books import load
from punto.cli.commands import LINES, SUBCOMMANDS
from punto.cli.drill_sitting import seeded_chance
from punto.documents.text import width
from punto.drill.training import KINDS, Score, Sitting
from tests.cli.called import answer
from tests.cli.pseudo_terminal import CONTROL, Terminal

COLUMNS = (40, 60, 80, 120)
PLAIN: dict[str, dict[str, Any]] = {
    "no-color": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "c": {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
SETTLED = ("settle", "insurance", "--cards", "KS KH AD 4C 2H 8S", "--bet", "banker=90", "--bet", "tie=1.50")
TABLES = (
    ("deal", "knockout", "--seed", "7", "--rounds", "6"),
    SETTLED,
    ("run", "docs/examples/insured-round.punto"),
    ("run", "docs/examples/card-to-the-wrong-hand.punto"),
    ("rules", "knockout"),
    ("demo",),
)
ROADS = ("roads", "BBPTbPPpBTTBPPBBBPPPPBPBPBPBB")


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("command", [*TABLES, ROADS], ids=lambda command: " ".join(command[:2]))
def test_an_answer_fits_and_keeps_its_words(
    command: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    wide = answer(*command).out
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = answer(*command).out
    assert max(map(width, shown.splitlines())) <= columns
    if command != ROADS:  # a board shows the columns that it has room for
        assert words(wide) <= words(shown)


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("command", ["", *LINES, *SUBCOMMANDS])
def test_help_fits(command: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    wide = answer(*command.split(), "--help").out
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = answer(*command.split(), "--help").out
    assert max(map(width, shown.splitlines())) <= columns
    assert words(wide) <= words(shown)


def words(text: str) -> set[str]:
    """Its words, without Chinese, which may go on in the next line after any sign."""
    return {word for word in re.findall(r"[!-~♠♥♦♣]+", text) if set(word) - set("-,()")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("command", [SETTLED, ("run", "docs/examples/insured-round.punto"), ROADS])
def test_a_plain_terminal_gets_the_same_answer(command: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    usual = Terminal(tmp_path, *command)
    plain = Terminal(tmp_path, *command, **PLAIN[kind])
    assert (usual.end(), plain.end()) == (0, 0)
    usual.check()
    plain.check()
    if kind == "c":
        assert plain.text.isascii()
        assert "?" not in plain.text
    else:
        assert plain.text == usual.text
    if kind != "c":
        assert not re.search(r"\x1b\[[0-9;]*3[0-9]", plain.raw)  # no colour; bold may stay with NO_COLOR
    if kind == "dumb":
        assert "\x1b" not in plain.raw


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "kind"), [*((columns, "") for columns in COLUMNS), *((40, kind) for kind in PLAIN)]
)
def test_a_drill_fits_and_keeps_its_questions(columns: int, kind: str, tmp_path: Path) -> None:
    """Question by question, whole sentences; and one of every kind that the book has."""
    number = 14
    options = ("drill", "insurance", "--seed", "2", "--questions", str(number), "--target", "20")
    terminal = Terminal(tmp_path, *options, columns=columns, **PLAIN.get(kind, {}))
    sat, chance = Sitting({"insurance": load("insurance")}, tuple(KINDS), Score()), seeded_chance(2)
    asked = []
    for _ in range(number):
        terminal.wait_for("answer> ")
        question = sat.next_question(chance)
        asked.append(question)
        sat = sat.marked(question, "", 1.0)
        terminal.type("skip", "Wrong")
    assert terminal.end() == 0
    terminal.check()
    assert len({question.topic.kind for question in asked}) > 5
    shown = " ".join(terminal.text.split())
    for question in asked:
        text = " ".join(question.text.split())
        assert (text if kind != "c" else text.split("♠")[0][:20]) in shown
    if kind == "c":
        assert terminal.text.isascii()
    if kind == "dumb":
        assert not CONTROL.search(terminal.raw)
