"""Whether every significant event is told that follows from what is stored, and nothing else: the acts of the house
are worked out again from the events of its tables and from the cashier's corrections, and compared with the chain.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from punto.audit.problem import Findings, ProblemKind
from punto.audit.significant_events import (
    DayPart,
    Thresholds,
    acts_of,
    cash_mark,
    day_parts,
    large_cash_act,
    large_day_act,
    thresholds_of,
)
from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.house_settings import CASHIER_STOOD
from punto.store.reader import AFTER_ALL, Reader, house_rows
from punto.store.significant_events import player_days
from punto.table.event import Event
from punto.table.settlement import RoundSettled
from punto.table.state import State

_encode = msgspec.json.Encoder(order="sorted").encode
_TIMELINE = tuple(f'"code":"{code.value}"' for code in (HouseCode.RULES_CHANGED, HouseCode.EVENTS_BEGUN))
NO_THRESHOLDS = Thresholds()


class TableWatch(msgspec.Struct, frozen=True):
    """From which event on what is significant at a table is told, and by which thresholds."""

    begun: int = 0
    thresholds: tuple[tuple[int, Thresholds], ...] = ()  # Each with the event after which it holds.

    def at(self, seq: int) -> Thresholds:
        held = (thresholds for after, thresholds in reversed(self.thresholds) if seq > after)
        return next(held, NO_THRESHOLDS)

    def watched(self) -> frozenset[type[Event]]:
        """The events that have to be looked at by any thresholds: most events are not."""
        return NO_THRESHOLDS.watched.union(*(thresholds.watched for _, thresholds in self.thresholds))


class HouseTimeline:
    """What the house decided in the course of time, as far as significant events depend on it."""

    def __init__(self, reader: Reader) -> None:
        self._begun: dict[str, int] = {}
        self._thresholds: list[tuple[dict[str, int] | None, Thresholds]] = []
        self.cash: list[tuple[int, Thresholds]] = []  # Each with the movement of the cashier after which it holds.
        self.corrections_begun = 0  # Movements of the cashier before anything was told.
        for _, body, _ in house_rows(reader):
            if isinstance(body, str) and any(code in body for code in _TIMELINE):
                self._take(body)

    def watch_of(self, table: str) -> TableWatch:
        changes = (
            (AFTER_ALL if stood is None else stood.get(table, 0), thresholds) for stood, thresholds in self._thresholds
        )
        return TableWatch(self._begun.get(table, 0), tuple(changes))

    def _take(self, body: str) -> None:
        try:
            act = msgspec.json.decode(body, type=HouseAct)
            if act.code == HouseCode.EVENTS_BEGUN.value:
                self._begun = dict(act.stood or {})
                self.corrections_begun = int((act.after or {}).get("cashier", 0))
            elif act.code == HouseCode.RULES_CHANGED.value:
                thresholds = thresholds_of(act.after or {})
                self._thresholds.append((act.stood, thresholds))
                self.cash.append(((act.stood or {}).get(CASHIER_STOOD, 0), thresholds))
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
            return  # its hash does not follow either


class DaySum(msgspec.Struct):
    """What the tables say of a player's gaming day."""

    staked: int = 0
    won: int = 0
    most_staked: int = 0  # With what was taken back again.
    most_won: int = 0
    threshold: int = 0  # The greatest that held at some time of it.

    def add(self, part: DayPart) -> None:
        self.staked += part.staked
        self.won += part.won
        self.most_staked += max(0, part.staked)
        self.most_won += max(0, part.won)
        self.threshold = max(self.threshold, part.threshold)


DaySums = dict[tuple[str, str], DaySum]  # By player and day.


