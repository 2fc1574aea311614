"""A job for the floor and what is decided about it: one command for one table, with its cards, what the table
makes of it, what moves by that, and whether the accounts can pay it. A stake is taken only from an account
that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import msgspec

from punto.audit.shuffle import UnknownAlgorithm
from punto.floor.loaded_table import LoadedTable
from punto.floor.shoe import FindSeed, due_openings, with_cards, with_promise, without_drawn_cards, without_promise
from punto.ledger import movement as ledger
from punto.ledger.movement import AccountKind, Movement, float_account
from punto.ledger.postings import movements_of
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, Role
from punto.rules.book import Book
from punto.store.errors import KeyTrouble
from punto.store.record import Record, StoredAccount, json_text
from punto.store.transaction import Transaction
from punto.table.acting import act, refusal_for_ever
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.betting import PlaceBet, ReduceBet, WithdrawBet
from punto.table.command import Command
from punto.table.event import Event
from punto.table.house import TableClosed
from punto.table.insurance import DeclineInsurance, TakeInsurance, WishInsurance
from punto.table.shuffling import OpenSeed

BETS = (PlaceBet, ReduceBet, WithdrawBet, PlaceWager, GiveUpAnte)
"""What must name its round: sent again in the next one, it would be another bet."""
INSURANCES = (TakeInsurance, DeclineInsurance)  # What must name its window too.
_OF_A_ROUND = (*BETS, *INSURANCES)

ROW_BYTES = 250  # About what a kept command takes beside its body and its refusal.
WaitToKeep = Callable[[str, int], int]
"""Asked before this many bytes of a refused command are kept for somebody: 0, or the seconds that they have to wait."""
FOR_ANOTHER = (*BETS, *INSURANCES, WishInsurance)
"""What staff may do for a player with that player's money; an ante is given up for whoever has left."""


def is_for_another(command: Command) -> bool:
    """Whether somebody of the staff bets for somebody else (insurance 5.17, and the same in every book)."""
    if not isinstance(command, FOR_ANOTHER) or isinstance(command, GiveUpAnte):
        return False
    return command.role in LADDER and command.player not in (None, command.actor)


class Job(msgspec.Struct, frozen=True):
    """A command for a table; `expected` is the version of the table that it was decided on."""

    table: str
    command: Command
    expected: int | None = None


ChooseCommand = Callable[[LoadedTable], Command | None]
"""What to do at a table as it is now; None where there is nothing to do."""


@dataclass(frozen=True, slots=True)
class DueJob:
    """A command that is decided on when its turn comes, on the table as it is then.

    Whoever looks at a table and then gives a command may be too late: something has happened in between. This
    one cannot be, so that a table that deals by itself goes on however many bets come in.
    """

    table: str
    decide: ChooseCommand

    def made(self, loaded: LoadedTable) -> Job | None:
        command = self.decide(loaded)
        return Job(self.table, command, loaded.version) if command is not None else None


class Accepted(msgspec.Struct, frozen=True):
    """What came of a command that was accepted: the events as stored, and the version after them."""

    table: str
    version: int
    records: tuple[Record, ...]


def refuse_job(job: Job, loaded: LoadedTable) -> Refusal | None:
    """Why a job is refused before the table is asked: it says too little, or was meant for an older table.

    A player's command is decided on the table as it is now. A dealer looks at the cards and decides what
    comes next, so a dealer's command holds for the version that was looked at and for no other.
    """
    command, version, state = job.command, loaded.version, loaded.table.state
    if loaded.imported:
        return Refusal(Reason.TABLE_IMPORTED, None, {"table": loaded.id})
    # A bet for a player who has agreed to it is that player's: it names its round, and holds for that.
    is_word = is_for_another(command) and command.second is not None
    if job.expected is None and command.role is Role.DEALER and not is_word:
        return Refusal(Reason.VERSION_NEEDED, None, {"now": version})
    if job.expected is not None and job.expected != version:
        return Refusal(Reason.VERSION, None, {"expected": job.expected, "now": version})
    if isinstance(command, _OF_A_ROUND) and command.round is None:
        return Refusal(Reason.ROUND_NEEDED, None, {"now": state.round})
    if isinstance(command, INSURANCES) and command.window is None:
        return Refusal(Reason.WINDOW_NEEDED, None, {"now": state.window or 4})
    return None


