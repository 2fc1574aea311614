"""The vocabulary of conditions: every fact, where it holds and where it does not."""

from itertools import product

import msgspec
import pytest

from punto.books import load
from punto.cards import parse_cards
from punto.rules import Totals
from punto.rules.condition import CARD_GROUPS, CARD_PLACES, TWO_POINTS, Reads, When, pairs_test, totals_met
from punto.rules.outcome import PAIRS, pair_index
from punto.rules.pay_table import Condition
from punto.rules.validation import condition_complaints

NATURALS = frozenset({8, 9})

# Points and number of cards of Player, then of Banker.
PLAYER_7_6 = Totals(7, 2, 6, 3)
BANKER_9_0 = Totals(0, 3, 9, 2)
TIE_6_6 = Totals(6, 3, 6, 3)
TIE_8_8 = Totals(8, 2, 8, 2)
THREE_CARD_8 = Totals(8, 3, 1, 3)


TOTALS_CASES: list[tuple[dict[str, object], list[Totals], list[Totals]]] = [
    ({"winner": "player"}, [PLAYER_7_6, THREE_CARD_8], [BANKER_9_0, TIE_6_6]),
    ({"winner": "banker"}, [BANKER_9_0], [PLAYER_7_6, TIE_8_8]),
    ({"winner": ["tie", "banker"]}, [BANKER_9_0, TIE_6_6], [PLAYER_7_6]),
    ({"player_points": 7}, [PLAYER_7_6], [BANKER_9_0]),
    ({"player_points": [0, 6]}, [BANKER_9_0, TIE_6_6], [PLAYER_7_6]),
    ({"banker_points": 6}, [PLAYER_7_6, TIE_6_6], [BANKER_9_0]),
    ({"winning_points": [7, 9]}, [PLAYER_7_6, BANKER_9_0], [THREE_CARD_8]),
    ({"winning_points": [6, 8]}, [THREE_CARD_8], [TIE_6_6, TIE_8_8]),
    ({"losing_points": [0, 6]}, [PLAYER_7_6, BANKER_9_0], [TIE_6_6, THREE_CARD_8]),
    ({"margin": 1}, [PLAYER_7_6], [BANKER_9_0]),
    ({"margin": 0}, [TIE_6_6, TIE_8_8], [PLAYER_7_6]),
    ({"margin": [7, 9]}, [BANKER_9_0, THREE_CARD_8], [PLAYER_7_6]),
    ({"points_sum": [13, 9]}, [PLAYER_7_6, BANKER_9_0, THREE_CARD_8], [TIE_6_6, TIE_8_8]),
    ({"player_cards": 3}, [BANKER_9_0, TIE_6_6], [PLAYER_7_6]),
    ({"banker_cards": 2}, [BANKER_9_0, TIE_8_8], [PLAYER_7_6]),
    ({"winning_cards": 2}, [PLAYER_7_6, BANKER_9_0], [THREE_CARD_8, TIE_8_8]),
    ({"losing_cards": 3}, [PLAYER_7_6, BANKER_9_0, THREE_CARD_8], [TIE_6_6]),
    ({"losing_cards": 2}, [], [PLAYER_7_6, TIE_8_8]),
    ({"cards": 4}, [TIE_8_8], [PLAYER_7_6, TIE_6_6]),
    ({"cards": [5, 6]}, [PLAYER_7_6, TIE_6_6], [TIE_8_8]),
    ({"natural": True}, [BANKER_9_0, TIE_8_8], [PLAYER_7_6, THREE_CARD_8]),
    ({"natural": False}, [PLAYER_7_6, THREE_CARD_8], [BANKER_9_0, TIE_8_8]),
    ({"player_natural": True}, [TIE_8_8], [BANKER_9_0, THREE_CARD_8]),
    ({"player_natural": False}, [BANKER_9_0, THREE_CARD_8], [TIE_8_8]),
    ({"banker_natural": True}, [BANKER_9_0, TIE_8_8], [PLAYER_7_6]),
    ({"banker_natural": False}, [PLAYER_7_6], [BANKER_9_0]),
    ({"winning_natural": True}, [BANKER_9_0], [THREE_CARD_8, TIE_8_8]),
    ({"winning_natural": False}, [PLAYER_7_6, THREE_CARD_8], [BANKER_9_0, TIE_8_8, TIE_6_6]),
    ({"losing_natural": True}, [Totals(8, 2, 9, 2)], [BANKER_9_0, TIE_8_8]),
    ({"losing_natural": False}, [BANKER_9_0, PLAYER_7_6], [TIE_8_8, TIE_6_6]),
    ({"either_points": [7, 9]}, [PLAYER_7_6, BANKER_9_0], [TIE_6_6, THREE_CARD_8]),
    ({"both_points": "6-8"}, [PLAYER_7_6, TIE_6_6, TIE_8_8], [BANKER_9_0, THREE_CARD_8]),
    ({"either_cards": 2}, [PLAYER_7_6, TIE_8_8], [TIE_6_6, THREE_CARD_8]),
    ({"both_cards": 3}, [TIE_6_6, THREE_CARD_8], [PLAYER_7_6, TIE_8_8]),
    ({"margin": "7-9"}, [BANKER_9_0, THREE_CARD_8], [PLAYER_7_6, TIE_6_6]),
    ({"points_sum": "odd"}, [PLAYER_7_6, BANKER_9_0], [TIE_6_6, TIE_8_8]),
    ({"points_sum": ["even", 13]}, [PLAYER_7_6, TIE_6_6], [BANKER_9_0]),
    ({"winner": "player", "margin": 1, "player_cards": 2}, [PLAYER_7_6], [TIE_8_8, THREE_CARD_8]),
]


