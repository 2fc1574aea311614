"""A shoe in play: what it held, what has left it, and whether its cut card is out.

A shoe is told which card left it and never looks ahead, so the same record serves cards that the system
shuffled and cards that a dealer draws from a real shoe and names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from punto.cards.card import Card
from punto.cards.composition import Composition


class CardNotThere(ValueError):
    """A card was named that the shoe can no longer hold."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """A number of decks, the cards out of them in order, and the place of the cut card."""

    decks: int
    behind_cut: int = 14
    """Number of cards behind the cut card."""
    out: tuple[Card, ...] = ()
    """Every card that left the shoe face up, in order."""
    burned_unseen: int = 0
    """Cards burned face down: gone, but nobody knows which."""

    def __post_init__(self) -> None:
        assert self.decks >= 1 and 0 <= self.behind_cut <= self.decks * 52

    @property
    def size(self) -> int:
        """Cards in the full shoe."""
        return self.decks * 52

    @property
    def cards_left(self) -> int:
        """Cards still in the shoe."""
        return self.size - len(self.out) - self.burned_unseen

    @property
    def is_cut_card_out(self) -> bool:
        """Whether the cards in front of the cut card are gone."""
        return self.cards_left <= self.behind_cut

    @property
    def composition(self) -> Composition:
        """All cards that were not seen: those left, and those burned face down."""
        return Composition.of_decks(self.decks).less(self.out)

    def drawn(self, cards: Iterable[Card]) -> Shoe:
        """The shoe after these cards left it face up."""
        out = self.out + tuple(cards)
        if len(out) + self.burned_unseen > self.size:
            raise CardNotThere("the shoe has no card left")
        for card in set(out[len(self.out) :]):
            if out.count(card) > self.decks:
                raise CardNotThere(f"all {self.decks} {card} of this shoe are already out")
        return Shoe(self.decks, self.behind_cut, out, self.burned_unseen)

    def named(self, card: Card) -> Shoe:
        """The shoe after one of the cards that left it face down was turned up."""
        assert self.burned_unseen, "a card left the shoe face down"
        return Shoe(self.decks, self.behind_cut, self.out, self.burned_unseen - 1).drawn((card,))

    def corrected(self, was: Card, card: Card) -> Shoe:
        """The shoe when a card on record turns out to be another."""
        place = len(self.out) - 1 - self.out[::-1].index(was)
        return replace(self, out=self.out[:place] + self.out[place + 1 :]).drawn((card,))

    def returned(self, card: Card | None) -> Shoe:
        """The shoe when a card on record proves not to have left it; None for one that was face down."""
        if card is None:
            assert self.burned_unseen, "a card left the shoe face down"
            return replace(self, burned_unseen=self.burned_unseen - 1)
        place = len(self.out) - 1 - self.out[::-1].index(card)
        return replace(self, out=self.out[:place] + self.out[place + 1 :])

    def burned(self, number: int) -> Shoe:
        """The shoe after this number of cards was burned face down."""
        if number > self.cards_left:
            raise CardNotThere(f"{number} cards cannot be burned, {self.cards_left} are left")
        return Shoe(self.decks, self.behind_cut, self.out, self.burned_unseen + number)
