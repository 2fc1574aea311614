"""Nothing depends on the name of a card that nobody has seen.

Two worlds differ in nothing but the names of cards that lie face down. The same is reported and decided in
both, and everything must come out the same: events, refusals, clauses, what is legal, and what people see.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from punto import books
from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.store.record import decode_state
from punto.table import Refusal, State, Table, act, legal_commands
from punto.table.antes import GiveUpAnte
from punto.table.betting import CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.irregularity_case import Face, Place, Sighting
from punto.table.irregularity_events import DismissReport, OrderCards, Report
from punto.table.settlement import SettleRound
from punto.table.state import Slot
from punto.table.terms import Faces
from punto.views.viewer import BOARD, Viewer, seen_event
from tests.table.machine_commands import PEOPLE, RESOLVING
from tests.table.random_tables import random_scene

SEEDS = st.integers(0, 2**32 - 1)
COMMAND = msgspec.json.Decoder(Command)
NAME = re.compile(r"\b(?:10|[2-9AJQK])[SHDC]\b")
PLACES = (Place.PLAYER, Place.BANKER, Place.PLAYER, Place.BANKER, Place.TABLE, Place.FLOOR)
ACTS = (*RESOLVING, DismissReport, DealCard, SettleRound, CloseBets, GiveUpAnte, Report)
"""What is done in both worlds: everything but opening a card."""


class Worlds:
    """A table, and the same table with other names for what lies face down."""

    def __init__(self, book: str, random: Random) -> None:
        self.random = random
        source = random.choice((SourceKind.SHUFFLED, SourceKind.ENTERED))
        scene = random_scene(book, random, faces=Faces.DOWN, source=source)
        self.is_own = source is SourceKind.SHUFFLED
        used = set(NAME.findall(as_json(scene.state)))
        fresh = [str(card) for card in DECK if str(card) not in used]
        random.shuffle(fresh)
        self.hidden, self.open = fresh[:10], [Card(name) for name in fresh[10:]]
        turned = random.sample(self.hidden, len(self.hidden))
        self.names = dict(zip(self.hidden, turned, strict=True))
        self.unused = [Card(name) for name in self.hidden]
        self.one = Table(scene.table.book, self._relabelled(scene.state))
        self.other = Table(scene.table.book, decode_state(self.translated(as_json(self.one.state)).encode()))

    def _relabelled(self, state: State) -> State:
        """Every card face down that the table knows has a name of its own."""

        def named(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
            return tuple(
                slot if slot.face_up or slot.card is None else replace(slot, card=self.unused.pop()) for slot in slots
            )

        return replace(state, player=named(state.player), banker=named(state.banker), carried=named(state.carried))

    def translated(self, text: str) -> str:
        """What the one world says, in the words of the other."""
        return NAME.sub(lambda found: self.names.get(found[0], found[0]), text)

    def give(self, command: Command) -> bool:
        """Give a command in both worlds; whether it was accepted."""
        twin: Command = COMMAND.decode(self.translated(as_json(command)))
        came, there = act(self.one, command), act(self.other, twin)
        if isinstance(came, Refusal) or isinstance(there, Refusal):
            assert isinstance(came, Refusal) and isinstance(there, Refusal), (command, came, there)
            assert self.translated(as_json(came)) == as_json(there), command
            return False
        assert self.translated(as_json(came.events)) == as_json(there.events), command
        assert self.translated(as_json(came.table.state)) == as_json(there.table.state), command
        if self.is_own:
            self._look_alike(came.events, there.events)
        self.one, self.other = came.table, there.table
        return True

    def _look_alike(self, events: tuple[Any, ...], others: tuple[Any, ...]) -> None:
        """Cards of the system's own shoe: nobody can tell in which of the worlds this is."""
        before, there = self.one.state, self.other.state
        for event, other in zip(events, others, strict=True):
            for viewer in (Viewer("Ann", Role.PLAYER), Viewer("Dan", Role.DEALER), BOARD):
                assert seen_event(before, event, viewer) == seen_event(there, other, viewer)
            before, there = event.fold(before), other.fold(there)

    def legal(self, actor: str, role: Role) -> list[Command]:
        """What somebody may do, the same in both worlds."""
        listed = legal_commands(self.one, actor, role)
        twins = legal_commands(self.other, actor, role)
        for legal, twin in zip(map(as_json, listed), map(as_json, twins), strict=True):
            # A card that is only named as an example is the same in both.
            assert legal == twin or (not self.is_own and self.translated(legal) == twin)
        return [legal.command for legal in listed]

    def report(self) -> Report:
        """Cards drawn together and otherwise, open and closed; no card on record is turned up."""
        random, seen = self.random, []
        together = random.random() < 0.7
        for _ in range(random.choice((1, 2, 2, 2, 3))):
            told: dict[str, Any] = {"lies": random.choice(PLACES), "together": together}
            if random.random() < 0.2 and self.one.state.cards_out:
                told["nth"] = random.randint(1, self.one.state.cards_out)
            elif random.random() < 0.5:
                told |= {"card": random.choice(self.open), "face": Face.UP}
            else:
                is_named = self.unused and (self.is_own or random.random() < 0.5)
                told |= {"card": self.unused.pop() if is_named else None, "face": Face.DOWN}
            seen.append(Sighting(**told))
        return Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=tuple(seen))


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("book", books.NAMES)
@settings(max_examples=40)
@given(seed=SEEDS)
def test_other_names_for_cards_that_nobody_has_seen_change_nothing(book: str, seed: int) -> None:
    random = Random(seed)
    worlds = Worlds(book, random)
    for _ in range(12):
        if random.random() < 0.3 or worlds.one.state.case is None:
            worlds.give(worlds.report())
        actor, role = random.choice(PEOPLE)
        listed = [command for command in worlds.legal(actor, role) if isinstance(command, ACTS)]
        if listed:
            command = random.choice(listed)
            if isinstance(command, DealCard):
                command = replace(command, card=random.choice(worlds.open))
            if isinstance(command, OrderCards):
                command = replace(command, cards=tuple(random.sample(command.cards, len(command.cards))))
            worlds.give(command)
