"""Limits, exclusions and reality checks hold for every stake, seat and buy-in, from the moment they are set."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.verification import verify
from punto.dealer.bot import BOTS
from punto.floor.answers import Exclusion, Guardian, KeptLimit, Limit, PlayerLimits, PlayerPlay, PlayMeasure, PlayPeriod
from punto.floor.house_rules import change_rules
from punto.floor.job import Accepted
from punto.floor.protection import (
    DAY_MS,
    FOR_EVER_MS,
    MINUTE_MS,
    NOTHING,
    Protections,
    changed_limits,
    exclusion_at,
    limits_at,
    strictest,
)
from punto.ledger.movement import Movement
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.record import AccountOwner, StoredPerson
from punto.store.store import Store
from punto.table.betting import PlaceBet, ReduceBet, WithdrawBet
from punto.table.dealing import DealCard
from punto.table.house import TakeSeat
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Effect, Report, Rule
from punto.table.settlement import SettleRound
from tests.floor.house import CASHIER, House, accepted, reason

HOUR_MS = 60 * MINUTE_MS
NOON = round(datetime(2026, 3, 4, 12, tzinfo=UTC).timestamp() * 1000)  # A Wednesday.
STAKE, LOSS, BUY_IN, TIME = PlayMeasure
SESSION, DAY, WEEK, MONTH = PlayPeriod


class Night(House):
    """A house with a clock that the test sets, and what protects its players."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.time = NOON
        self.protections = Protections(store, lambda: self.time)

    def __enter__(self) -> Night:
        return self

    def limit(self, player: str, *limits: Limit, by: Guardian = Guardian.PLAYER) -> PlayerLimits:
        who = player if by is Guardian.PLAYER else "Sue"
        kept = self.protections.set_limits(player, limits, who, by)
        assert isinstance(kept, PlayerLimits)
        return kept

    def play(self, player: str) -> PlayerPlay:
        play = self.protections.play(player)
        assert isinstance(play, PlayerPlay)
        return play

    def round_of(self, player: str, amount: int, area: str = "banker") -> None:
        """A whole round with one bet."""
        self.call()
        accepted(self.bet(player, amount, area))
        self.finish()

    def buys(self, player: str, amount: int) -> Movement | Refusal:
        return self.desk.buy_in(player, amount, CASHIER, self.time)


@pytest.fixture
def night(store: Store) -> Iterator[Night]:
    with Night(store) as house:
        house.open("t1", "ez")
        house.open("t2", "ez")
        for player in ("Ann", "Ben"):
            house.buy_in(player, 1_000_000)
        house.seat("Ann", "Ben")
        yield house
        with store.read() as reader:
            assert verify(reader).problems == ()


def limit_of(answer: Accepted | Refusal | Movement) -> dict[str, Any]:
    assert isinstance(answer, Refusal) and answer.reason is Reason.LIMIT, answer
    return dict(answer.params)


# ── Limits ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.gli("2.5.5")
@pytest.mark.parametrize("period", PlayPeriod)
def test_stakes_are_taken_up_to_a_limit_and_the_refusal_names_it(night: Night, period: PlayPeriod) -> None:
    night.limit("Ann", Limit(STAKE, period, 10_000))
    night.call()
    accepted(night.bet("Ann", 6_000))
    refused = night.bet("Ann", 4_100)
    assert limit_of(refused) == {"what": "stake", "period": period.value, "amount": "100.00"}
    assert isinstance(refused, Refusal)
    assert refused.sentence == f"this would go over the limit on stake by {period.value}, which is 100"
    accepted(night.bet("Ann", 4_000))
    accepted(night.bet("Ben", 50_000))


