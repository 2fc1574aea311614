"""A session told to people: announcements in the book's words, cards, offers, payments and what went wrong.

Every event becomes a line or a few. What a line is about goes with it, so that a terminal can colour it and a
page can style it; the words alone say everything. A card that lies face down is never named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import msgspec

from punto.cards.card import Card
from punto.coup.coup import points
from punto.rules.compiled import CompiledBook
from punto.rules.facts import Hand, Winner
from punto.table import event as e
from punto.table.event import Event
from punto.table.money import format_amount
from punto.table.state import Slot, State, shown_cards
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


def tell(book: CompiledBook, state: State, event: Event) -> list[Told]:
    """An event in words; `state` is the table after it."""
    return list(_TELLERS[type(event)](_Scene(book, state), event))


class _Scene:
    """The table as an event left it, and the names of its things."""

    def __init__(self, book: CompiledBook, state: State) -> None:
        self.book, self.state = book, state

    def area(self, area: str) -> str:
        return area_name(self.book, area)

    def bet(self, bet: Any) -> str:
        """`Lee's Banker in box 3`, of anything that has player, area and box."""
        return f"{bet.player}, {self.area(bet.area)}, box {bet.box}"

    def stake(self, stake: e.Stake) -> str:
        return f"{self.bet(stake)}: {format_amount(stake.amount)}"


def area_name(book: CompiledBook, area: str) -> str:
    """A betting area as the layout calls it, in English."""
    bet = book.book.bet(area)
    if bet is not None:
        return bet.labels.en
    insured = book.insurance_areas.get(area)
    return f"Insurance on {hand_name(insured[0])}" if insured else area


def hand_name(hand: Hand) -> str:
    return hand.value.title()


def _by(clause: str | None) -> str:
    return f" ({clause})" if clause else ""


def _faces(cards: tuple[Card, ...]) -> str:
    return " ".join(card.symbol for card in cards)


def _slots(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as everybody sees them, with their points once all lie open."""
    seen = " ".join(slot.card.symbol if slot.face_up and slot.card else "▯" for slot in slots)
    cards = shown_cards(slots)
    return f"{seen}  {points(cards)}" if cards else seen


def _say(about: About, text: str) -> Callable[[_Scene, Any], Iterator[Told]]:
    """A fixed text with fields of the event in braces."""

    def tell(_: _Scene, event: Any) -> Iterator[Told]:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        yield Told(about, text.format(**fields, by_clause=_by(fields.get("clause"))))

    return tell


# ── The table, its people and their bets ─────────────────────────────────────────────────────────


def _opened(scene: _Scene, event: e.TableOpened) -> Iterator[Told]:
    yield Told(About.RESULT, scene.book.book.title)
    yield Told(About.NOTE, "the table is open")
    yield from _terms(scene, event.terms)


def _changed(scene: _Scene, event: e.TermsChanged) -> Iterator[Told]:
    yield Told(About.NOTE, "the terms of the table are changed")
    yield from _terms(scene, event.terms)
    if event.needs_shoe:
        yield Told(About.NOTE, "the cards in play no longer fit: a new shoe is needed")


def _terms(scene: _Scene, terms: Terms) -> Iterator[Told]:
    most = f"to {format_amount(terms.maximum)}" if terms.maximum else "and more"
    limits = f"bets of {format_amount(terms.minimum)} {most}"
    if terms.differential is not None:
        limits += f", differential {format_amount(terms.differential)}"
    boxes = boxes_of(scene.book, terms)
    yield Told(About.NOTE, f"{terms.layout}, {boxes} boxes, {terms.decks} decks, face {terms.faces.value}")
    yield Told(About.NOTE, f"{limits}, chip {format_amount(terms.chip)} {terms.currency}")
    insurance = scene.book.book.insurance
    if insurance is not None and not terms.insurance:
        yield Told(About.NOTE, f"notice: no insurance is offered at this table{_by(insurance.notice_clause)}")


def _shoe_loaded(_: _Scene, event: e.ShoeLoaded) -> Iterator[Told]:
    burn = "; cards are to be burned" if event.burn_due else ""
    yield Told(About.NOTE, f"shoe {event.number} is in play, {event.decks} decks{burn}")


def _burned(_: _Scene, event: e.CardsBurned) -> Iterator[Told]:
    shown = f", {event.shown.symbol} shown" if event.shown else ""
    yield Told(About.NOTE, f"{event.count} cards are burned{shown}")


def _seated(_: _Scene, event: e.SeatTaken) -> Iterator[Told]:
    notice = f" and accepts the notice{_by(event.notice)}" if event.notice else ""
    yield Told(About.NOTE, f"{event.player} sits down at box {event.box}{notice}")


def _called(scene: _Scene, event: e.BetsCalled) -> Iterator[Told]:
    words = scene.book.book.betting.opens.words
    yield Told(About.ROUND, f"Round {event.round}")
    yield Told(About.CALL, words.en) if words else Told(About.NOTE, "bets are open")


