"""The store of a house: event logs, commands, ledger and sealed seeds in one database, SQLite or PostgreSQL.

with open_store("house.db") as store, store.write() as transaction:
    transaction.append("t1", expected, events)
"""
