from __future__ import annotations

import pytest

from punto.books import load
from punto.drill.round_questions import ask_winner
from punto.drill.training import KINDS
from tests.agreement.oracle_deal import play_out
from tests.drill.chosen import asked, seeded, told


def test_who_won() -> None:
    assert told(asked("ez", "winner", "4-cards", "KS KH 9D 7C")) == ("player", "4")
    assert told(asked("ez", "winner", "4-cards", "KS KH 7D 7C")) == ("tie", "4")
    assert told(asked("commission", "winner", "6-cards", "KS KH AD 2C 2H 4S")) == ("banker", "3.7")


@pytest.mark.parametrize(
    ("book", "winner", "tie"),
    [
        ("commission", "3.7", "3.8"),
        ("easy-six", "3.7", "3.8"),
        ("ez", "4", "4"),
        ("insurance", "3.16", "3.17"),
        ("knockout", "3.8", "3.9"),
    ],
)
def test_a_winner_and_a_tie_have_clauses_of_their_own(book: str, winner: str, tie: str) -> None:
    assert told(asked(book, "winner", "4-cards", "KS KH 9D 7C")) == ("player", winner)
    assert told(asked(book, "winner", "4-cards", "KS KH 7D 7C")) == ("tie", tie)


def test_winners_by_a_second_reading() -> None:
    compiled, seen = load("commission"), set()
    for subject in KINDS["winner"].subjects(compiled):
        for seed in range(20):
            question = ask_winner(compiled, subject, seeded(seed))
            player, banker = [str(card) for card in question.player], [str(card) for card in question.banker]
            cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
            deal = play_out([*cards, "KS", "KS"])
            assert (deal.player, deal.banker, deal.winner) == (player, banker, question.answer)
            assert subject == f"{len(cards)}-cards"
            seen.add((subject, question.answer))
    assert len(seen) == 9
