"""A person at the terminal: what is asked, what is answered, and every way out."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from tests.cli.pseudo_terminal import COLOUR, Terminal

BETS = "your bets> "


def sit(folder: Path, *arguments: str, **settings: str) -> Terminal:
    return Terminal(folder, "play", *arguments, "--pace", "0", **settings)


def game(folder: Path) -> Path:
    return folder / "punto" / "game.json"


def test_the_book_and_the_box_are_asked_for_until_there_is_one(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "--seed", "1")
    terminal.wait_for("book (1-5 or its name) [1] ")
    terminal.type("9", "There is no book 9 here.")
    terminal.type("e", "There is no book e here.")  # easy-six or ez
    terminal.type("kno", "Which box? (1-6) [3] ")
    terminal.type("7", "The table has boxes 1 to 6.")
    terminal.type("", "box 3 ")
    terminal.wait_for(BETS)
    assert "Non-Commission Knockout Baccarat" in terminal.lines
    assert any(line.split()[:2] == ["wt14", "winning-total-1-4"] for line in terminal.lines)
    terminal.type("leave", "The game is over, and nothing of it is kept.")
    assert terminal.end() == 0
    terminal.check()
    assert not game(tmp_path).exists()


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "insurance", "--seed", "5", "--box", "1")
    terminal.wait_for(BETS)
    for line, words in (
        ("", "No bets on the table."),
        ("hello", "'hello' is not understood here"),
        ("banker", "How much on banker?"),
        ("dragon-7 10", "There is no betting area dragon-7 here"),
        ("b 5", "The minimum on banker is 10.00; this bet would be 5.00 (clause 5.2)."),
        ("b 12.345", "12.345 is finer than a cent"),
        ("b 99999999999999999", "is longer than any amount"),
        ("tie 6000", "That is 6,000. You have 5,000 in hand"),
        ("off tie", "The player has no bet on tie in box 1."),
        ("clear", "There are no bets to take off."),
        ("same", "There is no earlier round with bets to repeat."),
        ("p 10 q 10", "There is no betting area q here"),
        ("why", "No round has been settled yet."),
        ("buy", "Write for example: buy 1000"),
        ("rules nothing", "The book has nothing under 'nothing'."),
        ("rules 3.12.2", "total that insurance on a bet can pay"),
        ("roads", "No rounds yet"),
        ("\x1b[A\x1b[A", BETS),  # the arrow keys bring earlier lines back, and Enter sends one
    ):
        terminal.type(line, words)
        if words != BETS:
            terminal.wait_for(BETS)
    # Nothing of all that lies: a line with one wrong bet places none.
    terminal.type("b 100", "On the layout: banker 100. In hand 4,900.")
    terminal.type("deal", "insure Banker (0-66)> ")
    terminal.type("67", "The greatest insurance stake is 66.00 (clause 3.12.2).")
    terminal.wait_for("insure Banker (0-66)> ")
    terminal.type("lots", "'lots' is not an amount: write one, max, or no.")
    terminal.type("odds", "Insurance on Banker at 3:2")
    terminal.type("10", "10 on Banker at 3:2.")
    terminal.wait_for("in hand 4,915")
    terminal.type("why", "insurance")
    terminal.wait_for(BETS)
    terminal.child.sendeof()
    terminal.wait_for("Your statement")
    assert terminal.end() == 0
    terminal.check()


def test_ctrl_c_leaves_with_a_statement_and_the_game_is_resumed(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "ez", "--seed", "8", "--box", "7")
    terminal.wait_for(BETS)
    terminal.type("banker 100 deal", "Round 2")
    terminal.wait_for(BETS)
    terminal.type("d7 25", "On the layout: dragon-7 25.")
    terminal.child.sendintr()
    terminal.wait_for("Your statement")
    assert terminal.end() == 130
    terminal.check()
    left = next(line for line in terminal.lines if line.startswith("Bought"))
    assert left.endswith("25 on the layout.")
    assert str(game(tmp_path)) in terminal.text.replace("\n", "")

    again = sit(tmp_path)
    again.wait_for("There is a game of EZ Baccarat: round 2")
    again.wait_for("[go] ")
    again.type("", "On the layout: dragon-7 25.")
    again.type("clear", "On the layout: none.")
    again.type("same", "On the layout: banker 100.")
    again.type("quit", "Your statement")
    assert again.end() == 0
    again.check()

    other = sit(tmp_path, "commission", "--box", "1")
    other.wait_for("There is a game of EZ Baccarat")
    other.wait_for("[new] ")
    other.type("perhaps", "[new] ")
    other.type("new", "Commission Baccarat")
    other.wait_for(BETS)
    other.child.sendintr()
    assert other.end() == 130


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "my game.json"
    options = ("knockout", "--save", str(file), "--seed", "5", "--box", "1")
    terminal = sit(tmp_path, *options)
    terminal.wait_for(BETS)
    terminal.type("b 100 ap 50 ab 20 deal", "wager or give up> ")
    terminal.type("maybe", "Write wager, or give up.")
    terminal.type("w", "Ante (Banker) 20")
    terminal.wait_for("wager or give up> ")
    terminal.child.kill(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL

    saved = json.loads(file.read_text())
    assert (saved["type"], saved["book"], saved["seed"], saved["bankroll"]) == (
        "punto-game",
        "knockout",
        "5",
        500_000,
    )
    again = sit(tmp_path, *options)
    again.wait_for("There is a game of Non-Commission Knockout Baccarat: round 1")
    again.wait_for("Ante (Banker) 20: wager 40 more")
    again.wait_for("wager or give up> ")
    again.type("give up", "Round 2")
    # Player wins 3 over 2: the ante and half the wager are paid, Banker and its ante are lost.
    again.wait_for("in hand 4,980")
    again.type("quit")
    assert again.end() == 0
    again.check()


def test_whoever_left_in_the_middle_of_the_cards_sees_how_they_fell(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ez", "--seed", "3", "--box", "2", "--pace", "60")
    terminal.wait_for(BETS)
    terminal.type("b 100 d7 10 deal", "PLAYER")  # and then a minute until the first card
    terminal.child.sendintr()
    terminal.wait_for("1 round from 1 shoe.")
    assert terminal.end() == 130
    assert "wins, " not in terminal.text

    again = sit(tmp_path)
    again.wait_for("[go] ")
    again.type("", "Banker wins, ")
    again.wait_for("pays 1:1")
    again.wait_for("in hand 5,090")
    again.wait_for("Round 2")
    again.wait_for(BETS)
    again.type("quit")
    assert again.end() == 0
    again.check()


def test_colour_only_where_it_is_wanted(tmp_path: Path) -> None:
    for settings, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
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