def _bets_closed(scene: _Scene, event: e.BetsClosed) -> Iterator[Told]:
    words = scene.book.book.betting.closes.words
    if words:
        yield Told(About.CALL, words.en)
    else:
        yield Told(About.NOTE, f"the first card closes the bets{_by(event.clause)}")


def _placed(scene: _Scene, event: e.BetPlaced) -> Iterator[Told]:
    standing = "" if event.is_seated else ", standing"
    yield Told(About.NOTE, f"{scene.bet(event)}{standing}: {format_amount(event.amount)}")
    if event.rejected:
        yield Told(About.NOTE, f"rejected: {format_amount(event.rejected)}{_by(event.clause)}")


_WHY = {
    "withdrawn": "withdrawn",
    "reduced": "reduced",
    "needs-bet": "off with the bet it needs",
    "excess": "over the limit",
    "pro-rata": "pro rata",
}


def _returned(scene: _Scene, event: e.BetReturned) -> Iterator[Told]:
    why = _WHY.get(event.why, event.why)
    text = f"back to {scene.bet(event)}: {format_amount(event.amount)}, {why}{_by(event.clause)}"
    yield Told(About.NOTE, text)


def _in_force(scene: _Scene, event: e.WithdrawalIgnored) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: taken off too late, in force{_by(event.clause)}")


def _advised(scene: _Scene, event: e.MinimumAdvised) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: told that it is under the minimum{_by(event.clause)}")


# ── Cards and results ────────────────────────────────────────────────────────────────────────────


def _dealt(scene: _Scene, event: e.CardDealt) -> Iterator[Told]:
    slots = scene.state.slots(event.hand)
    draws = " draws" if len(slots) == 3 else ""
    carried = "  (carried over)" if event.carried else ""
    yield Told(About.CARD, f"{hand_name(event.hand)}{draws}  {_slots(slots)}{carried}")


def _revealed(scene: _Scene, event: e.CardRevealed) -> Iterator[Told]:
    yield Told(About.CARD, f"{hand_name(event.hand)}  {_slots(scene.state.slots(event.hand))}")


def _corrected(scene: _Scene, event: e.CardCorrected) -> Iterator[Told]:
    hand = f"{hand_name(event.hand)}  {_slots(scene.state.slots(event.hand))}"
    yield Told(About.CARD, f"{hand}  (put right: {event.card.symbol}, not {event.was.symbol})")


def _finished(scene: _Scene, event: e.DealFinished) -> Iterator[Told]:
    names = {
        declaration.name: declaration.labels.en
        for declaration, _ in scene.book.declarations
        if declaration.name != Winner.TIE.value
    }
    called = [names[name] for name in event.declared if name in names]
    wins = "Tie" if event.winner is Winner.TIE else f"{event.winner.value.title()} wins"
    totals = f"Player {event.player_points}, Banker {event.banker_points}"
    yield Told(About.RESULT, f"{', '.join([wins, *called])}: {totals}")


def _settled(_: _Scene, event: e.RoundSettled) -> Iterator[Told]:
    yield Told(About.SETTLED, f"round {event.round} is settled")


def _reversed(_: _Scene, event: e.SettlementReversed) -> Iterator[Told]:
    yield Told(About.CASE, f"the settlement of round {event.round} is taken back")


# ── Decisions of players ─────────────────────────────────────────────────────────────────────────


def _antes_asked(scene: _Scene, event: e.AntesAsked) -> Iterator[Told]:
    ante = scene.book.book.ante
    assert ante is not None
    for stake in event.antes:
        due = format_amount(ante.multiple * stake.amount)
        yield Told(About.OFFER, f"{scene.stake(stake)}; wager {due} or give up?")


def _wagered(scene: _Scene, event: e.WagerPlaced) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: {format_amount(event.amount)}")


def _given_up(scene: _Scene, event: e.AnteGivenUp) -> Iterator[Told]:
    yield Told(About.NOTE, f"{scene.bet(event)}: given up{_by(event.clause)}")


def _offered(_: _Scene, event: e.InsuranceOffered) -> Iterator[Told]:
    odds = ", ".join(f"{hand.title()} {event.odds[hand]}" for hand in sorted(event.odds))
    yield Told(About.OFFER, f"insurance: {odds}")
    for offer in event.offers:
        whose = f"{offer.player}, {hand_name(offer.hand)}, box {offer.box}"
        yield Told(About.OFFER, f"  {whose}: {offer.odds}, at most {format_amount(offer.most)}")


def _insured(_: _Scene, event: e.InsuranceTaken) -> Iterator[Told]:
    whose = f"{event.player} insures {hand_name(event.hand)}, box {event.box}"
    yield Told(About.NOTE, f"{whose}: {format_amount(event.amount)} at {event.odds}")


