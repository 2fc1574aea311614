"""Tests of many shuffles: each gives the probability that a fair shuffle looks so odd.

All of them together hold at 99 %: each is asked for 1 % divided by their number. What is expected follows
from fair permutations exactly (means, and variances where they are known); the rest is measured from the
spread between shuffles, of which there are many thousands.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.audit.shuffles import CARDS, DECKS, END, Orders, draws_of

LEVEL = 0.01
"""How often an honest shuffle fails any of the tests."""
BUCKETS = 16
LAGS = (1, 2, 3, 8, 52)


def failed(found: dict[str, float]) -> list[str]:
    """The tests that a fair shuffle would not have failed."""
    return sorted(name for name, p in found.items() if p < LEVEL / len(found))


class Tally:
    """What is counted over many shoes, batch by batch."""

    def __init__(self) -> None:
        self.shoes = 0
        self._faces = np.zeros((CARDS, 52), np.int64)
        self._buckets = np.zeros((CARDS, BUCKETS), np.int64)
        self._low = np.zeros(CARDS, np.int64)
        self._descents = self._runs = 0
        self._spread = {name: np.zeros(3) for name in _MEANS}
        """Of each count: how many, their sum and the sum of their squares."""
        self._ends: list[Any] = []

    def add(self, orders: Orders) -> None:
        """Count these shoes, each a column."""
        draws, faces = draws_of(orders), orders // DECKS
        self.shoes += orders.shape[1]
        for place in range(CARDS):
            self._faces[place] += np.bincount(faces[place], minlength=52)
            if place:
                drawn = draws[place].astype(np.int64)
                self._buckets[place] += np.bincount(drawn * BUCKETS // (place + 1), minlength=BUCKETS)
                self._low[place] += int((drawn < 65536 % (place + 1)).sum())
        self._descents += int((np.diff(orders, axis=0) < 0).sum())
        suits = orders // (13 * DECKS)
        red = (suits == 1) | (suits == 2)
        self._runs += orders.shape[1] + int((red[1:] != red[:-1]).sum())
        self._measure("fixed places", (orders == np.arange(CARDS)[:, None]).sum(axis=0))
        self._measure("kept neighbours", (np.diff(orders, axis=0) == 1).sum(axis=0))
        self._measure("shoe by shoe", (faces[:, 1:] == faces[:, :-1]).sum(axis=0))
        centred = orders.astype(np.float32) - (CARDS - 1) / 2
        for lag in LAGS:
            products = (centred[lag:] * centred[:-lag]).sum(axis=0, dtype=np.float64)
            self._measure(f"serial correlation, lag {lag}", products)
        self.add_ends(orders)

    def add_ends(self, orders: Orders) -> None:
        """Count only whether two shoes are the same, which their last cards tell."""
        self._ends.append(np.ascontiguousarray((orders[-END:] // DECKS).T.astype(np.uint8)))

    def _measure(self, name: str, counts: Any) -> None:
        self._spread[name] += (len(counts), counts.sum(dtype=np.float64), (counts.astype(float) ** 2).sum())

    def results(self) -> dict[str, float]:
        """Every test by its name, with its probability."""
        return {
            "card by position": self._card_by_position(),
            "draws": self._draws(),
            "low draws": self._low_draws(),
            "descents": self._of_sum(self._descents, (CARDS - 1) / 2, (CARDS + 1) / 12),
            "runs of a colour": self._runs_of_a_colour(),
            "duplicate shoes": self._duplicates(),
            **{name: self._of_mean(name) for name in _MEANS},
        }

    # ── Tests ────────────────────────────────────────────────────────────────────────────────────

    def _card_by_position(self) -> float:
        """How often each of the 52 cards came at each place.

        A shoe has every card eight times, so the counts depend on each other: their covariance is
        (diag(a) - aa'/n) ⊗ (I - 11'/n) / (n - 1) per shoe, with a = 8 of each card and n = 416 places.
        """
        expected = self.shoes * DECKS / CARDS
        x = float(((self._faces - expected) ** 2).sum()) * (CARDS - 1) / (self.shoes * DECKS)
        return chi_squared(x, 51 * (CARDS - 1))

    def _draws(self) -> float:
        """The numbers drawn for every place, in buckets."""
        x, degrees = 0.0, 0
        for last in range(BUCKETS, CARDS):
            shares = np.bincount(np.arange(last + 1) * BUCKETS // (last + 1)) / (last + 1)
            expected = shares * self.shoes
            x += float(((self._buckets[last] - expected) ** 2 / expected).sum())
            degrees += BUCKETS - 1
        return chi_squared(x, degrees)

    def _low_draws(self) -> float:
        """Whether the numbers come up more often that a bare modulo of 16-bit words favours.

        The weights are those of the likelihood, so no other test of the draws can see it sooner.
        """
        total = variance = 0.0
        for last in range(1, CARDS):
            whole, favoured = divmod(65536, last + 1)
            share, weight = favoured / (last + 1), math.log1p(1 / whole)
            total += weight * (int(self._low[last]) - share * self.shoes)
            variance += weight**2 * share * (1 - share) * self.shoes
        return normal(total / math.sqrt(variance))

    def _runs_of_a_colour(self) -> float:
        """Runs of red and of black cards (Wald and Wolfowitz), with 208 of each."""
        mean = CARDS / 2 + 1
        return self._of_sum(self._runs, mean, (mean - 1) * (mean - 2) / (CARDS - 1))

    def _duplicates(self) -> float:
        """Two shoes that are the same: with seeds of 256 bits nobody will ever see them."""
        rows = np.concatenate(self._ends).view(f"V{END}").ravel()
        return 1.0 if len(np.unique(rows)) == len(rows) else len(rows) ** 2 / 2.0**80

    def _of_sum(self, found: int, mean: float, variance: float) -> float:
        return normal((found - self.shoes * mean) / math.sqrt(self.shoes * variance))

    def _of_mean(self, name: str) -> float:
        number, total, squares = self._spread[name]
        mean = total / number
        spread = math.sqrt(max(squares / number - mean**2, 1 / number))
        return normal((mean - _MEANS[name]) / spread * math.sqrt(number))


_SQUARES = CARDS * (CARDS**2 - 1) / 12
_MEANS = {
    "fixed places": 1.0,
    "kept neighbours": (CARDS - 1) / CARDS,
    "shoe by shoe": float(DECKS),
    **{f"serial correlation, lag {lag}": -(CARDS - lag) * _SQUARES / (CARDS * (CARDS - 1)) for lag in LAGS},
}
"""What fair shuffles come to in the mean: cards at their old place, cards after their old neighbour, cards
where the shoe before had them, and products of cards so many places apart.
"""


# ── Probabilities ────────────────────────────────────────────────────────────────────────────────


def normal(z: float) -> float:
    """How often a normal value is so far from its mean, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def chi_squared(x: float, degrees: int) -> float:
    """The same for chi-squared with many degrees of freedom (Wilson and Hilferty)."""
    spread = 2 / (9 * degrees)
    return normal(((x / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))
