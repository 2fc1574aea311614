"""The settlement of a round, and its reversal: commands, events, decisions and words.

What one bet wins is said in `slip`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from punto.cards.source import SourceKind
from punto.coup.coup import Coup, deal_hands
from punto.money import format_amount, format_exact
from punto.refusal import Reason, Refusal
from punto.rules.outcome import Hand, Outcome, Winner, format_odds
from punto.rules.pay_table import InsuranceOffer
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs
from punto.table.slip import SettlementLine, given_up, settle_bet
from punto.table.state import AnteState, LaidBet, LaidInsurance, Phase, SettledBet, State, Table, shown_cards
from punto.table.words import FactLine, Theme, Words, fact, plain, say


class SettleRound(CommandHeader, frozen=True, kw_only=True):
    """Pay, take and return every bet."""

    phrase: ClassVar[str] = "settle"


SettlementCommand = SettleRound


class RoundSettled(EventHeader, frozen=True):
    round: int
    winner: Winner
    bets: tuple[SettledBet, ...]

    def fold(self, state: State) -> State:
        state = replace(state, settled=self.bets, phase=Phase.IDLE, is_reopened=False, since=self.time)
        return state.shuffled_again()


class SettlementReversed(EventHeader, frozen=True):
    """An error of the round just settled was noticed in time: the round is open again."""

    round: int

    def fold(self, state: State) -> State:
        state = replace(state, settled=None, phase=Phase.FINISHED, is_reopened=True)
        assert state.terms is not None
        if state.terms.source is SourceKind.CONTINUOUS and state.are_cards_in_play and state.shoe is not None:
            dealt = [slot.card for slot in state.order if slot.card is not None]
            return replace(state, shoe=state.shoe.drawn(dealt))
        return state


SettlementEvent = RoundSettled | SettlementReversed


def refuse_settle(table: Table, _: SettleRound) -> Refusal | None:
    if table.state.phase is Phase.FINISHED:
        return None
    reason = Reason.DEAL_UNFINISHED if table.state.is_in_round else Reason.NO_ROUND
    return Refusal(reason, table.book.settlement.clause)


def settle(draft: Draft, _: SettleRound | None = None) -> None:
    """Pay and take every bet of a deal that is finished."""
    table = draft.table
    player, banker = shown_cards(table.state.player), shown_cards(table.state.banker)
    assert player is not None and banker is not None
    coup = deal_hands(table.book.play, player, banker)
    bets = tuple(_lines(table, coup))
    draft.add(RoundSettled(*draft.stamp, round=table.state.round, winner=coup.winner, bets=bets))


def settlement_due(table: Table) -> tuple[SettledBet, ...]:
    """What every bet is owed in a deal that is finished and not yet settled, in the order of settlement.

    It is what `settle` would do at this moment; nothing while a card lies face down or a case is open.
    """
    state = table.state
    player, banker = shown_cards(state.player), shown_cards(state.banker)
    if state.phase is not Phase.FINISHED or state.case is not None or player is None or banker is None:
        return ()
    return tuple(_lines(table, deal_hands(table.book.play, player, banker)))


def _lines(table: Table, coup: Coup) -> Iterator[SettledBet]:
    """Box by box from the dealer's right; in a box the seated player first, then standing ones as they came.

    Within one player the areas go in the order of the book, each main bet followed by its insurance.
    """
    state, rounding = table.state, table.terms.rounding
    areas = {bet.area: place for place, bet in enumerate(table.book.bets)}
    lay = state.bets_before_return or state.bets
    came = {player: place for place, player in enumerate(dict.fromkeys(bet.player for bet in lay))}

    def turn(bet: LaidBet) -> tuple[int, bool, int, int]:
        return bet.box, not bet.is_seated, came[bet.player], areas[bet.area]

    def insurance(taken: LaidInsurance) -> SettledBet:
        offer = _offer_of(table, taken)
        outcome = offer.outcome(coup.winner, is_same_hand=_is_hand_of(table, taken, coup))
        line = settle_bet(offer.area, taken.amount, outcome, rounding)
        return _settled(taken.box, taken.player, line)

    for bet in sorted(lay, key=turn):
        lying = state.bet(*bet.spot)
        if lying is not None:  # where it went back, its insurance is settled in its place (5.13)
            line = settle_bet(bet.area, lying.stake, _outcome(table, lying, coup), rounding)
            yield _settled(bet.box, bet.player, line)
        for taken in state.insured:
            if (taken.box, taken.player, table.book.main_area(taken.hand)) == bet.spot:
                yield insurance(taken)


def _outcome(table: Table, bet: LaidBet, coup: Coup) -> Outcome:
    if bet.ante is AnteState.GIVEN_UP:
        return given_up(table.book)
    return table.book.pay_tables[bet.area].settled(coup.facts, coup.player, coup.banker)


def _offer_of(table: Table, taken: LaidInsurance) -> InsuranceOffer:
    """The offer that insurance was taken on; it is kept even if the hands were put right since."""
    cell = table.book.offers.cells[(taken.window, *taken.totals)]
    return next(offer for offer in cell if offer.hand is taken.hand)


def _is_hand_of(table: Table, taken: LaidInsurance, coup: Coup) -> bool:
    """Whether the insured hand ended with the points it had, if it was complete when insurance was taken."""
    player, banker = taken.totals
    still_draws = taken.window == 4 and table.book.play.player_draws[player * 10 + banker]
    if taken.hand is not Hand.PLAYER or still_draws:
        return True
    return coup.player_points == player


def _settled(box: int, player: str, line: SettlementLine) -> SettledBet:
    outcome = line.outcome
    return SettledBet(
        box,
        player,
        line.area,
        line.stake,
        outcome.result,
        line.net,
        outcome.clause,
        odds=format_odds(outcome.odds) if outcome.odds is not None else None,
        exact=str(line.exact_net) if line.is_rounded else None,
    )


SETTLEMENT_VERBS: Verbs = {SettleRound: Verb(refuse=refuse_settle, carry_out=settle)}


def _round_settled_facts(event: RoundSettled) -> Iterator[FactLine]:
    yield fact("ended", event.round, event.winner)
    for bet in event.bets:
        exact = ("exact", format_exact(Fraction(bet.exact))) if bet.exact is not None else ()
        yield fact("settled", bet.box, bet.player, bet.area, bet.result, format_amount(bet.net), *exact, bet.clause)


SETTLEMENT_WORDS: dict[type[EventHeader], Words] = {
    RoundSettled: Words(("ended", "settled"), _round_settled_facts, say("round {round} is settled", Theme.SETTLED)),
    SettlementReversed: plain("reversed round", say("the settlement of round {round} is taken back", Theme.CASE)),
}
