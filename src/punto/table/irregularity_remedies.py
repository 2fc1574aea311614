"""Remedies: hands are put right or played as they lie, players choose, bets go back, a round is void; and
their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import astuple, replace

from punto.cards.card import Card
from punto.rules.book_text import Finding, Irregularity, Options, Remedy, Replacement
from punto.rules.outcome import Hand
from punto.table.antes import open_antes
from punto.table.dealing import CardRevealed, open_from_the_start
from punto.table.header import Draft, EventHeader
from punto.table.insurance import on_true_hand
from punto.table.irregularity_case import Awaits, Case, Face, Found, Place, Resolution, RoundCard, Seen, hand_of
from punto.table.irregularity_events import (
    BetsReturned,
    CardsOrdered,
    CardsPlayedAsTheyLie,
    CardsReconstructed,
    CardsReplaced,
    CaseClosed,
    CaseOpened,
    ClauseFound,
    ErrorFoundLate,
    EvidenceAdded,
    EvidenceWithdrawn,
    OptionChosen,
    OptionsGiven,
    ReconstructionJudged,
    RoundVoided,
    Ruled,
    with_opened,
)
from punto.table.irregularity_findings import (
    OF_THE_SET,
    due_by_order,
    entry_on,
    find_clause,
    findings,
    has_wrong_number,
    in_true_places,
    is_certain,
    is_established,
    is_to_be_put_right,
    lying_with,
    possible_orders,
    record_of,
    rule_on,
)
from punto.table.settlement import settle
from punto.table.state import AnteState, Slot, Stake, Table
from punto.table.words import (
    FactLine,
    Sentence,
    Telling,
    Theme,
    Words,
    by_clause,
    fact,
    plain,
    say,
    slots_face,
    stake_fact,
)


def rule_of(table: Table) -> Irregularity:
    found = table.state.open_case.found
    assert found is not None
    return rule_on(table.book, found.finding)


def pursue(draft: Draft, known: tuple[Finding, ...] | None = None) -> None:
    """Say which clause was found, where it changed, and go on until somebody has to decide.

    `known` is what the evidence comes to, where that has been worked out.
    """
    case = draft.state.open_case
    found = find_clause(draft.table, case, known)
    say_found(draft, found)
    rule = rule_on(draft.book, found.finding)
    if Seen.INTERRUPTION in case.evidence.seen and _is_cut_short(draft, found):
        return
    if found.finding in OF_THE_SET and found.awaits is Awaits.NOTHING:
        close_case(draft, Resolution.STANDS, rule.clause)  # found between rounds: the settled round stands
        _replace_cards(draft, rule)
    elif found.awaits is Awaits.OPTIONS:
        play_remedy(draft, rule)


def say_found(draft: Draft, found: Found) -> None:
    case = draft.state.open_case
    if found == case.found:
        return
    draft.add(ClauseFound(*draft.stamp, case.number, *astuple(found)))


def _is_cut_short(draft: Draft, found: Found) -> bool:
    """After an interruption there is no choice: with an outcome established the round is completed, else it
    is void. A case beside it is then finished, or void with the round.
    """
    rule = rule_on(draft.book, Finding.INTERRUPTION)
    if rule.remedy is not Remedy.COMPLETE_OR_VOID or found.awaits is Awaits.VOID:
        return False
    if not is_certain(draft.table):
        void_for_case(draft, rule.void_clause or rule.clause, "", finding=Finding.INTERRUPTION)
        return True
    if found.finding is Finding.INTERRUPTION:
        close_case(draft, Resolution.COMPLETED, rule.clause)
        return True
    return False


def _replace_cards(draft: Draft, rule: Irregularity) -> None:
    """The cards are changed where the book says so."""
    if rule.replace_cards is Replacement.MUST:
        draft.add(CardsReplaced(*draft.stamp, clause=rule.replace_clause))


def play_remedy(draft: Draft, rule: Irregularity) -> None:
    """Put the hands right, or leave them as they lie, and give the players their choice."""
    case = draft.state.open_case
    if case.is_possible is False:
        _as_they_lie(draft, rule)
        _give_options(draft, rule, Resolution.CONTINUED)
    elif rule.remedy is Remedy.ORDER_CARDS:
        _reconstruct(draft, rule)
        _give_options(draft, rule, Resolution.ORDERED)
    elif case.is_possible or is_to_be_put_right(draft.book, case.evidence):
        _reconstruct(draft, rule)
        _give_options(draft, rule, Resolution.RECONSTRUCTED)
    else:
        if case.evidence.brought or _is_otherwise(case):
            _reconstruct(draft, rule)
        _turn_up(draft, case)
        _give_options(draft, rule, Resolution.PLAYED_ON)


def _turn_up(draft: Draft, case: Case) -> None:
    """Cards on record that show their face too early stay so."""
    number = dict.fromkeys(Hand, 0)
    for hand, slot in draft.state.recorded:
        number[hand] += 1
        nth = sum(number.values())
        card = next((card for card in case.evidence.cards if card.nth == nth), None)
        if card is not None and card.shown is not None and not slot.face_up:
            draft.add(CardRevealed(*draft.stamp, hand=hand, number=number[hand], card=card.shown))


def _is_otherwise(case: Case) -> bool:
    """Whether a card on record is another, left at another time, or lies face down after all."""
    recorded = case.state_before.recorded
    return any(
        card.was is not None
        or card.is_moved
        or (card.nth is not None and card.face is Face.DOWN and recorded[card.nth - 1][1].face_up)
        for card in case.evidence.cards
    )


def _reconstruct(draft: Draft, rule: Irregularity) -> None:
    case = draft.state.open_case
    left = case.evidence.left
    due = due_by_order(draft.table, case.evidence)
    assert due is not None, "asked before"
    opened = open_from_the_start(draft.table)
    hands = _as_played(hand_of(left, due, Hand.PLAYER), hand_of(left, due, Hand.BANKER), draft.table)
    draft.add(
        CardsReconstructed(
            *draft.stamp,
            due=due,
            player=hands.player_faces,
            banker=hands.banker_faces,
            carried=tuple(card.shown for card in hand_of(left, due, None)),
            clause=rule.clause,
            opened=opened,
            antes_wait=hands.antes_wait,
            slips=_slips(case),
        )
    )


def _slips(case: Case) -> tuple[int, ...]:
    """Numbers of cards that never left the shoe; one that only a report spoke of comes after the record."""
    after = len(case.state_before.record) + 1
    return tuple(card.nth or after for card in case.evidence.slips)


class _Hands(NamedTuple):
    """Hands as they will lie: the faces that show, and whether antes have to wait for theirs."""

    player_faces: tuple[Card | None, ...]
    banker_faces: tuple[Card | None, ...]
    antes_wait: bool


def _as_played(player: Sequence[RoundCard], banker: Sequence[RoundCard], table: Table) -> _Hands:
    """Cards played in these hands as they will lie."""
    slots = [tuple(Slot(card.card, card.face is Face.UP) for card in hand) for hand in (player, banker)]
    state = replace(table.state, player=slots[0], banker=slots[1])
    cards = {Hand.PLAYER: player, Hand.BANKER: banker}
    state = with_opened(replace(state, record=state.dealing_order), cards, open_from_the_start(table))
    faces = [tuple(slot.card if slot.face_up else None for slot in state.slots(hand)) for hand in Hand]
    needed = table.book.ante.shown_cards if table.book.ante is not None and open_antes(table) else 0
    waits = not all(slot.face_up for slot in state.order[:needed])
    return _Hands(faces[0], faces[1], waits)


def _as_they_lie(draft: Draft, rule: Irregularity) -> None:
    case = draft.state.open_case
    left = in_true_places(Table(draft.book, case.state_before), case.evidence).left
    player, banker = lying_with(left, Place.PLAYER), lying_with(left, Place.BANKER)
    out = tuple(card.shown for card in left if card.lies in (Place.TABLE, Place.FLOOR))
    hands = _as_played(player, banker, draft.table)
    draft.add(
        CardsPlayedAsTheyLie(
            *draft.stamp,
            player=hands.player_faces,
            banker=hands.banker_faces,
            out=out,
            clause=rule.clause,
            antes_wait=hands.antes_wait,
            slips=_slips(case),
            moved=tuple(
                (card.nth or 0, card.lies)
                for card, told in zip(left, case.evidence.left, strict=True)
                if card.lies is not told.lies
            ),
        )
    )


def _give_options(draft: Draft, rule: Irregularity, resolution: Resolution) -> None:
    """Ask every player at the table, where the book gives them a choice; otherwise play goes on."""
    players, case = draft.state.bettors, draft.state.open_case
    if not (_has_options(draft.table, rule, case) and players):
        close_case(draft, resolution, rule.clause)
        return
    clause = rule.options_clause
    draft.add(OptionsGiven(*draft.stamp, players=players, is_reconstructed=resolution.puts_right, clause=clause))


def _has_options(table: Table, rule: Irregularity, case: Case) -> bool:
    if rule.options in (Options.NEVER, Options.ALWAYS):
        return rule.options is Options.ALWAYS
    established = is_established(table.book, table.state.player, table.state.banker)
    if rule.options is Options.NO_OUTCOME:
        return not established
    return not (established and case.is_possible is not False)


def close_case(draft: Draft, resolution: Resolution, clause: str | None, reason: str = "") -> None:
    """Close the case; whoever still had a choice in the one before is asked first."""
    is_superseded = resolution is Resolution.SUPERSEDED
    case = draft.state.open_case
    assert case.found is not None
    still_asked = tuple(player for player in case.still_asked if player in draft.state.bettors)
    if still_asked and not is_superseded:
        _ask_again(draft, case, still_asked, resolution)
        return
    if case.slips and not resolution.takes_back:
        return_false(draft, case)
    draft.add(CaseClosed(*draft.stamp, case.number, case.found.finding, resolution, clause, reason))
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
    stakes = [Stake(taken.box, taken.player, taken.area, taken.amount) for taken, true in stands if true is None]
    antes_again = _is_ante_false(table, case, nth)
    if antes_again and table.book.ante is not None:
        wagers = {pair.wager for pair in table.book.ante.pairs}
        laid = (bet for bet in table.state.bets if bet.area in wagers)
        stakes += [Stake(bet.box, bet.player, bet.area, bet.stake) for bet in laid]
    if insured == table.state.insured and not antes_again:
        return
    draft.add(
        BetsReturned(
            *draft.stamp, bets=tuple(stakes), clause=None, is_slip=True, insured=insured, antes_again=antes_again
        )
    )


def _is_ante_false(table: Table, case: Case, nth: int) -> bool:
    """Whether an ante was decided by a card that never left the shoe, and the true one is not the same."""
    ante, was = table.book.ante, case.state_before
    if ante is None or nth > ante.shown_cards or all(bet.ante is AnteState.OPEN for bet in table.state.bets):
        return False
    first_cards = [[slot.card for slot in state.order[: ante.shown_cards]] for state in (was, table.state)]
    return first_cards[0] != first_cards[1]


def _ask_again(draft: Draft, case: Case, players: tuple[str, ...], resolution: Resolution) -> None:
    if resolution.takes_back:
        record = record_of(case.state_before)
        draft.add(EvidenceWithdrawn(*draft.stamp, case=case.number, evidence=record))
    # The choice is as it was given, unless other hands are played since.
    was_put_right = case.asked_reconstructed and resolution is not Resolution.CONTINUED
    put_right = resolution.puts_right or was_put_right
    clause = case.asked_clause
    draft.add(OptionsGiven(*draft.stamp, players=players, is_reconstructed=put_right, clause=clause))


def _open_next(draft: Draft, case: Case) -> None:
    """What was seen beside the finding that is resolved now has its own turn."""
    assert case.found is not None
    left = [seen for seen in _TURNS if seen in case.evidence.seen and _TURNS[seen] is not case.found.finding]
    evidence = replace(record_of(draft.state), seen=tuple(left))
    if left and (next_findings := findings(draft.table, evidence)):
        draft.add(CaseOpened(*draft.stamp, case=draft.state.cases + 1, evidence=evidence))
        pursue(draft, next_findings)


_TURNS = {Seen.INSURANCE_NEGLECTED: Finding.INSURANCE_NEGLECTED, Seen.UNCOVERED: Finding.UNCOVERED}
"""What has nothing to do with the cards, and waits until they are put right."""


def void_for_case(draft: Draft, clause: str | None, reason: str, *, finding: Finding | None = None) -> None:
    """Every bet of the round goes back, insurance, wagers and given-up antes too."""
    case, state = draft.state.case, draft.state
    cause = finding or (case.found.finding if case and case.found else None)
    if case is not None and cause is not None:
        draft.add(CaseClosed(*draft.stamp, case=case.number, finding=cause, resolution=Resolution.VOID, clause=clause))
    draft.add(RoundVoided(*draft.stamp, round=state.round, clause=clause, returned=state.stakes, reason=reason))
    if cause is not None:
        _replace_cards(draft, rule_on(draft.book, cause))


def can_play_on(table: Table) -> bool:
    """Whether the hands can be completed: put right by their order, or as they lie, in whatever order they came."""
    case, play = table.state.open_case, table.book.play
    evidence = in_true_places(Table(table.book, case.state_before), case.evidence)
    if due_by_order(table, evidence) is not None:
        return True
    orders = possible_orders(table.state.round_terms, play, evidence)
    return not any(has_wrong_number(play, cards) for cards in orders)


def play_on(draft: Draft) -> None:
    """After a ruling: the hands as their order makes them, or, where that cannot be known, as they lie."""
    case, rule = draft.state.open_case, rule_of(draft.table)
    if case.evidence.brought or is_to_be_put_right(draft.book, case.evidence) or _is_otherwise(case):
        if due_by_order(draft.table, case.evidence) is None:
            _as_they_lie(draft, rule)
        else:
            _reconstruct(draft, rule)
    else:
        _turn_up(draft, case)


def _tell_evidence(_: Telling, event: CaseOpened | EvidenceAdded | EvidenceWithdrawn) -> Iterator[Sentence]:
    cards = event.evidence.cards
    spoken = [card for card in cards if card.nth is None or card.was or card.is_moved or card.is_restated]
    seen = [*map(_sight, spoken), *(_SEEN[fact] for fact in event.evidence.seen)]
    what = {"case-opened": "reported", "evidence-added": "now known", "evidence-withdrawn": "still held"}
    yield Sentence(Theme.CASE, f"{what[event.name()]}: {', '.join(seen) or 'nothing'}")
    if event.evidence.note:
        yield Sentence(Theme.CASE, f"“{event.evidence.note}”")


def _sight(card: RoundCard) -> str:
    where = {"player": "with Player", "banker": "with Banker", "table": "on the table", "floor": "fell to the floor"}
    face = card.shown.symbol if card.shown else "a card face down"
    was = f" (not {card.was.symbol})" if card.was and card.shown else ""
    marks = [mark for mark in ("together", "foreign", "carried") if getattr(card, mark)]
    words = {"together": "drawn together", "foreign": "of another set", "carried": "carried over"}
    return " ".join([face + was, where.get(card.lies.value, "never left the shoe"), *(words[mark] for mark in marks)])


_SEEN = {
    Seen.FOREIGN_CARD: "a card of another set",
    Seen.WRONG_SET: "a set with too many or too few cards",
    Seen.NOT_SHUFFLED: "cards that were not shuffled",
    Seen.CARDS_RUN_OUT: "too few cards to finish the round",
    Seen.INTERRUPTION: "an interruption",
    Seen.INSURANCE_NEGLECTED: "insurance that was not offered",
    Seen.UNCOVERED: "something that the rules do not cover",
}


def _tell_found(telling: Telling, event: ClauseFound) -> Iterator[Sentence]:
    entry = entry_on(telling.book, event.finding)
    label = entry.label if entry else f"{event.finding.value}: the document does not speak of it"
    yield Sentence(Theme.CASE, f"{label}{by_clause(event.clause)}")
    if event.awaits in _WAITING and event.decider is not None:
        house = " (house term; the document names nobody)" if event.house_term else ""
        yield Sentence(Theme.CASE, f"{_WAITING[event.awaits]}: {event.decider.value} or above{house}")


_WAITING = {
    Awaits.ORDER: "who sets the order of the cards",
    Awaits.JUDGEMENT: "who says whether the cards can be put right",
    Awaits.VOID: "who voids the round",
    Awaits.RETURN_BETS: "who returns the bets",
    Awaits.RULING: "who rules",
}


def _clause_facts(event: ClauseFound) -> list[FactLine]:
    house = "house-term" if event.house_term else None
    return [fact("found", event.finding, "awaits", event.awaits, event.clause, house)]


def _late_facts(event: ErrorFoundLate) -> Iterator[FactLine]:
    yield fact("found", Finding.FOUND_LATE, "awaits", Awaits.NOTHING, event.clause)
    yield fact("late", "round", event.round, event.clause)


def _named(cards: tuple[Card | None, ...]) -> tuple[str, ...]:
    return tuple("unseen" if card is None else str(card) for card in cards)


def _as_they_lie_facts(event: CardsPlayedAsTheyLie) -> list[FactLine]:
    hands = ("player", *_named(event.player), "banker", *_named(event.banker))
    out = ("out", *_named(event.out)) if event.out else ()
    return [fact("as-they-lie", *hands, *out, event.clause)]


def _tell_as_they_lie(telling: Telling, event: CardsPlayedAsTheyLie) -> Iterator[Sentence]:
    hands = f"Player {slots_face(telling.state.player)}, Banker {slots_face(telling.state.banker)}"
    out = f"; out of play: {_faces(event.out)}" if event.out else ""
    yield Sentence(Theme.CASE, f"played as they lie: {hands}{out}{by_clause(event.clause)}")


def _faces(cards: tuple[Card | None, ...]) -> str:
    return " ".join("▯" if card is None else card.symbol for card in cards)


def _tell_case_closed(_: Telling, event: CaseClosed) -> Iterator[Sentence]:
    reason = f": {event.reason}" if event.reason else ""
    yield Sentence(Theme.CASE, f"the case is closed, {event.resolution}{reason}{by_clause(event.clause)}")


def _tell_judged(_: Telling, event: ReconstructionJudged) -> Iterator[Sentence]:
    can = "can" if event.possible else "cannot"
    yield Sentence(Theme.CASE, f"{event.by} says that the cards {can} be put right{by_clause(event.clause)}")


def _tell_ordered(_: Telling, event: CardsOrdered) -> Iterator[Sentence]:
    yield Sentence(Theme.CASE, f"{event.by} sets the order: {_faces(event.cards)}{by_clause(event.clause)}")


def _reconstructed_facts(event: CardsReconstructed) -> list[FactLine]:
    carried = ("carried", *_named(event.carried)) if event.carried else ()
    hands = ("player", *_named(event.player), "banker", *_named(event.banker))
    return [fact("reconstructed", *hands, *carried, event.clause)]


def _tell_reconstructed(telling: Telling, event: CardsReconstructed) -> Iterator[Sentence]:
    hands = f"Player {slots_face(telling.state.player)}, Banker {slots_face(telling.state.banker)}"
    over = f"; {_faces(event.carried)} starts the next round" if event.carried else ""
    yield Sentence(Theme.CASE, f"put right: {hands}{over}{by_clause(event.clause)}")


def _options_given_facts(event: OptionsGiven) -> Iterator[FactLine]:
    form = "continue-reconstructed" if event.is_reconstructed else "continue"
    for player in event.players:
        yield fact("option", player, form, "return", event.clause)


def _tell_options(_: Telling, event: OptionsGiven) -> Iterator[Sentence]:
    form = "continue with the reconstructed hand" if event.is_reconstructed else "continue"
    yield Sentence(Theme.OFFER, f"{', '.join(event.players)}: {form}, or have all bets back?{by_clause(event.clause)}")


def _tell_chosen(telling: Telling, event: OptionChosen) -> Iterator[Sentence]:
    does = "has all bets back" if event.returned else "continues"
    yield Sentence(Theme.NOTE, f"{event.player} {does}{by_clause(event.clause)}")
    yield from telling.stakes_back(event.returned)


def _bets_returned_facts(event: BetsReturned) -> Iterator[FactLine]:
    for stake in event.bets:
        yield stake_fact("returned", stake, "slip" if event.is_slip else "neglected", event.clause)


def _tell_bets_returned(telling: Telling, event: BetsReturned) -> Iterator[Sentence]:
    slip, neglect = "insurance on a card that never left the shoe goes", "the bets of those who wished to insure go"
    whose = slip if event.is_slip else neglect
    yield Sentence(Theme.CASE, f"{whose} back{by_clause(event.clause)}")
    yield from telling.stakes_back(event.bets)


def _tell_ruled(telling: Telling, event: Ruled) -> Iterator[Sentence]:
    yield Sentence(Theme.CASE, f"{event.by} rules: {event.effect.value}; {event.reason}{by_clause(event.clause)}")
    yield from telling.stakes_back(event.returned)


def _tell_voided(telling: Telling, event: RoundVoided) -> Iterator[Sentence]:
    yield Sentence(Theme.CASE, f"round {event.round} is void, every bet goes back{by_clause(event.clause)}")
    yield from telling.stakes_back(event.returned)


IRREGULARITY_WORDS: dict[type[EventHeader], Words] = {
    CaseOpened: plain("case case", _tell_evidence),
    EvidenceAdded: plain("evidence-added case", _tell_evidence),
    EvidenceWithdrawn: plain("evidence-withdrawn case", _tell_evidence),
    ClauseFound: Words(("found",), _clause_facts, _tell_found),
    CaseClosed: plain("resolved finding resolution clause", _tell_case_closed),
    ErrorFoundLate: Words(
        ("late", "found"),
        _late_facts,
        say("an error of round {round} is found too late to change anything{by_clause}", Theme.CASE),
    ),
    CardsPlayedAsTheyLie: Words(("as-they-lie",), _as_they_lie_facts, _tell_as_they_lie),
    ReconstructionJudged: Words(
        ("judged",),
        lambda event: [fact("judged", "possible" if event.possible else "impossible", event.clause)],
        _tell_judged,
    ),
    CardsOrdered: Words(
        ("ordered",), lambda event: [fact("ordered", *_named(event.cards), event.clause)], _tell_ordered
    ),
    CardsReconstructed: Words(("reconstructed",), _reconstructed_facts, _tell_reconstructed),
    OptionsGiven: Words(("option",), _options_given_facts, _tell_options),
    OptionChosen: plain("chose player option clause", _tell_chosen, back="option"),
    CardsReplaced: plain("replaced clause", say("the cards are replaced by a new set{by_clause}", Theme.CASE)),
    BetsReturned: Words(("returned",), _bets_returned_facts, _tell_bets_returned),
    Ruled: plain("ruled effect clause", _tell_ruled, back="ruling"),
    RoundVoided: plain("void clause", _tell_voided, back="void"),
}
