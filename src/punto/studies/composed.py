"""Bets that are made in several steps, as one distribution of what they come to: an ante with its wager, and
a main bet with its insurance, both with optimal play by the totals that are shown.

A full row of a PAR sheet needs more than an expectation: how often each net result comes, the hit rate and
the deviation. All of it is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.insurance import InsuranceChoice, insurance_odds
from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import Way, all_ways, shown_totals_weights, ways
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.labels import hand_label, label_of
from punto.rules.offers import InsuranceOffer
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


class OptimalPlay:
    """What every bet that is made in steps comes to on one deal, with optimal play by the totals shown."""

    def __init__(self, book: Book, undealt: Undealt) -> None:
        self._book = book
        sides = ante_odds(book, undealt).sides if book.ante else ()
        self.sides = tuple(side for side in sides if is_by_totals(book, side.pair.ante))
        self._is_played = [{d.shown: d.is_played for d in side.decisions} for side in self.sides]
        odds = insurance_odds(book, undealt) if book.insurance else None
        self._offers = {
            (o.offer.area, o.player_points, o.banker_points): o for o in (odds.offers if odds else ())
        }
        self.hands = tuple(insured_areas(book).values())

    @property
    def shown_cards(self) -> int:
        """First cards whose points decide about antes; 0 where every ante is always played."""
        is_always = all(all(played.values()) for played in self._is_played)
        return 0 if is_always or self._book.ante is None else self._book.ante.shown_cards

    def ante_net(self, number: int, shown: tuple[int, ...], totals: int) -> Fraction:
        """The net of an ante with its wager; no cards need be shown where every ante is always played."""
        if shown and not self._is_played[number][shown]:
            return GIVE_UP
        side = self.sides[number]
        ante, wager = (self._book.pay_tables[area] for area in (side.pair.ante, side.pair.wager))
        first = ante.nets[totals * ante.totals_stride]
        return first + side.multiple * wager.nets[totals * wager.totals_stride]

    def insured_net(self, hand: Hand, way: Way) -> tuple[Fraction, Fraction]:
        """The net of a main bet with its insurance, and what was staked on insurance."""
        table = self._book.pay_tables[self._book.main_area(hand)]
        net = table.nets[way.totals * table.totals_stride]
        taken = self._insurance(hand, way)
        if taken is None:
            return net, Fraction(0)
        return net + taken.outcome(way.winner).net / taken.odds, 1 / taken.odds

    def _insurance(self, hand: Hand, way: Way) -> InsuranceOffer | None:
        """The offer that is taken, if any."""
        first = _on(hand, self._book.open_offers(4, way.player, way.banker))
        choice = None
        if first is not None:
            choice = self._offers[first.area, way.player, way.banker].choice
            if choice is InsuranceChoice.INSURE:
                return first
        if way.players_third == STOOD or choice is InsuranceChoice.PASS:
            return None
        offers = self._book.open_offers(5, way.player_points, way.banker, way.players_third)
        second = _on(hand, offers)
        if second is None:
            return None
        row = self._offers[second.area, way.player_points, way.banker]
        best = row.choice
        if choice is InsuranceChoice.HOLD:
            at = way.player, way.banker
            best = next((a.choice for a in row.after if (a.player_points, a.banker_points) == at), best)
        return second if best is InsuranceChoice.INSURE else None


def composed_bets(book: Book, decks: int) -> tuple[ComposedBet, ...]:
    """Every ante with its wager, then every main bet with its insurance, from a full shoe."""
    undealt = Undealt.of_decks(decks)
    return (*_antes(book, undealt), *_insured(book, undealt))


def _antes(book: Book, undealt: Undealt) -> list[ComposedBet]:
    found = []
    play = OptimalPlay(book, undealt)
    for number, side in enumerate(play.sides):
        results: dict[Fraction, int] = defaultdict(int)
        for decision in side.decisions:
            for totals, weight in enumerate(shown_totals_weights(book.play, undealt.points, decision.shown)):
                if weight:
                    results[play.ante_net(number, decision.shown, totals)] += weight
        assert book.ante is not None
        name = f"{label_of(book, side.pair.ante)} with its wager"
        found.append(_composed(side.pair.ante, name, book.ante.clause, results, side.staked))
    return found


def _insured(book: Book, undealt: Undealt) -> list[ComposedBet]:
    if book.insurance is None:
        return []
    play = OptimalPlay(book, undealt)
    results: dict[Hand, dict[Fraction, int]] = {hand: defaultdict(int) for hand in play.hands}
    staked = dict.fromkeys(play.hands, Fraction(0))
    for way in ways(book.play, undealt.points, RoundSoFar()):
        for hand in play.hands if way.weight else ():
            net, insured = play.insured_net(hand, way)
            results[hand][net] += way.weight
            staked[hand] += way.weight * insured
    total = all_ways(undealt.points, RoundSoFar())
    return [
        _composed(
            f"{book.main_area(hand)}{INSURED}",
            f"{hand_label(book, hand)}, insured",
            book.insurance.table_clause,
            results[hand],
            1 + staked[hand] / total,
        )
        for hand in play.hands
    ]


def _on(hand: Hand, offers: Iterable[InsuranceOffer]) -> InsuranceOffer | None:
    return next((offer for offer in offers if offer.hand is hand), None)


def _composed(
    area: str, label: str, clause: str, results: dict[Fraction, int], staked: Fraction
) -> ComposedBet:
    ordered = tuple(sorted(results.items(), key=lambda item: -item[0]))
    return ComposedBet(area, label, clause, ordered, sum(results.values()), staked)
