"""What a floor needs around its tables: the decisions of the house, and what people and cage leave behind.

Only tables and columns with a default are added, so that a server of the version before goes on while this runs.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256

from alembic import op
from sqlalchemy import Connection, text

from punto.store.connection import DatabaseKind
from punto.store.migration import in_words_of

revision = "v2"
down_revision = "v1"

STATEMENTS = (
    """
CREATE TABLE gaming_days (
    day TEXT NOT NULL,
    from_ms BIGINT NOT NULL,
    to_ms BIGINT NOT NULL,
    closed_ms BIGINT NOT NULL,
    closed_by TEXT NOT NULL,
    figures TEXT NOT NULL,
    files TEXT NOT NULL,
    PRIMARY KEY (day)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE house_settings (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE stops (
    what TEXT NOT NULL,
    stopped_by TEXT NOT NULL,
    stopped_ms BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (what)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE second_factors (
    handle TEXT NOT NULL,
    sealed BLOB NOT NULL,
    since_ms BIGINT NOT NULL,
    last_step BIGINT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE begun_factors (
    handle TEXT NOT NULL,
    sealed BLOB NOT NULL,
    expires_ms BIGINT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE recovery_codes (
    handle TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (handle, digest),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE invitations (
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    role TEXT NOT NULL,
    currency TEXT NOT NULL,
    buy_in BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    made_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    used_by TEXT,
    used_ms BIGINT,
    withdrawn_by TEXT,
    withdrawn_ms BIGINT,
    PRIMARY KEY (id),
    CONSTRAINT invitations_digest UNIQUE (digest)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE shut_log_ins (
    handle TEXT NOT NULL,
    shut_by TEXT NOT NULL,
    shut_ms BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    "ALTER TABLE sessions ADD COLUMN address TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE sessions ADD COLUMN active_ms BIGINT DEFAULT 0 NOT NULL",
    "ALTER TABLE sessions ADD COLUMN before_ms BIGINT DEFAULT 0 NOT NULL",
    "ALTER TABLE sessions ADD COLUMN before_address TEXT DEFAULT '' NOT NULL",
    "ALTER TABLE movements ADD COLUMN commission BIGINT DEFAULT 0 NOT NULL",
    """
CREATE TABLE player_days (
    handle TEXT NOT NULL,
    day TEXT NOT NULL,
    staked BIGINT NOT NULL,
    won BIGINT NOT NULL,
    staked_told BIGINT NOT NULL,
    won_told BIGINT NOT NULL,
    PRIMARY KEY (handle, day)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE repeated_events (
    code TEXT NOT NULL,
    subject TEXT NOT NULL,
    hour BIGINT NOT NULL,
    count BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (code, subject)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE disputes (
    id TEXT NOT NULL,
    table_id TEXT NOT NULL,
    round BIGINT NOT NULL,
    player TEXT NOT NULL,
    text TEXT NOT NULL,
    raised_ms BIGINT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    answered_ms BIGINT,
    PRIMARY KEY (id),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID
""",
    "CREATE UNIQUE INDEX disputes_round ON disputes (table_id, round, player)",
    """
CREATE TABLE shifts (
    number BIGINT NOT NULL,
    cashier TEXT NOT NULL,
    currency TEXT NOT NULL,
    opened_ms BIGINT NOT NULL,
    opener TEXT NOT NULL,
    opened BIGINT NOT NULL,
    first BIGINT NOT NULL,
    closed_ms BIGINT,
    closer TEXT,
    closed BIGINT,
    expected BIGINT,
    last BIGINT,
    PRIMARY KEY (number)
)
 WITHOUT ROWID
""",
    "CREATE UNIQUE INDEX shifts_open ON shifts (cashier) WHERE closed_ms IS NULL",
    """
CREATE TABLE rack_slips (
    number BIGINT NOT NULL,
    table_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    chips TEXT NOT NULL,
    amount BIGINT NOT NULL,
    expected BIGINT,
    movement BIGINT NOT NULL,
    time_ms BIGINT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    second TEXT NOT NULL,
    second_role TEXT NOT NULL,
    "key" TEXT,
    PRIMARY KEY (number),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID
""",
    'CREATE UNIQUE INDEX rack_slips_actor_key ON rack_slips (actor, "key") WHERE key IS NOT NULL',
    "ALTER TABLE accounts ADD COLUMN kind TEXT DEFAULT 'player' NOT NULL",
    """
CREATE TABLE devices (
    id TEXT NOT NULL,
    table_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    issued_ms BIGINT NOT NULL,
    revoked_by TEXT,
    revoked_ms BIGINT,
    PRIMARY KEY (id),
    CONSTRAINT devices_digest UNIQUE (digest),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE plays (
    handle TEXT NOT NULL,
    play TEXT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE protections (
    handle TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (handle, kind),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE servers (
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    seen_ms BIGINT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE leases (
    table_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    problem TEXT,
    PRIMARY KEY (table_id)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE notices (
    id INTEGER NOT NULL,
    told_ms BIGINT NOT NULL,
    teller TEXT NOT NULL,
    topic TEXT NOT NULL,
    PRIMARY KEY (id)
)
""",
    """
INSERT INTO marks (name, value)
SELECT 'play-after', CAST(last AS TEXT) FROM (SELECT MAX(id) AS last FROM movements) AS moved WHERE last IS NOT NULL
""",  # what was moved before is in no total of play
)


def upgrade() -> None:
    kind = DatabaseKind.SQLITE if op.get_bind().dialect.name == "sqlite" else DatabaseKind.POSTGRESQL
    for statement in STATEMENTS:
        op.execute(in_words_of(kind, statement))
    _begin_events(op.get_bind())


def _begin_events(bind: Connection) -> None:
    """Say where every table stood: what happened there before is in its own events, and in no act of the house."""
    tables = bind.execute(text("SELECT id, version FROM tables WHERE NOT imported ORDER BY id")).all()
    if not tables:
        return
    held = "SELECT version, head FROM chains WHERE id = 'house'"
    number, head = bind.execute(text(held)).one_or_none() or (0, sha256(b"punto/1/house").digest())
    cashier = bind.execute(text("SELECT version FROM chains WHERE id = 'cashier'")).scalar() or 0
    act = {
        **{"seq": number + 1, "time": int(time.time() * 1000), "code": "events-begun", "subject": "stream/house"},
        **{"who": "house", "second": None, "before": None, "after": {"cashier": cashier}, "reason": None},
        **{"table": None, "event": None, "round": None, "stood": {str(id): int(version) for id, version in tables}},
    }
    body = json.dumps(act, separators=(",", ":"), ensure_ascii=False)
    values = {"seq": number + 1, "body": body, "hash": sha256(bytes(head) + body.encode()).digest()}
    bind.execute(text("INSERT INTO house_events (seq, body, hash) VALUES (:seq, :body, :hash)"), values)
    kept = "UPDATE chains SET version = :seq, head = :hash WHERE id = 'house'"
    if not number:
        bind.execute(text("DELETE FROM chains WHERE id = 'house'"))
        kept = "INSERT INTO chains (id, version, head) VALUES ('house', :seq, :hash)"
    bind.execute(text(kept), values)
