"""The tables of a database, said once, as SQLAlchemy describes them.

Nothing here is loaded to play: the statements in `reader` and `transaction` go to the drivers themselves.
tools/newest_schema.py writes these tables down as statements, from which new databases are made; run it after
a change. `migration` brings older databases here, and a test holds that they arrive.

The stream of a table is `events`; what was asked of it, refused commands too, is `commands`; every chip that
moved is in `movements` and `postings`, and `balances` is their sum. What can be erased (`people`) and what is
secret (`seeds`) stand by themselves. `events.hash`, `tables.head`, `commands.hash`, `tables.asked_head` and
`chains` are the chains of hashes; what the house itself did is in `house_events`.
Who may come in, and as what, is in `roles`, `sessions`, `tickets`, `failures` and `known_addresses`; what
waits for a second person is in `approvals`, and who was called to a table in `pit_calls`. `marks` says what
the database is.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from punto.ledger.movement import BELOW_ZERO, AccountKind
from punto.store.migration import MARK
from punto.store.reader import FOUND_LATE

metadata = MetaData()

_Id = BigInteger().with_variant(Integer, "sqlite")
"""Numbers that the database gives; SQLite gives them to INTEGER only."""

NEVER_BELOW_ZERO = " OR ".join(
    ["amount >= 0", *(f"account LIKE '{kind.value}/%'" for kind in AccountKind if kind in BELOW_ZERO)]
)

OPEN = "answer IS NULL"  # Calls that nobody has answered yet: a table has at most one.

KEYED = "key IS NOT NULL"
"""Movements that somebody asked for under a key: they are the cashier's, and a key is good for one."""

revision_mark = Table(
    MARK,
    MetaData(),  # Alembic's own, which no backup holds
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{MARK}_pkc"),
)

books = Table(
    "books",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("document", Text, nullable=False),
    sqlite_with_rowid=False,
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("digest", Text, ForeignKey("books.digest"), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("imported", Boolean(create_constraint=False), nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("asked", BigInteger, nullable=False),
    Column("asked_head", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("v", Integer, nullable=False),
    Column("key", Text),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Index("events_late", "table_id", "seq", sqlite_where=text(FOUND_LATE), postgresql_where=text(FOUND_LATE)),
    sqlite_with_rowid=False,
)

commands = Table(
    "commands",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id")),
    Column("version", BigInteger),
    Column("first_seq", BigInteger),
    Column("last_seq", BigInteger),
    Column("actor", Text, nullable=False),
    Column("key", Text),
    Column("body", Text, nullable=False),
    Column("refusal", Text),
    Column("answer", Text),
    Column("expected", BigInteger),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("actor", "key", name="commands_actor_key"),
    Index("commands_table", "table_id", "id"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("handle", Text, primary_key=True),
    Column("currency", Text, nullable=False),
    Column("opened_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

people = Table(
    "people",
    metadata,
    Column("handle", Text, ForeignKey("accounts.handle"), primary_key=True),
    Column("display", Text),
    Column("contact", Text),
    Column("password", Text),
    Column("drawn", Boolean(create_constraint=False), nullable=False),
    sqlite_with_rowid=False,
)

movements = Table(
    "movements",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id")),
    Column("seq", BigInteger),
    Column("time_ms", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("round", BigInteger),
    Column("box", Integer),
    Column("area", Text),
    Column("player", Text),
    Column("clause", Text),
    Column("reason", Text),
    Column("actor", Text),
    Column("second", Text),
    Column("hash", LargeBinary),
    Column("key", Text),
    Index("movements_table_time", "table_id", "time_ms"),
    Index(
        *("movements_actor_key", "actor", "key"), unique=True, sqlite_where=text(KEYED), postgresql_where=text(KEYED)
    ),
)

postings = Table(
    "postings",
    metadata,
    Column("movement_id", BigInteger, ForeignKey("movements.id"), primary_key=True, autoincrement=False),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("account", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Index("postings_account", "account", "movement_id", "amount"),
    sqlite_with_rowid=False,
)

balances = Table(
    "balances",
    metadata,
    Column("account", Text, primary_key=True),
    Column("amount", BigInteger, nullable=False),
    CheckConstraint(NEVER_BELOW_ZERO, name="balances_below_zero"),
    sqlite_with_rowid=False,
)

seeds = Table(
    "seeds",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("shoe", BigInteger, primary_key=True, autoincrement=False),
    Column("algorithm", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

chains = Table(
    "chains",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

house_events = Table(
    "house_events",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

roles = Table(
    "roles",
    metadata,
    Column("handle", Text, ForeignKey("accounts.handle"), primary_key=True),
    Column("role", Text, primary_key=True),
    Column("granted_by", Text, nullable=False),
    Column("granted_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

sessions = Table(
    "sessions",
    metadata,
    Column("token", Text, primary_key=True),
    Column("handle", Text, ForeignKey("accounts.handle"), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("authenticated_ms", BigInteger, nullable=False),
    Index("sessions_handle", "handle"),
    sqlite_with_rowid=False,
)

tickets = Table(
    "tickets",
    metadata,
    Column("ticket", Text, primary_key=True),
    Column("token", Text, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

approvals = Table(
    "approvals",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id")),
    Column("actor", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("version", BigInteger),
    Column("needs", Text, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("decision", Text),
    Column("decided_by", Text),
    Column("decided_ms", BigInteger),
    Column("answer", Text),
    Column("expected", BigInteger),
    Column("mac", LargeBinary, nullable=False),
    UniqueConstraint("actor", "key", name="approvals_actor_key"),
    sqlite_with_rowid=False,
)

pit_calls = Table(
    "pit_calls",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("caller", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("reason", Text),
    Column("called_ms", BigInteger, nullable=False),
    Column("answer", Text),
    Column("answered_by", Text),
    Column("answered_ms", BigInteger),
    Index("pit_calls_open", "table_id", unique=True, sqlite_where=text(OPEN), postgresql_where=text(OPEN)),
    Index("pit_calls_answered", "answered_ms"),
    sqlite_with_rowid=False,
)

failures = Table(
    "failures",
    metadata,
    Column("subject", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

known_addresses = Table(
    "known_addresses",
    metadata,
    Column("handle", Text, ForeignKey("accounts.handle"), primary_key=True),
    Column("address", Text, primary_key=True),
    Column("last_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

marks = Table(
    "marks",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

runs = Table(
    "runs",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("dealer", Text, nullable=False),
    Column("pace", Text),
    Column("bots", Text, nullable=False),
    sqlite_with_rowid=False,
)
