"""Effects of removal: by how much one card of each rank, gone from a full shoe, changes what a bet is worth.

They say which bets a card counter can follow, and with which tags. A card whose removal helps the bettor
has a positive effect.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from punto.cards.card import Card, Rank, Suit
from punto.documents.page import Grid, figures
from punto.odds.ante import ante_odds
from punto.odds.knowledge import gains_with_cards
from punto.odds.odds import odds_of
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.studies.expectations import insured_areas, study_label


@dataclass(frozen=True, slots=True)
class Removal:
    """Effects of removal on one bet."""

    area: str
    full: Fraction
    """Expectation of a unit with the full shoe; of an ante, with optimal play."""
    effects: tuple[Fraction, ...]
    """What the expectation gains when one card of each rank is gone, ace to king."""


@dataclass(frozen=True, slots=True)
class Removals:
    """Effects of removal on every bet of a book."""

    book: Book
    decks: int
    bets: tuple[Removal, ...]

    @property
    def table(self) -> Grid:
        """Effects in per cent, a row for each bet."""
        heads = ("Bet", *(rank.notation for rank in Rank))
        rows = tuple(
            (study_label(self.book, one.area), *(f"{float(effect) * 100:+.4f}" for effect in one.effects))
            for one in self.bets
        )
        return figures(f"{self.book.title}, {self.decks} decks: effects of removal, %", heads, rows)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def removals(book: Book, decks: int) -> Removals:
    """Exact effects of removal from a full shoe of this many decks."""
    full = _expectations(book, Undealt.of_decks(decks))
    less = [_expectations(book, Undealt.of_decks(decks).less([_any_card(rank)])) for rank in Rank]
    bets = tuple(
        Removal(area, value, tuple(without[area] - value for without in less)) for area, value in full.items()
    )
    return Removals(book, decks, bets)


def insured_removals(book: Book, decks: int) -> tuple[Removal, ...]:
    """Effects of removal on the main bets that are insured by whoever sees every card."""
    insured = insured_areas(book)
    if not insured:
        return ()
    shoes = [Undealt.of_decks(decks)]
    shoes += [shoes[0].less([_any_card(rank)]) for rank in list(Rank)[:10]]  # tens and courts do the same
    values = [_insured(book, shoe) for shoe in shoes]
    full = values[0]
    return tuple(
        Removal(area, full[hand], tuple(values[min(rank, 10)][hand] - full[hand] for rank in Rank))
        for area, hand in insured.items()
    )


def _insured(book: Book, undealt: Undealt) -> dict[Hand, Fraction]:
    odds, gains = odds_of(book, undealt), gains_with_cards(book, undealt)
    return {hand: odds.bet(book.main_area(hand)).ev + gains[hand] for hand in Hand}


def _any_card(rank: Rank) -> Card:
    """A full shoe is the same in all suits, so any suit will do."""
    return Card(f"{rank.notation}{Suit.SPADES.value}")


def _expectations(book: Book, undealt: Undealt) -> dict[str, Fraction]:
    found = {bet.area: bet.ev for bet in odds_of(book, undealt).bets}
    return found | {side.pair.ante: side.ev for side in ante_odds(book, undealt).sides}
