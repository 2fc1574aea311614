"""Players' protection: limits, exclusion and reality checks. What holds is decided by pure functions on what is
stored about a player; `PlayGuard` asks them for every stake, seat and buy-in, in the transaction that would carry it
out, and `Protections` changes what is stored.

The stricter of two limits holds, the player's or the house's. A limit becomes stricter at once and looser after 24
hours. An exclusion holds at once: bets on the table are settled by the book, and money can be cashed out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from punto.dealer.bot import BOTS
from punto.floor.answers import (
    Exclusion,
    Guardian,
    KeptLimit,
    Limit,
    LimitUse,
    PlayerLimits,
    PlayerPlay,
    PlayMeasure,
    PlayPeriod,
)
from punto.floor.balance import balances_of
from punto.floor.house_rules import HouseRules, rules_of
from punto.floor.job import Decision
from punto.floor.people import no_account
from punto.floor.profile import Profile
from punto.ledger.movement import MovementKind, held_account, player_account
from punto.ledger.play import AccountMovement, DayOf, PlayCount, PlayTotals, followed
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.store.chain import HouseCode
from punto.store.protection import (
    ProtectionKind,
    hold_player,
    keep_plays,
    keep_protection,
    stored_plays,
    stored_protections,
)
from punto.store.reader import Reader
from punto.store.store import Store
from punto.store.transaction import Transaction
from punto.table.house import SeatTaken, TakeSeat

DAY_MS = 24 * 3_600_000
LOOSENS_AFTER_MS = DAY_MS
MINUTE_MS = 60_000
NONE = 10**30  # Where there is no limit.
PERIODS = tuple(PlayPeriod)
FOR_EVER_MS = 253_402_214_400_000  # How an exclusion without an end is told: the last day of the year 9999.
_WALLET = player_account("")
_KINDS = tuple(kind.value for kind in ProtectionKind)
_T = TypeVar("_T")


class Ceiling(msgspec.Struct, frozen=True, gc=False):
    """The limits that hold in one period, ready to be compared with every bet; `NONE` where there is none."""

    period: int  # Its place among the periods.
    stake: int
    loss: int
    buy_in: int
    time_ms: int


class Protection(msgspec.Struct, frozen=True):
    """Everything that is decided to protect one player."""

    limits: tuple[KeptLimit, ...] = ()
    house_limits: tuple[KeptLimit, ...] = ()
    exclusion: Exclusion | None = None
    house_exclusion: Exclusion | None = None
    check_minutes: int | None = None
    answered_ms: int = 0
    ceilings: tuple[Ceiling, ...] | None = ()  # The limits that hold; None where that depends on the time.


class _StoredLimits(msgspec.Struct, frozen=True):
    limits: tuple[KeptLimit, ...]


class _StoredMinutes(msgspec.Struct, frozen=True):
    minutes: int


class _StoredTime(msgspec.Struct, frozen=True):
    time_ms: int


NOTHING, NEVER_PLAYED = Protection(), PlayCount()


@lru_cache(maxsize=4096)
def _read(limits: str, house_limits: str, exclusion: str, house: str, check: str, answered: str) -> Protection:
    """What is stored about a player; an empty text where there is nothing."""
    decode = msgspec.json.decode
    protection = Protection(
        decode(limits, type=_StoredLimits).limits if limits else (),
        decode(house_limits, type=_StoredLimits).limits if house_limits else (),
        decode(exclusion, type=Exclusion) if exclusion else None,
        decode(house, type=Exclusion) if house else None,
        decode(check, type=_StoredMinutes).minutes if check else None,
        decode(answered, type=_StoredTime).time_ms if answered else 0,
    )
    both = (*protection.limits, *protection.house_limits)
    waits = any(limit.changes_ms is not None for limit in both)
    return replace(protection, ceilings=None if waits else _ceilings(protection, 0))


def protection_of(stored: Mapping[str, str] | None) -> Protection:
    """What protects a player, by what is stored under each kind."""
    if not stored:
        return NOTHING
    return _read(*[stored.get(kind, "") for kind in _KINDS])


# ── Limits ───────────────────────────────────────────────────────────────────────────────────────


def limits_at(kept: tuple[KeptLimit, ...], now: int) -> tuple[KeptLimit, ...]:
    """The limits in force at a moment: what was asked for in time has changed."""
    if all(limit.changes_ms is None or limit.changes_ms > now for limit in kept):
        return kept
    changed = (_limit_at(limit, now) for limit in kept)
    return tuple(limit for limit in changed if limit is not None)


def _limit_at(limit: KeptLimit, now: int) -> KeptLimit | None:
    if limit.changes_ms is None or limit.changes_ms > now:
        return limit
    return KeptLimit(limit.what, limit.period, limit.next) if limit.next is not None else None


def changed_limits(kept: tuple[KeptLimit, ...], asked: Sequence[Limit], now: int) -> tuple[KeptLimit, ...]:
    """What comes of asking for these limits and no others: stricter ones at once, looser ones after 24 hours."""
    has = {(limit.what, limit.period): limit for limit in limits_at(kept, now)}
    wants = {(limit.what, limit.period): limit.amount for limit in asked}
    places = [(what, period) for what in PlayMeasure for period in PlayPeriod]
    changed = []
    for place in places:
        before, amount = has.get(place), wants.get(place)
        if before is None:
            changed += [KeptLimit(*place, amount)] if amount is not None else []
        elif amount is not None and amount <= before.amount:
            changed.append(KeptLimit(*place, amount))
        else:
            changed.append(_loosened(before, amount, now))
    return tuple(changed)


def _loosened(limit: KeptLimit, amount: int | None, now: int) -> KeptLimit:
    """A limit that is to become looser, or to end; what has waited for at least as much goes on waiting."""
    waits, then = limit.changes_ms, limit.next
    is_covered = waits is not None and (then is None or (amount is not None and amount <= then))
    return replace(limit, next=amount, changes_ms=waits if is_covered else now + LOOSENS_AFTER_MS)


def strictest(protection: Protection, now: int) -> dict[tuple[PlayMeasure, PlayPeriod], tuple[int, Guardian]]:
    """The limits that hold at a moment, each with whose it is."""
    holds: dict[tuple[PlayMeasure, PlayPeriod], tuple[int, Guardian]] = {}
    both = ((Guardian.PLAYER, protection.limits), (Guardian.HOUSE, protection.house_limits))
    for by, kept in both:
        for limit in limits_at(kept, now):
            place = (limit.what, limit.period)
            if place not in holds or limit.amount < holds[place][0]:
                holds[place] = limit.amount, by
    return holds


def ceilings_at(protection: Protection, now: int) -> tuple[Ceiling, ...]:
    """The limits that hold at a moment, by period."""
    return protection.ceilings if protection.ceilings is not None else _ceilings(protection, now)


def _ceilings(protection: Protection, now: int) -> tuple[Ceiling, ...]:
    holds = strictest(protection, now)
    ceilings = []
    for place, period in enumerate(PlayPeriod):
        if any(period is held for _, held in holds):
            amounts = [holds[what, period][0] if (what, period) in holds else None for what in PlayMeasure]
            stake, loss, bought, minutes = (NONE if amount is None else amount for amount in amounts)
            ceilings.append(Ceiling(place, stake, loss, bought, NONE if minutes == NONE else minutes * MINUTE_MS))
    return tuple(ceilings)


class Position(msgspec.Struct, frozen=True, gc=False):
    """Where a player stands at a moment."""

    now: int
    counted: tuple[PlayTotals, ...]  # In the session, the gaming day, the week and the month.
    since_ms: int  # What the next stake adds to the time of play.

    def used(self, what: PlayMeasure, period: PlayPeriod) -> int:
        """What is used of a limit; of time in milliseconds, with what has gone by since the last stake."""
        totals = self.counted[PERIODS.index(period)]
        match what:
            case PlayMeasure.STAKE:
                return totals.stake
            case PlayMeasure.LOSS:
                return totals.loss
            case PlayMeasure.BUY_IN:
                return totals.bought
            case PlayMeasure.TIME:
                return totals.played_ms + self.since_ms


def position_of(play: PlayCount, now: int, day_of: DayOf) -> Position:
    now, when = play.moment(now, day_of)
    return Position(now, play.at(now, when), play.since_last_ms(now))


def refuse_stake_over_limit(protection: Protection, position: Position, stake: int) -> Refusal | None:
    """Why a stake would go over a limit."""
    for ceiling in ceilings_at(protection, position.now):
        totals = position.counted[ceiling.period]
        after = totals.staked - totals.returned + stake
        if after > ceiling.stake:
            return _over(PlayMeasure.STAKE, ceiling.period, ceiling.stake)
        if after - totals.paid > ceiling.loss:
            return _over(PlayMeasure.LOSS, ceiling.period, ceiling.loss)
        if totals.played_ms + position.since_ms >= ceiling.time_ms:
            return _over(PlayMeasure.TIME, ceiling.period, ceiling.time_ms // MINUTE_MS)
    return None


def refuse_buy_in_over_limit(protection: Protection, position: Position, amount: int) -> Refusal | None:
    """Why a buy-in would go over a limit."""
    for ceiling in ceilings_at(protection, position.now):
        if position.counted[ceiling.period].bought + amount > ceiling.buy_in:
            return _over(PlayMeasure.BUY_IN, ceiling.period, ceiling.buy_in)
    return None


def _over(what: PlayMeasure, period: int, amount: int) -> Refusal:
    told = amount if what is PlayMeasure.TIME else format_amount(amount)
    return Refusal(Reason.LIMIT, None, {"what": what.value, "period": PERIODS[period].value, "amount": told})


# ── Exclusion and reality check ──────────────────────────────────────────────────────────────────


def exclusion_at(protection: Protection, now: int) -> Exclusion | None:
    """The exclusion that holds at a moment; of two, the one that lasts longer."""
    both = (protection.exclusion, protection.house_exclusion)
    holding = [each for each in both if each is not None and now < _end(each)]
    return max(holding, key=_end, default=None)


def refuse_excluded(protection: Protection, handle: str, now: int) -> Refusal | None:
    exclusion = exclusion_at(protection, now)
    return _excluded(handle, exclusion) if exclusion is not None else None


def _excluded(handle: str, exclusion: Exclusion) -> Refusal:
    end = _end(exclusion)
    when = f"{datetime.fromtimestamp(end / 1000, UTC):%Y-%m-%d %H:%M} UTC"
    return Refusal(Reason.EXCLUDED, None, {"player": handle, "until": end, "when": when})


def _end(exclusion: Exclusion) -> int:
    return FOR_EVER_MS if exclusion.until_ms is None else exclusion.until_ms


def check_minutes(protection: Protection, profile: Profile) -> int | None:
    """How often a player is told time and net: as often as player or profile asks, whichever is more often."""
    asked = (protection.check_minutes, profile.reality_check_minutes)
    return min((minutes for minutes in asked if minutes is not None), default=None)


def check_time(protection: Protection, profile: Profile, play: PlayCount, now: int) -> int | None:
    """When a reality check is due in the session that is going on; None where none is."""
    minutes = check_minutes(protection, profile)
    if minutes is None or not play.is_going_on(now):
        return None
    return max(play.began_ms, protection.answered_ms) + minutes * MINUTE_MS


def refuse_unanswered(
    protection: Protection, profile: Profile, play: PlayCount, now: int, held: Callable[[], int]
) -> Refusal | None:
    """Why a bet waits until its player has seen time and net; `held` is what settlements have paid and hold."""
    due = check_time(protection, profile, play, now)
    if due is None or now < due:
        return None
    staked, won = play.totals.stake, play.totals.paid + held()
    amounts = {"staked": staked, "won": won, "net": won - staked}
    told = {name: format_amount(amount) for name, amount in amounts.items()}
    return Refusal(Reason.REALITY_CHECK, None, {"minutes": play.time_ms(now) // MINUTE_MS, **told})


def held_in_session(reader: Reader, handle: str, play: PlayCount) -> int:
    """What tables hold for a player of rounds of this session, until their next calls."""
    names = [held_account(table, handle) for table, placed in play.rounds.items() if placed.session == play.session]
    return sum(reader.balances(names).values())


# ── In a transaction ─────────────────────────────────────────────────────────────────────────────


class PlayGuard:
    """What protects the players of a transaction, as the movements so far leave it. It stands beside `Funds`: whoever
    asks holds the wallets of these players, so that nobody else bets, buys in or changes a limit meanwhile.
    """

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._profile, self._day_of = HouseRules().profile, HouseRules().gaming_day.play_day
        self._protections: dict[str, Protection] = {}
        self._plays: dict[str, PlayCount] = {}
        self._moved: set[str] = set()

    def load(self, accounts: Iterable[str]) -> None:
        """Look up what is stored about the players whose wallets are among these accounts; they are held."""
        wallets = [account.removeprefix(_WALLET) for account in accounts if account.startswith(_WALLET)]
        names = [handle for handle in wallets if handle not in self._protections]
        if not names:
            return
        settings, stored = stored_protections(self._transaction, names)
        plays = stored_plays(self._transaction, names)
        rules = rules_of(settings)
        self._profile, self._day_of = rules.profile, rules.gaming_day.play_day
        for name in names:
            self._protections[name] = protection_of(stored.get(name))
            self._plays[name] = plays.get(name, NEVER_PLAYED)

    def refuse(self, decision: Decision) -> Refusal | None:
        """Why a decision is not carried out: somebody in it may not sit down, or may not stake what it takes."""
        now = decision.command.time
        for handle in _seated(decision):
            self._held(handle)
            if handle not in BOTS and (refusal := refuse_excluded(self._protections[handle], handle, now)):
                return refusal
        for handle, stake in _staked(decision).items():
            self._held(handle)
            if handle not in BOTS and (refusal := self._refuse_stake(handle, stake, now)):
                return refusal
        return None

    def take(self, decision: Decision) -> None:
        """Count what a decision moves."""
        for event, movements in zip(decision.events, decision.movements, strict=True):
            for movement in movements:
                for posting in movement.postings:
                    if posting.account.startswith(_WALLET):
                        place = (event.time, movement.table, movement.round)
                        handle = posting.account.removeprefix(_WALLET)
                        self.count(handle, AccountMovement(movement.kind, posting.amount, *place))

    def refuse_buy_in(self, handle: str, amount: int, now: int) -> Refusal | None:
        """Why a player, who is held, may not buy in for this."""
        self.load([player_account(handle)])
        if handle in BOTS:
            return None
        protection = self._protections[handle]
        if refusal := refuse_excluded(protection, handle, now):
            return refusal
        position = position_of(self._plays[handle], now, self._day_of)
        return refuse_buy_in_over_limit(protection, position, amount)

    def count(self, handle: str, moved: AccountMovement) -> None:
        self._held(handle)
        play = self._plays[handle]
        after = followed(play, moved, self._day_of)
        if after is not play:
            self._plays[handle] = after
            self._moved.add(handle)

    def write(self) -> None:
        """Keep what was counted, in the transaction that posts it."""
        if self._moved:
            keep_plays(self._transaction, {name: self._plays[name] for name in self._moved})
            self._moved = set()

    def _held(self, handle: str) -> None:
        """Whoever comes into it only when something is decided again is held then."""
        if handle not in self._protections:
            self._transaction.lock_balances([player_account(handle)])
            self.load([player_account(handle)])

    def _refuse_stake(self, handle: str, stake: int, now: int) -> Refusal | None:
        protection, profile = self._protections[handle], self._profile
        if protection is NOTHING and not profile.limits_required and profile.reality_check_minutes is None:
            return None
        if refusal := refuse_excluded(protection, handle, now):
            return refusal
        if profile.limits_required and not limits_at(protection.limits, now):
            return Refusal(Reason.LIMITS_NEEDED, None)
        play = self._plays[handle]
        position = position_of(play, now, self._day_of)

        def held() -> int:
            return held_in_session(self._transaction, handle, play)

        unanswered = refuse_unanswered(protection, profile, play, position.now, held)
        return unanswered or refuse_stake_over_limit(protection, position, stake)


def accounts_of(decisions: Iterable[Decision]) -> set[str]:
    """Every account that these decisions move, and the wallets of those who sit down by them."""
    accounts = {account for decision in decisions for account, _ in decision.postings}
    return accounts.union(player_account(player) for decision in decisions for player in _seated(decision))


def _seated(decision: Decision) -> list[str]:
    if not isinstance(decision.command, TakeSeat):
        return []
    return [event.player for event in decision.events if isinstance(event, SeatTaken)]


def _staked(decision: Decision) -> dict[str, int]:
    stakes: dict[str, int] = defaultdict(int)
    for movements in decision.movements:
        for movement in movements:
            if movement.kind is MovementKind.BET:
                assert movement.player is not None
                stakes[movement.player] += max(posting.amount for posting in movement.postings)
    return stakes


# ── Changing and showing it ──────────────────────────────────────────────────────────────────────


class Protections:
    """Changes what protects players, and shows it: for themselves, and for the house."""

    def __init__(
        self, store: Store, clock: Callable[[], int], wait_to_change: Callable[[str], int] = lambda _: 0
    ) -> None:
        """`wait_to_change` counts a change that a player makes, and says for how many seconds there can be none."""
        self._store, self._clock, self._wait_to_change = store, clock, wait_to_change

    def limits(self, handle: str) -> PlayerLimits | Refusal:
        now = self._clock()
        with self._store.read() as reader:
            if reader.account(handle) is None:
                return no_account(handle)
            return _limits_shown(stored_protection(reader, handle), now)

    def play(self, handle: str) -> PlayerPlay | Refusal:
        """What the session has come to, what is used of each limit, and what else holds."""
        now = self._clock()
        with self._store.read() as reader:
            if reader.account(handle) is None:
                return no_account(handle)
            return play_shown(reader, handle, now)

    def set_limits(
        self, handle: str, asked: Sequence[Limit], by: str, guardian: Guardian, reason: str = ""
    ) -> PlayerLimits | Refusal:
        """Ask for these limits of the player, or of the house, and no others."""
        places = [(limit.what, limit.period) for limit in asked]
        if twice := next((place for place in places if places.count(place) > 1), None):
            return Refusal(Reason.LIMIT_TWICE, None, {"what": twice[0].value, "period": twice[1].value})
        is_own = guardian is Guardian.PLAYER
        kind = ProtectionKind.LIMITS if is_own else ProtectionKind.HOUSE_LIMITS

        def act(transaction: Transaction, before: Protection, now: int) -> PlayerLimits | Refusal:
            kept = before.limits if is_own else before.house_limits
            limits = changed_limits(kept, asked, now)
            if limits != kept:
                if is_own and (refusal := self._refuse_more(handle)):
                    return refusal
                value = msgspec.to_builtins(_StoredLimits(limits)) if limits else None
                keep_protection(transaction, handle, kind, value, HouseCode.LIMITS_CHANGED, by, now, reason)
            after = replace(before, limits=limits) if is_own else replace(before, house_limits=limits)
            return _limits_shown(after, now)

        return self._change(handle, by, guardian, act)

    def exclude(
        self, handle: str, days: int | None, by: str, guardian: Guardian, reason: str = ""
    ) -> Exclusion | Refusal:
        """Exclude a player from play at once, for some days or for ever. A player's own is never made shorter."""
        is_own = guardian is Guardian.PLAYER
        if not is_own and not reason.strip():
            return Refusal(Reason.REASON_NEEDED, None)
        kind = ProtectionKind.EXCLUSION if is_own else ProtectionKind.HOUSE_EXCLUSION

        def act(transaction: Transaction, before: Protection, now: int) -> Exclusion | Refusal:
            until = now + days * DAY_MS if days is not None else None
            exclusion = Exclusion(now, until, guardian, reason.strip())
            if is_own and before.exclusion is not None and now < _end(before.exclusion):
                if _end(before.exclusion) >= _end(exclusion):
                    return before.exclusion
                if refusal := self._refuse_more(handle):  # never of one that begins
                    return refusal
                exclusion = replace(exclusion, since_ms=before.exclusion.since_ms)
            value = msgspec.to_builtins(exclusion)
            keep_protection(transaction, handle, kind, value, HouseCode.PLAYER_EXCLUDED, by, now, reason.strip())
            return exclusion

        return self._change(handle, by, guardian, act)

    def readmit(self, handle: str, by: str, reason: str) -> PlayerPlay | Refusal:
        """Lift an exclusion of the house, with a reason; a player's own ends when it is over and not before."""
        if not reason.strip():
            return Refusal(Reason.REASON_NEEDED, None)

        def act(transaction: Transaction, before: Protection, now: int) -> PlayerPlay | Refusal:
            if before.house_exclusion is None:
                own = before.exclusion
                if own is not None and now < _end(own):
                    return _excluded(handle, own)
                return Refusal(Reason.NOT_EXCLUDED, None, {"player": handle})
            kind, code = ProtectionKind.HOUSE_EXCLUSION, HouseCode.PLAYER_READMITTED
            keep_protection(transaction, handle, kind, None, code, by, now, reason.strip())
            return play_shown(transaction, handle, now)

        return self._change(handle, by, Guardian.HOUSE, act)

    def choose_check(self, handle: str, minutes: int | None) -> PlayerPlay | Refusal:
        """How often a player wants to be told time and net; None for as often as the house says."""

        def act(transaction: Transaction, before: Protection, now: int) -> PlayerPlay | Refusal:
            if minutes != before.check_minutes:
                if refusal := self._refuse_more(handle):
                    return refusal
                value = {"minutes": minutes} if minutes is not None else None
                kind, code = ProtectionKind.CHECK, HouseCode.CHECK_CHOSEN
                keep_protection(transaction, handle, kind, value, code, handle, now)
            return play_shown(transaction, handle, now)

        return self._change(handle, handle, Guardian.PLAYER, act)

    def answer_check(self, handle: str) -> PlayerPlay | Refusal:
        """The player has seen time and net, and goes on; nothing is kept where nothing was due."""

        def act(transaction: Transaction, _: Protection, now: int) -> PlayerPlay:
            shown = play_shown(transaction, handle, now)
            if not shown.is_check_due:
                return shown
            kind, code = ProtectionKind.ANSWERED, HouseCode.CHECK_ANSWERED
            keep_protection(transaction, handle, kind, {"time_ms": now}, code, handle, now)
            return play_shown(transaction, handle, now)

        return self._change(handle, handle, Guardian.PLAYER, act)

    def _refuse_more(self, handle: str) -> Refusal | None:
        """Why a player changes nothing more now: each change is a significant event, and stays for ever."""
        seconds = self._wait_to_change(handle)
        return Refusal(Reason.TOO_OFTEN, None, {"seconds": seconds}) if seconds else None

    def _change(
        self, handle: str, by: str, guardian: Guardian, act: Callable[[Transaction, Protection, int], _T | Refusal]
    ) -> _T | Refusal:
        """Change something while nobody else bets or buys in for the player."""
        if guardian is Guardian.HOUSE and by == handle:
            return Refusal(Reason.OWN_PROTECTION, None)
        with self._store.write() as transaction:
            if transaction.account(handle) is None:
                return no_account(handle)
            hold_player(transaction, handle)
            return act(transaction, stored_protection(transaction, handle), self._clock())


