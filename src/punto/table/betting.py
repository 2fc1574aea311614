"""Bets: calling for them, placing them, taking them off, and the limits of a box. Amounts are minor units.

The differential is the difference of Banker and Player totals within one betting box; side bets do not count.
Where the system notices everything, what is over never lies on the layout. Where only the dealer notices, what was
not noticed is scaled down when bets close.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction

from msgspec.structs import replace

from punto.money import Money, format_amount
from punto.refusal import Reason, Refusal
from punto.rules.book_text import Area, Finding, Signal, Withdrawal
from punto.rules.holdings import refuse_alone, refuse_area
from punto.rules.outcome import Hand
from punto.table.header import BetEvent, CommandHeader, Draft, EventHeader, StakeCommand, Verb, Verbs, subject
from punto.table.house import collect_before_call, is_shoe_finished, refuse_between_rounds, refuse_box, refuse_no_shoe
from punto.table.shuffling import refuse_pledges_open
from punto.table.state import LaidBet, Phase, State, Table
from punto.table.terms import Noticing
from punto.table.words import Sentence, Telling, Theme, Words, plain


class CallBets(CommandHeader, frozen=True, kw_only=True):
    """The call that opens a round."""


class PlaceBet(StakeCommand, frozen=True, kw_only=True):
    """Place a bet, or raise the bet that is already on the area by this amount."""


class ReduceBet(StakeCommand, frozen=True, kw_only=True):
    """Take this amount off a bet."""


class WithdrawBet(CommandHeader, frozen=True, kw_only=True):
    """Take a bet off."""

    box: int
    area: str
    player: str | None = None
    round: int | None = None


class RejectExcess(CommandHeader, frozen=True, kw_only=True):
    """The dealer returns what is over the limits of a box (`noticing` = `dealer`)."""

    box: int


class AdviseMinimum(CommandHeader, frozen=True, kw_only=True):
    """The dealer tells a player that a bet is under the minimum (`noticing` = `dealer`)."""

    box: int
    area: str
    player: str


class CloseBets(CommandHeader, frozen=True, kw_only=True):
    """The call that closes the bets."""


class ReopenBets(CommandHeader, frozen=True, kw_only=True):
    """Open bets again that were closed too early, as long as no card has left the shoe. No document speaks of it: that
    there is such an act, and that the pit gives it, are terms of the house.
    """


BettingCommand = CallBets | PlaceBet | ReduceBet | WithdrawBet | RejectExcess | AdviseMinimum | CloseBets | ReopenBets


class BetsCalled(EventHeader, frozen=True):
    """Bets are open: a new round."""

    round: int

    def fold(self, state: State) -> State:
        return replace(
            state.cleared(),
            settled=None,
            freed={},
            advanced={},
            winner=None,
            last_finding=None,
            earlier_finding=state.last_finding,
            is_reopened=False,
            is_draw_taken=False,
            kept=0,
            round=self.round,
            round_shoe=state.shoe_number,
            terms_at_call=state.terms,
            phase=Phase.BETTING,
            since=self.time,
        )


class BetPlaced(BetEvent, frozen=True):
    """A bet was placed, or raised by `amount`; `rejected` was over the limit, by `clause`."""

    amount: Money
    is_seated: bool
    rejected: Money = 0  # The part over the limit that was pushed back, by `clause`.
    clause: str | None = None

    def fold(self, state: State) -> State:
        lying = state.bet(self.box, self.player, self.area)
        if lying is None:
            bet = LaidBet(self.box, self.player, self.area, self.amount, self.is_seated)
            return replace(state, bets=(*state.bets, bet))
        raised = replace(lying, stake=lying.stake + self.amount)
        return replace(state, bets=tuple([raised if bet is lying else bet for bet in state.bets]))


class ReturnReason(StrEnum):
    """Why a bet went back; the value is the word of logs and notation."""

    WITHDRAWN = "withdrawn"
    REDUCED = "reduced"
    NEEDS_BET = "needs-bet"
    EXCESS = "excess"
    PRO_RATA = "pro-rata"


class BetReturned(BetEvent, frozen=True):
    """Part or all of a bet was returned: `why` is withdrawn, reduced, needs-bet, excess or pro-rata."""

    amount: Money
    why: ReturnReason
    clause: str | None = None

    def fold(self, state: State) -> State:
        bet = self.laid_bet(state)
        assert bet.stake >= self.amount, "only what was staked goes back"
        if bet.stake == self.amount:
            return replace(state, bets=tuple(other for other in state.bets if other is not bet))
        return state.with_bet(replace(bet, stake=bet.stake - self.amount))


class WithdrawalIgnored(BetEvent, frozen=True):
    """The player took chips off after the close: the bet stays in force."""

    clause: str


class MinimumAdvised(BetEvent, frozen=True):
    """The player was told that the bet is under the minimum."""

    clause: str | None

    def fold(self, state: State) -> State:
        return state.with_bet(replace(self.laid_bet(state), is_advised=True))


class BetsClosed(EventHeader, frozen=True):
    """Bets are closed."""

    clause: str

    def fold(self, state: State) -> State:
        case = state.case and replace(state.case, closed_bets=True)
        return replace(state, phase=Phase.DEALING, case=case, since=self.time)


class BetsReopened(EventHeader, frozen=True):
    """Bets are open again in the same round."""

    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.BETTING, squeezes=(), since=self.time)


BettingEvent = BetsCalled | BetPlaced | BetReturned | WithdrawalIgnored | MinimumAdvised | BetsClosed | BetsReopened


MOST_BETS = 1_000  # That may lie in one round, wagers not counted.
Cut = tuple[LaidBet, int]  # A bet, and how much of it goes back.


def refuse_another_bet(table: Table, box: int, player: str, area: str) -> Refusal | None:
    """Every bet is looked at again with each that follows, so their number is bounded; raising adds none."""
    if len(table.state.bets) < MOST_BETS or table.state.bet(box, player, area) is not None:
        return None
    return Refusal(Reason.TOO_MANY, None, {"what": "bets", "count": MOST_BETS})


def main_hand(table: Table, area: str) -> Hand | None:
    """The hand of a main bet, None for every other area."""
    bet = table.book.bet(area)
    return bet.hand if bet is not None and bet.kind is Area.MAIN else None


def main_bets(table: Table, box: int, hand: Hand) -> list[LaidBet]:
    """The main bets on a hand in a box, in the order in which they were placed."""
    area = table.book.main_area(hand)
    return [bet for bet in table.state.bets if bet.box == box and bet.area == area]


def main_total(table: Table, box: int, hand: Hand) -> int:
    return sum(bet.stake for bet in main_bets(table, box, hand))


def room_in_box(table: Table, box: int, area: str, *, is_seated: bool) -> int | None:
    """How much more a bet on this area may add in a box; None where no differential binds it.

    Standing players' bets on the same hand give way to a seated player's (insurance 5.1): they take no room.
    """
    hand, limit = main_hand(table, area), table.terms.differential
    if hand is None or limit is None:
        return None
    room, other = limit, table.book.main_area(hand.other)
    for bet in table.state.bets:
        if bet.box == box and bet.area == other:
            room += bet.stake
        elif bet.box == box and bet.area == area and (bet.is_seated or not is_seated):
            room -= bet.stake
    return max(0, room)


def most_taken_off(table: Table, bet: LaidBet) -> int:
    """How much of a bet may be taken off and the rest left, in whole chips: not under the minimum, and not so
    much that the other hand of the box goes over the differential.
    """
    terms = table.terms
    if terms.noticing is Noticing.DEALER or table.state.phase is not Phase.BETTING:
        return bet.stake
    most = bet.stake - terms.limits_of(bet.area).minimum
    hand = main_hand(table, bet.area)
    if hand is not None and terms.differential is not None:
        room = main_total(table, bet.box, hand) - main_total(table, bet.box, hand.other)
        most = min(most, terms.differential + room)
    return max(0, most - most % terms.chip)


def difference_in_box(table: Table, box: int) -> tuple[Hand, int]:
    """The heavier hand of a box, and by how much."""
    player, banker = main_total(table, box, Hand.PLAYER), main_total(table, box, Hand.BANKER)
    return (Hand.BANKER, banker - player) if banker >= player else (Hand.PLAYER, player - banker)


def is_under_minimum(table: Table, bet: LaidBet) -> bool:
    """Whether a bet lies under the minimum of its area. A wager follows its ante and has no minimum."""
    rule = table.book.bet(bet.area)
    is_limited = rule is not None and rule.kind is not Area.WAGER
    return is_limited and bet.stake < table.terms.limits_of(bet.area).minimum


def standing_cuts(table: Table, box: int, hand: Hand) -> list[Cut]:
    """What standing players give up when seated bets have filled a box: the latest bets first."""
    return _cuts(table, box, hand, [bet for bet in main_bets(table, box, hand) if not bet.is_seated])


def excess_cuts(table: Table, box: int) -> list[Cut]:
    """What a dealer pushes back in a box over its limits: over the maximum, then standing, then seated bets."""
    cuts = [
        (bet, bet.stake - maximum)
        for bet in table.state.bets
        if bet.box == box and (maximum := table.terms.limits_of(bet.area).maximum) is not None and bet.stake > maximum
    ]
    if cuts or table.terms.differential is None:
        return cuts
    hand, _ = difference_in_box(table, box)
    return _cuts(table, box, hand, sorted(main_bets(table, box, hand), key=lambda bet: not bet.is_seated))


def _cuts(table: Table, box: int, hand: Hand, bets: list[LaidBet]) -> list[Cut]:
    """Cut bets from the last one backwards until the box is inside its differential.

    What would be left of a bet under the minimum goes back with the rest of it.
    """
    limit = table.terms.differential
    if limit is None or not bets:
        return []
    heavier, by = difference_in_box(table, box)
    over, cuts = by - limit if heavier is hand else 0, []
    for bet in reversed(bets):
        if over <= 0:
            break
        cut = min(over, bet.stake)
        if 0 < bet.stake - cut < table.terms.limits_of(bet.area).minimum:
            cut = bet.stake
        cuts.append((bet, cut))
        over -= cut
    return cuts


def pro_rata_cuts(table: Table, box: int) -> list[Cut]:
    """What goes back of each bet in a box over its differential that nobody noticed (insurance 5.1.1, 5.1.2).

    Bets on the heavier side win or lose in the proportion that the limit leaves; no share falls under the
    minimum, and a bet that lay under the minimum is not scaled.
    """
    limit = table.terms.differential
    hand, by = difference_in_box(table, box)
    if limit is None or by <= limit:
        return []
    share, cuts = Fraction(main_total(table, box, hand.other) + limit, main_total(table, box, hand)), []
    for bet in main_bets(table, box, hand):
        exact = bet.stake * share
        scaled = table.terms.rounding.apply(exact.numerator, exact.denominator)
        scaled = max(table.terms.limits_of(bet.area).minimum, scaled)
        if scaled < bet.stake:
            cuts.append((bet, bet.stake - scaled))
    return cuts


def refuse_call_bets(table: Table, _: CallBets) -> Refusal | None:
    if refusal := refuse_between_rounds(table) or refuse_no_shoe(table.state):
        return refusal
    if is_shoe_finished(table.state):
        return Refusal(Reason.SHOE_FINISHED, None)
    if table.state.burn_due:
        return Refusal(Reason.BURN_FIRST, None)
    return refuse_pledges_open(table.state)


def judge_place_bet(table: Table, command: PlaceBet) -> Refusal | int:
    """Why a bet is refused; else how much of it the box has room for."""
    betting = table.book.betting
    if table.state.phase is not Phase.BETTING:
        if table.state.is_in_round:
            return Refusal(Reason.BETS_CLOSED, betting.late_clause)
        return Refusal(Reason.BETS_NOT_OPEN, betting.opens.clause)
    bet, player = table.book.bet(command.area), subject(command)
    if bet is None:
        refusal = refuse_area(table.book, command.area)
        assert refusal is not None
        return refusal
    if bet.kind is Area.WAGER:
        return Refusal(Reason.WAGER_NOT_OPENING, bet.needs_clause, {"area": bet.area})
    return (
        _refuse_box(table, command.box, player)
        or refuse_another_bet(table, command.box, player, command.area)
        or (refuse_alone(table.book, bet.area, _held(table, player)) if bet.needs else None)
        or refuse_chips(table, command.amount)
        or _taken_or_refused(table, command, player)
    )


def _refuse_box(table: Table, box: int, player: str) -> Refusal | None:
    seated, betting = table.state.seats.get(box), table.book.betting
    if seated == player:
        return None
    is_behind = seated is not None and any(bet.box == box and bet.player == seated for bet in table.state.bets)
    clause = betting.standing_clause or betting.boxes_clause
    return refuse_box(table, box) or (None if is_behind else Refusal(Reason.BEHIND_NOBODY, clause, {"box": box}))


def _held(table: Table, player: str) -> set[str]:
    return {bet.area for bet in table.state.bets if bet.player == player}


def refuse_chips(table: Table, amount: int) -> Refusal | None:
    """Stakes are whole numbers of the smallest chip."""
    if amount > 0 and amount % table.terms.chip == 0:
        return None
    chip = format_amount(table.terms.chip)
    return Refusal(Reason.NOT_IN_CHIPS, None, {"amount": format_amount(amount), "chip": chip})


def _taken_or_refused(table: Table, command: PlaceBet, player: str) -> int | Refusal:
    """How much of a bet is taken, in whole chips: an excess over the differential is cut, other limits refuse."""
    terms, rules = table.terms, table.book.limits
    if terms.noticing is Noticing.DEALER:
        return command.amount
    limits, lying = terms.limits_of(command.area), table.state.bet(command.box, player, command.area)
    stake = (lying.stake if lying else 0) + command.amount
    if limits.maximum is not None and stake > limits.maximum:
        return _outside(Reason.ABOVE_MAXIMUM, rules.shown_clause, command.area, stake, "maximum", limits.maximum)
    if stake < limits.minimum:
        return _outside(Reason.BELOW_MINIMUM, rules.minimum_clause, command.area, stake, "minimum", limits.minimum)
    is_seated = table.state.seats.get(command.box) == player
    room = room_in_box(table, command.box, command.area, is_seated=is_seated)
    if room is None or room >= command.amount:
        return command.amount
    taken = room - room % terms.chip
    if taken <= 0 or stake - command.amount + taken < limits.minimum:
        return _over_differential(table, Reason.OVER_DIFFERENTIAL, command.box)
    return taken


def _over_differential(table: Table, reason: Reason, box: int) -> Refusal:
    differential = format_amount(table.terms.differential or 0)
    return Refusal(reason, table.book.limits.excess_clause, {"box": box, "differential": differential})


def _outside(reason: Reason, clause: str | None, area: str, stake: int, name: str, limit: int) -> Refusal:
    return Refusal(reason, clause, {"area": area, "amount": format_amount(stake), name: format_amount(limit)})


def place_bet(draft: Draft, command: PlaceBet) -> None:
    player, taken = subject(command), draft.judged
    assert isinstance(taken, int)
    is_seated, rejected = draft.state.seats.get(command.box) == player, command.amount - taken
    excess = draft.book.limits.excess_clause
    clause = excess if rejected else None
    draft.add(BetPlaced, command.box, player, command.area, taken, is_seated, rejected, clause)
    hand = main_hand(draft.table, command.area)
    if hand is not None and draft.terms.noticing is Noticing.STRICT:
        for bet, cut in standing_cuts(draft.table, command.box, hand):
            _give_back(draft, bet, cut, ReturnReason.EXCESS, excess)


def _give_back(draft: Draft, bet: LaidBet, amount: int, why: ReturnReason, clause: str | None = None) -> None:
    """Return part of a bet or all of it, and with the last bet of its kind what needed it."""
    draft.add(BetReturned, *bet.spot, amount, why, clause)
    held = _held(draft.table, bet.player)
    for other in draft.state.bets:
        alone = refuse_alone(draft.book, other.area, held) if other.player == bet.player else None
        if alone is not None:
            _give_back(draft, other, other.stake, ReturnReason.NEEDS_BET, alone.clause)
            return  # the call above went through the rest


def refuse_take_off(table: Table, command: WithdrawBet | ReduceBet) -> Refusal | None:
    betting, player = table.book.betting, subject(command)
    if not table.state.is_in_round:
        return Refusal(Reason.BETS_NOT_OPEN, betting.opens.clause)
    bet = table.state.bet(command.box, player, command.area)
    if bet is None:
        return Refusal(Reason.NO_SUCH_BET, None, {"player": player, "area": command.area, "box": command.box})
    if table.state.phase is not Phase.BETTING:
        if betting.late_withdrawal is Withdrawal.REFUSED:
            return Refusal(Reason.LATE_WITHDRAWAL, betting.late_withdrawal_clause)
        return None
    if isinstance(command, WithdrawBet):
        return _refuse_opening(table, bet, bet.stake)
    return refuse_chips(table, command.amount) or _refuse_less(table, bet, command.amount)


def _refuse_less(table: Table, bet: LaidBet, amount: int) -> Refusal | None:
    if amount > bet.stake:
        return Refusal(Reason.MORE_THAN_LIES, None, {"stake": format_amount(bet.stake)})
    minimum = table.terms.limits_of(bet.area).minimum
    if table.terms.noticing is Noticing.STRICT and 0 < bet.stake - amount < minimum:
        least, left = format_amount(minimum), format_amount(bet.stake - amount)
        params: dict[str, str | int] = {"area": bet.area, "minimum": least, "amount": left}
        return Refusal(Reason.BELOW_MINIMUM, table.book.limits.minimum_clause, params)
    return _refuse_opening(table, bet, amount)


def _refuse_opening(table: Table, bet: LaidBet, amount: int) -> Refusal | None:
    """Taking a bet off the lighter side must not put a box over its differential."""
    hand, limit = main_hand(table, bet.area), table.terms.differential
    if hand is None or limit is None or table.terms.noticing is Noticing.DEALER:
        return None
    left = main_total(table, bet.box, hand) - amount
    is_open = main_total(table, bet.box, hand.other) - left > limit
    return _over_differential(table, Reason.OPENS_DIFFERENTIAL, bet.box) if is_open else None


def take_bet_off(draft: Draft, command: WithdrawBet | ReduceBet) -> None:
    bet = draft.state.bet(command.box, subject(command), command.area)
    assert bet is not None
    if draft.state.phase is not Phase.BETTING:
        draft.add(WithdrawalIgnored, *bet.spot, clause=draft.book.betting.late_withdrawal_clause)
    elif isinstance(command, WithdrawBet):
        _give_back(draft, bet, bet.stake, ReturnReason.WITHDRAWN)
    else:
        _give_back(draft, bet, command.amount, ReturnReason.REDUCED)


def refuse_reject(table: Table, command: RejectExcess) -> Refusal | None:
    not_over = Refusal(Reason.NOT_OVER, table.book.limits.excess_clause, {"box": command.box})
    return _refuse_noticing(table) or (None if excess_cuts(table, command.box) else not_over)


def reject_excess(draft: Draft, command: RejectExcess) -> None:
    """Over the maximum first, then over the differential, each judged on what is left."""
    limits = draft.book.limits
    while cuts := excess_cuts(draft.table, command.box):
        for bet, cut in cuts:
            maximum = draft.terms.limits_of(bet.area).maximum
            # The clause on the excess (insurance 5.1) speaks of the differential alone.
            is_over_maximum = maximum is not None and bet.stake > maximum
            clause = limits.shown_clause if is_over_maximum else limits.excess_clause
            _give_back(draft, bet, cut, ReturnReason.EXCESS, clause)


def refuse_advise(table: Table, command: AdviseMinimum) -> Refusal | None:
    bet = table.state.bet(command.box, command.player, command.area)
    can_advise = bet is not None and not bet.is_advised and is_under_minimum(table, bet)
    not_under = Refusal(Reason.NOT_UNDER, table.book.limits.minimum_clause)
    return _refuse_noticing(table) or (None if can_advise else not_under)


def _refuse_noticing(table: Table) -> Refusal | None:
    if table.terms.noticing is Noticing.STRICT:
        return Refusal(Reason.STRICT_LIMITS, None)
    if table.state.phase is not Phase.BETTING:
        return Refusal(Reason.BETS_CLOSED, table.book.betting.late_clause)
    return None


def advise_minimum(draft: Draft, command: AdviseMinimum) -> None:
    draft.add(MinimumAdvised, command.box, command.player, command.area, draft.book.limits.minimum_clause)


def refuse_close_bets(table: Table, _: CloseBets) -> Refusal | None:
    closes = table.book.betting.closes
    if table.state.phase is not Phase.BETTING:
        return Refusal(Reason.BETS_NOT_OPEN, table.book.betting.opens.clause)
    if closes.by is Signal.FIRST_CARD:
        return Refusal(Reason.CLOSED_BY_CARD, closes.clause)
    return refuse_closing(table)


def refuse_closing(table: Table) -> Refusal | None:
    """A bet under the minimum that was noticed is raised, withdrawn or ruled on before bets close."""
    for bet in table.state.bets:
        if bet.is_advised and is_under_minimum(table, bet):
            clause = table.book.clause_of(Finding.UNCOVERED)
            return Refusal(Reason.ADVISED_BETS, clause, {"player": bet.player, "area": bet.area})
    return None


def close_bets(draft: Draft, _: CommandHeader | None = None) -> None:
    for box in sorted({bet.box for bet in draft.state.bets}):
        for bet, cut in pro_rata_cuts(draft.table, box):
            _give_back(draft, bet, cut, ReturnReason.PRO_RATA, draft.book.limits.pro_rata_clause)
    draft.add(BetsClosed, clause=draft.book.betting.closes.clause)


def call_bets(draft: Draft, _: CallBets) -> None:
    collect_before_call(draft)
    draft.add(BetsCalled, round=draft.state.round + 1)


def refuse_reopen(table: Table, _: ReopenBets) -> Refusal | None:
    """Once a card has left the shoe nobody bets: whoever saw it would know more than whoever bet before."""
    state = table.state
    if state.phase is Phase.BETTING:
        return Refusal(Reason.BETS_STILL_OPEN, None)
    if state.phase is not Phase.DEALING:
        return Refusal(Reason.NOT_DEALING, None)
    is_out = state.cards_out > 0 or bool(state.carried)
    return Refusal(Reason.CARDS_ARE_OUT, table.book.betting.late_clause) if is_out else None


BETTING_VERBS: Verbs = {
    CallBets: Verb("place your bets", refuse_call_bets, call_bets),
    PlaceBet: Verb("bet", judge_place_bet, place_bet, names_player=True, in_person=True),
    ReduceBet: Verb("reduce", refuse_take_off, take_bet_off, names_player=True),
    WithdrawBet: Verb("withdraw", refuse_take_off, take_bet_off, names_player=True),
    RejectExcess: Verb("reject excess", refuse_reject, reject_excess),
    AdviseMinimum: Verb("advise minimum", refuse_advise, advise_minimum),
    CloseBets: Verb("no more bets", refuse_close_bets, close_bets),
    ReopenBets: Verb("reopen bets", refuse_reopen, lambda draft, _: draft.add(BetsReopened)),
}


def _tell_called(telling: Telling, event: BetsCalled) -> Iterator[Sentence]:
    yield from telling.say("bets-called", event, Theme.ROUND)
    words = telling.book.betting.opens.words
    yield from [Sentence(Theme.CALL, telling.named(words))] if words else telling.say("bets-open", event)


def _tell_bets_closed(telling: Telling, event: BetsClosed) -> Iterable[Sentence]:
    closes = telling.book.betting.closes
    if closes.words:
        return [Sentence(Theme.CALL, telling.named(closes.words))]
    return telling.say("bets-closed", event, signal=closes.by)


BETTING_WORDS: dict[type[EventHeader], Words] = {
    BetsCalled: plain("called round", _tell_called),
    BetPlaced: plain("bet box player area amount rejected:rejected clause"),
    BetReturned: plain("returned box player area amount why clause"),
    WithdrawalIgnored: plain("in-force box player area clause"),
    MinimumAdvised: plain("advised box player area clause"),
    BetsClosed: plain("closed clause", _tell_bets_closed),
    BetsReopened: plain("reopened"),
}
