"""The evidence of a case as the checker keeps it: every card of the round in its order, from the reports.

It reads reports in their JSON form and shares nothing with the table it checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tests.agreement import law

SEEN = (
    "foreign-card",
    "wrong-set",
    "not-shuffled",
    "cards-run-out",
    "interruption",
    "insurance-neglected",
    "uncovered",
)
"""What can be seen beside cards."""
HANDS = ("player", "banker")


@dataclass(frozen=True, slots=True)
class Sighted:
    """A card of the round as it is now known."""

    card: str | None
    lies: str
    is_up: bool
    nth: int = 0
    """Its number on record; 0 for a card that a report brought up."""
    was_up: bool = False
    """It lay face up on record."""
    is_other: bool = False
    """It is in truth another card than was on record."""
    is_moved: bool = False
    """It left the shoe at another time than was on record."""
    together: bool = False
    foreign: bool = False
    carried: bool = False
    home: str | None = None
    """The hand it plays in whatever its order, since cards of this round were left as they lie."""
    is_passed_over: bool = False
    """It was carried over, and whoever drew the next card forgot it."""

    def is_told(self, is_physical: bool) -> bool:
        """Whether people can tell it from others: it shows, or somebody at a physical shoe named it."""
        return self.is_up or (is_physical and self.card is not None)

    @property
    def face(self) -> str | None:
        """The card if everybody can see it."""
        return self.card if self.is_up else None


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that holds."""

    cards: tuple[Sighted, ...]
    seen: tuple[str, ...] = ()
    is_order_seen: bool = False

    @property
    def left(self) -> list[Sighted]:
        """The cards that left the shoe, in their order; a card of another set is none of them."""
        return [card for card in self.cards if card.lies != "shoe" and not card.foreign]

    @property
    def places(self) -> list[str | None]:
        """Where the cards that left the shoe were due, as far as that is known."""
        left = self.left
        return law.known_places([card.face for card in left], [card.home for card in left])

    @property
    def due(self) -> list[str | None] | None:
        """Where each of them was due; None if that is not known of all."""
        places = self.places
        return places if len(places) == len(self.left) else None

    @property
    def has_slip(self) -> bool:
        """A card was put on record that never left the shoe."""
        return any(card.lies == "shoe" and not card.foreign for card in self.cards)

    def in_truth(self, record: Sequence[str]) -> Evidence:
        """With the cards of the record after a slip where they were due, unless somebody saw them elsewhere.

        `record` has the hand of each card on record.
        """
        numbers = [number for number, c in enumerate(self.cards) if c.lies == "shoe" and not c.foreign]
        if not numbers:
            return self
        due = {id(card): place for card, place in zip(self.left, self.places, strict=False)}
        cards = list(self.cards)
        for number, card in enumerate(cards[numbers[0] :], start=numbers[0]):
            place = due.get(id(card))
            if card.nth and place and card.lies == record[card.nth - 1]:
                cards[number] = replace(card, lies=place)
        return replace(self, cards=tuple(cards))

    @property
    def brought(self) -> list[Sighted]:
        """The cards that the reports brought up and that left the shoe."""
        return [card for card in self.left if not card.nth]

    @property
    def group(self) -> list[Sighted]:
        return [card for card in self.left if card.together]

    def follows(self, carried: Sequence[tuple[str | None, bool, bool]]) -> bool:
        """Whether the cards carried over were drawn in their order; one not seen may prove to be any."""
        drawn = [card.card for card in self.brought if card.carried]
        return len(drawn) <= len(carried) and all(
            held[0] in (card, None) for card, held in zip(drawn, carried, strict=False)
        )

    def put_to(self, hand: str) -> list[Sighted]:
        return [card for card in self.left if card.lies == hand]


class Table(Protocol):
    """What a report does not say, because everybody at this table knows it."""

    def is_dealt_up(self, cards: Sequence[Sighted]) -> bool:
        """Whether the next card after these is dealt face up."""
        ...

    def waiting(self, cards: Sequence[Sighted]) -> Sequence[tuple[str | None, bool]]:
        """Cards carried over that are not among these: each card, and whether it shows."""
        ...

    @property
    def is_carried_due(self) -> bool:
        """Whether cards carried over come next: those kept for the next round do not."""
        ...

    @property
    def is_physical(self) -> bool:
        """Whether a dealer draws and names the cards."""
        ...


def with_report(evidence: Evidence, report: dict[str, Any], table: Table) -> Evidence:
    """The evidence after a report, entry by entry in the order written."""
    cards = evidence.cards
    for entry in report.get("cards", ()):
        if "nth" not in entry and not entry.get("carried") and not entry.get("foreign"):
            # Cards carried over come first: whoever drew past them left them on the table.
            for card, is_up in table.waiting(cards) if table.is_carried_due else ():
                cards = (*cards, Sighted(card, "table", is_up, carried=True, is_passed_over=True))
        cards = _with_entry(cards, entry, table)
    told = (*evidence.seen, *report.get("seen", ()))
    seen = tuple(fact for fact in SEEN if fact in told)
    is_order_seen = evidence.is_order_seen or report.get("order") == "seen"
    return by_place(Evidence(cards, seen, is_order_seen), table.is_physical)