@pytest.mark.gli("2.5.5")
@pytest.mark.parametrize("period", [DAY, WEEK, MONTH])
def test_a_period_ends_with_the_gaming_day_of_the_house(night: Night, period: PlayPeriod) -> None:
    """NOON is Wednesday, 4 March: the days go on at six, on the 5th, the week on Monday the 9th, the month in April."""
    change_rules(night.store, {"time_zone": "Asia/Macau", "day_begins": "06:00"}, "Sue", 1)
    starts = {DAY: datetime(2026, 3, 4, 22), WEEK: datetime(2026, 3, 8, 22), MONTH: datetime(2026, 3, 31, 22)}
    begins = round(starts[period].replace(tzinfo=UTC).timestamp() * 1000)  # in UTC, eight hours before Macau
    night.limit("Ann", Limit(STAKE, period, 10_000))
    night.call()
    accepted(night.bet("Ann", 10_000))
    night.time = begins - 2
    assert limit_of(night.bet("Ann", 1_000))["period"] == period.value
    night.time = begins - 1
    accepted(night.bet("Ann", 10_000))
    assert night.play("Ann").limits[0].used == 10_000


@pytest.mark.gli("2.5.5")
def test_stakes_that_go_back_undecided_make_room(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 10_000))
    night.call()
    accepted(night.bet("Ann", 10_000))
    accepted(night.ask(ReduceBet, "Ann", box=1, area="banker", amount=4_000, round=1))
    assert night.play("Ann").limits[0].used == 6_000
    accepted(night.bet("Ann", 4_000))
    accepted(night.ask(WithdrawBet, "Ann", box=1, area="banker", round=1))
    assert night.play("Ann").limits[0].used == 0


@pytest.mark.gli("2.5.5")
def test_what_lies_counts_as_lost_and_what_is_won_makes_room_when_it_is_released(night: Night) -> None:
    night.limit("Ann", Limit(LOSS, SESSION, 10_000))
    nets: list[int] = []
    while len(set(nets)) < 2:
        night.call()
        used = night.play("Ann").limits[0].used
        assert used == -sum(nets), "all that was settled is released by the call"
        if used + 1_000 > 10_000:
            assert limit_of(night.bet("Ann", 1_000))["what"] == "loss"
            return
        accepted(night.bet("Ann", 1_000))
        assert night.play("Ann").limits[0].used == used + 1_000
        assert (night.play("Ann").net, night.play("Ann").lying) == (sum(nets) - 1_000, 1_000)
        night.finish()
        [line] = night.table().state.settled or ()
        nets.append(line.net)
        assert night.play("Ann").limits[0].used == used + 1_000, "it could still be reversed"
        assert night.play("Ann").net == sum(nets), "what is shown knows of it already"
        assert night.play("Ann").lying == 0


@pytest.mark.gli("2.5.5")
def test_a_voided_round_counts_back(night: Night) -> None:
    night.limit("Ann", Limit(LOSS, DAY, 10_000), Limit(STAKE, DAY, 10_000))
    night.call()
    accepted(night.bet("Ann", 10_000))
    accepted(night.deal(DealCard))
    accepted(night.deal(Report, seen=(Seen.UNCOVERED,), note="the lights went out"))
    accepted(night.deal(Rule, by="Sue", role=Role.SHIFT_MANAGER, effect=Effect.VOID, reason="the lights went out"))
    assert [limit.used for limit in night.play("Ann").limits] == [0, 0]
    assert night.play("Ann").staked == night.play("Ann").net == 0


@pytest.mark.gli("2.5.5")
def test_what_comes_back_of_yesterday_makes_no_room_today(night: Night) -> None:
    night.limit("Ann", Limit(LOSS, DAY, 10_000), Limit(STAKE, DAY, 10_000))
    night.seat("Ann", id="t2")
    night.call()
    night.call("t2")
    accepted(night.bet("Ann", 10_000))
    night.time += DAY_MS
    accepted(night.bet("Ann", 4_000, id="t2"))
    accepted(night.ask(WithdrawBet, "Ann", box=1, area="banker", round=1))
    assert {use.used for use in night.play("Ann").limits} == {4_000}
    assert limit_of(night.bet("Ann", 6_100, id="t2"))["period"] == "day"
    accepted(night.bet("Ann", 6_000, id="t2"))


