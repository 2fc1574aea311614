"""The chains that belong to no table, as they are written, and the one over what the cashier moves.

Buy-ins, cash-outs and corrections follow from no event, so nothing else in the database says what they were.
Whoever writes to such a chain holds it until the transaction ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from punto.store.chain.link import CASHIER, movement_line, next_hash
from punto.store.connection import Connection

if TYPE_CHECKING:
    from punto.ledger.movement import Movement


def hold_chain(connection: Connection, chain: str, first: bytes) -> tuple[int, bytes]:
    """Hold a chain until the end; its length and last hash. `first` is what it begins with."""
    held = "SELECT version, head FROM chains WHERE id = ? FOR UPDATE"
    if not (found := connection.all(held, (chain,))):
        # Whoever else makes the first link at this moment makes the row too, or waits for ours.
        connection.run(
            "INSERT INTO chains (id, version, head) VALUES (?, 0, ?) ON CONFLICT (id) DO NOTHING",
            (chain, first),
        )
        found = connection.all(held, (chain,))
    [(number, head)] = found
    return number, bytes(head)


def keep_chain(connection: Connection, chain: str, number: int, head: bytes) -> None:
    """Write down where a chain that is held ends now."""
    connection.run("UPDATE chains SET version = ?, head = ? WHERE id = ?", (number, head, chain))


def chain_cashier(
    connection: Connection,
    chain: tuple[int, bytes],
    numbered: Iterable[tuple[int, Sequence[Any], Movement]],
) -> dict[int, bytes]:
    """Carry the chain on over the movements that belong to no table; their hashes by id.

    Each movement comes with its id and its row, from the table to the key.
    """
    found: dict[int, bytes] = {}
    number, head = chain
    for id_, row, movement in numbered:
        if row[0] is None:
            number += 1
            told = (id_, row[2], row[3], *row[7:12])
            postings = [(posting.account, posting.amount) for posting in movement.postings]
            found[id_] = head = next_hash(head, movement_line(number, told, postings, row[12]))
    keep_chain(connection, CASHIER, number, head)
    return found