class TableTold(msgspec.Struct):
    """What must have been told of one table, as far as its records can be replayed."""

    acts: list[HouseAct] = msgspec.field(default_factory=list)
    days: DaySums = msgspec.field(default_factory=dict)
    causes: dict[tuple[int, str], HouseAct] = msgspec.field(default_factory=dict)
    """By event and player: what would be told if a day came to the threshold by it, but for the amount."""

    def look(self, table: str, seq: int, before: State, event: Event, second: str | None, watch: TableWatch) -> None:
        thresholds = watch.at(seq)
        if seq <= watch.begun or type(event) not in thresholds.watched:
            return
        self.acts += acts_of(table, seq, before, event, second, thresholds)
        for part in day_parts(before, event, thresholds):
            self.days.setdefault((part.player, part.day), DaySum()).add(part)
            if isinstance(event, RoundSettled):
                self.causes[seq, part.player] = large_day_act(table, seq, event, second, part, "", 0)


Correction = tuple[int | None, str | None, int, str | None, str | None, str | None]
"""A correction at the cashier's desk: time, player, amount, who, who agreed, why."""


class CashTold:
    """What must have been told of large cash: worked out again from the movements of the cashier, one by one."""

    def __init__(self, thresholds: Sequence[tuple[int, Thresholds]], bots: frozenset[str]) -> None:
        self._thresholds, self._bots = thresholds, bots
        self._is_watched = any(each.large_cash is not None for _, each in thresholds)
        self._lately: defaultdict[tuple[str, str], deque[tuple[int, int]]] = defaultdict(deque)
        self.acts: list[HouseAct] = []

    def take(self, number: int, time: object, kind: str, player: object, amount: int, actor: str | None) -> None:
        """The next movement of the cashier, by its number in the chain."""
        if not self._is_watched or not isinstance(time, int) or not isinstance(player, str) or player in self._bots:
            return
        lately, brought = self._lately[player, kind], abs(amount)
        while lately and lately[0][0] < time - _DAYS_KEPT_MS:
            lately.popleft()
        held = (thresholds for after, thresholds in reversed(self._thresholds) if number > after)
        thresholds = next(held, NO_THRESHOLDS)
        day = thresholds.gaming_day
        start = day.day_start(day.day_of(time))
        before = sum(each for moment, each in lately if moment >= start)
        mark = cash_mark(thresholds, player, kind, brought, before, time)
        if mark.why is not None:
            self.acts.append(large_cash_act(mark, actor, time))
        lately.append((time, brought))


_DAYS_KEPT_MS = 3 * 24 * 3_600_000  # Longer than any gaming day.


def check_told(
    reader: Reader,
    stored: Iterable[HouseAct],
    told: Mapping[str, TableTold],
    corrections: Sequence[Correction],
    cash: Sequence[HouseAct],
    findings: Findings,
) -> None:
    """Compare the acts that follow from something else with what they follow from."""
    by_table: defaultdict[str, list[HouseAct]] = defaultdict(list)
    large_days, corrected, large_cash = list[HouseAct](), list[HouseAct](), list[HouseAct]()
    for act in stored:
        if act.code == HouseCode.ACCOUNT_CORRECTED.value:
            corrected.append(act)
        elif act.code == HouseCode.LARGE_CASH.value:
            large_cash.append(act)
        elif act.code == HouseCode.LARGE_DAY.value:
            large_days.append(act)
        elif act.event is not None or act.subject.startswith(f"{Subject.EVENT.value}/"):
            by_table[str(act.table)].append(act)
    for table in sorted({*by_table, *told}):
        _check_table(table, by_table[table], told.get(table) or TableTold(), findings)
    _check_corrections(corrected, corrections, findings)
    _check_cash(large_cash, cash, findings)
    _check_days(reader, large_days, told, findings)


def _line(act: HouseAct) -> bytes:
    return _encode(msgspec.structs.replace(act, seq=0))


def _check_table(table: str, stored: Sequence[HouseAct], told: TableTold, findings: Findings) -> None:
    due = Counter(map(_line, told.acts))
    for act in stored:
        if due[_line(act)] > 0:
            due[_line(act)] -= 1
        else:
            findings.add(table, act.event, ProblemKind.ACT_UNFOUNDED, act=act.seq, code=act.code)
    for act in told.acts:
        if due[_line(act)] > 0:
            due[_line(act)] -= 1
            findings.add(table, act.event, ProblemKind.EVENT_UNTOLD, code=act.code)


