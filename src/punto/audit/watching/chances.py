"""The chances of every answer in every round, from the cards that had not been seen when bets were called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.arrays import SeenArrays
from punto.audit.watching.question import Over, RoundQuestion
from punto.odds.histograms import Histograms
from punto.rules.facts import ALL_TOTALS, PAIRS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AT_ONCE = 4096
"""Rounds whose chances are held in memory together."""


def chances_by_totals(histograms: Histograms, seen: SeenArrays) -> Iterator[tuple[int, Floats]]:
    """Some thousands of rounds at a time: the first of them, and the chance of each of the 400 `totals`."""
    for start in range(0, seen.rounds, AT_ONCE):
        counts = seen.unseen[start : start + AT_ONCE].astype(np.int64)
        weights = np.asarray(histograms.many(_points(counts)), np.float64)
        yield start, weights / weights.sum(axis=1, keepdims=True)


def chances_of_pairs(unseen: NDArray[np.int64]) -> Floats:
    """The chance of each pair in the first two cards of a hand, for each row of counts of the 52 cards."""
    by_suit = unseen.reshape(len(unseen), 4, 13)
    ranks = by_suit.sum(axis=1)
    suited = (by_suit * (by_suit - 1)).sum(axis=1)
    size = ranks.sum(axis=1, keepdims=True)
    ways = (size * (size - 1)).astype(np.float64)
    found = np.zeros((len(unseen), PAIRS))
    found[:, 1::2] = (ranks * (ranks - 1) - suited) / ways
    found[:, 2::2] = suited / ways
    found[:, 0] = 1 - found[:, 1:].sum(axis=1)
    return found


class AskedRounds:
    """Questions about rounds as two matrices, one over the 400 `totals` and one over pairs."""

    def __init__(self, questions: Sequence[RoundQuestion]) -> None:
        self.widths = [len(question.answers) for question in questions]
        self._questions = questions
        self._of_totals = _matrix(questions, is_totals=True)
        self._of_pairs = _matrix(questions, is_totals=False)

    def answers_and_chances(self, seen: SeenArrays, start: int, totals: Floats) -> tuple[Floats, Floats]:
        """What came and what was to be expected in some rounds, from this one on: a row for each round, a
        column for each answer of each question.
        """
        part = slice(start, start + len(totals))
        chances = totals @ self._of_totals
        chances += chances_of_pairs(seen.unseen[part].astype(np.int64)) @ self._of_pairs
        came = np.zeros_like(chances)
        facts = {
            Over.TOTALS: seen.totals[part],
            Over.PLAYER_PAIR: seen.player_pair[part],
            Over.BANKER_PAIR: seen.banker_pair[part],
        }
        column, rows = 0, np.arange(len(totals))
        for question, width in zip(self._questions, self.widths, strict=True):
            came[rows, column + question.cells[facts[question.over]]] = 1.0
            if question.is_after_cut:
                # A round before the cut card says nothing: nothing can come, and nothing does.
                for array in (came, chances):
                    array[:, column : column + width] *= seen.after_cut[part][:, None]
            column += width
        return came, chances


def _matrix(questions: Sequence[RoundQuestion], *, is_totals: bool) -> Floats:
    """For each fact a row, for each answer of each question a column: 1 where the fact gives the answer."""
    parts = []
    for question in questions:
        is_answer = question.cells[:, None] == np.arange(len(question.answers))
        is_its = (question.over is Over.TOTALS) is is_totals
        height = len(ALL_TOTALS) if is_totals else PAIRS
        parts.append(is_answer if is_its else np.zeros((height, len(question.answers))))
    return np.concatenate(parts, axis=1).astype(np.float64)


def _points(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts of cards of 0 to 9 points, from counts of the 52 cards."""
    ranks = counts.reshape(len(counts), 4, 13).sum(axis=1)
    return np.concatenate((ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]), axis=1)
