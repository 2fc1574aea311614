"""Squeezing a card: what shows as it is peeled, first at its narrow edge, then along its long side.

Players know the pips: no line of them along the side is an ace, a two or a three, two are a four or a five,
three a six, a seven or an eight, four a nine or a ten, and a frame is a court card.
"""

from __future__ import annotations

from punto.cards.card import Card, Rank

_SIDES = {0: "no pips at the side", 2: "two pips at the side", 3: "three pips at the side"}


def peeled(card: Card) -> tuple[str, ...]:
    """What shows step by step, before the card is turned over.

    >>> peeled(Card("9H"))
    ('two pips at the edge: it is not a picture card', 'four pips at the side: nine or ten')
    """
    points = int(card.rank)
    if points > Rank.TEN:
        return ("a frame at the edge: it is a picture, and counts nothing",)
    if points == 1:
        return ("nothing at the edge", "no pips at the side: an ace")
    edge = "one pip at the edge" if points in (2, 3) else "two pips at the edge"
    sides = "two or three" if points < 4 else "four or five" if points < 6 else "six, seven or eight"
    number = 0 if points < 4 else 2 if points < 6 else 3
    if points >= 9:
        return f"{edge}: it is not a picture card", "four pips at the side: nine or ten"
    return f"{edge}: it is not a picture card", f"{_SIDES[number]}: {sides}"
