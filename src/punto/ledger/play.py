"""What each player has staked and got back: in the session that is going on and in the gaming day, week and month,
folded from the movements of the player's own account in their order. Limits and reality checks rest on it.

A stake counts when it is accepted. What comes back of a round counts where the player's first stake in that round does,
so that money of yesterday makes no room for today. A settlement gives nothing back until the next call releases it:
till then it can be reversed, and what lies undecided counts as lost. So all of it stands in one account, `player/Lee`,
whose lock serialises a player over all tables and processes.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from punto.ledger.movement import MovementKind

PAUSE_MS = 30 * 60_000
"""A session of play is over after so long without a stake or a buy-in."""
_UNDECIDED = (MovementKind.RETURN, MovementKind.VOID)


class PlayDay(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A gaming day with its week and month, each as a number that rises."""

    day: int = 0
    week: int = 0
    month: int = 0


DayOf = Callable[[int], PlayDay]  # The gaming day in which a moment lies.


class PlayTotals(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What play came to in some time. Amounts are minor units."""

    staked: int = 0  # Bets, wagers and insurance that were accepted.
    returned: int = 0  # Stakes that went back undecided.
    paid: int = 0  # What decided rounds brought, once it was released: stakes that won or pushed, and winnings.
    bought: int = 0  # Buy-ins.
    played_ms: int = 0  # Time of play: between stakes and buy-ins of one session.

    @property
    def stake(self) -> int:
        """What was staked and not returned undecided."""
        return self.staked - self.returned

    @property
    def loss(self) -> int:
        """What is lost if everything that lies is lost; negative where more came back."""
        return self.staked - self.returned - self.paid

    def plus(self, other: PlayTotals) -> PlayTotals:
        return PlayTotals(
            self.staked + other.staked,
            self.returned + other.returned,
            self.paid + other.paid,
            self.bought + other.bought,
            self.played_ms + other.played_ms,
        )


NOTHING_PLAYED = PlayTotals()


class PlacedRound(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The last round of a table in which a player had a stake, and where what comes back of it counts."""

    round: int
    session: int
    day: PlayDay


class PlayCount(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a player stands, as the movements so far leave it."""

    session: int = 0  # The number of the last session; 0 before the first.
    began_ms: int = 0
    last_ms: int = 0  # The last stake or buy-in.
    totals: PlayTotals = NOTHING_PLAYED  # Of the session.
    when: PlayDay = PlayDay()  # The gaming day of the last stake or buy-in.
    day: PlayTotals = NOTHING_PLAYED  # Of that day, and of its week and month.
    week: PlayTotals = NOTHING_PLAYED
    month: PlayTotals = NOTHING_PLAYED
    rounds: dict[str, PlacedRound] = {}  # By table.

    def moment(self, now: int, day_of: DayOf) -> tuple[int, PlayDay]:
        """A moment as it counts for the player, and its day: neither goes back, whatever clocks and rules do."""
        now = max(now, self.last_ms)
        when = day_of(now)
        return now, when if when.day >= self.when.day else self.when

    def is_going_on(self, now: int) -> bool:
        """Whether the session is not over yet."""
        return self.session > 0 and now - self.last_ms < PAUSE_MS

    def time_ms(self, now: int) -> int:
        """How long the session has lasted by now; nothing where it is over."""
        return max(0, now - self.began_ms) if self.is_going_on(now) else 0

    def since_last_ms(self, now: int) -> int:
        """What the next stake would add to the time of play."""
        return max(0, now - self.last_ms) if self.is_going_on(now) else 0

    def at(self, now: int, when: PlayDay) -> tuple[PlayTotals, PlayTotals, PlayTotals, PlayTotals]:
        """What counts at a moment: in the session, the day, the week and the month. What is over counts no more."""
        own = self.when
        return (
            self.totals if self.is_going_on(now) else NOTHING_PLAYED,
            self.day if own.day == when.day else NOTHING_PLAYED,
            self.week if own.week == when.week else NOTHING_PLAYED,
            self.month if own.month == when.month else NOTHING_PLAYED,
        )


class AccountMovement(msgspec.Struct, frozen=True, gc=False):
    """A movement, as far as it moves a player's own account."""

    kind: MovementKind
    amount: int  # What the account gets, or gives where it is negative.
    time_ms: int
    table: str | None = None
    round: int | None = None


def followed(play: PlayCount, moved: AccountMovement, day_of: DayOf) -> PlayCount:
    """Where a player stands after a movement; cash-outs and corrections are not play, and change nothing."""
    if moved.kind is MovementKind.BET or moved.kind is MovementKind.BUY_IN:
        now, when = play.moment(moved.time_ms, day_of)
        return _acted(play, moved, now, when)
    placed = play.rounds.get(moved.table) if moved.table is not None else None
    if placed is None or placed.round != moved.round:
        return play  # not play, or of a time before this was counted
    added = PlayTotals(returned=moved.amount) if moved.kind in _UNDECIDED else PlayTotals(paid=moved.amount)
    first, own = placed.day, play.when
    return replace(
        play,
        totals=play.totals.plus(added) if placed.session == play.session else play.totals,
        day=play.day.plus(added) if first.day == own.day else play.day,
        week=play.week.plus(added) if first.week == own.week else play.week,
        month=play.month.plus(added) if first.month == own.month else play.month,
    )


def _acted(play: PlayCount, moved: AccountMovement, now: int, when: PlayDay) -> PlayCount:
    """A stake or a buy-in: the session goes on, or a new one begins."""
    is_stake, is_new = moved.kind is MovementKind.BET, not play.is_going_on(now)
    played = 0 if is_new else now - play.last_ms
    added = PlayTotals(-moved.amount, 0, 0, 0, played) if is_stake else PlayTotals(0, 0, 0, moved.amount, played)
    session, began = (play.session + 1, now) if is_new else (play.session, play.began_ms)
    totals, day, week, month = [counted.plus(added) for counted in play.at(now, when)]
    rounds = play.rounds
    if is_stake and moved.table is not None and moved.round is not None:
        placed = rounds.get(moved.table)
        if placed is None or placed.round != moved.round:
            rounds = {**rounds, moved.table: PlacedRound(moved.round, session, when)}
    return PlayCount(session, began, now, totals, when, day, week, month, rounds)


class PlayTally:
    """Counts many movements of one player in place: what `followed` makes of them one by one, in a fifth of the time.

    It is for whoever goes through a whole ledger. A floor, which may have to forget what it began, follows.
    """

    __slots__ = ("_began_ms", "_last_ms", "_rounds", "_session", "_sums", "_when")

    def __init__(self) -> None:
        self._session = self._began_ms = self._last_ms = 0
        self._when = PlayDay()
        self._sums = [[0] * len(PlayTotals.__struct_fields__) for _ in range(4)]  # Session, day, week and month.
        self._rounds: dict[str, PlacedRound] = {}

    def take(
        self, kind: MovementKind, amount: int, time_ms: int, table: str | None, round: int | None, day_of: DayOf
    ) -> None:
        """The next movement; what it says is what an `AccountMovement` says."""
        if kind is MovementKind.BET or kind is MovementKind.BUY_IN:
            self._act(kind, amount, time_ms, table, round, day_of)
            return
        placed = self._rounds.get(table) if table is not None else None
        if placed is None or placed.round != round:
            return
        column, first, own = _RETURNED if kind in _UNDECIDED else _PAID, placed.day, self._when
        session, day, week, month = self._sums
        if placed.session == self._session:
            session[column] += amount
        if first.day == own.day:
            day[column] += amount
        if first.week == own.week:
            week[column] += amount
        if first.month == own.month:
            month[column] += amount

    def _act(
        self, kind: MovementKind, amount: int, time_ms: int, table: str | None, round: int | None, day_of: DayOf
    ) -> None:
        """A stake or a buy-in."""
        before, own, sums = self._last_ms, self._when, self._sums
        now = time_ms if time_ms > before else before
        when = day_of(now)
        if when is not own:
            if when.day < own.day:
                when = own
            self._forget(own, when)
        if self._session and now - before < PAUSE_MS:
            played = now - before
        else:
            played, sums[0] = 0, [0] * len(sums[0])
            self._session, self._began_ms = self._session + 1, now
        self._last_ms, self._when = now, when
        is_stake = kind is MovementKind.BET
        column, counted = (_STAKED, -amount) if is_stake else (_BOUGHT, amount)
        for each in sums:
            each[column] += counted
            each[_PLAYED] += played
        if is_stake and table is not None and round is not None:
            placed = self._rounds.get(table)
            if placed is None or placed.round != round:
                self._rounds[table] = PlacedRound(round, self._session, when)

    def _forget(self, own: PlayDay, when: PlayDay) -> None:
        """Begin the day, the week and the month anew that are over."""
        numbers = ((own.day, when.day), (own.week, when.week), (own.month, when.month))
        for place, (was, now) in enumerate(numbers, start=1):
            if was != now:
                self._sums[place] = [0] * len(self._sums[place])

    @property
    def count(self) -> PlayCount:
        """Where the player stands now."""
        totals, day, week, month = (PlayTotals(*each) for each in self._sums)
        began, last = self._began_ms, self._last_ms
        return PlayCount(self._session, began, last, totals, self._when, day, week, month, dict(self._rounds))


_STAKED, _RETURNED, _PAID, _BOUGHT, _PLAYED = range(len(PlayTotals.__struct_fields__))
