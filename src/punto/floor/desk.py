"""The cashier's desk: accounts are opened, money comes in and goes out, and each movement has its people.

A correction takes a second person: it waits until one agrees (`punto.floor.pit`), or is named with it at the
command line.
"""

from __future__ import annotations

import msgspec

from punto.audit.significant_events import CashMark, cash_mark, large_cash_act, thresholds_of
from punto.floor.answers import Account, AccountStatement, FoundAccount, Moved
from punto.floor.balance import balances_of
from punto.floor.house_rules import house_rules
from punto.floor.job import ROW_BYTES, WaitToKeep, decode_refusal, refuse_movement
from punto.floor.people import no_account
from punto.floor.protection import PlayGuard
from punto.floor.rack import AddSlip
from punto.floor.shift import refuse_cash
from punto.ledger import movement as ledger
from punto.ledger.movement import AccountKind, Movement, MovementKind, player_account, totals
from punto.ledger.play import AccountMovement
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.cage import cash_since, last_receipt, lock_cage
from punto.store.chain import HouseCode, Subject
from punto.store.house_settings import hold_settings, stored_settings
from punto.store.people import found_accounts, roles_of
from punto.store.pit import AGREED, StoredApproval, approval_of, lock_keys
from punto.store.protection import hold_buyer
from punto.store.reader import Reader
from punto.store.record import AccountOwner, StoredAccount, StoredCommand, StoredPerson, json_text
from punto.store.store import Store
from punto.store.transaction import OPENER, Transaction
from punto.table.header import CommandHeader, Person

_CASH = ("buy-in", "cash-out")  # What moves cash.
SOMEBODY = "somebody else"  # Whoever may agree.
_movements: msgspec.json.Decoder[Movement] = msgspec.json.Decoder(Movement)


class Holdings(msgspec.Struct, frozen=True):
    """What a player has, by where it is. Amounts are minor units."""

    free: int  # May be bet or cashed out.
    held: dict[str, int]  # By table: what a settlement paid, until the next call there.
    due: dict[str, int] = {}  # By table: commission that is set aside and not collected yet.


def holdings_of(reader: Reader, handle: str) -> Holdings:
    own, tables = player_account(handle), [stored.id for stored in reader.tables()]
    names = [{of(table, handle): table for table in tables} for of in (ledger.held_account, ledger.due_account)]
    has = reader.balances([own, *names[0], *names[1]])
    return Holdings(has[own], *({table: has[name] for name, table in some.items() if has[name]} for some in names))


def all_holdings(reader: Reader) -> dict[str, Holdings]:
    """What everybody has who ever had anything, by handle."""
    holdings: dict[str, Holdings] = {}
    for name, amount in reader.all_balances().items():
        kind, _, rest = name.partition("/")
        table, _, owner = rest.partition("/")
        if kind == AccountKind.PLAYER.value:
            there = holdings.get(rest, Holdings(0, {}, {}))
            holdings[rest] = Holdings(amount, there.held, there.due)
        elif kind == AccountKind.HELD.value and amount:
            holdings.setdefault(owner, Holdings(0, {}, {})).held[table] = amount
        elif kind == AccountKind.DUE.value and amount:
            holdings.setdefault(owner, Holdings(0, {}, {})).due[table] = amount
    return holdings


def account_of(
    reader: Reader, name: str, holds: Holdings | None = None, *, with_contact: bool = False
) -> Account | Refusal:
    """What somebody is and has; `holds` where it is known already."""
    stored, person = reader.account(name), reader.person(name) or StoredPerson(name)
    if stored is None:
        return no_account(name)
    holds = holds or holdings_of(reader, name)
    return Account(
        *(name, person.display, roles_of(reader, name), stored.currency, holds.free),
        *(dict(sorted(holds.held.items())), balances_of(reader, [name])[name], stored.opened_ms),
        person.contact if with_contact else msgspec.UNSET,
        dict(sorted(holds.due.items())),
        stored.kind,
    )


MOST_FOUND = 12  # Accounts that one search shows.


def find_accounts(reader: Reader, text: str) -> tuple[FoundAccount, ...]:
    """Players whose name has this text in it, whichever way it is written; nobody where nothing is written."""
    written = text.strip()
    return tuple(FoundAccount(*row) for row in found_accounts(reader, written, MOST_FOUND)) if written else ()


