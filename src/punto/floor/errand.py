"""An errand: one thing that the command line wants done at a house, as data.

Whoever can open a database may do anything to it, so an errand names everybody itself: who does it, in which role, and
the second person. Where no server has the database, the command line carries its errands out (`Errands`); where one has
it, the command line hands them to that server, which carries them out in the same way. So both come to the same, word
for word. What somebody may do who only knows a password is not decided here but by the calls of the API.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from punto.floor.answers import (
    BegunFactor,
    Device,
    Exclusion,
    Guardian,
    Invitation,
    Limit,
    Moved,
    NewDevice,
    NewInvitation,
    OpenedTable,
    PlayerLimits,
    PlayerPlay,
    RecoveryCodes,
    Stop,
)
from punto.floor.desk import Desk
from punto.floor.device import Devices
from punto.floor.floor import Floor
from punto.floor.gaming_day import ClosedDay, close_day
from punto.floor.house_rules import HouseRules, change_rules, house_rules
from punto.floor.invitation import Invitations, Wanted
from punto.floor.loaded_table import read_document
from punto.floor.orders import start_play, stop_play
from punto.floor.password import hash_password
from punto.floor.people import Author, People
from punto.floor.protection import Protections
from punto.floor.rack import AddSlip, Chips, Racks, RackSlip
from punto.floor.second_factor import SecondFactors
from punto.floor.shift import CashierShift, Shifts
from punto.ledger.movement import Movement, player_account, totals
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.store.cage import last_of_account
from punto.store.record import AccountOwner, Member, StoredPerson
from punto.store.store import Store
from punto.table.command import Command
from punto.table.header import Person
from punto.table.house import OpenTable


class Errand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="errand", tag=True):
    """One thing to be done, and by whom."""

    answer: ClassVar[Any] = Member  # What comes of it where it is not refused.
    is_order: ClassVar[bool] = False  # Whether it is ordered for the whole floor, so that every table heeds it.
    by: str = ""

    @property
    def touches(self) -> str | None:
        """Whose rights or money may have changed after it."""
        return getattr(self, "name", None)


class AdmitErrand(Errand, frozen=True, kw_only=True):
    """Let somebody log in."""

    name: str
    password: str
    roles: tuple[Role, ...]
    currency: str


class RolesErrand(Errand, frozen=True, kw_only=True):
    """Give somebody these roles and no others."""

    name: str
    roles: tuple[Role, ...]


class PasswordErrand(Errand, frozen=True, kw_only=True):
    """Give somebody a new password."""

    name: str
    password: str


class ShutErrand(Errand, frozen=True, kw_only=True):
    """Shut somebody's log-in."""

    name: str
    reason: str


class ReopenErrand(Errand, frozen=True, kw_only=True):
    """Open a log-in that was shut."""

    name: str
    reason: str


class EndSessionsErrand(Errand, frozen=True, kw_only=True):
    """End every session of somebody."""

    answer = int
    name: str


class EnrolErrand(Errand, frozen=True, kw_only=True):
    """Draw a secret for a second factor."""

    answer = BegunFactor
    name: str


class ConfirmErrand(Errand, frozen=True, kw_only=True):
    """Take a second factor up that was begun."""

    answer = RecoveryCodes
    name: str
    code: str


class UnenrolErrand(Errand, frozen=True, kw_only=True):
    """Remove a second factor."""

    name: str
    reason: str


class AccountErrand(Errand, frozen=True, kw_only=True):
    """Open an account for somebody who does not log in."""

    name: str
    currency: str
    display: str | None = None
    contact: str | None = None
    kind: AccountOwner = AccountOwner.PLAYER


class EraseErrand(Errand, frozen=True, kw_only=True):
    """Erase display name, contact, password and roles; whether there was anything to erase."""

    answer = bool
    name: str


