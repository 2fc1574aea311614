"""Cases: a report is evidence, the evidence decides the clause, and each step is on record.

While a case is open the round stands still. More can be found out until somebody has chosen: evidence is
added or taken back, and the clause is found anew. Which remedy a clause brings, who orders it and whether
players may have their bets back are the book's data.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from punto.cards.shoe import CardNotThere
from punto.cards.source import SourceKind
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.rules.text.irregularity import Finding
from punto.rules.words import HOUSE_TERM
from punto.table.betting.decisions import close_bets
from punto.table.dealing.decisions import note_cut
from punto.table.draft import Draft
from punto.table.insurance.decisions import close_window, neglected_bets
from punto.table.irregularities import commands as c
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Case
from punto.table.irregularities.clause import rule_on
from punto.table.irregularities.decisions import refuse_nothing_open
from punto.table.irregularities.evidence import Evidence, RoundCard, is_change, with_sighting, without_cards
from punto.table.irregularities.finding import OF_THE_SET, findings
from punto.table.irregularities.hands import ordered_by_place, record_of
from punto.table.irregularities.remedies import close_case, pursue
from punto.table.irregularities.shoe import cards_gone
from punto.table.irregularities.sighting import Face, Place, Seen, Sighting
from punto.table.settlement.events import SettlementReversed
from punto.table.state import Phase, Slot, State, Table
from punto.table.terms import Faces
from punto.table.verb import Verb, Verbs

MOST_CARDS = 500
"""Of which the evidence of a case may speak: more than a shoe of eight decks has."""

# ── Reporting ────────────────────────────────────────────────────────────────────────────────────


def refuse_report(table: Table, command: c.Report) -> Refusal | None:
    state = table.state
    if not command.cards and not command.seen:
        return Refusal(Reason.NOTHING_SEEN, None)
    if command.round is not None and command.round != state.round:
        if 1 <= command.round < state.round:
            return None
        return Refusal(Reason.NO_EARLIER_ROUND, None, {"round": command.round})
    if state.is_sealed and (refusal := refuse_disproved(table, command)):
        return refusal
    before, evidence = _before(table), _evidence(table)
    if refusal := _refuse_sightings(table, command, evidence):
        return refusal
    evidence = _with_report(table, evidence, command)
    if any(card.face is Face.UP and card.card is None for card in evidence.cards):
        return Refusal(Reason.CARD_NEEDED, None)
    if refusal := _refuse_gone(before, evidence):
        return refusal
    if Seen.INSURANCE_NEGLECTED in command.seen and not neglected_bets(before):
        return Refusal(Reason.NOT_NEGLECTED, table.book.clause_of(Finding.INSURANCE_NEGLECTED))
    found = findings(before, evidence)
    has_round = state.is_in_round or state.settled is not None
    if not has_round and (command.cards or not found or found[0] not in OF_THE_SET):
        return Refusal(Reason.NO_ROUND, table.book.clause_of(found[0]) if found else None)
    if not found or _is_disproved(before, evidence):
        return Refusal(Reason.NOTHING_WRONG, None)
    return None


def _is_disproved(before: Table, evidence: Evidence) -> bool:
    """Whether the table's own shoe shows otherwise: its cards cannot have run out while some are left."""
    if Seen.CARDS_RUN_OUT not in evidence.seen or before.state.round_terms.source is SourceKind.ENTERED:
        return False
    shoe = cards_gone(before.state, evidence).shoe
    return shoe is not None and shoe.cards_left > 0


def refuse_disproved(table: Table, command: c.Report) -> Refusal | None:
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
        if with_sighting(evidence, sighting, evidence.cards[sighting.nth - 1].face) != evidence:
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
        cards_gone(before.state, evidence)
    except CardNotThere as error:
        return Refusal(Reason.CARD_NOT_THERE, before.book.decks.clause, {"problem": str(error)})
    return None


