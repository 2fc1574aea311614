"""Reports and rulings: what people say went wrong, and what those who may decide it decide.

While a case is open the round stands still. More can be found out until somebody has chosen: evidence is added or
taken back, and the clause is found anew. Which remedy a clause brings, who orders it and whether players may have
their bets back are the book's data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from punto.cards.shoe import CardNotThere
from punto.cards.source import SourceKind
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book_text import Finding, Irregularity, Replacement
from punto.rules.wording import HOUSE_TERM
from punto.table import irregularity_case as cases
from punto.table import irregularity_events as events
from punto.table import irregularity_findings as findings
from punto.table import irregularity_remedies as remedies
from punto.table.betting import close_bets
from punto.table.dealing import note_cut
from punto.table.header import CommandHeader, Draft, Verb, Verbs
from punto.table.house import refuse_between_rounds
from punto.table.insurance import close_window, neglected_bets
from punto.table.irregularity_case import Awaits, Evidence, Face, Place, Resolution, RoundCard, Seen, Sighting
from punto.table.settlement import SettlementReversed
from punto.table.state import Case, Phase, State, Table
from punto.table.terms import Faces


def refuse_not_awaited(table: Table, command: CommandHeader, awaits: Awaits) -> Refusal | None:
    """The case must wait for this, and the one who orders it must rank high enough."""
    found = table.state.found_clause
    if found is None or found.awaits is not awaits:
        return refuse_nothing_open(table)
    return _refuse_rank(command, findings.rule_on(table.book, found.finding))


def _refuse_rank(command: CommandHeader, rule: Irregularity) -> Refusal | None:
    if command.role.is_at_least(rule.orders):
        return None
    house = "" if rule.orders_clause else f" ({HOUSE_TERM})"
    params: dict[str, str | int] = {"kind": rule.kind.value, "rank": rule.orders.value, "house": house}
    return Refusal(Reason.NOT_RANKED, rule.orders_clause, params)


def refuse_nothing_open(table: Table, *, is_choice: bool = False) -> Refusal:
    """Nothing waits for this: something else is open, no choice was given, it is too late, or all is well."""
    state, found = table.state, table.state.found_clause
    clause, why = None, "no case is open"
    if found is not None:
        clause, why = found.clause, f"the case of {found.finding.value} waits for {found.awaits.value}"
    elif is_choice and state.is_in_round and state.last_finding is not None:
        rule = findings.rule_on(table.book, state.last_finding)
        if rule.options_clause and findings.is_established(table.book, state.player, state.banker):
            clause, why = rule.options_clause, "an outcome is established, so players have no choice"
    elif state.is_in_round and state.last_finding is None and state.earlier_finding is not None:
        clause = table.book.clause_of(Finding.FOUND_LATE)
        why = "the next round has begun: an error of the one before changes nothing"
    return Refusal(Reason.NO_CASE, clause, {"why": why})


def refuse_judge(table: Table, command: events.JudgeReconstruction) -> Refusal | None:
    if refusal := refuse_not_awaited(table, command, Awaits.JUDGEMENT):
        return refusal
    if not command.possible and remedies.rule_of(table).kind is Finding.RECORD_SLIP:
        why = "a card on record that never left the shoe is confirmed, or the report is dismissed"
        return Refusal(Reason.NO_CASE, None, {"why": why})
    evidence, is_in_play = table.state.open_case.evidence, table.state.are_cards_in_play
    if command.possible and (not is_in_play or findings.due_by_order(table, evidence) is None):
        return Refusal(Reason.CANNOT_RECONSTRUCT, remedies.rule_of(table).clause)
    return None


def judge_reconstruction(draft: Draft, command: events.JudgeReconstruction) -> None:
    rule = remedies.rule_of(draft.table)
    draft.add(events.ReconstructionJudged, command.possible, rule.clause)
    found = None if command.possible else findings.find_clause(draft.table, draft.state.open_case)
    if found is not None and found.finding is Finding.WRONG_NUMBER:
        remedies.say_clause(draft, found)
        remedies.void_for_case(draft, findings.rule_on(draft.book, found.finding).clause, "")
    else:
        remedies.play_remedy(draft, rule)


def refuse_order(table: Table, command: events.OrderCards) -> Refusal | None:
    if refusal := refuse_not_awaited(table, command, Awaits.ORDER):
        return refusal
    evidence, terms = table.state.open_case.evidence, table.state.round_terms
    numbers = cases.numbers_of(evidence, command.cards)
    if numbers is None or len(numbers) != len(evidence.group):
        cards = " ".join(map(str, findings.names_together(terms, evidence)))
        return Refusal(Reason.NOT_THOSE_CARDS, remedies.rule_of(table).clause, {"cards": cards})
    return None


def order_cards(draft: Draft, command: events.OrderCards) -> None:
    evidence, rule, terms = draft.state.open_case.evidence, remedies.rule_of(draft.table), draft.state.round_terms
    numbers = cases.numbers_of(evidence, command.cards)
    assert numbers is not None
    group = [evidence.cards[number - 1] for number in numbers]
    faces = tuple(card.card if findings.can_be_named(terms, card) else None for card in group)
    draft.add(events.CardsOrdered, faces, rule.clause, numbers)
    remedies.pursue(draft)


def refuse_choose(table: Table, command: events.ChooseOption) -> Refusal | None:
    if refusal := refuse_no_options(table, command):
        return refusal
    case = table.state.open_case
    if command.actor not in case.undecided or not table.state.is_here(command.actor):
        return Refusal(Reason.NOT_ASKED, case.options_clause, {"player": command.actor})
    return None


def choose_option(draft: Draft, command: events.ChooseOption) -> None:
    clause, is_back = draft.state.open_case.options_clause, command.option is events.Option.RETURN
    returned = tuple(stake for stake in draft.state.stakes if is_back and stake.player == command.actor)
    draft.add(events.OptionChosen, command.actor, command.option, clause, returned)
    if not draft.state.open_case.undecided:
        remedies.close_case(draft, Resolution.CHOSEN, clause)


def refuse_no_options(table: Table, _: CommandHeader) -> Refusal | None:
    """No choice is open. Whoever says that its time is over says too that there was time to choose."""
    is_open = table.state.found_clause is not None and table.state.found_clause.awaits is Awaits.OPTIONS
    return None if is_open else refuse_nothing_open(table, is_choice=True)


def refuse_close_options(table: Table, command: events.CloseOptions) -> Refusal | None:
    """Who is away continues; who is here chooses."""
    if refusal := refuse_no_options(table, command):
        return refusal
    case = table.state.open_case
    here = [player for player in case.undecided if table.state.is_here(player)]
    return Refusal(Reason.PLAYERS_PRESENT, case.options_clause, {"players": ", ".join(here)}) if here else None


def close_options(draft: Draft, _: events.CloseOptions | events.ExpireOptions) -> None:
    clause = draft.state.open_case.options_clause
    for player in draft.state.open_case.undecided:
        draft.add(events.OptionChosen, player, events.Option.CONTINUE, clause)
    remedies.close_case(draft, Resolution.CHOSEN, clause)


def return_bets(draft: Draft, _: events.ReturnBets) -> None:
    clause = remedies.rule_of(draft.table).clause
    draft.add(events.BetsReturned, neglected_bets(draft.table), clause)
    remedies.close_case(draft, Resolution.RETURNED, clause)


def refuse_replace(table: Table, _: CommandHeader) -> Refusal | None:
    """Between rounds, when something went wrong in the one just over."""
    has_cause = table.state.shoe is not None and table.state.last_finding is not None
    return refuse_between_rounds(table) or (None if has_cause else Refusal(Reason.NO_REPLACEMENT, None))


def replacement_clause(table: Table) -> str | None:
    """The clause on a new set of cards after what went wrong last; None where the document has none."""
    if table.state.last_finding is None:
        return None
    rule = findings.rule_on(table.book, table.state.last_finding)
    return rule.replace_clause if rule.replace_cards is not Replacement.NO else None


def refuse_rule(table: Table, command: events.Rule) -> Refusal | None:
    """A ruling resolves a case that waits for one, or bets under the minimum that were noticed."""
    state, other = table.state, table.book.irregularity(Finding.UNCOVERED)
    clause = other.clause if other else None
    if not command.reason:
        return Refusal(Reason.REASON_NEEDED, clause)
    if other is not None and (refusal := _refuse_rank(command, other)):
        return refusal
    waits = state.found_clause is not None and state.found_clause.awaits is Awaits.RULING
    advised = state.phase is Phase.BETTING and any(bet.is_advised for bet in state.bets)
    if not (waits or (advised and state.case is None)):
        return refuse_nothing_open(table)
    fits = {
        events.Effect.CONTINUE: waits,
        events.Effect.VOID: waits,
        events.Effect.RETURN: bool(command.players) and set(command.players) <= set(state.bettors),
        events.Effect.STAND: advised and not waits,
    }
    if not fits[command.effect] or (command.players and command.effect is not events.Effect.RETURN):
        return Refusal(Reason.NO_SUCH_RULING, clause, {"effect": command.effect.value})
    if waits and command.effect is not events.Effect.VOID and not remedies.can_play_on(table):
        return Refusal(Reason.CANNOT_RECONSTRUCT, clause)
    return None


def rule_case(draft: Draft, command: events.Rule) -> None:
    clause, case = draft.book.clause_of(Finding.UNCOVERED), draft.state.case
    returned = tuple(stake for stake in draft.state.stakes if stake.player in command.players)
    draft.add(events.Ruled, command.effect, command.reason, command.players, clause, returned)
    if command.effect is events.Effect.VOID:
        remedies.void_for_case(draft, clause, command.reason)
    elif case is not None:
        remedies.play_on(draft)
        remedies.close_case(draft, Resolution.RULED, clause, command.reason)


MOST_CARDS_REPORTED = 500  # Of which the evidence of a case may speak: more than a shoe of eight decks has.


class Weighed(NamedTuple):
    """A report as it was judged: all evidence with it, and what that comes to."""

    evidence: Evidence
    findings: tuple[Finding, ...]


def judge_report(table: Table, command: events.Report) -> Refusal | Weighed | None:
    """Why a report is refused; else what it comes to, but for one of an earlier round."""
    state = table.state
    if not command.cards and not command.seen:
        return Refusal(Reason.NOTHING_SEEN, None)
    if command.round is not None and command.round != state.round:
        is_earlier = 1 <= command.round < state.round
        return None if is_earlier else Refusal(Reason.NO_EARLIER_ROUND, None, {"round": command.round})
    if state.is_sealed and (refusal := refuse_disproved(table, command)):
        return refusal
    before, evidence = _table_before(table), _evidence(table)
    if refusal := _refuse_sightings(table, command, evidence):
        return refusal
    evidence = _with_report(table, evidence, command)
    if any(card.face is Face.UP and card.card is None for card in evidence.cards):
        return Refusal(Reason.CARD_NEEDED, None)
    if refusal := _refuse_gone(before, evidence):
        return refusal
    if Seen.INSURANCE_NEGLECTED in command.seen and not neglected_bets(before):
        return Refusal(Reason.NOT_NEGLECTED, table.book.clause_of(Finding.INSURANCE_NEGLECTED))
    all_findings = findings.weigh(before, evidence, is_possible=_word_that_stands(state.case, command))
    has_round = state.is_in_round or state.settled is not None
    if not has_round and (command.cards or not all_findings or all_findings[0] not in findings.OF_THE_SET):
        return Refusal(Reason.NO_ROUND, table.book.clause_of(all_findings[0]) if all_findings else None)
    is_wrong = all_findings and not _is_disproved(before, evidence)
    return Weighed(evidence, all_findings) if is_wrong else Refusal(Reason.NOTHING_WRONG, None)


def _is_disproved(before: Table, evidence: Evidence) -> bool:
    """Whether the table's own shoe shows otherwise: its cards cannot have run out while some are left."""
    if Seen.CARDS_RUN_OUT not in evidence.seen or before.state.round_terms.source is SourceKind.ENTERED:
        return False
    shoe = events.cards_gone(before.state, evidence).shoe
    return shoe is not None and shoe.cards_left > 0


