"""Turning cards up: by the dealer, by whoever squeezes, or to find out where the cards of a case belong."""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.table.dealing import commands as c
from punto.table.dealing import events as e
from punto.table.dealing.decisions import proceed, refuse_spent
from punto.table.dealing.squeezes import is_reordered, may_open
from punto.table.draft import Draft
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.remedies import open_from_the_start, pursue
from punto.table.irregularities.sighting import Face, Place
from punto.table.state import State, Table
from punto.table.verb import Verb, Verbs


def refuse_reveal(table: Table, command: c.RevealCard) -> Refusal | None:
    """Cards are opened once four are out, or sooner where the order of a round has to be found."""
    state = table.state
    slots = state.slots(command.hand)
    params: dict[str, str | int] = {"hand": command.hand.value, "number": command.number}
    if not 1 <= command.number <= len(slots) or slots[command.number - 1].face_up:
        return Refusal(Reason.NO_SUCH_CARD, None, params)
    if command.role is Role.PLAYER and not may_open(state, command.actor, command.hand, command.number):
        squeeze = table.book.squeeze
        clause = squeeze.clause if squeeze else None
        return Refusal(Reason.NOT_YOUR_CARD, clause, {"player": command.actor})
    if state.case is not None and not _awaits_cards(state.case):
        assert state.case.found is not None
        return Refusal(Reason.CASE_OPEN, None, {"kind": state.case.found.finding.value})
    if state.case is not None and _is_spoken_of(state, state.case, command):
        return Refusal(Reason.NO_SUCH_CARD, None, params)
    # Where the system gave the cards it knows their order, and none has to be opened to find it out.
    is_early = state.cards_out < 4 and (state.case is None or state.is_sealed)
    is_early = is_early and not (state.case is None and _lies_open(table, command))
    if is_early or (is_reordered(state) and _is_before_banker(state, command)):
        return Refusal(Reason.NO_SUCH_CARD, table.book.play.deal_clause, params)
    slot = slots[command.number - 1]
    if slot.card is not None and command.card is not None:
        # Naming a card that the system knows must not tell which it is: every name is refused alike.
        return Refusal(Reason.NOT_ENTERED, None)
    card = slot.card or command.card
    return Refusal(Reason.CARD_NEEDED, None) if card is None else refuse_spent(table, card)


def _lies_open(table: Table, command: c.RevealCard) -> bool:
    """Whether the card should lie open as soon as it is with its hand, and was closed only by an error."""
    nths = [nth for nth, hand in enumerate(table.state.record) if hand is command.hand]
    return nths[command.number - 1] < open_from_the_start(table)


def _awaits_cards(case: Case) -> bool:
    """Whether opening a card helps the House, or whoever rules, to put the hands right."""
    return case.found is not None and case.found.awaits in (Awaits.JUDGEMENT, Awaits.ORDER, Awaits.RULING)


def _is_spoken_of(state: State, case: Case, command: c.RevealCard) -> bool:
    """Whether the evidence says that the card never left the shoe, or shows its face already."""
    nths = [nth for nth, hand in enumerate(state.record, start=1) if hand is command.hand]
    card = next(card for card in case.evidence.cards if card.nth == nths[command.number - 1])
    return card.lies is Place.SHOE or card.face is Face.UP


def _is_before_banker(state: State, command: c.RevealCard) -> bool:
    """Under insurance 3.14 Banker's third card is opened before Player's third."""
    if command.hand is not Hand.PLAYER or command.number != 3:
        return False
    return len(state.banker) < 3 or not state.banker[2].face_up


def reveal_card(draft: Draft, command: c.RevealCard) -> None:
    slot = draft.state.slots(command.hand)[command.number - 1]
    card = slot.card or command.card
    assert card is not None
    draft.add(e.CardRevealed(*draft.stamp, hand=command.hand, number=command.number, card=card))
    if draft.state.case is None:
        proceed(draft)
    else:
        pursue(draft)  # what lies open now may be another clause


VERBS: Verbs = {
    c.RevealCard: Verb(refuse=refuse_reveal, carry_out=reveal_card, in_a_case=True),
}
