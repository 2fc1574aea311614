"""Whether what moves can be paid: a stake is taken only from an account that has it.

The wallets of a batch are locked together, in the order of their names, so that two processes never wait for
each other. Then commands are looked at one after the other: who comes first is paid for first.
"""

from __future__ import annotations

from collections.abc import Iterable

from punto.floor.decision import Decision
from punto.ledger.account import AccountKind, held_account, kind_of
from punto.ledger.cashier import refuse_funds
from punto.refusal import Reason, Refusal
from punto.store.stored import StoredAccount
from punto.store.transaction import Transaction


class Funds:
    """What the players of a batch have, as the movements so far leave it."""

    def __init__(self, transaction: Transaction, accounts: dict[str, StoredAccount]) -> None:
        self._transaction = transaction
        self._accounts = accounts
        """Accounts that are known: a handle is never used again, and its currency never changes."""
        self._free: dict[str, int] = {}

    def lock(self, decisions: Iterable[Decision]) -> None:
        """Lock every wallet that these decisions move, and the banks, in one order."""
        names = {
            posting.account
            for decision in decisions
            for movements in decision.movements
            for movement in movements
            for posting in movement.postings
            if kind_of(posting.account) in _SHARED
        }
        self._lock(names)

    def refuse(self, decision: Decision) -> Refusal | None:
        """Why a decision cannot be paid; if it can, it is paid for from here on."""
        changed: dict[str, int] = {}
        for movements in decision.movements:
            for movement in movements:
                for account, amount in ((p.account, p.amount) for p in movement.postings):
                    if not account.startswith(_WALLET):
                        continue
                    if account not in self._free:
                        self._lock({account})
                    free = changed.get(account, self._free[account])
                    if amount < 0 and (refusal := self._refuse_taking(decision, account, -amount, free)):
                        return refusal
                    changed[account] = free + amount
        self._free.update(changed)
        return None

    def _lock(self, names: set[str]) -> None:
        found = self._transaction.lock_balances(sorted(names))
        self._free.update({name: found.get(name, 0) for name in names})

    def _refuse_taking(self, decision: Decision, account: str, amount: int, free: int) -> Refusal | None:
        handle = account.removeprefix(_WALLET)
        if handle not in self._accounts:
            found = self._transaction.account(handle)
            if found is None:
                return Refusal(Reason.NO_ACCOUNT, None, {"player": handle})
            self._accounts[handle] = found
        kept, terms = self._accounts[handle], decision.before.table.terms
        if kept.currency != terms.currency:
            params: dict[str, str | int] = {
                "player": handle,
                "currency": kept.currency,
                "needed": terms.currency,
            }
            return Refusal(Reason.OTHER_CURRENCY, None, params)
        if amount <= free:
            return None
        name = held_account(decision.job.table, handle)
        return refuse_funds(amount, free=free, held=self._transaction.balances([name]).get(name, 0))


_WALLET = f"{AccountKind.PLAYER.value}/"
_SHARED = frozenset((AccountKind.PLAYER, AccountKind.BANK))
"""Accounts that several tables move; the others belong to one table, whose lock is enough."""
