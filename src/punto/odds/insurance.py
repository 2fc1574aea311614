"""Insurance: how often each offer is made, what a unit of it is worth, the best a bettor can do with it by
the totals on the table, and what more knowledge than that is worth. A window passed up forgoes insurance
for the round, and the cap runs over both windows; the least stake in the first one keeps the second open,
which is called holding here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import lcm
from operator import add, mul

from punto.documents.page import Grid, Tabled, figures, percent
from punto.odds.bet_odds import BetOdds, Weighing
from punto.odds.known_cards import LEAST_CARDS, RoundSoFar, Undealt
from punto.odds.ordered_draws import Way, all_ways, falling, ways
from punto.rules.book import Book, require_book
from punto.rules.outcome import Hand, Winner, shown_odds
from punto.rules.pay_table import InsuranceOffer
from punto.rules.table_of_play import STOOD, Play

FIRST, SECOND = 4, 5  # Cards on the table at the two windows.

Cell = tuple[int, Hand, int, int]  # Cards on the table, the insured hand, and the points of Player and Banker then.


class InsuranceChoice(Enum):
    """What the best policy does with an offer."""

    INSURE = "insure"  # To the cap.
    HOLD = "hold"  # With the least stake, so that the second window stays open.
    PASS = "pass"

    @property
    def words(self) -> str:
        """For people: hold is a word for money. Files and programs have the value."""
        return "keep open" if self is InsuranceChoice.HOLD else self.value


@dataclass(frozen=True, slots=True)
class AfterHold:
    """What is best in the second window for whoever kept it open at these totals in the first."""

    player_points: int
    banker_points: int
    choice: InsuranceChoice

    @property
    def words(self) -> str:
        return f"kept open at {self.player_points}-{self.banker_points}: {self.choice.words}"


@dataclass(frozen=True, slots=True)
class OfferOdds:
    """One offer: the chance before the deal that it is made, and what a unit of it gains."""

    offer: InsuranceOffer
    player_points: int
    banker_points: int
    reach: Fraction
    ev: Fraction
    choice: InsuranceChoice  # In the second window, of whoever had no offer in the first.
    after: tuple[AfterHold, ...] = ()
    """In the second window: what whoever kept it open does, by the totals at which that is the policy."""
    ends: tuple[tuple[Winner, Fraction], ...] = ()
    """How the round can end once it is offered, each with its chance; what cannot be is not among them."""

    @property
    def best(self) -> str:
        """The policy in words: one where all do the same."""
        if all(one.choice is self.choice for one in self.after):
            return self.choice.words
        return "; ".join([self.choice.words, *(one.words for one in self.after)])

    @property
    def favours(self) -> str:
        """Who has the edge: `player`, `house`, or `nobody`."""
        if self.ev == 0:
            return "nobody"
        return "player" if self.ev > 0 else "house"


@dataclass(frozen=True, slots=True)
class InsuredBet:
    """A main bet with the best policy of insurance."""

    hand: Hand
    bet: BetOdds
    gain: Fraction  # What insurance adds to the expectation of one unit on the main bet.

    @property
    def ev(self) -> Fraction:
        return self.bet.ev + self.gain

    @property
    def edge(self) -> Fraction:
        return -self.ev


@dataclass(frozen=True, slots=True)
class InsuranceOdds(Tabled):
    """All offers of a book that can be reached, and the main bets with the best policy."""

    book: Book
    offers: tuple[OfferOdds, ...]
    bets: tuple[InsuredBet, ...]

    @property
    def for_players(self) -> tuple[OfferOdds, ...]:
        """Offers on which the player has the edge: an operator needs to know."""
        return tuple(offer for offer in self.offers if offer.ev > 0)

    @property
    def table(self) -> Grid:
        heads = ("Window", "Hand", "Player", "Banker", "Pays", "Reached", "House edge", "Favours", "Best")
        rows = []
        for o in self.offers:
            offer = o.offer.window.label, o.offer.hand.value.capitalize(), str(o.player_points), str(o.banker_points)
            chances = shown_odds(o.offer.odds), percent(o.reach), percent(-o.ev)
            rows.append((*offer, *chances, o.favours, o.best))
        return figures(f"{self.book.title}: insurance", heads, rows)

    @property
    def summary(self) -> Grid:
        heads = ("Main bet", "House edge", "Insurance gains", "Edge with best insurance")
        rows = tuple(
            (one.hand.value.capitalize(), percent(one.bet.edge), percent(one.gain), percent(one.edge))
            for one in self.bets
        )
        return figures(f"{self.book.title}: insured with optimal play", heads, rows)

    @property
    def warning(self) -> tuple[str, ...]:
        count = len(self.for_players)
        return (f"{count} of {len(self.offers)} offers favour the player.",) if count else ()


def insurance_odds(book: Book, undealt: Undealt) -> InsuranceOdds:
    """Every insurance offer before the deal, and what the best use of them does to the main bets."""
    require_book(book)
    undealt.require_a_round()
    study = _Study(book, undealt)
    choices = {cell: study.choice(cell) for cell in study.made}
    offers = []
    for cell in sorted(study.made, key=lambda c: (c[0], c[1].value, c[2], c[3])):
        reach, ev = Fraction(study.weight[cell], study.total), study.net[cell] / study.weight[cell]
        after = study.after(cell, choices)
        ends = study.ends(cell)
        offers.append(OfferOdds(study.made[cell], cell[2], cell[3], reach, ev, choices[cell], after, ends))
    weighing = Weighing(book, undealt, RoundSoFar())
    bets = tuple(
        InsuredBet(hand, weighing.odds(book.main_area(hand)), study.gain(hand, choices))
        for hand in Hand
        if any(cell[1] is hand for cell in study.made)
    )
    return InsuranceOdds(book, tuple(offers), bets)


class _Study:
    """Weights and net gains of every offer, summed over all ways a round can go."""

    def __init__(self, book: Book, undealt: Undealt) -> None:
        self.total = all_ways(undealt.points, RoundSoFar())
        self.made: dict[Cell, InsuranceOffer] = {}
        self.weight: dict[Cell, int] = defaultdict(int)
        self._ended: dict[tuple[Cell, Winner], int] = defaultdict(int)
        after: dict[tuple[Cell | None, Cell, Winner], int] = defaultdict(int)
        for way in ways(book.play, undealt.points, RoundSoFar()):
            if way.weight:
                self._add(book, way, after)
        self.net: dict[Cell, Fraction] = defaultdict(Fraction)
        for (cell, winner), number in self._ended.items():
            self.net[cell] += self.made[cell].outcome(winner).net * number
        self._later: dict[tuple[Cell | None, Cell], Fraction] = defaultdict(Fraction)
        """Net of a second-window offer, by the first-window offer on that hand before it, if any."""
        for (first, second, winner), number in after.items():
            self._later[first, second] += self.made[second].outcome(winner).net * number

    def _add(self, book: Book, way: Way, after: dict[tuple[Cell | None, Cell, Winner], int]) -> None:
        winner = way.winner
        before: dict[Hand, Cell] = {}
        for cell, offer in _offers(book, way):
            self.made[cell] = offer
            self.weight[cell] += way.weight
            self._ended[cell, winner] += way.weight
            if cell[0] == FIRST:
                before[offer.hand] = cell
            else:
                after[before.get(offer.hand), cell, winner] += way.weight

    def ends(self, cell: Cell) -> tuple[tuple[Winner, Fraction], ...]:
        """How a round can end in which an offer was made, each with its chance."""
        counted = ((winner, self._ended.get((cell, winner), 0)) for winner in Winner)
        return tuple((winner, Fraction(count, self.weight[cell])) for winner, count in counted if count)

    def _insured(self, cell: Cell) -> Fraction:
        """Gain of an offer taken to the cap, times its ways; in the second window, if none was before."""
        net = self.net[cell] if cell[0] == FIRST else self._later[None, cell]
        return net / self.made[cell].odds

    def _held(self, first: Cell) -> Fraction:
        """Gain of the second window alone after the least stake in the first."""
        gains = (
            net / self.made[second].odds for (before, second), net in self._later.items() if before == first and net > 0
        )
        return sum(gains, Fraction(0))

    def choice(self, cell: Cell) -> InsuranceChoice:
        """What is best at an offer; in the second window, for whoever had none in the first."""
        insured = max(self._insured(cell), Fraction(0))
        if cell[0] == FIRST and self._held(cell) > insured:
            return InsuranceChoice.HOLD
        return InsuranceChoice.INSURE if insured > 0 else InsuranceChoice.PASS

    def after(self, cell: Cell, choices: dict[Cell, InsuranceChoice]) -> tuple[AfterHold, ...]:
        """What whoever kept it open does at an offer of the second window: insure what pays, nothing else."""
        after = [
            AfterHold(first[2], first[3], InsuranceChoice.INSURE if net > 0 else InsuranceChoice.PASS)
            for (first, second), net in self._later.items()
            if second == cell and first is not None and choices[first] is InsuranceChoice.HOLD
        ]
        return tuple(sorted(after, key=lambda hold: (hold.player_points, hold.banker_points)))

    def gain(self, hand: Hand, choices: dict[Cell, InsuranceChoice]) -> Fraction:
        """What the best choices add to one unit on a hand."""
        gain = Fraction(0)
        for cell, choice in choices.items():
            if cell[1] is hand and choice is not InsuranceChoice.PASS:
                gain += self._held(cell) if choice is InsuranceChoice.HOLD else self._insured(cell)
        return gain / self.total


def _offers(book: Book, way: Way) -> Iterator[tuple[Cell, InsuranceOffer]]:
    for offer in book.open_offers(FIRST, way.player, way.banker):
        yield (FIRST, offer.hand, way.player, way.banker), offer
    if way.players_third != STOOD:
        points = way.player_points
        for offer in book.open_offers(SECOND, points, way.banker, way.players_third):
            yield (SECOND, offer.hand, points, way.banker), offer


class Knowledge(Enum):
    """How much a bettor takes into account when insurance is offered. All but the last are exact here; that takes many
    shoes, which `studies.expectations` plays.

    In a window one insures to the cap or not at all: the gain is linear in the stake. With the odds o and the gain e of
    a unit, the cap is worth e/o per unit of the main bet; holding is worth the best of the second window.
    """

    TOTALS = "totals"
    THIRD_CARD = "third-card"
    CARDS = "cards"
    COUNT = "count"

    @property
    def words(self) -> str:
        return _KNOWLEDGE_WORDS[self]


_KNOWLEDGE_WORDS = {
    Knowledge.TOTALS: "the totals on the table",
    Knowledge.THIRD_CARD: "the first totals and the third card",
    Knowledge.CARDS: "every card on the table",
    Knowledge.COUNT: "every card of the shoe so far",
}

Gains = dict[Hand, Fraction]  # What insurance adds to one unit on the main bet of each hand.


_Ends = list[int]
"""In how many ways the rest of a round is tied, won by Player, and won by Banker: by the sign of Player's margin."""


