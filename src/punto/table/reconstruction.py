"""Reconstruction: a function of the order in which cards left the shoe.

Deal that order again by the table of play; what is left over starts the next round.
"""

from __future__ import annotations

from collections.abc import Sequence

from punto.cards.card import Card
from punto.coup.deal import next_hand
from punto.rules.facts import Hand
from punto.rules.play import Play

Hands = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""Player's cards, Banker's cards, and what is left over."""


def reconstruct(play: Play, order: Sequence[Card]) -> Hands:
    """The hands that cards in this order make."""
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    for used, card in enumerate(order):
        hand = next_hand(play, player, banker)
        if hand is None:
            return player, banker, tuple(order[used:])
        if hand is Hand.PLAYER:
            player = (*player, card)
        else:
            banker = (*banker, card)
    return player, banker, ()
