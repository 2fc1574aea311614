"""Facts: what came of a command, in short words that a session can expect line by line.

Each event gives one fact or several, a refusal gives one. The first word is the kind of fact; names, boxes,
areas, amounts and the clause follow in a fixed order, and what does not apply is left out.
docs/reference/notation.md lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from punto.money import format_amount, format_exact
from punto.table import event as e
from punto.table.refusal import Refusal

Fact = tuple[str, ...]


def facts_of(outcome: tuple[e.Event, ...] | Refusal) -> list[Fact]:
    """Everything that came of one command."""
    if isinstance(outcome, Refusal):
        return [_fact("refused", outcome.reason.value, outcome.clause)]
    return [fact for event in outcome for fact in facts_of_event(event)]


def facts_of_event(event: e.Event) -> list[Fact]:
    """What one event says."""
    return list(_FACTS[type(event)](event))


def _fact(*words: object) -> Fact:
    return tuple(str(word) for word in words if word is not None)


def _stake(kind: str, stake: e.Stake, *words: object) -> Fact:
    return _fact(kind, stake.box, stake.player, stake.area, format_amount(stake.amount), *words)


def _one(kind: str, *names: str) -> Callable[[Any], list[Fact]]:
    """A fact made of these fields of an event, in this order."""
    return lambda event: [_fact(kind, *(getattr(event, name) for name in names))]


# ── The table, bets and cards ────────────────────────────────────────────────────────────────────


def _bet_placed(event: e.BetPlaced) -> list[Fact]:
    rejected = ("rejected", format_amount(event.rejected)) if event.rejected else ()
    amount = format_amount(event.amount)
    return [_fact("bet", event.box, event.player, event.area, amount, *rejected, event.clause)]


def _bet_returned(event: e.BetReturned) -> list[Fact]:
    amount = format_amount(event.amount)
    return [_fact("returned", event.box, event.player, event.area, amount, event.why, event.clause)]


def _cards_burned(event: e.CardsBurned) -> list[Fact]:
    return [_fact("burned", event.count, *(("shown", event.shown) if event.shown else ()))]


def _seat_taken(event: e.SeatTaken) -> list[Fact]:
    notice = ("notice", event.notice) if event.notice else ()
    return [_fact("seated", event.box, event.player, *notice)]


def _shoe_loaded(event: e.ShoeLoaded) -> list[Fact]:
    return [_fact("shoe", event.number, "burn-due" if event.burn_due else None)]


def _card_dealt(event: e.CardDealt) -> list[Fact]:
    face = event.card if event.face_up else "face-down"
    return [_fact("dealt", event.hand.value, face, "carried" if event.carried else None)]


def _deal_finished(event: e.DealFinished) -> list[Fact]:
    points = event.player_points, event.banker_points
    return [_fact("finished", event.winner.value, *points, *event.declared)]


def _round_settled(event: e.RoundSettled) -> Iterator[Fact]:
    yield _fact("ended", event.round, event.winner.value)
    for bet in event.bets:
        exact = ("exact", format_exact(Fraction(bet.exact))) if bet.exact is not None else ()
        amount = format_amount(bet.net)
        yield _fact("settled", bet.box, bet.player, bet.area, bet.result.value, amount, *exact, bet.clause)


# ── Decisions of players ─────────────────────────────────────────────────────────────────────────


def _wager_placed(event: e.WagerPlaced) -> list[Fact]:
    return [_fact("wagered", event.box, event.player, event.area, format_amount(event.amount))]


def _insurance_offered(event: e.InsuranceOffered) -> Iterator[Fact]:
    odds = (word for hand in sorted(event.odds) for word in (hand, event.odds[hand]))
    yield _fact("window", event.window, *odds)
    for offer in event.offers:
        most = format_amount(offer.most)
        yield _fact("offered", offer.box, offer.player, offer.hand.value, offer.odds, "most", most)


def _insurance_taken(event: e.InsuranceTaken) -> list[Fact]:
    amount = format_amount(event.amount)
    return [_fact("insured", event.box, event.player, event.hand.value, event.odds, amount)]


def _insurance_closed(event: e.InsuranceClosed) -> Iterator[Fact]:
    yield _fact("window-closed", event.window)
    for player in event.forgone:
        yield _fact("forgone", player, event.clause)


def _squeeze_asked(event: e.SqueezeAsked) -> list[Fact]:
    hand = event.hand.value if event.hand else None
    return [_fact("squeeze-asked", event.player, event.kind.value, hand, event.number)]


def _squeeze_answered(event: e.SqueezeAnswered) -> list[Fact]:
    answer, waives = "yes" if event.consent else "no", "waives" if event.waives else None
    return [_fact("squeeze-answered", answer, waives, event.clause)]


# ── When something goes wrong ────────────────────────────────────────────────────────────────────


def _reconstructed(event: e.CardsReconstructed) -> list[Fact]:
    carried = ("carried", *event.carried) if event.carried else ()
    hands = ("player", *event.player, "banker", *event.banker)
    return [_fact("reconstructed", *hands, *carried, event.clause)]


def _options_given(event: e.OptionsGiven) -> Iterator[Fact]:
    form = "continue-reconstructed" if event.is_reconstructed else "continue"
    for player in event.players:
        yield _fact("option", player, form, "return", event.clause)


def _option_chosen(event: e.OptionChosen) -> Iterator[Fact]:
    yield _fact("chose", event.player, event.option.value, event.clause)
    for stake in event.returned:
        yield _stake("returned", stake, "option", event.clause)


def _bets_returned(event: e.BetsReturned) -> Iterator[Fact]:
    for stake in event.bets:
        yield _stake("returned", stake, "neglected", event.clause)


def _ruled(event: e.Ruled) -> Iterator[Fact]:
    yield _fact("ruled", event.effect.value, event.clause)
    for stake in event.returned:
        yield _stake("returned", stake, "ruling", event.clause)


def _round_voided(event: e.RoundVoided) -> Iterator[Fact]:
    yield _fact("void", event.clause)
    for stake in event.returned:
        yield _stake("returned", stake, "void", event.clause)


_FACTS: dict[type[e.EventHeader], Callable[[Any], list[Fact] | Iterator[Fact]]] = {
    e.TableOpened: lambda event: [_fact("opened", event.terms.book, event.terms.layout)],
    e.TermsChanged: lambda event: [_fact("changed", "new-shoe" if event.needs_shoe else None)],
    e.TablePaused: _one("paused"),
    e.TableResumed: _one("resumed"),
    e.TableClosed: _one("table-closed"),
    e.ShoeLoaded: _shoe_loaded,
    e.CardsBurned: _cards_burned,
    e.CutCardCameOut: _one("cut-card", "last_round"),
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _one("left", "box", "player"),
    e.WalkedAway: _one("away", "player"),
    e.CameBack: _one("back", "player"),
    e.BetsCalled: _one("called", "round"),
    e.BetPlaced: _bet_placed,
    e.BetReturned: _bet_returned,
    e.WithdrawalIgnored: _one("in-force", "box", "player", "area", "clause"),
    e.MinimumAdvised: _one("advised", "box", "player", "area", "clause"),
    e.BetsClosed: _one("closed", "clause"),
    e.CardDealt: _card_dealt,
    e.CardRevealed: lambda event: [_fact("revealed", event.hand.value, event.number, event.card)],
    e.CardCorrected: lambda event: [
        _fact("corrected", event.hand.value, event.number, event.was, "to", event.card)
    ],
    e.DealFinished: _deal_finished,
    e.RoundSettled: _round_settled,
    e.SettlementReversed: _one("reversed", "round"),
    e.AntesAsked: lambda event: [_stake("asked", ante) for ante in event.antes],
    e.WagerPlaced: _wager_placed,
    e.AnteGivenUp: _one("given-up", "box", "player", "area", "clause"),
    e.InsuranceOffered: _insurance_offered,
    e.InsuranceTaken: _insurance_taken,
    e.InsuranceDeclined: _one("declined", "player"),
    e.InsuranceClosed: _insurance_closed,
    e.InsuranceNeglected: _one("neglected", "window"),
    e.InsuranceWished: lambda event: [
        _fact("wished", event.box, event.player, event.hand.value, event.window)
    ],
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.CaseOpened: lambda event: [_fact("case", event.kind.value, "awaits", event.awaits, event.clause)],
    e.CaseClosed: lambda event: [_fact("resolved", event.kind.value, event.resolution, event.clause)],
    e.ErrorFoundLate: lambda event: [_fact("late", event.kind.value, "round", event.round, event.clause)],
    e.ReconstructionJudged: lambda event: [
        _fact("judged", "possible" if event.possible else "impossible", event.clause)
    ],
    e.CardsOrdered: lambda event: [_fact("ordered", *event.cards, event.clause)],
    e.CardsReconstructed: _reconstructed,
    e.OptionsGiven: _options_given,
    e.OptionChosen: _option_chosen,
    e.CardsReplaced: _one("replaced", "clause"),
    e.BetsReturned: _bets_returned,
    e.Ruled: _ruled,
    e.RoundVoided: _round_voided,
}
"""The facts of every event."""

KINDS = frozenset(
    (
        "opened",
        "changed",
        "paused",
        "resumed",
        "table-closed",
        "shoe",
        "burned",
        "cut-card",
        "seated",
        "left",
        "away",
        "back",
        "called",
        "bet",
        "returned",
        "in-force",
        "advised",
        "closed",
        "dealt",
        "revealed",
        "corrected",
        "finished",
        "ended",
        "settled",
        "reversed",
        "asked",
        "wagered",
        "given-up",
        "window",
        "offered",
        "insured",
        "declined",
        "window-closed",
        "forgone",
        "neglected",
        "wished",
        "squeeze-asked",
        "squeeze-answered",
        "case",
        "resolved",
        "late",
        "judged",
        "ordered",
        "reconstructed",
        "option",
        "chose",
        "replaced",
        "ruled",
        "void",
        "refused",
    )
)
"""The first words of all facts."""
