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
from punto.ledger.play import NOTHING_PLAYED, PlayCount, PlayDay, PlayTally
from punto.store import reader as raw
from punto.store.chain import HouseAct, HouseCode
from punto.store.connection import Row
from punto.store.house_settings import GamingDay, gaming_day_of
from punto.store.protection import PLAY_AFTER, play_text
from punto.store.reader import Reader
from punto.store.witness import mark_of

_WALLET = f"{AccountKind.PLAYER.value}/"
NOBODYS = PlayTally()  # For accounts that are not a player's wallet: nothing is ever counted in it.
_FIRST_COLUMNS = slice(0, 6)  # Id, table, seq, time, kind and round.
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
        self._known: dict[object, PlayTally] = {None: NOBODYS}
        """By account, of whatever kind it is: half of all postings are to accounts that are nobody's wallet."""

    def take(self, row: Row) -> None:
        """A movement as it is stored; what cannot be one is found elsewhere."""
        id, table, _, time, name, round = row[_FIRST_COLUMNS]
        kind = _KINDS.get(name)
        if type(id) is not int or id <= self._after or type(time) is not int or kind is None:
            return
        account, amount, other, other_amount, third, third_amount = row[raw.MOVEMENT_POSTINGS]
        known = self._known
        if (tally := known.get(account) or self._first(account)) is not NOBODYS and type(amount) is int:
            tally.take(kind, amount, time, table, round, self._day_of)
        if (tally := known.get(other) or self._first(other)) is not NOBODYS and type(other_amount) is int:
            tally.take(kind, other_amount, time, table, round, self._day_of)
        if third is None:
            return
        if (tally := known.get(third) or self._first(third)) is not NOBODYS and type(third_amount) is int:
            tally.take(kind, third_amount, time, table, round, self._day_of)

    def _first(self, account: object) -> PlayTally:
        """What counts an account that is met for the first time."""
        is_wallet = type(account) is str and account.startswith(_WALLET)
        tally = self._known[account] = PlayTally() if is_wallet else NOBODYS
        return tally

    def plays(self) -> dict[str, PlayCount]:
        """Where every player stands after what was taken."""
        wallets = ((str(account), tally) for account, tally in self._known.items() if tally is not NOBODYS)
        return {account.removeprefix(_WALLET): tally.count for account, tally in wallets}

    def _day_of(self, now: int) -> PlayDay:
        gaming_day = self._gaming_days[bisect_right(self._times, now)]
        self._used.add(gaming_day)
        return gaming_day.play_day(now)

    def compare(self, reader: Reader, findings: Findings) -> None:
        """Say of whom what is counted is not what was posted."""
        found: dict[object, object] = {
            handle: self._shown(play) for handle, play in self.plays().items() if play != PlayCount()
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
