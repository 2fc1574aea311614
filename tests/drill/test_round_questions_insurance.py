from __future__ import annotations

from fractions import Fraction

from punto.books import NAMES, load
from punto.drill.round_questions import ask_insurance
from punto.drill.training import KINDS
from tests.agreement.oracle_deal import CHART, total, worth
from tests.agreement.oracle_insurance import INSURANCE
from tests.drill.chosen import asked, seeded, told


def test_after_four_cards() -> None:
    # Banker 6 against Player 5: 3 to 1, and a third of 100 in whole chips is 33.
    cards = "KS KH 5D 6C"
    assert told(asked("insurance", "insurance", "insurance-banker-4", cards, 20)) == ("3:1 33.00", "3.12.2")
    # Nothing is in the table for Player 5 against 6.
    none = asked("insurance", "insurance", "insurance-player-4", cards, 20, fraction=0.9)
    assert told(none) == ("none", "4.1.2")
    # Player 7 against Banker 6 is in no row either; against 5 it is, and Banker draws.
    assert told(asked("insurance", "insurance", "insurance-player-4", "KS KH 7D 5C", 8)) == ("4:1 10.00", "3.12.2")


def test_after_players_third_card() -> None:
    # Player 3, Banker 4: 3 to 2, and 90 may be insured with 60.
    cards = "KS KH AD 4C 2H"
    assert told(asked("insurance", "insurance", "insurance-banker-5", cards, 18)) == ("3:2 60.00", "3.12.2")
    # A table for Player 8 against Banker 7 has no row, and a Banker 6 draws on a six or seven only.
    none = asked("insurance", "insurance", "insurance-player-5", "KS KH 3D 6C 5H", 20, fraction=0.9)
    assert told(none) == ("none", "3.12.1")


def test_what_was_promised_before_comes_off() -> None:
    # Banker 6 against Player 2 pays 3 to 1: 20 of it promise 60 of the 100. Player draws a seven and has 9,
    # Banker draws, and on Banker the table has nothing for that.
    none = asked("insurance", "insurance", "insurance-banker-5", "KS KH 2D 6C 7H", 20, 20, fraction=0.9)
    assert told(none) == ("none", "4.1.2")
    # With a third card of six and two points of five … Player has 1: 7 to 1 on what is left, 40.
    left = asked("insurance", "insurance", "insurance-banker-5", "KS KH 5D 6C 6H", 20, 20)
    assert "insured after four cards with 20 at 3:1" in left.text
    assert told(left) == ("7:1 5.00", "3.12.2")


def test_only_where_the_book_has_insurance() -> None:
    assert {name for name in NAMES if KINDS["insurance"].subjects(load(name))} == {"insurance"}


def test_every_window_by_a_second_reading() -> None:
    book = load("insurance")
    seen = set()
    for subject in KINDS["insurance"].subjects(book):
        for seed in range(40):
            question = ask_insurance(book, subject, seeded(seed))
            right = by_hand(subject, question.text, question.stakes[0][1] // 100, question.player, question.banker)
            assert question.answer == right
            seen.add((subject, right == "none"))
    assert len(seen) == 8


def by_hand(subject: str, text: str, bet: int, player: tuple[object, ...], banker: tuple[object, ...]) -> str:
    """The offer as the document's table and clauses 3.12.1 and 3.12.2 give it."""
    hands = [str(card) for card in player], [str(card) for card in banker]
    p, b = total(hands[0]), total(hands[1])
    third = [CHART[b, worth(card)] for card in hands[0][2:]]
    comes = third[0] if third else not {p, b} & {8, 9} and (p <= 5 or b <= 5)
    odds = INSURANCE.get((subject, p, b))
    if odds is None or not comes:
        return "none"
    left = Fraction(bet)
    if "insured after four cards with " in text:
        stake, at = text.split("insured after four cards with ")[1].split(".")[0].split(" at ")
        won, for_each = at.split(":")
        left -= int(stake) * Fraction(int(won), int(for_each))
    most = int(left / odds)
    return f"{odds.numerator}:{odds.denominator} {most}.00" if most else "none"
