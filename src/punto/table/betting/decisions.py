"""Bets: opened, placed, raised, lowered, withdrawn, noticed by the dealer, and closed."""

from __future__ import annotations

from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.holdings import refuse_alone, refuse_area
from punto.rules.text.bet import Area
from punto.rules.text.betting import Signal, Withdrawal
from punto.rules.text.irregularity import Finding
from punto.table.betting import commands as c
from punto.table.betting import events as e
from punto.table.betting.limits import (
    excess_cuts,
    is_under_minimum,
    main_bets,
    main_hand,
    pro_rata_cuts,
    refuse_another,
    room,
    standing_cuts,
    total,
)
from punto.table.draft import Draft
from punto.table.header import CommandHeader, subject
from punto.table.house.opening import is_shoe_finished, refuse_between_rounds
from punto.table.layout import LaidBet
from punto.table.shuffling.question import refuse_pledges_open
from punto.table.state import Phase, Table
from punto.table.terms import Noticing, boxes_of
from punto.table.verb import Verb, Verbs


def refuse_call(table: Table, _: c.CallBets) -> Refusal | None:
    if refusal := refuse_between_rounds(table):
        return refusal
    if table.state.shoe is None:
        why = "the cards were replaced" if table.state.replaced_by is not None else "no shoe is in play"
        return Refusal(Reason.NO_SHOE, table.state.replaced_by or None, {"why": why})
    if is_shoe_finished(table.state):
        return Refusal(Reason.SHOE_FINISHED, None)
    if table.state.burn_due:
        return Refusal(Reason.BURN_FIRST, None)
    return refuse_pledges_open(table.state)


def call_bets(draft: Draft, _: c.CallBets) -> None:
    draft.add(e.BetsCalled(*draft.stamp, round=draft.state.round + 1))


def refuse_place(table: Table, command: c.PlaceBet) -> Refusal | None:
    betting = table.book.betting
    if table.state.phase is not Phase.BETTING:
        if table.state.is_in_round:
            return Refusal(Reason.BETS_CLOSED, betting.late_clause)
        return Refusal(Reason.BETS_NOT_OPEN, betting.opens.clause)
    bet = table.book.bet(command.area)
    if bet is None:
        return refuse_area(table.book, command.area)
    if bet.kind is Area.WAGER:
        return Refusal(Reason.WAGER_NOT_OPENING, bet.needs_clause, {"area": bet.area})
    return (
        _refuse_box(table, command.box, subject(command))
        or refuse_another(table, command.box, subject(command), command.area)
        or refuse_alone(table.book, bet.area, _held(table, subject(command)))
        or refuse_chips(table, command.amount)
        or _refuse_stake(table, command)
    )


def _refuse_box(table: Table, box: int, player: str) -> Refusal | None:
    betting, boxes = table.book.betting, boxes_of(table.book, table.terms)
    if not 1 <= box <= boxes:
        return Refusal(Reason.UNKNOWN_BOX, betting.boxes_clause, {"box": box, "boxes": boxes})
    seated = table.state.seats.get(box)
    if seated == player:
        return None
    if seated is None or not any(bet.box == box and bet.player == seated for bet in table.state.bets):
        return Refusal(Reason.BEHIND_NOBODY, betting.standing_clause or betting.boxes_clause, {"box": box})
    return None


def _held(table: Table, player: str) -> set[str]:
    return {bet.area for bet in table.state.bets if bet.player == player}


def refuse_chips(table: Table, amount: int) -> Refusal | None:
    """Stakes are whole numbers of the smallest chip."""
    if amount > 0 and amount % table.terms.chip == 0:
        return None
    chip = format_amount(table.terms.chip)
    return Refusal(Reason.NOT_IN_CHIPS, None, {"amount": format_amount(amount), "chip": chip})