def is_same_job(earlier: Job, sent: Job) -> bool:
    """Whether a job is one that was sent before under the same key: table, version and command.

    When it came and who agreed to it are not part of what was asked, nor is what the floor put into it:
    cards, a commitment, a seed.
    """
    if (earlier.table, earlier.expected) != (sent.table, sent.expected):
        return False
    first, again = (msgspec.structs.replace(job.command, time=0, second=None) for job in (earlier, sent))
    return again in (first, without_promise(without_drawn_cards(first)))


_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_refusals: msgspec.json.Decoder[Refusal] = msgspec.json.Decoder(Refusal)
encode_command: Callable[[Command], str] = json_text
decode_command: Callable[[str], Command] = _commands.decode
decode_refusal: Callable[[str], Refusal] = _refusals.decode


FloatBalance = Callable[[], int]  # What the float of the table holds; asked only when the table closes.


class Decision(msgspec.Struct, frozen=True):
    """What came of a job on one version of its table; nothing is stored yet."""

    job: Job
    before: LoadedTable
    command: Command  # With the cards that were drawn for it.
    refusal: Refusal | None = None
    after: LoadedTable | None = None
    events: tuple[Event, ...] = ()
    movements: tuple[tuple[Movement, ...], ...] = ()  # By event.
    openings: tuple[OpenSeed, ...] = ()
    """What the floor did about it of its own accord: each made one event, the last ones."""
    is_kept: bool = True
    """Whether it is written down: what a role may never do is refused in the same words without that."""
    postings: tuple[tuple[str, int], ...] = ()
    """Every account that it moves, and by how much; for whoever locks them, pays and counts."""
    wallets: tuple[tuple[str, int], ...] = ()  # Those of them that are players' own.

    def refused(self, refusal: Refusal) -> Decision:
        """The same job, refused after all: it cannot be paid."""
        return Decision(self.job, self.before, self.job.command, refusal)


def decide_job(job: Job, loaded: LoadedTable, find_seed: FindSeed, float_balance: FloatBalance) -> Decision:
    table = loaded.table
    if (refusal := refusal_for_ever(table, job.command)) is not None:
        return Decision(job, loaded, job.command, refusal, is_kept=False)
    if (refusal := refuse_job(job, loaded)) is not None:
        return Decision(job, loaded, job.command, refusal)
    try:
        command = with_cards(table, loaded.version, job.command, find_seed)
        if not isinstance(command, Refusal):
            command = with_promise(loaded, command, find_seed)
    except (KeyTrouble, UnknownAlgorithm) as error:
        command = Refusal(Reason.SEED_LOCKED, None, {"shoe": table.state.shoe_number, "why": str(error)})
    if isinstance(command, Refusal):
        return Decision(job, loaded, job.command, command)
    step = act(table, command)
    if isinstance(step, Refusal):
        return Decision(job, loaded, job.command, step)
    events, opened = list(step.events), tuple(due_openings(step.table, command, find_seed))
    for opening in opened:
        step = act(step.table, opening)
        assert not isinstance(step, Refusal), "only what is due is opened"
        events += step.events
    state, moved = table.state, list[tuple[Movement, ...]]()
    for event in events:
        balance = float_balance() + _posted_to(float_account(loaded.id), moved) if type(event) is TableClosed else 0
        moved.append(movements_of(loaded.id, state, event, float_balance=balance))
        if event is not events[-1]:
            state = event.fold(state)
    after = msgspec.structs.replace(loaded, version=loaded.version + len(events), table=step.table)
    postings = [(each.account, each.amount) for some in moved for movement in some for each in movement.postings]
    wallets = [posting for posting in postings if posting[0].startswith(_WALLET)]
    return Decision(
        *(job, loaded, command, None, after, tuple(events), tuple(moved), opened),
        postings=tuple(postings),
        wallets=tuple(wallets),
    )


def _posted_to(account: str, moved: Iterable[tuple[Movement, ...]]) -> int:
    """What the events of one command so far have added to an account."""
    postings = (posting for movements in moved for movement in movements for posting in movement.postings)
    return sum(posting.amount for posting in postings if posting.account == account)