def stored_protection(reader: Reader, handle: str) -> Protection:
    _, stored = stored_protections(reader, [handle])
    return protection_of(stored.get(handle))


def play_shown(reader: Reader, handle: str, now: int) -> PlayerPlay:
    """What a player's session has come to by now, and what protects the player."""
    settings, stored = stored_protections(reader, [handle])
    rules, protection = rules_of(settings), protection_of(stored.get(handle))
    play = stored_plays(reader, [handle]).get(handle, NEVER_PLAYED)
    position = position_of(play, now, rules.gaming_day.play_day)
    now = position.now
    is_going_on = play.is_going_on(now)
    staked = play.totals.stake if is_going_on else 0
    returned = play.totals.paid + held_in_session(reader, handle, play) if is_going_on else 0
    lying = balances_of(reader, [handle])[handle].staked if is_going_on else 0
    due = check_time(protection, rules.profile, play, now)
    is_checked = handle not in BOTS
    return PlayerPlay(
        account=handle,
        began_ms=play.began_ms if is_going_on else None,
        minutes=play.time_ms(now) // MINUTE_MS,
        staked=staked,
        returned=returned,
        net=returned - staked,
        lying=lying,
        check_minutes=check_minutes(protection, rules.profile),
        check_ms=due,
        is_check_due=is_checked and due is not None and now >= due,
        is_limit_needed=is_checked and rules.profile.limits_required and not limits_at(protection.limits, now),
        limits=tuple(_limit_uses(protection, position)),
        exclusion=exclusion_at(protection, now),
    )


def _limit_uses(protection: Protection, position: Position) -> Iterator[LimitUse]:
    for (what, period), (amount, by) in strictest(protection, position.now).items():
        used = position.used(what, period)
        yield LimitUse(what, period, amount, used // MINUTE_MS if what is PlayMeasure.TIME else used, by)


def _limits_shown(protection: Protection, now: int) -> PlayerLimits:
    return PlayerLimits(limits_at(protection.limits, now), limits_at(protection.house_limits, now))
