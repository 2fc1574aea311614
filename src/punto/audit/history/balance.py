"""What the players of a round had before it and after it, from the postings of the ledger.

A balance is what a player is free to use and what this table holds for them. Whoever plays at two tables at
once, or goes to the cashier during a round, has movements elsewhere in between: they are told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from punto.ledger.account import AccountKind, held_account, kind_of, player_account
from punto.store.lookup.past import balance_before, moved, posted
from punto.store.reader import Reader
from punto.store.record import Record


@dataclass(frozen=True, slots=True)
class PlayerBalance:
    """The money of one player around a round, in minor units."""

    player: str
    before: int
    here: int
    """What the events of the round added, or took: stakes on the layout count as taken."""
    elsewhere: int
    """What other tables and the cashier added meanwhile."""
    after: int
    held: int
    """Of what is there afterwards: what the table could still take back."""


def balances_of(
    reader: Reader, table: str, first: int, last: int, records: Sequence[Record]
) -> tuple[PlayerBalance, ...]:
    """The balances of everybody whose money these events moved, by name."""
    times = [record.event.time for record in records]
    postings = moved(reader, table, first, last, (min(times), max(times)))
    if not postings:
        return ()
    begin, end = postings[0][0], postings[-1][0]
    here: Counter[str] = Counter()
    for _, account, amount in postings:
        here[account] += amount
    kinds = {AccountKind.PLAYER: "player/", AccountKind.HELD: f"held/{table}/"}
    players = {
        account.removeprefix(kinds[kind]): None for account in here if (kind := kind_of(account)) in kinds
    }
    return tuple(_balance(reader, table, player, here, begin, end) for player in sorted(players))


def _balance(
    reader: Reader, table: str, player: str, here: Counter[str], begin: int, end: int
) -> PlayerBalance:
    free, held = player_account(player), held_account(table, player)
    held_before = balance_before(reader, held, begin)
    before = balance_before(reader, free, begin) + held_before
    still_held = held_before + posted(reader, held, begin, end)
    change = posted(reader, free, begin, end) + still_held - held_before
    moved_here = here[free] + here[held]
    return PlayerBalance(player, before, moved_here, change - moved_here, before + change, still_held)
