-- The tables of a database, said once, in the words of SQLite. `migration` makes a new database from these statements,
-- and has the few words in which PostgreSQL says the same. A change takes a step in `versions` as well.
--
-- The stream of a table is `events`; what was asked of it, refused commands too, is `commands`; every chip that moved is
-- in `movements` and `postings`, and `balances` is their sum. What can be erased (`people`) and what is secret (`seeds`)
-- stand by themselves. `events.hash`, `tables.head`, `commands.hash`, `tables.asked_head` and `chains` are the chains of
-- hashes, and what the house itself did is in `house_events`. Who may come in, and as what, is in `roles`, `sessions`,
-- `tickets`, `failures`, `known_addresses`, `shut_log_ins`,
-- `second_factors`, `begun_factors`, `recovery_codes` and `invitations`; what waits for a second person is in `approvals`, and who was called to a
-- table in `pit_calls`, at most one at a time. Rounds that players dispute are in
-- `disputes`. A key of `movements` is the cashier's, and good for one. `marks` says what
-- the database is, and `house_settings` what the house has decided for its whole floor. What is stopped stands in
-- `stops`. `player_days` has what players staked and won in a gaming day, where the house has a threshold for it, and
-- `repeated_events` what is told once an hour and counted. Chips that were counted at tables are in `rack_slips`, the shifts
-- of cashiers in `shifts`. What protects a player is in `protections`, and what the
-- player's play has come to in `plays`. Which servers run, which of them deals where, and what they tell each other is in
-- `servers`, `leases` and `notices`: nothing of it is worth keeping. Every table stands after those that it points to.

CREATE TABLE punto_schema (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT punto_schema_pkc PRIMARY KEY (version_num)
);

CREATE TABLE accounts (
    handle TEXT NOT NULL,
    currency TEXT NOT NULL,
    opened_ms BIGINT NOT NULL,
    kind TEXT DEFAULT 'player' NOT NULL,
    PRIMARY KEY (handle)
)
 WITHOUT ROWID;

CREATE TABLE balances (
    account TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (account),
    CONSTRAINT balances_below_zero CHECK (amount >= 0 OR account LIKE 'bank/%' OR account LIKE 'cash/%')
)
 WITHOUT ROWID;

CREATE TABLE books (
    digest TEXT NOT NULL,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (digest)
)
 WITHOUT ROWID;

CREATE TABLE chains (
    id TEXT NOT NULL,
    version BIGINT NOT NULL,
    head BLOB NOT NULL,
    PRIMARY KEY (id)
)
 WITHOUT ROWID;

CREATE TABLE failures (
    subject TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_ms BIGINT NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (subject)
)
 WITHOUT ROWID;

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
 WITHOUT ROWID;

CREATE TABLE house_events (
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (seq)
)
 WITHOUT ROWID;

