from __future__ import annotations

from pathlib import Path

import pytest

from punto.cards.card import DECK, Card
from punto.cli.play_screen import peeled
from tests.cli.called import refusal
from tests.cli.piped_game import piped

PIPS_AT_THE_SIDE = {1: "no", 2: "no", 3: "no", 4: "two", 5: "two", 6: "three", 7: "three", 8: "three", 9: "four"}


@pytest.mark.parametrize("card", DECK)
def test_what_shows_is_true_and_does_not_give_the_card_away_at_once(card: Card) -> None:
    steps = peeled(card)
    if card.rank.notation in ("J", "Q", "K"):
        assert len(steps) == 1
        assert "picture card, which counts 0" in steps[0]
        return
    assert len(steps) == 2
    assert steps[1].startswith(PIPS_AT_THE_SIDE.get(int(card.rank), "four"))
    alike = [other for other in DECK if peeled(other)[0] == steps[0]]
    assert len({other.rank for other in alike}) >= 2 or int(card.rank) == 1
    # No suit, and above an ace no rank, is known before the card is turned over.
    assert len({other.suit for other in alike}) == 4


def test_a_game_is_squeezed_and_comes_out_as_it_would_face_up(tmp_path: Path) -> None:
    down = piped(
        tmp_path,
        "b 100 deal\nodds\n\n\nopen\nno\nhello\nopen all\nquit\n",
        *("insurance", "--seed", "5", "--box", "1", "--squeeze", "--save", str(tmp_path / "game.json")),
    )
    assert (down.returncode, down.stderr) == (0, "")
    up = piped(tmp_path, "b 100 deal\nno\nquit\n", "insurance", "--seed", "5", "--box", "1")
    assert down.stdout.split("Your statement")[1].split("The game")[0].strip() == (
        up.stdout.split("Your statement")[1].strip()
    )
    first = down.stdout.split("squeeze Banker's first card> odds")[0]
    assert "░░░" in first
    assert "9" not in first.split("your bets> b 100 deal")[1]  # Banker's nine lies face down
    assert "Odds go by open cards" in down.stdout
    assert "Banker's first card: two pips at the edge" in down.stdout
    assert "Press Enter to peel, or type open." in down.stdout
    again = piped(tmp_path, "statement\nquit\n", "--save", str(tmp_path / "game.json"))
    assert "1 round from 1 shoe." in again.stdout


def test_a_book_without_a_squeeze_says_so() -> None:
    assert "ez has no squeeze" in refusal("play", "ez", "--squeeze")
