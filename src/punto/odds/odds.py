"""The exact odds of a book for any undealt cards and any stage of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.cards.card import Card
from punto.documents.number import percent
from punto.documents.page import Grid, figures
from punto.odds.bet_odds import BetOdds
from punto.odds.round_so_far import RoundSoFar
from punto.odds.two_cards import falling
from punto.odds.undealt import LEAST, Undealt
from punto.odds.weighing import Weighing
from punto.rules.book import Book
from punto.rules.labels import label_of


@dataclass(frozen=True, slots=True, repr=False)
class Odds:
    """Every bet's odds at one stage of a round."""

    book: Book
    undealt: Undealt
    dealt: RoundSoFar
    bets: tuple[BetOdds, ...]

    def __repr__(self) -> str:
        return f"<Odds of {self.book.name}: {len(self.bets)} bets, {self.undealt.size} cards undealt>"

    @property
    def total(self) -> int:
        """Ordered draws of six cards from the undealt ones, before the deal."""
        return falling(self.undealt.size, LEAST)

    def bet(self, area: str) -> BetOdds:
        """The odds of one betting area."""
        return next(bet for bet in self.bets if bet.area == area)

    @property
    def table(self) -> Grid:
        """The odds as rows for people."""
        rows = [
            (
                label_of(self.book, bet.area),
                percent(bet.edge),
                percent(bet.win),
                percent(bet.push),
                percent(bet.lose),
                f"{bet.sd:.4f}",
            )
            for bet in self.bets
        ]
        heads = ("Bet", "House edge", "Win", "Push", "Lose", "Deviation")
        return figures(f"{self.book.title}: {self.undealt.size} cards undealt", heads, tuple(rows))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def odds_of(book: Book, undealt: Undealt, round_cards: Sequence[Card] = ()) -> Odds:
    """Exact odds of every bet that opens before the deal, antes excepted.

    `round_cards` are the cards of the round so far, in dealing order; they are not among the undealt ones.
    """
    dealt = RoundSoFar.of(book.play, round_cards)
    undealt.require_a_round(len(dealt.cards))
    weighing = Weighing(book, undealt, dealt)
    return Odds(book, undealt, dealt, tuple(weighing.odds(area) for area in book.outright_areas))
