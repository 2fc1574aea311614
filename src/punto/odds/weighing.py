"""Weighing pay tables: each bet takes the cheapest count of draws that still tells its facts apart.

Points alone serve most bets, one hand's pairs the pair bets; only a bet that mixes them takes the general
path, and only a bet on single cards goes through kinds of cards. Each count is made once and only if a bet
asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from punto.odds.bet_odds import BetOdds
from punto.odds.mixed import facts_weights
from punto.odds.pairs import FirstFour, first_four, pair_weights
from punto.odds.round_so_far import RoundSoFar, Stage
from punto.odds.totals import shown_totals_weights, totals_weights
from punto.odds.undealt import Undealt, UndealtError
from punto.rules.book import Book
from punto.rules.facts import Facts, pair_index
from punto.rules.pay_table import PayTable
from punto.rules.text.when import Reads

_BOTH_PAIRS = Reads.PLAYER_PAIR | Reads.BANKER_PAIR


class Weighing:
    """Counts of draws from one stage of a round, for all bets of a book."""

    def __init__(self, book: Book, undealt: Undealt, dealt: RoundSoFar, shown: tuple[int, ...] = ()) -> None:
        """`shown`: only draws whose first cards have these points, in dealing order."""
        assert not (shown and dealt.cards), "cards are either on the table or known by their points"
        self._book, self._undealt, self._dealt, self._shown = book, undealt, dealt, shown

    def odds(self, area: str) -> BetOdds:
        """The odds of one bet, as if it were settled by its pay table when the round ends."""
        table = self._book.pay_tables[area]
        if self._undealt.cards is None and table.reads_suits:
            raise UndealtError(f"{area} asks for suits, so the cards must be counted by card, such as AS")
        if table.cards is not None:
            return _bet_odds(area, table, self._card_ways(table))
        ways = [0] * len(table.rows)
        for facts, weight in self._cells(table.reads):
            ways[table.row(facts)] += weight
        return _bet_odds(area, table, ways)

    def _card_ways(self, table: PayTable) -> list[int]:
        from punto.odds.hands.card_weights import card_ways  # NumPy and a kernel, only where a bet needs them

        assert not self._shown, "no ante asks about single cards"
        return card_ways(self._book.play, table, self._undealt, self._dealt)

    def _cells(self, reads: Reads) -> Iterable[tuple[Facts, int]]:
        if not reads & _BOTH_PAIRS:
            return self._totals
        if reads & Reads.TOTALS or self._shown:
            return self._facts
        if reads & _BOTH_PAIRS == _BOTH_PAIRS:
            return self._both_pairs
        return self._player_pair if reads & Reads.PLAYER_PAIR else self._banker_pair

    @cached_property
    def _totals(self) -> list[tuple[Facts, int]]:
        play, points = self._book.play, self._undealt.points
        if self._shown:
            weights = shown_totals_weights(play, points, self._shown)
        else:
            weights = totals_weights(play, points, self._dealt)
        return [(Facts(totals, 0, 0), weight) for totals, weight in enumerate(weights) if weight]

    @cached_property
    def _player_pair(self) -> list[tuple[Facts, int]]:
        weights = pair_weights(self._undealt, self._dealt.player)
        return [(Facts(0, pair, 0), weight) for pair, weight in enumerate(weights) if weight]

    @cached_property
    def _banker_pair(self) -> list[tuple[Facts, int]]:
        weights = pair_weights(self._undealt, self._dealt.banker)
        return [(Facts(0, 0, pair), weight) for pair, weight in enumerate(weights) if weight]

    @cached_property
    def _both_pairs(self) -> list[tuple[Facts, int]]:
        if self._dealt.stage in (Stage.PLAYERS_THIRD, Stage.FINISHED):
            pairs = pair_index(*self._dealt.player[:2]), pair_index(*self._dealt.banker[:2])
            return [(Facts(0, *pairs), 1)]
        weights: dict[tuple[int, int], int] = {}
        for by_pairs in self._first_four.values():
            for pairs, weight in by_pairs.items():
                weights[pairs] = weights.get(pairs, 0) + weight
        return [(Facts(0, *pairs), weight) for pairs, weight in weights.items()]

    @cached_property
    def _first_four(self) -> FirstFour:
        return first_four(self._undealt, self._dealt, self._shown)

    @cached_property
    def _facts(self) -> list[tuple[Facts, int]]:
        is_early = self._dealt.stage not in (Stage.PLAYERS_THIRD, Stage.FINISHED)
        four = self._first_four if is_early else {}
        found = facts_weights(self._book.play, self._undealt, self._dealt, four)
        return list(found.items())


def _bet_odds(area: str, table: PayTable, ways: list[int]) -> BetOdds:
    return BetOdds(area, tuple(row for row in zip(table.rows, ways, strict=True) if row[1]), sum(ways))