def _with_entry(cards: tuple[Sighted, ...], entry: dict[str, Any], table: Table) -> tuple[Sighted, ...]:
    marks: dict[str, Any] = {mark: True for mark in ("together", "foreign", "carried") if entry.get(mark)}
    if "nth" in entry:
        at = entry["nth"] - 1
        card = replace(cards[at], **_told(cards[at], entry), **marks)
    else:
        at, name = len(cards), entry.get("is") or entry["card"]
        is_up = name is not None and table.is_dealt_up(cards)
        if "carried" in marks and table.waiting(cards):
            is_up = is_up or table.waiting(cards)[0][1]
        if "face" in entry:
            is_up = entry["face"] == "up"
        card = replace(Sighted(name, entry["lies"], is_up), **marks)
    rest = [*cards[:at], *cards[at + 1 :]]
    to = at
    if "after" in entry:
        after = cards[entry["after"] - 1] if entry["after"] else None
        to = next((i for i, other in enumerate(rest, start=1) if other is after), 0)
        if to != at and card.nth:
            card = replace(card, is_moved=True)
    return _in_order((*rest[:to], card, *rest[to:]))


def _in_order(cards: tuple[Sighted, ...]) -> tuple[Sighted, ...]:
    """Where all cards left the shoe as they are on record, none is moved."""
    numbers = [card.nth for card in cards if card.nth]
    is_moved = numbers != sorted(numbers)
    return cards if is_moved else tuple(replace(c, is_moved=False) if c.is_moved else c for c in cards)


def _told(card: Sighted, entry: dict[str, Any]) -> dict[str, Any]:
    """What an entry changes of a card that is known already."""
    told: dict[str, Any] = {"lies": entry["lies"]} if "lies" in entry else {}
    if "face" in entry:
        told["is_up"] = entry["face"] == "up"
    if "is" in entry and entry["is"] != card.card:
        told["card"] = entry["is"]
        if card.nth and card.card is not None:
            told["is_other"] = True
    return told


def lies_as_due(evidence: Evidence, is_physical: bool) -> bool:
    """Whether cards drawn together need no order: they look alike, and they lie as cards were due."""
    due = evidence.due
    if due is None or any(card.is_told(is_physical) for card in evidence.group):
        return False
    places = [place or "" for card, place in zip(evidence.left, due, strict=True) if card.together]
    return sorted(places) == sorted(card.lies for card in evidence.group)


def by_place(evidence: Evidence, is_physical: bool) -> Evidence:
    """Cards drawn together that need no order came as they lie; any others stand as they were reported."""
    group, due = evidence.group, evidence.due
    if len(group) < 2 or evidence.is_order_seen or due is None or not lies_as_due(evidence, is_physical):
        return evidence
    order: list[Sighted] = []
    for card, place in zip(evidence.left, due, strict=True):
        if card.together:
            order.append(next(one for one in group if one.lies == place))
            group = [one for one in group if one is not order[-1]]
    return reordered(evidence, order)


def reordered(evidence: Evidence, order: Iterable[Sighted]) -> Evidence:
    """The evidence with these cards, which were drawn together, in this order."""
    cards = list(order)
    places = sorted(next(i for i, one in enumerate(evidence.cards) if one is card) for card in cards)
    changed = list(evidence.cards)
    for place, card in zip(places, cards, strict=True):
        changed[place] = card
    return replace(evidence, cards=tuple(changed))


def without(evidence: Evidence, numbers: Sequence[int], facts: Sequence[str], record: Sequence[Sighted]) -> Evidence:
    """The evidence when some of it is taken back: a card on record is again as it was on record."""
    cards: list[Sighted] = []
    back = []
    for number, card in enumerate(evidence.cards, start=1):
        if number not in numbers:
            cards.append(card)
        elif card.nth and card.is_moved:
            back.append(record[card.nth - 1])
        elif card.nth:
            cards.append(record[card.nth - 1])
    for card in back:
        before = [i for i, other in enumerate(cards, start=1) if other.nth and other.nth == card.nth - 1]
        cards.insert(before[0] if before else 0, card)
    if all(card.is_passed_over for card in cards if not card.nth and not card.foreign):
        cards = [card for card in cards if not card.is_passed_over]  # nobody drew past them after all
    left = Evidence(tuple(cards), tuple(fact for fact in evidence.seen if fact not in facts))
    return replace(left, is_order_seen=evidence.is_order_seen and bool(left.group))


def shown(evidence: Evidence, nth: int, card: str) -> Evidence:
    """The evidence when a card on record was opened to find out where the cards go."""
    cards = [replace(one, card=card, is_up=True, was_up=True) if one.nth == nth else one for one in evidence.cards]
    return replace(evidence, cards=tuple(cards))
