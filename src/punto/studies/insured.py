"""Insurance for a player with a perfect count: before each of very many rounds, what the best use of both
windows is worth when every card of the shoe so far is known.

The same sum as `odds.knowledge.gains_with_cards`, compiled. The counts of cards are exact; what is summed
of them are floating-point numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from punto.documents.number import percent
from punto.documents.page import Grid, figures
from punto.odds.insurance import InsuranceOdds
from punto.odds.knowledge import Knowledge, gains_with_cards, gains_with_third_card
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand, Winner
from punto.rules.play import STOOD
from punto.simulation.kernels.compiling import compiled
from punto.studies.shoes import Shoes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

SHOES = 400
"""Shoes to play for the fourth level, where nothing else is asked for: some seconds."""
CHUNK = 2_000
"""Shoes that a thread works on at a time."""
HANDS = tuple(Hand)


@dataclass(frozen=True, slots=True)
class InsuredEdge:
    """The house edge on a main bet whose bettor insures with optimal play at one level of knowledge."""

    hand: Hand
    knowledge: Knowledge
    edge: float
    error: float | None
    """Standard error; None where the edge is exact, and from a single shoe, which says nothing about it."""


@dataclass(frozen=True, slots=True)
class InsuranceLevels:
    """The main bets with insurance, by what the bettor knows."""

    book: Book
    shoes: Shoes | None
    """How shoes are dealt for the fourth level; it is left out without them."""
    number: int
    """Shoes played."""
    seed: int
    edges: tuple[InsuredEdge, ...]

    def edge(self, hand: Hand, knowledge: Knowledge) -> InsuredEdge | None:
        """One of the edges; none where the level was left out."""
        return next((e for e in self.edges if e.hand is hand and e.knowledge is knowledge), None)

    @property
    def table(self) -> Grid:
        """Levels as rows, hands as columns."""
        hands = [hand for hand in HANDS if self.edge(hand, Knowledge.TOTALS)]
        rows = [
            (level.words, *(_shown(self.edge(hand, level)) for hand in hands))
            for level in Knowledge
            if any(e.knowledge is level for e in self.edges)
        ]
        heads = ("The bettor goes by", *(f"{hand.value.capitalize()}, insured" for hand in hands))
        return figures("House edge with optimal insurance, by what the bettor knows", heads, rows)

    @property
    def remark(self) -> str:
        """How the levels were found."""
        if self.shoes is None:
            return "All levels shown are exact."
        return (
            f"The first three levels are exact, for a full shoe. The fourth is the mean of {self.number:,} "
            f"{'shoe' if self.number == 1 else 'shoes'} played with {self.shoes.behind_cut} cards behind the "
            f"cut card (seed {self.seed}), with "
            "its standard error: before each round the best use of both windows is computed exactly; "
            "the main bet is taken at its full-shoe value."
        )

    def records(self) -> list[dict[str, object]]:
        """For programs."""
        return [
            {"bet": self.book.main_area(e.hand), "level": e.knowledge.value, "edge": e.edge, "error": e.error}
            for e in self.edges
        ]


def insurance_levels(
    odds: InsuranceOdds,
    undealt: Undealt,
    shoes: Shoes | None = None,
    number: int = 0,
    seed: int = 1,
    tell: Callable[[int], None] = lambda _: None,
) -> InsuranceLevels:
    """House edges on the insured main bets by level; the fourth where shoes are given to play."""
    book = odds.book
    exact = {
        Knowledge.TOTALS: {one.hand: one.gain for one in odds.bets},
        Knowledge.THIRD_CARD: gains_with_third_card(book, undealt),
        Knowledge.CARDS: gains_with_cards(book, undealt),
    }
    edges = [
        InsuredEdge(one.hand, level, float(one.bet.edge - gains[one.hand]), None)
        for level, gains in exact.items()
        for one in odds.bets
    ]
    if shoes is None or not number:
        return InsuranceLevels(book, None, 0, seed, tuple(edges))
    means = _mean_gains(book, shoes, number, seed, tell)
    for one in odds.bets:
        mean, error = means[one.hand]
        edges.append(InsuredEdge(one.hand, Knowledge.COUNT, float(one.bet.edge) - mean, error))
    return InsuranceLevels(book, shoes, number, seed, tuple(edges))


class InsuranceGains:
    """What insurance adds to one unit on each main bet, for very many shoes at once."""

    def __init__(self, book: Book) -> None:
        self._draws = np.array(book.play.banker_draws, np.bool_)
        self._player = np.array(book.play.player_draws, np.bool_)
        self._cards = np.array([book.play.brings_card(s, t) for s in range(10) for t in range(10)], np.bool_)
        # By hand, points of both hands and third card (or none, before it comes): pay-outs per unit of cap.
        self._offers = np.zeros((len(HANDS), 10, 10, STOOD + 1, 3))
        for s in range(10):
            for t in range(10):
                for third in range(STOOD + 1):
                    self._fill(book, s, t, third)

    def _fill(self, book: Book, player: int, banker: int, third: int) -> None:
        if third == STOOD:
            offers = book.open_offers(4, player, banker)
        else:
            offers = book.open_offers(5, player, banker, third)
        for offer in offers:
            nets = [offer.outcome(w).net / offer.odds for w in (Winner.PLAYER, Winner.BANKER, Winner.TIE)]
            self._offers[HANDS.index(offer.hand), player, banker, third] = [float(net) for net in nets]

    def __call__(self, points: Integers) -> Floats:
        """A row for each shoe, given by its cards of 0 to 9 points; a column for each hand."""
        found = np.zeros((len(points), len(HANDS)))
        counts = np.ascontiguousarray(points, np.float64)

        def work(first: int) -> None:
            rows = slice(first, first + CHUNK)
            _gains(self._cards, self._player, self._draws, self._offers, counts[rows], found[rows])

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(work, range(0, len(points), CHUNK)))
        return found


def _mean_gains(
    book: Book, shoes: Shoes, number: int, seed: int, tell: Callable[[int], None]
) -> dict[Hand, tuple[float, float | None]]:
    """Mean gain per round and its standard error, a ratio of sums over shoes."""
    gains = InsuranceGains(book)
    sums, rounds = np.zeros((number, len(HANDS))), np.zeros(number)
    for block in shoes.sample(number, seed):
        found = gains(block.points)
        here = slice(block.first_shoe, block.first_shoe + block.shoes)
        rounds[here] = np.bincount(block.shoe, minlength=block.shoes)
        for i in range(len(HANDS)):
            sums[here, i] = np.bincount(block.shoe, found[:, i], minlength=block.shoes)
        tell(block.first_shoe + block.shoes)
    means: dict[Hand, tuple[float, float | None]] = {}
    for i, hand in enumerate(HANDS):
        mean = float(sums[:, i].sum() / rounds.sum())
        residuals = sums[:, i] - mean * rounds
        spread = float((residuals**2).sum()) * number / max(number - 1, 1)
        means[hand] = mean, sqrt(spread) / float(rounds.sum()) if number > 1 else None
    return means


def _shown(edge: InsuredEdge | None) -> str:
    if edge is None or edge.error is None:
        return percent(edge.edge) if edge else ""
    return f"{percent(edge.edge)[:-2]} ± {percent(edge.error)}"


@compiled
def _gains(cards: Any, player_draws: Any, banker_draws: Any, offers: Any, counts: Any, found: Any) -> None:
    """The best of both windows over every four cards, for each shoe and hand."""
    n = np.empty(10)
    below = np.zeros(11)
    for shoe in range(len(counts)):
        size = 0.0
        for a in range(10):
            n[a] = counts[shoe, a]
            size += n[a]
        rest = size - 4
        total = size * (size - 1) * (size - 2) * (size - 3) * rest * (rest - 1)
        for a in range(10):
            for b in range(a, 10):
                for c in range(10):
                    for d in range(c, 10):
                        s, t = (a + b) % 10, (c + d) % 10
                        if not cards[10 * s + t]:
                            continue
                        weight = (1.0 + (a != b)) * (1.0 + (c != d)) / total
                        for one in (a, b, c, d):
                            weight *= max(n[one], 0.0)
                            n[one] -= 1
                        if weight > 0:
                            # Cards with which a Banker who draws ends below each number of points.
                            for points in range(10):
                                below[points + 1] = below[points] + n[(points - t) % 10]
                            if player_draws[10 * s + t]:
                                best = _both_windows(banker_draws, offers, n, below, s, t)
                            else:
                                best = _first_window(offers, below, s, t)
                            found[shoe, 0] += weight * best[0]
                            found[shoe, 1] += weight * best[1]
                        for one in (a, b, c, d):
                            n[one] += 1


@compiled
def _first_window(offers: Any, below: Any, s: int, t: int) -> tuple[float, float]:
    """The gains on both hands, where Player stands and Banker draws."""
    rest = below[10]
    player, tie = below[s] * (rest - 1), (below[s + 1] - below[s]) * (rest - 1)
    banker = rest * (rest - 1) - player - tie
    first, second = offers[0, s, t, STOOD], offers[1, s, t, STOOD]
    return (
        max(player * first[0] + banker * first[1] + tie * first[2], 0.0),
        max(player * second[0] + banker * second[1] + tie * second[2], 0.0),
    )


@compiled
def _both_windows(banker_draws: Any, offers: Any, n: Any, below: Any, s: int, t: int) -> tuple[float, float]:
    """The gains on both hands, where Player draws: insured at once, or held for the second window."""
    rest = below[10]
    players, bankers, ties = 0.0, 0.0, 0.0
    later_player, later_banker = 0.0, 0.0
    for x in range(10):
        if n[x] <= 0:
            continue
        p = (s + x) % 10
        if not banker_draws[x, t]:
            ways = n[x] * (rest - 1)
            if p > t:
                players += ways
            elif p < t:
                bankers += ways
            else:
                ties += ways
            continue
        same = (t + x) % 10  # what Banker would end with, had it the card that Player drew
        player = n[x] * (below[p] - (same < p))
        tie = n[x] * (below[p + 1] - below[p] - (same == p))
        banker = n[x] * (rest - 1) - player - tie
        players += player
        bankers += banker
        ties += tie
        first, second = offers[0, p, t, x], offers[1, p, t, x]
        later_player += max(player * first[0] + banker * first[1] + tie * first[2], 0.0)
        later_banker += max(player * second[0] + banker * second[1] + tie * second[2], 0.0)
    first, second = offers[0, s, t, STOOD], offers[1, s, t, STOOD]
    return (
        max(players * first[0] + bankers * first[1] + ties * first[2], later_player),
        max(players * second[0] + bankers * second[1] + ties * second[2], later_banker),
    )
