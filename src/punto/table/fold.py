"""The fold: a state and an event make the next state. Nothing is decided here.

Every event has one small function; an event log replayed through them gives the same state, always.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import SourceKind
from punto.rules.facts import Hand
from punto.table import event as e
from punto.table.command import Effect, Option
from punto.table.state import (
    AnteState,
    Awaits,
    Case,
    LaidBet,
    LaidInsurance,
    Phase,
    Slot,
    SqueezeState,
    State,
    Table,
    Wish,
)


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    return _FOLDS[type(event)](state, event)


def evolved(table: Table, events: tuple[e.Event, ...]) -> Table:
    """The table after several events."""
    state = table.state
    for event in events:
        state = evolve(state, event)
    return Table(table.book, state)


# ── The table and its shoe ───────────────────────────────────────────────────────────────────────


def _table_opened(state: State, event: e.TableOpened) -> State:
    return replace(state, terms=event.terms, phase=Phase.IDLE)


def _terms_changed(state: State, event: e.TermsChanged) -> State:
    return replace(state, terms=event.terms, shoe=None if event.needs_shoe else state.shoe)


def _shoe_loaded(state: State, event: e.ShoeLoaded) -> State:
    return replace(
        state,
        shoe=Shoe(event.decks, event.behind_cut),
        shoe_number=event.number,
        burn_due=event.burn_due,
        last_round=None,
        carried=(),
    )


def _cards_burned(state: State, event: e.CardsBurned) -> State:
    assert state.shoe is not None
    shoe, unseen = state.shoe, event.count
    if event.shown is not None:
        shoe, unseen = shoe.drawn((event.shown,)), unseen - 1
    return replace(state, shoe=shoe.burned(unseen), burn_due=False)


# ── Betting ──────────────────────────────────────────────────────────────────────────────────────


def _bets_called(state: State, event: e.BetsCalled) -> State:
    fresh = replace(_cleared(state), settled=None, winner=None, last_case=None)
    return replace(fresh, round=event.round, round_shoe=state.shoe_number, phase=Phase.BETTING)


def _cleared(state: State) -> State:
    """The table without anything of the round."""
    return replace(
        state,
        bets=(),
        antes_open=(),
        player=(),
        banker=(),
        window=None,
        offers=(),
        windows_seen=(),
        neglected=(),
        insured=(),
        forgone=frozenset(),
        is_waived=False,
        wishes=(),
        squeezes=(),
        case=None,
    )


def _bet_placed(state: State, event: e.BetPlaced) -> State:
    lying = state.bet(event.box, event.player, event.area)
    if lying is None:
        bet = LaidBet(event.box, event.player, event.area, event.amount, event.is_seated)
        return replace(state, bets=(*state.bets, bet))
    return _with_bet(state, replace(lying, stake=lying.stake + event.amount))


def _bet_returned(state: State, event: e.BetReturned) -> State:
    bet = state.bet(event.box, event.player, event.area)
    assert bet is not None and bet.stake >= event.amount, "only what lies there goes back"
    if bet.stake == event.amount:
        return replace(state, bets=tuple(other for other in state.bets if other is not bet))
    return _with_bet(state, replace(bet, stake=bet.stake - event.amount))


def _minimum_advised(state: State, event: e.MinimumAdvised) -> State:
    bet = state.bet(event.box, event.player, event.area)
    assert bet is not None
    return _with_bet(state, replace(bet, is_advised=True))


def _with_bet(state: State, bet: LaidBet) -> State:
    lying = state.bet(*bet.spot)
    return replace(state, bets=tuple(bet if other is lying else other for other in state.bets))


# ── Dealing ──────────────────────────────────────────────────────────────────────────────────────


def _card_dealt(state: State, event: e.CardDealt) -> State:
    slot, shoe = Slot(event.card, event.face_up), state.shoe
    assert shoe is not None
    state = _with_hand(state, event.hand, (*state.slots(event.hand), slot))
    if event.carried:
        return replace(state, carried=state.carried[1:])
    # A card that nobody sees counts as unseen, whether or not the system knows it: what the shoe has shown
    # must not tell what lies face down.
    seen = event.card if event.face_up else None
    return replace(state, shoe=shoe.burned(1) if seen is None else shoe.drawn((seen,)))


def _card_revealed(state: State, event: e.CardRevealed) -> State:
    slots = list(state.slots(event.hand))
    slots[event.number - 1] = Slot(event.card, face_up=True)
    assert state.shoe is not None
    return replace(_with_hand(state, event.hand, tuple(slots)), shoe=state.shoe.named(event.card))


def _card_corrected(state: State, event: e.CardCorrected) -> State:
    slots = list(state.slots(event.hand))
    slots[event.number - 1] = replace(slots[event.number - 1], card=event.card)
    assert state.shoe is not None
    state = replace(state, shoe=state.shoe.corrected(event.was, event.card), phase=Phase.DEALING, winner=None)
    windows = tuple(window for window in state.windows_seen if window != state.window)
    state = replace(state, window=None, offers=(), windows_seen=windows)
    return _with_hand(state, event.hand, tuple(slots))


def _with_hand(state: State, hand: Hand, slots: tuple[Slot, ...]) -> State:
    return replace(state, player=slots) if hand is Hand.PLAYER else replace(state, banker=slots)


def _deal_finished(state: State, event: e.DealFinished) -> State:
    return replace(state, phase=Phase.FINISHED, winner=event.winner)


def _round_settled(state: State, event: e.RoundSettled) -> State:
    state = replace(state, settled=event.bets, phase=Phase.IDLE)
    return _shuffled_again(state)


def _shuffled_again(state: State) -> State:
    """A continuous shuffler has every card inside again when a round is over, but those carried over."""
    assert state.terms is not None
    if state.terms.source is SourceKind.CONTINUOUS and state.shoe is not None:
        return replace(state, shoe=Shoe(state.shoe.decks, state.shoe.behind_cut, state.carried))
    return state


def _settlement_reversed(state: State, _: e.SettlementReversed) -> State:
    state = replace(state, settled=None, phase=Phase.FINISHED)
    assert state.terms is not None
    if state.terms.source is SourceKind.CONTINUOUS and state.are_cards_in_play and state.shoe is not None:
        dealt = [slot.card for slot in state.order if slot.card is not None]
        return replace(state, shoe=state.shoe.drawn(dealt))
    return state


# ── Antes and insurance ──────────────────────────────────────────────────────────────────────────


def _antes_asked(state: State, event: e.AntesAsked) -> State:
    spots = tuple((ante.box, ante.player, ante.area) for ante in event.antes)
    return replace(state, antes_open=spots, phase=Phase.ANTES)


def _wager_placed(state: State, event: e.WagerPlaced) -> State:
    ante = state.bet(event.box, event.player, event.ante)
    assert ante is not None
    wager = LaidBet(event.box, event.player, event.area, event.amount, ante.is_seated)
    state = replace(state, bets=(*state.bets, wager))
    return _ante_decided(_with_bet(state, replace(ante, ante=AnteState.WAGERED)), ante)


def _ante_given_up(state: State, event: e.AnteGivenUp) -> State:
    ante = state.bet(event.box, event.player, event.area)
    assert ante is not None
    return _ante_decided(_with_bet(state, replace(ante, ante=AnteState.GIVEN_UP)), ante)


def _ante_decided(state: State, ante: LaidBet) -> State:
    """Once the last ante is decided, the deal goes on."""
    return _antes_left(state, tuple(spot for spot in state.antes_open if spot != ante.spot))


def _antes_left(state: State, antes: tuple[tuple[int, str, str], ...]) -> State:
    done = state.phase is Phase.ANTES and not antes
    return replace(state, antes_open=antes, phase=Phase.DEALING if done else state.phase)


def _insurance_offered(state: State, event: e.InsuranceOffered) -> State:
    seen = (*state.windows_seen, event.window)
    return replace(state, window=event.window, offers=event.offers, windows_seen=seen)


def _insurance_taken(state: State, event: e.InsuranceTaken) -> State:
    taken = LaidInsurance(event.box, event.player, event.hand, event.window, event.amount, event.odds)
    return replace(state, insured=(*state.insured, taken))


def _insurance_declined(state: State, event: e.InsuranceDeclined) -> State:
    return replace(state, forgone=state.forgone | {event.player})


def _insurance_closed(state: State, event: e.InsuranceClosed) -> State:
    return replace(state, window=None, offers=(), forgone=state.forgone | set(event.forgone))


def _insurance_neglected(state: State, event: e.InsuranceNeglected) -> State:
    return replace(state, neglected=(*state.neglected, event.window))


def _insurance_wished(state: State, event: e.InsuranceWished) -> State:
    wish = Wish(event.box, event.player, event.hand, event.window)
    return replace(state, wishes=(*state.wishes, wish))


def _squeeze_asked(state: State, event: e.SqueezeAsked) -> State:
    asked = SqueezeState(event.kind, event.player, event.hand, event.number)
    return replace(state, squeezes=(*state.squeezes, asked))


def _squeeze_answered(state: State, event: e.SqueezeAnswered) -> State:
    *before, asked = state.squeezes
    squeezes = (*before, replace(asked, consent=event.consent))
    return replace(state, squeezes=squeezes, is_waived=state.is_waived or event.waives)


# ── When something goes wrong ────────────────────────────────────────────────────────────────────


def _case_opened(state: State, event: e.CaseOpened) -> State:
    case = Case(event.kind, Awaits(event.awaits), event.cards)
    state = replace(state, case=case, last_case=event.kind)
    if state.shoe is None or not state.draws_reported(case.awaits):
        return state
    return replace(state, shoe=state.shoe.drawn(event.cards))


def _cards_ordered(state: State, event: e.CardsOrdered) -> State:
    assert state.case is not None
    return replace(state, case=replace(state.case, cards=event.cards))


def _cards_reconstructed(state: State, event: e.CardsReconstructed) -> State:
    assert state.case is not None
    return replace(
        state,
        player=_slots(state.player, event.player),
        banker=_slots(state.banker, event.banker),
        carried=(*event.carried, *state.carried),
        case=replace(state.case, is_reconstructed=True),
        phase=Phase.ANTES if state.antes_open else Phase.DEALING,
        winner=None,
    )


def _slots(before: tuple[Slot, ...], cards: tuple[Card, ...]) -> tuple[Slot, ...]:
    """A hand put right: cards that lay there stay as they lie, cards that are put there lie open."""
    return (*before, *(Slot(card, face_up=True) for card in cards[len(before) :]))


def _options_given(state: State, event: e.OptionsGiven) -> State:
    assert state.case is not None
    return replace(state, case=replace(state.case, awaits=Awaits.OPTIONS, undecided=event.players))


def _option_chosen(state: State, event: e.OptionChosen) -> State:
    assert state.case is not None
    undecided = tuple(player for player in state.case.undecided if player != event.player)
    state = replace(state, case=replace(state.case, undecided=undecided))
    return _without_players(state, (event.player,)) if event.option is Option.RETURN else state


def _without_players(state: State, players: tuple[str, ...]) -> State:
    """The table when every bet of these players in the round has gone back."""
    state = _antes_left(state, tuple(spot for spot in state.antes_open if spot[1] not in players))
    return replace(
        state,
        bets=tuple(bet for bet in state.bets if bet.player not in players),
        insured=tuple(taken for taken in state.insured if taken.player not in players),
        offers=tuple(offer for offer in state.offers if offer.player not in players),
        wishes=tuple(wish for wish in state.wishes if wish.player not in players),
    )


def _cards_replaced(state: State, _: e.CardsReplaced) -> State:
    return replace(state, shoe=None, last_round=None, carried=())


def _bets_returned(state: State, event: e.BetsReturned) -> State:
    back = {(stake.box, stake.player, stake.area) for stake in event.bets}
    return replace(state, bets=tuple(bet for bet in state.bets if bet.spot not in back))


def _ruled(state: State, event: e.Ruled) -> State:
    if event.effect is Effect.RETURN:
        return _without_players(state, event.players)
    if event.effect is Effect.STAND:
        return replace(state, bets=tuple(replace(bet, is_advised=False) for bet in state.bets))
    return state


def _round_voided(state: State, _: e.RoundVoided) -> State:
    return _shuffled_again(replace(_cleared(state), phase=Phase.IDLE, settled=None, winner=None))


_FOLDS: dict[type[e.EventHeader], Callable[[State, Any], State]] = {
    e.TableOpened: _table_opened,
    e.TermsChanged: _terms_changed,
    e.TablePaused: lambda state, _: replace(state, is_paused=True),
    e.TableResumed: lambda state, _: replace(state, is_paused=False),
    e.TableClosed: lambda state, _: replace(state, phase=Phase.CLOSED),
    e.ShoeLoaded: _shoe_loaded,
    e.CardsBurned: _cards_burned,
    e.CutCardCameOut: lambda state, event: replace(state, last_round=event.last_round),
    e.SeatTaken: lambda state, event: replace(state, seats=state.seats | {event.box: event.player}),
    e.SeatLeft: lambda state, event: replace(
        state, seats={box: name for box, name in state.seats.items() if box != event.box}
    ),
    e.WalkedAway: lambda state, event: replace(state, away=state.away | {event.player}),
    e.CameBack: lambda state, event: replace(state, away=state.away - {event.player}),
    e.BetsCalled: _bets_called,
    e.BetPlaced: _bet_placed,
    e.BetReturned: _bet_returned,
    e.WithdrawalIgnored: lambda state, _: state,
    e.MinimumAdvised: _minimum_advised,
    e.BetsClosed: lambda state, _: replace(state, phase=Phase.DEALING),
    e.CardDealt: _card_dealt,
    e.CardRevealed: _card_revealed,
    e.CardCorrected: _card_corrected,
    e.DealFinished: _deal_finished,
    e.RoundSettled: _round_settled,
    e.SettlementReversed: _settlement_reversed,
    e.AntesAsked: _antes_asked,
    e.WagerPlaced: _wager_placed,
    e.AnteGivenUp: _ante_given_up,
    e.InsuranceOffered: _insurance_offered,
    e.InsuranceTaken: _insurance_taken,
    e.InsuranceDeclined: _insurance_declined,
    e.InsuranceClosed: _insurance_closed,
    e.InsuranceNeglected: _insurance_neglected,
    e.InsuranceWished: _insurance_wished,
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.CaseOpened: _case_opened,
    e.CaseClosed: lambda state, _: replace(state, case=None),
    e.ErrorFoundLate: lambda state, _: state,
    e.ReconstructionJudged: lambda state, _: state,
    e.CardsOrdered: _cards_ordered,
    e.CardsReconstructed: _cards_reconstructed,
    e.OptionsGiven: _options_given,
    e.OptionChosen: _option_chosen,
    e.CardsReplaced: _cards_replaced,
    e.BetsReturned: _bets_returned,
    e.Ruled: _ruled,
    e.RoundVoided: _round_voided,
}
