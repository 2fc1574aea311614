"""Insurance: how often each offer is made, what a unit of it is worth, and the best a bettor can do with it.

A window passed up forgoes insurance for the round, and the cap runs over both windows: pay-outs promised
never exceed the main bet. Whoever insures to the cap in the first window has nothing left for the second.
The least stake in the first window, on the other hand, keeps the second one open; its worth is that of the
second alone, and it is called holding here. Holding pays only if the second window is then used: what to do
there is said for whoever kept it open, by the totals at which that was, and for whoever had no offer before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from punto.documents.number import percent
from punto.documents.page import Grid, figures
from punto.odds.bet_odds import BetOdds
from punto.odds.round_so_far import RoundSoFar
from punto.odds.totals import Way, all_ways, ways
from punto.odds.undealt import Undealt
from punto.odds.weighing import Weighing
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.offers import InsuranceOffer
from punto.rules.outcome import format_odds
from punto.rules.play import STOOD

FIRST, SECOND = 4, 5
"""Cards on the table at the two windows."""

Cell = tuple[int, Hand, int, int]
"""Cards on the table, the insured hand, and the points of Player and Banker then."""


class InsuranceChoice(Enum):
    """What the best policy does with an offer."""

    INSURE = "insure"
    """To the cap."""
    HOLD = "hold"
    """With the least stake, so that the second window stays open."""
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
        """For people."""
        return f"kept open at {self.player_points}-{self.banker_points}: {self.choice.words}"


@dataclass(frozen=True, slots=True)
class OfferOdds:
    """One offer: the chance before the deal that it is made, and what a unit of it gains."""

    offer: InsuranceOffer
    player_points: int
    banker_points: int
    reach: Fraction
    ev: Fraction
    choice: InsuranceChoice
    """In the second window, of whoever had no offer in the first."""
    after: tuple[AfterHold, ...] = ()
    """In the second window: what whoever kept it open does, by the totals at which that is the policy."""

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
    gain: Fraction
    """What insurance adds to the expectation of one unit on the main bet."""

    @property
    def ev(self) -> Fraction:
        """Expectation of one unit on the main bet with its insurance."""
        return self.bet.ev + self.gain

    @property
    def edge(self) -> Fraction:
        """House edge per unit of the main bet."""
        return -self.ev


@dataclass(frozen=True, slots=True)
class InsuranceOdds:
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
        """The offers as rows for people."""
        heads = ("Window", "Hand", "Player", "Banker", "Pays", "Reached", "House edge", "Favours", "Best")
        rows = tuple(
            (
                o.offer.window.label,
                o.offer.hand.value.capitalize(),
                str(o.player_points),
                str(o.banker_points),
                format_odds(o.offer.odds),
                percent(o.reach),
                percent(-o.ev),
                o.favours,
                o.best,
            )
            for o in self.offers
        )
        return figures(f"{self.book.title}: insurance", heads, rows)

    @property
    def summary(self) -> Grid:
        """The main bets without insurance and with the best policy."""
        heads = ("Main bet", "House edge", "Insurance gains", "Edge with best insurance")
        rows = tuple(
            (one.hand.value.capitalize(), percent(one.bet.edge), percent(one.gain), percent(one.edge))
            for one in self.bets
        )
        return figures(f"{self.book.title}: insured with optimal play", heads, rows)

    @property
    def warning(self) -> tuple[str, ...]:
        """What an operator must be told, if anything."""
        count = len(self.for_players)
        return (f"{count} of {len(self.offers)} offers favour the player.",) if count else ()

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def insurance_odds(book: Book, undealt: Undealt) -> InsuranceOdds:
    """Every insurance offer before the deal, and what the best use of them does to the main bets."""
    undealt.require_a_round()
    study = _Study(book, undealt)
    choices = {cell: study.choice(cell) for cell in study.made}
    offers = tuple(
        OfferOdds(
            study.made[cell],
            cell[2],
            cell[3],
            Fraction(study.weight[cell], study.total),
            study.net[cell] / study.weight[cell],
            choices[cell],
            study.after(cell, choices),
        )
        for cell in sorted(study.made, key=lambda c: (c[0], c[1].value, c[2], c[3]))
    )
    weighing = Weighing(book, undealt, RoundSoFar())
    bets = tuple(
        InsuredBet(hand, weighing.odds(book.main_area(hand)), study.gain(hand, choices))
        for hand in Hand
        if any(cell[1] is hand for cell in study.made)
    )
    return InsuranceOdds(book, offers, bets)


class _Study:
    """Weights and net gains of every offer, summed over all ways a round can go."""

    def __init__(self, book: Book, undealt: Undealt) -> None:
        self.total = all_ways(undealt.points, RoundSoFar())
        self.made: dict[Cell, InsuranceOffer] = {}
        self.weight: dict[Cell, int] = defaultdict(int)
        self.net: dict[Cell, Fraction] = defaultdict(Fraction)
        self._later: dict[tuple[Cell | None, Cell], Fraction] = defaultdict(Fraction)
        """Net of a second-window offer, by the first-window offer on that hand before it, if any."""
        for way in ways(book.play, undealt.points, RoundSoFar()):
            if way.weight:
                self._add(book, way)

    def _add(self, book: Book, way: Way) -> None:
        winner = way.winner
        before: dict[Hand, Cell] = {}
        for cell, offer in _offers(book, way):
            net = offer.outcome(winner).net * way.weight
            self.made[cell] = offer
            self.weight[cell] += way.weight
            self.net[cell] += net
            if cell[0] == FIRST:
                before[offer.hand] = cell
            else:
                self._later[before.get(offer.hand), cell] += net

    def _insured(self, cell: Cell) -> Fraction:
        """Gain of an offer taken to the cap, times its ways; in the second window, if none was before."""
        net = self.net[cell] if cell[0] == FIRST else self._later[None, cell]
        return net / self.made[cell].odds

    def _held(self, first: Cell) -> Fraction:
        """Gain of the second window alone after the least stake in the first."""
        gains = (
            net / self.made[second].odds
            for (before, second), net in self._later.items()
            if before == first and net > 0
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
        found = [
            (first[2], first[3], InsuranceChoice.INSURE if net > 0 else InsuranceChoice.PASS)
            for (first, second), net in self._later.items()
            if second == cell and first is not None and choices[first] is InsuranceChoice.HOLD
        ]
        return tuple(AfterHold(*one) for one in sorted(found, key=lambda one: one[:2]))

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
