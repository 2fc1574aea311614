"""Perfect play against the exact engine, round by round, and beside the published counts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from punto.books import NAMES, load
from punto.cards.card import Rank
from punto.odds import Undealt, ante_odds, book_odds
from punto.odds.insurance import gains_with_cards
from punto.rules.book_text import Area
from punto.rules.outcome import Hand
from punto.studies.card_counting import TRAINING, CardCount, countability, perfect_play
from punto.studies.expectations import Expectations, Shoes, followed_areas

SIDE_BETS = str(Path(__file__).parents[2] / "docs/examples/side-bets.toml")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ez", "easy-six"])
def test_earnings_are_the_exact_expectations_above_zero(name: str) -> None:
    book, shoes = load(name), Shoes(load(name).play, 6)
    found = perfect_play(book, shoes, 2, seed=5)
    block = next(iter(shoes.sample(2, 5)))
    exact: dict[str, Fraction] = {}
    for ranks in block.ranks.tolist():
        undealt = Undealt.of_counts({rank.notation: ranks[rank - 1] for rank in Rank})
        for bet in book_odds(book, undealt).bets:
            exact[bet.area] = exact.get(bet.area, Fraction(0)) + max(bet.ev, Fraction(0))
    assert found.rounds == len(block.ranks) / 2
    assert set(found.perfect) == set(exact)
    for area, earnings in found.perfect.items():
        assert earnings.units == pytest.approx(float(exact[area]) / 2, abs=1e-12)


@pytest.mark.slow
def test_the_standard_error_is_that_of_the_shoes() -> None:
    book, shoes = load("ez"), Shoes(load("ez").play, 8)
    few, many = (perfect_play(book, shoes, n, seed=5).perfect["dragon-7"].error for n in (1_000, 4_000))
    assert few is not None
    assert many is not None
    assert 0.01 < few < 0.05
    assert few == pytest.approx(many * 2, rel=0.2)
    assert perfect_play(book, shoes, 1, seed=5).perfect["dragon-7"].error is None


def test_which_bets_are_followed() -> None:
    for name in NAMES:
        book = load(name)
        insured = {"player-insured", "banker-insured"} if book.insurance else set()
        bets = {bet.area for bet in book.bets if bet.kind is not Area.WAGER}
        assert set(followed_areas(book)) == bets | insured
    followed = followed_areas(load(SIDE_BETS))
    assert "dragon-bonus-player" in followed
    assert "perfect-pair" not in followed  # suits
    assert "either-pair" not in followed  # both hands


def test_an_ante_is_followed_as_one_that_is_played() -> None:
    book = load("knockout")
    expect = Expectations(book)
    block = next(iter(Shoes(book.play, 8).sample(1, 9)))
    found = expect(block)[:, expect.areas.index("ante-banker")]
    for row in (0, 40, 70):
        undealt = Undealt.of_counts({rank.notation: int(block.ranks[row, rank - 1]) for rank in Rank})
        decisions = ante_odds(book, undealt).sides[1].decisions
        assert found[row] == pytest.approx(float(sum(d.chance * d.play for d in decisions)), abs=1e-12)


@pytest.mark.slow
def test_dragon_7_and_panda_8_beside_jacobson() -> None:
    book = load("ez")
    study = countability(book, Shoes(book.play, 8), 4_000, seed=2)
    for bet in study.bets:
        if bet.published:
            [beside] = bet.published
            assert beside.ours.error is not None
            assert beside.ours.units == pytest.approx(beside.count.units, abs=4 * beside.ours.error)
            assert beside.ours.trigger == beside.count.trigger or beside.count.trigger is None
            assert bet.perfect is not None
            assert bet.perfect.units > beside.ours.units
    assert sum(bool(bet.published) for bet in study.bets) == 2
    assert 80 < study.rounds < 82


def test_a_winning_total_is_followed_with_the_cheapest_main_bet() -> None:
    book = load("knockout")
    expect = Expectations(book)
    block = next(iter(Shoes(book.play, 8).sample(1, 3)))
    found = expect(block)
    for row in (0, 30, 79):
        undealt = Undealt.of_counts({rank.notation: int(block.ranks[row, rank - 1]) for rank in Rank})
        odds = book_odds(book, undealt)
        main = max(odds.bet("player").ev, odds.bet("banker").ev)
        for area in ("winning-total-1-4", "winning-total-9"):
            both = float(odds.bet(area).ev + main)
            assert found[row, expect.areas.index(area)] == pytest.approx(both, abs=1e-12)


def test_an_insured_bet_is_followed_with_all_cards_known() -> None:
    book = load("insurance")
    expect = Expectations(book)
    block = next(iter(Shoes(book.play, 6).sample(1, 3)))
    found = expect(block)
    for row in (0, 55):
        undealt = Undealt.of_counts({rank.notation: int(block.ranks[row, rank - 1]) for rank in Rank})
        gains, odds = gains_with_cards(book, undealt), book_odds(book, undealt)
        for hand in Hand:
            value = float(odds.bet(hand.value).ev + gains[hand])
            assert found[row, expect.areas.index(f"{hand.value}-insured")] == pytest.approx(value, abs=1e-12)


def test_triggers_are_chosen_on_other_shoes() -> None:
    book = load("ez")
    shoes = Shoes(book.play, 8)
    tags = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0)
    found = perfect_play(book, shoes, 30, 4, [CardCount("own", "dragon-7", tags)])
    assert found.training == 30
    judged, trained = (next(iter(shoes.sample(30, 4, stream))) for stream in (0, TRAINING))
    assert judged.ranks.tolist() != trained.ranks.tolist()
    expect = Expectations(book)
    seen = (32 - trained.ranks) @ np.array(tags)
    halves = np.floor(seen / (trained.ranks.sum(axis=1) / 52) * 2)
    values = expect(trained)[:, expect.areas.index("dragon-7")]
    worth = {half: values[halves >= half].sum() for half in set(halves.tolist())}
    assert found.counted["own"].trigger == max(worth, key=lambda half: worth[half]) / 2


@pytest.mark.slow
def test_no_shoes_give_effects_and_tags_alone() -> None:
    book = load("knockout")
    study = countability(book, Shoes(book.play, 8), 0, seed=1)
    assert all(bet.perfect is None for bet in study.bets)
    assert "ante-player" in [bet.area for bet in study.bets]


def test_the_study_renders_as_a_table() -> None:
    book = load("commission")
    html = countability(book, Shoes(book.play, 8), 20, seed=1)._repr_html_()
    assert html.startswith('<div style="overflow-x:auto"><table><caption>Commission Baccarat: units earned per shoe')


def test_shoes_that_earn_nothing_say_nothing_about_the_error() -> None:
    """Player hardly ever has a positive expectation: a few shoes without one are not a proof of none."""
    few = perfect_play(load("ez"), Shoes(load("ez").play, 8, 200), 5, seed=1)
    assert (few.perfect["player"].units, few.perfect["player"].error) == (0.0, None)


def test_an_error_from_very_few_earning_shoes_is_called_rough() -> None:
    """A tie hardly ever has a positive expectation in one deck, Dragon 7 in many shoes."""
    found = perfect_play(load("ez"), Shoes(load("ez").play, 1), 400, seed=1).perfect
    assert found["tie"].is_rough
    assert not found["dragon-7"].is_rough