def _margin(player_points: int, banker_points: int) -> int:
    return (player_points > banker_points) - (player_points < banker_points)


class _Caps:
    """What every offer gains when it is taken to the cap, in whole numbers: thousands of hands are looked at."""

    def __init__(self, book: Book) -> None:
        offers = (offer for cell in book.offers.cells.values() for offer in cell)
        self.scale = lcm(*(net.denominator for offer in offers for net in _nets(offer)))
        """What a gain is to be divided by."""
        self._book, self._open = book, cache(self._open_at)

    def gains(self, ends: _Ends, player: int, banker: int, third: int | None = None) -> Iterator[tuple[Hand, int]]:
        """The gain of each offer open at these points, times the ways that the round ends."""
        for hand, nets in self._open(player, banker, third):
            yield hand, sum(map(mul, nets, ends))

    def _open_at(self, player: int, banker: int, third: int | None) -> list[tuple[Hand, list[int]]]:
        offers = self._book.open_offers(FIRST if third is None else SECOND, player, banker, third)
        return [(offer.hand, [int(net * self.scale) for net in _nets(offer)]) for offer in offers]


def _nets(offer: InsuranceOffer) -> list[Fraction]:
    """What an offer to the cap gains, in the order of `_Ends`."""
    return [offer.outcome(winner).net / offer.odds for winner in (Winner.TIE, Winner.PLAYER, Winner.BANKER)]


