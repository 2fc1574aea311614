"""A strategy that is asked for: what is left out, what is refused, and policies by a word or row by row."""

from __future__ import annotations

from typing import Any

import pytest

from punto.books import load
from punto.rules.outcome import Hand
from punto.simulation import ShoeTerms, deals_of
from punto.simulation.own_strategy import StrategyFault, given_source
from punto.simulation.strategy import Insuring, InsuringRule, Progression, Strategy
from punto.studies.chosen_strategy import POLICIES, STRATEGIES, StrategyChoice

ROW = InsuringRule(Hand.PLAYER, 4, 6, 5, Insuring.INSURE)


def strategy(book: str, name: str = "flat", **asked: Any) -> Strategy:
    rules = load(book)
    choice = StrategyChoice(name=name, **asked)
    return choice.sessions(rules, deals_of(rules, ShoeTerms(), 1)).strategy


def test_what_is_left_out_is_a_hundred_on_banker() -> None:
    assert strategy("commission").stakes == {"banker": 100_00}
    assert strategy("commission", stakes={"Player Pair": 5, "TIE": 7}).stakes == {"player-pair": 5, "tie": 7}


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_name_is_a_strategy(name: str) -> None:
    made = strategy("commission", name, tags=(0,) * 10 if name == "count" else None)
    assert made.progression is (Progression.FLAT if name == "count" else Progression(name))
    assert (made.count is not None) == (name == "count")


def test_policies_by_a_word_and_row_by_row() -> None:
    never, always, best = (strategy("insurance", insure=word).insuring for word in POLICIES)
    assert never == () and {rule.choice for rule in always} == {Insuring.INSURE}
    assert {rule.choice for rule in best} >= {Insuring.PASS} and len(best) == len(always) > 10
    assert strategy("insurance", insure=(ROW,)).insuring == (ROW,)
    antes = {word: strategy("knockout", stakes={"ante-player": 100}, give_up=word).giving_up for word in POLICIES}
    assert antes["never"] == {} and antes["always"]["ante-player"] == tuple(range(10))
    assert antes["best"] == {"ante-player": (), "ante-banker": ()}, "to follow every ante is best"
    assert strategy("knockout", stakes={"ante-player": 100}, give_up={"ante-player": (3,)}).giving_up == {
        "ante-player": (3,)
    }


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"name": "marti"}, "'marti' is not a strategy (did you mean"),
        ({"name": "count"}, "a count needs tags"),
        ({"stakes": {"tie": 5, "Tie": 6}}, "a betting area is named twice among tie, Tie"),
        ({"stakes": {"dragon-7": 5}}, "'dragon-7' is not an opening bet of commission"),
        ({"insure": "best"}, "commission has no insurance"),
        ({"insure": "bst"}, "'bst' is not a policy (did you mean best?)"),
        ({"insure": (ROW, ROW)}, "decides twice on the player hand at 4 cards, Player 6, Banker 5"),
        ({"give_up": "never"}, "commission has no antes"),
        ({"bankroll": 5}, "a bankroll of 0.05 is less than the first stakes"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^.{1,300}$") as raised:
        strategy("commission", **asked)
    assert sentence in str(raised.value)


class Insurer:
    def bets(self, _view: Any) -> dict[str, int]:
        return {"banker": 1000}

    def insure(self, _view: Any, _offer: Any) -> int:
        return 0


def test_a_function_decides_what_it_decides_alone() -> None:
    own = given_source(Insurer)
    assert strategy("insurance", "Insurer", source=own).stakes.keys() >= {"banker", "player"}
    for asked in ({"stakes": {"tie": 5}}, {"tags": (0,) * 10}, {"line": (1,)}):
        with pytest.raises(ValueError, match="your own strategy says what to bet"):
            strategy("insurance", "Insurer", source=own, **asked)
    with pytest.raises(ValueError, match=r"Insurer in .* decides insurance itself"):
        strategy("insurance", "Insurer", source=own, insure="best")
    with pytest.raises(StrategyFault, match="takes 0 parameters"):
        given_source(lambda: {})