def refuse_disproved(table: Table, command: events.Report) -> Refusal | None:
    """What nobody can say of cards that the system itself gave: the record knows better.

    Which cards left the shoe and in which order, where each lies and which faces show is on record. A report
    that says otherwise would make the system give or show a card before its turn, put one back that was
    seen, or move it to the other hand. A card of another set is none of the shoe's.
    """
    evidence = _evidence(table)
    for sighting in command.cards:
        if not isinstance(sighting.nth, int):
            if not sighting.foreign or sighting.carried or sighting.together:
                return Refusal(Reason.NOTHING_WRONG, None)  # it would be a card of the shoe after all
            continue
        if sighting.nth > len(evidence.cards):
            return _no_such_card(sighting.nth)
        if cases.with_sighting(evidence, sighting, evidence.cards[sighting.nth - 1].face) != evidence:
            return Refusal(Reason.NOTHING_WRONG, None)
    return None


def refuse_put_back(case: Case, numbers: Sequence[int]) -> Refusal | None:
    """Cards that an earlier version let a report bring up were seen: they never go back into their shoe."""
    cards = [case.evidence.cards[number - 1] for number in numbers if 1 <= number <= len(case.evidence.cards)]
    if any(card in case.evidence.brought and card.lies is not Place.SHOE for card in cards):
        instead = "cards that were seen do not go back into the shoe; finish the round, or void it"
        return Refusal(Reason.CARD_NAMED, None, {"instead": instead})
    return None


