"""Ask: what each derived road would show next if Banker won the next round, and if Player did.

Players ask before they bet. The answer is the real rule applied to a mark that is not there yet, so it
can never disagree with what is then drawn.
"""

from __future__ import annotations

import msgspec

from punto.roads.big_road import BigRoad
from punto.roads.derived import BIG_EYE, COCKROACH, SMALL, derive
from punto.roads.round_result import RoundWinner


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The next mark of each derived road, `R` or `B`; None where there would be none."""

    big_eye: str | None
    small: str | None
    cockroach: str | None


class Ask(msgspec.Struct, frozen=True):
    """The answers for both sides."""

    banker: Answer
    player: Answer


def ask(road: BigRoad) -> Ask:
    """What would come next after this big road."""
    return Ask(_answer(road, RoundWinner.BANKER), _answer(road, RoundWinner.PLAYER))


def _answer(road: BigRoad, winner: RoundWinner) -> Answer:
    column = len(road.lengths)
    place = (column, road.lengths[-1] + 1) if winner is road.last_winner else (column + 1, 1)
    big_eye, small, cockroach = [
        derive(k, road.lengths, [place]) or None for k in (BIG_EYE, SMALL, COCKROACH)
    ]
    return Answer(big_eye, small, cockroach)