CREATE TABLE house_settings (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID;

CREATE TABLE marks (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID;

CREATE TABLE player_days (
    handle TEXT NOT NULL,
    day TEXT NOT NULL,
    staked BIGINT NOT NULL,
    won BIGINT NOT NULL,
    staked_told BIGINT NOT NULL,
    won_told BIGINT NOT NULL,
    PRIMARY KEY (handle, day)
)
 WITHOUT ROWID;

CREATE TABLE repeated_events (
    code TEXT NOT NULL,
    subject TEXT NOT NULL,
    hour BIGINT NOT NULL,
    count BIGINT NOT NULL,
    last_ms BIGINT NOT NULL,
    details TEXT NOT NULL,
    PRIMARY KEY (code, subject)
)
 WITHOUT ROWID;

CREATE TABLE tickets (
    ticket TEXT NOT NULL,
    token TEXT NOT NULL,
    expires_ms BIGINT NOT NULL,
    PRIMARY KEY (ticket)
)
 WITHOUT ROWID;

CREATE TABLE known_addresses (
    handle TEXT NOT NULL,
    address TEXT NOT NULL,
    last_ms BIGINT NOT NULL,
    PRIMARY KEY (handle, address),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE people (
    handle TEXT NOT NULL,
    display TEXT,
    contact TEXT,
    password TEXT,
    drawn BOOLEAN NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE plays (
    handle TEXT NOT NULL,
    play TEXT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE protections (
    handle TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (handle, kind),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE roles (
    handle TEXT NOT NULL,
    role TEXT NOT NULL,
    granted_by TEXT NOT NULL,
    granted_ms BIGINT NOT NULL,
    PRIMARY KEY (handle, role),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE sessions (
    token TEXT NOT NULL,
    handle TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    authenticated_ms BIGINT NOT NULL,
    address TEXT DEFAULT '' NOT NULL,
    active_ms BIGINT DEFAULT 0 NOT NULL,
    before_ms BIGINT DEFAULT 0 NOT NULL,
    before_address TEXT DEFAULT '' NOT NULL,
    PRIMARY KEY (token),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE INDEX sessions_handle ON sessions (handle);

CREATE TABLE second_factors (
    handle TEXT NOT NULL,
    sealed BLOB NOT NULL,
    since_ms BIGINT NOT NULL,
    last_step BIGINT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE begun_factors (
    handle TEXT NOT NULL,
    sealed BLOB NOT NULL,
    expires_ms BIGINT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE recovery_codes (
    handle TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (handle, digest),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

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
 WITHOUT ROWID;

CREATE TABLE shut_log_ins (
    handle TEXT NOT NULL,
    shut_by TEXT NOT NULL,
    shut_ms BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (handle),
    FOREIGN KEY(handle) REFERENCES accounts (handle)
)
 WITHOUT ROWID;

CREATE TABLE stops (
    what TEXT NOT NULL,
    stopped_by TEXT NOT NULL,
    stopped_ms BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (what)
)
 WITHOUT ROWID;

CREATE TABLE tables (
    id TEXT NOT NULL,
    digest TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_ms BIGINT NOT NULL,
    imported BOOLEAN NOT NULL,
    head BLOB NOT NULL,
    asked BIGINT NOT NULL,
    asked_head BLOB NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(digest) REFERENCES books (digest)
)
 WITHOUT ROWID;

CREATE TABLE approvals (
    id TEXT NOT NULL,
    table_id TEXT,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    "key" TEXT NOT NULL,
    body TEXT NOT NULL,
    version BIGINT,
    needs TEXT NOT NULL,
    asked_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    decision TEXT,
    decided_by TEXT,
    decided_ms BIGINT,
    answer TEXT,
    expected BIGINT,
    mac BLOB NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT approvals_actor_key UNIQUE (actor, "key"),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;

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
 WITHOUT ROWID;

CREATE TABLE commands (
    id INTEGER NOT NULL,
    table_id TEXT,
    version BIGINT,
    first_seq BIGINT,
    last_seq BIGINT,
    actor TEXT NOT NULL,
    "key" TEXT,
    body TEXT NOT NULL,
    refusal TEXT,
    answer TEXT,
    expected BIGINT,
    hash BLOB NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT commands_actor_key UNIQUE (actor, "key"),
    FOREIGN KEY(table_id) REFERENCES tables (id)
);

CREATE INDEX commands_table ON commands (table_id, id);

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
 WITHOUT ROWID;

CREATE UNIQUE INDEX disputes_round ON disputes (table_id, round, player);

CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    v INTEGER NOT NULL,
    "key" TEXT,
    body TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;

CREATE INDEX events_late ON events (table_id, seq) WHERE substr(body, 1, 26) = '{"type":"error-found-late"';

CREATE TABLE movements (
    id INTEGER NOT NULL,
    table_id TEXT,
    seq BIGINT,
    time_ms BIGINT NOT NULL,
    kind TEXT NOT NULL,
    round BIGINT,
    box INTEGER,
    area TEXT,
    player TEXT,
    clause TEXT,
    reason TEXT,
    actor TEXT,
    second TEXT,
    hash BLOB,
    "key" TEXT,
    commission BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(table_id) REFERENCES tables (id)
);

CREATE UNIQUE INDEX movements_actor_key ON movements (actor, "key") WHERE key IS NOT NULL;

CREATE INDEX movements_table_time ON movements (table_id, time_ms);

CREATE TABLE pit_calls (
    id TEXT NOT NULL,
    table_id TEXT NOT NULL,
    caller TEXT NOT NULL,
    role TEXT NOT NULL,
    reason TEXT,
    called_ms BIGINT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    answered_ms BIGINT,
    PRIMARY KEY (id),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;

CREATE INDEX pit_calls_answered ON pit_calls (answered_ms);

CREATE UNIQUE INDEX pit_calls_open ON pit_calls (table_id) WHERE answer IS NULL;

CREATE TABLE runs (
    table_id TEXT NOT NULL,
    dealer TEXT NOT NULL,
    pace TEXT,
    bots TEXT NOT NULL,
    PRIMARY KEY (table_id),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;

CREATE TABLE seeds (
    table_id TEXT NOT NULL,
    shoe BIGINT NOT NULL,
    algorithm TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (table_id, shoe),
    FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID;

CREATE TABLE snapshots (
    table_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, seq),
    FOREIGN KEY(table_id) REFERENCES tables (id)
);

CREATE TABLE postings (
    movement_id BIGINT NOT NULL,
    line INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount BIGINT NOT NULL,
    PRIMARY KEY (movement_id, line),
    FOREIGN KEY(movement_id) REFERENCES movements (id)
)
 WITHOUT ROWID;

CREATE INDEX postings_account ON postings (account, movement_id, amount);

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
 WITHOUT ROWID;

CREATE UNIQUE INDEX shifts_open ON shifts (cashier) WHERE closed_ms IS NULL;

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
 WITHOUT ROWID;

CREATE UNIQUE INDEX rack_slips_actor_key ON rack_slips (actor, "key") WHERE key IS NOT NULL;

CREATE TABLE servers (
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    seen_ms BIGINT NOT NULL,
    PRIMARY KEY (name)
)
 WITHOUT ROWID;

CREATE TABLE leases (
    table_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    problem TEXT,
    PRIMARY KEY (table_id)
)
 WITHOUT ROWID;

CREATE TABLE notices (
    id INTEGER NOT NULL,
    told_ms BIGINT NOT NULL,
    teller TEXT NOT NULL,
    topic TEXT NOT NULL,
    PRIMARY KEY (id)
);

