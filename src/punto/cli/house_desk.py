"""The house that a command works on, wherever it is: in a database that this process may open, in one that a running
server has, or behind the API of a server on another machine.

What is read of a house and what is done to it go through the same few methods, so that a command says the same three
times. A server that has an SQLite file leaves beside it where it is and a key (`store/server_lock`): what is to be
written is handed to it as an errand, and what is read comes from the file, which others may read. With `--server` no
database is needed: everything is a call of the API, by somebody who has logged in (`cli/served_house`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

from punto.cli.database_options import (
    DEFAULT_FILE,
    default_database,
    is_missing,
    now_ms,
    operator,
    stored_table,
    told_if_begun,
)
from punto.cli.files import data_file
from punto.cli.options import option
from punto.cli.output import refuse
from punto.refusal import Reason, Refusal, RefusalText
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.audit.house_report import HouseReport, ReportKind
    from punto.cli.served_house import ServedHouse
    from punto.floor.answers import (
        Account,
        AccountStatement,
        Device,
        Invitation,
        OpenSession,
        PlayerLimits,
        PlayerPlay,
        SecondFactorStatus,
    )
    from punto.floor.errand import AnyErrand
    from punto.floor.floor import Floor
    from punto.floor.gaming_day import SpanQuery
    from punto.floor.house_rules import HouseRules
    from punto.floor.job import Accepted
    from punto.floor.rack import Rack
    from punto.floor.shift import CashierShift, Receipt
    from punto.store.record import Member
    from punto.store.server_lock import LockHolder
    from punto.store.store import Store
    from punto.table.command import Command

SERVER_HELP = "Do it at a running server, as http://NAME@host:8317, instead of in a database."
ServerOption = Annotated[str | None, option("--server", "URL", SERVER_HELP)]
_T = TypeVar("_T")


class HouseDesk(Protocol):
    """What `punto people`, `account` and `house` ask of a house, and have done there."""

    operator: str
    """Who is written down as the one who does it, where nobody else is named."""

    def do(self, errand: AnyErrand) -> Any | RefusalText: ...
    def shortest_password(self) -> int: ...
    def names(self) -> list[str]: ...
    def members(self) -> list[Member]: ...
    def account(self, name: str) -> Account | RefusalText: ...
    def accounts(self) -> list[Account]: ...
    def statement(self, name: str) -> AccountStatement | RefusalText: ...
    def receipt(self, number: int) -> Receipt | RefusalText: ...
    def sessions(self, name: str) -> Sequence[OpenSession] | RefusalText: ...
    def factor(self, name: str) -> SecondFactorStatus | RefusalText: ...
    def limits(self, name: str) -> PlayerLimits | RefusalText: ...
    def play(self, name: str) -> PlayerPlay | RefusalText: ...
    def rules(self) -> HouseRules: ...
    def invitations(self) -> tuple[Invitation, ...]: ...
    def devices(self) -> tuple[Device, ...]: ...
    def rack(self, table: str) -> Rack | RefusalText: ...
    def shift(self, cashier: str) -> CashierShift | RefusalText: ...
    def report(self, kind: ReportKind, query: SpanQuery) -> HouseReport | RefusalText: ...
    def check_table(self, table: str) -> None: ...


class LocalHouse:
    """A house in a database that this process opens: whoever can open it is trusted."""

    def __init__(self, store: Store, stack: ExitStack) -> None:
        self.store, self._stack = store, stack
        self._floor: Floor | None = None
        self.operator = operator()

    def floor(self) -> Floor:
        """The tables of the house; made once, where something needs it."""
        if self._floor is None:
            from punto.floor.floor import Floor

            self._floor = self._stack.enter_context(Floor(self.store))
        return self._floor

    def do(self, errand: AnyErrand) -> Any | RefusalText:
        from punto.floor.errand import Errands

        return _text_of(Errands(self.store, self.floor, now_ms).do(errand))

    def give(self, table: str, command: Command, expected: int | None) -> Accepted | Refusal:
        """Give a command to a table; the events as they are stored."""
        return self.floor().give(table, command, expected)

    def shortest_password(self) -> int:
        return self.rules().profile.shortest_password

    def names(self) -> list[str]:
        with self.store.read() as reader:
            return [account.handle for account in reader.accounts()]

    def members(self) -> list[Member]:
        from punto.store.people import members

        with self.store.read() as reader:
            return list(members(reader))

    def account(self, name: str) -> Account | RefusalText:
        from punto.floor.desk import account_of

        with self.store.read() as reader:
            return _text_of(account_of(reader, name, with_contact=True))

    def accounts(self) -> list[Account]:
        from punto.floor.desk import all_accounts

        with self.store.read() as reader:
            return list(all_accounts(reader, with_contact=True))

    def statement(self, name: str) -> AccountStatement | RefusalText:
        from punto.floor.desk import account_statement

        with self.store.read() as reader:
            return _text_of(account_statement(reader, name))

    def receipt(self, number: int) -> Receipt | RefusalText:
        from punto.floor.shift import receipt_of

        with self.store.read() as reader:
            return _text_of(receipt_of(reader, number))

    def sessions(self, name: str) -> Sequence[OpenSession] | RefusalText:
        from punto.floor.people import People

        return _text_of(People(self.store, now_ms).sessions(name))

    def factor(self, name: str) -> SecondFactorStatus | RefusalText:
        from punto.floor.people import People
        from punto.floor.second_factor import SecondFactors
        from punto.store.seal import Seal

        return _text_of(SecondFactors(self.store, People(self.store, now_ms), Seal(), now_ms).status(name))

    def limits(self, name: str) -> PlayerLimits | RefusalText:
        from punto.floor.protection import Protections

        return _text_of(Protections(self.store, now_ms).limits(name))

    def play(self, name: str) -> PlayerPlay | RefusalText:
        from punto.floor.protection import Protections

        return _text_of(Protections(self.store, now_ms).play(name))

    def rules(self) -> HouseRules:
        from punto.floor.house_rules import house_rules

        with self.store.read() as reader:
            return house_rules(reader)

    def invitations(self) -> tuple[Invitation, ...]:
        from punto.floor.invitation import Invitations
        from punto.floor.people import People

        with self.store.read() as reader:
            return Invitations(self.store, People(self.store, now_ms), now_ms).listed(reader)

    def devices(self) -> tuple[Device, ...]:
        from punto.floor.device import Devices
        from punto.floor.people import People

        with self.store.read() as reader:
            return Devices(self.store, People(self.store, now_ms), now_ms).listed(reader)

    def rack(self, table: str) -> Rack | RefusalText:
        from punto.floor.rack import rack_of

        with self.store.read() as reader:
            return _text_of(rack_of(reader, table))

    def shift(self, cashier: str) -> CashierShift | RefusalText:
        from punto.floor.shift import shift_of

        with self.store.read() as reader:
            return _text_of(shift_of(reader, cashier))

    def report(self, kind: ReportKind, query: SpanQuery) -> HouseReport | RefusalText:
        from punto.floor.gaming_day import house_report

        with self.store.read() as reader:
            return _text_of(house_report(reader, kind, query, now_ms()))

    def check_table(self, table: str) -> None:
        """The command ends if there is no such table."""
        with self.store.read() as reader:
            stored_table(reader, table)


class HeldHouse(LocalHouse):
    """A house whose SQLite file a running server has: it is read here, and written there."""

    def __init__(self, store: Store, stack: ExitStack, holder: LockHolder) -> None:
        super().__init__(store, stack)
        self._holder = holder

    def do(self, errand: AnyErrand) -> Any | RefusalText:
        from punto.cli.served_house import hand_over

        return hand_over(self._holder, errand)

    def give(self, table: str, command: Command, expected: int | None) -> Accepted | Refusal:
        from punto.floor.errand import GivenErrand
        from punto.floor.job import Accepted

        given = self.do(GivenErrand(table=table, command=command, expected=expected))
        if isinstance(given, RefusalText):
            return Refusal(Reason(given.reason), given.clause, given.params)
        version, number = given
        with self.store.read() as reader:
            records = tuple(reader.records(table, version - number, number))
        return Accepted(table, version, records)


@contextmanager
def house_desk(url: str | None, server: str | None, *, create: bool = False) -> Iterator[HouseDesk]:
    """The house that a command is for, in a database or at a server."""
    if server is not None:
        with served_house(server) as served:
            yield served
        return
    with local_house(url, create=create) as house:
        yield house


@contextmanager
def local_house(url: str | None, *, create: bool = False) -> Iterator[LocalHouse]:
    """The house in a database; where a server has it, what is to be written goes there."""
    from punto.store.connection import parse_address
    from punto.store.server_lock import holder_of
    from punto.store.store import open_store

    if is_missing(url) and not create:
        refuse(f"there is no database at {data_file(DEFAULT_FILE)} yet; punto table new or punto account new makes it")
    place = url if url is not None else default_database(create=create)
    address = parse_address(place)
    holder = holder_of(address)
    with told_if_begun(place), ExitStack() as stack:
        store = stack.enter_context(open_store(address, create=create and holder is None))
        if holder is not None and holder.key:
            yield HeldHouse(store, stack, holder)
        else:
            yield LocalHouse(store, stack)


@contextmanager
def served_house(url: str) -> Iterator[ServedHouse]:
    """The house behind the API of a server, for somebody who logs in."""
    from punto.cli.served_house import log_in

    with log_in(url) as served:
        yield served


def not_served(server: str | None, why: str) -> None:
    """End a command that cannot be done through a server, in a sentence."""
    if server is not None:
        refuse(f"{why}; --database names one")


def accepted(house: HouseDesk, came: _T | RefusalText, hint: str = "") -> _T:
    """What a house answers; the command ends with the sentence of a refusal, and which name may have been meant."""
    if isinstance(came, RefusalText):
        if came.reason == Reason.NO_ACCOUNT.value:
            hint = f"{did_you_mean(str(came.params['player']), house.names())}; punto account list shows all"
        refuse(f"{came.sentence}{hint}")
    return came


def _text_of(came: _T | Refusal) -> _T | RefusalText:
    return came.text if isinstance(came, Refusal) else came
