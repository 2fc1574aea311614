"""The stored ledger, looked at: movements, postings, balances, and the chain over what the cashier moved.

What tables moved goes into hashes, to be compared with what their events lead to. What the cashier moved
follows from no event and has its own chain. Balances are the sums of all postings.
"""

from __future__ import annotations

from collections import defaultdict

from punto.audit.chain.anchor import AnchoredChain
from punto.audit.chain.digests import Digests
from punto.audit.chain.problem import Findings
from punto.ledger.account import AccountKind, bank_account, cash_account
from punto.money import format_money
from punto.store.chain import CASHIER_FIRST, movement_line, next_hash
from punto.store.chain.rows import movement_rows, posting_count
from punto.store.connection import Row
from punto.store.reader import Reader

Lines = list[tuple[str, int]]


class StoredLedger:
    """Everything that is posted."""

    def __init__(self, findings: Findings, anchored: AnchoredChain | None = None) -> None:
        self._findings, self._anchored = findings, anchored
        self.digests = Digests()
        self.cashier = 0
        """Movements of the cashier."""
        self._head = CASHIER_FIRST
        self._seen = CASHIER_FIRST.hex() if anchored is not None and not anchored.seq else ""
        self._postings = 0
        self._sums: defaultdict[str, int] = defaultdict(int)
        self._currencies: dict[str, str] = {}

    def read(self, reader: Reader, table: str | None = None) -> None:
        """Take in every movement, or those of one table."""
        tables = {stored.id for stored in reader.tables()}
        self._currencies = {account.handle: account.currency for account in reader.accounts()}
        add, sums = self.digests.add, self._sums
        for row in movement_rows(reader, table):
            account, amount, other, other_amount, third, third_amount = row[14:20]
            table_id = row[1]
            try:
                sums[account] += amount
                sums[other] += other_amount
                if third is not None:
                    sums[third] += third_amount
                    self._postings += 1
            except TypeError:
                self._add(f"movement {row[0]} does not have the postings of a movement")
            self._postings += 2
            if table_id is None:
                self._cashiers(row)
            elif type(row[2]) is not int or table_id not in tables:
                self._findings.add(table_id, None, f"movement {row[0]} belongs to no event")
            elif row[13] is not None or row[20] is not None:
                told = f"movement {row[0]} has a hash or a key, which only those of the cashier have"
                self._findings.add(table_id, row[2], told)
            else:
                add(table_id, row[2:13] + row[14:20])

    def check_balances(self, reader: Reader) -> None:
        """Every balance is the sum of its postings, and every player has an account."""
        if posting_count(reader) != self._postings:
            self._add("there are postings that belong to no movement")
        balances = reader.all_balances()
        for account in sorted(balances.keys() | {name for name, amount in self._sums.items() if amount}):
            stored, summed = balances.get(account, 0), self._sums[account]
            if stored != summed:
                told = f"the balance of {account} is {_money(stored)}"
                self._add(f"{told}, and its postings sum to {_money(summed)}")
            handle = account.removeprefix(_WALLET)
            if handle != account and handle not in self._currencies:
                self._add(f"there is money of {handle}, who has no account")

    def check_cashier(self, reader: Reader) -> None:
        """The chain of the cashier ends where it should, and is the one in the anchor."""
        number, head = reader.cashier_head() or (0, CASHIER_FIRST)
        if (number, head) != (self.cashier, self._head):
            self._add(f"the cashier's chain ends at movement {self.cashier:,}, and should at {number:,}")
        if self._anchored is None:
            return
        if self._anchored.seq > self.cashier:
            told = f"the anchor has {self._anchored.seq:,} movements of the cashier"
            self._add(f"{told}, and here are {self.cashier:,}: the end was cut off")
        elif self._seen != self._anchored.hash:
            told = f"the cashier's movement {self._anchored.seq:,} has another hash than in the anchor"
            self._add(f"{told}: it, or one before it, was written again")

    def _cashiers(self, row: Row) -> None:
        """A movement of the cashier: the next link of the chain."""
        self.cashier += 1
        lines = [(row[place], row[place + 1]) for place in (14, 16, 18) if row[place] is not None]
        id_, told = row[0], (row[0], row[3], row[4], *row[8:13])
        stored = bytes(row[13]) if isinstance(row[13], bytes | memoryview) else b""
        try:
            is_linked = next_hash(self._head, movement_line(self.cashier, told, lines, row[20])) == stored
        except (TypeError, ValueError):
            is_linked = False
        if not is_linked or (row[2], row[5], row[6], row[7]) != (None,) * 4:
            self._add(f"the cashier's movement {id_}: the hash does not follow from it and the one before it")
        if sum(amount for _, amount in lines if type(amount) is int):
            self._add(f"the cashier's movement {id_}: its postings do not sum to zero")
        self._check_currency(id_, row[8], lines)
        self._head = stored
        if self._anchored is not None and self.cashier == self._anchored.seq:
            self._seen = stored.hex()

    def _check_currency(self, id_: int, player: str | None, lines: Lines) -> None:
        currency = self._currencies.get(player or "")
        if currency is not None:
            own = {cash_account(currency), bank_account(currency), f"{_WALLET}{player}"}
            if not {account for account, _ in lines} <= own:
                self._add(f"the cashier's movement {id_} is not in {currency}, the currency of {player}")

    def _add(self, sentence: str) -> None:
        self._findings.add(None, None, sentence)


_WALLET = f"{AccountKind.PLAYER.value}/"


def _money(amount: object) -> str:
    """An amount for people; SQLite keeps anything in any column."""
    return format_money(amount) if type(amount) is int else repr(amount)
