"""Watching one table: every question with what came, what was expected, and the evidence against chance.

The level of a watch is the chance that anything at all is reported about an honest table, ever, however often
one looks. It is shared evenly among the questions; players share one part among them, the n-th player who
comes to the table 1 / (n·(n+1)) of it, because nobody knows how many will come.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from punto.audit.watching.cards_drawn import ask_cards, repeated_orders
from punto.audit.watching.chances import answers_and_chances, chances_by_totals
from punto.audit.watching.evidence import TILTS, Course, courses, tilted
from punto.audit.watching.question import RoundQuestion, questions_of
from punto.audit.watching.seen import Mispaid, SeenShoe, Sight
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

    @property
    def alarms(self) -> tuple[WatchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.is_beyond_chance)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing speaks against an honest table that pays by the book."""
        return not (self.alarms or self.mispaid or self.repeated)


def watch(sight: Sight, level: float = LEVEL) -> Watch:
    """Compare what was seen at a table with what an honest one brings."""
    book, shoes = sight.table.book, [shoe for shoe in sight.shoes if shoe.rounds or shoe.cards]
    questions, not_watched = questions_of(book)
    rounds_after = np.cumsum([len(shoe.rounds) for shoe in shoes])
    found, winnings = _results(book, shoes, questions)
    found += [
        _Found(asked.name, asked.answers, asked.came, asked.expected, asked.log_ratios)
        for asked in ask_cards([shoe for shoe in shoes if not shoe.is_continuous])
    ]
    limit = log((len(found) + 1) / level)
    limits = [limit] * len(found)
    for nth, player in enumerate(winnings.log_ratios, start=1):
        won, expected = winnings.won[player], winnings.expected[player]
        rows = winnings.rows(player, len(shoes))
        found.append(_Found(f"winnings of {player}", ("net",), (won,), (expected,), rows))
        limits.append(limit + log(nth * (nth + 1)))
    return Watch(
        rounds=int(rounds_after[-1]) if shoes else 0,
        shoes=len(shoes),
        left_out=sight.left_out,
        level=level,
        answers=tuple(_answer(one, limit, rounds_after) for one, limit in zip(found, limits, strict=True)),
        mispaid=tuple(sight.mispaid),
        repeated=tuple(repeated_orders(shoes)),
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
    book: Book, shoes: list[SeenShoe], questions: tuple[RoundQuestion, ...]
) -> tuple[list[_Found], Winnings]:
    """Every question about results, and what the players won."""
    winnings = Winnings(book)
    widths = [len(question.answers) for question in questions]
    of_shoe = [place for place, shoe in enumerate(shoes) for _ in shoe.rounds]
    rounds = [a_round for shoe in shoes for a_round in shoe.rounds]
    came, expected = np.zeros(sum(widths)), np.zeros(sum(widths))
    ratios = np.zeros((len(shoes), sum(widths) * len(TILTS)))
    done = 0
    for some, totals in chances_by_totals(Histograms(book.play), rounds):
        places = np.array(of_shoe[done : done + len(some)])
        for a_round, place, chances in zip(some, places, totals, strict=True):
            winnings.add(a_round, chances, int(place))
        given, chance = answers_and_chances(questions, some, totals)
        starts = np.flatnonzero(np.diff(places, prepend=-1))
        ratios[places[starts]] += tilted(given, chance, starts)
        came += given.sum(axis=0)
        expected += chance.sum(axis=0)
        done += len(some)
    by_tilt = ratios.reshape(len(shoes), len(TILTS), sum(widths))
    found, start = [], 0
    for question, width in zip(questions, widths, strict=True):
        part = slice(start, start + width)
        rows = by_tilt[:, :, part].reshape(len(shoes), len(TILTS) * width)
        found.append(_Found(question.name, question.answers, tuple(came[part]), tuple(expected[part]), rows))
        start += width
    return (found if shoes else []), winnings
