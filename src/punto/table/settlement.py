"""The settlement of a round, and its reversal. What one bet wins is said in `slip`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from punto.cards.source import SourceKind
from punto.coup.coup import Coup, deal_hands
from punto.money import format_amount, format_exact
from punto.refusal import Reason, Refusal
from punto.rules.outcome import Hand, Outcome, Winner, format_odds
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs
from punto.table.slip import given_up, settle_bet
from punto.table.state import AnteState, LaidBet, LaidInsurance, Phase, SettledBet, Stake, State, Table, shown_cards
from punto.table.terms import Collecting, Terms
from punto.table.words import FactLine, Theme, Words, fact, plain, say


class SettleRound(CommandHeader, frozen=True, kw_only=True):
    """Settle every bet: pay, collect or return it."""


SettlementCommand = SettleRound


class RoundSettled(EventHeader, frozen=True):
    """Every bet was paid, collected or returned, in the order of `bets`."""

    round: int
    winner: Winner
    bets: tuple[SettledBet, ...]

    def fold(self, state: State) -> State:
        state = replace(state, settled=self.bets, freed={}, phase=Phase.IDLE, is_reopened=False, since=self.time)
        return state.with_due(self.bets).shuffled_again()


class SettlementReversed(EventHeader, frozen=True):
    """An error was noticed in time: the settlement was reversed and the round is open again."""

    round: int

    def fold(self, state: State) -> State:
        state = state.with_due(state.settled or (), -1)
        own, freed = state.advanced, state.freed
        advanced = {name: own.get(name, 0) + freed.get(name, 0) for name in own | freed}
        state = replace(state, settled=None, freed={}, advanced=advanced, phase=Phase.FINISHED, is_reopened=True)
        assert state.terms is not None
        if state.terms.source is not SourceKind.CONTINUOUS or not state.are_cards_in_play or state.shoe is None:
            return state
        return replace(state, shoe=state.shoe.drawn([slot.card for slot in state.order if slot.card is not None]))


SettlementEvent = RoundSettled | SettlementReversed


def refuse_settle(table: Table, _: SettleRound) -> Refusal | None:
    if table.state.phase is Phase.FINISHED:
        return None
    reason = Reason.DEAL_UNFINISHED if table.state.is_in_round else Reason.NO_ROUND
    return Refusal(reason, table.book.settlement.clause)


def settle(draft: Draft, _: SettleRound | None = None) -> None:
    coup = _finished_coup(draft.table)
    assert coup is not None
    draft.add(RoundSettled, draft.state.round, coup.winner, tuple(_lines(draft.table, coup)))


def _finished_coup(table: Table) -> Coup | None:
    """The coup, where every card lies open."""
    player, banker = shown_cards(table.state.player), shown_cards(table.state.banker)
    return None if player is None or banker is None else deal_hands(table.book.play, player, banker)


def settlement_due(table: Table) -> tuple[SettledBet, ...]:
    """What every bet is owed in a deal that is finished and not yet settled, in the order of settlement.

    It is what `settle` would do at this moment; nothing while a card lies face down or a case is open.
    """
    is_due = table.state.phase is Phase.FINISHED and table.state.case is None
    coup = _finished_coup(table) if is_due else None
    return () if coup is None else tuple(_lines(table, coup))


def _lines(table: Table, coup: Coup) -> Iterator[SettledBet]:
    """Box by box from the dealer's right; in a box the seated player first, then standing ones as they came.

    Within one player the areas go in the order of the book, each main bet followed by its insurance.
    """
    state, terms = table.state, table.terms
    areas = {bet.area: place for place, bet in enumerate(table.book.bets)}
    lay = state.bets_before_return or state.bets
    came = {player: place for place, player in enumerate(dict.fromkeys(bet.player for bet in lay))}

    def turn(bet: LaidBet) -> tuple[int, bool, int, int]:
        return bet.box, not bet.is_seated, came[bet.player], areas[bet.area]

    for bet in sorted(lay, key=turn):
        lying = state.bet(*bet.spot) if lay is state.bets_before_return else bet
        if lying is not None:  # where it went back, its insurance is settled in its place (5.13)
            yield _settled(lying.as_stake, _outcome(table, lying, coup), terms)
        for taken in state.insured:
            if (taken.box, taken.player, table.book.main_area(taken.hand)) == bet.spot:
                yield _settled(taken.as_stake, _insured(table, taken, coup), terms)


def _outcome(table: Table, bet: LaidBet, coup: Coup) -> Outcome:
    if bet.ante is AnteState.GIVEN_UP:
        return given_up(table.book)
    return table.book.pay_tables[bet.area].outcome_of_deal(coup.facts, coup.player, coup.banker)


def _insured(table: Table, taken: LaidInsurance, coup: Coup) -> Outcome:
    """By the offer that insurance was taken on, which is kept even if the hands were put right since.

    A hand that was complete when insurance was taken is the same if it ended with the points it had.
    """
    cell, (player, banker) = table.book.offers.cells[(taken.window, *taken.totals)], taken.totals
    offer = next(offer for offer in cell if offer.hand is taken.hand)
    still_draws = taken.window == 4 and table.book.play.player_draws[player * 10 + banker]
    is_same_hand = taken.hand is not Hand.PLAYER or still_draws or coup.player_points == player
    return offer.outcome(coup.winner, is_same_hand=is_same_hand)


def _settled(stake: Stake, outcome: Outcome, terms: Terms) -> SettledBet:
    line = settle_bet(stake.area, stake.amount, outcome, terms.rounding)
    odds = format_odds(outcome.odds) if outcome.odds is not None else None
    exact = str(line.exact_net) if line.is_rounded else None
    paid = stake.amount, outcome.result, line.net, outcome.clause, odds, exact, line.commission
    is_due = bool(line.commission) and terms.commission is not Collecting.WITH_PAYOUT
    return SettledBet(stake.box, stake.player, stake.area, *paid, is_due)


SETTLEMENT_VERBS: Verbs = {SettleRound: Verb("settle", refuse_settle, settle)}


def _round_settled_facts(event: RoundSettled) -> Iterator[FactLine]:
    yield fact("ended", event.round, event.winner)
    for bet in event.bets:
        exact = ("exact", format_exact(Fraction(bet.exact))) if bet.exact is not None else ()
        due = ("due", format_amount(bet.commission)) if bet.is_due else ()
        spot = (bet.box, bet.player, bet.area)
        yield fact("settled", *spot, bet.result, format_amount(bet.net), *exact, *due, bet.clause)


SETTLEMENT_WORDS: dict[type[EventHeader], Words] = {
    RoundSettled: Words(("ended", "settled"), _round_settled_facts, say(Theme.SETTLED)),
    SettlementReversed: plain("reversed round", say(Theme.CASE)),
}