def all_accounts(reader: Reader, *, with_contact: bool = False) -> list[Account]:
    """Every account, with what it has."""
    holds, nothing, accounts = all_holdings(reader), Holdings(0, {}), []
    for stored in reader.accounts():
        account = account_of(reader, stored.handle, holds.get(stored.handle, nothing), with_contact=with_contact)
        assert isinstance(account, Account), "it was just read"
        accounts.append(account)
    return accounts


def account_statement(
    reader: Reader,
    name: str,
    after: int = 0,
    limit: int | None = None,
    *,
    before: int | None = None,
    is_latest_first: bool = False,
) -> AccountStatement | Refusal:
    """Movements of an account: those after one of them, or the latest, of which the first are before one."""
    stored = reader.account(name)
    if stored is None:
        return no_account(name)
    if is_latest_first:
        assert limit is not None, "the latest are never all"
        lines = reader.latest_lines(name, before, limit)
    else:
        lines = reader.statement(player_account(name), after, limit)
    return AccountStatement(name, stored.currency, tuple(lines), lines[-1].id if lines else after)


class CorrectAccount(CommandHeader, frozen=True, kw_only=True, tag="correct-account"):
    """An account to be put right, as it waits for the second person."""

    account: str
    amount: int
    reason: str


AtTheCage = CorrectAccount | AddSlip  # What waits for a second person and is for no table's own log.


class _Request(msgspec.Struct, frozen=True):
    """What the desk was asked for, under a key where it must be done only once."""

    key: str | None
    act: str
    account: str
    amount: int
    reason: str = ""
    is_large: bool = False  # Whoever asks knows that it is large cash.

    @property
    def body(self) -> str:
        asked = msgspec.to_builtins(msgspec.structs.replace(self, key=None))
        if not self.is_large:  # as it was kept before there was large cash
            del asked["is_large"]
        return json_text(asked)

    def is_agreed(self, approval: StoredApproval) -> bool:
        """Whether this is what was asked under the same key, and a second person has agreed to it."""
        if self.act != "correct" or approval.table is not None or approval.decision != AGREED:
            return False
        waited = msgspec.json.decode(approval.body, type=AtTheCage)
        if not isinstance(waited, CorrectAccount):
            return False
        return (waited.account, waited.amount, waited.reason) == (self.account, self.amount, self.reason)


