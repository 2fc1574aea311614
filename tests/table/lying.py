"""Cards as they lie on a table, written as text, and what a report of them comes to."""

from __future__ import annotations

from typing import Any

from punto import books
from punto.cards import parse_cards
from punto.table.irregularity_case import Face, Place, RoundCard
from punto.table.terms import Faces
from tests.table.scenes import Scene

PLAY = books.load("insurance").play
UP, DOWN = Faces.UP, Faces.DOWN


def lying(text: str) -> tuple[RoundCard, ...]:
    """`KS@player (6D)@banker ?@table`: cards in their order; in brackets face down, `?` nobody knows."""
    found = []
    for word in text.split():
        name, _, place = word.partition("@")
        card = None if name == "?" else parse_cards(name.strip("()"))[0]
        face = Face.UP if name == str(card) else Face.DOWN
        found.append(RoundCard(card, Place(place or "table"), face))
    return tuple(found)


def scene_of(cards: str = "", book: str = "insurance", *, opened: bool = True, **terms: Any) -> Scene:
    scene = Scene(book, **terms)
    scene.start(Ann="player=3000", Ben="banker=2000")
    dealt = cards.split()
    scene.deal(" ".join(dealt[:4]))
    for name in dealt[4:]:
        scene.open_all()
        scene.deal(name)
    if opened and len(dealt) >= 4:
        scene.open_all()
    return scene


def found(scene: Scene, cards: str = "", seen: str = "", **fields: Any) -> str:
    """The finding and its clause, whatever follows from it."""
    events = scene.report(cards, seen, by="Sue", **fields)
    (clause,) = [event for event in events if event.name() == "clause-found"]
    return f"{clause.finding.value} {clause.clause or '-'}"
