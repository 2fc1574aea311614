"""Nothing that anybody receives in 200 rounds tells a card before it lies open, nor a seed before it is due.

Cards are dealt face down. A player with bets who squeezes some of them, a player who only looks, a dealer and
an auditor have streams with views and ask for everything over HTTP in the middle of rounds. Then all of it is
searched, each document against the log.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from random import Random
from threading import Condition, Thread
from typing import Any

import msgspec
import pytest

from punto.client import Done, Refused, Stream, StreamClosed
from punto.dealer.dealer import DrawCard, Give, Wait, next_step
from punto.floor.automatic_tables import Turn
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.server import broadcast as broadcaster
from punto.store import sqlite
from punto.table.betting import PlaceBet
from punto.table.dealing import AnswerSqueeze, AskSqueeze, DealCard
from punto.table.header import CommandHeader
from punto.table.house import CardsBurned, TakeSeat
from punto.table.shuffling import SeedOpened
from punto.table.state import Phase, State
from punto.table.terms import Drawing, Faces
from punto.views import deal_view as hand_view
from punto.views.legal_view import NO_WAITING
from tests.server.leaks import cards_in, open_cards, squeezed_cards, texts
from tests.server.running_floor import RunningFloor, running_floor

LOOKERS = {"Lee": Role.PLAYER, "Kim": Role.PLAYER, "Dan": Role.DEALER, "Aud": Role.AUDITOR}


class Received:
    """Everything that one person was sent about one table."""

    def __init__(self, floor: RunningFloor, name: str, role: Role, table: str) -> None:
        self.name, self.role, self.table = name, role, table
        self.client = floor.client(name)
        self.documents: list[tuple[int, Any]] = []
        """Each with the version of the table that it was of."""
        stream = self.client.stream(table, role=role, views=True)
        assert isinstance(stream, Stream)
        self.stream = stream
        self._seq, self._last, self._viewed, self._moved = 0, 0, 0, Condition()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(StreamClosed):
            for frame in self.stream:
                with self._moved:
                    self._last = max(self._last, frame.get("seq", 0))
                    assert frame.get("version", 0) <= self._last, "the past is of events that were sent"
                    self._seq = frame.get("seq", self._seq)
                    self._viewed = self._seq if frame["type"] == "view" else self._viewed
                    self.documents.append((self._seq, frame))
                    self._moved.notify()

    def ask(self) -> None:
        """Ask for the table and its last events over HTTP."""
        shown = self.client.table(self.table, self.role)
        assert not isinstance(shown, Refused), shown
        self.documents.append((shown.version, msgspec.to_builtins(shown)))
        events = self.client.events(self.table, max(0, shown.version - 6), 6, self.role)
        assert not isinstance(events, Refused), events
        self.documents += [(record.seq, msgspec.to_builtins(record)) for record in events.events]

    def wait_for(self, version: int) -> None:
        """Wait for a view of the table at this version, with which everything before it has come."""
        with self._moved:
            assert self._moved.wait_for(lambda: self._viewed >= version, 60)

    def close(self) -> None:
        self.stream.close()
        self._thread.join(60)


class FaceDown:
    """A table dealt face down, its rounds played to the end."""

    def __init__(self, floor: RunningFloor, seed: int, **terms: Any) -> None:
        self.floor, self.random = floor, Random(seed)
        self.table = floor.new_table("insurance", faces=Faces.DOWN, **terms)
        cashier = floor.client("Cas")
        assert not isinstance(cashier.buy_in("Lee", 10**9), Refused)
        self.give("Lee", TakeSeat(actor="", role=Role.PLAYER, box=1))
        self.received = [Received(floor, name, role, self.table) for name, role in LOOKERS.items()]

    @property
    def state(self) -> State:
        return self.floor.app_state.floor._memory.tables[self.table].table.state

    def give(self, name: str, command: CommandHeader | dict[str, Any], role: Role = Role.PLAYER) -> Any:
        """A command over HTTP; its answer is searched as well."""
        answer = self.floor.client(name).give(self.table, command, role, expected=None)
        if isinstance(answer, Done) and hasattr(self, "received") and name in LOOKERS:
            receiver = next(each for each in self.received if each.name == name)
            for record in answer.events:
                receiver.documents.append((record.seq, msgspec.to_builtins(record)))
        return answer

    def step(self) -> None:
        """What the dealer does next, given straight to the floor; a player draws over HTTP."""
        house = self.floor.app_state.floor
        loaded = house.table(self.table)
        assert loaded is not None
        due = next_step(loaded.table, self.floor.app_state.now(), NO_WAITING)
        if isinstance(due, Wait) and due.whom:
            answer = self.give("Lee", DealCard(actor="", role=Role.PLAYER))
            assert isinstance(answer, Done), answer
            return
        turn = Turn(loaded, NO_WAITING, (), self.floor.app_state.now(), 0)
        command = due.command if isinstance(due, Give | DrawCard) else turn.command()
        assert command is not None, due
        given = house.give(self.table, command, loaded.version)
        assert not isinstance(given, Refusal), given

    def play(self, rounds: int) -> None:
        while not (self.state.round >= rounds and self.state.phase is Phase.IDLE):
            state = self.state
            if state.phase is Phase.BETTING and not state.bets:
                area = self.random.choice(("player", "banker"))
                bet = PlaceBet(actor="", role=Role.PLAYER, box=1, area=area, amount=2000, round=state.round)
                assert isinstance(self.give("Lee", bet), Done)
            elif state.phase is Phase.DEALING and self.random.random() < 0.15:
                self._squeeze()
            self.step()
            if self.random.random() < 0.05:
                self.random.choice(self.received).ask()

    def _squeeze(self) -> None:
        hand, number = self.random.choice(tuple(Hand)), self.random.choice((1, 2, 3))
        asking = AskSqueeze(actor="", role=Role.PLAYER, hand=hand, number=number)
        if isinstance(self.give("Lee", asking), Done):
            answer = AnswerSqueeze(actor="Sue", role=Role.PIT_SUPERVISOR, consent=True)
            self.floor.app_state.floor.give(self.table, answer)
            self.received[0].wait_for(self.floor.version(self.table))

    # ── What was sent ────────────────────────────────────────────────────────────────────────────

    def leaks(self) -> list[str]:
        """Every document with a card that its reader was not to see yet, or with a seed."""
        states, names = self._states()
        found = []
        for receiver in self.received:
            for seq, document in receiver.documents:
                allowed = open_cards(states[seq]) | names[seq] | squeezed_cards(states[seq], receiver.name)
                if document.get("type") == "history":  # of rounds that have ended: what lay open in them
                    allowed |= set[str]().union(*map(open_cards, states[: document["version"] + 1]))
                told = cards_in(document) - allowed
                if told:
                    found.append(f"{receiver.name} was told {sorted(told)} at {seq}: {str(document)[:200]}")
        return found

    def _states(self) -> tuple[list[State], list[set[str]]]:
        """By version: the state, and the cards that its event names openly (a card burned face up)."""
        states, names = [State()], [set[str]()]
        with self.floor.store.read() as reader:
            for record in reader.records(self.table):
                event = record.event
                states.append(event.fold(states[-1]))
                shown = {event.shown.value} if isinstance(event, CardsBurned) and event.shown else set()
                names.append(shown)
        return states, names

    def secrets(self) -> list[str]:
        """Seeds of shoes that were still in play when somebody was told them."""
        opened = {}
        with self.floor.store.read() as reader:
            for record in reader.records(self.table):
                if isinstance(record.event, SeedOpened):
                    opened[record.event.shoe] = record.seq
            kept = [reader.seed(self.table, shoe) for shoe in range(1, self.state.shoe_number + 1)]
        seal, secrets = self.floor.app_state.floor._memory.seal, {}
        for seed in kept:
            assert seed is not None
            secrets[seal.open(self.table, seed.shoe, seed.sealed).hex()] = seed.shoe
        return [
            f"{receiver.name} was told the seed of shoe {secrets[text]} at {seq}"
            for receiver in self.received
            for seq, document in receiver.documents
            for text in texts(document)
            if text in secrets and seq < opened.get(secrets[text], seq + 1)
        ]

    def close(self) -> None:
        for receiver in self.received:
            receiver.wait_for(self.floor.version(self.table))
            receiver.close()


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", "OFF")  # what a loss of power does is asked elsewhere
    monkeypatch.setattr(broadcaster, "QUIET_S", 0.01)  # rounds are fast here, and views should come in between
    with running_floor(str(tmp_path / "house.db")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize(("drawing", "rounds"), [(Drawing.DEALER, 90), (Drawing.PLAYERS, 30)])
@pytest.mark.gli("C.6.4")
def test_nothing_that_anybody_receives_tells_what_lies_face_down(
    floor: RunningFloor, drawing: Drawing, rounds: int
) -> None:
    """120 rounds in all."""
    table = FaceDown(floor, 7, drawing=drawing, behind_cut=200)
    table.play(rounds)
    table.close()
    for receiver in table.received:
        assert len(receiver.documents) > 10 * rounds, "there was something to search"
        assert any(cards_in(document) for _, document in receiver.documents)
    assert table.leaks() == []
    assert table.secrets() == []
    squeezed = [d for r in table.received if r.name == "Lee" for _, d in r.documents if "squeezable': True" in str(d)]
    assert squeezed, "some cards were squeezed"


@pytest.mark.slow
def test_a_planted_leak_is_found(floor: RunningFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that names a face-down card only to whoever deals, in one field of many."""

    def leaky(_: Any, __: Any, number: int, slot: Any, viewer: Any) -> hand_view.CardView:
        sees = slot.face_up or viewer.role is Role.DEALER
        return hand_view.CardView(slot.card if sees else None, slot.face_up, number > 2, squeezable=False)

    monkeypatch.setattr(hand_view, "_card_view", leaky)
    table = FaceDown(floor, 8)
    table.play(5)
    table.close()
    told = table.leaks()
    assert told and all(line.startswith("Dan ") for line in told)
