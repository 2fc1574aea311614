"""A session told to people: announcements in the book's words, cards, offers, payments and what went wrong.

Every event becomes a line or a few. What a line is about goes with it, so that a terminal can colour it and a
page can style it; the words alone say everything. A card that lies face down is never named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import msgspec

from punto.money import format_amount
from punto.rules.book import Book
from punto.rules.facts import Winner
from punto.table import event as e
from punto.table.event import Event
from punto.table.scene import Scene, by_clause, faces, hand_name, slots_face
from punto.table.state import State
from punto.table.terms import Terms, boxes_of


class About(Enum):
    """What a line of a transcript is about."""

    ROUND = "round"
    """A new round begins here."""
    CALL = "call"
    """Words that the dealer says."""
    CARD = "card"
    NOTE = "note"
    OFFER = "offer"
    CASE = "case"
    """Something went wrong, or is put right."""
    RESULT = "result"
    SETTLED = "settled"
    """The table of a settlement belongs here; its bets are in the event."""


class Told(msgspec.Struct, frozen=True):
    """A line of a transcript."""

    about: About
    text: str


def tell(book: Book, state: State, event: Event) -> list[Told]:
    """An event in words; `state` is the table after it."""
    return list(_TELLERS[type(event)](Scene(book, state), event))


def _say(about: About, text: str) -> Callable[[Scene, Any], Iterator[Told]]:
    """A fixed text with fields of the event in braces."""

    def tell(_: Scene, event: Any) -> Iterator[Told]:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        yield Told(about, text.format(**fields, by_clause=by_clause(fields.get("clause"))))

    return tell


# ── The table, its people and their bets ─────────────────────────────────────────────────────────


def _opened(scene: Scene, event: e.TableOpened) -> Iterator[Told]:
    yield Told(About.RESULT, scene.book.title)
    yield Told(About.NOTE, "the table is open")
    yield from _terms(scene, event.terms)


def _changed(scene: Scene, event: e.TermsChanged) -> Iterator[Told]:
    yield Told(About.NOTE, "the terms of the table are changed")
    yield from _terms(scene, event.terms)
    if event.needs_shoe:
        yield Told(About.NOTE, "the cards in play no longer fit: a new shoe is needed")


def _terms(scene: Scene, terms: Terms) -> Iterator[Told]:
    most = f"to {format_amount(terms.maximum)}" if terms.maximum else "and more"
    limits = f"bets of {format_amount(terms.minimum)} {most}"
    if terms.differential is not None:
        limits += f", differential {format_amount(terms.differential)}"
    boxes = boxes_of(scene.book, terms)
    size = f"{_counted(boxes, 'box', 'boxes')}, {_counted(terms.decks, 'deck')}"
    yield Told(About.NOTE, f"{terms.layout}, {size}, face {terms.faces.value}")
    yield Told(About.NOTE, f"{limits}, chip {format_amount(terms.chip)} {terms.currency}")
    insurance = scene.book.insurance
    if insurance is not None and not terms.insurance:
        yield Told(
            About.NOTE, f"notice: no insurance is offered at this table{by_clause(insurance.notice_clause)}"
        )


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _shoe_loaded(_: Scene, event: e.ShoeLoaded) -> Iterator[Told]:
    burn = "; cards are to be burned" if event.burn_due else ""
    yield Told(About.NOTE, f"shoe {event.number} is in play, {_counted(event.decks, 'deck')}{burn}")


def _burned(_: Scene, event: e.CardsBurned) -> Iterator[Told]:
    shown = f", {event.shown.symbol} shown" if event.shown else ""
    are = "is" if event.count == 1 else "are"
    yield Told(About.NOTE, f"{_counted(event.count, 'card')} {are} burned{shown}")


def _seated(_: Scene, event: e.SeatTaken) -> Iterator[Told]:
    notice = f" and accepts the notice{by_clause(event.notice)}" if event.notice else ""
    yield Told(About.NOTE, f"{event.player} sits down at box {event.box}{notice}")


def _called(scene: Scene, event: e.BetsCalled) -> Iterator[Told]:
    words = scene.book.betting.opens.words
    yield Told(About.ROUND, f"Round {event.round}")
    yield Told(About.CALL, words.en) if words else Told(About.NOTE, "bets are open")


def _bets_closed(scene: Scene, event: e.BetsClosed) -> Iterator[Told]:
    words = scene.book.betting.closes.words
    if words:
        yield Told(About.CALL, words.en)
    else:
        yield Told(About.NOTE, f"the first card closes the bets{by_clause(event.clause)}")


def _placed(scene: Scene, event: e.BetPlaced) -> Iterator[Told]:
    standing = "" if event.is_seated else ", standing"
    yield Told(About.NOTE, f"{scene.bet(event)}{standing}: {format_amount(event.amount)}")
    if event.rejected:
        yield Told(About.NOTE, f"rejected: {format_amount(event.rejected)}{by_clause(event.clause)}")


_WHY = {
    "withdrawn": "withdrawn",
    "reduced": "reduced",
    "needs-bet": "off with the bet it needs",
    "excess": "over the limit",
    "pro-rata": "pro rata",
}


def _returned(scene: Scene, event: e.BetReturned) -> Iterator[Told]:
    why = _WHY.get(event.why, event.why)
    text = f"back to {scene.bet(event)}: {format_amount(event.amount)}, {why}{by_clause(event.clause)}"
    yield Told(About.NOTE, text)


def _in_force(scene: Scene, event: e.WithdrawalIgnored) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: taken off too late, in force{by_clause(event.clause)}")


def _advised(scene: Scene, event: e.MinimumAdvised) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: told that it is under the minimum{by_clause(event.clause)}")


# ── Cards and results ────────────────────────────────────────────────────────────────────────────


def _dealt(scene: Scene, event: e.CardDealt) -> Iterator[Told]:
    slots = scene.state.slots(event.hand)
    draws = " draws" if len(slots) == 3 else ""
    carried = "  (carried over)" if event.carried else ""
    yield Told(About.CARD, f"{hand_name(event.hand)}{draws}  {slots_face(slots)}{carried}")


def _revealed(scene: Scene, event: e.CardRevealed) -> Iterator[Told]:
    yield Told(About.CARD, f"{hand_name(event.hand)}  {slots_face(scene.state.slots(event.hand))}")


def _corrected(scene: Scene, event: e.CardCorrected) -> Iterator[Told]:
    hand = f"{hand_name(event.hand)}  {slots_face(scene.state.slots(event.hand))}"
    yield Told(About.CARD, f"{hand}  (put right: {event.card.symbol}, not {event.was.symbol})")


def _finished(scene: Scene, event: e.DealFinished) -> Iterator[Told]:
    names = {
        declaration.name: declaration.labels.en
        for declaration, _ in scene.book.declarations
        if declaration.name != Winner.TIE.value
    }
    called = [names[name] for name in event.declared if name in names]
    wins = "Tie" if event.winner is Winner.TIE else f"{event.winner.value.title()} wins"
    totals = f"Player {event.player_points}, Banker {event.banker_points}"
    yield Told(About.RESULT, f"{', '.join([wins, *called])}: {totals}")


def _settled(_: Scene, event: e.RoundSettled) -> Iterator[Told]:
    yield Told(About.SETTLED, f"round {event.round} is settled")


def _reversed(_: Scene, event: e.SettlementReversed) -> Iterator[Told]:
    yield Told(About.CASE, f"the settlement of round {event.round} is taken back")


# ── Decisions of players ─────────────────────────────────────────────────────────────────────────


def _antes_asked(scene: Scene, event: e.AntesAsked) -> Iterator[Told]:
    ante = scene.book.ante
    assert ante is not None
    for stake in event.antes:
        due = format_amount(ante.multiple * stake.amount)
        yield Told(About.OFFER, f"{scene.stake(stake)}; wager {due} or give up?")


def _wagered(scene: Scene, event: e.WagerPlaced) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: {format_amount(event.amount)}")


def _given_up(scene: Scene, event: e.AnteGivenUp) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: given up{by_clause(event.clause)}")


def _offered(_: Scene, event: e.InsuranceOffered) -> Iterator[Told]:
    odds = ", ".join(f"{hand.title()} {event.odds[hand]}" for hand in sorted(event.odds))
    yield Told(About.OFFER, f"insurance: {odds}")
    for offer in event.offers:
        whose = f"{offer.player}, {hand_name(offer.hand)}, box {offer.box}"
        yield Told(About.OFFER, f"  {whose}: {offer.odds}, at most {format_amount(offer.most)}")


def _insured(_: Scene, event: e.InsuranceTaken) -> Iterator[Told]:
    whose = f"{event.player} insures {hand_name(event.hand)}, box {event.box}"
    yield Told(About.NOTE, f"{whose}: {format_amount(event.amount)} at {event.odds}")


def _window_closed(_: Scene, event: e.InsuranceClosed) -> Iterator[Told]:
    for player in event.forgone:
        yield Told(About.NOTE, f"{player} has forgone insurance for this round{by_clause(event.clause)}")


def _wished(_: Scene, event: e.InsuranceWished) -> Iterator[Told]:
    yield Told(About.NOTE, f"{event.player} wishes to insure {hand_name(event.hand)} in box {event.box}")


_SQUEEZES = {
    "card": "asks to squeeze a card",
    "banker-third-first": "asks to squeeze Banker's third card before Player's is opened",
    "banker-third-shown": "asks to see Banker's third card before squeezing Player's",
}


def _squeeze_asked(_: Scene, event: e.SqueezeAsked) -> Iterator[Told]:
    card = f": {hand_name(event.hand)} {event.number}" if event.hand else ""
    yield Told(About.NOTE, f"{event.player} {_SQUEEZES[event.kind.value]}{card}")


def _squeeze_answered(_: Scene, event: e.SqueezeAnswered) -> Iterator[Told]:
    answer = "the house consents" if event.consent else "the house does not consent"
    waives = "; insurance after Player's third card is waived for all" if event.waives else ""
    yield Told(About.NOTE, f"{answer}{waives}{by_clause(event.clause)}")


# ── When something goes wrong ────────────────────────────────────────────────────────────────────


def _case_opened(scene: Scene, event: e.CaseOpened) -> Iterator[Told]:
    entry = scene.book.irregularity(event.kind)
    label = entry.label if entry else event.kind.value
    cards = f": {faces(event.cards)}" if event.cards else ""
    yield Told(About.CASE, f"{label}{cards}{by_clause(event.clause)}")
    if event.note:
        yield Told(About.CASE, f"“{event.note}”")


def _case_closed(_: Scene, event: e.CaseClosed) -> Iterator[Told]:
    reason = f": {event.reason}" if event.reason else ""
    yield Told(About.CASE, f"the case is closed, {event.resolution}{reason}{by_clause(event.clause)}")


def _found_late(_: Scene, event: e.ErrorFoundLate) -> Iterator[Told]:
    text = f"an error of round {event.round} is found too late to change anything{by_clause(event.clause)}"
    yield Told(About.CASE, text)


def _judged(_: Scene, event: e.ReconstructionJudged) -> Iterator[Told]:
    can = "can" if event.possible else "cannot"
    yield Told(About.CASE, f"{event.by} says that the cards {can} be put right{by_clause(event.clause)}")


def _ordered(_: Scene, event: e.CardsOrdered) -> Iterator[Told]:
    yield Told(About.CASE, f"{event.by} sets the order: {faces(event.cards)}{by_clause(event.clause)}")


def _reconstructed(scene: Scene, event: e.CardsReconstructed) -> Iterator[Told]:
    hands = f"Player {slots_face(scene.state.player)}, Banker {slots_face(scene.state.banker)}"
    over = f"; {faces(event.carried)} starts the next round" if event.carried else ""
    yield Told(About.CASE, f"put right: {hands}{over}{by_clause(event.clause)}")


def _options(_: Scene, event: e.OptionsGiven) -> Iterator[Told]:
    form = "continue with the reconstructed hand" if event.is_reconstructed else "continue"
    yield Told(
        About.OFFER, f"{', '.join(event.players)}: {form}, or have all bets back?{by_clause(event.clause)}"
    )


def _chosen(scene: Scene, event: e.OptionChosen) -> Iterator[Told]:
    does = "has all bets back" if event.returned else "continues"
    yield Told(About.NOTE, f"{event.player} {does}{by_clause(event.clause)}")
    yield from _stakes_back(scene, event.returned)


def _ruled(scene: Scene, event: e.Ruled) -> Iterator[Told]:
    text = f"{event.by} rules: {event.effect.value}; {event.reason}{by_clause(event.clause)}"
    yield Told(About.CASE, text)
    yield from _stakes_back(scene, event.returned)


def _bets_returned(scene: Scene, event: e.BetsReturned) -> Iterator[Told]:
    yield Told(About.CASE, f"the bets of those who wished to insure go back{by_clause(event.clause)}")
    yield from _stakes_back(scene, event.bets)


def _voided(scene: Scene, event: e.RoundVoided) -> Iterator[Told]:
    yield Told(About.CASE, f"round {event.round} is void, every bet goes back{by_clause(event.clause)}")
    yield from _stakes_back(scene, event.returned)


def _stakes_back(scene: Scene, stakes: tuple[e.Stake, ...]) -> Iterator[Told]:
    for stake in stakes:
        yield Told(About.NOTE, f"back to {scene.stake(stake)}")


_TELLERS: dict[type[e.EventHeader], Callable[[Scene, Any], Iterator[Told]]] = {
    e.TableOpened: _opened,
    e.TermsChanged: _changed,
    e.TablePaused: _say(About.NOTE, "the table is paused"),
    e.TableResumed: _say(About.NOTE, "the table is resumed"),
    e.TableClosed: _say(About.NOTE, "the table is closed"),
    e.ShoeLoaded: _shoe_loaded,
    e.CardsBurned: _burned,
    e.CutCardCameOut: _say(About.NOTE, "the cut card is out: round {last_round} is the last of this shoe"),
    e.SeatTaken: _seated,
    e.SeatLeft: _say(About.NOTE, "{player} leaves box {box}"),
    e.WalkedAway: _say(About.NOTE, "{player} walks away"),
    e.CameBack: _say(About.NOTE, "{player} is back"),
    e.BetsCalled: _called,
    e.BetPlaced: _placed,
    e.BetReturned: _returned,
    e.WithdrawalIgnored: _in_force,
    e.MinimumAdvised: _advised,
    e.BetsClosed: _bets_closed,
    e.CardDealt: _dealt,
    e.CardRevealed: _revealed,
    e.CardCorrected: _corrected,
    e.DealFinished: _finished,
    e.RoundSettled: _settled,
    e.SettlementReversed: _reversed,
    e.AntesAsked: _antes_asked,
    e.WagerPlaced: _wagered,
    e.AnteGivenUp: _given_up,
    e.InsuranceOffered: _offered,
    e.InsuranceTaken: _insured,
    e.InsuranceDeclined: _say(About.NOTE, "{player} declines insurance"),
    e.InsuranceClosed: _window_closed,
    e.InsuranceNeglected: _say(About.NOTE, "insurance was due after {window} cards and was not offered"),
    e.InsuranceWished: _wished,
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.CaseOpened: _case_opened,
    e.CaseClosed: _case_closed,
    e.ErrorFoundLate: _found_late,
    e.ReconstructionJudged: _judged,
    e.CardsOrdered: _ordered,
    e.CardsReconstructed: _reconstructed,
    e.OptionsGiven: _options,
    e.OptionChosen: _chosen,
    e.CardsReplaced: _say(About.CASE, "the cards are replaced by a new set{by_clause}"),
    e.BetsReturned: _bets_returned,
    e.Ruled: _ruled,
    e.RoundVoided: _voided,
}
"""How every event is told."""
