"""A shoe dealt to its end: shuffled with given bytes, burned by its first card, dealt past the cut card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from punto.cards.burn import Burn, burn_count
from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import Shuffled
from punto.coup.coup import Coup
from punto.coup.deal import deal
from punto.rules.play import Play


@dataclass(frozen=True, slots=True)
class DealtShoe:
    """A shoe in the order in which it was shuffled."""

    decks: int
    order: tuple[Card, ...]
    burned: int
    """Cards burned before the first round, the one that was shown among them."""

    def rounds(self, play: Play) -> Iterator[Coup]:
        """Every round: the one in which the cut card comes out is finished, and one more is dealt."""
        shoe = Shoe(self.decks).drawn(self.order[:1]).burned(self.burned - 1)
        is_last = False
        while not is_last:
            is_last = shoe.is_cut_card_out
            coup = deal(play, self.order, shoe.size - shoe.cards_left)
            shoe = shoe.drawn(coup.cards)
            yield coup


def deal_shoe(decks: int, random: Iterable[int]) -> DealtShoe:
    """The shoe that these random bytes make."""
    order = Shuffled.of_decks(decks, random).order
    return DealtShoe(decks, order, burn_count(Burn(), order[0]))
