"""A shoe in play: how many of each card it holds, what has left it, whether its cut card is out, and how many
cards are burned before the first round.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import msgspec
from msgspec.structs import replace

from punto.cards.card import DECK, Card, Rank


class Composition(msgspec.Struct, frozen=True):
    """Counts of the 52 cards, each at the card's index."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        assert len(self.counts) == len(DECK), "a composition counts each of the 52 cards"
        assert min(self.counts) >= 0, "there are never fewer than none of a card"

    @classmethod
    def of_decks(cls, decks: int) -> Composition:
        return cls((decks,) * len(DECK))

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> Composition:
        counts = [0] * len(DECK)
        for card in cards:
            counts[card.index] += 1
        return cls(tuple(counts))

    @property
    def size(self) -> int:
        return sum(self.counts)

    def count(self, card: Card) -> int:
        return self.counts[card.index]

    def rank_count(self, rank: Rank) -> int:
        return sum(self.counts[rank - 1 :: 13])

    def points_counts(self) -> tuple[int, ...]:
        """How many cards count 0, 1, … 9 points: all that drawing and winning depend on."""
        counts = [0] * 10
        for rank in Rank:
            counts[rank.points] += self.rank_count(rank)
        return tuple(counts)

    def less(self, cards: Iterable[Card]) -> Composition:
        """What is left when these cards are taken out; `ValueError` names a card that is not there."""
        counts = list(self.counts)
        for card in cards:
            if counts[card.index] == 0:
                raise ValueError(f"there is no {card} left to take out")
            counts[card.index] -= 1
        return Composition(tuple(counts))

    def cards(self) -> tuple[Card, ...]:
        """All its cards, in the order of a new deck."""
        return tuple(card for card, count in zip(DECK, self.counts, strict=True) for _ in range(count))


class CardNotThere(ValueError):
    """A card was named that the shoe can no longer hold."""


class Shoe(msgspec.Struct, frozen=True, dict=True):
    """A number of decks, the cards out of them in order, and the place of the cut card.

    A shoe is told which card left it and never looks ahead, so the same record serves cards that the system shuffled
    and cards that a dealer draws from a real shoe and names.
    """

    decks: int
    behind_cut: int = 14  # Number of cards behind the cut card.
    out: tuple[Card, ...] = ()  # Every card that left the shoe face up, in order.
    burned_unseen: int = 0  # Cards burned face down: gone, but nobody knows which.

    def __post_init__(self) -> None:
        assert self.decks >= 1 and 0 <= self.behind_cut <= self.decks * 52

    @property
    def size(self) -> int:
        return self.decks * 52

    @property
    def cards_left(self) -> int:
        return self.decks * 52 - len(self.out) - self.burned_unseen

    @property
    def is_cut_card_out(self) -> bool:
        """Whether the cards in front of the cut card are gone."""
        return self.cards_left <= self.behind_cut

    @property
    def composition(self) -> Composition:
        """All cards that were not seen: those left, and those burned face down."""
        return Composition.of_decks(self.decks).less(self.out)

    def count_out(self, card: Card) -> int:
        """How many of a card left the shoe face up."""
        return self._indices.count(card.index)

    @cached_property
    def _indices(self) -> bytes:
        """The indices of the cards that are out: bytes are counted forty times as fast as cards."""
        return bytes([card.index for card in self.out])

    def drawn(self, cards: Iterable[Card]) -> Shoe:
        new = tuple(cards)
        if len(new) > self.cards_left:
            raise CardNotThere("the shoe has no card left")
        indices = self._indices + bytes([card.index for card in new])
        for card in new:
            if indices.count(card.index) > self.decks:
                raise CardNotThere(f"all {self.decks} {card} of this shoe are already out")
        shoe = Shoe(self.decks, self.behind_cut, self.out + new, self.burned_unseen)
        shoe.__dict__["_indices"] = indices  # worked out already
        return shoe

    def named(self, card: Card) -> Shoe:
        """The shoe after one of the cards that left it face down was turned up."""
        assert self.burned_unseen, "a card left the shoe face down"
        return Shoe(self.decks, self.behind_cut, self.out, self.burned_unseen - 1).drawn((card,))

    def corrected(self, was: Card, card: Card) -> Shoe:
        """The shoe when a card on record turns out to be another."""
        return self.returned(was).drawn((card,))

    def returned(self, card: Card | None) -> Shoe:
        """The shoe when a card on record proves not to have left it; None for one that was face down."""
        if card is None:
            assert self.burned_unseen, "a card left the shoe face down"
            return replace(self, burned_unseen=self.burned_unseen - 1)
        place = len(self.out) - 1 - self.out[::-1].index(card)
        return replace(self, out=self.out[:place] + self.out[place + 1 :])

    def burned(self, number: int) -> Shoe:
        if number > self.cards_left:
            raise CardNotThere(f"{number} cards cannot be burned, {self.cards_left} are left")
        return Shoe(self.decks, self.behind_cut, self.out, self.burned_unseen + number)


class Burn(msgspec.Struct, frozen=True):
    """A house's way of burning.

    `by_first_card`: the first card is shown and as many more as it counts are burned, ten for a ten or
    a court card. Otherwise a fixed number of cards is burned, none among them.
    """

    by_first_card: bool = True
    fixed: int = 0

    def __str__(self) -> str:
        return "first-card" if self.by_first_card else str(self.fixed)

    @classmethod
    def parse(cls, text: str) -> Burn:
        """Read `first-card`, `none` or a number of cards."""
        if text == "first-card":
            return cls()
        if text == "none":
            return cls(by_first_card=False)
        if text.isascii() and text.isdecimal():
            return cls(by_first_card=False, fixed=int(text))
        raise ValueError(f"{text!r} is not a way of burning; write first-card, none or a number of cards")


def burn_count(burn: Burn, first: Card) -> int:
    """How many cards are burned in all, the shown one included."""
    return 1 + (first.points or 10) if burn.by_first_card else burn.fixed
