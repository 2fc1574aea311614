"""A shoe whose cards are seen one by one, and the exact odds of what is left: for live pages, studies and watching.

One card more changes what was summed for the shoe before it by a few operations, so the odds are there in a few
microseconds, where a new shoe in plain Python takes milliseconds. They are the same to the last draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from punto.cards.card import Card, Rank
from punto.odds.bet_odds import BetOdds, Weighing
from punto.odds.histograms import MOST_AS_INTEGER, Histograms
from punto.odds.known_cards import LEAST_CARDS, RoundSoFar, Undealt, UndealtError
from punto.odds.one_shoe import NEW, SAME
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book
from punto.rules.condition import Reads
from punto.rules.outcome import Facts

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANKS = len(Rank)
_OTHERS = Reads.PLAYER_PAIR | Reads.BANKER_PAIR | Reads.CARDS


class FollowedShoe:
    """`see` takes a card out, and `put_back` undoes that; `weights`, `expectations` and `bet` say what the next round
    brings. The first use compiles for some seconds and keeps the result on disk."""

    def __init__(self, book: Book, undealt: Undealt) -> None:
        self._book, self._size = book, undealt.size
        self._ranks = list(undealt.ranks)
        self._cards = list(undealt.cards) if undealt.cards is not None else None
        self._points = list(undealt.points)
        self._whole = undealt
        self._weights: NDArray[np.int64] | None = None  # Of the shoe that the kernel knows, where they were asked for.
        self._since = NEW  # Points of the one card that was seen since; `SAME` for none, `NEW` for more than that.
        self.areas = tuple(area for area in book.outright_areas if not book.pay_tables[area].reads & _OTHERS)
        """Bets that points and numbers of cards decide, in the order of `expectations`."""
        nets = [[float(book.pay_tables[area].net_at(totals)) for totals in range(400)] for area in self.areas]
        self._nets = np.array(nets).reshape(len(self.areas), 400)
        self._kernel = (
            Histograms(book.play).one_shoe(undealt.size, self._nets) if undealt.size <= MOST_AS_INTEGER else None
        )

    def __repr__(self) -> str:
        return f"<FollowedShoe of {self._book.name}: {self._size} cards undealt>"

    @property
    def undealt(self) -> Undealt:
        """The cards that were not seen yet."""
        return Undealt(tuple(self._ranks), tuple(self._cards) if self._cards is not None else None)

    def see(self, card: Card) -> None:
        """A card was seen, in a round or burned; `UndealtError` if there is none left."""
        cards, index, points = self._cards, card.index, card.points
        rank = index % RANKS
        if (self._ranks[rank] if cards is None else cards[index]) == 0:
            raise UndealtError(f"{card} was seen more often than it is in the shoe")
        self._ranks[rank] -= 1
        if cards is not None:
            cards[index] -= 1
        self._points[points] -= 1
        self._size -= 1
        self._since = points if self._since == SAME else NEW

    def put_back(self, card: Card) -> None:
        """A card that was seen was none: it is in the shoe again; `UndealtError` if none like it was seen."""
        whole = self._whole
        if self._ranks[card.rank - 1] == whole.ranks[card.rank - 1] or (
            self._cards is not None and whole.cards is not None and self._cards[card.index] == whole.cards[card.index]
        ):
            raise UndealtError(f"{card} is put back more often than it was seen")
        self._ranks[card.rank - 1] += 1
        if self._cards is not None:
            self._cards[card.index] += 1
        self._points[card.points] += 1
        self._size += 1
        # Else it takes a full computation: that, too, is a few microseconds.
        self._since = SAME if self._since == card.points else NEW

    @property
    def weights(self) -> Sequence[int] | NDArray[np.int64]:
        """Ordered draws of six cards by `totals`; not to be changed."""
        if self._kernel is None:
            return totals_weights(self._book.play, self._points)
        since = self._since
        if since == NEW:
            self._weights = self._kernel.of(np.array(self._points))
        elif since != SAME or self._weights is None:
            self._weights = self._kernel.without(since)
        self._since = SAME
        return self._weights

    def expectations(self) -> NDArray[np.float64]:
        """What one unit on each of `areas` gains on average; `bet` says it in fractions."""
        if self._size < LEAST_CARDS:
            self.undealt.require_a_round()
        kernel, since = self._kernel, self._since
        if kernel is None or not kernel.can_weigh:
            weights = np.asarray(self.weights, np.float64)
            return np.asarray(self._nets @ weights / weights.sum())
        if since != SAME:
            self._weights = None
        self._since = SAME
        return kernel.expectations_of(np.array(self._points)) if since == NEW else kernel.expectations_without(since)

    def bet(self, area: str) -> BetOdds:
        """The exact odds of a bet on the next round; KeyError where the book has no such area."""
        if area not in self._book.pay_tables:
            area = self._book.one_of(self._book.outright_areas, area)
        undealt = self.undealt
        undealt.require_a_round()
        table = self._book.pay_tables[area]
        if table.reads & _OTHERS:
            return Weighing(self._book, undealt, RoundSoFar()).odds(area)
        ways = [0] * len(table.rows)
        for totals, weight in enumerate(map(int, self.weights)):
            if weight:
                ways[table.row(Facts(totals, 0, 0))] += weight
        return BetOdds(area, tuple(row for row in zip(table.rows, ways, strict=True) if row[1]), sum(ways))
