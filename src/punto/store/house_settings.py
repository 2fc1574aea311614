"""What the house has decided for its whole floor, as it is stored: names and values, and who changed them.

Command line and every server process obey the same decisions, so they stand in the database and in no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

import msgspec

from punto.ledger.play import PlayDay
from punto.store.chain import CASHIER, HouseCode, Subject, hold_chain
from punto.store.reader import Reader
from punto.store.transaction import Transaction

MINUTE_MS = 60_000
_MOST_MINUTES = 30_000_000 * 24  # Between the years 601 and 3338.
HOUSE_RULES = Subject.RULES.of("house")  # What the acts that change them are about.
CASHIER_STOOD = "/cashier"  # Where the cashier's chain stood, among tables: no table is called so.


class GamingDay(msgspec.Struct, frozen=True):
    """When a gaming day begins: at an hour of the house, in its time zone."""

    time_zone: str = "UTC"
    day_begins: str = "06:00"

    def day_of(self, now: int) -> date:
        """The gaming day in which a moment lies; milliseconds."""
        moment = datetime.fromtimestamp(now / 1000, zone_of(self.time_zone))
        day = (moment.replace(tzinfo=None) - self._begins).date()
        # Where clocks are put on or back at the very hour at which days begin, the next or the last day has that hour.
        if now < self.day_start(day):
            return day - timedelta(days=1)
        return day + timedelta(days=1) if now >= self.day_start(day + timedelta(days=1)) else day

    def play_day(self, now: int) -> PlayDay:
        """The gaming day in which a moment lies, its week from Monday on and its month, as numbers."""
        return _play_day(self, now // MINUTE_MS)

    def day_start(self, day: date) -> int:
        """When a gaming day begins, in milliseconds."""
        local = datetime.combine(day, time()) + self._begins
        return round(local.replace(tzinfo=zone_of(self.time_zone)).timestamp() * 1000)

    @property
    def _begins(self) -> timedelta:
        hour, minute = self.day_begins.split(":")
        return timedelta(hours=int(hour), minutes=int(minute))


@lru_cache(maxsize=4096)
def _play_day(gaming_day: GamingDay, minute: int) -> PlayDay:
    """Of a minute, which lies in one day: asked for every bet. Times beyond all calendars are those at their ends."""
    day = gaming_day.day_of(min(max(minute, -_MOST_MINUTES), _MOST_MINUTES) * MINUTE_MS)
    number = day.toordinal()
    return PlayDay(number, (number - 1) // 7, day.year * 12 + day.month)


@lru_cache(maxsize=16)
def zone_of(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def gaming_day_of(settings: Mapping[str, str]) -> GamingDay:
    """The gaming day by stored settings, whatever else they say."""
    told = {name: msgspec.json.decode(settings[name]) for name in GamingDay.__struct_fields__ if name in settings}
    return msgspec.convert(told, type=GamingDay)


def stored_settings(reader: Reader) -> dict[str, str]:
    """Every decision that is not the default, by name."""
    return dict(reader.connection.all("SELECT name, value FROM house_settings ORDER BY name"))


def hold_settings(transaction: Transaction) -> None:
    """Nobody changes the decisions until this transaction ends."""
    transaction.connection.lock("house-settings")


def keep_settings(transaction: Transaction, settings: Mapping[str, str], by: str, now: int, reason: str = "") -> bool:
    """Keep these decisions and no others; whether anything has changed. The act names the whole of both.

    All tables are held meanwhile, and so is the cashier; the act says where each of them stood: from there on stakes,
    wins and cash are looked at by the new thresholds, and whoever verifies knows by which.
    """
    held = transaction.lock_tables(table.id for table in transaction.tables())
    hold_settings(transaction)
    before = stored_settings(transaction)
    if settings == before:
        return False
    after, why = dict(settings) or None, reason or None
    stood = {id: table.version for id, table in held.items() if not table.imported}
    stood[CASHIER_STOOD], _ = hold_chain(transaction.connection, CASHIER)
    what = {"before": before or None, "after": after, "reason": why, "stood": stood}
    transaction.note(HouseCode.RULES_CHANGED, HOUSE_RULES, by, now, **what)
    transaction.connection.run("DELETE FROM house_settings")
    transaction.connection.insert("house_settings", ("name", "value"), sorted(settings.items()))
    return True
