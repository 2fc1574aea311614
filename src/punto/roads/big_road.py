"""The big road: one mark for every win, a new column whenever the winner changes.

A tie makes no mark of its own. It is counted on the mark of the last win, and ties before the first win
wait for that mark. The pair dots of a mark are those of the round that made it: a pair that comes with a
tie is seen on the bead plate only, because a dot for it here would say that the winning round held the
pair.

The derived roads do not look at cells but at logical columns, the streaks as they would stand on a plate
of endless depth, without tails. They are kept as lengths beside the marks.
"""

from __future__ import annotations

import msgspec

from punto.roads.path import Path, walk
from punto.roads.round_result import RoundResult, RoundWinner

Place = tuple[int, int]
"""A mark by its logical column and its row in it, both from 1, as the rules of the derived roads count."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """One win on the big road; columns and rows count from 0."""

    column: int
    row: int
    winner: RoundWinner
    ties: int
    banker_pair: bool
    player_pair: bool


class BigRoad(msgspec.Struct, frozen=True):
    """The marks, and what is needed to go on from them."""

    marks: tuple[Mark, ...] = ()
    lengths: tuple[int, ...] = ()
    """Length of each logical column."""
    path: Path = Path()
    waiting_ties: int = 0
    """Ties before the first win, as long as there is none."""

    @property
    def last_winner(self) -> RoundWinner | None:
        """Who won last, ties aside."""
        return self.marks[-1].winner if self.marks else None


def extend_big_road(road: BigRoad, results: tuple[RoundResult, ...]) -> tuple[BigRoad, list[Place]]:
    """The road with these results added, and the logical places of its new marks."""
    last = road.last_winner
    lengths = list(road.lengths)
    ties_on_last = 0
    waiting = road.waiting_ties
    wins: list[RoundResult] = []
    ties: list[int] = []
    places: list[Place] = []
    for result in results:
        winner = result.winner
        if winner is RoundWinner.TIE:
            if ties:
                ties[-1] += 1
            elif last is None:
                waiting += 1
            else:
                ties_on_last += 1
            continue
        if winner is last:
            lengths[-1] += 1
        else:
            lengths.append(1)
            last = winner
        places.append((len(lengths), lengths[-1]))
        wins.append(result)
        ties.append(waiting)
        waiting = 0
    before = _tied(road.marks, ties_on_last) if ties_on_last else road.marks
    cells, path = walk(road.path, [row == 1 for _, row in places])
    marks = [
        Mark(column, row, win.winner, count, win.banker_pair, win.player_pair)
        for (column, row), win, count in zip(cells, wins, ties, strict=True)
    ]
    return BigRoad(before + tuple(marks), tuple(lengths), path, waiting), places


def _tied(marks: tuple[Mark, ...], ties: int) -> tuple[Mark, ...]:
    """The marks with more ties counted on the last."""
    last = marks[-1]
    return (*marks[:-1], msgspec.structs.replace(last, ties=last.ties + ties))
