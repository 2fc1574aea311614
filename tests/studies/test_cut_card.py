"""The cut-card effect, measured in two ways, beside plain dealing and the figures of very long runs."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from punto.books import load
from punto.cards.shoe import Burn
from punto.simulation.deals import ShoeTerms
from punto.simulation.run import Tally, deals_of
from punto.studies import cut_card
from punto.studies.cut_card import CutCardEffect, Shift, bet_deviations, cut_card_effect
from punto.studies.expectations import Block, Shoes

KNOCKOUT, EZ = load("knockout"), load("ez")


def by_name(effect: CutCardEffect) -> dict[str, Shift]:
    return {shift.bet: shift for shift in (*effect.bets, *effect.lengths)}


@pytest.mark.slow
def test_the_figures_of_eight_decks() -> None:
    """Those of 12 trillion rounds dealt one by one on a GPU, in millionths: docs/reference/simulation.md."""
    found = by_name(cut_card_effect(KNOCKOUT, Shoes(KNOCKOUT.play, 8), 20_000, 1))
    found |= by_name(cut_card_effect(EZ, Shoes(EZ.play, 8), 20_000, 1))
    dealt = {"4 cards": -56.66, "5 cards": 11.30, "6 cards": 45.36, "player": 3.24, "tie": 3.05}
    dealt |= {"winning-total-1-4": 128.72, "winning-total-5-6": 104.25, "winning-total-7": 54.92}
    dealt |= {"winning-total-8": -85.23, "winning-total-9": -95.32, "dragon-7": 136.17, "panda-8": 18.24}
    for name, millionths in dealt.items():
        assert found[name].shift * 1e6 == pytest.approx(millionths, abs=4 * found[name].error * 1e6)
    assert found["4 cards"].is_seen
    assert found["6 cards"].is_seen
    assert found["4 cards"].shift < 0 < found["6 cards"].shift  # long rounds are over-represented


def test_lengths_of_rounds_sum_to_nothing() -> None:
    effect = cut_card_effect(EZ, Shoes(EZ.play, 6), 200, 3)
    assert sum(shift.shift for shift in effect.lengths) == pytest.approx(0, abs=1e-12)
    assert sum(shift.fresh for shift in effect.lengths) == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
def test_counting_every_round_gives_the_same_with_more_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    shoes = Shoes(EZ.play, 1, 14)
    few = by_name(cut_card_effect(EZ, shoes, 20_000, 1))
    monkeypatch.setattr(cut_card, "LEAST_BEHIND_CUT", 1_000)
    every = by_name(cut_card_effect(EZ, shoes, 20_000, 2))
    for name, shift in few.items():
        both = (shift.error**2 + every[name].error ** 2) ** 0.5
        assert shift.shift == pytest.approx(every[name].shift, abs=4.5 * both)
        assert shift.error < every[name].error


@pytest.mark.slow
def test_plain_dealing_of_one_deck_shifts_as_much() -> None:
    terms = ShoeTerms(decks=1, behind_cut=14, burn=Burn())
    deals = deals_of(EZ, terms, 7)
    dealt = Tally.empty(deals).plus(deals.play(0, 4_000_000)).bets(EZ)
    found = by_name(cut_card_effect(EZ, Shoes(EZ.play, 1, 14), 40_000, 1))
    assert any(shift.is_seen for shift in found.values())
    for bet in dealt:
        shift = found[bet.bet]
        error = (bet.error**2 + shift.error**2) ** 0.5
        assert bet.mean - shift.fresh == pytest.approx(shift.shift, abs=4.5 * error)


def test_deviations_are_those_of_one_round() -> None:
    found = bet_deviations(KNOCKOUT, 8)
    assert found["player"] == pytest.approx(0.9512, abs=1e-3)
    assert found["ante-player"] > 2  # the wager is twice the ante


@pytest.mark.slow
def test_false_alarms_over_1000_runs_without_an_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the first five rounds of a shoe there is nothing to see, and at most 67 runs say otherwise."""

    def first_five(block: Block, played: NDArray[np.int64], _: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        number = np.arange(len(block.shoe)) - np.repeat(np.cumsum(played) - played, played)
        rows = np.flatnonzero(number < 5)
        return rows, np.ones(len(rows))

    monkeypatch.setattr(cut_card, "_weighed", first_five)
    alarms = 0
    for seed in range(1_000):
        effect = cut_card_effect(EZ, Shoes(EZ.play, 1, 1), 60, seed)
        alarms += any(shift.is_seen for shift in (*effect.bets, *effect.lengths))
    assert alarms <= 67
