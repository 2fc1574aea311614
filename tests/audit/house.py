"""A small house with something of everything: to be tampered with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from unittest.mock import patch

from punto.audit.anchor import Anchor, Signer, make_anchor
from punto.floor.archive import export_lines, import_table
from punto.floor.desk import Desk
from punto.floor.floor import Floor
from punto.floor.job import Accepted
from punto.floor.rack import AddSlip, Racks, SlipKind, parse_chips
from punto.floor.shift import Shifts
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.store.chain import HouseCode
from punto.store.connection import Connection, DatabaseKind, parse_address
from punto.store.device import StoredDevice, add_device, revoke_device
from punto.store.dispute import add_dispute, answer_dispute
from punto.store.gaming_days import StoredDay, add_day
from punto.store.house_settings import keep_settings
from punto.store.invitation import StoredInvitation, add_invitations, use_invitation, withdraw_invitation
from punto.store.people import set_roles, shut_log_in
from punto.store.pit import StoredApproval, add_approval, keep_answer, keep_run, take_decision
from punto.store.protection import ProtectionKind, keep_protection
from punto.store.record import Dispute, StoredAccount, StoredPerson
from punto.store.seal import Seal
from punto.store.second_factor import StoredFactor, set_factor
from punto.store.stop import StoredStop, add_stop
from punto.store.store import Store, connect_to, open_store
from punto.table.betting import PlaceBet
from punto.table.header import Person
from punto.table.house import CloseTable
from punto.table.irregularity_events import VoidRound
from tests.crash.house import KEY, due, floor_of, found

SIGNER = Signer(bytes(range(32)))
CASHIER = Person("Cas", Role.CASHIER)
EVENTS = 140
"""About how many events each table has."""
SNAPSHOT_EVERY = 40


def build(address: str) -> Anchor:
    """A house with two tables in play, one that is closed and one that was imported, and an anchor.

    The anchor was made when the house was about half as old as it is.
    """
    found(address, ("t1", "t2", "t3"))
    with patch("punto.floor.floor.SNAPSHOT_EVERY", SNAPSHOT_EVERY), open_store(address) as store:
        with floor_of(store) as floor:
            play(floor, EVENTS // 2)
            move_money(store, "first")
            employ(store, "Eve")
            anchor = anchor_of(store)
            play(floor, EVENTS)
            move_money(store, "again")
            employ(store, "Fay")
            rule_together(floor)
            refuse_something(floor)
            close(floor, "t3")
            loaded = floor.table("t3")
            assert loaded is not None
        with store.read() as reader:
            lines = [line.encode() for line in export_lines(reader, loaded)]
        assert isinstance(import_table(store, "seen", lines, 7), int)
    return anchor


def anchor_of(store: Store) -> Anchor:
    """Where everything stands now."""
    with store.read() as reader:
        return make_anchor(reader, SIGNER, 1_000)


def play(floor: Floor, until: int, tables: tuple[str, ...] = ("t1", "t2", "t3")) -> None:
    """Play on at these tables up to about this version."""
    for table in tables:
        while (loaded := floor.table(table)) is not None and loaded.version < until:
            for job in due(loaded):
                assert isinstance(floor.give(job.table, job.command, job.expected), Accepted)


def move_money(store: Store, key: str | None = None) -> None:
    """What the cashier does in a day, the last of it under a key."""
    desk, sue = Desk(store), Person("Sue", Role.PIT_MANAGER)
    assert not isinstance(desk.buy_in("Ada", 50_000, CASHIER, 5), Refusal)
    assert not isinstance(desk.cash_out("Ben", 20_000, CASHIER, 6), Refusal)
    assert not isinstance(desk.correct("Cyd", -300, CASHIER, sue, "paid twice", 7, key), Refusal)
    if key is not None:
        assert isinstance(desk.cash_out("Ben", 10**15, CASHIER, 8, f"{key}, refused"), Refusal)


def employ(store: Store, name: str) -> None:
    """Somebody new with a log-in and two roles, something that waits for a second person, and the rest."""
    seal = Seal(KEY)
    with store.write() as transaction:
        transaction.add_account(StoredAccount(name, "USD", 8), "Adm")
        transaction.set_person(StoredPerson(name, f"{name} W.", f"{name}@x", "not the password"), "Adm", 8)
        set_roles(transaction, name, (Role.DEALER, Role.CASHIER, Role.PLAYER), "Adm", 8)
        set_roles(transaction, name, (Role.DEALER, Role.CASHIER), "Adm", 9)
        keep_run(transaction, "t1", {"dealer": "person", "pace": f'"{name}"', "bots": "[]"}, name, 9)
        limits = {"limits": [{"what": "stake", "period": "day", "amount": 500}]}
        keep_protection(transaction, name, ProtectionKind.LIMITS, limits, HouseCode.LIMITS_CHANGED, name, 9)
        excluded = {"since_ms": 9, "by": "house", "reason": "asked to"}
        for value, code in ((excluded, HouseCode.PLAYER_EXCLUDED), (None, HouseCode.PLAYER_READMITTED)):
            keep_protection(transaction, name, ProtectionKind.HOUSE_EXCLUSION, value, code, "Adm", 9, "why")
        thresholds = {"large_win": "2000", "large_stake": "1300", "large_day": "9000"}
        keep_settings(transaction, {"operator": f'"{name}"', **thresholds}, name, 9)
        invitations = [
            StoredInvitation(f"{name}-{n}", f"{name}/{n}", "player", "USD", 500, "Adm", 8, 99) for n in "123"
        ]
        add_invitations(transaction, invitations)
        assert use_invitation(transaction, invitations[0], name, 9)
        assert withdraw_invitation(transaction, invitations[1], "Adm", 9)
        table = next(iter(transaction.tables())).id
        device = StoredDevice(f"{name}-device", table, name.lower(), f"{name}/device", "Adm", 8)
        add_device(transaction, device)
        assert revoke_device(transaction, device, "Adm", 9)
        set_factor(transaction, StoredFactor(name, b"sealed", 9, 1), ("one", "two"), name)
        shut_log_in(transaction, name, "Adm", 9, "left the house")
        hour = 1 if name == "Eve" else 2
        assert add_day(transaction, StoredDay(f"2026-01-0{hour}", hour, hour + 1, 9, name, "{}", '{"floor.csv": "ab"}'))
        add_stop(transaction, StoredStop(f"book/{name}", name, 9, "wrong felt"))
        for number in (1, 2):
            assert add_dispute(transaction, Dispute(f"{name}{number}", "t1", number, name, "two", 9, None, None, None))
        assert answer_dispute(transaction, f"{name}2", "as the book says", "Sue", 10)
        for number, decision in enumerate((None, "approve", "decline")):
            asked = StoredApproval(
                *(f"{name}-{number}", "t1", name, "dealer", f"{name}/{number}", "{}", 3, "pit-manager", 9, 99)
            )
            add_approval(transaction, asked, seal)
            if decision is not None:
                assert take_decision(transaction, asked.id, decision, "Sue", 10, seal)
            if decision == "approve":
                assert keep_answer(transaction, asked.id, '{"version":4}', 11)
    count_chips(store, name)


def count_chips(store: Store, name: str) -> None:
    """A rack from its opener to its closer, and two shifts, one of them still open."""
    chips, second = parse_chips(["100x20", "5x40"]), Person("Sue", Role.PIT_MANAGER)
    for kind in SlipKind:
        slip = AddSlip(
            actor=name, role=Role.DEALER, second=second, key=f"{name}/{kind}", table="t2", kind=kind, chips=chips
        )
        assert not isinstance(Racks(store).add(slip, 12), Refusal)
    assert not isinstance(Shifts(store).begin(name, chips, "USD", 13), Refusal)
    assert not isinstance(Shifts(store).close(name, parse_chips(["100x22"]), 14), Refusal)
    assert not isinstance(Shifts(store).begin(name, chips, "USD", 15), Refusal)


def rule_together(floor: Floor) -> None:
    """Two people end a round: the second is named in the command, and in what was moved by it."""
    void = VoidRound(actor="Pia", role=Role.PIT_SUPERVISOR, second=Person("Sue", Role.PIT_MANAGER))
    while True:
        loaded = floor.table("t1")
        assert loaded is not None
        if loaded.table.state.bettors and isinstance(floor.give("t1", void), Accepted):
            return
        for job in due(loaded):
            floor.give(job.table, job.command, job.expected)


def refuse_something(floor: Floor) -> None:
    bet = PlaceBet(actor="Nan", role=Role.PLAYER, box=1, area="player", amount=100, round=1)
    assert isinstance(floor.give("t1", bet), Refusal)


def close(floor: Floor, table: str) -> None:
    """Play a table to the end of its round, and close it."""
    closing_it = CloseTable(actor="Pia", role=Role.PIT_SUPERVISOR)
    while not isinstance(floor.give(table, closing_it), Accepted):
        loaded = floor.table(table)
        assert loaded is not None
        for job in due(loaded):
            floor.give(job.table, job.command, job.expected)


@contextmanager
def opened(address: str) -> Iterator[Connection]:
    """A connection on which nothing stands in the way of somebody who owns the database."""
    where = parse_address(address)
    with closing(connect_to(where, create=False)) as connection:
        if where.kind is DatabaseKind.SQLITE:
            connection.run("PRAGMA foreign_keys=OFF")
            connection.run("PRAGMA ignore_check_constraints=ON")
        else:
            connection.run("SET session_replication_role = replica")
            connection.run("ALTER TABLE balances DROP CONSTRAINT balances_below_zero")
        yield connection
