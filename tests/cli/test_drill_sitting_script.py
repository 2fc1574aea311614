"""A scripted sitting: JSON Lines out, answers in."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from punto.books import NAMES, load
from punto.cli.drill_sitting import seeded_chance
from punto.drill.training import KINDS, Score, Sitting
from tests.cli.called import answer, call, refusal
from tests.cli.pseudo_terminal import SCRIPT


def drilled(folder: Path, answers: list[str], *arguments: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "drill", "--json", *arguments],
        input="".join(f"{answer}\n" for answer in answers),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def right_answers(seed: int, number: int, *books: str) -> list[str]:
    sat, chance = Sitting({name: load(name) for name in books}, tuple(KINDS), Score()), seeded_chance(seed)
    answers = []
    for _ in range(number):
        question = sat.next_question(chance)
        answers.append(question.answer)
        sat = sat.marked(question, question.answer, 1.0)
    return answers


def test_questions_marks_and_a_summary(tmp_path: Path) -> None:
    records = drilled(tmp_path, right_answers(3, 12, *NAMES), "--seed", "3", "--questions", "12")
    assert [record["type"] for record in records] == ["question", "mark"] * 12 + ["summary"]
    for question, mark in zip(records[:-1:2], records[1::2], strict=True):
        assert question["number"] == mark["number"]
        assert set(question) >= {"book", "kind", "subject", "text", "player", "banker", "bets", "answer_with"}
        assert mark["right"] is True
        assert mark["given"] == mark["answer"]
        assert mark["seconds"] >= 0
        assert mark["why"]
        clauses = {clause.number for clause in load(question["book"]).clauses}
        assert mark["clause"] is None or mark["clause"] in clauses
    summary = records[-1]
    assert (summary["asked"], summary["right"], summary["missed"]) == (12, 12, [])
    assert sum(kind["asked"] for kind in summary["kinds"].values()) == 12
    assert list(tmp_path.iterdir()) == []


def test_wrong_unreadable_and_missing_answers(tmp_path: Path) -> None:
    answers = ["?!", "skip", ""]
    records = drilled(tmp_path, answers, "ez", "--seed", "3", "--questions", "9", "--only", "pays")
    assert [record["type"] for record in records] == [
        "question",
        "again",
        "mark",
        "question",
        "mark",
        "question",
        "summary",
    ]
    assert records[1]["problem"] == "answer with the winnings, 0 if the stake is returned, or lost"
    assert [record["right"] for record in records if record["type"] == "mark"] == [False, False]
    assert len(records[-1]["missed"]) == 2


def test_the_score_lies_in_the_file_that_is_named(tmp_path: Path) -> None:
    file = tmp_path / "score.json"
    options = ("insurance", "--seed", "5", "--score", str(file))
    first = drilled(tmp_path, ["skip"], *options, "--questions", "1")
    kept = json.loads(file.read_text())
    assert kept["sittings"][0]["asked"] == 1
    missed = first[-1]["missed"][0]
    # Three questions later it is due, in another sitting.
    again = drilled(tmp_path, ["skip"] * 4, *options, "--questions", "4")
    questions = [record for record in again if record["type"] == "question"]
    assert "/".join(questions[3][part] for part in ("book", "kind", "subject")) == missed
    assert len(json.loads(file.read_text())["sittings"]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "there is no book nothing"),
        (("ez", "--questions", "0"), "--questions takes 1 to 1000, not 0"),
        (("ez", "--only", "cards"), "there is no kind cards (did you mean calls?); the kinds are draw"),
        (("ez", "--only", "insurance"), "ez has no questions of the kind insurance"),
        (("ez", "--score", "."), "--score takes the path of a file, and '.' is not one"),
        (("ez", "--score", "README.md"), "README.md is not a score of punto drill"),
    ],
)
def test_a_sitting_that_cannot_be_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    assert words in refusal("drill", *arguments)


def test_a_book_that_changed_since_is_noticed_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, file = tmp_path / "own.toml", tmp_path / "score.json"
    options = ("drill", str(book), "--json", "--questions", "1", "--seed", "1", "--score", str(file))
    said = []
    for title in ("One", "One", "Two", "Two"):
        book.write_text(f'extends = "ez"\nname = "own"\ntitle = "{title}"\n', encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", io.StringIO("skip\n"))
        done = call(*options)
        assert done.status == 0
        said.append(done.err)
    assert said[0] == said[1] == said[3] == ""
    assert said[2] == ("punto: the book own has changed since its score was kept: what was right may be wrong now\n")


def test_help_names_every_kind_of_question() -> None:
    # The help is written out, because looking the kinds up would load the engine.
    words = re.findall(r"[a-z]+", answer("drill", "--help").out)
    assert set(KINDS) <= set(words)
