"""What happens to the cards, and who squeezes them."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.card import Card
from punto.rules.facts import Hand, Winner
from punto.table.header import EventHeader
from punto.table.irregularities.evidence import Evidence
from punto.table.irregularities.sighting import Face
from punto.table.layout import SqueezeKind, SqueezeState
from punto.table.state import Phase, Slot, State


class CardDealt(EventHeader, frozen=True):
    hand: Hand
    card: Card | None
    """None for a card from a physical shoe that lies face down."""
    face_up: bool
    carried: bool = False
    """It came out of the shoe in an earlier round."""

    def fold(self, state: State) -> State:
        slot, shoe = Slot(self.card, self.face_up), state.shoe
        assert shoe is not None
        state = state.with_hand(self.hand, (*state.slots(self.hand), slot))
        state = replace(state, record=(*state.record, self.hand))
        if self.carried:
            # A card that nobody had seen when it was carried over is named to the shoe once it shows.
            was_seen = state.carried[0].face_up
            named = shoe.named(self.card) if self.face_up and self.card and not was_seen else shoe
            kept = max(0, state.kept - 1)
            return replace(state, carried=state.carried[1:], kept=kept, shoe=named, since=self.time)
        # A card that nobody sees counts as unseen, whether or not the system knows it: what the shoe has
        # shown must not tell what lies face down.
        seen = self.card if self.face_up else None
        shoe = shoe.burned(1) if seen is None else shoe.drawn((seen,))
        return replace(state, shoe=shoe, since=self.time)


class DrawTaken(EventHeader, frozen=True):
    """The dealer draws the other cards of the round in place of a player."""

    player: str
    clause: str | None

    def fold(self, state: State) -> State:
        return replace(state, is_draw_taken=True)


class CardRevealed(EventHeader, frozen=True):
    hand: Hand
    number: int
    card: Card

    def fold(self, state: State) -> State:
        slots = list(state.slots(self.hand))
        slots[self.number - 1] = replace(slots[self.number - 1], card=self.card, face_up=True)
        assert state.shoe is not None
        opened = replace(state.with_hand(self.hand, tuple(slots)), since=self.time)
        assert opened.shoe is not None
        if state.case is None:
            return replace(opened, shoe=opened.shoe.named(self.card))
        if _is_known_open(state, self):
            return opened  # the evidence has said so, and the shoe knows of it
        # Opened to find out where the cards go: it stays open even if the evidence is taken back.
        before = self.fold(state.case.state_before)
        case = replace(state.case, before=before, evidence=_seen(state, self))
        return replace(opened, case=case, shoe=opened.shoe.named(self.card))


def _nth(state: State, event: CardRevealed) -> int:
    """The number of the card in the round."""
    nths = [nth for nth, hand in enumerate(state.record, start=1) if hand is event.hand]
    return nths[event.number - 1]


def _is_known_open(state: State, event: CardRevealed) -> bool:
    assert state.case is not None
    nth = _nth(state, event)
    return any(card.nth == nth and card.face is Face.UP for card in state.case.evidence.cards)


def _seen(state: State, event: CardRevealed) -> Evidence:
    """The evidence of the open case when a card on record was opened."""
    assert state.case is not None
    nth = _nth(state, event)
    cards = tuple(
        replace(card, card=event.card, face=Face.UP) if card.nth == nth else card
        for card in state.case.evidence.cards
    )
    return replace(state.case.evidence, cards=cards)


class CardCorrected(EventHeader, frozen=True):
    hand: Hand
    number: int
    was: Card
    card: Card

    def fold(self, state: State) -> State:
        slots = list(state.slots(self.hand))
        slots[self.number - 1] = replace(slots[self.number - 1], card=self.card)
        assert state.shoe is not None
        state = replace(
            state, shoe=state.shoe.corrected(self.was, self.card), phase=Phase.DEALING, winner=None
        )
        windows = tuple(window for window in state.windows_seen if window != state.window)
        state = replace(state, window=None, offers=(), windows_seen=windows, since=self.time)
        return state.with_hand(self.hand, tuple(slots))


class DealFinished(EventHeader, frozen=True):
    """No card is to come."""

    winner: Winner
    player_points: int
    banker_points: int
    declared: tuple[str, ...]

    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.FINISHED, winner=self.winner)


class SqueezeAsked(EventHeader, frozen=True):
    kind: SqueezeKind
    player: str
    hand: Hand | None = None
    number: int | None = None

    def fold(self, state: State) -> State:
        asked = SqueezeState(self.kind, self.player, self.hand, self.number)
        return replace(state, squeezes=(*state.squeezes, asked))


class SqueezeAnswered(EventHeader, frozen=True):
    consent: bool
    waives: bool = False
    """Everybody's insurance after Player's third card is waived for the round."""
    clause: str | None = None

    def fold(self, state: State) -> State:
        *before, asked = state.squeezes
        squeezes = (*before, replace(asked, consent=self.consent))
        return replace(state, squeezes=squeezes, is_waived=state.is_waived or self.waives)


DealingEvent = (
    CardDealt | DrawTaken | CardRevealed | CardCorrected | DealFinished | SqueezeAsked | SqueezeAnswered
)