def _refuse_gone(before: Table, evidence: Evidence) -> Refusal | None:
    """Cards that the shoe cannot have given, or that were not carried over."""
    try:
        events.cards_gone(before.state, evidence)
    except CardNotThere as error:
        return Refusal(Reason.CARD_NOT_THERE, before.book.decks.clause, {"problem": str(error)})
    return None


def _table_before(table: Table) -> Table:
    """The table as it was before the case; one on which people have chosen stands as it is.

    A settled round is looked at as it was when all its cards were out.
    """
    case, state = table.state.case, table.state
    if case is not None and not case.is_chosen:
        state = case.before
    state = replace(state, case=None)
    if state.settled is not None:
        state = SettlementReversed("", Role.DEALER, 0, state.round).fold(state)
    return Table(table.book, state)


def _evidence(table: Table) -> Evidence:
    """What holds so far: the evidence of the open case, or the record."""
    case = table.state.case
    return case.evidence if case is not None and not case.is_chosen else findings.record_of(table.state)


def _refuse_sightings(table: Table, command: events.Report, evidence: Evidence) -> Refusal | None:
    record = findings.record_of(_table_before(table).state)
    if len(evidence.cards) + len(command.cards) > MOST_CARDS_REPORTED:
        return Refusal(Reason.TOO_MANY, None, {"what": "cards on record", "count": MOST_CARDS_REPORTED})
    for sighting in command.cards:
        number = len(evidence.cards)
        if isinstance(sighting.nth, int) and not 1 <= sighting.nth <= number:
            return _no_such_card(sighting.nth)
        if sighting.after is not None and not 0 <= sighting.after <= number:
            return _no_such_card(sighting.after)
        if not isinstance(sighting.nth, int) and not _has_place(sighting):
            return Refusal(Reason.PLACE_NEEDED, None)
        if _tells_a_known_card(table, evidence, sighting):
            return Refusal(Reason.NOT_ENTERED, None)
        changed = cases.with_sighting(evidence, sighting, _face_of(table, evidence, sighting))
        if cases.is_change(evidence, changed, record, sighting) and not command.role.is_at_least(Role.PIT_SUPERVISOR):
            params: dict[str, str | int] = {"rank": Role.PIT_SUPERVISOR.value, "house": f" ({HOUSE_TERM})"}
            return Refusal(Reason.CHANGES_EVIDENCE, None, params)
        evidence = changed
    return None