@pytest.mark.gli("2.5.5")
def test_the_stricter_of_player_and_house_holds(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 8_000))
    night.limit("Ann", Limit(STAKE, DAY, 5_000), Limit(STAKE, WEEK, 90_000), by=Guardian.HOUSE)
    night.call()
    assert limit_of(night.bet("Ann", 5_100))["amount"] == "50.00"
    uses = {(use.period, use.amount, use.by) for use in night.play("Ann").limits}
    assert uses == {(DAY, 5_000, Guardian.HOUSE), (WEEK, 90_000, Guardian.HOUSE)}
    night.limit("Ann", Limit(STAKE, DAY, 3_000))
    assert limit_of(night.bet("Ann", 3_100))["amount"] == "30.00"


@pytest.mark.gli("2.5.5")
def test_a_limit_holds_over_all_tables(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 10_000))
    night.seat("Ann", id="t2")
    night.call()
    night.call("t2")
    accepted(night.bet("Ann", 6_000))
    assert limit_of(night.bet("Ann", 6_000, id="t2"))
    accepted(night.bet("Ann", 4_000, id="t2"))


@pytest.mark.gli("2.5.5")
def test_staff_who_bet_for_a_player_are_held_to_the_limits(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 5_000))
    night.call()
    bet: dict[str, Any] = {"player": "Ann", "box": 1, "area": "banker", "round": 1}
    assert limit_of(night.deal(PlaceBet, amount=5_100, **bet))
    accepted(night.deal(PlaceBet, amount=5_000, **bet))


@pytest.mark.gli("2.5.5")
@pytest.mark.parametrize("period", PlayPeriod)
def test_buy_ins_are_limited_and_cash_outs_are_not(night: Night, period: PlayPeriod) -> None:
    night.limit("Ann", Limit(BUY_IN, period, 20_000))
    assert isinstance(night.buys("Ann", 15_000), Movement)
    assert limit_of(night.buys("Ann", 5_001)) == {"what": "buy-in", "period": period.value, "amount": "200.00"}
    assert not isinstance(night.desk.cash_out("Ann", 500_000, CASHIER, night.time), Refusal)
    assert limit_of(night.buys("Ann", 5_001)), "what is cashed out makes no room"
    assert isinstance(night.buys("Ann", 5_000), Movement)


@pytest.mark.gli("2.5.5")
def test_time_of_play_ends_betting_and_a_pause_ends_the_session(night: Night) -> None:
    night.limit("Ann", Limit(TIME, SESSION, 60), Limit(TIME, DAY, 90))
    night.call()
    began = night.time + 1
    accepted(night.bet("Ann", 1_000))
    for minute in (20, 40, 59):
        night.time = began + minute * MINUTE_MS
        accepted(night.bet("Ann", 1_000))
    night.time = began + 60 * MINUTE_MS
    assert limit_of(night.bet("Ann", 1_000)) == {"what": "time", "period": "session", "amount": 60}
    night.time = night.time + 29 * MINUTE_MS  # half an hour after the last bet that was taken
    accepted(night.bet("Ann", 1_000))
    assert night.play("Ann").minutes == 0
    assert {use.period: use.used for use in night.play("Ann").limits} == {SESSION: 0, DAY: 59}
    night.time += 28 * MINUTE_MS
    accepted(night.bet("Ann", 1_000))
    night.time += 4 * MINUTE_MS
    refused = night.bet("Ann", 1_000)
    assert limit_of(refused) == {"what": "time", "period": "day", "amount": 90}
    assert isinstance(refused, Refusal) and refused.sentence.endswith("which is 90 minutes")


def test_a_clock_that_is_put_back_makes_no_room(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 10_000))
    night.time += 2 * DAY_MS
    night.call()
    accepted(night.bet("Ann", 10_000))
    night.time = NOON
    assert limit_of(night.bet("Ann", 1_000))


LIMITS = st.lists(
    st.builds(Limit, st.sampled_from(PlayMeasure), st.sampled_from(PlayPeriod), st.integers(0, 5)),
    max_size=4,
    unique_by=lambda limit: (limit.what, limit.period),
)


