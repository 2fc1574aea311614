"""A dealer at the terminal: every book, wrong answers, every way out, and the score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punto.books import NAMES, load
from punto.cli.drill_sitting import seeded_chance
from punto.drill.training import KINDS, Score, Sitting
from tests.cli.pseudo_terminal import COLOUR, Terminal

ANSWER = "answer> "
QUESTIONS = 40


@pytest.mark.parametrize("book", NAMES)
def test_a_sitting_with_every_fourth_answer_wrong(book: str, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "drill", book, "--seed", "6", "--questions", str(QUESTIONS))
    sat, chance = Sitting({book: load(book)}, tuple(KINDS), Score()), seeded_chance(6)
    for number in range(1, QUESTIONS + 1):
        terminal.wait_for(f"Question {number} of {QUESTIONS}")
        terminal.wait_for(ANSWER)
        question = sat.next_question(chance)
        given = question.answer if number % 4 else "skip"
        sat = sat.marked(question, given if number % 4 else "", 1.0)
        terminal.type(given, "Right, in " if number % 4 else "Wrong")
    assert terminal.end() == 0
    terminal.check()
    assert ") (a term of the house" not in " ".join(terminal.text.split())  # a house term is named once
    total = next(line.split() for line in terminal.lines if line.startswith("  in all"))
    assert total[2:4] == [str(QUESTIONS), str(QUESTIONS - QUESTIONS // 4)]
    kept = json.loads((tmp_path / "punto" / "drill.json").read_text())
    assert kept["asked"] == QUESTIONS
    assert [(sitting["asked"], sitting["right"]) for sitting in kept["sittings"]] == [(QUESTIONS, 30)]
    to_come = {name for name, record in kept["topics"].items() if record["due"] is not None}
    assert to_come == set(sat.score.missed())


def test_answers_that_say_nothing_and_the_ways_out(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "drill", "insurance", "--only", "insurance", "--seed", "1", NO_COLOR="1")
    terminal.wait_for(ANSWER)
    terminal.type("", ANSWER)
    terminal.type("much", "That is not an answer here: answer with odds and greatest stake")
    terminal.wait_for(ANSWER)
    terminal.type("?", "skip passes a")
    terminal.wait_for(ANSWER)
    terminal.type("skip", "Wrong, it is ")
    terminal.wait_for("Question 2 of 20")
    terminal.wait_for(ANSWER)
    terminal.interrupt("These come again: ")
    assert terminal.end() == 130
    terminal.check()
    assert [code for code in COLOUR.findall(terminal.raw) if set(code) & set("3456789")] == []

    again = Terminal(tmp_path, "drill", "ez", "--questions", "2", "--only", "winner", "--seed", "1")
    again.wait_for(ANSWER)
    again.type("tie", "Question 2 of 2")
    again.wait_for(ANSWER)
    again.type("tie", "Over 2 sittings ")
    assert again.end() == 0

    left = Terminal(tmp_path, "drill")
    left.wait_for(ANSWER)
    left.child.sendeof()
    assert left.end() == 0
    quit_at_once = Terminal(tmp_path, "drill", "--only", "draw")
    quit_at_once.wait_for(ANSWER)
    quit_at_once.type("quit")
    assert quit_at_once.end() == 0
    assert len(json.loads((tmp_path / "punto" / "drill.json").read_text())["sittings"]) == 2
