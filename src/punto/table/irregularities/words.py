"""Cases in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.cards.card import Card
from punto.rules.text.irregularity import Finding
from punto.table.irregularities import events as e
from punto.table.irregularities.case import Awaits
from punto.table.irregularities.clause import entry_on
from punto.table.irregularities.evidence import Evidence, RoundCard
from punto.table.irregularities.sighting import Seen
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    fact,
    fields,
    say,
    slots_face,
    stake_fact,
)


def _tell_evidence(_: Telling, event: e.CaseOpened | e.EvidenceAdded | e.EvidenceWithdrawn) -> Iterator[Told]:
    seen = [*map(_sight, _told_cards(event.evidence)), *(_SEEN[fact] for fact in event.evidence.seen)]
    what = {"case-opened": "reported", "evidence-added": "now known", "evidence-withdrawn": "still held"}
    yield Told(About.CASE, f"{what[event.name()]}: {', '.join(seen) or 'nothing'}")
    if event.evidence.note:
        yield Told(About.CASE, f"“{event.evidence.note}”")


def _told_cards(evidence: Evidence) -> list[RoundCard]:
    """The cards that a report spoke of."""
    return [
        card for card in evidence.cards if card.nth is None or card.was or card.is_moved or card.is_restated
    ]


def _sight(card: RoundCard) -> str:
    where = {
        "player": "with Player",
        "banker": "with Banker",
        "table": "on the table",
        "floor": "fell to the floor",
    }
    face = card.shown.symbol if card.shown else "a card face down"
    was = f" (not {card.was.symbol})" if card.was and card.shown else ""
    marks = [mark for mark in ("together", "foreign", "carried") if getattr(card, mark)]
    words = {"together": "drawn together", "foreign": "of another set", "carried": "carried over"}
    return " ".join(
        [face + was, where.get(card.lies.value, "never left the shoe"), *(words[mark] for mark in marks)]
    )


_SEEN = {
    Seen.FOREIGN_CARD: "a card of another set",
    Seen.WRONG_SET: "a set with too many or too few cards",
    Seen.NOT_SHUFFLED: "cards that were not shuffled",
    Seen.CARDS_RUN_OUT: "too few cards to finish the round",
    Seen.INTERRUPTION: "an interruption",
    Seen.INSURANCE_NEGLECTED: "insurance that was not offered",
    Seen.UNCOVERED: "something that the rules do not cover",
}


def _tell_found(telling: Telling, event: e.ClauseFound) -> Iterator[Told]:
    entry = entry_on(telling.book, event.finding)
    label = entry.label if entry else f"{event.finding.value}: the document does not speak of it"
    yield Told(About.CASE, f"{label}{by_clause(event.clause)}")
    if event.awaits in _WAITING and event.decider is not None:
        house = " (house term; the document names nobody)" if event.house_term else ""
        yield Told(About.CASE, f"{_WAITING[event.awaits]}: {event.decider.value} or above{house}")


_WAITING = {
    Awaits.ORDER: "who sets the order of the cards",
    Awaits.JUDGEMENT: "who says whether the cards can be put right",
    Awaits.VOID: "who voids the round",
    Awaits.RETURN_BETS: "who returns the bets",
    Awaits.RULING: "who rules",
}


def _clause_facts(event: e.ClauseFound) -> list[FactLine]:
    house = "house-term" if event.house_term else None
    return [fact("found", event.finding.value, "awaits", event.awaits.value, event.clause, house)]


def _late_facts(event: e.ErrorFoundLate) -> Iterator[FactLine]:
    yield fact("found", Finding.FOUND_LATE.value, "awaits", Awaits.NOTHING.value, event.clause)
    yield fact("late", "round", event.round, event.clause)


def _named(cards: tuple[Card | None, ...]) -> tuple[str, ...]:
    return tuple("unseen" if card is None else str(card) for card in cards)


def _as_they_lie_facts(event: e.CardsPlayedAsTheyLie) -> list[FactLine]:
    hands = ("player", *_named(event.player), "banker", *_named(event.banker))
    out = ("out", *_named(event.out)) if event.out else ()
    return [fact("as-they-lie", *hands, *out, event.clause)]


def _tell_as_they_lie(telling: Telling, event: e.CardsPlayedAsTheyLie) -> Iterator[Told]:
    hands = f"Player {slots_face(telling.state.player)}, Banker {slots_face(telling.state.banker)}"
    out = f"; out of play: {_faces(event.out)}" if event.out else ""
    yield Told(About.CASE, f"played as they lie: {hands}{out}{by_clause(event.clause)}")


def _faces(cards: tuple[Card | None, ...]) -> str:
    return " ".join("▯" if card is None else card.symbol for card in cards)


def _tell_case_closed(_: Telling, event: e.CaseClosed) -> Iterator[Told]:
    reason = f": {event.reason}" if event.reason else ""
    yield Told(About.CASE, f"the case is closed, {event.resolution}{reason}{by_clause(event.clause)}")


def _tell_found_late(_: Telling, event: e.ErrorFoundLate) -> Iterator[Told]:
    text = f"an error of round {event.round} is found too late to change anything{by_clause(event.clause)}"
    yield Told(About.CASE, text)


def _tell_judged(_: Telling, event: e.ReconstructionJudged) -> Iterator[Told]:
    can = "can" if event.possible else "cannot"
    yield Told(About.CASE, f"{event.by} says that the cards {can} be put right{by_clause(event.clause)}")


def _tell_ordered(_: Telling, event: e.CardsOrdered) -> Iterator[Told]:
    yield Told(About.CASE, f"{event.by} sets the order: {_faces(event.cards)}{by_clause(event.clause)}")


def _reconstructed_facts(event: e.CardsReconstructed) -> list[FactLine]:
    carried = ("carried", *_named(event.carried)) if event.carried else ()
    hands = ("player", *_named(event.player), "banker", *_named(event.banker))
    return [fact("reconstructed", *hands, *carried, event.clause)]


def _tell_reconstructed(telling: Telling, event: e.CardsReconstructed) -> Iterator[Told]:
    hands = f"Player {slots_face(telling.state.player)}, Banker {slots_face(telling.state.banker)}"
    over = f"; {_faces(event.carried)} starts the next round" if event.carried else ""
    yield Told(About.CASE, f"put right: {hands}{over}{by_clause(event.clause)}")


def _options_given_facts(event: e.OptionsGiven) -> Iterator[FactLine]:
    form = "continue-reconstructed" if event.is_reconstructed else "continue"
    for player in event.players:
        yield fact("option", player, form, "return", event.clause)


def _tell_options(_: Telling, event: e.OptionsGiven) -> Iterator[Told]:
    form = "continue with the reconstructed hand" if event.is_reconstructed else "continue"
    yield Told(
        About.OFFER, f"{', '.join(event.players)}: {form}, or have all bets back?{by_clause(event.clause)}"
    )


def _option_chosen_facts(event: e.OptionChosen) -> Iterator[FactLine]:
    yield fact("chose", event.player, event.option.value, event.clause)
    for stake in event.returned:
        yield stake_fact("returned", stake, "option", event.clause)


def _tell_chosen(telling: Telling, event: e.OptionChosen) -> Iterator[Told]:
    does = "has all bets back" if event.returned else "continues"
    yield Told(About.NOTE, f"{event.player} {does}{by_clause(event.clause)}")
    yield from telling.stakes_back(event.returned)


def _bets_returned_facts(event: e.BetsReturned) -> Iterator[FactLine]:
    for stake in event.bets:
        yield stake_fact("returned", stake, "slip" if event.is_slip else "neglected", event.clause)


def _tell_bets_returned(telling: Telling, event: e.BetsReturned) -> Iterator[Told]:
    whose = "insurance on a card that never left the shoe goes"
    if not event.is_slip:
        whose = "the bets of those who wished to insure go"
    yield Told(About.CASE, f"{whose} back{by_clause(event.clause)}")
    yield from telling.stakes_back(event.bets)


def _ruled_facts(event: e.Ruled) -> Iterator[FactLine]:
    yield fact("ruled", event.effect.value, event.clause)
    for stake in event.returned:
        yield stake_fact("returned", stake, "ruling", event.clause)


def _tell_ruled(telling: Telling, event: e.Ruled) -> Iterator[Told]:
    text = f"{event.by} rules: {event.effect.value}; {event.reason}{by_clause(event.clause)}"
    yield Told(About.CASE, text)
    yield from telling.stakes_back(event.returned)


def _round_voided_facts(event: e.RoundVoided) -> Iterator[FactLine]:
    yield fact("void", event.clause)
    for stake in event.returned:
        yield stake_fact("returned", stake, "void", event.clause)


def _tell_voided(telling: Telling, event: e.RoundVoided) -> Iterator[Told]:
    yield Told(About.CASE, f"round {event.round} is void, every bet goes back{by_clause(event.clause)}")
    yield from telling.stakes_back(event.returned)


WORDS = {
    e.CaseOpened: Words(("case",), fields("case", "case"), _tell_evidence),
    e.EvidenceAdded: Words(("evidence-added",), fields("evidence-added", "case"), _tell_evidence),
    e.EvidenceWithdrawn: Words(("evidence-withdrawn",), fields("evidence-withdrawn", "case"), _tell_evidence),
    e.ClauseFound: Words(("found",), _clause_facts, _tell_found),
    e.CaseClosed: Words(
        ("resolved",),
        lambda event: [fact("resolved", event.finding.value, event.resolution, event.clause)],
        _tell_case_closed,
    ),
    e.ErrorFoundLate: Words(("late", "found"), _late_facts, _tell_found_late),
    e.CardsPlayedAsTheyLie: Words(("as-they-lie",), _as_they_lie_facts, _tell_as_they_lie),
    e.ReconstructionJudged: Words(
        ("judged",),
        lambda event: [fact("judged", "possible" if event.possible else "impossible", event.clause)],
        _tell_judged,
    ),
    e.CardsOrdered: Words(
        ("ordered",), lambda event: [fact("ordered", *_named(event.cards), event.clause)], _tell_ordered
    ),
    e.CardsReconstructed: Words(("reconstructed",), _reconstructed_facts, _tell_reconstructed),
    e.OptionsGiven: Words(("option",), _options_given_facts, _tell_options),
    e.OptionChosen: Words(("chose", "returned"), _option_chosen_facts, _tell_chosen),
    e.CardsReplaced: Words(
        ("replaced",),
        fields("replaced", "clause"),
        say(About.CASE, "the cards are replaced by a new set{by_clause}"),
    ),
    e.BetsReturned: Words(("returned",), _bets_returned_facts, _tell_bets_returned),
    e.Ruled: Words(("ruled", "returned"), _ruled_facts, _tell_ruled),
    e.RoundVoided: Words(("void", "returned"), _round_voided_facts, _tell_voided),
}
