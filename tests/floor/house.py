"""A house in a test: short ways to open tables, to give commands as a player or as a dealer, and to look."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from msgspec.structs import replace

from punto import books
from punto.floor.desk import Desk, Holdings, holdings_of
from punto.floor.floor import Floor
from punto.floor.job import Accepted, encode_command
from punto.floor.shoe import Seeds, fresh_seed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.record import StoredCommand, StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store
from punto.table import Table, act, default_terms
from punto.table.betting import CallBets, PlaceBet
from punto.table.dealing import DealCard
from punto.table.header import CommandHeader, Person
from punto.table.house import BurnCards, LoadShoe, OpenTable, TakeSeat
from punto.table.settlement import SettleRound

KEY = bytes(range(32))
CASHIER = Person("Cas", Role.CASHIER)


class House:
    """A floor with its tables, and what is at hand to run them."""

    def __init__(self, store: Store, seeds: Seeds = fresh_seed, seal: Seal | None = None) -> None:
        self.store, self.desk = store, Desk(store)
        self.floor = Floor(store, seal or Seal(KEY), seeds)
        self.time = 0

    def __enter__(self) -> House:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.floor.close()

    def open(self, id: str, book: str = "ez", **terms: Any) -> Accepted:
        """Open a table."""
        loaded = books.load(book)
        agreed = default_terms(loaded)
        agreed = type(agreed)(**{name: getattr(agreed, name) for name in agreed.__struct_fields__} | terms)
        opening = OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=agreed)
        return accepted(self.floor.open_table(id, loaded, opening))

    def buy_in(self, player: str, amount: int, currency: str = "USD") -> None:
        """Open an account with money in it."""
        assert not isinstance(self.desk.open_account(StoredPerson(player), currency, 0), Refusal)
        if amount:
            assert not isinstance(self.desk.buy_in(player, amount, CASHIER, 0), Refusal)

    def deal(
        self, kind: type[CommandHeader], id: str = "t1", by: str = "Dan", role: Role = Role.DEALER, **fields: Any
    ) -> Accepted | Refusal:
        """Give a command of the house, on the version that the table has now."""
        self.time += 1
        command: Any = kind(actor=by, role=role, time=self.time, **fields)
        return self.floor.give(id, command, self.version(id))

    def ask(self, kind: type[CommandHeader], player: str, id: str = "t1", **fields: Any) -> Accepted | Refusal:
        """Give a command of a player."""
        self.time += 1
        command: Any = kind(actor=player, role=Role.PLAYER, time=self.time, **fields)
        return self.floor.give(id, command)

    def bet(
        self, player: str, amount: int, area: str = "banker", id: str = "t1", box: int | None = None, **fields: Any
    ) -> Accepted | Refusal:
        """A bet on the round that is open."""
        where = box or self.table(id).state.box_of(player) or 1
        told = {"round": self.table(id).state.round, **fields}
        return self.ask(PlaceBet, player, id, box=where, area=area, amount=amount, **told)

    def call(self, id: str = "t1") -> None:
        """Load and burn where that is due, and call for bets."""
        state = self.table(id).state
        if state.shoe is None:
            accepted(self.deal(LoadShoe, id))
        if self.table(id).state.burn_due:
            accepted(self.deal(BurnCards, id))
        accepted(self.deal(CallBets, id))

    def seat(self, *players: str, id: str = "t1") -> None:
        for box, player in enumerate(players, start=1):
            accepted(self.ask(TakeSeat, player, id, box=box))

    def finish(self, id: str = "t1") -> None:
        """Deal the round to its end and settle it."""
        while self.table(id).state.phase.value in ("betting", "dealing"):
            accepted(self.deal(DealCard, id))
        accepted(self.deal(SettleRound, id))

    def tell(self, command: Any, id: str = "t1") -> None:
        """Write down what an older version would have accepted: a report that the shoe itself disproves."""
        loaded = self.floor.table(id)
        assert loaded is not None
        unbound = replace(loaded.table.state, committed=())
        step = act(Table(loaded.table.book, unbound), command)
        assert not isinstance(step, Refusal), step.sentence
        last = loaded.version + len(step.events)
        kept = StoredCommand(command.actor, None, encode_command(command), id, last, loaded.version + 1, last)
        with self.store.write() as transaction:
            transaction.add_command(kept)
            transaction.append(id, loaded.version, step.events, None)

    def table(self, id: str = "t1") -> Table:
        loaded = self.floor.table(id)
        assert loaded is not None
        return loaded.table

    def version(self, id: str = "t1") -> int:
        loaded = self.floor.table(id)
        return loaded.version if loaded is not None else 0

    def holdings(self, player: str) -> Holdings:
        with self.store.read() as reader:
            return holdings_of(reader, player)


def accepted(answer: Accepted | Refusal) -> Accepted:
    """What a command that must be accepted led to."""
    assert isinstance(answer, Accepted), answer
    return answer


def reason(answer: Accepted | Refusal) -> Reason:
    """Why a command that must be refused was refused."""
    assert isinstance(answer, Refusal), answer
    return answer.reason
