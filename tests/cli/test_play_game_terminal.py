"""A person at the terminal: what is asked, what is answered, and every way out."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.pseudo_terminal import Terminal
from tests.cli.seated import BETS, game, sit


def test_the_book_and_the_box_are_asked_for_until_there_is_one(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "--seed", "1")
    terminal.wait_for("book (1-5 or its name) [1] ")
    terminal.type("9", "There is no book 9 here.")
    terminal.type("knokout", "There is no book knokout here (did you mean knockout?).")
    terminal.type("e", "There is no book e here")  # easy-six or ez
    terminal.type("kno", "Which box? (1-6) [3] ")
    terminal.type("7", "The table has boxes 1 to 6.")
    terminal.type("", "box 3 ")
    terminal.wait_for(BETS)
    assert "Non-Commission Knockout Baccarat" in terminal.lines
    assert any(line.split()[:2] == ["wt14", "winning-total-1-4"] for line in terminal.lines)
    terminal.type("leave", "The game is over, and nothing of it is kept.")
    assert terminal.end() == 0
    terminal.check()
    assert not game(tmp_path, "knockout").exists()


def test_wrong_input_is_answered_and_asked_again(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "insurance", "--seed", "5", "--box", "1")
    terminal.wait_for(BETS)
    for line, words in (
        ("", "No bets on the table."),
        ("hello", "'hello' is not understood here"),
        ("banker", "How much on banker?"),
        ("dragon-7 10", "There is no betting area dragon-7 here"),
        ("b 5", "The minimum on banker is 10; this bet would be 5 (clause 5.2)."),
        ("b 12.345", "12.345 is finer than a cent"),
        ("b 99999999999999999", "is longer than any amount"),
        ("tie 6000", "That is 6,000. You have 5,000 in hand"),
        ("off tie", "You have no bet on tie in box 1."),
        ("clear", "There are no bets to take off."),
        ("same", "There is no earlier round with bets to repeat."),
        ("p 10 q 10", "There is no betting area q here"),
        ("why", "No round has been settled yet."),
        ("buy", "Write for example: buy 1000"),
        ("balance", "Bought 5,000, in hand 5,000."),
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
    terminal.type("67", "The greatest insurance stake is 66 (clause 3.12.2).")
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


@pytest.mark.slow
def test_ctrl_c_leaves_with_a_statement_and_the_game_is_resumed(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "ez", "--seed", "8", "--box", "7")
    terminal.wait_for(BETS)
    terminal.type("banker 100 deal", "Round 2")
    terminal.wait_for(BETS)
    terminal.type("d7 25", "On the layout: dragon-7 25.")
    terminal.interrupt("Your statement")
    assert terminal.end() == 130
    terminal.check()
    left = next(line for line in terminal.lines if line.startswith("Bought"))
    assert left.endswith("25 on the layout.")
    assert "The game is kept: punto play --game ez goes on with it." in terminal.lines

    again = sit(tmp_path)
    again.wait_for("EZ Baccarat: round 2")
    again.wait_for("game (1), or new? [1] ")
    again.type("", "On the layout: dragon-7 25.")
    again.type("clear", "On the layout: none.")
    again.type("same", "On the layout: banker 100.")
    again.type("quit", "Your statement")
    assert again.end() == 0
    again.check()

    # Another book, and Enter all the way: the kept game is still there afterwards.
    before = game(tmp_path, "ez").read_bytes()
    other = sit(tmp_path, "commission", "--box", "1")
    other.wait_for(BETS)
    other.type("", "No bets on the table.")
    other.interrupt("Your statement")
    assert other.end() == 130
    assert game(tmp_path, "ez").read_bytes() == before
    assert game(tmp_path, "commission").exists()

    # A second game of the same book stands beside the first.
    second = sit(tmp_path, "ez", "--box", "1")
    second.wait_for("game (1), or new? [1] ")
    second.type("perhaps", "There is no game perhaps here.")
    second.type("nwe", "There is no game nwe here (did you mean new?).")
    second.type("new", BETS)
    second.type("quit", "punto play --game ez-2 goes on with it.")
    assert second.end() == 0
    assert game(tmp_path, "ez").read_bytes() == before
    named = sit(tmp_path, "--game", "ez-2")
    named.wait_for("There is a game of EZ Baccarat: round 1")
    named.wait_for(BETS)
    named.type("leave", "nothing of it is kept")
    assert named.end() == 0
    assert not game(tmp_path, "ez-2").exists()
    assert game(tmp_path, "ez").read_bytes() == before


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "my game.db"
    options = ("knockout", "--save", str(file), "--seed", "5", "--box", "1")
    terminal = sit(tmp_path, *options)
    terminal.wait_for(BETS)
    terminal.type("b 100 ap 50 ab 20 deal", "wager or give up> ")
    terminal.type("maybe", "Write wager, or give up.")
    terminal.type("w", "Ante (Banker) 20")
    terminal.wait_for("wager or give up> ")
    terminal.child.kill(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL

    assert Path(f"{file}-wal").exists(), "as a killed program leaves it"
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
    terminal.interrupt("1 round from 1 shoe.")
    assert terminal.end() == 130
    assert "wins, " not in terminal.text

    again = sit(tmp_path)
    again.wait_for("or new? [1] ")
    again.type("", "Banker wins, ")
    again.wait_for("pays 1:1")
    again.wait_for("in hand 5,090")
    again.wait_for("Round 2")
    again.wait_for(BETS)
    again.type("quit")
    assert again.end() == 0
    again.check()


def test_tab_completes_what_can_be_typed_here(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "insurance", "--seed", "5", "--box", "1")
    terminal.wait_for(BETS)
    terminal.child.send("super\t10\r")
    terminal.wait_for("On the layout: super-six-plus 10.")
    terminal.wait_for(BETS)
    terminal.child.send("cle\t\r")
    terminal.wait_for("On the layout: none.")
    terminal.wait_for(BETS)
    terminal.type("b 100 deal", "insure Banker (0-66)> ")
    terminal.child.send("ma\t\r")
    terminal.wait_for("66 on Banker at 3:2.")
    terminal.wait_for(BETS)
    terminal.type("quit")
    assert terminal.end() == 0


def test_words_of_betting_that_people_try(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "insurance", "--seed", "5", "--box", "1")
    terminal.wait_for(BETS)
    for line, layout in (
        ("p100", "player 100. In hand 4,900."),
        ("50 tie", "player 100, tie 50. In hand 4,850."),
        ("double", "player 200, tie 100. In hand 4,700."),
        ("off p 50", "player 150, tie 100. In hand 4,750."),
        ("undo", "player 200, tie 100. In hand 4,700."),
        ("undo", "player 100, tie 50. In hand 4,850."),
        ("clear", "none. In hand 5,000."),
        ("undo", "player 100, tie 50. In hand 4,850."),
        ("b max", "player 100, tie 50, banker 4,850. In hand 0."),
    ):
        terminal.type(line, f"On the layout: {layout}")
        terminal.wait_for(BETS)
    terminal.type("p 1", "That is 1. You have 0 in hand; type buy 1 for more chips.")
    terminal.wait_for(BETS)
    terminal.type("quit")
    assert terminal.end() == 0
    terminal.check()


def test_an_ante_that_cannot_be_followed_is_warned_of_before_the_cards(tmp_path: Path) -> None:
    terminal = sit(tmp_path, "knockout", "--seed", "5", "--box", "1", "--bankroll", "250")
    terminal.wait_for(BETS)
    terminal.type("ap 100 deal", "the wager will be 200, and you will have 150 in")
    terminal.wait_for("The cards have not been dealt")
    terminal.wait_for(BETS)
    terminal.type("deal", "You have 150 in hand; type buy 50 for more chips.")
    terminal.wait_for("wager or give up> ")
    terminal.type("?", "You must decide an ante")
    terminal.wait_for("wager or give up> ")
    terminal.type("w", "The wager is 200. You have 150 in hand; type buy 50 for more chips.")
    terminal.wait_for("wager or give up> ")
    terminal.type("buy 50", "In hand 200.")
    terminal.type("w", "Round 2")
    terminal.type("quit")
    assert terminal.end() == 0


def test_passing_the_first_insurance_says_that_it_gives_up_the_second(tmp_path: Path) -> None:
    """Clause 5.3, and only where a second offer could come."""
    for seed, is_said in ((11, True), (10, False), (5, False)):
        terminal = sit(tmp_path, "insurance", "--new", "--seed", str(seed), "--box", "1")
        terminal.wait_for(BETS)
        terminal.type("b 100 deal", "insure Banker (0-")
        terminal.wait_for("> ")
        said = "gives up the offer after Player's third card, too (clause 5.3)"
        assert (said in " ".join(terminal.text.split())) is is_said
        terminal.type("quit")
        assert terminal.end() == 0
