"""Random lives of a table, and worlds that differ from them only in cards that lie face down."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from punto import books
from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.floor.loaded_table import LoadedTable
from punto.rules.authority import Role
from punto.table import Refusal, Table, act, legal_commands
from punto.table.command import Command
from punto.table.dealing import CardDealt
from punto.table.event import Event
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.irregularity_case import Evidence, Face
from punto.table.irregularity_events import CaseOpened, EvidenceAdded, EvidenceWithdrawn, Report
from punto.table.state import Case, Slot, State
from punto.table.terms import Faces
from punto.views.viewer import Viewer
from tests.table.machine_commands import (
    ASTRAY,
    ONWARD,
    PAST_BETTING,
    PEOPLE,
    PLAYERS,
    RESOLVING,
    filled,
    random_terms,
    wild,
)
from tests.table.machine_evidence import random_sightings

VIEWERS = (
    Viewer(),
    *(Viewer(name, role) for name, role in PEOPLE),
    Viewer("Aud", Role.AUDITOR),
    Viewer("Cas", Role.CASHIER),
)


def lives(book: str, seed: int, steps: int = 60) -> Iterator[tuple[State, Table, tuple[Event, ...]]]:
    """A random life of a table: the state before each command, the table after it, and its events."""
    random = Random(f"{book}/{seed}")
    terms = replace(random_terms(book, random), faces=Faces.DOWN)
    table = Table(books.load(book))
    opening: list[Command] = [
        OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms),
        LoadShoe(actor="Dan", role=Role.DEALER),
        *(TakeSeat(actor=name, role=Role.PLAYER, box=box) for box, name in enumerate(PLAYERS[:2], 1)),
    ]
    for number in range(steps):
        command = opening[number] if number < len(opening) else any_command(table, random)
        step = act(table, command)
        if isinstance(step, Refusal):
            continue
        yield table.state, step.table, step.events
        table = step.table


def any_command(table: Table, random: Random) -> Command:
    """Mostly what brings the round on, at times what goes astray."""
    kinds: tuple[Any, ...] = RESOLVING if table.state.case is not None else ONWARD
    if len(table.state.bets) > 3:
        kinds = kinds if kinds is RESOLVING else PAST_BETTING
    draw = random.random()
    if draw < 0.15:
        kinds = ASTRAY
    elif draw < 0.25:
        return wild(table, random)
    elif draw < 0.32:
        cards = random_sightings(table, random)
        return Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=cards)
    people = list(PEOPLE)
    random.shuffle(people)
    for actor, role in people:
        listed = [legal for legal in legal_commands(table, actor, role) if isinstance(legal.command, kinds)]
        if listed:
            return filled(random.choice(listed), table, random)
    return wild(table, random)


def loaded(table: Table, version: int = 1) -> LoadedTable:
    return LoadedTable("t1", version, table)


# ── Other worlds ─────────────────────────────────────────────────────────────────────────────────


class OtherWorld:
    """Every card that lies face down is another one: the same other card wherever it is spoken of."""

    def __init__(self, random: Random) -> None:
        self._other = dict(zip(DECK, random.sample(DECK, len(DECK)), strict=True))

    def table(self, table: Table) -> Table:
        return Table(table.book, self.state(table.state))

    def state(self, state: State) -> State:
        """The state with other cards face down."""
        player, banker = self._slots(state.player), self._slots(state.banker)
        other = replace(state, player=player, banker=banker, carried=self._slots(state.carried))
        return replace(other, case=self._case(state.case)) if state.case is not None else other

    def event(self, event: Event) -> Event:
        """The event with other cards face down."""
        if isinstance(event, CardDealt) and not event.face_up and event.card is not None:
            return replace(event, card=self._other[event.card])
        if isinstance(event, CaseOpened | EvidenceAdded | EvidenceWithdrawn):
            return replace(event, evidence=self._evidence(event.evidence))
        return event

    def _case(self, case: Case) -> Case:
        return replace(case, evidence=self._evidence(case.evidence), before=self.state(case.before))

    def _evidence(self, evidence: Evidence) -> Evidence:
        cards = tuple(
            replace(card, card=self._other[card.card]) if card.face is Face.DOWN and card.card is not None else card
            for card in evidence.cards
        )
        return replace(evidence, cards=cards)

    def _slots(self, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        return tuple(
            slot if slot.face_up or slot.card is None else replace(slot, card=self._other[slot.card]) for slot in slots
        )


def is_blind(state: State, viewer: Viewer) -> bool:
    """Whether a viewer may see no card that lies face down."""
    if state.terms is not None and state.terms.source is SourceKind.ENTERED and viewer.is_staff:
        return False
    return not any(asked.consent and asked.player == viewer.name for asked in state.squeezes)


def encoded(value: Any) -> bytes:
    """What leaves the process."""
    return msgspec.json.encode(value)
