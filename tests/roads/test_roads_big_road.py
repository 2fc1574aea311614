from __future__ import annotations

from itertools import groupby

from punto.roads.roads import Mark, Roads, RoundWinner
from tests.roads.random_shoes import random_shoes
from tests.roads.test_roads_path import wind_by_looking

BANKER, PLAYER = RoundWinner.BANKER, RoundWinner.PLAYER


def test_a_new_column_when_the_winner_changes() -> None:
    assert Roads.parse("BBP").big == (
        Mark(0, 0, BANKER, 0, False, False),
        Mark(0, 1, BANKER, 0, False, False),
        Mark(1, 0, PLAYER, 0, False, False),
    )


def test_ties_are_counted_on_the_last_win() -> None:
    assert [mark.ties for mark in Roads.parse("BTBTTP").big] == [1, 2, 0]


def test_ties_before_the_first_win_sit_on_the_first_mark() -> None:
    assert Roads.parse("TT").big == ()
    assert Roads.parse("TTPTB").big == (Mark(0, 0, PLAYER, 3, False, False), Mark(1, 0, BANKER, 0, False, False))


def test_a_tie_does_not_end_a_streak() -> None:
    assert [(mark.column, mark.row) for mark in Roads.parse("BTB").big] == [(0, 0), (0, 1)]


def test_pair_dots_belong_to_the_round_that_made_the_mark() -> None:
    assert Roads.parse("TbBpTbPbp").big == (
        Mark(0, 0, BANKER, 2, banker_pair=False, player_pair=True),
        Mark(1, 0, PLAYER, 0, banker_pair=True, player_pair=True),
    )


def test_a_tail_and_the_streak_under_it() -> None:
    cells = [(mark.column, mark.row) for mark in Roads.parse("BBBBBBBBPPPPPP").big]
    assert cells[6:8] == [(1, 5), (2, 5)]
    assert cells[8:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4)]


def test_random_shoes_drawn_with_a_pencil() -> None:
    for text in random_shoes(2_000, seed=2, longest=120):
        winners = [letter for letter in text if letter in "BP"]
        lengths = [len(list(streak)) for _, streak in groupby(winners)]
        road = Roads.parse(text)
        cells = [(mark.column, mark.row) for mark in road.big]
        assert cells == wind_by_looking(lengths), text
        assert road.big_road.lengths == tuple(lengths), text
        assert [str(mark.winner.value)[0].upper() for mark in road.big] == winners, text


def test_every_tie_of_a_random_shoe_is_counted_where_it_happened() -> None:
    for text in random_shoes(2_000, seed=3):
        letters = text.replace("b", "").replace("p", "")
        before_first, *after = letters.replace("B", "|").replace("P", "|").split("|")
        counts = [len(ties) for ties in after]
        if counts:
            counts[0] += len(before_first)
        assert [mark.ties for mark in Roads.parse(text).big] == counts, text
