"""What players have, over all tables of a house: free, staked and held, in one look at the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from punto.floor.answers import Balance
from punto.ledger import movement as ledger
from punto.ledger.movement import player_account
from punto.store.connection import placeholders
from punto.store.protection import stored_plays
from punto.store.reader import SOME, Reader


def balances_of(reader: Reader, handles: Iterable[str]) -> dict[str, Balance]:
    """What players have over all tables, in one look; who never played has no stakes, and nothing is held for them.

    The last round of each table in which somebody had a stake is where stakes can lie.
    """
    names = list(handles)
    plays = stored_plays(reader, names)
    rounds = {name: plays[name].rounds if name in plays else {} for name in names}
    held = {name: [ledger.held_account(table, name) for table in rounds[name]] for name in names}
    last = {ledger.play_account(table, placed.round) for of in rounds.values() for table, placed in of.items()}
    has = reader.balances([*map(player_account, names), *chain.from_iterable(held.values()), *last])
    staked = _lying(reader, sorted(account for account in last if has[account]))
    return {
        name: Balance(has[player_account(name)], staked.get(name, 0), sum(has[account] for account in held[name]))
        for name in names
    }


def _lying(reader: Reader, rounds: Sequence[str]) -> Counter[str]:
    """What lies in these rounds, by player."""
    lying: Counter[str] = Counter()
    for some in (rounds[start : start + SOME] for start in range(0, len(rounds), SOME)):
        statement = (
            "SELECT m.player, p.amount FROM postings p JOIN movements m ON m.id = p.movement_id "
            f"WHERE p.account IN ({placeholders(len(some))})"
        )
        for player, amount in reader.rows(statement, tuple(some)):
            lying[player] += amount
    return lying
