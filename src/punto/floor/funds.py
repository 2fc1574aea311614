"""Whether what moves can be paid: a stake is taken only from an account that has it.

The wallets of a batch are locked together, in the order of their names, so that two processes never wait for
each other. Then commands are looked at one after the other: who comes first is paid for first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil

from punto.floor.decision import Decision
from punto.ledger.account import AccountKind, bank_account, float_account, held_account, kind_of
from punto.ledger.cashier import refuse_funds
from punto.ledger.movement import Movement
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.store.stored import StoredAccount
from punto.store.transaction import Transaction
from punto.table.state import Table

MOST_PAID = 10**18
"""The most that one round of a table may come to pay, and the most that whoever bets may have. A column holds
nine times as much, so that rounds of several tables at once fit into it as well."""
MOST_IN_HOUSE = 4 * MOST_PAID
"""The most that an account of the house may have, or owe."""


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
        if refusal := self._refuse_beyond(decision):
            return refusal
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

    def _refuse_beyond(self, decision: Decision) -> Refusal | None:
        """Nobody bets for what no account could hold in the end: neither the player's nor the bank's."""
        taken = [account for account, amount in _postings(decision) if amount < 0 and _is_wallet(account)]
        if not taken or decision.after is None:
            return None
        paid = most_paid(decision.after.table)
        if paid <= MOST_PAID // 1_000_000 and all(self._free.get(each, 0) <= MOST_PAID for each in taken):
            return None  # almost always; the house's own accounts need not be looked at
        terms, id = decision.before.table.terms, decision.job.table
        house = self._transaction.balances([bank_account(terms.currency), float_account(id)])
        has = max((self._free.get(each, 0) for each in taken), default=0)
        if paid > MOST_PAID or has > MOST_PAID or max(map(abs, house.values())) > MOST_IN_HOUSE:
            return Refusal(Reason.BEYOND_LEDGER, None, {"most": format_amount(MOST_PAID)})
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


def refuse_movement(transaction: Transaction, movement: Movement) -> Refusal | None:
    """Why the cashier cannot move something: an account of the house would have more than it can hold."""
    has = transaction.balances([posting.account for posting in movement.postings])
    if all(abs(has[posting.account] + posting.amount) <= MOST_IN_HOUSE for posting in movement.postings):
        return None
    return Refusal(Reason.BEYOND_LEDGER, None, {"most": format_amount(MOST_IN_HOUSE)})


def most_paid(table: Table) -> int:
    """The most that the bets on a layout can come to, stakes included."""
    return sum(stake.amount * (1 + _best(table.book, stake.area)) for stake in table.state.stakes)


@lru_cache(maxsize=4_096)
def _best(book: Book, area: str) -> int:
    """The best odds of a betting area, rounded up."""
    if area in book.pay_tables:
        odds = [row.outcome.odds for row in book.pay_tables[area].rows if row.outcome.odds is not None]
    else:
        odds = [offer.odds for offer in book.offers.rows]
    return max(map(ceil, odds), default=1)


def _postings(decision: Decision) -> Iterator[tuple[str, int]]:
    for movements in decision.movements:
        for movement in movements:
            yield from ((posting.account, posting.amount) for posting in movement.postings)


def _is_wallet(account: str) -> bool:
    return account.startswith(_WALLET)


_WALLET = f"{AccountKind.PLAYER.value}/"
_SHARED = frozenset((AccountKind.PLAYER, AccountKind.BANK))
"""Accounts that several tables move; the others belong to one table, whose lock is enough."""
