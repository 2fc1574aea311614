"""The PAR sheet of a game: every figure that a regulator or a game mathematician expects of it, computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

import msgspec

from punto.odds.ante import AnteOdds, ante_odds
from punto.odds.insurance import InsuranceOdds, insurance_odds
from punto.odds.odds import Odds, odds_of
from punto.odds.totals import totals_weights
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.rules.facts import ALL_TOTALS, Winner
from punto.studies.counting.countability import Countability, countability
from punto.studies.shoes import Shoes


@dataclass(frozen=True, slots=True)
class Round:
    """What a round comes to, before any bet."""

    winners: dict[Winner, int]
    """Ordered draws of six cards by winner."""
    cards: dict[int, int]
    """Ordered draws by number of cards dealt."""
    points: tuple[tuple[int, ...], ...]
    """Ordered draws by Player's final points, then Banker's."""
    total: int

    @property
    def mean_cards(self) -> Fraction:
        """Cards that a round takes on average."""
        return Fraction(sum(cards * ways for cards, ways in self.cards.items()), self.total)


@dataclass(frozen=True, slots=True)
class ParSheet:
    """All figures of a game with so many decks."""

    book: Book
    decks: int
    fingerprint: str
    """SHA-256 of the rule book that the figures follow from."""
    odds: Odds
    by_decks: dict[int, Odds]
    """For every number of decks that the book allows."""
    round: Round
    insurance: InsuranceOdds | None
    antes: AnteOdds | None
    countability: Countability


def par_sheet(
    book: Book, decks: int, shoes: int, seed: int, tell: Callable[[int], None] = lambda _: None
) -> ParSheet:
    """Compute a PAR sheet; `shoes` are played for perfect play, and `tell` hears how many are done."""
    full = Undealt.of_decks(decks)
    by_decks = {number: odds_of(book, Undealt.of_decks(number)) for number in sorted(book.decks.allowed)}
    return ParSheet(
        book,
        decks,
        sha256(msgspec.json.encode(book.text)).hexdigest(),
        by_decks[decks],
        by_decks,
        _round(book, full),
        insurance_odds(book, full) if book.insurance else None,
        ante_odds(book, full) if book.ante else None,
        countability(book, Shoes(book.play, decks), shoes, seed, tell),
    )


def _round(book: Book, undealt: Undealt) -> Round:
    winners = dict.fromkeys(Winner, 0)
    cards = dict.fromkeys((4, 5, 6), 0)
    points = [[0] * 10 for _ in range(10)]
    weights = totals_weights(book.play, undealt.points)
    for totals, weight in zip(ALL_TOTALS, weights, strict=True):
        winners[totals.winner] += weight
        cards[totals.player_cards + totals.banker_cards] += weight
        points[totals.player_points][totals.banker_points] += weight
    return Round(winners, cards, tuple(map(tuple, points)), sum(weights))
