"""Every language has every word of English, and no other; adding one is adding files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from punto.refusal import Reason
from punto.server.validation import ServerReason
from punto.words import ENGLISH, FOLDER, languages, phrases
from tests.words.made_up import add_made_up
from tools.words import language_gaps

OF_THE_PAGE = {"unreadable-answer"}
"""What the page itself says where an answer cannot be read."""


@pytest.mark.parametrize("language", languages())
def test_nothing_is_missing_in_a_language_and_nothing_too_much(language: str) -> None:
    assert language_gaps(language) == []


@pytest.mark.parametrize("language", languages())
def test_what_a_table_does_is_said_in_words_of_its_own(language: str) -> None:
    """A round that is on hold for a case, and play that the house has stopped, are two things."""
    words = phrases(language, "page.json")
    said = [words["stoppedMark"], *(text for key, text in words.items() if key.startswith("phase."))]
    assert sorted(said) == sorted(set(said))


def test_every_reason_has_a_sentence_and_every_sentence_a_reason() -> None:
    codes = {reason.value for reason in (*Reason, *ServerReason)}
    assert set(phrases(ENGLISH, "refusals.json")) == codes | OF_THE_PAGE


def test_what_is_wrong_with_a_language_is_said_to_the_key(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "en", tmp_path / "en")
    add_made_up(tmp_path)
    assert language_gaps("xx", tmp_path) == []

    file = tmp_path / "xx/refusals.json"
    words = json.loads(file.read_text(encoding="utf-8"))
    del words["paused"]
    words |= {"pausd": "x", "no-table": "no table", "seat-taken": "box {bx}", "not-seated": ""}
    file.write_text(json.dumps(words), encoding="utf-8")
    calls = tmp_path / "xx/calls.toml"
    calls.write_text(calls.read_text(encoding="utf-8").replace("{hand} has {count} and draws", "{hand} draws"), "utf-8")
    (tmp_path / "xx/more.toml").touch()
    (tmp_path / "xx/conditions.toml").unlink()
    assert language_gaps("xx", tmp_path) == [
        "xx/conditions.toml is missing",
        "xx/more.toml is not in English",
        "xx/calls.toml: reason.draws has no {count}",
        "xx/refusals.json: paused is missing",
        "xx/refusals.json: pausd is not in English",
        "xx/refusals.json: seat-taken has {bx}, which English has not",
        "xx/refusals.json: not-seated is empty",
    ]


def test_what_is_wrong_with_a_book_is_said_to_the_clause(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "en", tmp_path / "en")
    add_made_up(tmp_path)
    file = tmp_path / "xx/books/ez.toml"
    text = file.read_text(encoding="utf-8")
    for before, after in (
        ('number = "intro-1"', 'number = "intro-0"'),
        ('"Panda 8" =', '"Panda" ='),
        ('digest = "', 'digest = "0'),
        ("reading = ", "# reading = "),
    ):
        assert before in text
        text = text.replace(before, after, 1)
    file.write_text(text, encoding="utf-8")
    (tmp_path / "xx/books/commission.toml").unlink()
    bets = tmp_path / "xx/books/catalogue.toml"
    bets.write_text(bets.read_text(encoding="utf-8").replace("quik =", "quick ="), encoding="utf-8")
    assert language_gaps("xx", tmp_path) == [
        "xx/books/commission.toml is missing",
        "xx/books/ez.toml: the book changed; look at its words, then write the new digest",
        "xx/books/ez.toml: clause intro-1 is missing",
        "xx/books/ez.toml: clause intro-0 is not in the book",
        "xx/books/ez.toml: clause 1 has no reading",
        "xx/books/ez.toml: the label Panda 8 is missing",
        "xx/books/ez.toml: the label Panda is not needed",
        "xx/books/catalogue.toml: the bet quik is missing",
        "xx/books/catalogue.toml: the bet quick is not in the catalogue",
    ]


VIEW = """
import json, msgspec, sys
from punto.books import load
from punto.rules.outcome import Hand
from punto.views.layout_view import area_label, remedy_label, row_label, sense_label, title_label
book = load("insurance")
row = book.pay_tables["tie"].rows[0]
labels = [title_label(book), sense_label(book.clauses[0]), area_label(book, "insurance-banker-4")]
labels += [row_label(book, row), remedy_label(book.irregularities[0])]
print(msgspec.json.encode(labels).decode())
"""


def test_adding_a_language_is_adding_files(tmp_path: Path) -> None:
    """A copy of the package with one more folder of words says everything in that language too."""
    without_pages = shutil.ignore_patterns("pages", "__pycache__")
    package = tmp_path / "punto"
    shutil.copytree(FOLDER.parent, package, ignore=without_pages)
    add_made_up(package / "words")
    asked = subprocess.run(
        [sys.executable, "-c", VIEW], cwd=tmp_path, capture_output=True, check=True, env={"PYTHONPATH": str(tmp_path)}
    )
    labels = json.loads(asked.stdout)
    assert all(list(label) == ["en", "xx", "zh_hans", "zh_hant"] for label in labels)
    title, sense, area, row, remedy = labels
    assert [title["xx"], sense["xx"]] == [f"xx: {title['en']}", f"xx: {sense['en']}"]
    assert area["xx"] == "xx: Insurance on xx: Banker"
    assert [row["xx"], remedy["xx"]] == [row["en"], remedy["en"]]
