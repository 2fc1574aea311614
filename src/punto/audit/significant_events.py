"""Which events of a table are significant for the whole house, and what is written down of them: terms before and
after, pauses and closures, voids, rulings, corrections, settlements taken back, and stakes and wins that reach a
threshold of the house; and which cash does at the cashier's desk.

An act is a function of the table before the event, the event, whoever agreed, and the thresholds in force. The floor
writes it in the transaction of the event; verification works it out again and misses one that is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from punto.money import Money
from punto.rules.outcome import insurance_area
from punto.store.chain import HouseAct, HouseCode, Subject
from punto.store.house_settings import GamingDay
from punto.table.antes import WagerPlaced
from punto.table.betting import BetPlaced, BetsReopened
from punto.table.dealing import CardCorrected
from punto.table.event import Event
from punto.table.house import ShoeLoaded, TableClosed, TablePaused, TableResumed, TermsChanged
from punto.table.insurance import InsuranceTaken
from punto.table.irregularity_events import BetsReturned, CardsReplaced, CaseClosed, ErrorFoundLate, RoundVoided, Ruled
from punto.table.settlement import RoundSettled, SettlementReversed
from punto.table.state import SettledBet, Stake, State

STAKE_EVENTS = (BetPlaced, WagerPlaced, InsuranceTaken)


class CashPeriod(Enum):
    """What counts together before it is large cash."""

    SINGLE = "single"  # Nothing: each buy-in and each cash-out counts by itself.
    DAY = "day"  # What one person brings, or takes, in a gaming day; a single one that is large by itself too.


class Thresholds(msgspec.Struct, frozen=True, dict=True):
    """From which amounts on the house wants to know; minor units. These are rules of the house, by their names."""

    large_stake: int | None = None
    large_win: int | None = None
    large_day: int | None = None
    large_cash: int | None = None
    large_cash_period: CashPeriod = CashPeriod.DAY
    time_zone: str = "UTC"
    day_begins: str = "06:00"

    @cached_property
    def watched(self) -> frozenset[type[Event]]:
        """The events that have to be looked at; with no threshold, no bet is among them."""
        stakes = STAKE_EVENTS if self.large_stake is not None else ()
        settled = (RoundSettled,) if self.large_win is not None or self.large_day is not None else ()
        return frozenset((*_ALWAYS, *stakes, *settled))

    @property
    def gaming_day(self) -> GamingDay:
        return GamingDay(self.time_zone, self.day_begins)

    def day_of(self, now: int) -> str:
        return self.gaming_day.day_of(now).isoformat()


def thresholds_of(settings: Mapping[str, str]) -> Thresholds:
    """The thresholds among the settings of a house, which are kept as JSON by name."""
    return _thresholds(tuple((name, settings[name]) for name in Thresholds.__struct_fields__ if name in settings))


@lru_cache(maxsize=16)
def _thresholds(settings: tuple[tuple[str, str], ...]) -> Thresholds:
    return msgspec.convert({name: msgspec.json.decode(value) for name, value in settings}, type=Thresholds)


Details = dict[str, Any]  # Of an act: `before`, `after`, `reason`, `round`.


def _terms(state: State, event: TermsChanged) -> Details:
    assert state.terms is not None, "a table that is open has terms"
    old, new = state.terms, event.terms
    names = [name for name in old.__struct_fields__ if getattr(old, name) != getattr(new, name)]
    before, after = ({name: msgspec.to_builtins(getattr(each, name)) for name in names} for each in (old, new))
    return {"before": before, "after": after}


def _closed_case(state: State, event: CaseClosed) -> Details:
    after = {"finding": event.finding.value, "resolution": event.resolution.value, "clause": event.clause}
    return {"after": after, "reason": event.reason or None, "round": state.round}


def _corrected(state: State, event: CardCorrected) -> Details:
    place = {"hand": event.hand.value, "card": event.number}
    before, after = ({**place, "is": card.symbol} for card in (event.was, event.card))
    return {"before": before, "after": after, "round": state.round}


def _found_late(_: State, event: ErrorFoundLate) -> Details:
    return {"after": {"clause": event.clause}, "round": event.round}


def _ruled(state: State, event: Ruled) -> Details:
    after = {"effect": event.effect.value, "clause": event.clause, **_returned(event.returned)}
    return {"after": after, "reason": event.reason or None, "round": state.round}


def _returned(stakes: Iterable[Stake]) -> Details:
    """What went back, by player."""
    back: Counter[str] = Counter()
    for stake in stakes:
        back[stake.player] += stake.amount
    return {"returned": dict(back)}


def _voided(_: State, event: RoundVoided) -> Details:
    after = {"clause": event.clause, **_returned(event.returned)}
    return {"after": after, "reason": event.reason or None, "round": event.round}


def _reversed(state: State, event: SettlementReversed) -> Details:
    paid: Counter[str] = Counter()
    for line in state.settled or ():
        paid[line.player] += line.net
    return {"before": {"net": dict(paid)}, "round": event.round}


def _replaced(_: State, event: ShoeLoaded) -> Details:
    return {"after": {"shoe": event.number}, "reason": event.instead}


_ALWAYS: dict[type[Event], tuple[HouseCode, Callable[[State, Any], Details]]] = {
    TermsChanged: (HouseCode.TERMS_CHANGED, _terms),
    TablePaused: (HouseCode.TABLE_PAUSED, lambda _, __: {}),
    TableResumed: (HouseCode.TABLE_RESUMED, lambda _, __: {}),
    TableClosed: (HouseCode.TABLE_CLOSED, lambda _, __: {}),
    BetsReopened: (HouseCode.BETS_REOPENED, lambda state, _: {"round": state.round}),
    ShoeLoaded: (HouseCode.SHOE_REPLACED, _replaced),
    CardsReplaced: (HouseCode.CARDS_REPLACED, lambda state, e: {"after": {"clause": e.clause}, "round": state.round}),
    CardCorrected: (HouseCode.CARD_CORRECTED, _corrected),
    CaseClosed: (HouseCode.CASE_CLOSED, _closed_case),
    ErrorFoundLate: (HouseCode.ERROR_FOUND_LATE, _found_late),
    Ruled: (HouseCode.RULED, _ruled),
    BetsReturned: (
        HouseCode.BETS_RETURNED,
        lambda state, e: {"after": {"clause": e.clause, **_returned(e.bets)}, "round": state.round},
    ),
    RoundVoided: (HouseCode.ROUND_VOIDED, _voided),
    SettlementReversed: (HouseCode.SETTLEMENT_REVERSED, _reversed),
}
"""Events that are significant whatever the thresholds: their code, and what is written down."""


def acts_of(
    table: str, seq: int, before: State, event: Event, second: str | None, thresholds: Thresholds
) -> Iterator[HouseAct]:
    """What is written down of an event, from the table before it; what comes together in a day is not among it."""
    if isinstance(event, STAKE_EVENTS):
        details = _large_stake(before, event, thresholds)
        if details is not None:
            yield _act(HouseCode.LARGE_STAKE, table, seq, event, second, details)
    elif isinstance(event, RoundSettled):
        for after in _large_wins(event, thresholds):
            yield _act(HouseCode.LARGE_WIN, table, seq, event, second, {"after": after, "round": event.round})
    elif isinstance(event, ShoeLoaded) and not event.instead:
        return  # a shoe that was finished is followed by the next
    elif (known := _ALWAYS.get(type(event))) is not None:
        code, tell = known
        yield _act(code, table, seq, event, second, tell(before, event))


def _act(code: HouseCode, table: str, seq: int, event: Event, second: str | None, details: Details) -> HouseAct:
    subject = Subject.EVENT.of(f"{table}/{seq}")
    place = {"table": table, "event": seq, **details}
    return HouseAct(time=event.time, code=code.value, subject=subject, who=event.by, second=second, **place)


def _large_stake(state: State, event: BetPlaced | WagerPlaced | InsuranceTaken, limits: Thresholds) -> Details | None:
    """A stake counts with what lay on the same area before: two halves are as large as one whole."""
    if limits.large_stake is None:
        return None
    if isinstance(event, InsuranceTaken):
        area, lying = insurance_area(event.hand, event.window), 0
    else:
        area, laid = event.area, state.bet(event.box, event.player, event.area)
        lying = laid.stake if laid is not None else 0
    stake = lying + event.amount
    if stake < limits.large_stake:
        return None
    after = {"player": event.player, "box": event.box, "area": area, "stake": stake, "threshold": limits.large_stake}
    return {"after": after, "round": state.round}


def _large_wins(event: RoundSettled, limits: Thresholds) -> Iterator[Details]:
    if limits.large_win is None:
        return
    for player, (_, won) in round_results(event.bets).items():
        if won >= limits.large_win:
            yield {"player": player, "won": won, "threshold": limits.large_win}


def round_results(lines: Sequence[SettledBet]) -> dict[str, tuple[int, int]]:
    """What each player staked in a round that was settled, and won in it; who lost has won nothing."""
    staked: Counter[str] = Counter()
    net: Counter[str] = Counter()
    for line in lines:
        staked[line.player] += line.stake
        net[line.player] += line.net
    return {player: (amount, max(0, net[player])) for player, amount in staked.items()}


class DayPart(msgspec.Struct, frozen=True):
    """What a settlement adds to a player's gaming day, or takes from it again where it is reversed."""

    player: str
    day: str
    staked: int
    won: int
    threshold: int  # What the house wants to know of, at that moment.


