"""Antes: whether to follow each first card with the wager, and what the house keeps with optimal play.

Giving up loses the ante, whatever the deal brings; playing stakes the wager beside it, a fixed multiple of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from punto.documents.page import Grid, Tabled, expectation, figures, percent
from punto.odds.bet_odds import Weighing
from punto.odds.known_cards import LEAST_CARDS, RoundSoFar, Undealt
from punto.odds.ordered_draws import falling
from punto.rules.book import Book, require_book
from punto.rules.book_text import AntePair
from punto.rules.outcome import Hand

GIVE_UP = Fraction(-1)  # Net per ante of giving up.


def best_choice(play: Fraction) -> str:
    return "play" if play >= GIVE_UP else "give-up"


@dataclass(frozen=True, slots=True)
class AnteDecision:
    """What to do when these points are shown."""

    shown: tuple[int, ...]  # Points of the shown cards, in dealing order.
    chance: Fraction
    play: Fraction  # Net per ante of playing, the wager's net included.

    @property
    def is_played(self) -> bool:
        """Whether playing is at least as good as giving up."""
        return self.play >= GIVE_UP

    @property
    def best(self) -> str:
        return best_choice(self.play)

    @property
    def ev(self) -> Fraction:
        """Net per ante of the better choice."""
        return max(self.play, GIVE_UP)


@dataclass(frozen=True, slots=True)
class AnteSide:
    """An ante on one hand, with optimal play."""

    hand: Hand
    pair: AntePair
    multiple: int
    decisions: tuple[AnteDecision, ...]

    @property
    def ev(self) -> Fraction:
        """Net per ante."""
        return sum((d.chance * d.ev for d in self.decisions), Fraction(0))

    @property
    def edge(self) -> Fraction:
        """House edge per ante."""
        return -self.ev

    @property
    def staked(self) -> Fraction:
        """Units put at risk per ante, on average: the ante, and the wager where it is played."""
        played = sum((d.chance for d in self.decisions if d.is_played), Fraction(0))
        return 1 + self.multiple * played

    @property
    def edge_at_risk(self) -> Fraction:
        """House edge per unit put at risk."""
        return self.edge / self.staked


@dataclass(frozen=True, slots=True)
class AnteOdds(Tabled):
    book: Book
    sides: tuple[AnteSide, ...]

    @property
    def table(self) -> Grid:
        rows = []
        for side in self.sides:
            for one in side.decisions:
                ante = side.hand.value.capitalize(), " ".join(map(str, one.shown))
                rows.append((*ante, percent(-one.play), expectation(one.play), percent(-GIVE_UP), one.best))
        heads = ("Ante", "Shown", "House edge", "Expectation", "If given up", "Best")
        return figures(f"{self.book.title}: antes, played or given up", heads, rows)

    @property
    def summary(self) -> Grid:
        heads = ("Ante", "Edge per ante", "Staked per ante", "Edge per unit at risk")
        rows = tuple(
            (side.hand.value.capitalize(), percent(side.edge), f"{float(side.staked):.4f}", percent(side.edge_at_risk))
            for side in self.sides
        )
        return figures(f"{self.book.title}: antes with optimal play", heads, rows)


def ante_odds(book: Book, undealt: Undealt) -> AnteOdds:
    """Every ante of a book, for each first card that can come."""
    require_book(book)
    undealt.require_a_round()
    ante, sides = book.ante, []
    if ante is None:
        return AnteOdds(book, ())
    decisions: dict[AntePair, list[AnteDecision]] = {pair: [] for pair in ante.pairs}
    total, points = falling(undealt.size, LEAST_CARDS), undealt.points
    for shown in product(range(10), repeat=ante.shown_cards):
        if any(points[card] < shown.count(card) for card in shown):
            continue
        weighing = Weighing(book, undealt, RoundSoFar(), shown)
        for pair in ante.pairs:
            stake, wager = weighing.odds(pair.ante), weighing.odds(pair.wager)
            net = stake.ev + ante.multiple * wager.ev
            decisions[pair].append(AnteDecision(shown, Fraction(stake.total, total), net))
    for pair, decided in decisions.items():
        bet = book.bet(pair.ante)
        assert bet is not None and bet.hand is not None, "validation lets no ante without a hand through"
        sides.append(AnteSide(bet.hand, pair, ante.multiple, tuple(decided)))
    return AnteOdds(book, tuple(sides))
