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
from punto.odds.round_so_far import RoundSoFar
from punto.odds.undealt import Undealt
from punto.odds.weighing import Weighing
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.reading.validate import entries
from punto.rules.text.when import When
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
    less = [_without(book, decks, rank) for rank in Rank]
    bets = tuple(
        Removal(area, value, tuple(without[area] - value for without in less)) for area, value in full.items()
    )
    return Removals(book, decks, bets)


def insured_removals(book: Book, decks: int) -> tuple[Removal, ...]:
    """Effects of removal on the main bets that are insured by a player who sees every card."""
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


def cards_to_remove(book: Book, area: str, rank: Rank) -> list[Card]:
    """Cards of a rank that stand for all: one, unless the bet names suits, which are then not alike to it."""
    suits = list(Suit) if _names_suits(book, area) else [Suit.SPADES]
    return [Card(f"{rank.notation}{suit.value}") for suit in suits]


def _names_suits(book: Book, area: str) -> bool:
    bet = book.bet(area)
    whens = [one for _, one in entries(bet) if isinstance(one, When)]
    if any(when.names_suits for when in whens):
        return True
    others = [other for when in whens for other in _many(when.wins)]
    return any(_names_suits(book, other) for other in others)


def _many(areas: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return areas if isinstance(areas, tuple) else () if areas is None else (areas,)


def _any_card(rank: Rank) -> Card:
    return Card(f"{rank.notation}{Suit.SPADES.value}")


def _without(book: Book, decks: int, rank: Rank) -> dict[str, Fraction]:
    """Expectations when one card of a rank is gone, whichever suit it is of."""
    full = Undealt.of_decks(decks)
    found = _expectations(book, full.less([_any_card(rank)]))
    for area in found:
        cards = cards_to_remove(book, area, rank)
        if len(cards) > 1:
            shoes = [Weighing(book, full.less([card]), RoundSoFar()) for card in cards]
            found[area] = sum((shoe.odds(area).ev for shoe in shoes), Fraction(0)) / len(cards)
    return found


def _expectations(book: Book, undealt: Undealt) -> dict[str, Fraction]:
    found = {bet.area: bet.ev for bet in odds_of(book, undealt).bets}
    return found | {side.pair.ante: side.ev for side in ante_odds(book, undealt).sides}
