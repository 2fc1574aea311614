from __future__ import annotations

from fractions import Fraction

import pytest

from punto.books import NAMES, load
from punto.drill.quiz import UnreadableAnswer
from punto.drill.round_questions import PayoutsAnswer, ask_boxes
from punto.money import parse_amount
from tests.agreement.oracle import net_of_unit, rounded
from tests.agreement.oracle_deal import play_out
from tests.drill.chosen import seeded


@pytest.mark.parametrize("book", NAMES)
def test_every_box_is_paid_as_a_second_reading_pays_it_from_box_1_on(book: str) -> None:
    """The oracle shares nothing with punto; boxes come in rising order, counter-clockwise from the dealer."""
    chance, wins = seeded(7), 0
    for number in range(60):
        question = ask_boxes(load(book), ("two-boxes", "three-boxes")[number % 2], chance)
        laid = {tuple(name.removeprefix("box ").split(": ")): stake for name, stake in question.stakes}
        cards = [str(card) for hand in (question.player, question.banker) for card in hand]
        player, banker = cards[: len(question.player)], cards[len(question.player) :]
        deal = play_out([player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]])
        expected = []
        for box in sorted({int(box) for box, _ in laid}):
            slip = {area: stake for (at, area), stake in laid.items() if int(at) == box}
            nets = {
                area: rounded(Fraction(stake) * net_of_unit(book, area, deal, slip)) for area, stake in slip.items()
            }
            expected.append(sorted(nets.values()))
        got, at = ([parse_amount(word, allow_zero=True, allow_negative=True) for word in question.answer.split()], 0)
        for nets_of_box in expected:
            assert sorted(got[at : at + len(nets_of_box)]) == nets_of_box
            at += len(nets_of_box)
        assert at == len(got)
        assert question.is_right(question.right)
        wins += sum(net > 0 for net in got)
    assert wins > 20


def test_answers_are_read_in_their_order() -> None:
    form = PayoutsAnswer((100_00, 50_00, 10_00))
    assert form.read("95 lost 0") == form.read("95, lost, back") == "95.00 -50.00 0.00"
    assert form.show("95.00 -50.00 0.00") == "95, lost, 0"
    for text in ("95 lost", "95 lost 0 0", "95 lost perhaps", ""):
        with pytest.raises(UnreadableAnswer):
            form.read(text)