def day_parts(before: State, event: Event, thresholds: Thresholds) -> Iterator[DayPart]:
    """What an event adds to gaming days; nothing where the house has no threshold for a day."""
    if thresholds.large_day is None or not isinstance(event, RoundSettled | SettlementReversed):
        return
    lines, sign = (event.bets, 1) if isinstance(event, RoundSettled) else (before.settled or (), -1)
    day = thresholds.day_of(event.time)
    for player, (staked, won) in round_results(lines).items():
        yield DayPart(player, day, sign * staked, sign * won, thresholds.large_day)


def large_day_act(
    table: str, seq: int, event: Event, second: str | None, part: DayPart, what: str, total: int
) -> HouseAct:
    """That the stakes, or the wins, of a player in one gaming day have come to the threshold."""
    after = {"player": part.player, "day": part.day, "what": what, "amount": total, "threshold": part.threshold}
    assert isinstance(event, RoundSettled), "only a settlement adds to a day"
    return _act(HouseCode.LARGE_DAY, table, seq, event, second, {"after": after, "round": event.round})


class CashMark(msgspec.Struct, frozen=True, kw_only=True):
    """Cash that somebody brings or takes, beside what the house wants to know of. Amounts are minor units."""

    account: str
    act: str  # `buy-in` or `cash-out`; the two are never added up together.
    amount: Money
    day: str  # The gaming day.
    total: Money  # With what came before it in that day; where the house has no threshold, the amount alone.
    threshold: Money | None
    why: CashPeriod | None  # Large by itself, or together in the day; None where it is not large.


def cash_mark(thresholds: Thresholds, account: str, act: str, amount: int, before: int, now: int) -> CashMark:
    """Whether cash is large; `before` is what the account brought, or took, earlier in the gaming day."""
    threshold, total, why = thresholds.large_cash, before + amount, None
    if threshold is not None and amount >= threshold:
        why = CashPeriod.SINGLE
    elif threshold is not None and thresholds.large_cash_period is CashPeriod.DAY and total >= threshold:
        why = CashPeriod.DAY
    day = thresholds.day_of(now)
    return CashMark(account=account, act=act, amount=amount, day=day, total=total, threshold=threshold, why=why)


def large_cash_act(mark: CashMark, cashier: str | None, now: int) -> HouseAct:
    """What is written down of large cash."""
    assert mark.why is not None, "only large cash is written down"
    after = {"what": mark.act, "amount": mark.amount, "day": mark.day, "total": mark.total}
    after |= {"threshold": mark.threshold, "why": mark.why.value}
    subject = Subject.CASH.of(mark.account)
    return HouseAct(time=now, code=HouseCode.LARGE_CASH.value, subject=subject, who=cashier, after=after)
