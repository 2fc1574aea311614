"""Irregularities: a report opens a case, the book's remedy resolves it, and each step is on record.

Which remedy, who orders it, and whether players may have their bets back are the book's data. The round
stands still while a case is open.
"""

from __future__ import annotations

from collections import Counter

from punto.cards.card import Card
from punto.cards.shoe import CardNotThere
from punto.coup.deal import reconstruct
from punto.refusal import Reason, Refusal
from punto.rules.text.irregularity import Irregular, Irregularity, Options, Remedy, Replacement
from punto.table.dealing.decisions import note_cut, proceed, refuse_spent
from punto.table.dealing.events import CardRevealed
from punto.table.draft import Draft
from punto.table.header import CommandHeader
from punto.table.insurance.decisions import close_window, neglected_bets
from punto.table.irregularities import commands as c
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.established import is_established
from punto.table.settlement.events import SettlementReversed
from punto.table.state import Phase, State, Table
from punto.table.verb import Verb, Verbs

_AWAITS = {
    Remedy.VOID: Awaits.VOID,
    Remedy.VOID_UNLESS_RECONSTRUCTED: Awaits.JUDGEMENT,
    Remedy.RECONSTRUCT: Awaits.JUDGEMENT,
    Remedy.PLAY_ON: Awaits.OPTIONS,
    Remedy.ORDER_CARDS: Awaits.ORDER,
    Remedy.COMPLETE_OR_VOID: Awaits.VOID,
    Remedy.NO_EFFECT: Awaits.RULING,
    Remedy.RETURN_BETS: Awaits.RETURN_BETS,
    Remedy.RULING: Awaits.RULING,
}
"""What a case waits for first, by the remedy of its irregularity."""


_ABOUT_THE_DEAL = {
    Remedy.VOID_UNLESS_RECONSTRUCTED,
    Remedy.RECONSTRUCT,
    Remedy.PLAY_ON,
    Remedy.ORDER_CARDS,
    Remedy.RETURN_BETS,
}
"""Remedies for what goes wrong with cards on the table: bets are closed by then."""


def rule_of(table: Table, kind: Irregular) -> Irregularity:
    entry = table.book.irregularity(kind)
    assert entry is not None, "only what the book speaks of becomes a case"
    return entry


def refuse_report(table: Table, command: c.Report) -> Refusal | None:
    state = table.state
    entry = table.book.irregularity(command.kind)
    if command.round is not None and command.round != state.round:
        if 1 <= command.round < state.round:
            return None
        return Refusal(Reason.NO_EARLIER_ROUND, None, {"round": command.round})
    if entry is None:
        return Refusal(
            Reason.NOT_IN_BOOK, table.book.clause_of(Irregular.OTHER), {"kind": command.kind.value}
        )
    if entry.remedy is Remedy.NO_EFFECT:
        return Refusal(Reason.NO_EARLIER_ROUND, entry.clause, {"round": state.round})
    if not (state.is_in_round or _is_noticed_in_time(state, entry)):
        return Refusal(Reason.NO_ROUND, entry.clause)
    return _refuse_evidence(table, command, entry)


def _is_noticed_in_time(state: State, entry: Irregularity) -> bool:
    """A wrong number of cards, or insurance that was not offered, may still be noticed when the round is
    settled and the next has not begun.
    """
    in_time = (Remedy.VOID_UNLESS_RECONSTRUCTED, Remedy.RETURN_BETS)
    return state.settled is not None and entry.remedy in in_time


def _refuse_evidence(table: Table, command: c.Report, entry: Irregularity) -> Refusal | None:
    state = table.state
    if state.phase is Phase.BETTING and entry.remedy in _ABOUT_THE_DEAL:
        return Refusal(Reason.BETS_STILL_OPEN, entry.clause)
    if entry.remedy is Remedy.ORDER_CARDS and len(command.cards) < 2:
        return Refusal(Reason.CARDS_NEEDED, entry.clause)
    if entry.remedy is Remedy.RETURN_BETS and not neglected_bets(table):
        return Refusal(Reason.NOT_NEGLECTED, entry.clause)
    if entry.remedy is Remedy.PLAY_ON:
        return _refuse_face_up(table, command, entry)
    if state.shoe is None or not state.draws_reported(_AWAITS[entry.remedy]):
        return None
    try:
        state.shoe.drawn(command.cards)
    except CardNotThere as error:
        return Refusal(Reason.CARD_NOT_THERE, table.book.decks.clause, {"problem": str(error)})
    return None


