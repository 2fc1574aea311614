"""A coup: one finished deal with its points, its winner and the facts that pay tables read; dealing it by the
compiled table of play; and its text form, `P KS 9D 5H B 3H 2C`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from punto.cards.card import Card, format_cards, parse_cards
from punto.rules.book import Book
from punto.rules.outcome import Facts, Hand, Winner, pair_index, totals_index
from punto.rules.table_of_play import STOOD, Play


class Coup(msgspec.Struct, frozen=True, gc=False):
    """Both hands when no more card is to come."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    player_points: int
    banker_points: int
    facts: Facts

    def __repr__(self) -> str:
        points = f"Player {self.player_points}, Banker {self.banker_points}"
        return f"<Coup {format_coup(self)}: {points}, {self.winner.value}>"

    @property
    def winner(self) -> Winner:
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def cards(self) -> tuple[Card, ...]:
        return dealing_order(self.player, self.banker)

    def hand(self, hand: Hand) -> tuple[Card, ...]:
        return self.player if hand is Hand.PLAYER else self.banker

    def is_natural(self, book: Book) -> bool:
        """Whether either hand ended the deal with its first two cards."""
        if len(self.player) + len(self.banker) > 4:
            return False
        return book.play.ends[self.player_points * 10 + self.banker_points]

    def declared(self, book: Book) -> tuple[str, ...]:
        """What the dealer calls out: a natural, a Dragon 7 and so on, as the book names them."""
        return book.declared(self.facts)

    def called_out(self, book: Book) -> tuple[str, ...]:
        """What the dealer calls out beside the winner, in English; a declaration named like the winner is left out."""
        names = self.declared(book)
        labels = (declaration.labels.en for declaration, _ in book.declarations if declaration.name in names)
        return tuple(label for label in labels if label != self.winner.label)


class DealtHand(msgspec.Struct, frozen=True):
    """A hand of a finished deal, with its points."""

    cards: tuple[Card, ...]
    points: int


class FinishedDeal(msgspec.Struct, frozen=True):
    """A finished deal as programs are told it: its notation, then the same spelled out by the book."""

    cards: str
    player: DealtHand
    banker: DealtHand
    winner: Winner
    natural: bool
    declared: tuple[str, ...]

    @classmethod
    def of(cls, book: Book, coup: Coup) -> FinishedDeal:
        player, banker = DealtHand(coup.player, coup.player_points), DealtHand(coup.banker, coup.banker_points)
        return cls(format_coup(coup), player, banker, coup.winner, coup.is_natural(book), coup.declared(book))


def dealing_order(player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of two hands of two or three in the order in which they are dealt."""
    return (player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:])


def points(cards: tuple[Card, ...]) -> int:
    """Points of a hand: the units of the sum of its cards."""
    return sum(card.points for card in cards) % 10


class WrongNumberOfCards(ValueError):
    """A deal was given more or fewer cards than the table of play asks for."""


def next_hand(play: Play, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Hand | None:
    """The hand that gets the next card, or None when the deal is finished."""
    if len(banker) < 2:
        return Hand.PLAYER if len(player) == len(banker) else Hand.BANKER
    if len(banker) == 3:
        return None
    player_points, banker_points = points(player[:2]), points(banker)
    if play.ends[player_points * 10 + banker_points]:
        return None
    if len(player) == 2 and play.player_draws[player_points * 10 + banker_points]:
        return Hand.PLAYER
    third = player[2].points if len(player) == 3 else STOOD
    return Hand.BANKER if play.banker_draws[third][banker_points] else None


def deal(play: Play, cards: Sequence[Card], start: int = 0) -> Coup:
    """The coup that these cards make, from `start` on; cards that are not needed are left alone.

    In straight lines and not by `next_hand`, because tests deal millions; a property test holds the two together.
    """
    try:
        p1, b1, p2, b2 = cards[start : start + 4]
        player_points = (p1.points + p2.points) % 10
        banker_points = (b1.points + b2.points) % 10
        player: tuple[Card, ...] = (p1, p2)
        banker: tuple[Card, ...] = (b1, b2)
        two_hands = player_points * 10 + banker_points
        if not play.ends[two_hands]:
            next_card = start + 4
            third = STOOD
            if play.player_draws[two_hands]:
                card = cards[next_card]
                next_card += 1
                third = card.points
                player = (p1, p2, card)
                player_points = (player_points + third) % 10
            if play.banker_draws[third][banker_points]:
                card = cards[next_card]
                banker = (b1, b2, card)
                banker_points = (banker_points + card.points) % 10
    except (ValueError, IndexError):
        number = len(cards) - start
        few = "1 card is" if number == 1 else f"{number} cards are"
        raise WrongNumberOfCards(f"{few} too few to finish the deal") from None
    facts = Facts(
        totals_index(player_points, len(player), banker_points, len(banker)),
        pair_index(p1, p2) if p1.rank is p2.rank else 0,
        pair_index(b1, b2) if b1.rank is b2.rank else 0,
    )
    return Coup(player, banker, player_points, banker_points, facts)


def deal_hands(play: Play, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup:
    """The coup of two hands, each card in the order in which its hand got it."""
    return deal_exactly(play, dealing_order(player, banker))


def reconstruct(play: Play, order: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
    """The hands that cards make which left the shoe in this order, finished or not, and what is left over."""
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    for used, card in enumerate(order):
        hand = next_hand(play, player, banker)
        if hand is None:
            return player, banker, tuple(order[used:])
        if hand is Hand.PLAYER:
            player += (card,)
        else:
            banker += (card,)
    return player, banker, ()


def deal_exactly(play: Play, cards: Sequence[Card]) -> Coup:
    """The coup of a finished deal given in dealing order, with no card over."""
    coup = deal(play, cards)
    used = len(coup.player) + len(coup.banker)
    if used < len(cards):
        raise WrongNumberOfCards(f"the deal is finished after {used} cards, but {len(cards)} were given")
    return coup


_COUP = re.compile(r"\s*P\s+(?P<player>[^PB]+?)\s+B\s+(?P<banker>[^PB]+?)\s*$", re.IGNORECASE)


def format_coup(coup: Coup) -> str:
    """Write a coup so that `parse_coup` reads it back."""
    return f"P {format_cards(coup.player)} B {format_cards(coup.banker)}"


def parse_coup(text: str, play: Play) -> Coup:
    """Read a coup; `ValueError` says what is wrong, a deal that breaks the table of play included."""
    match = _COUP.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not a deal; write P and Player's cards, then B and Banker's cards")
    player, banker = parse_cards(match["player"]), parse_cards(match["banker"])
    if len(player) < 2 or len(banker) < 2:
        raise WrongNumberOfCards("each hand has at least two cards")
    coup = deal_hands(play, player, banker)
    if coup.player != player:
        raise WrongNumberOfCards("by the table of play the fifth card goes to the other hand")
    return coup