def _refuse_stake(table: Table, command: c.PlaceBet) -> Refusal | None:
    """Limits that the system itself notices; an excess over the differential is cut, not refused."""
    if table.terms.noticing is Noticing.DEALER:
        return None
    limits, rules = table.terms.limits_of(command.area), table.book.limits
    lying = table.state.bet(command.box, subject(command), command.area)
    stake = (lying.stake if lying else 0) + command.amount
    params: dict[str, str | int] = {"area": command.area, "amount": format_amount(stake)}
    if limits.maximum is not None and stake > limits.maximum:
        params["maximum"] = format_amount(limits.maximum)
        return Refusal(Reason.ABOVE_MAXIMUM, rules.shown_clause, params)
    if stake < limits.minimum:
        params["minimum"] = format_amount(limits.minimum)
        return Refusal(Reason.BELOW_MINIMUM, rules.minimum_clause, params)
    taken = _taken(table, command)
    if taken <= 0 or stake - command.amount + taken < limits.minimum:
        differential = format_amount(table.terms.differential or 0)
        box: dict[str, str | int] = {"box": command.box, "differential": differential}
        return Refusal(Reason.OVER_DIFFERENTIAL, rules.excess_clause, box)
    return None


def _taken(table: Table, command: c.PlaceBet) -> int:
    """How much of a bet the box has room for, in whole chips."""
    if table.terms.noticing is Noticing.DEALER:
        return command.amount
    is_seated = table.state.seats.get(command.box) == subject(command)
    space = room(table, command.box, command.area, is_seated=is_seated)
    if space is None or space >= command.amount:
        return command.amount
    return space - space % table.terms.chip


def place_bet(draft: Draft, command: c.PlaceBet) -> None:
    table, player = draft.table, subject(command)
    taken = _taken(table, command)
    excess = draft.book.limits.excess_clause
    draft.add(
        e.BetPlaced(
            *draft.stamp,
            box=command.box,
            player=player,
            area=command.area,
            amount=taken,
            is_seated=draft.state.seats.get(command.box) == player,
            rejected=command.amount - taken,
            clause=excess if taken < command.amount else None,
        )
    )
    hand = main_hand(table, command.area)
    if hand is not None and draft.terms.noticing is Noticing.STRICT:
        for bet, cut in standing_cuts(draft.table, command.box, hand):
            _give_back(draft, bet, cut, "excess", excess)


def _give_back(draft: Draft, bet: LaidBet, amount: int, why: str, clause: str | None = None) -> None:
    """Return part of a bet or all of it, and with the last bet of its kind what needed it."""
    draft.add(
        e.BetReturned(
            *draft.stamp, box=bet.box, player=bet.player, area=bet.area, amount=amount, why=why, clause=clause
        )
    )
    held = _held(draft.table, bet.player)
    for other in draft.state.bets:
        alone = refuse_alone(draft.book, other.area, held) if other.player == bet.player else None
        if alone is not None:
            _give_back(draft, other, other.stake, "needs-bet", alone.clause)
            return  # the call above went through the rest


def refuse_take_off(table: Table, command: c.WithdrawBet | c.ReduceBet) -> Refusal | None:
    betting, player = table.book.betting, subject(command)
    if not table.state.is_in_round:
        return Refusal(Reason.BETS_NOT_OPEN, betting.opens.clause)
    bet = table.state.bet(command.box, player, command.area)
    if bet is None:
        params: dict[str, str | int] = {"player": player, "area": command.area, "box": command.box}
        return Refusal(Reason.NO_SUCH_BET, None, params)
    if table.state.phase is not Phase.BETTING:
        if betting.late_withdrawal is Withdrawal.REFUSED:
            return Refusal(Reason.LATE_WITHDRAWAL, betting.late_withdrawal_clause)
        return None
    if isinstance(command, c.WithdrawBet):
        return _refuse_opening(table, bet, bet.stake)
    return refuse_chips(table, command.amount) or _refuse_less(table, bet, command.amount)


def _refuse_less(table: Table, bet: LaidBet, amount: int) -> Refusal | None:
    if amount > bet.stake:
        return Refusal(Reason.MORE_THAN_LIES, None, {"stake": format_amount(bet.stake)})
    minimum = table.terms.limits_of(bet.area).minimum
    if table.terms.noticing is Noticing.STRICT and 0 < bet.stake - amount < minimum:
        params: dict[str, str | int] = {
            "area": bet.area,
            "minimum": format_amount(minimum),
            "amount": format_amount(bet.stake - amount),
        }
        return Refusal(Reason.BELOW_MINIMUM, table.book.limits.minimum_clause, params)
    return _refuse_opening(table, bet, amount)


