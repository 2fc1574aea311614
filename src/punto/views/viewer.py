"""Who looks at a table, and events as they may see them: what is hidden is left out, the event itself never.

What is left out follows from the log up to the event, so the same viewer gets the same record whenever it is asked
for. Cards that lie face down are hidden from everybody but the player who squeezes them: no role of the house is told
what the players do not know. Keys belong to whoever sent them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from punto.cards.source import SourceKind
from punto.floor.answers import SeenRecord
from punto.rules.authority import LADDER, Role
from punto.rules.outcome import Hand
from punto.store.record import Record
from punto.table.dealing import CardDealt, may_open_card
from punto.table.event import Event
from punto.table.irregularity_case import Evidence, Face, RoundCard, Sighting
from punto.table.irregularity_events import CardsOrdered, CaseOpened, ErrorFoundLate, EvidenceAdded, EvidenceWithdrawn
from punto.table.state import State

_View = TypeVar("_View", bound=msgspec.Struct)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who looks at a table; without a name, whoever stands in front of its display."""

    name: str | None = None
    role: Role = Role.PLAYER

    @property
    def is_staff(self) -> bool:
        """Whether the viewer works at tables or looks after them: what is said of a case is for these."""
        return self.role in LADDER or self.role is Role.AUDITOR

    def owns(self, player: str | None) -> bool:
        """Whether something of a player is the viewer's own; staff own nothing at a table."""
        return self.role is Role.PLAYER and self.name is not None and self.name == player

    def sees_card(self, state: State, hand: Hand, number: int) -> bool:
        """Whether the viewer may see a card that lies face down: only whoever squeezes it may."""
        return self.role is Role.PLAYER and self.name is not None and may_open_card(state, self.name, hand, number)

    def sees_named(self, state: State) -> bool:
        """Whether the viewer may see what the house was told of cards face down: where people name the cards,
        the house has it from its own staff.
        """
        return self.is_staff and state.terms is not None and state.terms.source is SourceKind.ENTERED


BOARD = Viewer()  # The display over a table.


def taken_from(source: object, kind: type[_View], **others: Any) -> _View:
    """A view that has the fields of something, where they have the same names, and these others."""
    same = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in others}
    return kind(**same, **others)


def seen_record(before: State, record: Record, viewer: Viewer) -> SeenRecord:
    """A record as a viewer may see it; `before` is the state of the table before it."""
    key = record.key if viewer.name is not None and record.event.by == viewer.name else None
    return SeenRecord(record.table, record.seq, record.v, key, seen_event(before, record.event, viewer))


def seen_event(before: State, event: Event, viewer: Viewer) -> dict[str, Any]:
    """An event as a viewer may see it, as JSON would have it."""
    seen: dict[str, Any] = msgspec.to_builtins(event, str_keys=True)
    if is_alike(event):
        return seen
    match event:
        case CardDealt():
            if not viewer.sees_card(before, event.hand, len(before.slots(event.hand)) + 1):
                seen.pop("card", None)
        case CaseOpened() | EvidenceAdded() | EvidenceWithdrawn():
            opened = before if before.case is None else before.case.before
            _hide_evidence(seen["evidence"], event.evidence, opened, viewer)
        case ErrorFoundLate():
            _hide_sightings(seen, event.cards, before, viewer)
        case CardsOrdered():
            are_open = before.case is not None and not any(map(is_face_hidden, before.case.evidence.group))
            if not are_open and not viewer.sees_named(before):
                seen.pop("cards", None)
        case _:
            pass
    return seen


def is_alike(event: Event) -> bool:
    """Whether an event looks the same to every viewer, but for the key of its command."""
    if isinstance(event, CardDealt):
        return event.face_up
    return not isinstance(event, _SEEN_BY_TABLE)


_SEEN_BY_TABLE = (CaseOpened, EvidenceAdded, EvidenceWithdrawn, ErrorFoundLate, CardsOrdered)
"""Events of which somebody may see less than others, by the table before them."""


def is_face_hidden(card: RoundCard) -> bool:
    """Whether the evidence says that nobody can see the face of a card."""
    return card.face is Face.DOWN


def was_open(state: State, nth: int | None) -> bool:
    """Whether the nth card of the round lay open before a case was opened."""
    order = state.order
    return nth is not None and 1 <= nth <= len(order) and order[nth - 1].face_up


def squeezes(state: State, nth: int | None, viewer: Viewer) -> bool:
    if nth is None or not 1 <= nth <= len(state.record):
        return False
    hand: Hand = state.record[nth - 1]
    return viewer.sees_card(state, hand, state.record[:nth].count(hand))


def _hide_evidence(seen: dict[str, Any], evidence: Evidence, opened: State, viewer: Viewer) -> None:
    if not viewer.sees_named(opened):
        for entry, card in zip(seen.get("cards", ()), evidence.cards, strict=True):
            if is_face_hidden(card) and not squeezes(opened, card.nth, viewer):
                entry.pop("card", None)
            if not was_open(opened, card.nth):
                entry.pop("was", None)
    if not viewer.is_staff:
        seen.pop("note", None)


def _hide_sightings(seen: dict[str, Any], cards: Sequence[Sighting], before: State, viewer: Viewer) -> None:
    for entry, sighting in zip(seen.get("cards", ()), cards, strict=True):
        if sighting.face is Face.DOWN and not viewer.sees_named(before):
            entry.pop("card", None)
            entry.pop("is", None)
    if not viewer.is_staff:
        seen.pop("note", None)
