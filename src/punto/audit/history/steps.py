"""The steps of a round by subject: cards, stakes and settlements, each with the event it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from punto.cards.card import Card
from punto.rules.facts import Hand, Winner
from punto.table import event as e
from punto.table.layout import SettledBet, Stake
from punto.table.state import State


@dataclass(frozen=True, slots=True)
class CardStep:
    """A card that was dealt, turned up or put right."""

    what: str
    """dealt, carried, revealed or corrected."""
    hand: Hand
    number: int
    """Its number in the hand, as it was then."""
    card: Card | None
    """None where it lay face down."""
    was: Card | None = None


@dataclass(frozen=True, slots=True)
class StakeStep:
    """Money that a player put on the layout or had back from it, and what was said about it."""

    what: str
    """placed, raised, insured, wagered, or why it went back: withdrawn, reduced, void, option, ruling …"""
    stake: Stake
    change: int
    """What it adds to the layout, or takes from it; 0 where something was only said about a bet."""
    clause: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class SettlementStep:
    """A settlement of the round; another one follows where it was reversed."""

    winner: Winner
    lines: tuple[SettledBet, ...]


def card_step(before: State, event: e.Event) -> CardStep | None:
    """What an event says of one card, by everybody's knowledge: a card face down is not named."""
    match event:
        case e.CardDealt():
            number = len(before.slots(event.hand)) + 1
            card = event.card if event.face_up else None
            return CardStep("carried" if event.carried else "dealt", event.hand, number, card)
        case e.CardRevealed():
            return CardStep("revealed", event.hand, event.number, event.card)
        case e.CardCorrected():
            return CardStep("corrected", event.hand, event.number, event.card, event.was)
        case _:
            return None


def stake_steps(before: State, event: e.Event) -> Iterator[StakeStep]:
    """What an event does to the layout, stake by stake."""
    match event:
        case e.BetPlaced():
            lying = before.bet(event.box, event.player, event.area)
            stake = Stake(event.box, event.player, event.area, event.amount)
            what = ("placed" if event.is_seated else "placed, standing") if lying is None else "raised"
            yield StakeStep(what, stake, event.amount)
            if event.rejected:
                over = Stake(event.box, event.player, event.area, event.rejected)
                yield StakeStep("rejected", over, 0, event.clause)
        case e.WagerPlaced():
            stake = Stake(event.box, event.player, event.area, event.amount)
            yield StakeStep("wagered", stake, event.amount, note=event.ante)
        case e.AnteGivenUp():
            bet = before.bet(event.box, event.player, event.area)
            amount = bet.stake if bet is not None else 0
            stake = Stake(event.box, event.player, event.area, amount)
            yield StakeStep("given up", stake, 0, event.clause)
        case e.InsuranceTaken():
            area = f"insurance-{event.hand.value}-{event.window}"
            stake = Stake(event.box, event.player, area, event.amount)
            player, banker = event.totals
            note = f"after {event.window} cards, {event.odds}, at Player {player}, Banker {banker}"
            yield StakeStep("insured", stake, event.amount, note=note)
        case e.BetReturned():
            stake = Stake(event.box, event.player, event.area, event.amount)
            yield StakeStep(event.why, stake, -event.amount, event.clause)
        case e.WithdrawalIgnored() | e.MinimumAdvised():
            bet = before.bet(event.box, event.player, event.area)
            amount = bet.stake if bet is not None else 0
            late = isinstance(event, e.WithdrawalIgnored)
            what = "taken off too late: in force" if late else "told that it is under the minimum"
            yield StakeStep(what, Stake(event.box, event.player, event.area, amount), 0, event.clause)
        case _:
            yield from _all_back(event)


def _all_back(event: e.Event) -> Iterator[StakeStep]:
    """Stakes that go back together."""
    match event:
        case e.OptionChosen():
            what, stakes, clause = "option", event.returned, event.clause
        case e.Ruled():
            what, stakes, clause = "ruling", event.returned, event.clause
        case e.BetsReturned():
            what = "a card that never left the shoe" if event.is_slip else "insurance not offered"
            stakes, clause = event.bets, event.clause
        case e.RoundVoided():
            what, stakes, clause = "void", event.returned, event.clause
        case _:
            return
    for stake in stakes:
        yield StakeStep(what, stake, -stake.amount, clause)