def _refuse_face_up(table: Table, command: c.Report, entry: Irregularity) -> Refusal | None:
    """The card that should lie face down is named by its hand and number; if nobody knew it, also by
    itself.
    """
    slots = table.state.slots(command.hand) if command.hand is not None else ()
    number = command.number or 0
    if not 1 <= number <= len(slots) or slots[number - 1].face_up:
        hand = command.hand.value if command.hand else "named"
        return Refusal(Reason.NO_SUCH_CARD, entry.clause, {"hand": hand, "number": number})
    known = slots[number - 1].card
    if len(command.cards) != (1 if known is None else 0):
        return Refusal(Reason.CARDS_NEEDED, entry.clause)
    return refuse_spent(table, known or command.cards[0])


def report(draft: Draft, command: c.Report) -> None:
    if command.round is not None and command.round != draft.state.round:
        _note_late(draft, command)
        return
    entry = rule_of(draft.table, command.kind)
    if draft.state.settled is not None:
        draft.add(SettlementReversed(*draft.stamp, round=draft.state.round))
    draft.add(
        e.CaseOpened(
            *draft.stamp,
            kind=command.kind,
            clause=entry.clause,
            cards=() if entry.remedy is Remedy.PLAY_ON else command.cards,
            placed=command.placed,
            hand=command.hand,
            number=command.number,
            note=command.note,
            awaits=_AWAITS[entry.remedy].value,
        )
    )
    note_cut(draft)
    if entry.remedy is Remedy.COMPLETE_OR_VOID:
        _complete_or_void(draft, entry)
    elif entry.remedy is Remedy.PLAY_ON:
        assert command.hand is not None and command.number is not None
        card = draft.state.slots(command.hand)[command.number - 1].card or command.cards[0]
        draft.add(CardRevealed(*draft.stamp, hand=command.hand, number=command.number, card=card))
        _give_options(draft, entry, "played-on")


def _note_late(draft: Draft, command: c.Report) -> None:
    """An error of an earlier round changes nothing in this one."""
    late = draft.book.irregularity(Irregular.FOUND_LATE) or draft.book.irregularity(command.kind)
    clause = late.clause if late else None
    assert command.round is not None
    draft.add(
        e.ErrorFoundLate(
            *draft.stamp, kind=command.kind, round=command.round, clause=clause, note=command.note
        )
    )


def _complete_or_void(draft: Draft, entry: Irregularity) -> None:
    """Once reported there is no choice: with an outcome established the round is completed, else it is
    void.
    """
    if is_established(draft.book, draft.state.player, draft.state.banker):
        _close_case(draft, "completed", entry.clause)
    else:
        void(draft, entry.void_clause or entry.clause, "")


def _close_case(draft: Draft, resolution: str, clause: str | None, reason: str = "") -> None:
    case = draft.state.case
    assert case is not None
    draft.add(e.CaseClosed(*draft.stamp, kind=case.kind, resolution=resolution, clause=clause, reason=reason))
    proceed(draft)


def void(draft: Draft, clause: str | None, reason: str) -> None:
    """Every bet of the round goes back, insurance, wagers and given-up antes too."""
    case, state = draft.state.case, draft.state
    draft.add(
        e.RoundVoided(*draft.stamp, round=state.round, clause=clause, returned=state.stakes, reason=reason)
    )
    entry = draft.book.irregularity(case.kind) if case else None
    if entry is not None and entry.replace_cards is Replacement.MUST:
        draft.add(e.CardsReplaced(*draft.stamp, clause=entry.replace_clause))


def _refuse_awaiting(table: Table, command: CommandHeader, *awaits: Awaits) -> Refusal | None:
    """The case must wait for this, and the one who orders it must rank high enough."""
    case = table.state.case
    if case is None or case.awaits not in awaits:
        return Refusal(Reason.NO_CASE, None)
    entry = rule_of(table, case.kind)
    if not command.role.is_at_least(entry.orders):
        params: dict[str, str | int] = {"kind": case.kind.value, "rank": entry.orders.value}
        return Refusal(Reason.NOT_RANKED, entry.clause, params)
    return None


