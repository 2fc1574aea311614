"""The store of a house: event logs, commands, ledger and sealed seeds in one database, SQLite or PostgreSQL.

with open_store("house.db") as store, store.write() as transaction:
    transaction.append("t1", expected, events)
"""

from __future__ import annotations

import re

TABLE_ID = re.compile("[a-z0-9-]{1,40}")  # How the id of a table is written.