def _check_corrections(stored: Sequence[HouseAct], due: Sequence[Correction], findings: Findings) -> None:
    left = Counter(due)
    for act in stored:
        name, after = act.subject.partition("/")[2], act.after or {}
        found = (act.time, name, after.get("amount"), act.who, act.second, act.reason)
        if left[found] > 0:  # type: ignore[index]
            left[found] -= 1  # type: ignore[index]
        else:
            findings.add(None, None, ProblemKind.CORRECTION_UNFOUNDED, act=act.seq, player=name)
    for (_, player, *_), count in left.items():
        for _ in range(count):
            findings.add(None, None, ProblemKind.CORRECTION_UNTOLD, player=player)


def _check_cash(stored: Sequence[HouseAct], due: Sequence[HouseAct], findings: Findings) -> None:
    left = Counter(map(_line, due))
    for act in stored:
        if left[_line(act)] > 0:
            left[_line(act)] -= 1
        else:
            findings.add(None, None, ProblemKind.CASH_UNFOUNDED, act=act.seq, player=act.subject.partition("/")[2])
    for act in due:
        if left[_line(act)] > 0:
            left[_line(act)] -= 1
            after: dict[str, Any] = act.after or {}
            player = act.subject.partition("/")[2]
            findings.add(None, None, ProblemKind.CASH_UNTOLD, player=player, day=str(after.get("day")))


def _check_days(reader: Reader, stored: Sequence[HouseAct], told: Mapping[str, TableTold], findings: Findings) -> None:
    """What players staked and won in a day is the sum over all tables; where it came to the threshold, it was told."""
    sums: DaySums = {}
    for each in told.values():
        for key, part in each.days.items():
            sums[key] = _together(sums[key], part) if key in sums else part
    last: dict[tuple[str, str, str], int] = {}
    for act in stored:
        after: dict[str, Any] = act.after or {}
        key, what = (str(after.get("player")), str(after.get("day"))), str(after.get("what"))
        cause = told[act.table or ""].causes.get((act.event or 0, key[0])) if act.table in told else None
        day = sums.get(key)
        is_again = after.get("threshold") == last.get((*key, what))  # a threshold is told of once
        if cause is None or day is None or is_again or not _is_possible(act, cause, day):
            findings.add(act.table, act.event, ProblemKind.ACT_UNFOUNDED, act=act.seq, code=act.code)
        else:
            last[*key, what] = after["threshold"]
    rows = {(row.handle, row.day): row for row in player_days(reader)}
    for key in sorted({*rows, *sums}):
        day, row = sums.get(key) or DaySum(), rows.get(key)
        found = (row.staked, row.won, row.staked_told, row.won_told) if row is not None else None
        told_of = (last.get((*key, "staked"), 0), last.get((*key, "won"), 0))
        if found != (day.staked, day.won, *told_of):
            findings.add(None, None, ProblemKind.DAY_WRONG, player=key[0], day=key[1])
        for amount, told_at in zip((day.staked, day.won), told_of, strict=True):
            if day.threshold and amount >= day.threshold and not told_at:
                findings.add(None, None, ProblemKind.DAY_UNTOLD, player=key[0], day=key[1])


def _together(one: DaySum, other: DaySum) -> DaySum:
    fields = ("staked", "won", "most_staked", "most_won")
    summed = {name: getattr(one, name) + getattr(other, name) for name in fields}
    return DaySum(**summed, threshold=max(one.threshold, other.threshold))


def _is_possible(act: HouseAct, cause: HouseAct, day: DaySum) -> bool:
    """Whether the tables can have led to such an act: their order among each other is not known."""
    after: dict[str, Any] = act.after or {}
    what, amount = after.get("what"), after.get("amount")
    most = {"staked": day.most_staked, "won": day.most_won}.get(str(what), -1)
    due = msgspec.structs.replace(cause, after={**(cause.after or {}), "what": what, "amount": amount})
    return _line(act) == _line(due) and isinstance(amount, int) and after["threshold"] <= amount <= most
