"""Watching one table: every question with what came, what was expected, and the evidence against chance.

The level of a watch is the chance that anything at all is reported about an honest table, ever, however often
one looks. It is shared evenly among the questions; players share one part among them, the n-th player who
comes to the table 1 / (n·(n+1)) of it, because nobody knows how many will come.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.arrays import SeenArrays, arrays_of
from punto.audit.watching.cards_drawn import ask_cards, repeated_orders
from punto.audit.watching.chances import AskedRounds, chances_by_totals
from punto.audit.watching.cut_card import CutSummary, cut_summary
from punto.audit.watching.evidence import TILTS, Course, courses, tilted
from punto.audit.watching.question import RoundQuestion, questions_of
from punto.audit.watching.seen import Mispaid, Sight
from punto.audit.watching.winnings import Winnings
from punto.odds.histograms import Histograms
from punto.rules.book import Book

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 0.01
"""Chance of a false alarm about a table, over its whole life."""


@dataclass(frozen=True, slots=True)
class WatchedAnswer:
    """One question about a table, answered so far."""

    question: str
    answers: tuple[str, ...]
    came: tuple[float, ...]
    expected: tuple[float, ...]
    course: Course
    limit: float
    """Natural logarithm of the e-value from which on chance is ruled out at the level of the watch."""
    seen_after: int | None
    """Rounds settled when the limit was first exceeded; None where it never was."""

    @property
    def is_beyond_chance(self) -> bool:
        return self.seen_after is not None


@dataclass(frozen=True, slots=True)
class Watch:
    """All that a watch says of a table."""

    rounds: int
    shoes: int
    left_out: int
    """Settled rounds that are not compared, because something had gone wrong in them."""
    level: float
    answers: tuple[WatchedAnswer, ...]
    mispaid: tuple[Mispaid, ...]
    repeated: tuple[tuple[int, int], ...]
    """Shoes that began with the same cards in the same order."""
    not_watched: tuple[str, ...]
    """Betting areas that ask for more than points, or for more than one pair."""
    cut: CutSummary | None = None

    @property
    def alarms(self) -> tuple[WatchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.is_beyond_chance)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing speaks against an honest table that pays by the book."""
        return not (self.alarms or self.mispaid or self.repeated or (self.cut and self.cut.wrong))


def watch(sight: Sight, level: float = LEVEL) -> Watch:
    """Compare what was seen at a table with what an honest one brings."""
    shoes = [shoe for shoe in sight.shoes if shoe.rounds or shoe.cards]
    found = watch_arrays(sight.table.book, arrays_of(shoes), level)
    return replace(
        found,
        left_out=sight.left_out,
        mispaid=tuple(sight.mispaid),
        repeated=tuple(repeated_orders(shoes)),
        cut=cut_summary(shoes),
    )


def watch_arrays(book: Book, seen: SeenArrays, level: float = LEVEL) -> Watch:
    """The same of arrays, with what can be told from them."""
    questions, not_watched = questions_of(book)
    rounds_after = np.cumsum(np.bincount(seen.shoe, minlength=seen.shoes))
    found, winnings = _results(book, seen, questions)
    found += [
        _Found(asked.name, asked.answers, asked.came, asked.expected, asked.log_ratios)
        for asked in ask_cards(seen)
    ]
    limit = log((len(found) + 1) / level)
    limits = [limit] * len(found)
    for nth, (player, rows) in enumerate(winnings.rows.items(), start=1):
        won, expected = winnings.won[player], winnings.expected[player]
        found.append(_Found(f"winnings of {player}", ("net",), (won,), (expected,), rows))
        limits.append(limit + log(nth * (nth + 1)))
    return Watch(
        rounds=seen.rounds,
        shoes=seen.shoes,
        left_out=0,
        level=level,
        answers=tuple(_answer(one, limit, rounds_after) for one, limit in zip(found, limits, strict=True)),
        mispaid=(),
        repeated=(),
        not_watched=not_watched,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    answers: tuple[str, ...]
    came: tuple[float, ...]
    expected: tuple[float, ...]
    log_ratios: NDArray[np.float64]


def _answer(found: _Found, limit: float, rounds_after: NDArray[np.int64]) -> WatchedAnswer:
    (course,) = courses(found.log_ratios, [found.log_ratios.shape[1]])
    first = course.first_over(limit)
    after = None if first is None else int(rounds_after[min(first, len(rounds_after) - 1)])
    return WatchedAnswer(found.name, found.answers, found.came, found.expected, course, limit, after)


def _results(
    book: Book, seen: SeenArrays, questions: tuple[RoundQuestion, ...]
) -> tuple[list[_Found], Winnings]:
    """Every question about results, and what the players won."""
    winnings = Winnings(book, seen)
    asking = AskedRounds(questions)
    widths = asking.widths
    came, expected = np.zeros(sum(widths)), np.zeros(sum(widths))
    ratios = np.zeros((seen.shoes, sum(widths) * len(TILTS)))
    for start, totals in chances_by_totals(Histograms(book.play), seen):
        winnings.add(start, totals)
        given, chance = asking.answers_and_chances(seen, start, totals)
        places = seen.shoe[start : start + len(totals)]
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        ratios[places[begins]] += tilted(given, chance, begins)
        came += given.sum(axis=0)
        expected += chance.sum(axis=0)
    by_tilt = ratios.reshape(seen.shoes, len(TILTS), sum(widths))
    found, start = [], 0
    for question, width in zip(questions, widths, strict=True):
        part = slice(start, start + width)
        rows = by_tilt[:, :, part].reshape(seen.shoes, len(TILTS) * width)
        here, due = (tuple(map(float, array[part])) for array in (came, expected))
        found.append(_Found(question.name, question.answers, here, due, rows))
        start += width
    return (found if seen.shoes else []), winnings
