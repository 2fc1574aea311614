from __future__ import annotations

from punto.roads.roads import Answer, Ask, Roads, RoundResult, RoundWinner
from tests.roads.random_shoes import random_shoes


def what_came(before: Roads, winner: RoundWinner) -> Answer:
    """The marks that a win really adds to each derived road."""
    after = before.append(RoundResult(winner))
    return Answer(
        after.big_eye[len(before.big_eye) :] or None,
        after.small[len(before.small) :] or None,
        after.cockroach[len(before.cockroach) :] or None,
    )


def test_nothing_is_answered_where_no_mark_would_be_made() -> None:
    nothing = Answer(None, None, None)
    for text in ("", "T", "B", "TBB"):
        assert Roads.parse(text).ask == Ask(nothing, nothing)


def test_a_row_worked_out_by_hand() -> None:
    # Columns of 2 and 2. A third Player win finds no entry beside it and one above that; a Banker win ends a
    # column of the same length as its neighbour.
    assert Roads.parse("BBPP").ask == Ask(banker=Answer("R", None, None), player=Answer("B", None, None))


def test_ask_says_what_then_comes_for_both_sides_after_every_round() -> None:
    for text in random_shoes(400, seed=5):
        roads = Roads()
        for result in Roads.parse(text).results:
            roads = roads.append(result)
            came = Ask(what_came(roads, RoundWinner.BANKER), what_came(roads, RoundWinner.PLAYER))
            assert roads.ask == came, str(roads)
