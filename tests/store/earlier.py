"""Rows of every earlier schema, as programs of that time wrote them: what migrations must carry over."""

from __future__ import annotations

from typing import Any

from punto.store.connection import Connection

_TABLE = b"the last hash of a table".ljust(32)
_CASHIER = b"the last hash of the cashier".ljust(32)
_ASKED = b"the last hash of commands".ljust(32)
_ACT = b"the last hash of the house".ljust(32)

ROWS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "0001": {
        "books": [{"digest": "d" * 64, "name": "mine", "document": '{"name":"mine"}'}],
        "tables": [{"id": "t1", "digest": "d" * 64, "version": 1, "created_ms": 1700000000000, "imported": False}],
        "events": [{"table_id": "t1", "seq": 1, "v": 1, "key": "k", "body": '{"type":"table-paused"}'}],
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
            }
        ],
        "accounts": [{"handle": "Lee", "currency": "USD", "opened_ms": 1700000000000}],
        "people": [{"handle": "Lee", "display": "Lee Wong", "contact": None, "password": None}],
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
            }
        ],
        "postings": [
            {"movement_id": 1, "line": 1, "account": "cash/USD", "amount": -5_000_000_000_000},
            {"movement_id": 1, "line": 2, "account": "player/Lee", "amount": 5_000_000_000_000},
        ],
        "balances": [
            {"account": "cash/USD", "amount": -5_000_000_000_000},
            {"account": "player/Lee", "amount": 5_000_000_000_000},
        ],
        "seeds": [{"table_id": "t1", "shoe": 1, "algorithm": "chacha20", "sealed": b"\0\1\2"}],
        "snapshots": [{"table_id": "t1", "seq": 1, "fingerprint": "f" * 64, "body": b"{}"}],
    }
}
ROWS["0002"] = {
    **ROWS["0001"],
    "tables": [{**ROWS["0001"]["tables"][0], "head": _TABLE}],
    "events": [{**ROWS["0001"]["events"][0], "hash": _TABLE}],
    "movements": [{**ROWS["0001"]["movements"][0], "hash": _CASHIER}],
    "chains": [{"id": "cashier", "version": 1, "head": _CASHIER}],
}
ROWS["0003"] = {
    **ROWS["0002"],
    "roles": [{"handle": "Lee", "role": "dealer", "granted_by": "Ada", "granted_ms": 1700000000000}],
    "sessions": [
        {
            "token": "5" * 64,
            "handle": "Lee",
            "created_ms": 1700000000000,
            "expires_ms": 1700000001000,
            "authenticated_ms": 1700000000000,
        }
    ],
    "tickets": [{"ticket": "7" * 64, "token": "5" * 64, "expires_ms": 1700000000500}],
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
        }
    ],
    "failures": [{"subject": "name/Lee", "count": 2, "last_ms": 1700000000000, "until_ms": 0}],
}
ROWS["0004"] = {**ROWS["0003"], "runs": [{"table_id": "t1", "dealer": "automatic", "pace": None, "bots": "[]"}]}
"""By schema and table. A later schema gets its own entry with whatever it added."""

ROWS["0005"] = ROWS["0004"]
ROWS["0006"] = {
    **ROWS["0005"],
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
}
ROWS["0007"] = {
    **ROWS["0006"],
    "commands": [{**ROWS["0006"]["commands"][0], "expected": None}],
    "approvals": [{**ROWS["0006"]["approvals"][0], "expected": 1}],
}
ROWS["0008"] = {
    **ROWS["0007"],
    "marks": [{"name": "demonstration", "value": "abc"}],
    "known_addresses": [{"handle": "Lee", "address": "127.0.0.1", "last_ms": 1700000000000}],
}
ROWS["0009"] = {
    **ROWS["0008"],
    "tables": [{**ROWS["0008"]["tables"][0], "asked": 1, "asked_head": _ASKED}],
    "commands": [{**ROWS["0008"]["commands"][0], "hash": _ASKED}],
    "movements": [{**ROWS["0008"]["movements"][0], "key": "k"}],
    "approvals": [{**ROWS["0008"]["approvals"][0], "mac": b"signed"}],
    "chains": [*ROWS["0008"]["chains"], {"id": "house", "version": 1, "head": _ACT}],
    "house_events": [{"seq": 1, "body": '{"seq":1}', "hash": _ACT}],
}


def write_earlier(connection: Connection, revision: str) -> None:
    """Write the rows of a schema."""
    connection.begin_write()
    for table, rows in ROWS[revision].items():
        for row in rows:
            connection.insert(table, list(row), [list(row.values())])
    connection.commit()


def rows_of(connection: Connection | None, revision: str) -> dict[str, list[dict[str, Any]]]:
    """Those rows as they are in a database now, by the columns they had; without one, as they were."""
    if connection is None:
        return ROWS[revision]
    return {
        table: [
            dict(zip(rows[0], found, strict=True))
            for found in connection.all(f"SELECT {', '.join(rows[0])} FROM {table} ORDER BY 1, 2")
            if found[0] in [next(iter(row.values())) for row in rows]  # a step may add rows of its own
        ]
        for table, rows in ROWS[revision].items()
    }