class Desk:
    def __init__(self, store: Store, wait_to_keep: WaitToKeep | None = None) -> None:
        self._store, self._wait_to_keep = store, wait_to_keep

    def open_account(
        self, person: StoredPerson, currency: str, now: int, by: str = OPENER, kind: AccountOwner = AccountOwner.PLAYER
    ) -> StoredAccount | Refusal:
        """Open an account of the house itself, such as a bot's; people have theirs by `People`."""
        account = StoredAccount(person.handle, currency, now, kind.value)
        with self._store.write() as transaction:
            if transaction.account(person.handle) is not None:
                return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": person.handle})
            transaction.add_account(account, by)
            if person.display is not None or person.contact is not None:
                transaction.set_person(person, by, now)
        return account

    def mark_account(self, handle: str, kind: AccountOwner, now: int, by: str = OPENER) -> None:
        """Say whose an account is, where it does not say so yet."""
        with self._store.write() as transaction:
            account = transaction.account(handle)
            if account is not None and account.kind != kind.value:
                transaction.mark_account(handle, kind.value, by, now)

    def buy_in(
        self, handle: str, amount: int, by: Person, now: int, key: str | None = None, *, is_large: bool = False
    ) -> Movement | Refusal:
        """Money comes in. Large cash is refused, unless whoever asks says that they know it for that."""
        return self._move(_Request(key, "buy-in", handle, amount, is_large=is_large), by, None, now)

    def cash_out(
        self, handle: str, amount: int, by: Person, now: int, key: str | None = None, *, is_large: bool = False
    ) -> Movement | Refusal:
        """Money goes out; large cash as in `buy_in`."""
        return self._move(_Request(key, "cash-out", handle, amount, is_large=is_large), by, None, now)

    def correct(
        self, handle: str, amount: int, by: Person, second: Person | None, reason: str, now: int, key: str | None = None
    ) -> Movement | Refusal:
        """Two people put an account right, with a reason."""
        return self._move(_Request(key, "correct", handle, amount, reason), by, second, now)

    def refuse_correction(self, command: CorrectAccount) -> Refusal | None:
        """Why a correction would be refused if somebody agreed; nobody is asked to decide about such a one."""
        name, by = command.account, Person(command.actor, command.role)
        request = _Request(None, "correct", name, command.amount, command.reason)
        with self._store.read() as reader:
            account, holds = reader.account(name), holdings_of(reader, name)
        movement = _decided(request, account, holds, by, Person(SOMEBODY, Role.PIT_MANAGER))
        return movement if isinstance(movement, Refusal) else None

    def _move(self, request: _Request, by: Person, second: Person | None, now: int) -> Movement | Refusal:
        """Decide on what the account has while nobody else can move it, and post what comes of it.

        Under the same key of the same person it is done once, and has the same answer again; whoever sends it
        twice at once waits for the first.
        """
        with self._store.write() as transaction:
            if request.key is not None:
                lock_keys(transaction, [(by.name, request.key)])
                before = transaction.answer(by.name, request.key)
                if before is not None:
                    return _answer_again(before, request)
                waited = approval_of(transaction, by.name, request.key)
                if waited is not None and not request.is_agreed(waited):
                    return Refusal(Reason.KEY_REUSED, None, {"key": request.key})
                if transaction.has_moved(by.name, request.key):
                    return Refusal(Reason.KEY_REUSED, None, {"key": request.key})  # its command was removed
            account = transaction.account(request.account)
            if request.act in _CASH:
                hold_settings(transaction)
            is_cash = request.act in _CASH and not _is_bot(account)  # the chips of a bot are in no drawer
            in_shift = is_cash and house_rules(transaction).shifts_required
            if in_shift:
                lock_cage(transaction)  # a shift ends before or after this, and not meanwhile
            if account is not None and request.act == "buy-in":
                hold_buyer(transaction, account.handle)
            free = _locked(transaction, account) if account is not None else 0
            movement = _decided(request, account, Holdings(free, {}), by, second)
            if in_shift and account is not None and isinstance(movement, Movement):
                movement = refuse_cash(transaction, by.name, account.currency) or movement
            if isinstance(movement, Refusal) and movement.reason is not Reason.NO_SHIFT:
                # Only who is refused is told what tables hold, and that takes a look at every account.
                movement = _decided(request, account, holdings_of(transaction, request.account), by, second)
            mark = mark_cash(transaction, request.account, request.act, request.amount, now)
            if isinstance(movement, Movement):
                unmarked = _refuse_unmarked(mark, request)
                movement = refuse_movement(transaction, movement) or _guarded(transaction, movement, now, unmarked)
            if isinstance(movement, Movement):
                _post(transaction, request, movement, by.name, second.name if second else None, now, free)
                _note_large(transaction, mark, by.name, now)
            if request.key is not None:
                stored = _stored(by.name, request, movement, free)
                if isinstance(movement, Refusal) and self._wait_to_keep is not None:
                    size = len(stored.body) + len(stored.refusal or "") + ROW_BYTES
                    if seconds := self._wait_to_keep(by.name, size):
                        return Refusal(Reason.TOO_MANY_REFUSED, None, {"seconds": seconds})
                transaction.add_command(stored)
        return movement


def _post(
    transaction: Transaction, request: _Request, movement: Movement, actor: str, second: str | None, now: int, free: int
) -> None:
    """Post a movement; a correction is a significant event, with what was free before and after it."""
    transaction.post([movement], time_ms=now, actor=actor, second=second, key=request.key)
    if movement.kind is MovementKind.CORRECTION:
        amount = totals([movement])[player_account(request.account)]
        change = {"before": {"free": free}, "after": {"free": free + amount, "amount": amount}}
        who = {"second": second, "reason": movement.reason or None, **change}
        transaction.note(HouseCode.ACCOUNT_CORRECTED, Subject.CORRECTION.of(request.account), actor, now, **who)


def _note_large(transaction: Transaction, mark: CashMark | None, by: str, now: int) -> None:
    if mark is not None and mark.why is not None:
        transaction.note_acts([large_cash_act(mark, by, now)])


def post_first_buy_in(
    transaction: Transaction, handle: str, currency: str, amount: int, by: str, now: int, invitation: str
) -> Refusal | None:
    """What somebody who came by an invitation begins with, as if whoever invited them had paid it in."""
    hold_settings(transaction)
    hold_buyer(transaction, handle)
    _locked(transaction, StoredAccount(handle, currency, now))
    movement = ledger.buy_in(handle, currency, amount)
    if isinstance(movement, Movement):
        movement = refuse_movement(transaction, movement) or _guarded(transaction, movement, now)
    if isinstance(movement, Refusal):
        return movement
    _note_large(transaction, mark_cash(transaction, handle, movement.kind.value, amount, now), by, now)
    movement = msgspec.structs.replace(movement, reason=f"invitation {invitation}")
    transaction.post([movement], time_ms=now, actor=by)
    return None