@pytest.mark.gli("2.5.5")
@given(st.lists(st.tuples(st.integers(0, 30), LIMITS), max_size=8))
def test_loosening_waits_a_day_at_any_clock(asked: list[tuple[int, list[Limit]]]) -> None:
    """At no moment is a limit looser than everything that was asked for in the 24 hours before, and after 24 hours
    in which nothing was asked for it is what was asked for last.
    """
    kept: tuple[KeptLimit, ...] = ()
    now = 0
    history: list[tuple[int, dict[tuple[PlayMeasure, PlayPeriod], int]]] = [(-DAY_MS, {})]
    for hours, limits in asked:
        now += hours * HOUR_MS
        kept = changed_limits(kept, limits, now)
        history.append((now, {(limit.what, limit.period): limit.amount for limit in limits}))
    last = now
    for moment in (*(time for time, _ in history), last + DAY_MS - 1, last + DAY_MS):
        if moment < last:
            continue
        wanted = [document for time, document in history if moment - DAY_MS < time <= moment]
        before = [document for time, document in history if time <= moment - DAY_MS]
        wanted += before[-1:] if moment - DAY_MS < last else []
        holds = {(limit.what, limit.period): limit.amount for limit in limits_at(kept, moment)}
        for place in {place for document in wanted for place in document}:
            least = min(document[place] for document in wanted if place in document)
            assert holds.get(place, 99) <= least or moment == last + DAY_MS
    assert {(limit.what, limit.period): limit.amount for limit in limits_at(kept, last + DAY_MS)} == history[-1][1]


@pytest.mark.gli("2.5.5")
def test_a_looser_limit_is_shown_as_pending_and_stricter_ones_hold_at_once(night: Night) -> None:
    night.limit("Ann", Limit(STAKE, DAY, 5_000), Limit(LOSS, WEEK, 7_000))
    shown = night.limit("Ann", Limit(STAKE, DAY, 9_000))
    when = night.time + DAY_MS
    assert shown.limits == (KeptLimit(STAKE, DAY, 5_000, when, 9_000), KeptLimit(LOSS, WEEK, 7_000, when, None))
    night.time = when - 1
    assert night.limit("Ann", Limit(STAKE, DAY, 9_000)) == shown, "asking again does not begin the wait again"
    night.time = when
    assert night.protections.limits("Ann") == PlayerLimits((KeptLimit(STAKE, DAY, 9_000),))
    night.limit("Ann", Limit(STAKE, DAY, 1_000))
    night.call()
    assert limit_of(night.bet("Ann", 2_000))["amount"] == "10.00"


def test_a_limit_is_set_once_for_each_period(night: Night) -> None:
    refused = night.protections.set_limits("Ann", [Limit(STAKE, DAY, 1), Limit(STAKE, DAY, 2)], "Ann", Guardian.PLAYER)
    assert isinstance(refused, Refusal) and refused.reason is Reason.LIMIT_TWICE
    assert strictest(NOTHING, 0) == {}


@pytest.mark.gli("A.3.7")
def test_a_profile_can_ask_for_a_limit_before_the_first_bet(night: Night) -> None:
    change_rules(night.store, {"profile": {"name": "own", "limits_required": True}}, "Sue", 1)
    night.call()
    assert reason(night.bet("Ann", 1_000)) is Reason.LIMITS_NEEDED
    assert night.play("Ann").is_limit_needed
    night.limit("Ann", Limit(STAKE, DAY, 5_000), by=Guardian.HOUSE)
    assert reason(night.bet("Ann", 1_000)) is Reason.LIMITS_NEEDED, "it is the player who sets one"
    night.limit("Ann", Limit(LOSS, MONTH, 50_000))
    accepted(night.bet("Ann", 1_000))


# ── Exclusion ────────────────────────────────────────────────────────────────────────────────────


def excluded(answer: object) -> int:
    assert isinstance(answer, Refusal) and answer.reason is Reason.EXCLUDED, answer
    return int(answer.params["until"])


