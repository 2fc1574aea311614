"""Rows of every schema there has been, as programs of that time wrote them: what migrations must carry over."""

from __future__ import annotations

from typing import Any

from punto.store.connection import Connection

ROWS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "v1": {
        "books": [
            {
                "digest": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
                "name": "mine",
                "document": '{"name":"mine"}',
            }
        ],
        "tables": [
            {
                "id": "t1",
                "digest": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
                "version": 1,
                "created_ms": 1700000000000,
                "imported": False,
                "head": b"the last hash of a table        ",
                "asked": 1,
                "asked_head": b"the last hash of commands       ",
            }
        ],
        "events": [
            {
                "table_id": "t1",
                "seq": 1,
                "v": 1,
                "key": "k",
                "body": '{"type":"table-paused"}',
                "hash": b"the last hash of a table        ",
            }
        ],
        "commands": [
            {
                "id": 1,
                "table_id": "t1",
                "version": 1,
                "first_seq": 1,
                "last_seq": 1,
                "actor": "Pia",
                "key": "k",
                "body": "{}",
                "refusal": None,
                "answer": None,
                "expected": None,
                "hash": b"the last hash of commands       ",
            }
        ],
        "accounts": [{"handle": "Lee", "currency": "USD", "opened_ms": 1700000000000}],
        "people": [{"handle": "Lee", "display": "Lee Wong", "contact": None, "password": None, "drawn": True}],
        "movements": [
            {
                "id": 1,
                "table_id": None,
                "seq": None,
                "time_ms": 1700000000000,
                "kind": "buy-in",
                "round": None,
                "box": None,
                "area": None,
                "player": "Lee",
                "clause": None,
                "reason": None,
                "actor": "Ann",
                "second": None,
                "hash": b"the last hash of the cashier    ",
                "key": "k",
            }
        ],
        "postings": [
            {"movement_id": 1, "line": 1, "account": "cash/USD", "amount": -5000000000000},
            {"movement_id": 1, "line": 2, "account": "player/Lee", "amount": 5000000000000},
        ],
        "balances": [
            {"account": "cash/USD", "amount": -5000000000000},
            {"account": "player/Lee", "amount": 5000000000000},
        ],
        "seeds": [{"table_id": "t1", "shoe": 1, "algorithm": "chacha20", "sealed": b"\x00\x01\x02"}],
        "snapshots": [
            {
                "table_id": "t1",
                "seq": 1,
                "fingerprint": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "body": b"{}",
            }
        ],
        "chains": [
            {"id": "cashier", "version": 1, "head": b"the last hash of the cashier    "},
            {"id": "house", "version": 1, "head": b"the last hash of the house      "},
        ],
        "roles": [{"handle": "Lee", "role": "dealer", "granted_by": "Ada", "granted_ms": 1700000000000}],
        "sessions": [
            {
                "token": "5555555555555555555555555555555555555555555555555555555555555555",
                "handle": "Lee",
                "created_ms": 1700000000000,
                "expires_ms": 1700000001000,
                "authenticated_ms": 1700000000000,
            }
        ],
        "tickets": [
            {
                "ticket": "7777777777777777777777777777777777777777777777777777777777777777",
                "token": "5555555555555555555555555555555555555555555555555555555555555555",
                "expires_ms": 1700000000500,
            }
        ],
        "approvals": [
            {
                "id": "a1",
                "table_id": "t1",
                "actor": "Lee",
                "role": "dealer",
                "key": "k",
                "body": "{}",
                "version": 1,
                "needs": "pit-manager",
                "asked_ms": 1700000000000,
                "expires_ms": 1700000001000,
                "decision": None,
                "decided_by": None,
                "decided_ms": None,
                "answer": None,
                "expected": 1,
                "mac": b"signed",
            }
        ],
        "failures": [{"subject": "name/Lee", "count": 2, "last_ms": 1700000000000, "until_ms": 0}],
        "runs": [{"table_id": "t1", "dealer": "automatic", "pace": None, "bots": "[]"}],
        "pit_calls": [
            {
                "id": "p1",
                "table_id": "t1",
                "caller": "Lee",
                "role": "dealer",
                "reason": "a card fell",
                "called_ms": 1700000000000,
                "answer": None,
                "answered_by": None,
                "answered_ms": None,
            }
        ],
        "marks": [{"name": "demonstration", "value": "abc"}],
        "known_addresses": [{"handle": "Lee", "address": "127.0.0.1", "last_ms": 1700000000000}],
        "house_events": [{"seq": 1, "body": '{"seq":1}', "hash": b"the last hash of the house      "}],
    }
}
"""By schema and table. A later schema gets its own entry with whatever it added."""


def write_earlier(connection: Connection, revision: str) -> None:
    """Write the rows of a schema."""
    connection.begin_write()
    for table, rows in ROWS[revision].items():
        for row in rows:
            connection.insert(table, list(row), [list(row.values())])
    connection.commit()


def rows_of(connection: Connection, revision: str) -> dict[str, list[dict[str, Any]]]:
    """Those rows as they are in a database now, by the columns they had.

    A step, and a restore, write to the chain of the house: its end is taken to be where it ended then.
    """
    found: dict[str, list[dict[str, Any]]] = {
        table: [
            dict(zip(rows[0], found, strict=True))
            for found in connection.all(f"SELECT {', '.join(rows[0])} FROM {table} ORDER BY 1, 2")
            if found[0] in [next(iter(row.values())) for row in rows]  # a step may add rows of its own
        ]
        for table, rows in ROWS[revision].items()
    }
    [first] = [row for row in found["house_events"] if row["seq"] == 1]
    chains = [row for row in found["chains"] if row["id"] != "house"]
    return {**found, "chains": [*chains, {"id": "house", "version": 1, "head": first["hash"]}]}
