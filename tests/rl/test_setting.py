"""What an agent plays: actions and observations out of a book, and what cannot be played."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from punto.books import load
from punto.rl.setting import AgentSetting, AgentTerms
from tests.rl.at_random import BOOKS


def test_actions_are_the_decisions_of_the_book() -> None:
    names = [list(AgentSetting.of(book).number_of) for book in ("ez", "insurance", "knockout")]
    areas = ["player", "banker", "tie", "dragon-7", "panda-8"]
    assert names[0] == ["deal", "leave", *(f"bet {area} 1" for area in areas)]
    assert names[1][-3:] == ["insure", "hold", "pass"]
    assert names[2][-2:] == ["play", "give-up"] and "bet ante-banker 1" in names[2]
    assert not any("wager" in name or "insurance" in name for name in names[1] + names[2])
    assert list(AgentSetting.of("ez", chips=(1, 5)).number_of)[2:4] == ["bet player 1", "bet player 5"]


@pytest.mark.parametrize("book", BOOKS)
def test_of_the_usual_unit_nothing_is_ever_rounded(book: str) -> None:
    setting = AgentSetting.of(book)
    nets = [net for table in setting.book.pay_tables.values() for net in table.nets]
    odds = [offer.odds for offers in setting.book.offers.cells.values() for offer in offers]
    exact = [(net * setting.unit).denominator for net in nets] + [(setting.unit / each).denominator for each in odds]
    assert set(exact) == {1} and 1000 <= setting.unit < 1200


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"book": "bankr"}, "there is no book bankr"),
        ({"book": "ez", "decks": 5}, "5"),
        ({"book": "ez", "behind_cut": 500}, "cards behind the cut card must be from 0"),
        ({"book": "ez", "burn": "many"}, "not a way of burning"),
        ({"book": "insurance", "unit": 7}, "a unit of insurance is 8 to 1000000 minor units, not 7"),
        ({"book": "ez", "most": 0}, "the most units on one area are from 1 to 1000, not 0"),
        ({"book": "ez", "chips": ()}, "an action lays from 1 to 10 units"),
        ({"book": "ez", "chips": (1, 11)}, "an action lays from 1 to 10 units"),
        ({"book": "ez", "chips": (1, 1)}, "an action lays from 1 to 10 units"),
        ({"book": "ez", "chips": 5}, "an action lays from 1 to 10 units, each number once, not 5"),
        ({"book": "ez", "chips": [1.5]}, "1.5 is not a number of units; give a whole number"),
        ({"book": "ez", "most": "many"}, "'many' is not a number of units; give a whole number"),
        ({"book": "ez", "unit": 1000.5}, "1000.5 is not an amount: give minor units as a whole number"),
        ({"book": "ez", "behind_cut": "x"}, "'x' is not a number of cards behind the cut card"),
        ({"book": "ez", "digest": "00"}, "the book ez has changed: its digest is"),
        ({"book": None}, "NoneType is not a book; give its name, the path of its file, or a Book"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        AgentSetting.of(**wrong)


def test_terms_are_read_as_everywhere() -> None:
    typed = AgentSetting.of(load("ez"), unit="12.50", most="8", chips=[1.0, 5.0], decks="6", burn=3, behind_cut=20.0)
    assert typed == AgentSetting.of("ez", unit=12_50, most=8, chips=(1, 5), decks=6, burn="3", behind_cut=20)
    assert [type(number) for number in (typed.unit, typed.most, *typed.chips)] == [int] * 4


def test_environments_take_what_a_setting_takes() -> None:
    """They hand it on by these keys, so that it stands once."""
    taken = [
        name for name, each in inspect.signature(AgentSetting.of).parameters.items() if each.kind is each.KEYWORD_ONLY
    ]
    assert taken == list(AgentTerms.__annotations__)
