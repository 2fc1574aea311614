"""The chances of every answer in every round, from the cards that had not been seen when bets were called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.question import Over, RoundQuestion
from punto.audit.watching.seen import SeenRound
from punto.odds.histograms import Histograms
from punto.rules.facts import PAIRS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AT_ONCE = 4096
"""Rounds whose chances are held in memory together."""


def chances_by_totals(
    histograms: Histograms, rounds: Sequence[SeenRound]
) -> Iterator[tuple[Sequence[SeenRound], Floats]]:
    """Rounds, some thousands at a time, with the chance of each of the 400 `totals` in each."""
    for start in range(0, len(rounds), AT_ONCE):
        some = rounds[start : start + AT_ONCE]
        counts = np.array([a_round.unseen for a_round in some], np.int64)
        weights = np.asarray(histograms.many(_points(counts)), np.float64)
        yield some, weights / weights.sum(axis=1, keepdims=True)


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


def answers_and_chances(
    questions: Sequence[RoundQuestion], rounds: Sequence[SeenRound], totals: Floats
) -> tuple[Floats, Floats]:
    """What came and what was to be expected: a row for each round, a column for each answer of each
    question.
    """
    pairs = chances_of_pairs(np.array([a_round.unseen for a_round in rounds], np.int64))
    came, chances = [], []
    for question in questions:
        width = len(question.answers)
        is_answer = question.cells[:, None] == np.arange(width)
        chances.append((totals if question.over is Over.TOTALS else pairs) @ is_answer.astype(np.float64))
        given = np.array([question.answer(a_round.facts) for a_round in rounds])
        came.append((given[:, None] == np.arange(width)).astype(np.float64))
    return np.concatenate(came, axis=1), np.concatenate(chances, axis=1)


def _points(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts of cards of 0 to 9 points, from counts of the 52 cards."""
    ranks = counts.reshape(len(counts), 4, 13).sum(axis=1)
    return np.concatenate((ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]), axis=1)