@pytest.mark.parametrize(("when", "holds", "fails"), TOTALS_CASES)
def test_facts_of_points_and_cards(when: dict[str, object], holds: list[Totals], fails: list[Totals]) -> None:
    condition = condition_of(when)
    met = totals_met(condition, NATURALS)
    assert [totals for totals in holds if totals.index not in met] == []
    assert [totals for totals in fails if totals.index in met] == []
    assert condition.reads == Reads.TOTALS
    assert condition_complaints(condition) == []


# First two cards of Player, then of Banker.
NONE = "10S KS JH QH"
PLAYER_KINGS = "KS KH 5S 6S"
BANKER_SUITED_SIXES = "KS QS 6C 6C"
BOTH_FOURS = "4S 4S 4H 4C"
FOURS_AND_KINGS = "4S 4H KD KD"


PAIR_CASES: list[tuple[dict[str, object], list[str], list[str], str]] = [
    ({"player_pair": True}, [PLAYER_KINGS, BOTH_FOURS], [NONE, BANKER_SUITED_SIXES], "player"),
    ({"player_pair": False}, [NONE, BANKER_SUITED_SIXES], [PLAYER_KINGS], "player"),
    ({"banker_pair": True}, [BANKER_SUITED_SIXES, BOTH_FOURS], [NONE, PLAYER_KINGS], "banker"),
    ({"banker_pair": False}, [NONE, PLAYER_KINGS], [BOTH_FOURS], "banker"),
    ({"player_pair_of": "K"}, [PLAYER_KINGS], [NONE, BOTH_FOURS], "player"),
    ({"player_pair_of": ["k", "4"]}, [PLAYER_KINGS, BOTH_FOURS], [NONE], "player"),
    ({"banker_pair_of": "6"}, [BANKER_SUITED_SIXES], [FOURS_AND_KINGS, PLAYER_KINGS], "banker"),
    ({"player_pair_suited": True}, [BOTH_FOURS], [PLAYER_KINGS, NONE], "player"),
    ({"player_pair_suited": False}, [PLAYER_KINGS, NONE], [BOTH_FOURS], "player"),
    ({"banker_pair_suited": True}, [BANKER_SUITED_SIXES, FOURS_AND_KINGS], [BOTH_FOURS], "banker"),
    ({"banker_pair_suited": False}, [BOTH_FOURS, NONE], [FOURS_AND_KINGS], "banker"),
    ({"pairs": 0}, [NONE], [PLAYER_KINGS, BOTH_FOURS], "both"),
    ({"pairs": 1}, [PLAYER_KINGS, BANKER_SUITED_SIXES], [NONE, BOTH_FOURS], "both"),
    ({"pairs": [1, 2]}, [PLAYER_KINGS, FOURS_AND_KINGS], [NONE], "both"),
    ({"suited_pairs": 1}, [BANKER_SUITED_SIXES, BOTH_FOURS], [PLAYER_KINGS], "both"),
    ({"suited_pairs": 0}, [PLAYER_KINGS, NONE], [BANKER_SUITED_SIXES], "both"),
    ({"same_pair": True}, [BOTH_FOURS], [FOURS_AND_KINGS, NONE, PLAYER_KINGS], "both"),
    ({"same_pair": False}, [FOURS_AND_KINGS, NONE], [BOTH_FOURS], "both"),
    ({"player_pair": True, "banker_pair": False}, [PLAYER_KINGS], [BOTH_FOURS, NONE], "both"),
]


@pytest.mark.parametrize(("when", "holds", "fails", "reads"), PAIR_CASES)
def test_facts_of_pairs(when: dict[str, object], holds: list[str], fails: list[str], reads: str) -> None:
    condition = condition_of(when)
    test = pairs_test(condition)
    assert [cards for cards in holds if not test(*pairs_of(cards))] == []
    assert [cards for cards in fails if test(*pairs_of(cards))] == []
    player, banker = Reads.PLAYER_PAIR, Reads.BANKER_PAIR
    assert condition.reads == {"player": player, "banker": banker, "both": player | banker}[reads]
    assert condition_complaints(condition) == []


@pytest.mark.parametrize("when", [case[0] for case in PAIR_CASES])
def test_a_compiled_condition_holds_at_the_pairs_that_meet_it(when: dict[str, object]) -> None:
    condition = condition_of(when)
    test, compiled = pairs_test(condition), Condition((condition,), load("commission").play)
    pairs = list(product(range(PAIRS), repeat=2))
    assert [both for both in pairs if compiled.holds(0, *both)] == [both for both in pairs if test(*both)]


def test_every_word_of_the_vocabulary_is_tried_here() -> None:
    tried = {name for case in (*TOTALS_CASES, *PAIR_CASES) for name in case[0]}
    assert tried == {name for name in When.__struct_fields__ if not is_of_cards(name)}


def is_of_cards(name: str) -> bool:
    """Whether a fact is of single cards; test_card_table.py tries those."""
    return name in (*CARD_PLACES, *CARD_GROUPS, *TWO_POINTS, "compare", "wins")


def test_a_condition_reads_all_that_it_names() -> None:
    condition = condition_of({"winner": "tie", "player_pair": True})
    assert condition.reads == Reads.TOTALS | Reads.PLAYER_PAIR
    assert When().reads == Reads.NOTHING


def condition_of(when: dict[str, object]) -> When:
    """As a book would have it."""
    return msgspec.convert(when, When)


def pairs_of(cards: str) -> tuple[int, int]:
    p1, p2, b1, b2 = parse_cards(cards)
    return pair_index(p1, p2), pair_index(b1, b2)
