"""A coup: one finished deal, with its points, its winner and the facts that pay tables read."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card
from punto.rules.book import Book
from punto.rules.facts import Facts, Hand, Winner


class Coup(msgspec.Struct, frozen=True, gc=False):
    """Both hands when no more card is to come."""

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
        return dealing_order(self.player, self.banker)

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


def dealing_order(player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of two hands of two or three in the order in which they are dealt."""
    return (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])


def points(cards: tuple[Card, ...]) -> int:
    """Points of a hand: the units of the sum of its cards."""
    return sum(card.points for card in cards) % 10