def refuse_dismiss(table: Table, command: c.DismissReport) -> Refusal | None:
    """Whoever may order the remedy may also say that nothing was wrong, until it has been begun."""
    first = (Awaits.VOID, Awaits.JUDGEMENT, Awaits.RETURN_BETS, Awaits.RULING)
    refusal = _refuse_awaiting(table, command, *first)
    case = table.state.case
    if refusal is None and case is not None and case.cards and case.awaits is not Awaits.VOID:
        return Refusal(Reason.NO_CASE, None)  # cards are out of the shoe: that cannot be unsaid
    return refusal or (None if command.reason else Refusal(Reason.REASON_NEEDED, None))


def dismiss_report(draft: Draft, command: c.DismissReport) -> None:
    _close_case(draft, "dismissed", None, command.reason)


def refuse_judge(table: Table, command: c.JudgeReconstruction) -> Refusal | None:
    if refusal := _refuse_awaiting(table, command, Awaits.JUDGEMENT):
        return refusal
    if command.possible and _order(table.state) is None:
        return Refusal(Reason.CANNOT_RECONSTRUCT, _entry(table).clause)
    return None


def _entry(table: Table) -> Irregularity:
    assert table.state.case is not None
    return rule_of(table, table.state.case.kind)


def _order(state: State) -> tuple[Card, ...] | None:
    """All cards of the round in the order in which they left the shoe.

    None if they have left the table, if one is unknown, or if one that lies face down would say where a card
    goes: it has to be opened first.
    """
    assert state.case is not None
    cards = tuple(slot.card for slot in state.order if slot.card is not None)
    is_told = state.cards_out + len(state.case.cards) > 4 and not all(slot.face_up for slot in state.order)
    if is_told or len(cards) < state.cards_out or not state.are_cards_in_play:
        return None
    return (*cards, *state.case.cards)


def judge_reconstruction(draft: Draft, command: c.JudgeReconstruction) -> None:
    entry = _entry(draft.table)
    draft.add(e.ReconstructionJudged(*draft.stamp, possible=command.possible, clause=entry.clause))
    if command.possible:
        _reconstruct(draft, entry)
    elif entry.remedy is Remedy.VOID_UNLESS_RECONSTRUCTED:
        void(draft, entry.clause, "")
        return
    _give_options(draft, entry, "reconstructed" if command.possible else "continued")


def _reconstruct(draft: Draft, entry: Irregularity) -> None:
    order = _order(draft.state)
    assert order is not None
    player, banker, over = reconstruct(draft.book.play, order)
    if len(player) + len(banker) > draft.state.cards_out:
        close_window(draft)
    draft.add(
        e.CardsReconstructed(*draft.stamp, player=player, banker=banker, carried=over, clause=entry.clause)
    )


def refuse_order(table: Table, command: c.OrderCards) -> Refusal | None:
    if refusal := _refuse_awaiting(table, command, Awaits.ORDER):
        return refusal
    case = table.state.case
    assert case is not None
    if Counter(command.cards) != Counter(case.cards):
        cards = " ".join(map(str, case.cards))
        return Refusal(Reason.NOT_THOSE_CARDS, _entry(table).clause, {"cards": cards})
    if _order(table.state) is None:
        return Refusal(Reason.CANNOT_RECONSTRUCT, _entry(table).clause)
    return None


def order_cards(draft: Draft, command: c.OrderCards) -> None:
    entry = _entry(draft.table)
    draft.add(e.CardsOrdered(*draft.stamp, cards=command.cards, clause=entry.clause))
    _reconstruct(draft, entry)
    _give_options(draft, entry, "ordered")


def _give_options(draft: Draft, entry: Irregularity, resolution: str) -> None:
    """Ask every player at the table, where the book gives them a choice; otherwise play goes on."""
    players, case = draft.state.bettors, draft.state.case
    assert case is not None
    if not (_has_options(draft.table, entry, case) and players):
        _close_case(draft, resolution, entry.clause)
        return
    is_reconstructed = case.is_reconstructed
    clause = entry.options_clause
    draft.add(e.OptionsGiven(*draft.stamp, players=players, is_reconstructed=is_reconstructed, clause=clause))


