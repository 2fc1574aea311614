"""Books at the edge of what `punto check` accepts: every command then works with them.

The longest names, titles that look like markup, wide letters, the greatest and finest odds, on a book with
insurance and on one with antes.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from punto.cli.commands import GROUPS
from tests.cli.called import call

LONG = "side-" + "x" * 35
TITLE = ("[bold]閒家[/bold] [red 莊家 ] $_{" * 20)[:200]
LABEL = "閒" * 120 + "[b]" * 20
BOOK = """\
format = 1
extends = "BASE"
name = "NAME"
title = "TITLE"

[[bets]]
area = "LONG"
kind = "side"
labels = { en = "[link=http://x] $^{ WIDE", zh_hans = "LABEL", zh_hant = "LABEL" }
clause = "CLAUSE"
pays = [
  { when = { banker_pair = true, player_pair = true }, odds = "1000000:1", clause = "CLAUSE" },
  { when = { banker_pair = true, player_pair = false }, odds = "1:1000000", clause = "CLAUSE" },
  { when = { banker_pair = false, player_pair = true }, odds = "999983:999979", clause = "CLAUSE" },
  { otherwise = true, result = "lose", clause = "CLAUSE" },
]
"""
SESSION = """\
Sue as pit-supervisor: open book.toml LAYOUT TERMS burn=none
Dan as dealer: load the shoe
閒家: sit 1
Dan as dealer: place your bets
閒家: bet 1 LONG 10000
"""
WORDS = {"NAME": "n" * 40, "TITLE": TITLE, "LONG": LONG, "LABEL": LABEL, "WIDE": "W" * 100}
OF_BASE = {
    "insurance": {"CLAUSE": "3.7", "LAYOUT": "bean-9", "TERMS": "differential=5000"},
    "knockout": {"CLAUSE": "3.4", "LAYOUT": "bean-6", "TERMS": "maximum=1000000"},
}
COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "play": (("play", "BOOK", "--seed", "1"),),
    "drill": (("drill", "BOOK", "--seed", "1", "--json"), ("drill", "BOOK", "--seed", "2")),
    "demo": (),  # of the built-in books alone
    "run": (("run", "SESSION"), ("run", "SESSION", "--json")),
    "settle": (("settle", "BOOK", "--cards", "KS 9H KD KC", "--bet", f"{LONG}=123456789"),),
    "deal": (("deal", "BOOK", "--seed", "1"), ("deal", "BOOK", "--seed", "1", "--json")),
    "roads": (),
    "odds": (("odds", "BOOK"), ("odds", "BOOK", "--json")),
    "advise": (("advise", "BOOK", "--round", "5S 6S KS KD"), ("advise", "BOOK", "--json")),
    "insurance": (("insurance", "BOOK", "--shoes", "0"),),
    "count": (("count", "BOOK", "--shoes", "1", "--seed", "1"),),
    "simulate": (
        (
            *("simulate", "BOOK", "--rounds", "2000", "--seed", "1", "--workers", "1"),
            *("--strategy", "flat", "--bet", f"{LONG}=100", "-o", "simulated.html"),
        ),
    ),
    "report": (("report", "BOOK", "--shoes", "0", "-o", "a.html"),),
    "books": (),
    "rules": (("rules", "BOOK"), ("rules", "BOOK", "--markdown"), ("rules", "BOOK", "--toml")),
    "new": (("new", "new.toml", "--from", "BOOK"),),
    "check": (("check", "BOOK"), ("check", "BOOK", "--json")),
    "compare": (("compare", "BOOK", "commission"), ("compare", "ez", "BOOK", "--json")),
    "tune": (("tune", "BOOK", LONG, "--edge", "1%..9%"), ("tune", "BOOK", "tie", "--edge", "5%..15%", "--json")),
    "bets": (),
    "schema": (),
}
"""How each command is tried; those that take no book of one's own are empty."""


def test_every_command_of_these_groups_is_tried() -> None:
    named = {command for group in ("play and learn", "odds and studies", "books") for command in GROUPS[group]}
    assert named <= set(COMMANDS)


@pytest.fixture(params=["insurance"])
def files(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name, text in (("book.toml", BOOK), ("s.punto", SESSION)):
        for word, value in {**WORDS, **OF_BASE[request.param], "BASE": request.param}.items():
            text = text.replace(word, value)
        Path(name).write_text(text, encoding="utf-8")
    return {"BOOK": "book.toml", "SESSION": "s.punto"}


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command, lines in COMMANDS.items() if lines])
def test_a_book_that_is_accepted_works_everywhere(
    files: dict[str, str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in COMMANDS[command]:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{LONG} 100\ndeal\nodds\nwhy\nroads\n1\n2\n3\nquit\n"))
        ended = call(*(files.get(word, word) for word in line))
        is_none = "there is no insurance" in ended.err or "no pay table" in ended.err
        assert ended.status == 0 or is_none, (line, ended)
        assert "Traceback" not in ended.err
        assert ended.out or "-o" in line or command == "new"
