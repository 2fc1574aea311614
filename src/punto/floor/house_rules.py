"""The rules of the house: what it has decided for its whole floor, beside the terms of each table.

They are kept in the database, because the command line and every server process obey the same ones; whoever
changes them is written down with what they were before. The gaming day is one of them: it begins at an hour of
the house, in its time zone, and everything that is counted by day is counted by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, get_type_hints
from zoneinfo import ZoneInfoNotFoundError

import msgspec

from punto.audit.significant_events import CashPeriod
from punto.floor.profile import Profile, WrongProfile, named_profile, read_profile
from punto.malformed import complaint_of
from punto.refusal import Reason, Refusal
from punto.store.house_settings import GamingDay, keep_settings, stored_settings, zone_of
from punto.store.reader import Reader
from punto.store.store import Store
from punto.store.witness import DEMONSTRATION, mark_of
from punto.suggestion import did_you_mean

Amount = Annotated[int, msgspec.Meta(ge=1, le=10**15)]


class WrongRule(Exception):
    """A rule of the house cannot be what was asked for; the message is one sentence."""


class MoneyKind(Enum):
    """What is played for."""

    PLAY = "play"
    REAL = "real"


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the house has decided for its whole floor. Amounts are minor units.

    Rules that belong together stand together: the office shows them in this order, in the groups of `rule_form`.
    """

    profile: Profile = Profile("open")
    """What the floor asks of everybody: `open`, `training`, `strict`, or a TOML file of your own."""
    operator: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """Who runs the floor, as reports name them."""
    time_zone: str = "UTC"
    """The time zone of the house, such as Asia/Macau."""
    day_begins: Annotated[str, msgspec.Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] = "06:00"
    """When a gaming day begins, in that time zone."""
    money: MoneyKind | None = None
    """What is played for, `play` money or `real`; without it play money in a demonstration, and real money
    elsewhere.
    """
    shortest_betting_seconds: Annotated[int, msgspec.Meta(ge=0, le=600)] = 0
    """Bets stay open for at least this many seconds: whoever closes them sooner is refused, and the automatic dealer
    waits.
    """
    seat_kept_minutes: Annotated[int, msgspec.Meta(ge=1, le=1440)] = 30
    """For how many minutes a seat is kept for a player who is marked as away, or who does nothing; whoever logs out
    gives it back at once.
    """
    dispute_days: Annotated[int, msgspec.Meta(ge=0, le=365)] = 7
    """For how many days after a round a player can dispute it; 0 for never."""
    watch_delay_seconds: Annotated[int, msgspec.Meta(ge=0, le=86_400)] | None = None
    """How many seconds late people without an account see the tables; without it they see nothing."""
    shifts_required: bool = False
    """Whether cashiers take and pay cash only in an open shift."""
    rack_difference: Amount | None = 2500
    """A count of a rack or of a drawer that differs by more than this is a significant event."""
    large_cash: Amount | None = None
    """A buy-in or a cash-out of this much or more is large cash: it is marked to the cashier before it is confirmed
    (`large-cash`), is a significant event, and stands in the report of the cashier. Bots of the house have none.
    """
    large_cash_period: CashPeriod = CashPeriod.DAY
    """`day`: all buy-ins of one person in a gaming day count together, and so do all cash-outs; `single`: each counts
    by itself.
    """
    large_stake: Amount | None = None
    """A stake of this much or more is a significant event."""
    large_win: Amount | None = None
    """A round that brings one player this much or more is a significant event."""
    large_day: Amount | None = None
    """Stakes, or wins, of one player that come to this much in a gaming day are a significant event."""

    @property
    def gaming_day(self) -> GamingDay:
        return GamingDay(self.time_zone, self.day_begins)

    def day_of(self, now: int) -> date:
        """The gaming day in which a moment lies; milliseconds."""
        return self.gaming_day.day_of(now)

    def day_start(self, day: date) -> int:
        """When a gaming day begins, in milliseconds."""
        return self.gaming_day.day_start(day)


NAMES = HouseRules.__struct_fields__
AMOUNTS = tuple(name for name, kind in get_type_hints(HouseRules, include_extras=True).items() if kind == Amount | None)


def house_rules(reader: Reader) -> HouseRules:
    """What the house has decided; the defaults where it has decided nothing."""
    return rules_of(stored_settings(reader))


def is_play_money(reader: Reader) -> bool:
    """Whether nothing here is worth anything, which is said wherever money is shown."""
    money = house_rules(reader).money
    return money is MoneyKind.PLAY if money is not None else mark_of(reader, DEMONSTRATION) is not None


def rules_of(settings: Mapping[str, str]) -> HouseRules:
    """What the house has decided, by its stored settings."""
    return _read(tuple(sorted(settings.items())))


@lru_cache(maxsize=16)
def _read(settings: tuple[tuple[str, str], ...]) -> HouseRules:
    return msgspec.convert({name: msgspec.json.decode(value) for name, value in settings}, type=HouseRules)


def change_rules(store: Store, changes: Mapping[str, Any], by: str, now: int, reason: str = "") -> HouseRules | Refusal:
    """Change rules by name and keep the others; None stands for the default."""
    with store.write() as transaction:
        try:
            rules = changed_rules(house_rules(transaction), changes)
        except WrongRule as error:
            return Refusal(Reason.WRONG_RULE, None, {"problem": str(error)})
        settings = {name: msgspec.json.encode(value).decode() for name, value in msgspec.to_builtins(rules).items()}
        keep_settings(transaction, settings, by, now, reason)
    return rules


def changed_rules(rules: HouseRules, changes: Mapping[str, Any]) -> HouseRules:
    """Rules with some of them changed; a profile is named, or given as a document."""
    document = msgspec.to_builtins(rules)
    for name, value in changes.items():
        if name not in NAMES:
            raise WrongRule(
                f"{name!r} is not a rule of the house{did_you_mean(name, NAMES)}; they are {', '.join(NAMES)}"
            )
        document.pop(name, None)
        if value is not None:
            document[name] = _profile_document(value) if name == "profile" else value
    try:
        changed = msgspec.convert(document, type=HouseRules)
    except msgspec.ValidationError as error:
        raise WrongRule(complaint_of(error, HouseRules, _FORMS)) from None
    try:
        zone_of(changed.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise WrongRule(f"{changed.time_zone!r} is not a time zone; name one such as Asia/Macau") from None
    return changed


_FORMS = {r"^([01]\d|2[0-3]):[0-5]\d$": "a time such as 06:00"}


def _profile_document(value: Any) -> Any:
    try:
        profile = named_profile(value) if isinstance(value, str) else read_profile(value, "the profile")
    except WrongProfile as error:
        raise WrongRule(str(error)) from None
    return msgspec.to_builtins(profile)