@pytest.mark.gli("A.3.8")
def test_who_is_excluded_takes_no_seat_bets_nothing_and_buys_nothing(night: Night) -> None:
    night.call()
    accepted(night.bet("Ann", 1_000))
    exclusion = night.protections.exclude("Ann", 2, "Ann", Guardian.PLAYER)
    assert exclusion == Exclusion(night.time, night.time + 2 * DAY_MS)
    until = night.time + 2 * DAY_MS
    assert excluded(night.bet("Ann", 1_000)) == until
    assert excluded(night.ask(TakeSeat, "Ann", "t2", box=1)) == until
    assert excluded(night.deal(TakeSeat, "t2", player="Ann", box=1)) == until
    assert excluded(night.buys("Ann", 1_000)) == until
    refused = night.bet("Ann", 1_000)
    assert isinstance(refused, Refusal) and refused.sentence.startswith("Ann is excluded from play until 2026-03-06")
    night.finish()
    [line] = night.table().state.settled or ()
    assert line.player == "Ann" and line.stake == 1_000, "what lies is settled"
    night.call()
    free = night.holdings("Ann").free
    assert isinstance(night.desk.cash_out("Ann", free, CASHIER, night.time), Movement)
    night.time = until
    assert isinstance(night.buys("Ann", 5_000), Movement)
    accepted(night.bet("Ann", 1_000))


@pytest.mark.gli("A.3.8")
def test_a_player_makes_an_exclusion_longer_and_never_shorter(night: Night) -> None:
    exclude = night.protections.exclude
    first = exclude("Ann", 7, "Ann", Guardian.PLAYER)
    assert exclude("Ann", 1, "Ann", Guardian.PLAYER) == first
    longer = exclude("Ann", 30, "Ann", Guardian.PLAYER)
    assert isinstance(first, Exclusion) and isinstance(longer, Exclusion)
    assert (longer.since_ms, longer.until_ms) == (first.since_ms, night.time + 30 * DAY_MS)


