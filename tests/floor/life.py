"""A random life of a house: all books, random people, bets, errors and rulings, everything through the store.

    python -m tests.floor.life 7

lives block 7 again. A block is a seed, and a store of its own: at tables where a person names the cards, what
the floor answers is held against the table by itself and against the second reading of the rules; at tables
that draw their cards themselves, whatever is legal is done, and much that is not.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from punto import books
from punto.audit.shuffle import CHACHA20, check_shoe, stored_record
from punto.cards.source import SourceKind
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import BETS, INSURANCES
from punto.floor.shoe import Seed, Seeds
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from punto.table import Step, Table, act, legal_commands
from punto.table.betting import CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.header import CommandHeader, Person
from punto.table.house import BurnCards, ChangeTerms, CloseTable, OpenTable, PauseTable, TakeSeat
from punto.table.irregularity_case import Face, Seen
from punto.table.irregularity_events import Report
from punto.table.state import Phase
from tests.agreement.compared import SEATED, STANDING, Disagreement
from tests.agreement.random_rounds import Rounds
from tests.floor.ledger_check import check_store
from tests.table.machine_commands import ASTRAY, ONWARD, PEOPLE, PLAYERS, filled, random_terms, wild
from tests.table.machine_way_out import is_underway

ROUNDS_A_BOOK = 5
"""Rounds of each kind that a block plays by every book."""
ROUNDS_A_BLOCK = 2 * ROUNDS_A_BOOK * len(books.NAMES)
CASHIER = Person("Cas", Role.CASHIER)
MUCH, LITTLE = 10**12, 40_000


class StoredRounds(Rounds):
    """Rounds held against the second reading, each command given to the floor as well."""

    sources = ("entered",)

    def __init__(self, book: str, random: Random, floor: Floor, id: str, step: int = 1) -> None:
        self.floor, self.id, self.version, self.time, self.step = floor, id, 0, 0, step
        super().__init__(book, random)

    def carry_out(self, command: Command) -> Step | Refusal:
        self.time += self.step
        command = complete(replace(command, time=self.time), self.table)
        step = act(self.table, command)
        if isinstance(command, OpenTable):
            answer = self.floor.open_table(self.id, self.table.book, command)
        else:
            answer = self.floor.give(self.id, command, self.version)
        if isinstance(step, Refusal) or isinstance(answer, Refusal):
            assert answer == step, f"the floor says {answer}"
            return step
        assert tuple(record.event for record in answer.records) == step.events
        assert answer.version == self.version + len(step.events)
        self.version = answer.version
        return step


class DrawnLife:
    """A table that draws its cards itself, and people who do whatever comes to their minds."""

    def __init__(self, book: str, random: Random, floor: Floor, id: str, step: int = 1) -> None:
        self.random, self.floor, self.id, self.time, self.step = random, floor, id, 0, step
        self.counts: Counter[str] = Counter()
        source = random.choice((SourceKind.SHUFFLED, SourceKind.CONTINUOUS))
        terms = replace(random_terms(book, random), source=source)
        opening = OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms)
        opened = floor.open_table(id, books.load(book), opening)
        assert not isinstance(opened, Refusal), opened
        for box, player in enumerate(PLAYERS, start=1):
            self._act(TakeSeat(actor=player, role=Role.PLAYER, box=box))

    def live(self, rounds: int) -> None:
        """Live until so many rounds are over."""
        steps = 0
        while self.counts["rounds"] < rounds or is_underway(self.table):
            steps += 1
            assert steps < 4_000 * rounds, f"the rounds of {self.id} do not end"
            self._act(self._next(is_late=steps > 150 * rounds))

    @property
    def table(self) -> Table:
        loaded = self.floor.table(self.id)
        assert loaded is not None
        return loaded.table

    def _next(self, *, is_late: bool) -> Command:
        """Mostly what brings the round on, now and then something odd."""
        table, random = self.table, self.random
        chance = random.random()
        if chance < 0.03 and not is_late:
            return wild(table, random)
        kinds: tuple[type[CommandHeader], ...] = ASTRAY if chance < 0.15 and not is_late else ONWARD
        players = [(name, Role.PLAYER) for name in dict.fromkeys((*PLAYERS, *table.state.bettors, "Zoe"))]
        staff = [person for person in PEOPLE if person[0] not in PLAYERS]
        random.shuffle(players)
        random.shuffle(staff)
        if table.state.phase is Phase.BETTING and (is_late or random.random() < 0.15):
            kinds, players = (CloseBets, DealCard), []
        for actor, role in (*players, *staff):
            listed = [legal for legal in legal_commands(table, actor, role) if isinstance(legal.command, kinds)]
            if listed:
                return filled(random.choice(listed), table, random)
        if table.state.shoe is not None and not table.state.shoe.cards_left:
            return Report(actor="Dan", role=Role.DEALER, seen=(Seen.CARDS_RUN_OUT,))
        return wild(table, random)

    def _act(self, command: Command) -> None:
        loaded = self.floor.table(self.id)
        assert loaded is not None
        self.time += self.step
        command = replace(complete(_unnamed(command), loaded.table), time=self.time)
        if isinstance(command, OpenTable | CloseTable | ChangeTerms | PauseTable):
            return
        answer = self.floor.give(self.id, command, loaded.version)
        if isinstance(answer, Refusal):
            self.counts[f"refused {answer.reason.value}"] += 1
            return
        for record in answer.records:
            self.counts[record.event.name()] += 1
            self.counts["rounds"] += record.event.name() in ("round-settled", "round-voided")


def complete(command: Command, table: Table) -> Command:
    """A command as a careful client sends it: bets name their round, insurance its window."""
    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        command = replace(command, round=table.state.round)
    if isinstance(command, INSURANCES) and command.window is None:
        command = replace(command, window=table.state.window or 4)
    return command


def _unnamed(command: Command) -> Command:
    """The same without the names of cards, as it is said at a table that draws its cards itself."""
    if isinstance(command, DealCard | BurnCards):
        return replace(command, card=None)
    if isinstance(command, Report):
        cards = []
        for sighting in command.cards:
            if isinstance(sighting.nth, int) or sighting.foreign:
                cards.append(sighting)
            else:
                face = sighting.face or (Face.UP if sighting.card is not None else None)
                cards.append(replace(sighting, card=None, is_=None, face=face))
        return replace(command, cards=tuple(cards))
    return command


def live_block(
    store: Store, block: int, rounds: int = ROUNDS_A_BOOK, step: int = 1, names: tuple[str, ...] = books.NAMES
) -> tuple[str, Counter[str]]:
    """Live a block in an empty store; the hash of what came of it, and what was counted.

    `step` is how many milliseconds go by from one command to the next.
    """
    counts: Counter[str] = Counter()
    desk = Desk(store)
    for name in (*SEATED, *STANDING):
        _open_account(desk, name, MUCH)
    _open_account(desk, "Zoe", LITTLE)

    def seed(table: str, shoe: int) -> Seed:
        return Seed(CHACHA20, sha256(f"life {block}, {table}/{shoe}".encode()).digest())

    with Floor(store, Seal(bytes(32)), seed) as floor:
        for book in names:
            random = Random(f"{book}/{block}")
            table = StoredRounds(book, random, floor, f"{book}-entered", step)
            for _ in range(rounds):
                try:
                    table.play()
                except Disagreement as error:
                    raise Disagreement(f"{book}, block {block}: {error}") from error
            counts += table.counts
            drawn = DrawnLife(book, random, floor, f"{book}-drawn", step)
            drawn.live(rounds)
            counts += drawn.counts
            counts["cards compared"] += check_shoes(store, drawn.id, seed)
    return check_store(store), counts


def check_shoes(store: Store, table: str, seeds: Seeds) -> int:
    """Every shoe of a table is dealt as it was promised, whatever happened; the number of cards compared."""
    compared = 0
    with store.read() as reader:
        stored = reader.table(table)
        assert stored is not None
        shoe = 0
        while record := stored_record(reader, table, stored.version, shoe := shoe + 1):
            if record.commitment and record.seed is None:
                record = replace(record, seed=seeds(table, shoe).secret.hex())
            checked = check_shoe(record)
            assert checked.matches is (True if record.commitment else None), checked.problems
            compared += checked.compared if record.commitment else 0
    return compared


def _open_account(desk: Desk, name: str, amount: int) -> None:
    assert not isinstance(desk.open_account(StoredPerson(name), "USD", 0), Refusal)
    assert not isinstance(desk.buy_in(name, amount, CASHIER, 0), Refusal)


def _main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_store(str(Path(folder) / "life.db")) as store:
        hashed, counts = live_block(store, int(sys.argv[1]))
    print(hashed)
    print(msgspec.json.encode(dict[str, Any](counts), order="sorted").decode())


if __name__ == "__main__":
    _main()