def _before(table: Table) -> Table:
    """The table as it was before the case; one on which people have chosen stands as it is.

    A settled round is looked at as it was when all its cards were out.
    """
    case, state = table.state.case, table.state
    if case is not None and not case.is_chosen:
        state = case.state_before
    state = replace(state, case=None)
    if state.settled is not None:
        state = SettlementReversed("", Role.DEALER, 0, state.round).fold(state)
    return Table(table.book, state)


def _evidence(table: Table) -> Evidence:
    """What holds so far: the evidence of the open case, or the record."""
    case = table.state.case
    return case.evidence if case is not None and not case.is_chosen else record_of(table.state)


def _refuse_sightings(table: Table, command: c.Report, evidence: Evidence) -> Refusal | None:
    record = record_of(_before(table).state)
    if len(evidence.cards) + len(command.cards) > MOST_CARDS:
        return Refusal(Reason.TOO_MANY, None, {"what": "cards on record", "count": MOST_CARDS})
    for sighting in command.cards:
        number = len(evidence.cards)
        if isinstance(sighting.nth, int) and not 1 <= sighting.nth <= number:
            return _no_such_card(sighting.nth)
        if sighting.after is not None and not 0 <= sighting.after <= number:
            return _no_such_card(sighting.after)
        if not isinstance(sighting.nth, int) and sighting.lies is None:
            return Refusal(Reason.PLACE_NEEDED, None)
        if _tells_a_known_card(table, evidence, sighting):
            return Refusal(Reason.NOT_ENTERED, None)
        changed = with_sighting(evidence, sighting, _face(table, evidence, sighting))
        if is_change(evidence, changed, record, sighting) and not command.role.is_at_least(
            Role.PIT_SUPERVISOR
        ):
            params: dict[str, str | int] = {"rank": Role.PIT_SUPERVISOR.value, "house": f" ({HOUSE_TERM})"}
            return Refusal(Reason.CHANGES_EVIDENCE, None, params)
        evidence = changed
    return None


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


def _face(table: Table, evidence: Evidence, sighting: Sighting) -> Face:
    """How this table deals the next card."""
    ante = table.book.ante
    shown = ante is not None and len(evidence.left) < ante.shown_cards
    if sighting.card is None and sighting.is_ is None:
        return Face.DOWN
    carried = _before(table).state.carried[sum(card.carried for card in evidence.cards) :]
    seen = sighting.carried and bool(carried) and carried[0].face_up
    return Face.UP if shown or seen or table.state.round_terms.faces is Faces.UP else Face.DOWN


def _with_report(table: Table, evidence: Evidence, command: c.Report) -> Evidence:
    waiting = len([card for card in evidence.cards if card.carried])
    for sighting in command.cards:
        if sighting.card is not msgspec.UNSET and not sighting.carried and not sighting.foreign:
            evidence = _with_carried(_passed_over(_before(table).state, waiting), evidence)
            waiting = len(_before(table).state.carried)
        waiting += sighting.carried
        evidence = with_sighting(evidence, sighting, _face(table, evidence, sighting))
    seen = (*evidence.seen, *command.seen)
    told = replace(
        evidence,
        seen=tuple(fact for fact in Seen if fact in seen),
        order=command.order or evidence.order,
        is_ordered=evidence.is_ordered and _is_of_facts_alone(command),
        note="; ".join(filter(None, (evidence.note, command.note))),
    )
    return ordered_by_place(table, told)


def _passed_over(before: State, waiting: int) -> tuple[Slot, ...]:
    """Cards carried over that whoever draws from the shoe forgot; those kept for the next round are not."""
    return () if before.kept else before.carried[waiting:]


def _with_carried(carried: tuple[Slot, ...], evidence: Evidence) -> Evidence:
    """Cards carried over come before those of the shoe; whoever drew past them left them on the table."""
    for slot in carried:
        face = Face.UP if slot.face_up else Face.DOWN
        left = RoundCard(slot.card, Place.TABLE, face, carried=True, is_passed_over=True)
        evidence = replace(evidence, cards=(*evidence.cards, left))
    return evidence


