"""The guide from an idea to a book is followed to the letter, in an empty folder."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from punto.books import load
from punto.rules.book import digest_of
from punto.rules.book_file import parse_book
from tests.cli.called import Answer, call

GUIDE = Path(__file__).parents[2] / "docs/guides/design-a-bet.md"
TEXT = GUIDE.read_text(encoding="utf-8")
BOOK, DRAGON = re.findall(r"```toml\n(.*?)```", TEXT, flags=re.DOTALL)
COMMANDS = re.findall(r"^    punto (.*)$", TEXT, flags=re.MULTILINE)


def followed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Answer]:
    """What every command of the guide says; after the first one the book is written as shown."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    Path("photo-and-dragon.toml").write_text(DRAGON, encoding="utf-8")
    said = {}
    for command in COMMANDS:
        monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
        said[command] = call(*shlex.split(command))
        assert said[command].status == 0, (command, said[command].err)
        if command.startswith("new "):
            Path("photo.toml").write_text(BOOK, encoding="utf-8")
    return said


@pytest.mark.slow
def test_the_guide_leads_where_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = followed(tmp_path, monkeypatch)
    assert {command.split()[0] for command in COMMANDS} >= {
        *("bets", "new", "check", "tune", "compare", "rules", "settle", "simulate", "play", "drill"),
        *("odds", "report"),
    }
    assert "[favours-player/photo-finish]" in said["check photo.toml"].out
    tables = said["tune photo.toml photo-finish --edge 5%..8% --most 30"].out
    assert "3 of 900 pay tables" in tables
    assert re.search(r"^ *3 +6:1 +4:1 ", tables, re.MULTILINE)
    assert [row.odds for row in load("photo-finish.toml").bets[-1].pays] == ["6:1", "4:1", None]
    assert "No other warnings." in said["check photo-finish.toml --strict"].out
    assert " 2.6517 %" in said["check photo-and-dragon.toml --strict"].out
    assert "by 1 point," in said["bets char-siu-player"].out
    for edge, book in (("-51.2719 %", "photo.toml"), ("5.1250 %", "photo-finish.toml --strict")):
        assert f" {edge}" in said[f"check {book}"].out
        assert edge in TEXT
    settled = next(answer for command, answer in said.items() if command.startswith("settle"))
    assert "+60" in settled.out
    assert (tmp_path / "photo-finish.html").stat().st_size > 10_000
    whole = said["rules photo-finish.toml --toml"].out
    assert digest_of(parse_book(whole, "whole")) == said["rules photo-finish.toml --digest"].out.strip()
