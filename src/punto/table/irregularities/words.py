"""Cases in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.table.irregularities import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    faces,
    fact,
    fields,
    say,
    slots_face,
    stake_fact,
)


def _tell_case_opened(telling: Telling, event: e.CaseOpened) -> Iterator[Told]:
    entry = telling.book.irregularity(event.kind)
    label = entry.label if entry else event.kind.value
    cards = f": {faces(event.cards)}" if event.cards else ""
    yield Told(About.CASE, f"{label}{cards}{by_clause(event.clause)}")
    if event.note:
        yield Told(About.CASE, f"“{event.note}”")


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
    yield Told(About.CASE, f"{event.by} sets the order: {faces(event.cards)}{by_clause(event.clause)}")


def _reconstructed_facts(event: e.CardsReconstructed) -> list[FactLine]:
    carried = ("carried", *event.carried) if event.carried else ()
    hands = ("player", *event.player, "banker", *event.banker)
    return [fact("reconstructed", *hands, *carried, event.clause)]


def _tell_reconstructed(telling: Telling, event: e.CardsReconstructed) -> Iterator[Told]:
    hands = f"Player {slots_face(telling.state.player)}, Banker {slots_face(telling.state.banker)}"
    over = f"; {faces(event.carried)} starts the next round" if event.carried else ""
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
        yield stake_fact("returned", stake, "neglected", event.clause)


def _tell_bets_returned(telling: Telling, event: e.BetsReturned) -> Iterator[Told]:
    yield Told(About.CASE, f"the bets of those who wished to insure go back{by_clause(event.clause)}")
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
    e.CaseOpened: Words(
        ("case",),
        lambda event: [fact("case", event.kind.value, "awaits", event.awaits, event.clause)],
        _tell_case_opened,
    ),
    e.CaseClosed: Words(
        ("resolved",),
        lambda event: [fact("resolved", event.kind.value, event.resolution, event.clause)],
        _tell_case_closed,
    ),
    e.ErrorFoundLate: Words(
        ("late",),
        lambda event: [fact("late", event.kind.value, "round", event.round, event.clause)],
        _tell_found_late,
    ),
    e.ReconstructionJudged: Words(
        ("judged",),
        lambda event: [fact("judged", "possible" if event.possible else "impossible", event.clause)],
        _tell_judged,
    ),
    e.CardsOrdered: Words(
        ("ordered",), lambda event: [fact("ordered", *event.cards, event.clause)], _tell_ordered
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
