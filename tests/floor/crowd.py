"""A crowd: many clients at once at a few tables, with shared wallets, repeats and a dealer at each table.

    python -m tests.floor.crowd 100000

gives so many commands to an SQLite file, and checks the history. Two floors share the database, as two
processes would. Everything that was answered is written down, and held against what is stored afterwards.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import Accepted, Job, decode_command, decode_refusal, is_same_job
from punto.floor.loaded_table import BookCache, load_table
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.reader import Reader
from punto.store.record import StoredPerson
from punto.store.seal import Seal
from punto.store.store import open_store
from punto.table import Table, act
from punto.table.betting import CallBets, CloseBets, PlaceBet, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.header import Person
from punto.table.house import BurnCards, LoadShoe
from punto.table.settlement import SettleRound
from punto.table.state import Phase
from tests.floor.house import House
from tests.floor.ledger_check import check_store

CLIENTS = 64
TABLES = ("t1", "t2", "t3")
WALLETS = tuple(f"P{number}" for number in range(1, 17))
"""Four clients share each."""
CASHIER = Person("Cas", Role.CASHIER)
OF_THE_FLOOR = frozenset(
    (
        Reason.VERSION,
        Reason.VERSION_NEEDED,
        Reason.ROUND_NEEDED,
        Reason.NOT_ENOUGH_FUNDS,
        Reason.FUNDS_HELD,
        Reason.NO_ACCOUNT,
        Reason.CARD_NAMED,
    )
)
"""Refusals that the table by itself does not know."""


@dataclass
class Client:
    """Somebody who gives commands, and remembers what was answered."""

    number: int
    floor: Floor
    random: Random
    history: list[tuple[Job, Accepted | Refusal]] = field(default_factory=list)
    problem: BaseException | None = None

    def give(self, table: str, command: Command, expected: int | None = None) -> Accepted | Refusal:
        answer = self.floor.give(table, command, expected)
        self.history.append((Job(table, command, expected), answer))
        return answer

    @property
    def player(self) -> str:
        return WALLETS[self.number % len(WALLETS)]

    def live(self, commands: int) -> None:
        try:
            while len(self.history) < commands:
                self._act()
        except BaseException as error:  # a thread that dies silently would look like success
            self.problem = error

    def _act(self) -> None:
        random, table = self.random, self.random.choice(TABLES)
        if self.history and random.random() < 0.15:
            # What was sent before comes again, now and then with another body.
            job, _ = random.choice(self.history)
            sent, expected = job.command, job.expected
            if random.random() < 0.2:
                expected = 1 if expected is None else None
            if isinstance(sent, PlaceBet) and random.random() < 0.3:
                sent = PlaceBet(
                    actor=sent.actor,
                    role=sent.role,
                    key=sent.key,
                    box=sent.box,
                    area=sent.area,
                    round=sent.round,
                    amount=sent.amount + 100,
                )
            self.give(job.table, sent, expected)
            return
        loaded = self.floor.table(table)
        assert loaded is not None
        header: dict[str, Any] = {
            "actor": self.player,
            "role": Role.PLAYER,
            "key": f"{self.number}-{len(self.history)}",
            "round": loaded.table.state.round - (random.random() < 0.1),
            "box": random.randint(1, 7),
            "area": random.choice(("player", "banker", "tie")),
        }
        if random.random() < 0.2:
            self.give(table, WithdrawBet(**header))
        else:
            # Many bets are more than a wallet was filled with, so that some cannot be paid.
            chips = 500 if random.random() < 0.1 else random.randint(10, 80)
            self.give(table, PlaceBet(**header, amount=chips * 100))


DAWDLES = 0.9
"""How often a dealer calls again instead of closing, so that the crowd has time to bet."""


class TableDealer(Client):
    """Runs a table by the versions it sees; somebody who comes in between makes it look again."""

    def run(self, table: str, rounds: int) -> None:
        try:
            while True:
                loaded = self.floor.table(table)
                assert loaded is not None
                state = loaded.table.state
                if state.round >= rounds and state.phase is Phase.IDLE:
                    return
                due = _due(loaded.table, f"{self.number}-{len(self.history)}")
                if isinstance(due, CloseBets) and self.random.random() < DAWDLES:
                    due = CallBets(actor=due.actor, role=due.role, key=due.key)  # refused: bets are open
                self.give(table, due, loaded.version)
        except BaseException as error:
            self.problem = error


def _due(table: Table, key: str) -> Command:
    state, header = table.state, {"actor": "Dan", "role": Role.DEALER, "key": key}
    command: Any
    if state.phase is Phase.IDLE and state.shoe is None:
        command = LoadShoe
    elif state.phase is Phase.IDLE:
        command = BurnCards if state.burn_due else CallBets
    elif state.phase is Phase.FINISHED:
        command = SettleRound
    elif state.phase is Phase.BETTING:
        command = CloseBets
    else:
        command = DealCard
    return command(**header)  # type: ignore[no-any-return]


def meet(database: str, commands: int, seed: int = 1) -> Counter[str]:
    """Let a crowd give so many commands, and check the history; what was counted."""
    with open_store(database) as first, open_store(database) as second:
        desk = Desk(first)
        for wallet in WALLETS:
            desk.open_account(StoredPerson(wallet), "USD", 0)
            desk.buy_in(wallet, 5_000, CASHIER, 0)
        with House(first) as house:
            for id in TABLES:
                house.open(id, "commission")
                house.seat(*WALLETS[:7], id=id)
        seal = Seal(bytes(range(32)))
        with Floor(first, seal) as one, Floor(second, seal) as two:
            everybody = _crowd((one, two), commands, seed)
            players = [client for client in everybody if not isinstance(client, TableDealer)]
            for client in everybody:
                if client.problem is not None:
                    raise client.problem
        check_store(first)
        counts = check_history(first, everybody)
        counts["clients"] = len(players)
    return counts


def _crowd(floors: tuple[Floor, Floor], commands: int, seed: int) -> list[Client]:
    players = [Client(n, floors[n % 2], Random(f"{seed}/{n}")) for n in range(CLIENTS)]
    dealers = [TableDealer(n, floors[n % 2], Random(n)) for n, _ in enumerate(TABLES)]
    rounds = max(3, commands // 400)
    threads = [Thread(target=client.live, args=(commands // CLIENTS,)) for client in players]
    threads += [Thread(target=dealer.run, args=(table, rounds)) for dealer, table in zip(dealers, TABLES, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [*players, *dealers]


# ── The history ──────────────────────────────────────────────────────────────────────────────────


def check_history(store: Any, everybody: list[Client]) -> Counter[str]:
    """Hold what was answered against what is stored: one order that explains every answer."""
    counts: Counter[str] = Counter()
    with store.read() as reader:
        for id in TABLES:
            counts += _check_stream(reader, id)
        for client in everybody:
            counts += _check_answers(reader, client)
    return counts


def _check_stream(reader: Reader, id: str) -> Counter[str]:
    """Every command, in its place, decided again by the table alone: the same events, the same refusals."""
    stored = reader.table(id)
    assert stored is not None
    counts: Counter[str] = Counter()
    table, seq = load_table(reader, BookCache(), stored, at=0).table, 0
    events = iter(reader.each_record(id))
    for kept in reader.commands(id):
        command, step = decode_command(kept.body), None
        step = act(table, command)
        counts["decided"] += 1
        if kept.refusal is not None:
            refusal = decode_refusal(kept.refusal)
            assert kept.version == seq, "it was refused on the table as it was in its place"
            assert refusal.reason in OF_THE_FLOOR or step == refusal, (step, refusal)
            counts[f"refused {refusal.reason.value}"] += 1
            continue
        assert not isinstance(step, Refusal), step
        records = [next(events) for _ in step.events]
        assert tuple(record.event for record in records) == step.events
        assert (kept.first_seq, kept.last_seq) == (records[0].seq, records[-1].seq) == (seq + 1, kept.version)
        table, seq = step.table, seq + len(records)
    assert next(events, None) is None, "every event has its command"
    assert seq == stored.version
    return counts


def _check_answers(reader: Reader, client: Client) -> Counter[str]:
    """A key has one answer; what one client was told, in the order in which it was told, never goes back."""
    counts: Counter[str] = Counter()
    last: Counter[str] = Counter()
    first: dict[tuple[str, str], tuple[Job, Accepted | Refusal]] = {}
    for job, answer in client.history:
        counts["answered"] += 1
        table, key = job.table, (job.command.actor, job.command.key)
        if key in first:
            sent, earlier = first[key]
            is_repeat = is_same_job(sent, job)
            assert answer == (earlier if is_repeat else Refusal(Reason.KEY_REUSED, None, {"key": key[1]}))
            counts["repeats"] += is_repeat
            counts["keys reused"] += not is_repeat
            continue
        first[key] = (job, answer)
        kept = reader.answer(*key)
        assert kept is not None, "everything that was answered is stored"
        if isinstance(answer, Refusal):
            assert kept.refusal is not None
            assert decode_refusal(kept.refusal) == answer
            continue
        assert kept.version == answer.version
        assert list(answer.records) == reader.records(table, (kept.first_seq or 0) - 1, len(answer.records))
        assert answer.version > last[table], "later commands have later places"
        last[table] = answer.version
    return counts


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(dict(meet(str(Path(folder) / "crowd.db"), int(sys.argv[1]))))
