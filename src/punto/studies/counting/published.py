"""Card counts that others have published, to stand beside our own figures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from punto.cards.card import Rank
from punto.rules.book import Book


@dataclass(frozen=True, slots=True)
class PublishedCount:
    """A published count: for which bet at which odds, its tags, and what it is said to earn."""

    area: str
    odds: Fraction
    decks: int
    behind_cut: int
    tags: tuple[int, ...]
    """For ace to nine, then for ten and the courts."""
    units: float
    """Units per shoe."""
    source: str
    trigger: float | None = None
    """The count per deck left from which it bets, where that is published."""

    @property
    def by_rank(self) -> tuple[int, ...]:
        """Its tag for each rank, ace to king."""
        return tuple(self.tags[min(rank, 10) - 1] for rank in Rank)

    def is_for(self, book: Book) -> bool:
        """Whether a book has the bet it speaks of, at the same odds."""
        table = book.pay_tables.get(self.area)
        odds = [row.outcome.odds for row in table.rows if row.outcome.odds is not None] if table else []
        return odds == [self.odds]


JACOBSON = "Eliot Jacobson, 100 million shoes"

PUBLISHED: tuple[PublishedCount, ...] = (
    PublishedCount("dragon-7", Fraction(40), 8, 14, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), 0.597, JACOBSON, 4.0),
    PublishedCount("panda-8", Fraction(25), 8, 14, (1, 1, -2, -2, -2, -1, -1, -2, 4, 1), 0.237, JACOBSON),
)
