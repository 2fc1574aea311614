"""A round for programs: the same as the page, in fields. Amounts are text in major units, as everywhere."""

from __future__ import annotations

from typing import Any

from punto.audit.history.felt import felt_record, slots_record
from punto.audit.history.history_page import outcome
from punto.audit.history.round_history import GivenCommand, Happened, RoundHistory
from punto.audit.history.steps import SettlementStep, StakeStep
from punto.money import format_amount
from punto.table.layout import SettledBet
from punto.table.notation.phrase import format_phrase


def history_record(history: RoundHistory) -> dict[str, Any]:
    """Everything about a round."""
    place, end = history.place, history.end
    return {
        "table": history.table.id,
        "round": place.round,
        "shoe": end.round_shoe,
        "book": history.book.name,
        "digest": history.table.digest,
        "currency": end.round_terms.currency,
        "imported": history.table.imported,
        "first": place.first,
        "last": place.last,
        "at": history.at,
        "outcome": outcome(history),
        "winner": None if end.winner is None or history.void else end.winner.value,
        "void": history.void is not None,
        "settled": history.after.settled is not None,
        "hands": {"player": slots_record(end.player), "banker": slots_record(end.banker)},
        "cards": [_card(one) for one in history.happened if one.card is not None],
        "stakes": [_stake(one, step) for one in history.happened for step in one.stakes],
        "cases": [
            {"case": number, "events": [_event(one) for one in happened]}
            for number, happened in history.cases
        ],
        "rulings": [_event(one) for one in history.rulings],
        "found_late": [_event(one) for one in history.late],
        "approvals": [_approval(given) for given in history.approved],
        "refusals": [_refusal(given) for given in history.refused],
        "settlements": [
            _settlement(one, step, None if taken is None else taken.seq)
            for one, step, taken in history.settlements
        ],
        "balances": [
            {
                "player": one.player,
                "before": format_amount(one.before),
                "round": format_amount(one.here),
                "elsewhere": format_amount(one.elsewhere),
                "after": format_amount(one.after),
                "held": format_amount(one.held),
            }
            for one in history.balances
        ],
        "felt": felt_record(history.after),
        "events": [_event(one) for one in history.happened],
    }


def _head(one: Happened) -> dict[str, Any]:
    return {"seq": one.seq, "time": one.event.time, "by": one.event.by, "role": one.event.role.value}


def _event(one: Happened) -> dict[str, Any]:
    clause = getattr(one.event, "clause", None)
    words = [told.text for told in one.told]
    return {**_head(one), "type": one.event.name(), "clause": clause, "words": words}


def _card(one: Happened) -> dict[str, Any]:
    step = one.card
    assert step is not None
    return {
        **_head(one),
        "what": step.what,
        "hand": step.hand.value,
        "number": step.number,
        "card": None if step.card is None else str(step.card),
        "was": None if step.was is None else str(step.was),
    }


def _stake(one: Happened, step: StakeStep) -> dict[str, Any]:
    return {
        **_head(one),
        "what": step.what,
        "box": step.stake.box,
        "player": step.stake.player,
        "area": step.stake.area,
        "amount": format_amount(step.stake.amount),
        "change": format_amount(step.change),
        "clause": step.clause,
        "note": step.note,
    }


def _given(given: GivenCommand) -> dict[str, Any]:
    command = given.command
    return {
        "version": given.version,
        "time": command.time,
        "by": command.actor,
        "role": command.role.value,
        "command": command.name(),
        "words": format_phrase(command),
    }


def _approval(given: GivenCommand) -> dict[str, Any]:
    second = given.command.second
    assert second is not None
    person = {"name": second.name, "role": second.role.value}
    return {**_given(given), "second": person, "first": given.first_seq, "last": given.last_seq}


def _refusal(given: GivenCommand) -> dict[str, Any]:
    refusal = given.refusal
    assert refusal is not None
    told = {"reason": refusal.reason.value, "sentence": refusal.sentence, "clause": refusal.clause}
    return {**_given(given), "refusal": told}


def _settlement(one: Happened, step: SettlementStep, taken_back: int | None) -> dict[str, Any]:
    lines = [_line(line) for line in step.lines]
    return {**_head(one), "winner": step.winner.value, "taken_back": taken_back, "lines": lines}


def _line(line: SettledBet) -> dict[str, Any]:
    return {
        "box": line.box,
        "player": line.player,
        "area": line.area,
        "stake": format_amount(line.stake),
        "result": line.result.value,
        "odds": line.odds,
        "net": format_amount(line.net),
        "exact": line.exact,
        "clause": line.clause,
    }
