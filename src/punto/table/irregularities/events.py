"""What happens when something went wrong."""

from __future__ import annotations

from msgspec.structs import replace

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.rules.text.irregularity import Irregular
from punto.table.header import EventHeader
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.commands import Effect, Option
from punto.table.layout import Stake
from punto.table.state import Phase, Slot, State


class CaseOpened(EventHeader, frozen=True):
    kind: Irregular
    clause: str | None
    cards: tuple[Card, ...] = ()
    placed: tuple[Hand, ...] = ()
    hand: Hand | None = None
    number: int | None = None
    note: str = ""
    awaits: str = ""
    """What is to come: order, judgement, void, options, return-bets or ruling."""

    def fold(self, state: State) -> State:
        case = Case(self.kind, Awaits(self.awaits), self.cards)
        state = replace(state, case=case, last_case=self.kind)
        if state.shoe is None or not state.draws_reported(case.awaits):
            return state
        return replace(state, shoe=state.shoe.drawn(self.cards))


class CaseClosed(EventHeader, frozen=True):
    kind: Irregular
    resolution: str
    """How it ended: dismissed, played-on, completed, continued, reconstructed, ordered, chosen, returned or
    ruled.
    """
    clause: str | None = None
    reason: str = ""

    def fold(self, state: State) -> State:
        return replace(state, case=None, since=self.time)


class ErrorFoundLate(EventHeader, frozen=True):
    """An error of an earlier round: noted, and without effect here."""

    kind: Irregular
    round: int
    clause: str | None
    note: str = ""


class ReconstructionJudged(EventHeader, frozen=True):
    possible: bool
    clause: str | None


class CardsOrdered(EventHeader, frozen=True):
    cards: tuple[Card, ...]
    clause: str | None

    def fold(self, state: State) -> State:
        assert state.case is not None
        return replace(state, case=replace(state.case, cards=self.cards))


class CardsReconstructed(EventHeader, frozen=True):
    """The hands as the order of the cards makes them; what is over starts the next round."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    carried: tuple[Card, ...] = ()
    clause: str | None = None

    def fold(self, state: State) -> State:
        assert state.case is not None
        return replace(
            state,
            player=_slots(state.player, self.player),
            banker=_slots(state.banker, self.banker),
            carried=(*self.carried, *state.carried),
            case=replace(state.case, is_reconstructed=True),
            phase=Phase.ANTES if state.antes_open else Phase.DEALING,
            winner=None,
        )


class OptionsGiven(EventHeader, frozen=True):
    players: tuple[str, ...]
    is_reconstructed: bool
    """Continue means with the reconstructed hand."""
    clause: str | None

    def fold(self, state: State) -> State:
        assert state.case is not None
        return replace(state, case=replace(state.case, awaits=Awaits.OPTIONS, undecided=self.players))


class OptionChosen(EventHeader, frozen=True):
    player: str
    option: Option
    clause: str | None
    returned: tuple[Stake, ...] = ()

    def fold(self, state: State) -> State:
        assert state.case is not None
        undecided = tuple(player for player in state.case.undecided if player != self.player)
        state = replace(state, case=replace(state.case, undecided=undecided))
        return state.without_players((self.player,)) if self.option is Option.RETURN else state


class CardsReplaced(EventHeader, frozen=True):
    clause: str | None

    def fold(self, state: State) -> State:
        return replace(state, shoe=None, last_round=None, carried=())


class BetsReturned(EventHeader, frozen=True):
    """Original bets that go back because insurance was not offered."""

    bets: tuple[Stake, ...]
    clause: str | None

    def fold(self, state: State) -> State:
        back = {(stake.box, stake.player, stake.area) for stake in self.bets}
        return replace(state, bets=tuple(bet for bet in state.bets if bet.spot not in back))


class Ruled(EventHeader, frozen=True):
    effect: Effect
    reason: str
    players: tuple[str, ...]
    clause: str | None
    returned: tuple[Stake, ...] = ()

    def fold(self, state: State) -> State:
        if self.effect is Effect.RETURN:
            return state.without_players(self.players)
        if self.effect is Effect.STAND:
            return replace(state, bets=tuple(replace(bet, is_advised=False) for bet in state.bets))
        return state


class RoundVoided(EventHeader, frozen=True):
    """The round has no result: every bet of it goes back."""

    round: int
    clause: str | None
    returned: tuple[Stake, ...]
    reason: str = ""

    def fold(self, state: State) -> State:
        state = replace(state.cleared(), phase=Phase.IDLE, settled=None, winner=None, since=self.time)
        return state.shuffled_again()


def _slots(before: tuple[Slot, ...], cards: tuple[Card, ...]) -> tuple[Slot, ...]:
    """A hand put right: cards that lay there stay as they lie, cards that are put there lie open."""
    return (*before, *(Slot(card, face_up=True) for card in cards[len(before) :]))


IrregularityEvent = (
    CaseOpened
    | CaseClosed
    | ErrorFoundLate
    | ReconstructionJudged
    | CardsOrdered
    | CardsReconstructed
    | OptionsGiven
    | OptionChosen
    | CardsReplaced
    | BetsReturned
    | Ruled
    | RoundVoided
)
