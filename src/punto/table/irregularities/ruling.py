"""Rulings: what the shift manager decides where the rules are silent, with reason and effect."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.text.irregularity import Irregular
from punto.table.dealing.decisions import proceed
from punto.table.draft import Draft
from punto.table.irregularities import commands as c
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.cases import void
from punto.table.irregularities.commands import Effect
from punto.table.state import Phase, Table
from punto.table.verb import Verb, Verbs


def refuse_rule(table: Table, command: c.Rule) -> Refusal | None:
    """A ruling resolves a case that waits for one, or bets under the minimum that were noticed."""
    other = table.book.irregularity(Irregular.OTHER)
    clause = other.clause if other else None
    state = table.state
    if not command.reason:
        return Refusal(Reason.REASON_NEEDED, clause)
    if other is not None and not command.role.is_at_least(other.orders):
        params: dict[str, str | int] = {"kind": other.kind.value, "rank": other.orders.value}
        return Refusal(Reason.NOT_RANKED, clause, params)
    waits = state.case is not None and state.case.awaits is Awaits.RULING
    advised = state.phase is Phase.BETTING and any(bet.is_advised for bet in state.bets)
    if not (waits or (advised and state.case is None)):
        return Refusal(Reason.NO_CASE, clause)
    fits = {
        Effect.CONTINUE: waits,
        Effect.VOID: waits,
        Effect.RETURN: bool(command.players) and set(command.players) <= set(state.bettors),
        Effect.STAND: advised and not waits,
    }
    if not fits[command.effect] or (command.players and command.effect is not Effect.RETURN):
        return Refusal(Reason.NO_SUCH_RULING, clause, {"effect": command.effect.value})
    return None


def rule(draft: Draft, command: c.Rule) -> None:
    other = draft.book.irregularity(Irregular.OTHER)
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
        draft.add(
            e.CaseClosed(
                *draft.stamp, kind=case.kind, resolution="ruled", clause=clause, reason=command.reason
            )
        )
        proceed(draft)


VERBS: Verbs = {
    c.Rule: Verb(refuse=refuse_rule, carry_out=rule, in_a_case=True),
}
