"""Many rounds as arrays: the quick maker deals as the engine does, and planted faults show in them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from punto import books
from punto.audit.sight import SeenRound, SeenShoe
from punto.audit.watch import LEVEL, watch_arrays
from punto.cards.card import DECK, Card
from punto.coup.coup import deal
from tests.audit import many_floors
from tests.audit.many_floors import Fault, many_rounds

BOOK = books.load("commission")


def test_the_quick_maker_deals_as_the_engine_does() -> None:
    random = Random(3)
    for _ in range(5):
        order = [card for card in DECK for _ in range(8)]
        random.shuffle(order)
        indexes = np.array([card.index for card in order])
        play = BOOK.play
        shown, facts, unseen, after_cut = many_floors._deal(
            indexes, np.array(play.ends), np.array(play.player_draws), np.array(play.banker_draws)
        )
        place = 1 + (order[0].points or 10)
        seen, shoe = [order[0]], SeenShoe(1, 8)
        while len(shoe.rounds) < len(facts):
            counts = [8 - seen.count(card) for card in DECK]
            coup = deal(play, order, place)
            shoe.rounds.append(SeenRound(tuple(counts), coup.facts))
            place += len(coup.cards)
            seen += coup.cards
        assert [(one.facts.totals, one.facts.player_pair, one.facts.banker_pair) for one in shoe.rounds] == [
            tuple(row) for row in facts.tolist()
        ]
        assert [one.unseen for one in shoe.rounds] == [tuple(row) for row in unseen.tolist()]
        assert sorted(seen, key=order.index) == sorted((order[i] for i in shown), key=order.index)
        assert 416 - place <= 14 and after_cut.tolist() == [False] * (len(facts) - 1) + [True]


@pytest.mark.slow
def test_honest_floors_stay_quiet() -> None:
    floors, rounds = 8, 2_000
    alarmed = [seed for seed in range(floors) if not watch_arrays(BOOK, many_rounds(BOOK, rounds, seed)).is_quiet]
    # At a level of 1 % two false alarms in 8 tables have a chance of 0.3 %.
    assert LEVEL == 0.01 and len(alarmed) < 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "question"),
    [(Fault(missing=Card.parse("9S").index), "a card missing or too many"), (Fault(peeks=0.2), "winnings of Ray")],
)
def test_planted_faults_show(fault: Fault, question: str) -> None:
    found = watch_arrays(BOOK, many_rounds(BOOK, 4_000, 5, fault))
    assert question in [answer.question for answer in found.alarms]
