"""A language that nobody speaks, made of the English words: what somebody does who adds one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from punto.books import NAMES, load
from punto.books.catalogue import catalogue
from punto.rules.book import digest_of
from punto.rules.entry import Labels
from punto.rules.validation import book_entries
from punto.words import FOLDER


def add_made_up(folder: Path, language: str = "xx") -> None:
    """Add a made-up language to a folder of words; every text of the books has `xx: ` before it."""
    shutil.copytree(FOLDER / "en", folder / language)
    books = folder / language / "books"
    books.mkdir()
    for name in NAMES:
        book = load(name)
        lines = [f"title = {_said(language, book.title)}", f'digest = "{digest_of(book)}"', "[labels]"]
        labels = {entry.en for _, entry in book_entries(book.text) if isinstance(entry, Labels)}
        labels |= {entry.label for entry in book.irregularities}
        lines += [f"{json.dumps(label)} = {_said(language, label)}" for label in sorted(labels)]
        for clause in book.clauses:
            lines += [
                "[[clauses]]",
                f"number = {json.dumps(clause.number)}",
                f"sense = {_said(language, clause.sense)}",
            ]
            lines += [f"reading = {_said(language, clause.reading)}"] if clause.reading else []
        (books / f"{name}.toml").write_text("\n".join(lines), encoding="utf-8")
    lines = ["[names]", *(f"{bet.bet} = {_said(language, bet.labels.en)}" for bet in catalogue().values()), "[notes]"]
    notes = sorted({bet.note for bet in catalogue().values() if bet.note})
    lines += [f"{json.dumps(note)} = {_said(language, note)}" for note in notes]
    (books / "catalogue.toml").write_text("\n".join(lines), encoding="utf-8")


def _said(language: str, english: str) -> str:
    return json.dumps(f"{language}: {english}", ensure_ascii=False)