def gains_with_third_card(book: Book, undealt: Undealt) -> Gains:
    """The gains of whoever remembers the first totals and looks at Player's third card."""
    undealt.require_a_round()
    seen: dict[tuple[int, int], dict[int, _Ends]] = defaultdict(lambda: defaultdict(lambda: [0] * 3))
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if way.weight:
            ends = seen[way.player, way.banker][way.players_third]
            ends[_margin(way.player_points, way.banker_points)] += way.weight
    caps, gains = _Caps(book), dict.fromkeys(Hand, 0)
    for (s, t), thirds in seen.items():
        _add_best(caps, gains, s, t, thirds)
    total = all_ways(undealt.points, RoundSoFar())
    return {hand: Fraction(gain, caps.scale * total) for hand, gain in gains.items()}


def gains_with_cards(book: Book, undealt: Undealt) -> Gains:
    """The gains of whoever looks at every card on the table, in a shoe of these cards."""
    undealt.require_a_round()
    caps, gains = _Caps(book), dict.fromkeys(Hand, 0)
    n = list(undealt.points)
    hands = [(hand, sum(hand) % 10, 1 + (hand[0] != hand[1])) for hand in combinations_with_replacement(range(10), 2)]
    for player, s, player_orders in hands:
        for banker, t, banker_orders in hands:
            if not book.play.brings_card(s, t):
                continue
            weight = player_orders * banker_orders
            for points in (*player, *banker):
                weight *= n[points]
                n[points] -= 1
            if weight > 0:
                _add_best(caps, gains, s, t, _thirds(book.play, n, s, t, weight))
            for points in (*player, *banker):
                n[points] += 1
    total = falling(undealt.size, LEAST_CARDS)
    return {hand: Fraction(gain, caps.scale * total) for hand, gain in gains.items()}


