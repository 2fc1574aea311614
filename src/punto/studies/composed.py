"""Bets that are made in several steps, as one distribution of what they come to: an ante with its wager, and
a main bet with its insurance, both with optimal play by the totals that are shown.

A full row of a PAR sheet needs more than an expectation: how often each net result comes, the hit rate and
the deviation. All of it is exact.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.insurance import InsuranceChoice, insurance_odds
from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import all_ways, shown_totals_weights, ways
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.labels import hand_label, label_of
from punto.rules.play import STOOD
from punto.studies.expectations import INSURED, insured_areas, is_by_totals


@dataclass(frozen=True, slots=True)
class ComposedBet:
    """A bet made in steps, per unit of its first stake: its net results and in how many ways each comes."""

    area: str
    label: str
    clause: str
    results: tuple[tuple[Fraction, int], ...]
    """Net results, best first, each with its ordered draws."""
    total: int
    staked: Fraction
    """Units staked on average, the first one included."""

    @property
    def ev(self) -> Fraction:
        """What one unit gains on average."""
        return sum((net * ways for net, ways in self.results), Fraction(0)) / self.total

    @property
    def edge(self) -> Fraction:
        """House edge per unit of the first stake."""
        return -self.ev

    @property
    def variance(self) -> Fraction:
        """The variance of the net of one unit."""
        square = sum((net**2 * ways for net, ways in self.results), Fraction(0)) / self.total
        return square - self.ev**2

    @property
    def sd(self) -> float:
        """The standard deviation of the net of one unit."""
        return sqrt(self.variance)

    @property
    def win(self) -> Fraction:
        """The chance of a net win."""
        return self._share(1)

    @property
    def push(self) -> Fraction:
        """The chance to come out even."""
        return self._share(0)

    @property
    def lose(self) -> Fraction:
        """The chance of a net loss."""
        return self._share(-1)

    def _share(self, sign: int) -> Fraction:
        return Fraction(sum(w for net, w in self.results if (net > 0) - (net < 0) == sign), self.total)


def composed_bets(book: Book, decks: int) -> tuple[ComposedBet, ...]:
    """Every ante with its wager, then every main bet with its insurance, from a full shoe."""
    undealt = Undealt.of_decks(decks)
    return (*_antes(book, undealt), *_insured(book, undealt))


def _antes(book: Book, undealt: Undealt) -> list[ComposedBet]:
    found = []
    for side in ante_odds(book, undealt).sides if book.ante else ():
        if not is_by_totals(book, side.pair.ante):
            continue
        ante, wager = book.pay_tables[side.pair.ante], book.pay_tables[side.pair.wager]
        results: dict[Fraction, int] = defaultdict(int)
        for decision in side.decisions:
            for totals, weight in enumerate(shown_totals_weights(book.play, undealt.points, decision.shown)):
                if weight:
                    played = (
                        ante.nets[totals * ante.totals_stride]
                        + side.multiple * wager.nets[totals * wager.totals_stride]
                    )
                    results[played if decision.is_played else GIVE_UP] += weight
        assert book.ante is not None
        name = f"{label_of(book, side.pair.ante)} with its wager"
        found.append(_composed(side.pair.ante, name, book.ante.clause, results, side.staked))
    return found


def _insured(book: Book, undealt: Undealt) -> list[ComposedBet]:
    if book.insurance is None:
        return []
    odds = insurance_odds(book, undealt)
    policy = {(o.offer.area, o.player_points, o.banker_points): o for o in odds.offers}
    results: dict[Hand, dict[Fraction, int]] = {hand: defaultdict(int) for hand in Hand}
    staked = dict.fromkeys(Hand, Fraction(0))
    total = all_ways(undealt.points, RoundSoFar())
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if not way.weight:
            continue
        first = {o.hand: o for o in book.open_offers(4, way.player, way.banker)}
        second = {}
        if way.players_third != STOOD:
            offers = book.open_offers(5, way.player_points, way.banker, way.players_third)
            second = {o.hand: o for o in offers}
        for hand in Hand:
            table = book.pay_tables[book.main_area(hand)]
            net = table.nets[way.totals * table.totals_stride]
            taken = None
            choice = None
            if hand in first:
                choice = policy[first[hand].area, way.player, way.banker].choice
                taken = first[hand] if choice is InsuranceChoice.INSURE else None
            if taken is None and hand in second and choice is not InsuranceChoice.PASS:
                row = policy[second[hand].area, way.player_points, way.banker]
                held = [
                    a.choice
                    for a in row.after
                    if (a.player_points, a.banker_points) == (way.player, way.banker)
                ]
                best = held[0] if choice is InsuranceChoice.HOLD and held else row.choice
                taken = second[hand] if best is InsuranceChoice.INSURE else None
            if taken is not None:
                net += taken.outcome(way.winner).net / taken.odds
                staked[hand] += way.weight / taken.odds
            results[hand][net] += way.weight
    clause = book.insurance.table_clause
    hands = insured_areas(book)
    return [
        _composed(
            f"{book.main_area(hand)}{INSURED}",
            f"{hand_label(book, hand)}, insured",
            clause,
            results[hand],
            1 + staked[hand] / total,
        )
        for hand in hands.values()
    ]


def _composed(
    area: str, label: str, clause: str, results: dict[Fraction, int], staked: Fraction
) -> ComposedBet:
    ordered = tuple(sorted(results.items(), key=lambda item: -item[0]))
    return ComposedBet(area, label, clause, ordered, sum(results.values()), staked)