def _is_bot(account: StoredAccount | None) -> bool:
    return account is not None and account.kind == AccountOwner.BOT.value


def _decided(
    request: _Request, account: StoredAccount | None, holds: Holdings, by: Person, second: Person | None
) -> Movement | Refusal:
    """What comes of a request on an account that has this."""
    if account is None:
        return no_account(request.account)
    if by.name == request.account:
        return Refusal(Reason.OWN_ACCOUNT, None)
    place, free, held = (request.account, account.currency, request.amount), holds.free, sum(holds.held.values())
    if request.act == "buy-in":
        return ledger.buy_in(*place, free=free)
    if request.act == "cash-out":
        return ledger.cash_out(*place, free=free, held=held)
    return ledger.correct(*place, free=free, held=held, by=by, second=second, reason=request.reason)


def mark_cash(reader: Reader, handle: str, act: str, amount: int, now: int) -> CashMark | None:
    """How somebody's buy-in or cash-out stands beside what the house wants to know of; None for what is not
    cash of a person: corrections, and what the house plays with itself."""
    account = reader.account(handle)
    if account is None or act not in _CASH or _is_bot(account):
        return None
    thresholds, before = thresholds_of(stored_settings(reader)), 0
    if thresholds.large_cash is not None:
        day = thresholds.gaming_day
        before = cash_since(reader, handle, act, day.day_start(day.day_of(now)))
    return cash_mark(thresholds, handle, act, amount, before, now)


def _refuse_unmarked(mark: CashMark | None, request: _Request) -> Refusal | None:
    """Why large cash is not moved yet: whoever moves it has not said that they know it for that."""
    if mark is None or mark.why is None or request.is_large:
        return None
    amounts = {name: format_amount(getattr(mark, name)) for name in ("amount", "total", "threshold")}
    return Refusal(Reason.LARGE_CASH, None, {"act": mark.act, **amounts})


def _guarded(
    transaction: Transaction, movement: Movement, now: int, unmarked: Refusal | None = None
) -> Movement | Refusal:
    """A movement, unless it is a buy-in that a limit or an exclusion of the player forbids, or is large cash that
    nobody has marked; else a buy-in is counted."""
    if movement.kind is not MovementKind.BUY_IN:
        return unmarked or movement
    guard, handle = PlayGuard(transaction), movement.player or ""
    amount = totals([movement])[player_account(handle)]
    if refusal := guard.refuse_buy_in(handle, amount, now) or unmarked:
        return refusal
    guard.count(handle, AccountMovement(movement.kind, amount, now))
    guard.write()
    return movement


def _locked(transaction: Transaction, account: StoredAccount) -> int:
    """What is free, with the wallet and the accounts of the house that move with it locked in one order."""
    name = player_account(account.handle)
    house = (ledger.bank_account(account.currency), ledger.cash_account(account.currency))
    return transaction.lock_balances([*house, name])[name]


def moved_by(reader: Reader, movement: Movement, actor: str, key: str) -> Moved:
    """What was done under a key, as it was answered the first time: what is free now may be something else."""
    name = movement.player or ""
    account = player_account(name)
    stored = reader.answer(actor, key)
    free = msgspec.json.decode(stored.answer).get("free") if stored is not None and stored.answer else None
    if free is None:
        free = reader.balances([account])[account]
    return Moved(name, movement.kind.value, totals([movement])[account], free, last_receipt(reader, actor, key))


def _stored(actor: str, request: _Request, answer: Movement | Refusal, free: int) -> StoredCommand:
    """What is kept of something that was asked under a key; `free` is what the account had before."""
    if isinstance(answer, Refusal):
        return StoredCommand(actor, request.key, request.body, refusal=json_text(answer))
    free += totals([answer])[player_account(request.account)]
    document = {**msgspec.to_builtins(answer), "free": free}
    return StoredCommand(actor, request.key, request.body, answer=json_text(document))


def _answer_again(before: StoredCommand, request: _Request) -> Movement | Refusal:
    """The first answer to something that was asked before."""
    if before.table is not None or before.body != request.body:
        return Refusal(Reason.KEY_REUSED, None, {"key": request.key or ""})
    if before.refusal is not None:
        return decode_refusal(before.refusal)
    assert before.answer is not None
    return _movements.decode(before.answer)
