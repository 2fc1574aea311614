"""Expectations of the bets of a book before very many rounds at once.

By points alone the kernels do it; a bet on one hand's pair needs only the counts of ranks. Other bets, and
bets that pay suits, are not followed. An ante is followed as one that is always played: giving up is right
only in shoes that are nearly empty. A bet that needs another beside it is followed together with the
cheapest one that it needs, a unit on each; a main bet with insurance is followed beside the bare one, insured
by a player who knows every card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from punto.odds.histograms import Histograms
from punto.rules.book import Book
from punto.rules.facts import NO_PAIR, TOTALS, Hand
from punto.rules.labels import hand_label, label_of
from punto.rules.pay_table import PayTable
from punto.rules.text.when import Reads
from punto.studies.insured import HANDS, InsuranceGains
from punto.studies.shoes import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

INSURED = "-insured"
"""After the area of a main bet: the same bet with insurance, as the studies name it."""

_PAIRS = Reads.PLAYER_PAIR | Reads.BANKER_PAIR


def followed_areas(book: Book) -> tuple[str, ...]:
    """Betting areas whose expectation can be followed through many rounds; antes, then insured bets, last."""
    followed = [
        area for area in book.outright_areas if is_by_totals(book, area) or is_by_pair(book.pay_tables[area])
    ]
    antes = (area for area in book.opening_areas if book.wager_of(area))
    return (*followed, *(area for area in antes if is_by_totals(book, area)), *insured_areas(book))


def insured_areas(book: Book) -> dict[str, Hand]:
    """Main bets with insurance as the studies name them, such as `banker-insured`, and their hands."""
    hands = {hand for hand, _ in book.insurance_areas.values()}
    return {f"{book.main_area(hand)}{INSURED}": hand for hand in Hand if hand in hands}


def study_label(book: Book, area: str) -> str:
    """What a bet is called in a study: with its insurance, or with the bet that it needs."""
    insured = insured_areas(book).get(area)
    if insured is not None:
        return f"{hand_label(book, insured)}, insured"
    bet = book.bet(area)
    return f"{label_of(book, area)} + main bet" if bet is not None and bet.needs else label_of(book, area)


def is_by_totals(book: Book, area: str) -> bool:
    """Whether points and numbers of cards decide a bet, and its wager if it is an ante."""
    areas = [area, *filter(None, [book.wager_of(area)])]
    return not any(book.pay_tables[one].reads & (_PAIRS | Reads.CARDS) for one in areas)


def is_by_pair(table: PayTable) -> bool:
    """Whether the rank of one hand's pair decides a bet."""
    is_one = (table.reads & _PAIRS).value in (Reads.PLAYER_PAIR.value, Reads.BANKER_PAIR.value)
    return is_one and not table.reads & Reads.TOTALS and not table.reads_suits


class Expectations:
    """Expectations of bets for the rounds of a block: a row for each round, a column for each area."""

    def __init__(self, book: Book, *, is_alone: bool = False) -> None:
        """`is_alone`: every bet by itself, without a bet that it needs, and none with insurance."""
        insured = {} if is_alone else insured_areas(book)
        self.areas = tuple(a for a in followed_areas(book) if a in insured or book.bet(a) is not None)
        self._histograms = Histograms(book.play)
        bets = [area for area in self.areas if area not in insured]
        self._by_totals = [i for i, area in enumerate(bets) if is_by_totals(book, area)]
        self._by_pair = [i for i in range(len(bets)) if i not in self._by_totals]
        nets = [totals_nets(book, self.areas[i]) for i in self._by_totals]
        self._nets = np.array(nets).reshape(-1, TOTALS)
        pair_nets = [_pair_nets(book.pay_tables[self.areas[i]]) for i in self._by_pair]
        self._pair_nets = np.array(pair_nets).reshape(-1, 14)
        self._needs = [(i, _needed(book, self.areas, area)) for i, area in enumerate(bets) if not is_alone]
        self._insured = [
            (self.areas.index(area), self.areas.index(book.main_area(hand)), HANDS.index(hand))
            for area, hand in insured.items()
        ]
        self._gains = InsuranceGains(book) if insured else None

    def __call__(self, block: Block) -> Floats:
        values = np.zeros((len(block.ranks), len(self.areas)))
        values[:, self._by_totals] = self._histograms.expectations(block.points, self._nets)
        if self._by_pair:
            size = block.ranks.sum(axis=1)
            pairs = block.ranks * (block.ranks - 1) / (size * (size - 1))[:, None]
            chances = np.concatenate([1 - pairs.sum(axis=1, keepdims=True), pairs], axis=1)
            values[:, self._by_pair] = chances @ self._pair_nets.T
        for i, needed in self._needs:
            if needed:
                values[:, i] += values[:, needed].max(axis=1)
        if self._gains is not None:
            gains = self._gains(block.points)
            for i, main, hand in self._insured:
                values[:, i] = values[:, main] + gains[:, hand]
        return values


def _needed(book: Book, areas: tuple[str, ...], area: str) -> list[int]:
    """Columns of the bets of which one must lie beside this one."""
    bet = book.bet(area)
    return [areas.index(needed) for needed in bet.needs if needed in areas] if bet is not None else []


def totals_nets(book: Book, area: str) -> Floats:
    """The net of each `totals`, an ante with its wager; of those that never come, nothing."""
    table = book.pay_tables[area]
    cells = table.nets
    nets = np.array([float(cells[totals * table.totals_stride]) for totals in range(TOTALS)])
    wager, ante = book.wager_of(area), book.ante
    if wager is None or ante is None:
        return nets
    return np.asarray(nets + ante.multiple * totals_nets(book, wager))


def _pair_nets(table: PayTable) -> list[float]:
    """The net of no pair, then of a pair of each rank."""
    cells = table.nets
    return [float(cells[NO_PAIR]), *(float(cells[2 * rank]) for rank in range(1, 14))]
