"""A case: what was seen of the cards when something went wrong, the evidence that it makes, and what was found.

A sighting says of one card where it lies, which way up, and whether it belongs to the set. The sightings of all
reports together make the evidence, every card of the round in the order in which it left the shoe: reports that
describe the same table make the same evidence, in whoever's words. The case itself stands beside the state that
holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, StrEnum
from itertools import permutations
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.rules.authority import Role
from punto.rules.book_text import Finding
from punto.rules.outcome import Hand


class Place(Enum):
    """Where a card lies."""

    PLAYER = "player"
    BANKER = "banker"
    TABLE = "table"  # On the table, with no hand.
    FLOOR = "floor"  # It fell and was recovered.
    SHOE = "shoe"  # It never left the shoe.


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
    UNCOVERED = "uncovered"  # Something that only words describe.


class OrderKnown(Enum):
    """How the order of cards that were drawn together is known."""

    SEEN = "seen"  # Everybody saw it: it is the order in which the report names them.


class Sighting(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename={"is_": "is"}
):
    """What a report says of one card. It has either `card` (None for one that nobody has seen) or `nth`."""

    card: Card | msgspec.UnsetType | None = msgspec.UNSET
    nth: Annotated[int, msgspec.Meta(ge=1)] | msgspec.UnsetType = msgspec.UNSET
    """The number of the card in the round, as now on record."""
    lies: Place | None = None
    face: Face | None = None  # Left out: as this table deals.
    is_: Card | None = None  # What the card really is.
    after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """It left the shoe after the card of this number; 0 for the first of all."""
    together: bool = False  # Drawn at once with others, in an order that is not known.
    foreign: bool = False
    carried: bool = False  # It was carried over from an earlier round.

    def __post_init__(self) -> None:
        if (self.card is msgspec.UNSET) == (self.nth is msgspec.UNSET):
            raise ValueError("a card is named either by itself (or as unseen) or by its number in the round")
        if isinstance(self.nth, int) and self.nth < 1:
            raise ValueError("the cards of a round are numbered from 1")
        if self.after is not None and self.after < 0:
            raise ValueError("a card left the shoe after a numbered card, or, after 0, before all of them")


_EITHER = {"oneOf": [{"required": ["card"]}, {"required": ["nth"]}]}
ReportedSighting = Annotated[Sighting, msgspec.Meta(extra_json_schema=_EITHER)]
"""A sighting whose JSON schema says too that it has one of the two."""

_NUMBER = re.compile(r"0|[1-9]\d{0,17}", re.ASCII)
_MARKS = ("together", "foreign", "carried")


def parse_sighting(text: str) -> Sighting:
    """Read an entry of a report, such as `5H:banker`, `3:banker`, `unseen:player:down` or `2:up:is-KD`."""
    subject, *tags = text.split(":")
    fields: dict[str, Any]
    if _NUMBER.fullmatch(subject):
        fields = {"nth": int(subject)}
    else:
        fields = {"card": None if subject == "unseen" else Card.parse(subject)}
    for tag in tags:
        name, value = _tag(tag)
        if name in fields:
            raise ValueError(f"{text!r} says {name.rstrip('_')} twice")
        fields[name] = value
    return Sighting(**fields)


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


class RoundCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card of the round as it is now known."""

    card: Card | None
    lies: Place
    face: Face = Face.UP
    nth: int | None = None  # On record before the case was opened; None for a card that the reports brought up.
    plays_in: Hand | None = None  # Whatever its order, since cards of this round were left as they lie.
    was: Card | None = None  # What had been on record, where it is in truth another card.
    together: bool = False
    foreign: bool = False
    carried: bool = False
    is_passed_over: bool = False  # It was carried over, and whoever drew the next card forgot it.
    is_restated: bool = False  # A report spoke of it, though it is on record.
    is_moved: bool = False  # It left the shoe at another time than was on record.

    @property
    def is_recovered(self) -> bool:
        """Whether it lay with no hand."""
        return self.lies in (Place.TABLE, Place.FLOOR)

    @property
    def shown(self) -> Card | None:
        """The card if everybody can see it."""
        return self.card if self.face is Face.UP else None


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that is known: all cards of the round in their order, and what else was seen."""

    cards: tuple[RoundCard, ...] = ()
    seen: tuple[Seen, ...] = ()
    order: OrderKnown | None = None
    is_ordered: bool = False  # The order of the cards drawn together was set by whoever may.
    note: str = ""

    @property
    def left(self) -> tuple[RoundCard, ...]:
        """The cards that really left the shoe."""
        return tuple(card for card in self.cards if _has_left(card))

    @property
    def slips(self) -> tuple[RoundCard, ...]:
        """The cards that never left the shoe: the record had a slip."""
        return tuple(card for card in self.cards if card.lies is Place.SHOE and not card.foreign)

    @property
    def brought(self) -> tuple[RoundCard, ...]:
        """The cards that the reports brought up."""
        return tuple(card for card in self.cards if card.nth is None and not card.foreign)

    @property
    def group(self) -> tuple[RoundCard, ...]:
        """The cards that were drawn together."""
        return tuple(card for card in self.left if card.together)

    @property
    def is_order_set(self) -> bool:
        """Whether somebody saw or set their order, or there is none to set."""
        return self.order is not None or self.is_ordered or len(self.group) < 2

    def possible_orders(self) -> Iterator[Evidence]:
        """The evidence once for each order that the cards drawn together may have come in."""
        places = [i for i, card in enumerate(self.cards) if card.together and _has_left(card)]
        for order in permutations(places) if len(places) <= MOST_DEALT else [places]:
            yield _with_order(self, places, order)


MOST_DEALT = 6  # No round needs more cards than this: what else was drawn with them has no place in any order.


def _has_left(card: RoundCard) -> bool:
    return card.lies is not Place.SHOE and not card.foreign


def is_change(evidence: Evidence, changed: Evidence, record: Evidence, sighting: Sighting) -> bool:
    """Whether a sighting says otherwise of a card of which the evidence had spoken."""
    if not isinstance(sighting.nth, int):
        return False
    card = evidence.cards[sighting.nth - 1]
    spoken = card.nth is None or card != record.cards[card.nth - 1]
    # Naming a card that nobody had seen adds to the evidence and changes nothing of it.
    tells_more = sighting.lies is None and sighting.face is None and sighting.after is None
    only_adds = tells_more and sighting.is_ is not None and card.card is None
    return spoken and evidence != changed and not only_adds


def with_sighting(evidence: Evidence, sighting: Sighting, face: Face) -> Evidence:
    """The evidence with one sighting more; `face` is how this table deals."""
    cards = list(evidence.cards)
    if isinstance(sighting.nth, int):
        at = sighting.nth - 1
        cards[at] = _restated(cards[at], sighting)
    else:
        card = sighting.is_ or (sighting.card if isinstance(sighting.card, Card) else None)
        assert sighting.lies is not None, "the place of a new card is asked for before"
        new = RoundCard(card, sighting.lies, sighting.face or face, together=sighting.together)
        cards.append(replace(new, foreign=sighting.foreign, carried=sighting.carried))
        at = len(cards) - 1
    if sighting.after is not None:
        moved = cards.pop(at)
        to = sighting.after - (at < sighting.after)
        cards.insert(to, replace(moved, is_moved=moved.nth is not None and (moved.is_moved or to != at)))
        numbers = [card.nth for card in cards if card.nth is not None]
        if numbers == sorted(numbers):  # they left the shoe as they are on record
            cards = [replace(card, is_moved=False) for card in cards]
    return replace(evidence, cards=tuple(cards))


def _restated(card: RoundCard, sighting: Sighting) -> RoundCard:
    names = ("lies", "face", *_MARKS)
    changes: dict[str, Any] = {name: value for name in names if (value := getattr(sighting, name))}
    if sighting.is_ is not None and sighting.is_ is not card.card:
        changes["card"] = sighting.is_
        if card.nth is not None:
            changes["was"] = card.was or card.card
    restated = replace(card, **changes)
    return replace(restated, is_restated=card.nth is not None) if restated != card else card


def numbers_of(evidence: Evidence, named: Sequence[Card | int]) -> tuple[int, ...] | None:
    """The numbers of cards drawn together that are told by number or by name; None if they are not those."""
    rest = [n for n, card in enumerate(evidence.cards, start=1) if card.together and _has_left(card)]
    rest.sort(key=lambda n: evidence.cards[n - 1].face is Face.DOWN)  # a name is that of a card that shows it
    if any(named.count(one) > rest.count(one) for one in named if isinstance(one, int)):
        return None
    rest = [number for number in rest if number not in named]
    numbers: list[int] = []
    for one in named:
        same = [one] if isinstance(one, int) else [n for n in rest if evidence.cards[n - 1].card is one]
        if not same:
            return None
        numbers.append(same[0])
        rest = [number for number in rest if number != same[0]]
    return tuple(numbers)


def with_order_told(evidence: Evidence, numbers: Sequence[int]) -> Evidence:
    """The evidence when the cards of these numbers, drawn together, left the shoe in this order."""
    order = [number - 1 for number in numbers]
    return replace(_with_order(evidence, sorted(order), order), is_ordered=True)


def _with_order(evidence: Evidence, places: Sequence[int], order: Sequence[int]) -> Evidence:
    cards = list(evidence.cards)
    for place, other in zip(places, order, strict=True):
        cards[place] = evidence.cards[other]
    return replace(evidence, cards=tuple(cards))


def hand_of(cards: Sequence[RoundCard], due: Sequence[Hand | None], hand: Hand | None) -> list[RoundCard]:
    """The cards of a hand, None for those that are over; what was left as it lay is there before the rest."""
    of_hand = [card for card, to in zip(cards, due, strict=True) if to is hand]
    return sorted(of_hand, key=lambda card: card.plays_in is None)


def without_sightings(evidence: Evidence, numbers: tuple[int, ...], record: Evidence) -> Evidence:
    """The evidence as if these cards had not been spoken of: as on record again, or gone."""
    cards, moved_back = list[RoundCard](), list[RoundCard]()
    for number, card in enumerate(evidence.cards, start=1):
        if number not in numbers:
            cards.append(card)
        elif card.nth is not None:
            (moved_back if card.is_moved else cards).append(record.cards[card.nth - 1])
    for card in moved_back:
        before = [i for i, other in enumerate(cards) if other.nth == (card.nth or 0) - 1]
        cards.insert(before[0] + 1 if before else 0, card)
    return replace(evidence, cards=tuple(cards))


class Awaits(Enum):
    """What an open case is waiting for."""

    ORDER = "order"
    JUDGEMENT = "judgement"
    VOID = "void"
    OPTIONS = "options"
    RETURN_BETS = "return-bets"
    RULING = "ruling"
    NOTHING = "nothing"  # The book leaves nothing to decide.


class Resolution(StrEnum):
    """How a case ended; the value is the word of logs and notation."""

    DISMISSED = "dismissed"
    WITHDRAWN = "withdrawn"
    PLAYED_ON = "played-on"
    COMPLETED = "completed"
    CONTINUED = "continued"
    RECONSTRUCTED = "reconstructed"
    ORDERED = "ordered"
    CHOSEN = "chosen"
    SUPERSEDED = "superseded"
    STANDS = "stands"
    RETURNED = "returned"
    RULED = "ruled"
    VOID = "void"

    @property
    def takes_back(self) -> bool:
        """Whether nothing is left of the evidence."""
        return self in (Resolution.DISMISSED, Resolution.WITHDRAWN)

    @property
    def puts_right(self) -> bool:
        """Whether the hands were made anew of the cards in their order."""
        return self in (Resolution.ORDERED, Resolution.RECONSTRUCTED)


class FoundClause(msgspec.Struct, frozen=True):
    """The clause that the evidence comes to, what it waits for and on whose word."""

    finding: Finding
    clause: str | None
    awaits: Awaits
    decider: Role | None  # The least rank whose word it takes; players for options, nobody where nothing is open.
    house_term: bool = False  # The document does not name who decides: it is the house's reading.
