"""One player at two boxes: bets, questions, settlement, coach, statement, and the kept game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.piped_game import piped
from tests.cli.pseudo_terminal import Terminal

pytestmark = pytest.mark.slow


def test_two_boxes_are_bet_settled_coached_and_kept(tmp_path: Path) -> None:
    file = str(tmp_path / "two.json")
    lines = "b 100 box 5 p 50 t 10\ncoach\ndeal\nboth same deal\nwhy\nhistory\nquit\n"
    done = piped(tmp_path, lines, "commission", "--seed", "4", "--box", "3", "--save", file)
    assert (done.returncode, done.stderr) == (0, "")
    words = " ".join(done.stdout.split())
    assert "Box 5 is yours too." in words
    assert "On the layout: box 3: banker 100; box 5: player 50, tie 10. In hand 4,840." in words
    assert "Round 2 ────────────────────── boxes 3 and 5 ·" in words
    # Banker 4 over 3, then Player 4 over 2; at each settlement, by the coach, and in why.
    assert words.count("Banker, box 3 100 pays 0.95:1 +95") == 1
    assert words.count("Player, box 5 50 pays 1:1 +50") == 1
    assert words.count("Tie, box 5 10 lost -10") == 2
    assert words.count("Tie, box 5 10 14.") == 2
    assert "Player, box 5 50 1:1 4.1.2" in words
    assert "2 Player 4:2 160 -60 -25" in words
    for row in ("Banker 2 1 200 -5", "all in box 3 2 1 200 -5", "all in box 5 4 1 120 -20", "in all 6 2 320 -25"):
        assert row in words
    again = piped(tmp_path, "box 5 same\nstatement\nquit\n", "--save", file)
    assert "On the layout: box 5: player 50, tie 10. In hand 4,915." in " ".join(again.stdout.split())
    assert "all in box 5     4    1" in again.stdout


def test_insurance_is_asked_box_by_box_and_none_in_one_leaves_the_other(tmp_path: Path) -> None:
    options = ("insurance", "--seed", "5", "--box", "3", "--box", "5")
    one = piped(tmp_path, "both b 100 deal\nno\n40\nquit\n", *options).stdout
    assert "insure Banker, box 3 (0-66)> no" in one
    assert "40 on Banker, box 5 at 3:2." in one
    assert "Insurance on Banker, box 5          40  pays 3:2          +60" in one
    both = piped(tmp_path, "both b 100 deal\n66\n66\nquit\n", *options).stdout
    assert both.count("pays 3:2          +99") == 2
    none = piped(tmp_path, "both b 100 deal\n\n\nquit\n", *options).stdout
    assert "pays 3:2" not in none
    assert "in all 2 0 200 -200" in " ".join(none.split())


def test_antes_are_asked_and_coached_box_by_box(tmp_path: Path) -> None:
    lines = "both ap 100 deal\nwager\ngive up\ncoach\nquit\n"
    done = piped(tmp_path, lines, "knockout", "--seed", "5", "--box", "2", "--box", "4")
    words = " ".join(done.stdout.split())
    assert "Ante (Player) 100, box 2: wager 200 more" in words
    assert "Ante (Player) 100, box 4: wager 200 more" in words
    assert words.count("Wagering was the better choice.") == words.count("Giving up was the worse choice.") == 1
    assert "Wager (Player), box 2 200 pays 1:2 +100" in words
    assert "Ante (Player), box 4 100 lost -100" in words


def test_two_boxes_at_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ez", "--seed", "3", "--pace", "0")
    terminal.wait_for("Which box? (1-7) [4] ")
    terminal.type("2 9", "The table has boxes 1 to 7. Type one, or two such as 3 4.")
    terminal.type("2, 6", "boxes 2 and 6 ")
    terminal.wait_for("your bets> ")
    terminal.type("both b 100", "On the layout: box 2: banker 100; box 6: banker 100.")
    terminal.type("deal", "Round 2")
    terminal.wait_for("your bets> ")
    terminal.type("quit", "The game is kept")
    assert terminal.end() == 0
    terminal.check()
