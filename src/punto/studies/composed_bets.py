"""Bets beyond one stake on one area: those made in several steps as one distribution (an ante with its wager,
a main bet with its insurance, both with optimal play by the totals shown), and the bets of one round
together, with how they go with each other. All of it is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import lcm, prod, sqrt

from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.bet_odds import NetResults
from punto.odds.insurance import InsuranceChoice, insurance_odds
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.ordered_draws import Way, all_ways, first_four, shown_totals_weights, third_cards, ways
from punto.rules.book import Book, hand_label, label_of
from punto.rules.outcome import ALL_TOTALS, Facts, Hand
from punto.rules.pay_table import InsuranceOffer
from punto.rules.table_of_play import STOOD
from punto.studies.expectations import INSURED, insured_areas, is_by_totals


@dataclass(frozen=True, slots=True)
class ComposedBet(NetResults):
    """A bet made in steps, per unit of its first stake: its net results and in how many ways each comes."""

    area: str
    label: str
    clause: str
    results: tuple[tuple[Fraction, int], ...]  # Net results, best first, each with its ordered draws.
    total: int
    staked: Fraction  # Units staked on average, the first one included.

    def net_ways(self) -> tuple[tuple[Fraction, int], ...]:
        return self.results


class OptimalPlay:
    """What every bet that is made in steps comes to on one deal, with optimal play by the totals shown."""

    def __init__(self, book: Book, undealt: Undealt) -> None:
        self._book = book
        sides = ante_odds(book, undealt).sides if book.ante else ()
        self.sides = tuple(side for side in sides if is_by_totals(book, side.pair.ante))
        self._is_played = [{d.shown: d.is_played for d in side.decisions} for side in self.sides]
        odds = insurance_odds(book, undealt) if book.insurance else None
        self._offers = {(o.offer.area, o.player_points, o.banker_points): o for o in (odds.offers if odds else ())}
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
        ante, wager = (self._book.pay_tables[area].net_at(totals) for area in (side.pair.ante, side.pair.wager))
        return ante + side.multiple * wager

    def insured_net(self, hand: Hand, way: Way) -> tuple[Fraction, Fraction]:
        """The net of a main bet with its insurance, and what was staked on insurance."""
        net = self._book.pay_tables[self._book.main_area(hand)].net_at(way.totals)
        taken = self._insurance(hand, way)
        if taken is None:
            return net, Fraction(0)
        return net + taken.outcome(way.winner).net / taken.odds, 1 / taken.odds

    def _insurance(self, hand: Hand, way: Way) -> InsuranceOffer | None:
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
        held = {(a.player_points, a.banker_points): a.choice for a in row.after}
        is_held = choice is InsuranceChoice.HOLD
        best = held.get((way.player, way.banker), row.choice) if is_held else row.choice
        return second if best is InsuranceChoice.INSURE else None


@lru_cache(maxsize=16)
def optimal_play(book: Book, undealt: Undealt) -> OptimalPlay:
    """How bets made in steps are played from these cards: a sheet asks several times."""
    return OptimalPlay(book, undealt)


def composed_bets(book: Book, decks: int) -> tuple[ComposedBet, ...]:
    """Every ante with its wager, then every main bet with its insurance, from a full shoe."""
    undealt = Undealt.of_decks(decks)
    return (*_antes(book, undealt), *_insured(book, undealt))


def _antes(book: Book, undealt: Undealt) -> list[ComposedBet]:
    antes = []
    play = optimal_play(book, undealt)
    for number, side in enumerate(play.sides):
        results: dict[Fraction, int] = defaultdict(int)
        for decision in side.decisions:
            for totals, weight in enumerate(shown_totals_weights(book.play, undealt.points, decision.shown)):
                if weight:
                    results[play.ante_net(number, decision.shown, totals)] += weight
        assert book.ante is not None
        name = f"{label_of(book, side.pair.ante)} with its wager"
        antes.append(_composed(side.pair.ante, name, book.ante.clause, results, side.staked))
    return antes


def _insured(book: Book, undealt: Undealt) -> list[ComposedBet]:
    if book.insurance is None:
        return []
    play = optimal_play(book, undealt)
    came: dict[Hand, dict[tuple[Fraction, Fraction], int]] = {hand: defaultdict(int) for hand in play.hands}
    for way in ways(book.play, undealt.points, RoundSoFar()):
        for hand in play.hands if way.weight else ():
            came[hand][play.insured_net(hand, way)] += way.weight
    results: dict[Hand, dict[Fraction, int]] = {hand: defaultdict(int) for hand in play.hands}
    staked = dict.fromkeys(play.hands, Fraction(0))
    for hand, by_net in came.items():
        for (net, insured), weight in by_net.items():
            results[hand][net] += weight
            staked[hand] += weight * insured
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


def _composed(area: str, label: str, clause: str, results: dict[Fraction, int], staked: Fraction) -> ComposedBet:
    ordered = tuple(sorted(results.items(), key=lambda item: -item[0]))
    return ComposedBet(area, label, clause, ordered, sum(results.values()), staked)


@dataclass(frozen=True, slots=True)
class Joint:
    """Net results of every bet for all deals that a full shoe can bring, deals with equal results as one row. Bets on
    single cards stand apart: their facts together are too many."""

    book: Book
    areas: tuple[str, ...]  # Bets by themselves, as the book names them.
    composed: tuple[str, ...]  # Bets that are made in steps: antes with their wagers, and insured bets.
    nets: tuple[tuple[Fraction, ...], ...]  # By area, then by composed bet, for each row.
    weights: tuple[int, ...]
    facts: tuple[Facts, ...]  # The facts of one deal of each row.

    @property
    def apart(self) -> tuple[str, ...]:
        """Bets on single cards, which are not among these."""
        return tuple(bet.area for bet in self.book.bets if self.book.pay_tables[bet.area].cards is not None)

    def correlation(self, one: str, other: str) -> float:
        """The correlation of two bets: 1 where they go together, -1 where one wins as the other loses, 0 for a bet that
        always comes to the same. An ante counts with its wager, and an insured bet with its insurance."""
        columns = dict(zip((*self.areas, *self.composed), self.nets, strict=True))
        # In whole numbers: fractions are exact too, but a sheet has hundreds of these sums over thousands of rows.
        (a, scale_a), (b, scale_b) = _whole(columns[one]), _whole(columns[other])
        total = sum(self.weights)
        mean_a, mean_b = Fraction(self._sum(a), total * scale_a), Fraction(self._sum(b), total * scale_b)
        variance_a = float(Fraction(self._sum(a, a), total * scale_a**2) - mean_a**2)
        variance_b = float(Fraction(self._sum(b, b), total * scale_b**2) - mean_b**2)
        if not (variance_a and variance_b):
            return 0.0
        both = Fraction(self._sum(a, b), total * scale_a * scale_b)
        return float(both - mean_a * mean_b) / sqrt(variance_a * variance_b)

    def _sum(self, *columns: Iterable[int]) -> int:
        return sum(map(prod, zip(*columns, self.weights, strict=True)))


def _whole(nets: tuple[Fraction, ...]) -> tuple[list[int], int]:
    """The nets times the least number that makes all of them whole, and that number."""
    scale = lcm(*(net.denominator for net in nets))
    return [net.numerator * (scale // net.denominator) for net in nets], scale


def joint_of(book: Book, decks: int) -> Joint:
    """All deals of a round from a full shoe, with what each bet comes to."""
    undealt = Undealt.of_decks(decks)
    areas = tuple(bet.area for bet in book.bets if book.pay_tables[bet.area].cards is None)
    play = optimal_play(book, undealt)
    composed, deals = _deals(book, undealt, play)
    # Deals with the same results for every bet are one row. They are told by numbers: fractions are slow keys.
    alone: dict[tuple[Fraction, ...], int] = {}
    tables = [book.pay_tables[area] for area in areas]

    @cache
    def nets_of(rows: tuple[int, ...]) -> int:
        nets = tuple(table.rows[row].outcome.net for table, row in zip(tables, rows, strict=True))
        return alone.setdefault(nets, len(alone))

    merged: dict[tuple[int, int], tuple[Facts, int]] = {}
    for (totals, pairs, number), weight in deals.items():
        facts = Facts(totals, *pairs)
        key = nets_of(tuple(table.row(facts) for table in tables)), number
        first, before = merged.get(key, (facts, 0))
        merged[key] = first, before + weight
    by_number = tuple(alone)
    columns = tuple(zip(*(by_number[one] + composed[other] for one, other in merged), strict=True))
    rows = tuple(merged.values())
    steps = (*(side.pair.ante for side in play.sides), *insured_areas(book))
    return Joint(book, areas, steps, columns, tuple(w for _, w in rows), tuple(f for f, _ in rows))


_Deals = dict[tuple[int, tuple[int, int], int], int]
"""Ways by totals, pairs, and the number of the nets of bets that are made in steps."""


def _deals(book: Book, undealt: Undealt, play: OptimalPlay) -> tuple[tuple[tuple[Fraction, ...], ...], _Deals]:
    """The nets of bets that are made in steps by their numbers, and the deals that lead to them."""
    # Thousands of first cards come to the same few totals: what follows from those is worked out once.
    nets: dict[tuple[Fraction, ...], int] = {}

    @cache
    def insured(s: int, t: int, totals: int) -> tuple[Fraction, ...]:
        return tuple(play.insured_net(hand, Way.to(s, t, ALL_TOTALS[totals]))[0] for hand in play.hands)

    @cache
    def composed(shown: tuple[int, ...], s: int, t: int, totals: int) -> int:
        antes = (play.ante_net(number, shown, totals) for number in range(len(play.sides)))
        return nets.setdefault((*antes, *insured(s, t, totals)), len(nets))

    ways: _Deals = defaultdict(int)
    shown_cards = play.shown_cards
    for (players, bankers), by_pairs in first_four(undealt, RoundSoFar()).items():
        n = list(undealt.points)
        for points in (*players, *bankers):
            n[points] -= 1
        s, t = sum(players) % 10, sum(bankers) % 10
        first_cards = _shown(players, bankers, shown_cards)
        for totals, weight in third_cards(book.play, n, s, t):
            for shown in first_cards:
                number = composed(shown, s, t, totals)
                for pairs, pair_ways in by_pairs.items():
                    ways[totals, pairs, number] += weight * pair_ways
    return tuple(nets), ways


def _shown(players: tuple[int, ...], bankers: tuple[int, ...], cards: int) -> list[tuple[int, ...]]:
    """The first cards, once for each of the four orders of two hands, which are all as likely."""
    if not cards:
        return [()]
    orders = product((players, players[::-1]), (bankers, bankers[::-1]))
    return [(player[0], banker[0], player[1])[:cards] for player, banker in orders]
