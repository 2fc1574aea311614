"""What the house has decided for its whole floor, as it is stored: names and values, and who changed them.

Command line and every server process obey the same decisions, so they stand in the database and in no file.
"""

from __future__ import annotations

from collections.abc import Mapping

from punto.store.chain import HouseCode, Subject
from punto.store.reader import Reader
from punto.store.transaction import Transaction

HOUSE_RULES = Subject.RULES.of("house")  # What the acts that change them are about.


def stored_settings(reader: Reader) -> dict[str, str]:
    """Every decision that is not the default, by name."""
    return dict(reader.connection.all("SELECT name, value FROM house_settings ORDER BY name"))


def keep_settings(transaction: Transaction, settings: Mapping[str, str], by: str, now: int, reason: str = "") -> bool:
    """Keep these decisions and no others; whether anything has changed. The act names the whole of both.

    All tables are held meanwhile, and the act says where each of them stood: from there on its stakes and wins are
    looked at by the new thresholds, and whoever verifies knows by which.
    """
    held = transaction.lock_tables(table.id for table in transaction.tables())
    transaction.connection.lock("house-settings")
    before = stored_settings(transaction)
    if settings == before:
        return False
    after, why = dict(settings) or None, reason or None
    stood = {id: table.version for id, table in held.items() if not table.imported}
    what = {"before": before or None, "after": after, "reason": why, "stood": stood}
    transaction.note(HouseCode.RULES_CHANGED, HOUSE_RULES, by, now, **what)
    transaction.connection.run("DELETE FROM house_settings")
    transaction.connection.insert("house_settings", ("name", "value"), sorted(settings.items()))
    return True
