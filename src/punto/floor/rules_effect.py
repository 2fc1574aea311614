"""What other rules would change in this house: each rule before and after, and whom and which tables it concerns.

Nothing is changed. Every answer is asked of the functions that decide when the rules hold: who needs a second factor,
whose session locks, who has to set limits, where advice is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from punto.floor.floor import Floor
from punto.floor.house_rules import HouseRules, WrongRule, changed_rules, house_rules
from punto.floor.lease import AUTOMATIC_RUN
from punto.floor.log_ins import idle_minutes
from punto.floor.orders import HouseOrders, advice_audience
from punto.floor.protection import check_minutes, limits_at, stored_protection
from punto.floor.second_factor import is_needed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.people import members, sessions_of
from punto.store.pit import stored_runs
from punto.store.reader import Reader
from punto.store.record import AccountOwner, Member
from punto.table.state import Phase, State
from punto.table.terms import Audience

MOST_NAMED = 20  # People or tables of one effect that are named; all are counted.
_PROFILE = "profile"


class EffectKind(Enum):
    """What rules change for somebody, or at some tables."""

    MUST_ENROL = "must-enrol"  # People who can do nothing before they have set up a second factor.
    LOCKED = "locked"  # People whose sessions ask for the password at once.
    LIMITS_NEEDED = "limits-needed"  # Players who cannot bet before they have set a limit.
    CHECKED = "checked"  # Players who are told time and net, and have to answer, from then on.
    UNCHECKED = "unchecked"  # Players who no longer are.
    ADVICE_LESS = "advice-less"  # Tables at which fewer people see live odds and advice.
    ADVICE_MORE = "advice-more"
    CLOCKS = "clocks"  # Tables that deal by themselves, with other clocks.
    ROUNDS_SLOWER = "rounds-slower"  # Tables at which the next call has to wait.
    WATCHED = "watched"  # Tables that people without an account see.
    UNWATCHED = "unwatched"


class RuleEffect(msgspec.Struct, frozen=True):
    """Whom or which tables the rules concern."""

    kind: EffectKind
    count: int
    named: tuple[str, ...]  # The first of them.


class RulesEffect(msgspec.Struct, frozen=True):
    """What other rules would change."""

    before: dict[str, Any]  # Every rule, and every part of the profile as `profile.advice`, with the defaults.
    after: dict[str, Any]
    changed: tuple[str, ...]  # Those that are others.
    effects: tuple[RuleEffect, ...]


def effect_of_rules(floor: Floor, changes: Mapping[str, Any], now: int) -> RulesEffect | Refusal:
    """What these changes would do; refused as they would be if they were made."""
    with floor.store.read() as reader:
        before = house_rules(reader)
        try:
            after = changed_rules(before, changes)
        except WrongRule as error:
            return Refusal(Reason.WRONG_RULE, None, {"problem": str(error)})
        people = [one for one in members(reader) if one.kind != AccountOwner.BOT.value]
        found = [*_of_people(reader, people, before, after, now)]
        automatic = {table for table, run in stored_runs(reader).items() if run["dealer"] == AUTOMATIC_RUN}
        tables = [table.id for table in reader.tables() if not table.imported]
    states = {table: loaded.table.state for table in tables if (loaded := floor.table(table)) is not None}
    open_tables = {table: state for table, state in states.items() if state.phase is not Phase.CLOSED}
    found += _of_tables(open_tables, automatic, before, after)
    told = told_rules(before), told_rules(after)
    return RulesEffect(*told, tuple(name for name in told[0] if told[0][name] != told[1][name]), tuple(found))


def told_rules(rules: HouseRules) -> dict[str, Any]:
    """Every rule by its name, with the defaults; the parts of the profile after its name."""
    told: dict[str, Any] = {}
    for name in rules.__struct_fields__:
        value = getattr(rules, name)
        if name == _PROFILE:
            told[name] = value.name
            parts = (part for part in value.__struct_fields__ if part != "name")
            told |= {f"{_PROFILE}.{part}": msgspec.to_builtins(getattr(value, part)) for part in parts}
        else:
            told[name] = msgspec.to_builtins(value)
    return told


def _effect(kind: EffectKind, names: Iterable[str]) -> Iterator[RuleEffect]:
    all_of_them = tuple(names)
    if all_of_them:
        yield RuleEffect(kind, len(all_of_them), all_of_them[:MOST_NAMED])


def _of_people(
    reader: Reader, people: list[Member], before: HouseRules, after: HouseRules, now: int
) -> Iterator[RuleEffect]:
    was, will = before.profile, after.profile
    able = [one for one in people if one.can_log_in]
    needed = (one for one in able if is_needed(will, one.roles) and not is_needed(was, one.roles))
    yield from _effect(EffectKind.MUST_ENROL, (one.account for one in needed if not one.second_factor))
    if (was.player_idle_minutes, was.dealer_idle_minutes) != (will.player_idle_minutes, will.dealer_idle_minutes):
        yield from _effect(EffectKind.LOCKED, (one.account for one in able if _locks(reader, one, before, after, now)))
    players = [one.account for one in people if Role.PLAYER in one.roles]
    if (was.limits_required, was.reality_check_minutes) == (will.limits_required, will.reality_check_minutes):
        return
    kept = {name: stored_protection(reader, name) for name in players}
    if will.limits_required and not was.limits_required:
        unlimited = (name for name in players if not limits_at(kept[name].limits, now))
        yield from _effect(EffectKind.LIMITS_NEEDED, unlimited)
    checks = {name: (check_minutes(kept[name], was), check_minutes(kept[name], will)) for name in players}
    changed = [(name, new) for name, (old, new) in checks.items() if old != new]
    yield from _effect(EffectKind.CHECKED, (name for name, minutes in changed if minutes is not None))
    yield from _effect(EffectKind.UNCHECKED, (name for name, minutes in changed if minutes is None))


def _locks(reader: Reader, one: Member, before: HouseRules, after: HouseRules, now: int) -> bool:
    """Whether a session of somebody has been still for so long that it locks at once, and does not yet."""
    old, new = (idle_minutes(rules.profile, one.roles) for rules in (before, after))
    if new is None:
        return False
    still = (now - max(each.active_ms, each.authenticated_ms) for each in sessions_of(reader, one.account, now))
    return any(new * 60_000 <= ms and (old is None or ms < old * 60_000) for ms in still)


_WIDTH = {Audience.NOBODY: 0, Audience.STAFF: 1, Audience.EVERYBODY: 2}


def _of_tables(
    tables: Mapping[str, State], automatic: set[str], before: HouseRules, after: HouseRules
) -> Iterator[RuleEffect]:
    was, will = HouseOrders(before), HouseOrders(after)
    widths = {
        table: tuple(_WIDTH[advice_audience(orders, state)] for orders in (was, will))
        for table, state in tables.items()
    }
    yield from _effect(EffectKind.ADVICE_LESS, (table for table, (old, new) in widths.items() if new < old))
    yield from _effect(EffectKind.ADVICE_MORE, (table for table, (old, new) in widths.items() if new > old))
    clocks = [(orders.rules.profile.clock_percent, orders.rules.shortest_betting_seconds) for orders in (was, will)]
    if clocks[0] != clocks[1]:
        yield from _effect(EffectKind.CLOCKS, (table for table in tables if table in automatic))
    if after.profile.shortest_round_seconds > before.profile.shortest_round_seconds:
        yield from _effect(EffectKind.ROUNDS_SLOWER, tables)
    seen = [table for table, state in tables.items() if state.terms is not None and not state.terms.private]
    if before.watch_delay_seconds is None and after.watch_delay_seconds is not None:
        yield from _effect(EffectKind.WATCHED, seen)
    if before.watch_delay_seconds is not None and after.watch_delay_seconds is None:
        yield from _effect(EffectKind.UNWATCHED, seen)