MOST_PAID = 10**18
"""The most that one round of a table may come to pay, and the most that whoever bets may have. A column holds
nine times as much, so that rounds of several tables at once fit into it as well."""
MOST_IN_HOUSE = 4 * MOST_PAID  # The most that an account of the house may have, or owe.


_WALLET = f"{AccountKind.PLAYER.value}/"
_SHARED = (_WALLET, f"{AccountKind.BANK.value}/")
"""How the names of accounts begin that several tables move; the others belong to one table, whose lock is enough."""


class Funds:
    """What the players of a batch have, as the movements so far leave it: a stake is taken only from who has it.

    The wallets of a batch are locked together, in the order of their names, so that two processes never wait
    for each other. Then commands are looked at one after the other: who comes first is paid for first.
    """

    def __init__(self, transaction: Transaction, accounts: dict[str, StoredAccount]) -> None:
        self._transaction, self._accounts = transaction, accounts
        """Accounts that are known: a handle is never used again, and its currency never changes."""
        self._free: dict[str, int] = {}

    def lock(self, accounts: Iterable[str]) -> None:
        """Lock the wallets and the banks among these accounts, in one order."""
        self._lock({account for account in accounts if account.startswith(_SHARED)})

    def refuse(self, decision: Decision) -> Refusal | None:
        """Why a decision cannot be paid; if it can, it is paid for from here on."""
        if refusal := self._refuse_beyond(decision):
            return refusal
        changed: dict[str, int] = {}
        for account, amount in decision.wallets:
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
        taken = [account for account, amount in decision.wallets if amount < 0]
        if not taken or decision.after is None:
            return None
        book, state, paid = decision.after.table.book, decision.after.table.state, 0
        for bet in state.bets:  # a loop, because it is asked with every bet
            paid += bet.stake * (1 + _best(book, bet.area))
        for insurance in state.insured:
            paid += insurance.amount * (1 + _best(book, insurance.area))
        if paid <= MOST_PAID // 1_000_000 and all(self._free.get(each, 0) <= MOST_PAID for each in taken):
            return None  # almost always; the house's own accounts need not be looked at
        terms, id = decision.before.table.terms, decision.job.table
        house = self._transaction.balances([ledger.bank_account(terms.currency), float_account(id)])
        has = max((self._free.get(each, 0) for each in taken), default=0)
        if paid > MOST_PAID or has > MOST_PAID or max(map(abs, house.values())) > MOST_IN_HOUSE:
            return Refusal(Reason.BEYOND_LEDGER, None, {"most": format_amount(MOST_PAID)})
        return None

    def _lock(self, names: set[str]) -> None:
        balances = self._transaction.lock_balances(sorted(names))
        self._free.update({name: balances.get(name, 0) for name in names})

    def _refuse_taking(self, decision: Decision, account: str, amount: int, free: int) -> Refusal | None:
        handle = account.removeprefix(_WALLET)
        if handle not in self._accounts:
            stored = self._transaction.account(handle)
            if stored is None:
                return Refusal(Reason.NO_ACCOUNT, None, {"player": handle})
            self._accounts[handle] = stored
        currency, terms = self._accounts[handle].currency, decision.before.table.terms
        if currency != terms.currency:
            params: dict[str, str | int] = {"player": handle, "currency": currency, "needed": terms.currency}
            return Refusal(Reason.OTHER_CURRENCY, None, params)
        if amount <= free:
            return None
        name = ledger.held_account(decision.job.table, handle)
        return ledger.refuse_funds(amount, free=free, held=self._transaction.balances([name]).get(name, 0))


def refuse_movement(transaction: Transaction, movement: Movement) -> Refusal | None:
    """Why the cashier cannot move something: an account of the house would have more than it can hold."""
    has = transaction.balances([posting.account for posting in movement.postings])
    if all(abs(has[posting.account] + posting.amount) <= MOST_IN_HOUSE for posting in movement.postings):
        return None
    return Refusal(Reason.BEYOND_LEDGER, None, {"most": format_amount(MOST_IN_HOUSE)})


@lru_cache(maxsize=4_096)
def _best(book: Book, area: str) -> int:
    """The best odds of a betting area, rounded up."""
    if area in book.pay_tables:
        odds = [row.outcome.odds for row in book.pay_tables[area].rows if row.outcome.odds is not None]
    else:
        odds = [offer.odds for offer in book.offers.rows]
    return max(map(ceil, odds), default=1)