def _has_place(sighting: Sighting) -> bool:
    """Whether a card that a report brings up lies somewhere.

    In the shoe only one of another set can be found: one of the shoe's own is to come, and has no part in the round.
    """
    return sighting.lies is not None and (sighting.lies is not Place.SHOE or sighting.foreign)


def _tells_a_known_card(table: Table, evidence: Evidence, sighting: Sighting) -> bool:
    """Whether a card that lies face down and that the system knows is named: the answer must not tell which
    it is, so every name is refused alike. Turned up, it has to be the one that it is.
    """
    is_entered = table.state.round_terms.source is SourceKind.ENTERED
    if is_entered or sighting.is_ is None or not isinstance(sighting.nth, int):
        return False
    card = evidence.cards[sighting.nth - 1]
    if card.card is None or card.face is Face.UP:
        return False
    return sighting.face is not Face.UP or sighting.is_ is not card.card


def _no_such_card(number: int) -> Refusal:
    return Refusal(Reason.NO_SUCH_CARD, None, {"hand": "number", "number": number})


def _face_of(table: Table, evidence: Evidence, sighting: Sighting) -> Face:
    """How this table deals the next card."""
    ante = table.book.ante
    decides_antes = ante is not None and len(evidence.left) < ante.shown_cards
    if sighting.card is None and sighting.is_ is None:
        return Face.DOWN
    carried = _table_before(table).state.carried[sum(card.carried for card in evidence.cards) :]
    seen = sighting.carried and bool(carried) and carried[0].face_up
    return Face.UP if decides_antes or seen or table.state.round_terms.faces is Faces.UP else Face.DOWN


