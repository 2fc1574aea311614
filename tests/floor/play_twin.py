"""A second bookkeeper of players' limits, from raw rows and from what was asked, who shares nothing with `ledger/play`
and `floor/protection`: every sum is made anew from lists, for every bet that was accepted.

Limits: whatever was asked for in the last 24 hours holds, the strictest of it. Loss: what is lost of the bets accepted
up to this one if everything is lost that has not come back to the player's account; and nothing that has is ever taken
again, so that no reversal leads over a limit that a bet was accepted under.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from punto.floor.answers import Guardian, Limit
from punto.store.reader import Reader

HOUR = 3_600_000
PAUSE = HOUR // 2


@dataclass
class Asked:
    """What was asked for, in its order, with the time of the house."""

    limits: list[tuple[int, str, Guardian, dict[tuple[str, str], int]]] = field(default_factory=list)
    exclusions: list[tuple[int, str, int | None]] = field(default_factory=list)  # From when, whom, until when.
    lifted: list[tuple[int, str]] = field(default_factory=list)

    def limit(self, now: int, player: str, by: Guardian, limits: list[Limit]) -> None:
        self.limits.append((now, player, by, {(each.what.value, each.period.value): each.amount for each in limits}))

    def in_force(self, player: str, moment: int) -> dict[tuple[str, str], int]:
        """The weakest reading of what holds: of each guardian all that was wanted at any time of the last day."""
        holds: dict[tuple[str, str], int] = {}
        for by in Guardian:
            asked = [(time, wanted) for time, who, whose, wanted in self.limits if (who, whose) == (player, by)]
            asked = [(time, wanted) for time, wanted in asked if time < moment]
            for place, (_, wanted) in enumerate(asked):
                until = asked[place + 1][0] if place + 1 < len(asked) else moment
                if until > moment - 24 * HOUR:
                    for what, amount in wanted.items():
                        holds[what] = min(amount, holds.get(what, amount))
        return holds

    def is_excluded(self, player: str, moment: int) -> bool:
        """By the player; those that the house lifts are left to other tests."""
        return any(who == player and since < moment < (until or moment + 1) for since, who, until in self.exclusions)


@dataclass
class Line:
    """One movement of a player's money."""

    id: int
    time: int
    kind: str
    table: str | None
    round: int | None
    amount: int

    @property
    def place(self) -> tuple[str | None, int | None]:
        return self.table, self.round


def check_accepted(reader: Reader, asked: Asked, zone: str = "UTC", begins: int = 6) -> dict[str, int]:
    """Every bet and buy-in that was accepted keeps every limit and exclusion in force; what was counted."""
    rows = reader.rows(
        "SELECT m.id, m.time_ms, m.kind, m.table_id, m.round, p.account, p.amount FROM movements m "
        "JOIN postings p ON p.movement_id = m.id ORDER BY m.id, p.line"
    )
    own: dict[str, list[Line]] = defaultdict(list)
    for id, time, kind, table, round, account, amount in rows:
        owner, _, rest = account.partition("/")
        if owner == "player":
            own[rest].append(Line(id, time, kind, table, round, amount))
    counts: dict[str, int] = defaultdict(int)
    for player, lines in own.items():
        _check_player(player, lines, asked, (zone, begins), counts)
    return counts


def _check_player(player: str, lines: list[Line], asked: Asked, day: tuple[str, int], counts: dict[str, int]) -> None:
    acts = [line for line in lines if line.kind in ("bet", "buy-in")]
    number, last = 0, -PAUSE
    session, moment = dict[int, int](), dict[int, int]()
    for line in acts:
        number += line.time - last >= PAUSE
        last = max(last, line.time)  # time does not go back
        session[line.id], moment[line.id] = number, last
    for place, line in enumerate(acts):
        assert not asked.is_excluded(player, line.time), f"{player} did {line} while excluded"
        for (what, period), amount in asked.in_force(player, moment[line.id]).items():
            if period == "session":
                mates = [other for other in acts if session[other.id] == session[line.id]]
            else:
                ours = _period(moment[line.id], period, day)
                mates = [other for other in acts if _period(moment[other.id], period, day) == ours]
            used = _used(what, line, [other for other in mates if other in acts[: place + 1]], lines)
            counts[f"{what} by {period}"] += 1
            assert used is None or used <= amount, f"{player}: {what} by {period} is {used} of {amount} after {line}"


def _used(what: str, line: Line, mates: list[Line], lines: list[Line]) -> int | None:
    """What is used of a limit once a line is accepted, beside its mates of the period; None where it is not on it."""
    if what == "buy-in":
        return sum(other.amount for other in mates if other.kind == "buy-in") if line.kind == "buy-in" else None
    if line.kind != "bet":
        return None
    if what == "time":
        pauses = [later.time - first.time for first, later in pairwise(mates)]
        return sum(pause for pause in pauses if 0 < pause < PAUSE) // 60_000 + 1
    back, ours = 0, {other.id for other in mates}
    for other in lines:
        if other.table is None or other.kind == "bet" or other.id > line.id:
            continue
        assert other.amount > 0, "what has come back is never taken again"
        of_round = [each for each in lines if each.kind == "bet" and (each.table, each.round) == other.place]
        if of_round[0].id in ours and (what == "loss" or other.kind in ("return", "void")):
            back += other.amount
    return -sum(other.amount for other in mates if other.kind == "bet") - back


def _period(time: int, period: str, day: tuple[str, int]) -> object:
    zone, begins = day
    local = datetime.fromtimestamp(time / 1000, UTC).astimezone(ZoneInfo(zone)) - timedelta(hours=begins)
    if period == "day":
        return local.date()
    return local.isocalendar()[:2] if period == "week" else (local.year, local.month)