def _has_options(table: Table, entry: Irregularity, case: Case) -> bool:
    if entry.options in (Options.NEVER, Options.ALWAYS):
        return entry.options is Options.ALWAYS
    established = is_established(table.book, table.state.player, table.state.banker)
    if entry.options is Options.NO_OUTCOME:
        return not established
    return not (established and case.is_reconstructed)


def refuse_choose(table: Table, command: c.ChooseOption) -> Refusal | None:
    case = table.state.case
    if case is None or case.awaits is not Awaits.OPTIONS:
        return Refusal(Reason.NO_CASE, None)
    if command.actor not in case.undecided:
        return Refusal(Reason.NOT_ASKED, _entry(table).options_clause, {"player": command.actor})
    return None


def choose_option(draft: Draft, command: c.ChooseOption) -> None:
    entry = _entry(draft.table)
    clause = entry.options_clause
    back = command.option is c.Option.RETURN
    returned = tuple(stake for stake in draft.state.stakes if back and stake.player == command.actor)
    draft.add(
        e.OptionChosen(
            *draft.stamp, player=command.actor, option=command.option, clause=clause, returned=returned
        )
    )
    case = draft.state.case
    if case is not None and not case.undecided:
        _close_case(draft, "chosen", clause)


def refuse_close_options(table: Table, _: c.CloseOptions) -> Refusal | None:
    """Who is away continues; who is here chooses."""
    case = table.state.case
    if case is None or case.awaits is not Awaits.OPTIONS:
        return Refusal(Reason.NO_CASE, None)
    here = [player for player in case.undecided if player not in table.state.away]
    if here:
        clause = _entry(table).options_clause
        return Refusal(Reason.PLAYERS_PRESENT, clause, {"players": ", ".join(here)})
    return None


def close_options(draft: Draft, _: c.CloseOptions) -> None:
    case, clause = draft.state.case, _entry(draft.table).options_clause
    assert case is not None
    for player in case.undecided:
        draft.add(e.OptionChosen(*draft.stamp, player=player, option=c.Option.CONTINUE, clause=clause))
    _close_case(draft, "chosen", clause)


def refuse_void(table: Table, command: c.VoidRound) -> Refusal | None:
    return _refuse_awaiting(table, command, Awaits.VOID)


def void_round(draft: Draft, command: c.VoidRound) -> None:
    void(draft, _entry(draft.table).clause, command.reason)


def refuse_replace(table: Table, _: c.ReplaceCards) -> Refusal | None:
    """Between rounds, when something went wrong in the one just over."""
    if table.state.phase is not Phase.IDLE:
        return Refusal(Reason.BETWEEN_ROUNDS, None)
    if table.state.shoe is None or table.state.last_case is None:
        return Refusal(Reason.NO_REPLACEMENT, None)
    return None


def replace_cards(draft: Draft, _: c.ReplaceCards) -> None:
    assert draft.state.last_case is not None
    draft.add(
        e.CardsReplaced(*draft.stamp, clause=rule_of(draft.table, draft.state.last_case).replace_clause)
    )


def refuse_return(table: Table, command: c.ReturnBets) -> Refusal | None:
    return _refuse_awaiting(table, command, Awaits.RETURN_BETS)


def return_bets(draft: Draft, _: c.ReturnBets) -> None:
    clause = _entry(draft.table).clause
    draft.add(e.BetsReturned(*draft.stamp, bets=neglected_bets(draft.table), clause=clause))
    _close_case(draft, "returned", clause)


VERBS: Verbs = {
    c.Report: Verb(refuse=refuse_report, carry_out=report),
    c.DismissReport: Verb(refuse=refuse_dismiss, carry_out=dismiss_report, in_a_case=True),
    c.JudgeReconstruction: Verb(refuse=refuse_judge, carry_out=judge_reconstruction, in_a_case=True),
    c.OrderCards: Verb(refuse=refuse_order, carry_out=order_cards, in_a_case=True),
    c.VoidRound: Verb(refuse=refuse_void, carry_out=void_round, in_a_case=True),
    c.ReplaceCards: Verb(refuse=refuse_replace, carry_out=replace_cards),
    c.ChooseOption: Verb(refuse=refuse_choose, carry_out=choose_option, in_a_case=True),
    c.CloseOptions: Verb(refuse=refuse_close_options, carry_out=close_options, in_a_case=True),
    c.ReturnBets: Verb(refuse=refuse_return, carry_out=return_bets, in_a_case=True),
}
