"""Sightings: what a report says of one card, and what else was seen. No word of a clause in it.

A sighting names a card that just left the shoe, one whose face nobody knows, or the nth card of the round as
now on record; then where it lies, which side shows, and what is odd about it.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Annotated, Any

import msgspec

from punto.cards.card import Card


class Place(Enum):
    """Where a card lies."""

    PLAYER = "player"
    BANKER = "banker"
    TABLE = "table"
    """On the table, with no hand."""
    FLOOR = "floor"
    """It fell and was recovered."""
    SHOE = "shoe"
    """It never left the shoe."""


class Face(Enum):
    """Which side of a card shows."""

    UP = "up"
    DOWN = "down"


class Seen(Enum):
    """What else was seen, beside cards."""

    FOREIGN_CARD = "foreign-card"
    WRONG_SET = "wrong-set"
    NOT_SHUFFLED = "not-shuffled"
    CARDS_RUN_OUT = "cards-run-out"
    INTERRUPTION = "interruption"
    INSURANCE_NEGLECTED = "insurance-neglected"
    UNCOVERED = "uncovered"
    """Something that only words describe."""


class OrderKnown(Enum):
    """How the order of cards that were drawn together is known."""

    SEEN = "seen"
    """Everybody saw it: it is the order in which the report names them."""


class Sighting(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"is_": "is"},
):
    """What a report says of one card. It has either `card` (None for one that nobody has seen) or `nth`."""

    card: Card | msgspec.UnsetType | None = msgspec.UNSET
    nth: Annotated[int, msgspec.Meta(ge=1)] | msgspec.UnsetType = msgspec.UNSET
    """The number of the card in the round, as now on record."""
    lies: Place | None = None
    face: Face | None = None
    """Left out: as this table deals."""
    is_: Card | None = None
    """What the card really is."""
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """It left the shoe after the card of this number; 0 for the first of all."""
    together: bool = False
    """Drawn at once with others, in an order that is not known."""
    foreign: bool = False
    carried: bool = False
    """It was carried over from an earlier round."""

    def __post_init__(self) -> None:
        if (self.card is msgspec.UNSET) == (self.nth is msgspec.UNSET):
            raise ValueError("a card is named either by itself (or as unseen) or by its number in the round")
        if isinstance(self.nth, int) and self.nth < 1:
            raise ValueError("the cards of a round are numbered from 1")
        if self.after is not None and self.after < 0:
            raise ValueError("a card left the shoe after a numbered card, or, after 0, before all of them")


_EITHER = {"oneOf": [{"required": ["card"]}, {"required": ["nth"]}]}
ToldSighting = Annotated[Sighting, msgspec.Meta(extra_json_schema=_EITHER)]
"""A sighting whose JSON schema says too that it has one of the two."""

_NUMBER = re.compile(r"0|[1-9]\d{0,17}", re.ASCII)
_MARKS = ("together", "foreign", "carried")


def parse_sighting(text: str) -> Sighting:
    """Read an entry of a report, such as `5H:banker`, `3:banker`, `unseen:player:down` or `2:up:is-KD`."""
    subject, *tags = text.split(":")
    told: dict[str, Any] = {}
    if subject == "unseen":
        told["card"] = None
    elif _NUMBER.fullmatch(subject):
        told["nth"] = int(subject)
    else:
        told["card"] = Card.parse(subject)
    for tag in tags:
        name, value = _tag(tag)
        if name in told:
            raise ValueError(f"{text!r} says {name.rstrip('_')} twice")
        told[name] = value
    return Sighting(**told)


def _tag(tag: str) -> tuple[str, Any]:
    if tag in _MARKS:
        return tag, True
    if tag in ("up", "down"):
        return "face", Face(tag)
    if tag.startswith("after-") and _NUMBER.fullmatch(tag[6:]):
        return "after", int(tag[6:])
    if tag.startswith("is-"):
        return "is_", Card.parse(tag[3:])
    try:
        return "lies", Place(tag)
    except ValueError:
        known = [*(place.value for place in Place), "up", "down", *_MARKS, "after-N", "is-CARD"]
        raise ValueError(f"{tag!r} is not known in a report; write {', '.join(known)}") from None


def format_sighting(sighting: Sighting) -> str:
    """Write an entry so that `parse_sighting` reads the same."""
    subject = str(sighting.nth) if isinstance(sighting.nth, int) else str(sighting.card or "unseen")
    tags = [
        sighting.lies.value if sighting.lies else None,
        sighting.face.value if sighting.face else None,
        *(mark for mark in _MARKS if getattr(sighting, mark)),
        f"after-{sighting.after}" if sighting.after is not None else None,
        f"is-{sighting.is_}" if sighting.is_ is not None else None,
    ]
    return ":".join([subject, *filter(None, tags)])
