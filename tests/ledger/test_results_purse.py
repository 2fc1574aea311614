from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.books import NAMES
from punto.ledger.results import Purse, purse_of
from punto.rules.authority import Role
from punto.rules.outcome import Result, Winner
from punto.table import Refusal, legal_commands
from punto.table.betting import BetPlaced, BetReturned, ReturnReason
from punto.table.event import Event
from punto.table.irregularity_events import BetsReturned, RoundVoided
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, Stake
from tests.table.machine_commands import ASTRAY, ONWARD, PEOPLE, PLAYERS, filled, random_terms
from tests.table.scenes import Scene

BY = ("somebody", Role.DEALER, 0)


@pytest.mark.gli("2.5.6")
def test_every_way_in_which_money_moves() -> None:
    stake = Stake(1, "Ann", "banker", 300)
    events: list[Event] = [
        BetPlaced(*BY, box=1, player="Ann", area="banker", amount=1500, is_seated=True, rejected=500),
        BetReturned(*BY, box=1, player="Ann", area="banker", amount=200, why=ReturnReason.REDUCED),
        RoundVoided(*BY, round=1, clause=None, returned=(stake, stake)),
        BetsReturned(*BY, bets=(stake,), clause=None),
    ]
    purse = purse_of("Ann", 5000, events)
    assert (purse.bought, purse.in_hand, purse.on_layout) == (5000, 4600, 400)
    assert purse.buy(1000).in_hand == 5600


def test_a_settlement_brings_back_the_stake_with_what_was_won() -> None:
    won = SettledBet(1, "Ann", "banker", 1000, Result.WIN, 950, "3.4", odds="19:20")
    lost = SettledBet(1, "Ann", "tie", 200, Result.LOSE, -200, "3.4")
    purse = Purse("Ann", 5000, 3800, 1200)
    settled = purse.after(RoundSettled(*BY, round=1, winner=Winner.BANKER, bets=(won, lost)))
    assert (settled.in_hand, settled.on_layout) == (5750, 0)
    reversed_ = settled.after(SettlementReversed(*BY, round=1))
    assert (reversed_.in_hand, reversed_.on_layout) == (3800, 1200), "as before the settlement"


def test_the_chips_of_others_are_not_counted() -> None:
    scene = Scene("insurance")
    scene.start(Ann="player=3000 banker=1000", Ben="banker=2000")
    assert [purse_of(name, 5000, scene.log).on_layout for name in ("Ann", "Ben", "Cat")] == [4000, 2000, 0]
    scene.deal("9H 2H KD KC")
    scene.settle()
    assert [purse_of(name, 5000, scene.log).in_hand for name in ("Ann", "Ben", "Cat")] == [7000, 3000, 5000]


@pytest.mark.parametrize("book", NAMES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=4, deadline=None)
def test_what_lies_is_what_the_table_sees_whatever_happens(book: str, seed: int) -> None:
    """Anybody does anything, reports and reversals too; no chip comes from nowhere or vanishes."""
    random = Random(seed)
    terms = random_terms(book, random)
    scene = Scene(book, **{name: getattr(terms, name) for name in terms.__struct_fields__ if name != "book"})
    for box, player in enumerate(PLAYERS[:2], start=1):
        scene.seat(player, box)
    purses, told = {player: Purse(player) for player in PLAYERS}, 0
    for step in range(60):
        actor, role = random.choice(PEOPLE)
        kinds = ASTRAY if step % 8 == 7 else ONWARD
        listed = [each for each in legal_commands(scene.table, actor, role) if isinstance(each.command, kinds)]
        if not listed or isinstance(scene.give(filled(random.choice(listed), scene.table, random)), Refusal):
            continue
        for player, purse in purses.items():
            for event in scene.log[told:]:
                purse = purse.after(event)
            lying = sum(stake.amount for stake in scene.state.stakes if stake.player == player)
            assert purse.on_layout == (lying if scene.state.settled is None else 0)
            purses[player] = purse
        told = len(scene.log)
    for player, purse in purses.items():
        assert purse == purse_of(player, 0, scene.log)
