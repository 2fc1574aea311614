"""Cards and squeezes in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.rules.facts import Winner
from punto.table.dealing import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    fact,
    hand_name,
    slots_face,
)


def _card_dealt_facts(event: e.CardDealt) -> list[FactLine]:
    face = event.card if event.face_up else "face-down"
    return [fact("dealt", event.hand.value, face, "carried" if event.carried else None)]


def _tell_dealt(telling: Telling, event: e.CardDealt) -> Iterator[Told]:
    slots = telling.state.slots(event.hand)
    draws = " draws" if len(slots) == 3 else ""
    carried = "  (carried over)" if event.carried else ""
    yield Told(About.CARD, f"{hand_name(event.hand)}{draws}  {slots_face(slots)}{carried}")


def _tell_draw_taken(_: Telling, event: e.DrawTaken) -> Iterator[Told]:
    yield Told(About.NOTE, f"the dealer draws in place of {event.player}{by_clause(event.clause)}")


def _tell_revealed(telling: Telling, event: e.CardRevealed) -> Iterator[Told]:
    yield Told(About.CARD, f"{hand_name(event.hand)}  {slots_face(telling.state.slots(event.hand))}")


def _tell_corrected(telling: Telling, event: e.CardCorrected) -> Iterator[Told]:
    hand = f"{hand_name(event.hand)}  {slots_face(telling.state.slots(event.hand))}"
    yield Told(About.CARD, f"{hand}  (put right: {event.card.symbol}, not {event.was.symbol})")


def _deal_finished_facts(event: e.DealFinished) -> list[FactLine]:
    points = event.player_points, event.banker_points
    return [fact("finished", event.winner.value, *points, *event.declared)]


def _tell_finished(telling: Telling, event: e.DealFinished) -> Iterator[Told]:
    names = {
        declaration.name: declaration.labels.en
        for declaration, _ in telling.book.declarations
        if declaration.name != Winner.TIE.value
    }
    called = [names[name] for name in event.declared if name in names]
    wins = "Tie" if event.winner is Winner.TIE else f"{event.winner.value.title()} wins"
    totals = f"Player {event.player_points}, Banker {event.banker_points}"
    yield Told(About.RESULT, f"{', '.join([wins, *called])}: {totals}")


def _squeeze_asked_facts(event: e.SqueezeAsked) -> list[FactLine]:
    hand = event.hand.value if event.hand else None
    return [fact("squeeze-asked", event.player, event.kind.value, hand, event.number)]


def _tell_squeeze_asked(_: Telling, event: e.SqueezeAsked) -> Iterator[Told]:
    card = f": {hand_name(event.hand)} {event.number}" if event.hand else ""
    yield Told(About.NOTE, f"{event.player} {_SQUEEZES[event.kind.value]}{card}")


def _squeeze_answered_facts(event: e.SqueezeAnswered) -> list[FactLine]:
    answer, waives = "yes" if event.consent else "no", "waives" if event.waives else None
    return [fact("squeeze-answered", answer, waives, event.clause)]


def _tell_squeeze_answered(_: Telling, event: e.SqueezeAnswered) -> Iterator[Told]:
    answer = "the house consents" if event.consent else "the house does not consent"
    waives = "; insurance after Player's third card is waived for all" if event.waives else ""
    yield Told(About.NOTE, f"{answer}{waives}{by_clause(event.clause)}")


_SQUEEZES = {
    "card": "asks to squeeze a card",
    "banker-third-first": "asks to squeeze Banker's third card before Player's is opened",
    "banker-third-shown": "asks to see Banker's third card before squeezing Player's",
}


WORDS = {
    e.CardDealt: Words(("dealt",), _card_dealt_facts, _tell_dealt),
    e.DrawTaken: Words(
        ("draw-taken",), lambda event: [fact("draw-taken", event.player, event.clause)], _tell_draw_taken
    ),
    e.CardRevealed: Words(
        ("revealed",),
        lambda event: [fact("revealed", event.hand.value, event.number, event.card)],
        _tell_revealed,
    ),
    e.CardCorrected: Words(
        ("corrected",),
        lambda event: [fact("corrected", event.hand.value, event.number, event.was, "to", event.card)],
        _tell_corrected,
    ),
    e.DealFinished: Words(("finished",), _deal_finished_facts, _tell_finished),
    e.SqueezeAsked: Words(("squeeze-asked",), _squeeze_asked_facts, _tell_squeeze_asked),
    e.SqueezeAnswered: Words(("squeeze-answered",), _squeeze_answered_facts, _tell_squeeze_answered),
}