def report(draft: Draft, command: c.Report) -> None:
    if command.round is not None and command.round != draft.state.round:
        late = rule_on(draft.book, Finding.FOUND_LATE)
        draft.add(
            e.ErrorFoundLate(
                *draft.stamp,
                round=command.round,
                clause=late.clause,
                cards=command.cards,
                seen=command.seen,
                note=command.note,
            )
        )
        return
    evidence = _with_report(draft.table, _evidence(draft.table), command)
    case = draft.state.case
    if case is None:
        _open(draft, evidence)
    elif case.is_chosen:  # a further error after people have chosen gives a new choice
        close_case(draft, "superseded", case.clause)
        _open(draft, evidence, case)
    else:
        word = case.is_possible if _is_of_facts_alone(command) else None
        draft.add(e.EvidenceAdded(*draft.stamp, case=case.number, evidence=evidence, is_possible=word))
    _weigh(draft)


def _is_of_facts_alone(command: c.Report) -> bool:
    """Whether it says nothing of the cards, so that what the House said of them stands."""
    return not command.cards and command.order is None


def _open(draft: Draft, evidence: Evidence, earlier: Case | None = None) -> None:
    found = findings(_before(draft.table), evidence)
    reverses = draft.state.settled is not None and not OF_THE_SET.issuperset(found)
    if reverses:
        draft.add(SettlementReversed(*draft.stamp, round=draft.state.round))
    draft.add(
        e.CaseOpened(
            *draft.stamp,
            case=draft.state.cases + 1,
            evidence=evidence,
            still_asked=earlier.undecided if earlier else (),
            options_clause=earlier.options_clause if earlier else None,
            is_reconstructed=earlier is not None and earlier.is_choice_reconstructed,
            reverses=reverses,
        )
    )


def _weigh(draft: Draft) -> None:
    """Find the clause that the evidence comes to, and go as far as nobody has to decide anything."""
    case = draft.state.case
    assert case is not None
    note_cut(draft)
    if any(card.lies is not Place.SHOE for card in case.evidence.brought):
        if draft.state.phase is Phase.BETTING:
            close_bets(draft)
        close_window(draft)  # any card that leaves the shoe is the next card
    pursue(draft)


# ── Taking back ──────────────────────────────────────────────────────────────────────────────────


def refuse_withdraw(table: Table, command: c.WithdrawEvidence) -> Refusal | None:
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
    return _refuse_gone(Table(table.book, case.state_before), _left_after(case, command))


def _left_after(case: Case, command: c.WithdrawEvidence) -> Evidence:
    evidence = without_cards(case.evidence, command.cards, record_of(case.state_before))
    if all(card.is_passed_over for card in evidence.brought):  # nothing was drawn past them after all
        evidence = replace(evidence, cards=tuple(c for c in evidence.cards if not c.is_passed_over))
    order = evidence.order if evidence.group else None
    seen = tuple(fact for fact in evidence.seen if fact not in command.seen)
    return replace(evidence, seen=seen, order=order, is_ordered=False)


def withdraw_evidence(draft: Draft, command: c.WithdrawEvidence) -> None:
    case = draft.state.case
    assert case is not None and case.found is not None
    evidence = _left_after(case, command)
    draft.add(e.EvidenceWithdrawn(*draft.stamp, case=case.number, evidence=evidence))
    if findings(Table(draft.book, case.state_before), evidence):
        _weigh(draft)
    else:
        close_case(draft, "withdrawn", None)


def refuse_dismiss(table: Table, command: c.DismissReport) -> Refusal | None:
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


def dismiss_report(draft: Draft, command: c.DismissReport) -> None:
    close_case(draft, "dismissed", None, command.reason)


VERBS: Verbs = {
    c.Report: Verb(refuse=refuse_report, carry_out=report, in_a_case=True),
    c.WithdrawEvidence: Verb(refuse=refuse_withdraw, carry_out=withdraw_evidence, in_a_case=True),
    c.DismissReport: Verb(refuse=refuse_dismiss, carry_out=dismiss_report, in_a_case=True),
}