def _refuse_opening(table: Table, bet: LaidBet, amount: int) -> Refusal | None:
    """Taking a bet off the lighter side must not put a box over its differential."""
    hand, limit = main_hand(table, bet.area), table.terms.differential
    if hand is None or limit is None or table.terms.noticing is Noticing.DEALER:
        return None
    left = total(main_bets(table, bet.box, hand)) - amount
    if total(main_bets(table, bet.box, hand.other)) - left <= limit:
        return None
    params: dict[str, str | int] = {"box": bet.box, "differential": format_amount(limit)}
    return Refusal(Reason.OPENS_DIFFERENTIAL, table.book.limits.excess_clause, params)


def take_off(draft: Draft, command: c.WithdrawBet | c.ReduceBet) -> None:
    bet = draft.state.bet(command.box, subject(command), command.area)
    assert bet is not None
    if draft.state.phase is not Phase.BETTING:
        clause = draft.book.betting.late_withdrawal_clause
        draft.add(
            e.WithdrawalIgnored(*draft.stamp, box=bet.box, player=bet.player, area=bet.area, clause=clause)
        )
    elif isinstance(command, c.WithdrawBet):
        _give_back(draft, bet, bet.stake, "withdrawn")
    else:
        _give_back(draft, bet, command.amount, "reduced")


def refuse_reject(table: Table, command: c.RejectExcess) -> Refusal | None:
    if refusal := _refuse_noticing(table):
        return refusal
    if not excess_cuts(table, command.box):
        return Refusal(Reason.NOT_OVER, table.book.limits.excess_clause, {"box": command.box})
    return None


def reject_excess(draft: Draft, command: c.RejectExcess) -> None:
    """Over the maximum first, then over the differential, each judged on what is left."""
    while cuts := excess_cuts(draft.table, command.box):
        for bet, cut in cuts:
            _give_back(draft, bet, cut, "excess", draft.book.limits.excess_clause)


def refuse_advise(table: Table, command: c.AdviseMinimum) -> Refusal | None:
    if refusal := _refuse_noticing(table):
        return refusal
    bet = table.state.bet(command.box, command.player, command.area)
    if bet is None or bet.is_advised or not is_under_minimum(table, bet):
        return Refusal(Reason.NOT_UNDER, table.book.limits.minimum_clause)
    return None


def _refuse_noticing(table: Table) -> Refusal | None:
    if table.terms.noticing is Noticing.STRICT:
        return Refusal(Reason.STRICT_LIMITS, None)
    if table.state.phase is not Phase.BETTING:
        return Refusal(Reason.BETS_CLOSED, table.book.betting.late_clause)
    return None


def advise_minimum(draft: Draft, command: c.AdviseMinimum) -> None:
    clause = draft.book.limits.minimum_clause
    draft.add(
        e.MinimumAdvised(
            *draft.stamp, box=command.box, player=command.player, area=command.area, clause=clause
        )
    )


def refuse_close(table: Table, _: c.CloseBets) -> Refusal | None:
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
            other = table.book.irregularity(Finding.UNCOVERED)
            params: dict[str, str | int] = {"player": bet.player, "area": bet.area}
            return Refusal(Reason.ADVISED_BETS, other.clause if other else None, params)
    return None


def close_bets(draft: Draft, _: CommandHeader | None = None) -> None:
    limits = draft.book.limits
    for box in sorted({bet.box for bet in draft.state.bets}):
        for bet, cut in pro_rata_cuts(draft.table, box):
            _give_back(draft, bet, cut, "pro-rata", limits.pro_rata_clause)
    draft.add(e.BetsClosed(*draft.stamp, clause=draft.book.betting.closes.clause))


VERBS: Verbs = {
    c.CallBets: Verb(refuse=refuse_call, carry_out=call_bets),
    c.PlaceBet: Verb(refuse=refuse_place, carry_out=place_bet, names_player=True, in_person=True),
    c.ReduceBet: Verb(refuse=refuse_take_off, carry_out=take_off, names_player=True),
    c.WithdrawBet: Verb(refuse=refuse_take_off, carry_out=take_off, names_player=True),
    c.RejectExcess: Verb(refuse=refuse_reject, carry_out=reject_excess),
    c.AdviseMinimum: Verb(refuse=refuse_advise, carry_out=advise_minimum),
    c.CloseBets: Verb(refuse=refuse_close, carry_out=close_bets),
}