def _with_report(table: Table, evidence: Evidence, command: events.Report) -> Evidence:
    waiting, before = len([card for card in evidence.cards if card.carried]), _table_before(table).state
    for sighting in command.cards:
        if sighting.card is not msgspec.UNSET and not sighting.carried and not sighting.foreign:
            evidence = _with_passed_over(before, waiting, evidence)
            waiting = len(before.carried)
        waiting += sighting.carried
        evidence = cases.with_sighting(evidence, sighting, _face_of(table, evidence, sighting))
    seen = (*evidence.seen, *command.seen)
    all_seen = tuple(fact for fact in Seen if fact in seen)
    note, order = "; ".join(filter(None, (evidence.note, command.note))), command.order or evidence.order
    is_ordered = evidence.is_ordered and _is_of_facts_alone(command)
    evidence = replace(evidence, seen=all_seen, order=order, is_ordered=is_ordered, note=note)
    return findings.ordered_by_place(table, evidence)


def _with_passed_over(before: State, waiting: int, evidence: Evidence) -> Evidence:
    """Cards carried over come before those of the shoe; whoever drew past them left them on the table.

    Those kept for the next round were not forgotten.
    """
    for slot in () if before.kept else before.carried[waiting:]:
        face = Face.UP if slot.face_up else Face.DOWN
        left = RoundCard(slot.card, Place.TABLE, face, carried=True, is_passed_over=True)
        evidence = replace(evidence, cards=(*evidence.cards, left))
    return evidence


def report_irregularity(draft: Draft, command: events.Report) -> None:
    if command.round is not None and command.round != draft.state.round:
        clause = findings.rule_on(draft.book, Finding.FOUND_LATE).clause
        draft.add(events.ErrorFoundLate, command.round, clause, command.cards, command.seen, command.note)
        return
    assert isinstance(draft.judged, Weighed)
    evidence, all_findings, case = draft.judged.evidence, draft.judged.findings, draft.state.case
    if case is None:
        _open_case(draft, evidence, all_findings)
    elif case.is_chosen:  # a further error after people have chosen gives a new choice
        remedies.close_case(draft, Resolution.SUPERSEDED, case.clause)
        if case.slips:  # what was staked on the false hand has gone back
            all_findings = findings.weigh(_table_before(draft.table), evidence)
        _open_case(draft, evidence, all_findings, case)
    else:
        draft.add(events.EvidenceAdded, case.number, evidence, _word_that_stands(case, command))
    _go_on_with_evidence(draft, all_findings)


def _word_that_stands(case: Case | None, command: events.Report) -> bool | None:
    """The House's word on reconstruction, where a report leaves it standing."""
    return case.is_possible if case is not None and not case.is_chosen and _is_of_facts_alone(command) else None


def _is_of_facts_alone(command: events.Report) -> bool:
    """Whether it says nothing of the cards, so that what the House said of them stands."""
    return not command.cards and command.order is None


def _open_case(
    draft: Draft, evidence: Evidence, all_findings: tuple[Finding, ...], earlier: Case | None = None
) -> None:
    reverses = draft.state.settled is not None and not findings.OF_THE_SET.issuperset(all_findings)
    if reverses:
        draft.add(SettlementReversed, round=draft.state.round)
    before = earlier or Case(0, evidence, draft.state)  # without one, nobody had a choice
    choice = before.undecided, before.options_clause, before.is_choice_reconstructed
    draft.add(events.CaseOpened, draft.state.cases + 1, evidence, *choice, reverses)


def _go_on_with_evidence(draft: Draft, all_findings: tuple[Finding, ...]) -> None:
    """Find the clause for what the evidence comes to, and go as far as nobody has to decide anything."""
    case = draft.state.open_case
    note_cut(draft)
    if any(card.lies is not Place.SHOE for card in case.evidence.brought):
        if draft.state.phase is Phase.BETTING:
            close_bets(draft)
        close_window(draft)  # any card that leaves the shoe is the next card
    remedies.pursue(draft, all_findings)