def _thirds(play: Play, n: list[int], s: int, t: int, weight: int) -> dict[int, _Ends]:
    """How the rest goes by Player's third card, or by `STOOD` for none."""
    # Cards with which a Banker who draws ends below each number of points.
    below = list(accumulate((n[(points - t) % 10] for points in range(10)), initial=0))
    rest = below[10]
    if not play.player_draws[s * 10 + t]:
        ways, player, tie = weight * (rest - 1), below[s], below[s + 1] - below[s]
        return {STOOD: [ways * tie, ways * player, ways * (rest - player - tie)]}
    thirds: dict[int, _Ends] = {}
    for x in range(10):
        if n[x] == 0:
            continue
        p, ways = (s + x) % 10, weight * n[x]
        if not play.banker_draws[x][t]:
            thirds[x] = [0] * 3
            thirds[x][_margin(p, t)] = ways * (rest - 1)
            continue
        same = (t + x) % 10  # what Banker would end with, had it the card that Player drew
        player, tie = below[p] - (same < p), below[p + 1] - below[p] - (same == p)
        thirds[x] = [ways * tie, ways * player, ways * (rest - 1 - player - tie)]
    return thirds


def _add_best(caps: _Caps, gains: dict[Hand, int], s: int, t: int, thirds: dict[int, _Ends]) -> None:
    """Add the best of both windows for hands of the totals s and t, given how the rest goes by third card."""
    best = dict.fromkeys(Hand, 0)
    every = [0] * 3
    for x, ends in thirds.items():
        every = list(map(add, every, ends))
        for hand, gain in caps.gains(ends, (s + x) % 10, t, x) if x != STOOD else ():
            best[hand] += max(gain, 0)
    for hand, gain in caps.gains(every, s, t):
        best[hand] = max(best[hand], gain)
    for hand, gain in best.items():
        gains[hand] += gain
