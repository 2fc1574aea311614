"""What the evidence of a case says of the shoe: which cards have left it, and which have not after all."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.shoe import CardNotThere, Shoe
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.sighting import Place
from punto.table.state import Slot, State


def cards_gone(state: State, evidence: Evidence) -> State:
    """The table with its shoe and the cards carried over as the evidence says; `state` is as before it."""
    if not state.are_cards_in_play or state.shoe is None:
        return state
    shoe, carried, kept, back = state.shoe, state.carried, state.kept, set()
    for card in evidence.cards:
        if card.nth is not None:
            slot = state.recorded[card.nth - 1][1]
            shoe = _restated(shoe, slot, card)
            if card.lies is Place.SHOE:
                back.add(card.nth)
        elif card.carried:
            if not carried or carried[0].card not in (None, card.card):
                raise CardNotThere(f"{card.card or 'that card'} was not carried over from an earlier round")
            if card.shown is not None and not carried[0].face_up:
                shoe = shoe.named(card.shown)
            carried, kept = carried[1:], max(0, kept - 1)
        elif not card.foreign and card.lies is not Place.SHOE:
            shoe = shoe.burned(1) if card.shown is None else shoe.drawn((card.shown,))
    # A card that never left the shoe was nobody's next card: who had passed up an offer by it has not.
    undone = (closing for closing in state.closings if closing.nth in back)
    forgone = state.forgone - {player for closing in undone for player in closing.forgone}
    closings = tuple(closing for closing in state.closings if closing.nth not in back)
    return replace(state, shoe=shoe, carried=carried, kept=kept, forgone=forgone, closings=closings)


def _restated(shoe: Shoe, slot: Slot, card: RoundCard) -> Shoe:
    """A card on record as it is now known."""
    was_shown, shown = slot.card if slot.face_up else None, card.shown
    if card.lies is Place.SHOE:
        return shoe.returned(was_shown)
    if was_shown is shown:
        return shoe
    if shown is None:
        return shoe.returned(was_shown).burned(1)
    return shoe.named(shown) if was_shown is None else shoe.corrected(was_shown, shown)
