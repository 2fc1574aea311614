"""Rulings: what the shift manager decides where the rules are silent, with reason and effect."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.text.irregularity import Finding
from punto.rules.words import HOUSE_TERM
from punto.table.draft import Draft
from punto.table.irregularities import commands as c
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.commands import Effect
from punto.table.irregularities.decisions import refuse_nothing_open
from punto.table.irregularities.remedies import can_play_on, close_case, play_on, void
from punto.table.state import Phase, Table
from punto.table.verb import Verb, Verbs


def refuse_rule(table: Table, command: c.Rule) -> Refusal | None:
    """A ruling resolves a case that waits for one, or bets under the minimum that were noticed."""
    other = table.book.irregularity(Finding.UNCOVERED)
    clause = other.clause if other else None
    state = table.state
    if not command.reason:
        return Refusal(Reason.REASON_NEEDED, clause)
    if other is not None and not command.role.is_at_least(other.orders):
        house = "" if other.orders_clause else f" ({HOUSE_TERM})"
        params: dict[str, str | int] = {"kind": other.kind.value, "rank": other.orders.value, "house": house}
        return Refusal(Reason.NOT_RANKED, other.orders_clause, params)
    waits = state.case is not None and _waits(state.case)
    advised = state.phase is Phase.BETTING and any(bet.is_advised for bet in state.bets)
    if not (waits or (advised and state.case is None)):
        return refuse_nothing_open(table)
    fits = {
        Effect.CONTINUE: waits,
        Effect.VOID: waits,
        Effect.RETURN: bool(command.players) and set(command.players) <= set(state.bettors),
        Effect.STAND: advised and not waits,
    }
    if not fits[command.effect] or (command.players and command.effect is not Effect.RETURN):
        return Refusal(Reason.NO_SUCH_RULING, clause, {"effect": command.effect.value})
    if waits and command.effect is not Effect.VOID and not can_play_on(table):
        return Refusal(Reason.CANNOT_RECONSTRUCT, clause)
    return None


def _waits(case: Case) -> bool:
    return case.found is not None and case.found.awaits is Awaits.RULING


def rule(draft: Draft, command: c.Rule) -> None:
    other = draft.book.irregularity(Finding.UNCOVERED)
    clause = other.clause if other else None
    case = draft.state.case
    draft.add(
        e.Ruled(
            *draft.stamp,
            effect=command.effect,
            reason=command.reason,
            players=command.players,
            clause=clause,
            returned=tuple(stake for stake in draft.state.stakes if stake.player in command.players),
        )
    )
    if command.effect is Effect.VOID:
        void(draft, clause, command.reason)
    elif case is not None:
        play_on(draft)
        close_case(draft, "ruled", clause, command.reason)


VERBS: Verbs = {
    c.Rule: Verb(refuse=refuse_rule, carry_out=rule, in_a_case=True),
}
