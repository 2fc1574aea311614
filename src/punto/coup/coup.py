"""A coup: one finished deal, with its points, its winner and the facts that pay tables read."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card
from punto.rules.book import Book
from punto.rules.facts import Facts, Hand, Winner


class Coup(msgspec.Struct, frozen=True, gc=False):
    """Both hands as they lie when no more card is to come."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    facts: Facts

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in the order in which they were dealt."""
        first_four = (self.player[0], self.banker[0], self.player[1], self.banker[1])
        return first_four + self.player[2:] + self.banker[2:]

    def hand(self, hand: Hand) -> tuple[Card, ...]:
        """The cards of one hand."""
        return self.player if hand is Hand.PLAYER else self.banker

    def is_natural(self, book: Book) -> bool:
        """Whether either hand ended the deal with its first two cards."""
        if len(self.player) + len(self.banker) > 4:
            return False
        return book.play.ends[self.player_points * 10 + self.banker_points]

    def declared(self, book: Book) -> tuple[str, ...]:
        """What the dealer calls out: a natural, a Dragon 7 and so on, as the book names them."""
        return book.declared(self.facts)


def points(cards: tuple[Card, ...]) -> int:
    """Points of a hand: the units of the sum of its cards."""
    return sum(card.points for card in cards) % 10
