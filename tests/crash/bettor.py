"""A player who bets at a served floor as fast as it answers, and writes down what was acknowledged."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread
from typing import Any

import httpx
import msgspec

from punto.client import Client, Done, Refused
from punto.client.api_call import fresh_key
from punto.floor.answers import SeenRecord
from punto.rules.authority import Role
from punto.store.store import Store
from punto.table.betting import BetPlaced


@dataclass
class Sent:
    """A command that was sent: under which key, and what was answered, if anything was."""

    table: str
    key: str
    command: dict[str, Any]
    done: Done | None = None
    refused: Refused | None = None

    @property
    def is_answered(self) -> bool:
        return self.done is not None or self.refused is not None


@dataclass
class Bettor:
    """Bets at one table until told to stop, or until the floor is gone."""

    client: Client
    table: str
    box: int
    random: Random
    journal: list[Sent] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    is_network_bad: bool = False
    """Whether a connection that is cut says nothing about the floor."""
    _stop: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def start(self) -> None:
        self._stop.clear()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        assert self._thread is not None
        self._thread.join(60)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._send_again()
                while not self._stop.is_set():
                    self._bet()
            except httpx.TransportError:
                if not self.is_network_bad:
                    return  # the floor is gone; what was not answered is sent again when it is back

    def _send_again(self) -> None:
        """What was not answered, and some of what was: the same key and body give the same answer."""
        answered = [sent for sent in self.journal if sent.is_answered]
        again = [sent for sent in self.journal if not sent.is_answered]
        again += self.random.sample(answered, min(3, len(answered)))
        for sent in again:
            before = sent.done, sent.refused
            if not self._send(sent):
                continue
            if before != (None, None) and before != (sent.done, sent.refused):
                self.problems.append(f"{sent.key} had {before}, and now {sent.done or sent.refused}")

    def _bet(self) -> None:
        shown = self.client.table(self.table, Role.PLAYER)
        if isinstance(shown, Refused):
            self.problems.append(shown.sentence)
            return
        placing = [
            entry.command
            for entry in shown.legal
            if entry.command["type"] in ("place-bet", "take-insurance", "place-wager", "take-seat")
            and entry.command.get("box") == self.box
        ]
        if not placing:
            return
        sent = Sent(self.table, fresh_key(), self.random.choice(placing))
        self.journal.append(sent)
        self._send(sent)

    def _send(self, sent: Sent) -> bool:
        answer = self.client.give(sent.table, sent.command, key=sent.key)
        if isinstance(answer, Done):
            sent.done = answer
        elif isinstance(answer, Refused) and answer.status == 409:
            sent.refused = answer
        elif isinstance(answer, Refused) and answer.status == 503:
            return False  # it is going down
        else:
            self.problems.append(f"{sent.command}: {answer}")
        return True


def check_acknowledged(store: Store, journal: list[Sent]) -> None:
    """What was acknowledged is in the store as it was told, once, and what was refused is not."""
    records: dict[str, list[SeenRecord]] = {}
    with store.read() as reader:
        for table in {sent.table for sent in journal}:
            seen: dict[str, list[SeenRecord]] = {}
            for record in reader.records(table):
                if record.key is not None:
                    event = msgspec.json.decode(msgspec.json.encode(record.event))
                    seen.setdefault(record.key, []).append(
                        SeenRecord(record.table, record.seq, record.v, record.key, event)
                    )
            records |= seen
    for sent in journal:
        stored = records.get(sent.key, [])
        if sent.done is not None:
            assert tuple(stored) == sent.done.events, f"{sent.key} was acknowledged and is another"
        elif sent.refused is not None:
            assert stored == [], f"{sent.key} was refused and is in the log"
        seqs = [record.seq for record in stored]
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs))) if seqs else True, "it happened twice"
        placed = [record for record in stored if record.event["type"] == BetPlaced.name()]
        assert len(placed) <= 1, "a bet was placed twice"