@pytest.mark.gli("A.3.8")
def test_the_house_lifts_its_own_exclusion_with_a_reason_and_no_other(night: Night) -> None:
    protections = night.protections
    assert reason_of(protections.exclude("Ann", None, "Sue", Guardian.HOUSE)) is Reason.REASON_NEEDED
    assert reason_of(protections.exclude("Sue", 1, "Sue", Guardian.HOUSE, "x")) is Reason.OWN_PROTECTION
    assert reason_of(protections.readmit("Ann", "Sue", "why not")) is Reason.NOT_EXCLUDED
    protections.exclude("Ann", None, "Sue", Guardian.HOUSE, "court order")
    night.call()
    assert excluded(night.bet("Ann", 1_000)) == FOR_EVER_MS
    protections.exclude("Ann", 3, "Ann", Guardian.PLAYER)
    assert reason_of(protections.readmit("Ann", "Sue", " ")) is Reason.REASON_NEEDED
    assert isinstance(protections.readmit("Ann", "Sue", "the order was lifted"), PlayerPlay)
    until = excluded(night.bet("Ann", 1_000))
    assert until == night.play("Ann").exclusion.until_ms  # type: ignore[union-attr]
    assert excluded(protections.readmit("Ann", "Sue", "she asked for it")) == until
    night.time = until
    accepted(night.bet("Ann", 1_000))
    with night.store.read() as reader:
        acts = [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
    told = [code for body in acts for code in ("player-excluded", "player-readmitted") if f'"code":"{code}"' in body]
    assert told == ["player-excluded", "player-excluded", "player-readmitted"]
    assert any("the order was lifted" in body for body in acts)


def reason_of(answer: object) -> Reason:
    assert isinstance(answer, Refusal), answer
    return answer.reason


def test_of_two_exclusions_the_longer_is_told() -> None:
    own, house = Exclusion(0, 50), Exclusion(0, 40, Guardian.HOUSE, "x")
    protection = type(NOTHING)(exclusion=own, house_exclusion=house)
    assert [exclusion_at(protection, now) for now in (0, 45, 50)] == [own, own, None]


# ── Reality check ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.gli("2.5.5")
def test_a_reality_check_stops_betting_until_it_is_answered(night: Night) -> None:
    assert isinstance(night.protections.choose_check("Ann", 20), PlayerPlay)
    night.round_of("Ann", 2_000)
    began = night.play("Ann").began_ms
    assert began is not None
    [line] = night.table().state.settled or ()
    night.call()
    night.time = began + 20 * MINUTE_MS - 2
    accepted(night.bet("Ann", 1_000))
    refused = night.bet("Ann", 1_000)
    assert isinstance(refused, Refusal) and refused.reason is Reason.REALITY_CHECK
    won = line.stake + line.net
    told = {"staked": 3_000, "won": won, "net": won - 3_000}
    assert refused.params == {"minutes": 20, **{name: f"{amount / 100:.2f}" for name, amount in told.items()}}
    play = night.play("Ann")
    assert play.is_check_due and play.check_ms == began + 20 * MINUTE_MS
    assert (play.staked, play.returned, play.net) == tuple(told.values())
    accepted(night.ask(WithdrawBet, "Ann", box=1, area="banker", round=2)), "what lies can be taken back"
    answered = night.protections.answer_check("Ann")
    assert isinstance(answered, PlayerPlay) and not answered.is_check_due
    assert answered.check_ms == night.time + 20 * MINUTE_MS
    accepted(night.bet("Ann", 1_000))


@pytest.mark.gli("2.5.5")
def test_the_shorter_of_two_intervals_holds(night: Night) -> None:
    change_rules(night.store, {"profile": {"name": "own", "reality_check_minutes": 60}}, "Sue", 1)
    assert night.play("Ann").check_minutes == 60
    night.protections.choose_check("Ann", 90)
    assert night.play("Ann").check_minutes == 60
    night.protections.choose_check("Ann", 15)
    assert night.play("Ann").check_minutes == 15
    night.protections.choose_check("Ann", None)
    assert night.play("Ann").check_minutes == 60


def test_a_check_is_answered_only_where_one_is_due(night: Night) -> None:
    night.protections.choose_check("Ann", 20)
    night.protections.answer_check("Ann")
    with night.store.read() as reader:
        assert reader.rows("SELECT kind FROM protections ORDER BY kind") == [("check",)]


# ── Who it is ────────────────────────────────────────────────────────────────────────────────────


def test_every_change_is_an_act_of_the_house_and_what_stays_leaves_none(night: Night) -> None:
    for _ in range(2):
        night.limit("Ann", Limit(STAKE, DAY, 5_000))
        night.protections.choose_check("Ann", 30)
    with night.store.read() as reader:
        acts = [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
    for code in ("limits-changed", "reality-check-chosen"):
        assert sum(f'"code":"{code}"' in body for body in acts) == 1


def test_the_bots_of_the_house_are_held_to_nothing(night: Night) -> None:
    profile = {"name": "own", "limits_required": True, "reality_check_minutes": 1}
    change_rules(night.store, {"profile": profile}, "Sue", 1)
    [bot, *_] = BOTS
    night.desk.open_account(StoredPerson(bot), "USD", 0, kind=AccountOwner.BOT)
    assert isinstance(night.buys(bot, 10_000), Movement)
    accepted(night.ask(TakeSeat, bot, box=3))
    night.call()
    assert reason(night.bet("Ann", 1_000)) is Reason.LIMITS_NEEDED
    for _ in range(3):
        night.time += MINUTE_MS
        accepted(night.bet(bot, 1_000))


def test_nobody_is_protected_who_has_no_account(night: Night) -> None:
    for answer in (
        night.protections.limits("Zoe"),
        night.protections.play("Zoe"),
        night.protections.exclude("Zoe", 1, "Sue", Guardian.HOUSE, "x"),
    ):
        assert reason_of(answer) is Reason.NO_ACCOUNT


def test_settling_is_never_refused(night: Night) -> None:
    night.call()
    accepted(night.bet("Ann", 9_000))
    night.limit("Ann", Limit(STAKE, DAY, 0), Limit(LOSS, DAY, 0), Limit(TIME, DAY, 0))
    night.protections.exclude("Ann", 1, "Ann", Guardian.PLAYER)
    while night.table().state.phase.value in ("betting", "dealing"):
        accepted(night.deal(DealCard))
    accepted(night.deal(SettleRound))
    night.call()