class CashKind(Enum):
    """Which way cash goes."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"


class CashErrand(Errand, frozen=True, kw_only=True):
    """A player brings money, or takes it away."""

    answer = Moved
    kind: CashKind
    name: str
    amount: int
    person: Person
    is_large: bool = False  # Whoever moves it knows that it is large cash.


class CorrectionErrand(Errand, frozen=True, kw_only=True):
    """Two people put an account right."""

    answer = Moved
    name: str
    amount: int
    person: Person
    second: Person
    reason: str


class LimitsErrand(Errand, frozen=True, kw_only=True):
    """The limits of the house for a player, all of them."""

    answer = PlayerLimits
    name: str
    limits: tuple[Limit, ...]
    reason: str


class ExclusionErrand(Errand, frozen=True, kw_only=True):
    """Exclude a player, for some days or for ever."""

    answer = Exclusion
    name: str
    days: int | None
    reason: str


class ReadmissionErrand(Errand, frozen=True, kw_only=True):
    """Lift an exclusion of the house."""

    answer = PlayerPlay
    name: str
    reason: str


class TableErrand(Errand, frozen=True, kw_only=True):
    """Open a table by a book, which is handed over whole: the server may not know the file."""

    answer = OpenedTable
    table: str
    book: str  # Its document.
    command: OpenTable


class GivenErrand(Errand, frozen=True, kw_only=True):
    """Give a table a command, as it stands; what comes of it is the version after it, and how many events it made."""

    answer = tuple[int, int]
    table: str
    command: Command
    expected: int | None = None


class RulesErrand(Errand, frozen=True, kw_only=True):
    """Change rules of the house by name; None goes back to the default."""

    answer, is_order = HouseRules, True
    rules: dict[str, Any]
    reason: str


class StopErrand(Errand, frozen=True, kw_only=True):
    """Stop the floor, or the tables of a book; everything that is stopped then."""

    answer, is_order = tuple[Stop, ...], True
    book: str | None
    reason: str


class StartErrand(StopErrand, frozen=True, kw_only=True):
    """Start play again on the floor, or at the tables of a book."""


class InviteErrand(Errand, frozen=True, kw_only=True):
    """Make invitations."""

    answer = tuple[NewInvitation, ...]
    wanted: Wanted


class WithdrawErrand(Errand, frozen=True, kw_only=True):
    """Withdraw an invitation that nobody has used."""

    answer = Invitation
    invitation: str


class IssueErrand(Errand, frozen=True, kw_only=True):
    """Issue a key for a device at a table."""

    answer = NewDevice
    table: str
    called: str


class RevokeErrand(Errand, frozen=True, kw_only=True):
    """Revoke the key of a device."""

    answer = Device
    device: str


class SlipErrand(Errand, frozen=True, kw_only=True):
    """Two people count the rack of a table, fill it or take chips from it."""

    answer = RackSlip
    command: AddSlip


class OpenShiftErrand(Errand, frozen=True, kw_only=True):
    """Begin the shift of a cashier with what is in the drawer."""

    answer = CashierShift
    cashier: str
    chips: Chips
    currency: str


class CloseShiftErrand(Errand, frozen=True, kw_only=True):
    """End the shift of a cashier with what was counted."""

    answer = CashierShift
    cashier: str
    chips: Chips


class CloseDayErrand(Errand, frozen=True, kw_only=True):
    """Close a gaming day, or the last one that is over, and write its files to a folder."""

    answer = ClosedDay
    day: str | None
    folder: str


PEOPLE_ERRANDS = AdmitErrand | RolesErrand | PasswordErrand | ShutErrand | ReopenErrand | EndSessionsErrand
FACTOR_ERRANDS = EnrolErrand | ConfirmErrand | UnenrolErrand
ACCOUNT_ERRANDS = AccountErrand | EraseErrand | CashErrand | CorrectionErrand
PROTECTION_ERRANDS = LimitsErrand | ExclusionErrand | ReadmissionErrand
ORDER_ERRANDS = RulesErrand | StopErrand | StartErrand | CloseDayErrand
GUEST_ERRANDS = InviteErrand | WithdrawErrand | IssueErrand | RevokeErrand
CHIP_ERRANDS = SlipErrand | OpenShiftErrand | CloseShiftErrand
HOUSE_ERRANDS = ORDER_ERRANDS | GUEST_ERRANDS | CHIP_ERRANDS
PLAY_ERRANDS = TableErrand | GivenErrand
AnyErrand = PEOPLE_ERRANDS | FACTOR_ERRANDS | ACCOUNT_ERRANDS | PROTECTION_ERRANDS | HOUSE_ERRANDS | PLAY_ERRANDS


class Errands:
    """Carries errands out at a house. The floor is made where an errand needs one."""

    def __init__(self, store: Store, floor: Callable[[], Floor], clock: Callable[[], int]) -> None:
        self._store, self._floor, self._clock = store, floor, clock
        self._people = People(store, clock)

    def do(self, errand: AnyErrand) -> Any | Refusal:
        """What comes of an errand, as its `answer` says, or why it is refused; nothing has changed then."""
        match errand:
            case EnrolErrand() | ConfirmErrand() | UnenrolErrand():
                return self._factor(errand)
            case AccountErrand() | EraseErrand() | CashErrand() | CorrectionErrand():
                return self._account(errand)
            case LimitsErrand() | ExclusionErrand() | ReadmissionErrand():
                return self._protect(errand)
            case TableErrand() | GivenErrand():
                return self._play(errand)
            case RulesErrand() | StopErrand() | CloseDayErrand():
                return self._order(errand)
            case InviteErrand() | WithdrawErrand() | IssueErrand() | RevokeErrand():
                return self._let_in(errand)
            case SlipErrand() | OpenShiftErrand() | CloseShiftErrand():
                return self._count(errand)
            case _:
                return self._person(errand)

    def _person(self, errand: PEOPLE_ERRANDS) -> Any | Refusal:
        people, by = self._people, Author(errand.by)
        match errand:
            case AdmitErrand():
                hashed = self._hashed(errand.password)
                if isinstance(hashed, Refusal):
                    return hashed
                return people.let_in(StoredPerson(errand.name, password=hashed), errand.currency, errand.roles, by)
            case RolesErrand():
                return people.set_roles(errand.name, errand.roles, by)
            case PasswordErrand():
                hashed = self._hashed(errand.password)
                return hashed if isinstance(hashed, Refusal) else people.set_password(errand.name, hashed, by)
            case ShutErrand():
                return people.shut(errand.name, errand.reason, by)
            case ReopenErrand():
                return people.open_log_in(errand.name, errand.reason, by)
            case EndSessionsErrand():
                return people.end_sessions(errand.name, by)

    def _hashed(self, password: str) -> str | Refusal:
        with self._store.read() as reader:
            shortest = house_rules(reader).profile.shortest_password
        return hash_password(password, shortest)

    def _factor(self, errand: FACTOR_ERRANDS) -> Any | Refusal:
        by, factors = Author(errand.by), SecondFactors(self._store, self._people, self._floor().seal, self._clock)
        match errand:
            case EnrolErrand():
                return factors.begin(errand.name, by)
            case ConfirmErrand():
                return factors.confirm(errand.name, errand.code, by)
            case UnenrolErrand():
                return factors.remove(errand.name, errand.reason, by)

    def _account(self, errand: ACCOUNT_ERRANDS) -> Any | Refusal:
        by, desk, now = Author(errand.by), Desk(self._store), self._clock()
        match errand:
            case AccountErrand():
                person = StoredPerson(errand.name, errand.display, errand.contact)
                return self._people.open_account(person, errand.currency, by, errand.kind)
            case EraseErrand():
                return self._people.erase(errand.name, by)
            case CashErrand():
                carry = desk.buy_in if errand.kind is CashKind.BUY_IN else desk.cash_out
                return self._moved(
                    errand.name, carry(errand.name, errand.amount, errand.person, now, is_large=errand.is_large)
                )
            case CorrectionErrand():
                people = (errand.person, errand.second)
                return self._moved(errand.name, desk.correct(errand.name, errand.amount, *people, errand.reason, now))

    def _moved(self, name: str, movement: Movement | Refusal) -> Moved | Refusal:
        if isinstance(movement, Refusal):
            return movement
        account = player_account(name)
        with self._store.read() as reader:
            free, receipt = reader.balances([account])[account], last_of_account(reader, name)
        return Moved(name, movement.kind.value, totals([movement])[account], free, receipt)

    def _protect(self, errand: PROTECTION_ERRANDS) -> Any | Refusal:
        protections, house = Protections(self._store, self._clock), Guardian.HOUSE
        match errand:
            case LimitsErrand():
                return protections.set_limits(errand.name, errand.limits, errand.by, house, errand.reason)
            case ExclusionErrand():
                return protections.exclude(errand.name, errand.days, errand.by, house, errand.reason)
            case ReadmissionErrand():
                return protections.readmit(errand.name, errand.by, errand.reason)

    def _order(self, errand: ORDER_ERRANDS) -> Any | Refusal:
        store, by, now = self._store, errand.by, self._clock()
        match errand:
            case RulesErrand():
                return change_rules(store, errand.rules, by, now, errand.reason)
            case StartErrand():
                return start_play(store, errand.book, by, now, errand.reason)
            case StopErrand():
                return stop_play(store, errand.book, errand.reason, by, now)
            case CloseDayErrand():
                return close_day(store, errand.day, by, now, Path(errand.folder))

    def _let_in(self, errand: GUEST_ERRANDS) -> Any | Refusal:
        """Guests by invitation, and devices by their keys."""
        by, people = Author(errand.by), (self._store, self._people, self._clock)
        match errand:
            case InviteErrand():
                return Invitations(*people).make(errand.wanted, by)
            case WithdrawErrand():
                return Invitations(*people).withdraw(errand.invitation, by)
            case IssueErrand():
                return Devices(*people).issue(errand.table, errand.called, by)
            case RevokeErrand():
                return Devices(*people).revoke(errand.device, by)

    def _count(self, errand: CHIP_ERRANDS) -> Any | Refusal:
        """Chips of a rack or a drawer."""
        now = self._clock()
        match errand:
            case SlipErrand():
                return Racks(self._store).add(errand.command, now)
            case OpenShiftErrand():
                return Shifts(self._store).begin(errand.cashier, errand.chips, errand.currency, now)
            case CloseShiftErrand():
                return Shifts(self._store).close(errand.cashier, errand.chips, now)

    def _play(self, errand: PLAY_ERRANDS) -> Any | Refusal:
        if isinstance(errand, GivenErrand):
            given = self._floor().give(errand.table, errand.command, errand.expected)
            return given if isinstance(given, Refusal) else (given.version, len(given.records))
        book = read_document(errand.book)
        opened = self._floor().open_table(errand.table, book, errand.command)
        return opened if isinstance(opened, Refusal) else OpenedTable(errand.table, opened.version, digest_of(book))
