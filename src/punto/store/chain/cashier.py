"""The chain of hashes over what the cashier moves, as it is written: one chain for the whole house.

Buy-ins, cash-outs and corrections follow from no event, so nothing else in the database says what they were.
Whoever writes one holds the chain until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from punto.store.chain.link import CASHIER, CASHIER_FIRST, movement_line, next_hash
from punto.store.connection import Connection

if TYPE_CHECKING:
    from punto.ledger.movement import Movement


def hold_cashier(connection: Connection) -> tuple[int, bytes]:
    """Hold the chain until the end; its length and last hash."""
    held = "SELECT version, head FROM chains WHERE id = ? FOR UPDATE"
    if not (found := connection.all(held, (CASHIER,))):
        # Whoever else makes the first movement at this moment makes the row too, or waits for ours.
        connection.run(
            "INSERT INTO chains (id, version, head) VALUES (?, 0, ?) ON CONFLICT (id) DO NOTHING",
            (CASHIER, CASHIER_FIRST),
        )
        found = connection.all(held, (CASHIER,))
    [(number, head)] = found
    return number, bytes(head)


def chain_cashier(
    connection: Connection,
    chain: tuple[int, bytes],
    numbered: Iterable[tuple[int, Sequence[Any], Movement]],
) -> dict[int, bytes]:
    """Carry the chain on over the movements that belong to no table; their hashes by id.

    Each movement comes with its id and its row, from the table on.
    """
    found: dict[int, bytes] = {}
    number, head = chain
    for id_, row, movement in numbered:
        if row[0] is None:
            number += 1
            told = (id_, row[2], row[3], *row[7:])
            postings = [(posting.account, posting.amount) for posting in movement.postings]
            found[id_] = head = next_hash(head, movement_line(number, told, postings))
    connection.run("UPDATE chains SET version = ?, head = ? WHERE id = ?", (number, head, CASHIER))
    return found
