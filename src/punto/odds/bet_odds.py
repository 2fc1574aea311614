"""The exact odds of a book, bet by bet, for any undealt cards and any stage of a round. Each pay table takes
the cheapest count of draws that still tells its facts apart: points for most bets, one hand's pairs for
pair bets, and the general path or kinds of cards only where a bet asks for them. Nothing here loads NumPy,
except a bet on single cards when it is weighed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from punto.cards.card import Card
from punto.documents.page import Grid, Tabled, figures, percent
from punto.odds import ordered_draws as draws
from punto.odds.known_cards import LEAST_CARDS, RoundSoFar, Stage, Undealt, UndealtError
from punto.odds.ordered_draws import FirstFour, falling
from punto.rules.book import Book, label_of, require_book
from punto.rules.condition import Reads
from punto.rules.outcome import Facts, Outcome, Result, pair_index
from punto.rules.pay_table import CompiledRow


class NetResults:
    """What one unit staked can gain, each result with its number of ways out of a total."""

    __slots__ = ()
    total: int

    def net_ways(self) -> Iterable[tuple[Fraction, int]]:
        raise NotImplementedError

    @property
    def ev(self) -> Fraction:
        """What one unit staked gains on average; a loss is negative."""
        return sum((net * ways for net, ways in self.net_ways()), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """What the house keeps of one unit staked, on average."""
        return -self.ev

    @property
    def variance(self) -> Fraction:
        square = sum((net**2 * ways for net, ways in self.net_ways()), Fraction(0)) / self.total
        return square - self.ev**2

    @property
    def sd(self) -> float:
        return sqrt(self.variance)

    @property
    def win(self) -> Fraction:
        """The chance to win: the hit frequency."""
        return Fraction(sum(ways for net, ways in self.net_ways() if net > 0), self.total)

    @property
    def push(self) -> Fraction:
        """The chance that the stake comes back."""
        return Fraction(sum(ways for net, ways in self.net_ways() if net == 0), self.total)

    @property
    def lose(self) -> Fraction:
        return Fraction(sum(ways for net, ways in self.net_ways() if net < 0), self.total)


@dataclass(frozen=True, slots=True)
class BetOdds(NetResults):
    """A bet's outcomes with their numbers of ways, out of a total."""

    area: str
    rows: tuple[tuple[CompiledRow, int], ...]
    """Rows of the pay table that can come, in their order, each with its ordered draws."""
    total: int

    def __repr__(self) -> str:
        return f"<BetOdds {self.area}: house edge {float(self.edge):.4%}, wins {float(self.win):.4%}>"

    @property
    def ways(self) -> tuple[tuple[Outcome, int], ...]:
        """Outcomes that can come, each with its ordered draws, best first."""
        ways: dict[Outcome, int] = {}
        for row, number in self.rows:
            ways[row.outcome] = ways.get(row.outcome, 0) + number
        return tuple(sorted(ways.items(), key=lambda item: (-item[0].net, item[0].clause)))

    def net_ways(self) -> Iterable[tuple[Fraction, int]]:
        return ((row.outcome.net, ways) for row, ways in self.rows)

    def probability(self, result: Result) -> Fraction:
        return Fraction(sum(ways for row, ways in self.rows if row.outcome.result is result), self.total)


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
            from punto.odds.single_cards import card_ways  # NumPy and a kernel, only where a bet needs them

            assert not self._shown, "no ante asks about single cards"
            ways = card_ways(self._book.play, table, self._undealt, self._dealt)
        else:
            ways = [0] * len(table.rows)
            for facts, weight in self._cells(table.reads):
                ways[table.row(facts)] += weight
        return BetOdds(area, tuple(row for row in zip(table.rows, ways, strict=True) if row[1]), sum(ways))

    def odds_without(self, area: str) -> Callable[[Card], BetOdds] | None:
        """The odds of a bet on single cards before a deal, with one of the undealt cards gone: all in one pass. None
        for other bets, whose draws are counted as quickly for each card, and for very large shoes."""
        table = self._book.pay_tables[area]
        if table.cards is None:
            return None
        from punto.odds.single_cards import ways_without

        assert not (self._shown or self._dealt.cards), "the deal has not begun"
        kinds, found = table.cards.kinds, ways_without(self._book.play, table, self._undealt)
        if found is None:
            return None

        def odds(card: Card) -> BetOdds:
            ways = found[kinds.of[card.index]]
            return BetOdds(area, tuple(row for row in zip(table.rows, ways, strict=True) if row[1]), sum(ways))

        return odds

    def _cells(self, reads: Reads) -> Iterable[tuple[Facts, int]]:
        if not reads & _BOTH_PAIRS:
            return self._totals
        if reads & Reads.TOTALS or self._shown:
            return self._facts
        if reads & _BOTH_PAIRS == _BOTH_PAIRS:
            return self._both_pairs
        return self._player_pair if reads & Reads.PLAYER_PAIR else self._banker_pair

    @cached_property
    def _player_pair(self) -> list[tuple[Facts, int]]:
        weights = draws.pair_weights(self._undealt, self._dealt.player)
        return [(Facts(0, pair, 0), weight) for pair, weight in enumerate(weights) if weight]

    @cached_property
    def _banker_pair(self) -> list[tuple[Facts, int]]:
        weights = draws.pair_weights(self._undealt, self._dealt.banker)
        return [(Facts(0, 0, pair), weight) for pair, weight in enumerate(weights) if weight]

    @cached_property
    def _totals(self) -> list[tuple[Facts, int]]:
        play, points = self._book.play, self._undealt.points
        if self._shown:
            weights = draws.shown_totals_weights(play, points, self._shown)
        else:
            weights = draws.totals_weights(play, points, self._dealt)
        return [(Facts(totals, 0, 0), weight) for totals, weight in enumerate(weights) if weight]

    @cached_property
    def _both_pairs(self) -> list[tuple[Facts, int]]:
        if self._dealt.stage in (Stage.PLAYERS_THIRD, Stage.FINISHED):
            pairs = pair_index(*self._dealt.player[:2]), pair_index(*self._dealt.banker[:2])
            return [(Facts(0, *pairs), 1)]
        weights: Counter[tuple[int, int]] = Counter()
        for by_pairs in self._first_four.values():
            weights.update(by_pairs)
        return [(Facts(0, *pairs), weight) for pairs, weight in weights.items()]

    @cached_property
    def _first_four(self) -> FirstFour:
        is_early = self._dealt.stage not in (Stage.PLAYERS_THIRD, Stage.FINISHED)
        return draws.first_four(self._undealt, self._dealt, self._shown) if is_early else {}

    @cached_property
    def _facts(self) -> list[tuple[Facts, int]]:
        return list(draws.facts_weights(self._book.play, self._undealt, self._dealt, self._first_four).items())


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Tabled):
    book: Book
    undealt: Undealt
    dealt: RoundSoFar
    bets: tuple[BetOdds, ...]

    def __repr__(self) -> str:
        return f"<Odds of {self.book.name}: {len(self.bets)} bets, {self.undealt.size} cards undealt>"

    @property
    def total(self) -> int:
        """Ordered draws of six cards from the undealt ones, before the deal."""
        return falling(self.undealt.size, LEAST_CARDS)

    def bet(self, area: str) -> BetOdds:
        """The odds of one bet; KeyError where the book has none, or where it depends on what a player decides."""
        areas = [bet.area for bet in self.bets]
        named = self.book.area_named(str(area))
        if named in self.book.areas and named not in areas:
            where = "insurance_odds" if named in self.book.insurance_areas else "ante_odds"
            raise KeyError(f"the odds of {named} depend on what the player decides; punto.odds.{where} has them")
        return self.bets[areas.index(self.book.one_of(areas, area))]

    @property
    def table(self) -> Grid:
        rows = []
        for bet in self.bets:
            chances = map(percent, (bet.edge, bet.win, bet.push, bet.lose))
            rows.append((label_of(self.book, bet.area), *chances, f"{bet.sd:.4f}"))
        heads = ("Bet", "House edge", "Win", "Push", "Lose", "Deviation")
        return figures(f"{self.book.title}: {self.undealt.size} cards undealt", heads, rows)


def book_odds(book: Book, undealt: Undealt, round_cards: Sequence[Card] = ()) -> Odds:
    """Exact odds of every bet that opens before the deal, antes excepted. `round_cards` are the cards of the round so
    far, in dealing order; they are not among the undealt ones."""
    require_book(book)
    dealt = RoundSoFar.of(book.play, round_cards)
    undealt.require_a_round(len(dealt.cards))
    weighing = Weighing(book, undealt, dealt)
    return Odds(book, undealt, dealt, tuple(weighing.odds(area) for area in book.outright_areas))