def _window_closed(_: _Scene, event: e.InsuranceClosed) -> Iterator[Told]:
    for player in event.forgone:
        yield Told(About.NOTE, f"{player} has forgone insurance for this round{_by(event.clause)}")


def _wished(_: _Scene, event: e.InsuranceWished) -> Iterator[Told]:
    yield Told(About.NOTE, f"{event.player} wishes to insure {hand_name(event.hand)} in box {event.box}")


_SQUEEZES = {
    "card": "asks to squeeze a card",
    "banker-third-first": "asks to squeeze Banker's third card before Player's is opened",
    "banker-third-shown": "asks to see Banker's third card before squeezing Player's",
}


def _squeeze_asked(_: _Scene, event: e.SqueezeAsked) -> Iterator[Told]:
    card = f": {hand_name(event.hand)} {event.number}" if event.hand else ""
    yield Told(About.NOTE, f"{event.player} {_SQUEEZES[event.kind.value]}{card}")


def _squeeze_answered(_: _Scene, event: e.SqueezeAnswered) -> Iterator[Told]:
    answer = "the house consents" if event.consent else "the house does not consent"
    waives = "; insurance after Player's third card is waived for all" if event.waives else ""
    yield Told(About.NOTE, f"{answer}{waives}{_by(event.clause)}")


# ── When something goes wrong ────────────────────────────────────────────────────────────────────


def _case_opened(scene: _Scene, event: e.CaseOpened) -> Iterator[Told]:
    entry = scene.book.irregularity(event.kind)
    label = entry.label if entry else event.kind.value
    cards = f": {_faces(event.cards)}" if event.cards else ""
    yield Told(About.CASE, f"{label}{cards}{_by(event.clause)}")
    if event.note:
        yield Told(About.CASE, f"“{event.note}”")


def _case_closed(_: _Scene, event: e.CaseClosed) -> Iterator[Told]:
    reason = f": {event.reason}" if event.reason else ""
    yield Told(About.CASE, f"the case is closed, {event.resolution}{reason}{_by(event.clause)}")


def _found_late(_: _Scene, event: e.ErrorFoundLate) -> Iterator[Told]:
    text = f"an error of round {event.round} is found too late to change anything{_by(event.clause)}"
    yield Told(About.CASE, text)


def _judged(_: _Scene, event: e.ReconstructionJudged) -> Iterator[Told]:
    can = "can" if event.possible else "cannot"
    yield Told(About.CASE, f"{event.by} says that the cards {can} be put right{_by(event.clause)}")


def _ordered(_: _Scene, event: e.CardsOrdered) -> Iterator[Told]:
    yield Told(About.CASE, f"{event.by} sets the order: {_faces(event.cards)}{_by(event.clause)}")


def _reconstructed(scene: _Scene, event: e.CardsReconstructed) -> Iterator[Told]:
    hands = f"Player {_slots(scene.state.player)}, Banker {_slots(scene.state.banker)}"
    over = f"; {_faces(event.carried)} starts the next round" if event.carried else ""
    yield Told(About.CASE, f"put right: {hands}{over}{_by(event.clause)}")


def _options(_: _Scene, event: e.OptionsGiven) -> Iterator[Told]:
    form = "continue with the reconstructed hand" if event.is_reconstructed else "continue"
    yield Told(About.OFFER, f"{', '.join(event.players)}: {form}, or have all bets back?{_by(event.clause)}")


def _chosen(scene: _Scene, event: e.OptionChosen) -> Iterator[Told]:
    does = "has all bets back" if event.returned else "continues"
    yield Told(About.NOTE, f"{event.player} {does}{_by(event.clause)}")
    yield from _stakes_back(scene, event.returned)


def _ruled(scene: _Scene, event: e.Ruled) -> Iterator[Told]:
    text = f"{event.by} rules: {event.effect.value}; {event.reason}{_by(event.clause)}"
    yield Told(About.CASE, text)
    yield from _stakes_back(scene, event.returned)


def _bets_returned(scene: _Scene, event: e.BetsReturned) -> Iterator[Told]:
    yield Told(About.CASE, f"the bets of those who wished to insure go back{_by(event.clause)}")
    yield from _stakes_back(scene, event.bets)


def _voided(scene: _Scene, event: e.RoundVoided) -> Iterator[Told]:
    yield Told(About.CASE, f"round {event.round} is void, every bet goes back{_by(event.clause)}")
    yield from _stakes_back(scene, event.returned)


def _stakes_back(scene: _Scene, stakes: tuple[e.Stake, ...]) -> Iterator[Told]:
    for stake in stakes:
        yield Told(About.NOTE, f"back to {scene.stake(stake)}")


_TELLERS: dict[type[e.EventHeader], Callable[[_Scene, Any], Iterator[Told]]] = {
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
