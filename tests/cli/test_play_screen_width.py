"""The table on terminals of every width and kind: wrapping, roads beside the felt, plain letters, colour."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pseudo_terminal import COLOUR
from tests.cli.seated import BETS, sit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "kind"), [(40, "xterm"), (60, "xterm"), (80, "xterm"), (120, "xterm"), (40, "dumb"), (120, "dumb")]
)
def test_every_width_wraps_at_words(tmp_path: Path, columns: int, kind: str) -> None:
    """What stands in the long sentences is there whole: no word is divided, nothing is cut off."""
    terminal = sit(tmp_path, "insurance", "--seed", "5", "--box", "1", columns=columns, TERM=kind)
    terminal.wait_for(BETS)
    for line in ("?", "bets", "b 100 t 10 pp 10"):
        terminal.type(line, BETS)
    terminal.type("deal", "insure Banker (0-66)> ")
    terminal.type("?", "Insurance is offered")
    terminal.wait_for("insure Banker (0-66)> ")
    terminal.type("66", "Round 2")
    for line in ("why", "odds", "history", "coach", "statement", "rules 3.12.2", "roads"):
        terminal.wait_for(BETS)
        terminal.type(line)
    terminal.wait_for(BETS)
    terminal.type("quit", "The game is kept")
    assert terminal.end() == 0
    terminal.check()
    words = " ".join(terminal.text.split())
    for sentence in (
        "Type bets such as: banker 100 tie 10. Then deal, or Enter. ? for help.",
        "On the layout: banker 100, tie 10, player-pair 10. In hand 4,880.",
        "paid if Player wins, returned on a tie. Enter for none.",
        "A coach looks back and never predicts; coach off ends it.",
        "(By the odds of a full shoe; the difference is chance.)",
        "The game is kept: punto play --game insurance goes on with it.",
    ):
        assert sentence in words
    settled = [line for line in terminal.lines if "pays 3:2" in line and "+99" in line]
    assert len(settled) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "rows", "beside"),
    [
        (80, 50, ()),
        (101, 50, ()),
        (102, 16, ("Big road",)),
        (120, 24, ("Big road", "Big eye boy")),
        (120, 34, ("Bead plate", "Big road", "Big eye boy", "If Banker wins next")),
        (160, 50, ("2 rounds: Banker", "Bead plate", "Big road", "Big eye boy", "If Banker wins next")),
    ],
)
def test_roads_stand_beside_the_felt_as_far_as_there_is_room(
    tmp_path: Path, columns: int, rows: int, beside: tuple[str, ...]
) -> None:
    terminal = sit(tmp_path, "ez", "--new", "--seed", "3", "--box", "1", columns=columns, rows=rows)
    terminal.wait_for(BETS)
    for number in (2, 3):
        terminal.type("b 10 deal", f"Round {number}")
        terminal.wait_for(BETS)
    drawn = len(terminal.lines)
    terminal.type("quit")
    assert terminal.end() == 0
    terminal.check()
    right = [line[80:] for line in terminal.lines[:drawn]]  # two signs of the first line are two columns wide
    for part in ("2 rounds: Banker", "Bead plate", "Big road", "Big eye boy", "If Banker wins next"):
        assert any(part in line for line in right) is (part in beside)
    # Every drawing leaves room on the screen, so that the next one can take its place.
    moves = [int(number) for number in re.findall(r"\x1b\[(\d+)A", terminal.raw)]
    assert moves
    assert max(moves) < rows
    # The bets of the second round are settled under the cards, at the left of the roads.
    settled = [line for line in terminal.lines[:drawn] if line.startswith("  Banker  ")]
    assert len(settled) == 2
    assert (len(settled[1]) > 82) is bool(beside)


def test_plain_terminals_show_the_same_words(tmp_path: Path) -> None:
    """LANG=C has no signs, a dumb terminal no cursor: the game says the same."""
    said = []
    terminals: tuple[dict[str, Any], ...] = (
        {},
        {"LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"TERM": "dumb"},
    )
    for settings in terminals:
        terminal = sit(tmp_path, "ez", "--new", "--seed", "3", "--box", "1", **settings)
        terminal.wait_for(BETS)
        terminal.type("b 10 deal", "Round 2")
        terminal.wait_for(BETS)
        terminal.type("quit")
        assert terminal.end() == 0
        terminal.check()
        assert "\ufffd" not in terminal.text
        said.append([line for line in terminal.lines if line.startswith(("  Banker", "Bought", "1 round"))])
    assert said[0] == said[1] == said[2]
    assert said[0]


def test_colour_only_where_it_is_wanted(tmp_path: Path) -> None:
    terminals: tuple[tuple[dict[str, Any], bool], ...] = (
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    )
    for settings, coloured in terminals:
        terminal = sit(tmp_path, "ez", "--new", "--seed", "3", "--box", "1", **settings)
        terminal.wait_for(BETS)
        terminal.type("p 10 b 10 t 10 deal", "Round 2")
        terminal.wait_for(BETS)
        terminal.type("quit")
        assert terminal.end() == 0
        terminal.check()
        codes = [code for code in COLOUR.findall(terminal.raw) if set(code) & set("3456789")]
        assert bool(codes) is coloured
        assert "PLAYER" in terminal.text
        assert any("net" in line and "in hand" in line for line in terminal.lines)
