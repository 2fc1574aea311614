"""Whether what is counted of players' play, on which their limits rest, is what was posted to their accounts.

Every movement of every player is followed again, in the order of its number, by the gaming day of the house at that
time. Where the house moved the beginning of its day while people played, as its acts say, only the sums of sessions are
compared: a bet of that moment may have been counted by either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

import msgspec
from msgspec.structs import replace

from punto.audit.problem import Findings, ProblemKind
from punto.ledger.movement import AccountKind, MovementKind
from punto.ledger.play import NOTHING_PLAYED, AccountMovement, PlayCount, PlayDay, followed
from punto.store import reader as raw
from punto.store.chain import HouseAct, HouseCode
from punto.store.connection import Row
from punto.store.house_settings import GamingDay, gaming_day_of
from punto.store.protection import PLAY_AFTER, play_text
from punto.store.reader import Reader
from punto.store.witness import mark_of

_WALLET = f"{AccountKind.PLAYER.value}/"
_KINDS = {kind.value: kind for kind in MovementKind}
_acts = msgspec.json.Decoder(HouseAct)
_plays = msgspec.json.Decoder(PlayCount)


class PlayCheck:
    """Follows every movement as it is read, and compares what comes of them with what is stored."""

    def __init__(self, reader: Reader) -> None:
        mark = mark_of(reader, PLAY_AFTER) or "0"
        self._after = int(mark) if mark.isdecimal() else 0
        changes = list(_day_changes(reader))
        self._times = list(accumulate((time for time, _ in changes), max))
        self._gaming_days = [GamingDay(), *(gaming_day for _, gaming_day in changes)]
        self._used: set[GamingDay] = set()
        self._plays: dict[str, PlayCount] = {}

    def take(self, row: Row) -> None:
        """A movement as it is stored; what cannot be one is found elsewhere."""
        (id, table, _), time, kind, round = row[raw.MOVEMENT_PLACE], row[3], _KINDS.get(row[4]), row[5]
        if type(id) is not int or id <= self._after or type(time) is not int or kind is None:
            return
        postings = row[raw.MOVEMENT_POSTINGS]
        for account, amount in zip(postings[::2], postings[1::2], strict=True):
            if isinstance(account, str) and account.startswith(_WALLET) and type(amount) is int:
                handle, moved = account.removeprefix(_WALLET), AccountMovement(kind, amount, time, table, round)
                self._plays[handle] = followed(self._plays.get(handle, PlayCount()), moved, self._day_of)

    def _day_of(self, now: int) -> PlayDay:
        gaming_day = self._gaming_days[bisect_right(self._times, now)]
        self._used.add(gaming_day)
        return gaming_day.play_day(now)

    def compare(self, reader: Reader, findings: Findings) -> None:
        """Say of whom what is counted is not what was posted."""
        found: dict[object, object] = {
            handle: self._shown(play) for handle, play in self._plays.items() if play != PlayCount()
        }
        stored: dict[object, object] = {}
        for handle, text in reader.rows("SELECT handle, play FROM plays"):
            try:
                stored[handle] = self._shown(_plays.decode(text)) if len(self._used) > 1 else text
            except (msgspec.MsgspecError, TypeError, UnicodeDecodeError):
                stored[handle] = text
        for handle in sorted(found.keys() | stored.keys(), key=str):
            if found.get(handle) != stored.get(handle):
                findings.add(None, None, ProblemKind.PLAY_WRONG, player=handle)

    def _shown(self, play: PlayCount) -> str:
        """What is compared: everything, unless the gaming day itself was moved."""
        if len(self._used) > 1:
            rounds = {table: replace(placed, day=PlayDay()) for table, placed in play.rounds.items()}
            counted = dict.fromkeys(("day", "week", "month"), NOTHING_PLAYED)
            play = replace(play, when=PlayDay(), rounds=rounds, **counted)
        return play_text(play)


def _day_changes(reader: Reader) -> Iterator[tuple[int, GamingDay]]:
    """When the house decided when its day begins, and how; what cannot be read is found elsewhere."""
    code = HouseCode.RULES_CHANGED.value
    rows = reader.rows("SELECT body FROM house_events WHERE body LIKE ? ORDER BY seq", (f'%"code":"{code}"%',))
    for (body,) in rows:
        try:
            act = _acts.decode(body)
            yield act.time, gaming_day_of(act.after or {})
        except (msgspec.MsgspecError, TypeError, ValueError):
            continue
