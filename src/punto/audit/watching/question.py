"""What is asked of every round: who won, the totals, the number of cards, pairs, and every bet by its
rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from punto.rules.book import Book
from punto.rules.facts import ALL_TOTALS, PAIRS, Facts, Totals
from punto.rules.labels import label_of
from punto.rules.outcome import Outcome, Result, format_odds
from punto.rules.pay_table import NO_ROW
from punto.rules.text.when import Reads

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Over(Enum):
    """The facts that a question is about."""

    TOTALS = "totals"
    PLAYER_PAIR = "player-pair"
    BANKER_PAIR = "banker-pair"


@dataclass(frozen=True, slots=True)
class RoundQuestion:
    """One thing that is compared with its odds in every round."""

    name: str
    over: Over
    answers: tuple[str, ...]
    cells: NDArray[np.int64]
    """For each fact the number of its answer."""
    is_after_cut: bool = False
    """Asked only of rounds that are called when the cut card is out."""


def questions_of(book: Book) -> tuple[tuple[RoundQuestion, ...], tuple[str, ...]]:
    """The questions to ask of a book's rounds, and the betting areas whose facts are not watched."""
    questions = [
        _of_totals("winner", _WINNERS, _winner),
        _of_totals("Player's total", tuple(map(str, range(10))), lambda t: t.player_points),
        _of_totals("Banker's total", tuple(map(str, range(10))), lambda t: t.banker_points),
        _of_totals("cards in the round", ("4", "5", "6"), lambda t: t.player_cards + t.banker_cards - 4),
        _of_pair("pair in Player's hand", Over.PLAYER_PAIR),
        _of_pair("pair in Banker's hand", Over.BANKER_PAIR),
        replace(_of_totals("winner after the cut card", _WINNERS, _winner), is_after_cut=True),
    ]
    left_out = []
    for area in book.pay_tables:
        question = _of_bet(book, area)
        if question is None:
            left_out.append(area)
        elif len(question.answers) > 1:
            questions.append(question)
    return tuple(questions), tuple(left_out)


_WINNERS = ("Player", "Banker", "tie")


def _winner(totals: Totals) -> int:
    winners = (totals.player_points > totals.banker_points, totals.player_points < totals.banker_points)
    return winners.index(True) if any(winners) else 2


def _of_totals(name: str, answers: tuple[str, ...], answer: Callable[[Totals], int]) -> RoundQuestion:
    cells = np.array([answer(totals) for totals in ALL_TOTALS], np.int64)
    return RoundQuestion(name, Over.TOTALS, answers, cells)


def _of_pair(name: str, over: Over) -> RoundQuestion:
    return RoundQuestion(name, over, ("no", "yes"), (np.arange(PAIRS) > 0).astype(np.int64))


_FACTS: dict[Reads, tuple[Over, Callable[[int], Facts], int]] = {
    Reads.TOTALS: (Over.TOTALS, lambda cell: Facts(cell, 0, 0), len(ALL_TOTALS)),
    Reads.PLAYER_PAIR: (Over.PLAYER_PAIR, lambda cell: Facts(0, cell, 0), PAIRS),
    Reads.BANKER_PAIR: (Over.BANKER_PAIR, lambda cell: Facts(0, 0, cell), PAIRS),
}


def _of_bet(book: Book, area: str) -> RoundQuestion | None:
    """A bet by the outcomes of its pay table; None where its facts have no quick conditional chances."""
    table = book.pay_tables[area]
    found = _FACTS.get(table.reads)
    if found is None or len(table.cells) != found[2]:
        return None
    over, facts, _ = found
    outcomes: list[str] = []
    cells = []
    for cell, row in enumerate(table.cells):
        words = _NEVER if row == NO_ROW else _words(table.outcome(facts(cell)))
        if words not in outcomes:
            outcomes.append(words)
        cells.append(outcomes.index(words))
    return RoundQuestion(label_of(book, area), over, tuple(outcomes), np.array(cells, np.int64))


_NEVER = "never comes"
"""Stands for facts to which no deal leads."""


def _words(outcome: Outcome) -> str:
    if outcome.result is Result.WIN and outcome.odds is not None:
        return f"wins {format_odds(outcome.odds)}"
    return {Result.WIN: "wins", Result.PUSH: "pushes", Result.LOSE: "loses"}[outcome.result]