def refuse_withdraw(table: Table, command: events.WithdrawEvidence) -> Refusal | None:
    case = table.state.case
    if case is None:
        return refuse_nothing_open(table)
    if case.is_chosen:
        return Refusal(Reason.CHOSEN_ALREADY, case.clause)
    if not command.cards and not command.seen:
        return Refusal(Reason.NOTHING_SEEN, None)
    for number in command.cards:
        if not 1 <= number <= len(case.evidence.cards):
            return _no_such_card(number)
    if table.state.is_sealed and (refusal := refuse_put_back(case, command.cards)):
        return refusal
    spoken = not any(case.evidence.cards[number - 1].is_passed_over for number in command.cards)
    if not spoken or _left_after(case, command) == case.evidence:
        return Refusal(Reason.NOTHING_SEEN, None)
    return _refuse_gone(Table(table.book, case.before), _left_after(case, command))


def _left_after(case: Case, command: events.WithdrawEvidence) -> Evidence:
    evidence = cases.without_sightings(case.evidence, command.cards, findings.record_of(case.before))
    if all(card.is_passed_over for card in evidence.brought):  # nothing was drawn past them after all
        evidence = replace(evidence, cards=tuple(c for c in evidence.cards if not c.is_passed_over))
    order = evidence.order if evidence.group else None
    seen = tuple(fact for fact in evidence.seen if fact not in command.seen)
    return replace(evidence, seen=seen, order=order, is_ordered=False)


def withdraw_evidence(draft: Draft, command: events.WithdrawEvidence) -> None:
    case = draft.state.open_case
    evidence = _left_after(case, command)
    draft.add(events.EvidenceWithdrawn, case.number, evidence)
    if all_findings := findings.weigh(Table(draft.book, case.before), evidence):
        _go_on_with_evidence(draft, all_findings)
    else:
        remedies.close_case(draft, Resolution.WITHDRAWN, None)


def refuse_dismiss(table: Table, command: events.DismissReport) -> Refusal | None:
    """Until somebody has chosen, all evidence can be taken back, by whoever may take back any of it."""
    case = table.state.case
    if case is None:
        return refuse_nothing_open(table)
    if case.is_chosen:
        return Refusal(Reason.CHOSEN_ALREADY, case.clause)
    everything = range(1, len(case.evidence.cards) + 1)
    if table.state.is_sealed and (refusal := refuse_put_back(case, everything)):
        return refusal
    return None if command.reason else Refusal(Reason.REASON_NEEDED, None)


IRREGULARITY_VERBS: Verbs = {
    events.Report: Verb("report", judge_report, report_irregularity, in_a_case=True),
    events.WithdrawEvidence: Verb("take back", refuse_withdraw, withdraw_evidence, in_a_case=True),
    events.DismissReport: Verb(
        "dismiss the report",
        refuse_dismiss,
        lambda draft, command: remedies.close_case(draft, Resolution.DISMISSED, None, command.reason),
        in_a_case=True,
    ),
    events.Rule: Verb("rule", refuse_rule, rule_case, in_a_case=True),
    events.ReplaceCards: Verb(
        "replace the cards",
        refuse_replace,
        lambda draft, _: draft.add(events.CardsReplaced, replacement_clause(draft.table)),
    ),
    events.JudgeReconstruction: Verb("reconstruction possible", refuse_judge, judge_reconstruction, in_a_case=True),
    events.OrderCards: Verb("order cards", refuse_order, order_cards, in_a_case=True),
    events.VoidRound: Verb(
        "void the round",
        lambda table, command: refuse_not_awaited(table, command, Awaits.VOID),
        lambda draft, command: remedies.void_for_case(draft, remedies.rule_of(draft.table).clause, command.reason),
        in_a_case=True,
    ),
    events.ChooseOption: Verb("choose", refuse_choose, choose_option, in_a_case=True),
    events.CloseOptions: Verb("close the options", refuse_close_options, close_options, in_a_case=True),
    events.ExpireOptions: Verb("no more choices", refuse_no_options, close_options, in_a_case=True),
    events.ReturnBets: Verb(
        "return bets",
        lambda table, command: refuse_not_awaited(table, command, Awaits.RETURN_BETS),
        return_bets,
        in_a_case=True,
    ),
}
