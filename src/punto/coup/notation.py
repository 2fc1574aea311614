"""The text form of a finished deal: `P KS 9D 5H B 3H 2C`, each hand's cards in the order it got them."""

from __future__ import annotations

import re

from punto.cards.card import format_cards, parse_cards
from punto.coup.coup import Coup
from punto.coup.deal import WrongNumberOfCards, deal_hands
from punto.rules.play import Play

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
