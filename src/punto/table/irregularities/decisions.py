"""Deciding a case: the House judges, a supervisor sets an order, players choose, somebody voids or rules."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.text.irregularity import Finding, Replacement
from punto.rules.words import HOUSE_TERM
from punto.table.draft import Draft
from punto.table.header import CommandHeader
from punto.table.insurance.decisions import neglected_bets
from punto.table.irregularities import commands as c
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.clause import find, rule_on
from punto.table.irregularities.established import is_established
from punto.table.irregularities.evidence import numbers_of
from punto.table.irregularities.hands import due_by_order, is_told, names_together
from punto.table.irregularities.remedies import (
    can_play_on,
    case_of,
    close_case,
    play,
    play_on,
    pursue,
    rule_of,
    say_found,
    void,
)
from punto.table.state import Phase, Table
from punto.table.verb import Verb, Verbs


def open_for(table: Table, command: CommandHeader, *awaits: Awaits) -> Refusal | None:
    """The case must wait for this, and the one who orders it must rank high enough."""
    case = table.state.case
    if case is None or case.found is None or case.found.awaits not in awaits:
        return refuse_nothing_open(table)
    rule = rule_on(table.book, case.found.finding)
    if not command.role.is_at_least(rule.orders):
        house = "" if rule.orders_clause else f" ({HOUSE_TERM})"
        params: dict[str, str | int] = {
            "kind": case.found.finding.value,
            "rank": rule.orders.value,
            "house": house,
        }
        return Refusal(Reason.NOT_RANKED, rule.orders_clause, params)
    return None


def refuse_nothing_open(table: Table, *, is_choice: bool = False) -> Refusal:
    """Nothing waits for this: something else is open, no choice was given, it is too late, or all is well."""
    state, case = table.state, table.state.case
    clause, why = None, "no case is open"
    if case is not None and case.found is not None:
        clause, why = (
            case.found.clause,
            f"the case of {case.found.finding.value} waits for {case.found.awaits.value}",
        )
    elif is_choice and state.is_in_round and state.last_finding is not None:
        rule = rule_on(table.book, state.last_finding)
        if rule.options_clause and is_established(table.book, state.player, state.banker):
            clause, why = rule.options_clause, "an outcome is established, so players have no choice"
    elif state.is_in_round and state.last_finding is None and state.earlier_finding is not None:
        clause = table.book.clause_of(Finding.FOUND_LATE)
        why = "the next round has begun: an error of the one before changes nothing"
    return Refusal(Reason.NO_CASE, clause, {"why": why})


def refuse_judge(table: Table, command: c.JudgeReconstruction) -> Refusal | None:
    if refusal := open_for(table, command, Awaits.JUDGEMENT):
        return refusal
    if not command.possible and rule_of(table).kind is Finding.RECORD_SLIP:
        why = "a card on record that never left the shoe is confirmed, or the report is dismissed"
        return Refusal(Reason.NO_CASE, None, {"why": why})
    if command.possible and due_by_order(table, case_of(table).evidence) is None:
        return Refusal(Reason.CANNOT_RECONSTRUCT, rule_of(table).clause)
    if command.possible and not table.state.are_cards_in_play:
        return Refusal(Reason.CANNOT_RECONSTRUCT, rule_of(table).clause)
    return None


def judge_reconstruction(draft: Draft, command: c.JudgeReconstruction) -> None:
    rule = rule_of(draft.table)
    draft.add(e.ReconstructionJudged(*draft.stamp, possible=command.possible, clause=rule.clause))
    case = case_of(draft.table)
    if command.possible:
        play(draft, rule)
        return
    found = find(draft.table, case)
    if found.finding is Finding.WRONG_NUMBER:
        rule = rule_on(draft.book, found.finding)
        say_found(draft, found)
        void(draft, rule.clause, "")
    else:
        play(draft, rule)


def refuse_order(table: Table, command: c.OrderCards) -> Refusal | None:
    if refusal := open_for(table, command, Awaits.ORDER):
        return refusal
    evidence, terms = case_of(table).evidence, table.state.round_terms
    numbers = numbers_of(evidence, command.cards)
    if numbers is None or len(numbers) != len(evidence.group):
        cards = " ".join(map(str, names_together(terms, evidence)))
        return Refusal(Reason.NOT_THOSE_CARDS, rule_of(table).clause, {"cards": cards})
    return None


def order_cards(draft: Draft, command: c.OrderCards) -> None:
    evidence, rule, terms = case_of(draft.table).evidence, rule_of(draft.table), draft.state.round_terms
    numbers = numbers_of(evidence, command.cards)
    assert numbers is not None
    group = [evidence.cards[number - 1] for number in numbers]
    faces = tuple(card.card if is_told(terms, card) else None for card in group)
    draft.add(e.CardsOrdered(*draft.stamp, cards=faces, clause=rule.clause, numbers=numbers))
    pursue(draft)


def refuse_choose(table: Table, command: c.ChooseOption) -> Refusal | None:
    case = table.state.case
    if case is None or case.found is None or case.found.awaits is not Awaits.OPTIONS:
        return refuse_nothing_open(table, is_choice=True)
    if command.actor not in case.undecided or not table.state.is_here(command.actor):
        return Refusal(Reason.NOT_ASKED, case_of(table).options_clause, {"player": command.actor})
    return None


def choose_option(draft: Draft, command: c.ChooseOption) -> None:
    clause = case_of(draft.table).options_clause
    back = command.option is c.Option.RETURN
    returned = tuple(stake for stake in draft.state.stakes if back and stake.player == command.actor)
    draft.add(
        e.OptionChosen(
            *draft.stamp, player=command.actor, option=command.option, clause=clause, returned=returned
        )
    )
    if not case_of(draft.table).undecided:
        close_case(draft, "chosen", clause)


def refuse_expire_options(table: Table, _: c.ExpireOptions) -> Refusal | None:
    """Whoever gives it says that there was time to choose."""
    return _refuse_no_options(table)


def _refuse_no_options(table: Table) -> Refusal | None:
    case = table.state.case
    if case is None or case.found is None or case.found.awaits is not Awaits.OPTIONS:
        return refuse_nothing_open(table, is_choice=True)
    return None


def refuse_close_options(table: Table, _: c.CloseOptions) -> Refusal | None:
    """Who is away continues; who is here chooses."""
    if refusal := _refuse_no_options(table):
        return refusal
    case = case_of(table)
    here = [player for player in case.undecided if table.state.is_here(player)]
    if here:
        clause = case_of(table).options_clause
        return Refusal(Reason.PLAYERS_PRESENT, clause, {"players": ", ".join(here)})
    return None


def close_options(draft: Draft, _: c.CloseOptions | c.ExpireOptions) -> None:
    clause = case_of(draft.table).options_clause
    for player in case_of(draft.table).undecided:
        draft.add(e.OptionChosen(*draft.stamp, player=player, option=c.Option.CONTINUE, clause=clause))
    close_case(draft, "chosen", clause)


def refuse_void(table: Table, command: c.VoidRound) -> Refusal | None:
    return open_for(table, command, Awaits.VOID)


def void_round(draft: Draft, command: c.VoidRound) -> None:
    void(draft, rule_of(draft.table).clause, command.reason)


def refuse_return(table: Table, command: c.ReturnBets) -> Refusal | None:
    return open_for(table, command, Awaits.RETURN_BETS)


def return_bets(draft: Draft, _: c.ReturnBets) -> None:
    clause = rule_of(draft.table).clause
    draft.add(e.BetsReturned(*draft.stamp, bets=neglected_bets(draft.table), clause=clause))
    close_case(draft, "returned", clause)


def refuse_replace(table: Table, _: CommandHeader) -> Refusal | None:
    """Between rounds, when something went wrong in the one just over."""
    if table.state.phase is not Phase.IDLE:
        return Refusal(Reason.BETWEEN_ROUNDS, None)
    if table.state.shoe is None or table.state.last_finding is None:
        return Refusal(Reason.NO_REPLACEMENT, None)
    return None


def replacement_clause(table: Table) -> str | None:
    """The clause on a new set of cards after what went wrong last; None where the document has none."""
    if table.state.last_finding is None:
        return None
    rule = rule_on(table.book, table.state.last_finding)
    return rule.replace_clause if rule.replace_cards is not Replacement.NO else None


def replace_cards(draft: Draft, _: c.ReplaceCards) -> None:
    draft.add(e.CardsReplaced(*draft.stamp, clause=replacement_clause(draft.table)))


# ── Ruling ───────────────────────────────────────────────────────────────────────────────────────


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
        c.Effect.CONTINUE: waits,
        c.Effect.VOID: waits,
        c.Effect.RETURN: bool(command.players) and set(command.players) <= set(state.bettors),
        c.Effect.STAND: advised and not waits,
    }
    if not fits[command.effect] or (command.players and command.effect is not c.Effect.RETURN):
        return Refusal(Reason.NO_SUCH_RULING, clause, {"effect": command.effect.value})
    if waits and command.effect is not c.Effect.VOID and not can_play_on(table):
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
    if command.effect is c.Effect.VOID:
        void(draft, clause, command.reason)
    elif case is not None:
        play_on(draft)
        close_case(draft, "ruled", clause, command.reason)


VERBS: Verbs = {
    c.Rule: Verb(refuse=refuse_rule, carry_out=rule, in_a_case=True),
    c.ReplaceCards: Verb(refuse=refuse_replace, carry_out=replace_cards),
    c.JudgeReconstruction: Verb(refuse=refuse_judge, carry_out=judge_reconstruction, in_a_case=True),
    c.OrderCards: Verb(refuse=refuse_order, carry_out=order_cards, in_a_case=True),
    c.VoidRound: Verb(refuse=refuse_void, carry_out=void_round, in_a_case=True),
    c.ChooseOption: Verb(refuse=refuse_choose, carry_out=choose_option, in_a_case=True),
    c.CloseOptions: Verb(refuse=refuse_close_options, carry_out=close_options, in_a_case=True),
    c.ExpireOptions: Verb(refuse=refuse_expire_options, carry_out=close_options, in_a_case=True),
    c.ReturnBets: Verb(refuse=refuse_return, carry_out=return_bets, in_a_case=True),
}
