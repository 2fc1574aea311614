"""The cashier's desk: accounts are opened, money comes in and goes out, and each movement has its people."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from punto.dealer.bot import BOTS
from punto.dealer.dealer import AUTOMATIC
from punto.floor.job import ROW_BYTES, WaitToKeep, decode_refusal, refuse_movement
from punto.ledger.movement import (
    AccountKind,
    Movement,
    bank_account,
    buy_in,
    cash_account,
    cash_out,
    correct,
    held_account,
    player_account,
    totals,
)
from punto.refusal import Reason, Refusal
from punto.store.people import erase_person
from punto.store.pit import AGREED, StoredApproval, approval_of, lock_keys
from punto.store.reader import Reader
from punto.store.record import StoredAccount, StoredCommand, StoredPerson
from punto.store.store import Store
from punto.store.transaction import OPENER, Transaction
from punto.table.header import Person

HOUSE_NAMES = frozenset((*BOTS, AUTOMATIC.name, "the floor", "the house", "house", "me"))
"""Names under which the house itself acts: nobody logs in as one of them."""
CURRENCY = re.compile(r"[A-Z]{3,8}")
_movements: msgspec.json.Decoder[Movement] = msgspec.json.Decoder(Movement)


class Holdings(msgspec.Struct, frozen=True):
    """What a player has, by where it is. Amounts are minor units."""

    free: int
    """May be bet or cashed out."""
    held: dict[str, int]
    """By table: what a settlement paid, until the next call there."""


def holdings_of(reader: Reader, handle: str) -> Holdings:
    """What a player has."""
    names = {held_account(stored.id, handle): stored.id for stored in reader.tables()}
    own = player_account(handle)
    has = reader.balances([own, *names])
    return Holdings(has[own], {table: has[name] for name, table in names.items() if has[name]})


def all_holdings(reader: Reader) -> dict[str, Holdings]:
    """What everybody has who ever had anything, by handle."""
    found: dict[str, Holdings] = {}
    for name, amount in reader.all_balances().items():
        kind, _, rest = name.partition("/")
        table, _, owner = rest.partition("/")
        if kind == AccountKind.PLAYER.value:
            found[rest] = Holdings(amount, found[rest].held if rest in found else {})
        elif kind == AccountKind.HELD.value and amount:
            found.setdefault(owner, Holdings(0, {})).held[table] = amount
    return found


class _Asked(msgspec.Struct, frozen=True):
    """What the desk was asked for, under a key where it must be done only once."""

    key: str | None
    act: str
    account: str
    amount: int
    reason: str = ""

    @property
    def body(self) -> str:
        return msgspec.json.encode(msgspec.structs.replace(self, key=None)).decode()

    def is_agreed(self, approval: StoredApproval) -> bool:
        """Whether this is what was asked under the same key, and a second person has agreed to it."""
        if self.act != "correct" or approval.table is not None or approval.decision != AGREED:
            return False
        waited = msgspec.json.decode(approval.body, type=_Waited)
        return waited == _Waited(self.account, self.amount, self.reason)


class _Waited(msgspec.Struct, frozen=True):
    """What a correction that waits says of the account."""

    account: str
    amount: int
    reason: str


class _FreeAfter(msgspec.Struct, frozen=True):
    """What is kept beside a movement, so that its answer is the same again."""

    free: int | None = None


class Desk:
    """A cashier at a store."""

    def __init__(self, store: Store, wait_to_keep: WaitToKeep | None = None) -> None:
        self._store, self._wait_to_keep = store, wait_to_keep

    def open_account(self, person: StoredPerson, currency: str, now: int, by: str = OPENER) -> StoredAccount | Refusal:
        """Open an account; its handle is never given to anybody else."""
        account = StoredAccount(person.handle, currency, now)
        with self._store.write() as transaction:
            if transaction.account(person.handle) is not None:
                return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": person.handle})
            transaction.add_account(account, by)
            if person.display is not None or person.contact is not None:
                transaction.set_person(person, by, now)
        return account

    def erase(self, handle: str, by: str, now: int) -> bool | Refusal:
        """Erase display name, contact, password and roles; the account, its money and its handle stay."""
        with self._store.write() as transaction:
            if transaction.account(handle) is None:
                return Refusal(Reason.NO_ACCOUNT, None, {"player": handle})
            return erase_person(transaction, handle, by, now)

    def buy_in(self, handle: str, amount: int, by: Person, now: int, key: str | None = None) -> Movement | Refusal:
        """A player brings money."""
        return self._move(
            handle,
            lambda account, holds: buy_in(handle, account.currency, amount, free=holds.free),
            by,
            None,
            now,
            _Asked(key, "buy-in", handle, amount),
        )

    def cash_out(self, handle: str, amount: int, by: Person, now: int, key: str | None = None) -> Movement | Refusal:
        """A player takes money away."""
        return self._move(
            handle,
            lambda account, holds: cash_out(
                handle, account.currency, amount, free=holds.free, held=sum(holds.held.values())
            ),
            by,
            None,
            now,
            _Asked(key, "cash-out", handle, amount),
        )

    def correct(
        self, handle: str, amount: int, by: Person, second: Person | None, reason: str, now: int, key: str | None = None
    ) -> Movement | Refusal:
        """Two people put an account right, with a reason."""
        return self._move(
            handle,
            lambda account, holds: correct(
                handle,
                account.currency,
                amount,
                free=holds.free,
                held=sum(holds.held.values()),
                by=by,
                second=second,
                reason=reason,
            ),
            by,
            second,
            now,
            _Asked(key, "correct", handle, amount, reason),
        )

    def _move(
        self,
        handle: str,
        decide: Callable[[StoredAccount, Holdings], Movement | Refusal],
        by: Person,
        second: Person | None,
        now: int,
        asked: _Asked,
    ) -> Movement | Refusal:
        """Decide on what the account has while nobody else can move it, and post what comes of it.

        Under the same key of the same person it is done once, and has the same answer again; whoever sends it
        twice at once waits for the first.
        """
        with self._store.write() as transaction:
            if asked.key is not None:
                lock_keys(transaction, [(by.name, asked.key)])
                before = transaction.answer(by.name, asked.key)
                if before is not None:
                    return _answer_again(before, asked)
                waited = approval_of(transaction, by.name, asked.key)
                if waited is not None and not asked.is_agreed(waited):
                    return Refusal(Reason.KEY_REUSED, None, {"key": asked.key})
                if transaction.has_moved(by.name, asked.key):
                    return Refusal(Reason.KEY_REUSED, None, {"key": asked.key})  # its command was removed
            account = transaction.account(handle)
            free = _locked(transaction, account) if account is not None else 0
            movement: Movement | Refusal
            if account is None:
                movement = Refusal(Reason.NO_ACCOUNT, None, {"player": handle})
            elif by.name == handle:
                movement = Refusal(Reason.OWN_ACCOUNT, None)
            else:
                movement = decide(account, Holdings(free, {}))
                if isinstance(movement, Refusal):
                    # Only who is refused is told what tables hold, and that takes a look at every account.
                    movement = decide(account, holdings_of(transaction, handle))
                if isinstance(movement, Movement):
                    movement = refuse_movement(transaction, movement) or movement
            if isinstance(movement, Movement):
                actor, other = by.name, second.name if second else None
                transaction.post([movement], time_ms=now, actor=actor, second=other, key=asked.key)
            if asked.key is not None:
                stored = _stored(by.name, asked, movement, free)
                if isinstance(movement, Refusal) and self._wait_to_keep is not None:
                    size = len(stored.body) + len(stored.refusal or "") + ROW_BYTES
                    if seconds := self._wait_to_keep(by.name, size):
                        return Refusal(Reason.TOO_MANY_REFUSED, None, {"seconds": seconds})
                transaction.add_command(stored)
        return movement


def _locked(transaction: Transaction, account: StoredAccount) -> int:
    """What is free, with the wallet and the accounts of the house that move with it locked in one order."""
    name = player_account(account.handle)
    house = (bank_account(account.currency), cash_account(account.currency))
    return transaction.lock_balances([*house, name])[name]


def free_after(reader: Reader, actor: str, key: str) -> int | None:
    """What was free after a movement that somebody asked for under a key; None where nobody knows."""
    kept = reader.answer(actor, key)
    found = kept.answer if kept is not None else None
    return None if found is None else msgspec.json.decode(found, type=_FreeAfter).free


def _stored(actor: str, asked: _Asked, answer: Movement | Refusal, free: int) -> StoredCommand:
    """What is kept of something that was asked under a key; `free` is what the account had before."""
    if isinstance(answer, Refusal):
        refusal = msgspec.json.encode(answer).decode()
        return StoredCommand(actor, asked.key, asked.body, refusal=refusal)
    free += totals([answer])[player_account(asked.account)]
    document = {**msgspec.to_builtins(answer), "free": free}
    return StoredCommand(actor, asked.key, asked.body, answer=msgspec.json.encode(document).decode())


def _answer_again(before: StoredCommand, asked: _Asked) -> Movement | Refusal:
    """The first answer to something that was asked before."""
    if before.table is not None or before.body != asked.body:
        return Refusal(Reason.KEY_REUSED, None, {"key": asked.key or ""})
    if before.refusal is not None:
        return decode_refusal(before.refusal)
    assert before.answer is not None
    return _movements.decode(before.answer)
