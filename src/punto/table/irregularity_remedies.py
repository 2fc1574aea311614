"""Remedies: hands are put right or played as they lie, players choose, bets go back, a round is void."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import astuple, replace

from punto.cards.card import Card
from punto.rules.book_text import Finding, Irregularity, Options, Remedy, Replacement
from punto.rules.outcome import Hand
from punto.table import irregularity_events as events
from punto.table import irregularity_findings as findings
from punto.table.antes import open_antes
from punto.table.dealing import CardRevealed, open_from_the_start
from punto.table.header import Draft, EventHeader
from punto.table.house import void_round
from punto.table.insurance import on_true_hand
from punto.table.irregularity_case import Awaits, Face, FoundClause, Place, Resolution, RoundCard, Seen, hand_of
from punto.table.settlement import settle
from punto.table.state import AnteState, Case, Slot, Table, slots_face
from punto.table.words import FactLine, Sentence, Telling, Theme, Words, fact, plain, say, stake_fact

Shown = tuple[Card | None, ...]  # The faces of a hand; None for a card that lies face down.


def rule_of(table: Table) -> Irregularity:
    assert table.state.found_clause is not None
    return findings.rule_on(table.book, table.state.found_clause.finding)


def pursue(draft: Draft, known: tuple[Finding, ...] | None = None) -> None:
    """Say which clause was found, where it changed, and go on until somebody has to decide.

    `known` is what the evidence comes to, where that has been worked out.
    """
    case = draft.state.open_case
    found = findings.find_clause(draft.table, case, known)
    say_clause(draft, found)
    rule = findings.rule_on(draft.book, found.finding)
    if Seen.INTERRUPTION in case.evidence.seen and _is_cut_short(draft, found):
        return
    if found.finding in findings.OF_THE_SET and found.awaits is Awaits.NOTHING:
        close_case(draft, Resolution.STANDS, rule.clause)  # found between rounds: the settled round stands
        _replace_cards(draft, rule)
    elif found.awaits is Awaits.OPTIONS:
        play_remedy(draft, rule)


def say_clause(draft: Draft, found: FoundClause) -> None:
    if found != draft.state.found_clause:
        draft.add(events.ClauseFound, draft.state.open_case.number, *astuple(found))


def _is_cut_short(draft: Draft, found: FoundClause) -> bool:
    """After an interruption there is no choice: with an outcome established the round is completed, else it
    is void. A case beside it is then finished, or void with the round.
    """
    rule = findings.rule_on(draft.book, Finding.INTERRUPTION)
    if rule.remedy is not Remedy.COMPLETE_OR_VOID or found.awaits is Awaits.VOID:
        return False
    is_certain = findings.is_certain(draft.table)
    if not is_certain:
        void_for_case(draft, rule.void_clause or rule.clause, "", finding=Finding.INTERRUPTION)
    elif found.finding is Finding.INTERRUPTION:
        close_case(draft, Resolution.COMPLETED, rule.clause)
    return not is_certain or found.finding is Finding.INTERRUPTION


def _replace_cards(draft: Draft, rule: Irregularity) -> None:
    """The cards are changed where the book says so."""
    if rule.replace_cards is Replacement.MUST:
        draft.add(events.CardsReplaced, rule.replace_clause)


def play_remedy(draft: Draft, rule: Irregularity) -> None:
    """Put the hands right, or leave them as they lie, and give the players their choice."""
    case = draft.state.open_case
    if case.is_possible is False:
        resolution = Resolution.CONTINUED
        _as_they_lie(draft, rule)
    elif rule.remedy is Remedy.ORDER_CARDS:
        resolution = Resolution.ORDERED
        _reconstruct(draft, rule)
    elif case.is_possible or findings.is_to_be_put_right(draft.book, case.evidence):
        resolution = Resolution.RECONSTRUCTED
        _reconstruct(draft, rule)
    else:
        resolution = Resolution.PLAYED_ON
        if case.evidence.brought or _is_otherwise(case):
            _reconstruct(draft, rule)
        _turn_up(draft, case)
    _give_options(draft, rule, resolution)


def _turn_up(draft: Draft, case: Case) -> None:
    """Cards on record that show their face too early stay so."""
    number, shown = dict.fromkeys(Hand, 0), {card.nth: card.shown for card in case.evidence.cards}
    for nth, (hand, slot) in enumerate(draft.state.recorded, start=1):
        number[hand] += 1
        card = shown.get(nth)
        if card is not None and not slot.face_up:
            draft.add(CardRevealed, hand, number[hand], card)


def _is_otherwise(case: Case) -> bool:
    """Whether a card on record is another, left at another time, or lies face down after all."""
    recorded = case.before.recorded
    return any(
        card.was is not None
        or card.is_moved
        or (card.nth is not None and card.face is Face.DOWN and recorded[card.nth - 1][1].face_up)
        for card in case.evidence.cards
    )


def _reconstruct(draft: Draft, rule: Irregularity) -> None:
    case = draft.state.open_case
    left, due = case.evidence.left, findings.due_by_order(draft.table, case.evidence)
    assert due is not None, "asked before"
    cards = {hand: hand_of(left, due, hand) for hand in Hand}
    carried = tuple(card.shown for card in hand_of(left, due, None))
    opened = open_from_the_start(draft.table)
    player, banker, waits = _as_played(cards, draft.table)
    draft.add(events.CardsReconstructed, due, player, banker, carried, rule.clause, opened, waits, _slips(case))


def _slips(case: Case) -> tuple[int, ...]:
    """Numbers of cards that never left the shoe; one that only a report spoke of comes after the record."""
    after = len(case.before.record) + 1
    return tuple(card.nth or after for card in case.evidence.slips)


def _as_played(cards: Mapping[Hand, Sequence[RoundCard]], table: Table) -> tuple[Shown, Shown, bool]:
    """The faces that show when these hands are played, and whether antes have to wait for theirs."""
    player, banker = (tuple(Slot(card.card, card.face is Face.UP) for card in cards[hand]) for hand in Hand)
    state = replace(table.state, player=player, banker=banker)
    state = events.with_opened(replace(state, record=state.dealing_order), cards, open_from_the_start(table))
    faces = [tuple(slot.card if slot.face_up else None for slot in state.slots(hand)) for hand in Hand]
    needed = table.book.ante.shown_cards if table.book.ante is not None and open_antes(table) else 0
    return faces[0], faces[1], not all(slot.face_up for slot in state.order[:needed])


def _as_they_lie(draft: Draft, rule: Irregularity) -> None:
    case = draft.state.open_case
    left = findings.in_true_places(Table(draft.book, case.before), case.evidence).left
    cards = {hand: findings.lying_with(left, Place(hand.value)) for hand in Hand}
    out = tuple(card.shown for card in left if card.is_recovered)
    both = zip(left, case.evidence.left, strict=True)
    moved = tuple((card.nth or 0, card.lies) for card, reported in both if card.lies is not reported.lies)
    player, banker, waits = _as_played(cards, draft.table)
    draft.add(events.CardsPlayedAsTheyLie, player, banker, out, rule.clause, waits, _slips(case), moved)


def _give_options(draft: Draft, rule: Irregularity, resolution: Resolution) -> None:
    """Ask every player at the table, where the book gives them a choice; otherwise play goes on."""
    players, case = draft.state.bettors, draft.state.open_case
    if _has_options(draft.table, rule, case) and players:
        draft.add(events.OptionsGiven, players, resolution.puts_right, rule.options_clause)
    else:
        close_case(draft, resolution, rule.clause)


def _has_options(table: Table, rule: Irregularity, case: Case) -> bool:
    if rule.options in (Options.NEVER, Options.ALWAYS):
        return rule.options is Options.ALWAYS
    established = findings.is_established(table.book, table.state.player, table.state.banker)
    if rule.options is Options.NO_OUTCOME:
        return not established
    return not (established and case.is_possible is not False)


def close_case(draft: Draft, resolution: Resolution, clause: str | None, reason: str = "") -> None:
    """Close the case; whoever still had a choice in the one before is asked first."""
    case, is_superseded = draft.state.open_case, resolution is Resolution.SUPERSEDED
    assert case.found is not None
    still_asked = tuple(player for player in case.still_asked if player in draft.state.bettors)
    if still_asked and not is_superseded:
        _ask_again(draft, case, still_asked, resolution)
        return
    if case.slips and not resolution.takes_back:
        return_false(draft, case)
    draft.add(events.CaseClosed, case.number, case.found.finding, resolution, clause, reason)
    if not is_superseded:
        draft.closed = case, resolution


def follow_case(draft: Draft, case: Case, resolution: Resolution) -> None:
    """What follows once a case is closed and the deal has gone on as far as it can."""
    if not resolution.takes_back:
        _open_next(draft, case)
    elif case.reverses:
        settle(draft)  # nothing was wrong with the settlement that the report took back


def return_false(draft: Draft, case: Case) -> None:
    """Give back what was staked on a hand with a card that never left the shoe.

    Insurance stands where the true hand offers the same; antes that were decided by the true card stay so.
    """
    table, nth = draft.table, min(case.slips)
    stands = [(taken, on_true_hand(table, taken) if taken.window >= nth else taken) for taken in table.state.insured]
    insured = tuple(true for _, true in stands if true is not None)
    stakes = [taken.as_stake for taken, true in stands if true is None]
    antes_again = _is_ante_false(table, case, nth)
    if antes_again and table.book.ante is not None:
        wagers = {pair.wager for pair in table.book.ante.pairs}
        stakes += [bet.as_stake for bet in table.state.bets if bet.area in wagers]
    if insured != table.state.insured or antes_again:
        draft.add(events.BetsReturned, tuple(stakes), None, is_slip=True, insured=insured, antes_again=antes_again)


def _is_ante_false(table: Table, case: Case, nth: int) -> bool:
    """Whether an ante was decided by a card that never left the shoe, and the true one is not the same."""
    ante, was = table.book.ante, case.before
    if ante is None or nth > ante.shown_cards or all(bet.ante is AnteState.OPEN for bet in table.state.bets):
        return False
    first_cards = [[slot.card for slot in state.order[: ante.shown_cards]] for state in (was, table.state)]
    return first_cards[0] != first_cards[1]


def _ask_again(draft: Draft, case: Case, players: tuple[str, ...], resolution: Resolution) -> None:
    if resolution.takes_back:
        draft.add(events.EvidenceWithdrawn, case.number, findings.record_of(case.before))
    # The choice is as it was given, unless other hands are played since.
    was_put_right = case.asked_reconstructed and resolution is not Resolution.CONTINUED
    draft.add(events.OptionsGiven, players, resolution.puts_right or was_put_right, case.asked_clause)


def _open_next(draft: Draft, case: Case) -> None:
    """What was seen beside the finding that is resolved now has its own turn."""
    assert case.found is not None
    left = [seen for seen in _TURNS if seen in case.evidence.seen and _TURNS[seen] is not case.found.finding]
    evidence = replace(findings.record_of(draft.state), seen=tuple(left))
    if left and (next_findings := findings.weigh(draft.table, evidence)):
        draft.add(events.CaseOpened, case=draft.state.cases + 1, evidence=evidence)
        pursue(draft, next_findings)


_TURNS = {Seen.INSURANCE_NEGLECTED: Finding.INSURANCE_NEGLECTED, Seen.UNCOVERED: Finding.UNCOVERED}
"""What has nothing to do with the cards, and waits until they are put right."""


def void_for_case(draft: Draft, clause: str | None, reason: str, *, finding: Finding | None = None) -> None:
    """The round is void, and the cards are replaced where the book says so."""
    cause = finding or (draft.state.found_clause.finding if draft.state.found_clause else None)
    void_round(draft, clause, reason, cause)
    if cause is not None:
        _replace_cards(draft, findings.rule_on(draft.book, cause))


def can_play_on(table: Table) -> bool:
    """Whether the hands can be completed: put right by their order, or as they lie, where every order in which they may
    have come makes the same hands of them.
    """
    case, play = table.state.open_case, table.book.play
    evidence = findings.in_true_places(Table(table.book, case.before), case.evidence)
    if findings.due_by_order(table, evidence) is not None:
        return True
    orders = findings.possible_orders(table.state.round_terms, play, evidence)
    as_they_lie = {
        findings.hands_as_read(table, {hand: findings.lying_with(cards, Place(hand.value)) for hand in Hand})
        for cards in orders
    }
    return len(as_they_lie) == 1 and not any(findings.has_wrong_number(play, cards) for cards in orders)


def play_on(draft: Draft) -> None:
    """After a ruling: the hands as their order makes them, or, where that cannot be known, as they lie."""
    case, rule = draft.state.open_case, rule_of(draft.table)
    if case.evidence.brought or findings.is_to_be_put_right(draft.book, case.evidence) or _is_otherwise(case):
        if findings.due_by_order(draft.table, case.evidence) is None:
            _as_they_lie(draft, rule)
        else:
            _reconstruct(draft, rule)
    else:
        _turn_up(draft, case)


def _evidence_words(telling: Telling, event: events.EvidenceEvent) -> dict[str, object]:
    seen: list[str] = []
    for card in event.evidence.cards:
        if card.nth is None or card.was or card.is_moved or card.is_restated:
            seen += telling.texts("card-seen", card, shown=card.shown, was=card.was if card.shown else None)
    for fact_seen in event.evidence.seen:
        seen += telling.texts("also-seen", None, seen=fact_seen)
    return {"seen": telling.listed(seen), "note": event.evidence.note}


def _tell_found(telling: Telling, event: events.ClauseFound) -> Iterator[Sentence]:
    entry = telling.book.irregularity(event.finding)
    name = "slip-found" if event.finding is Finding.RECORD_SLIP else "clause-found"
    yield from telling.say(name, event, Theme.CASE, label=telling.text(entry.label) if entry else None)
    if event.awaits in findings.HOUSE_DECIDES and event.decider is not None:
        yield from telling.say("decision-awaited", event, Theme.CASE)


def _late_facts(event: events.ErrorFoundLate) -> Iterator[FactLine]:
    yield fact("found", Finding.FOUND_LATE, "awaits", Awaits.NOTHING, event.clause)
    yield fact("late", "round", event.round, event.clause)


def _hands(telling: Telling, _: EventHeader) -> dict[str, object]:
    return {"player": slots_face(telling.state.player), "banker": slots_face(telling.state.banker)}


def _options_given_facts(event: events.OptionsGiven) -> list[FactLine]:
    form = "continue-reconstructed" if event.is_reconstructed else "continue"
    return [fact("option", player, form, "return", event.clause) for player in event.players]


def _bets_returned_facts(event: events.BetsReturned) -> list[FactLine]:
    why = "slip" if event.is_slip else "neglected"
    return [stake_fact("returned", stake, why, event.clause) for stake in event.bets]


def _tell_bets_returned(telling: Telling, event: events.BetsReturned) -> list[Sentence]:
    return [*telling.say("bets-returned", event, Theme.CASE), *telling.stakes_back(event.bets)]


_CASE, _EVIDENCE, _PLAYED = say(Theme.CASE), say(Theme.CASE, _evidence_words), say(Theme.CASE, _hands)

IRREGULARITY_WORDS: dict[type[EventHeader], Words] = {
    events.CaseOpened: plain("case case", _EVIDENCE),
    events.EvidenceAdded: plain("evidence-added case", _EVIDENCE),
    events.EvidenceWithdrawn: plain("evidence-withdrawn case", _EVIDENCE),
    events.ClauseFound: plain("found finding awaits=awaits clause house_term?house-term", _tell_found),
    events.CaseClosed: plain("resolved finding resolution clause", _CASE),
    events.ErrorFoundLate: Words(("late", "found"), _late_facts, _CASE),
    events.CardsPlayedAsTheyLie: plain("as-they-lie player=player banker=banker out:out clause", _PLAYED),
    events.ReconstructionJudged: plain("judged possible?possible/impossible clause", _CASE),
    events.CardsOrdered: plain("ordered cards clause", _CASE),
    events.CardsReconstructed: plain("reconstructed player=player banker=banker carried:carried clause", _PLAYED),
    events.OptionsGiven: Words(("option",), _options_given_facts, say(Theme.OFFER)),
    events.OptionChosen: plain("chose player option clause", back="option"),
    events.CardsReplaced: plain("replaced clause", _CASE),
    events.BetsReturned: Words(("returned",), _bets_returned_facts, _tell_bets_returned),
    events.Ruled: plain("ruled effect clause", _CASE, back="ruling"),
    events.RoundVoided: plain("void clause", _CASE, back="void"),
}
