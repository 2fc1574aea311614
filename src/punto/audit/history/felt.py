"""The felt of a table at one moment: cards, chips, open questions, as everybody could see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from punto.audit.history.moment import moment
from punto.documents.page import Block, Grid, Listing, Section
from punto.money import format_amount, format_money
from punto.rules.book import Book
from punto.rules.labels import label_of
from punto.table.layout import AnteState
from punto.table.state import Phase, Slot, State, shown_points

PHASES = {
    Phase.NEW: "the table is not open yet",
    Phase.IDLE: "between rounds",
    Phase.BETTING: "bets are open",
    Phase.DEALING: "bets are closed, cards are dealt",
    Phase.ANTES: "antes are being decided",
    Phase.FINISHED: "the deal is finished, to be settled",
    Phase.CLOSED: "the table is closed",
}
"""Where a table stands in its round, for people."""


def felt_section(book: Book, state: State, seq: int) -> Section:
    """The table after an event."""
    blocks: list[Block] = [Listing(tuple(_facts(book, state)))]
    if state.stakes:
        blocks.append(_layout(book, state))
    return Section(f"The table after event {seq:,}", tuple(blocks))


def slots_text(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as they lie, with their points once all lie open."""
    if not slots:
        return "no cards"
    seen = ", ".join(slot.card.symbol if slot.face_up and slot.card else "face down" for slot in slots)
    total = shown_points(slots)
    return seen if total is None else f"{seen} = {total}"


def _facts(book: Book, state: State) -> Iterator[str]:
    yield f"{PHASES[state.phase]}{'; the table is paused' if state.is_paused else ''}"
    yield f"Player: {slots_text(state.player)}"
    yield f"Banker: {slots_text(state.banker)}"
    if state.carried:
        yield f"carried over, to come first: {slots_text(state.carried).partition(' = ')[0]}"
    if state.shoe is not None:
        yield f"shoe {state.shoe_number}: {state.shoe.cards_left} of {state.shoe.size} cards left"
    else:
        yield "no shoe in play"
    if state.last_round is not None:
        yield f"the cut card is out: round {state.last_round} is the last of this shoe"
    seats = ", ".join(f"{box} {name}" for box, name in sorted(state.seats.items()))
    yield f"seats: {seats or 'nobody is seated'}"
    if state.away:
        yield f"away: {', '.join(sorted(state.away))}"
    for offer in state.offers:
        area = f"insurance-{offer.hand.value}-{state.window}"
        whose = f"{offer.player}, box {offer.box}, {label_of(book, area)}"
        yield f"insurance on offer to {whose}: {offer.odds}, at most {format_money(offer.most)}"
    if state.forgone or state.walked_off:
        yield f"insurance forgone: {', '.join(sorted(state.forgone | state.walked_off))}"
    for box, player, area in state.antes_open:
        yield f"ante to be decided: {player}, box {box}, {label_of(book, area)}"
    for asked in state.squeezes:
        answer = {None: "not answered yet", True: "agreed", False: "refused"}[asked.consent]
        yield f"squeeze asked by {asked.player}: {asked.kind.value}, {answer}"
    if state.case is not None:
        found = state.case.found
        clause = f", clause {found.clause}" if found and found.clause else ""
        yield f"case {state.case.number} is open: {found.finding.value if found else 'not judged'}{clause}"
        if state.case.undecided:
            yield f"still to choose: {', '.join(state.case.undecided)}"
    if state.settled is not None:
        yield "the round is settled; an error of it can still be put right until the next call"


def _layout(book: Book, state: State) -> Grid:
    notes = {
        AnteState.GIVEN_UP: "ante given up",
        AnteState.WAGERED: "followed by its wager",
    }
    rows = [
        (
            str(bet.box),
            bet.player,
            label_of(book, bet.area),
            format_money(bet.stake),
            notes.get(bet.ante, "under the minimum, noticed" if bet.is_advised else ""),
        )
        for bet in state.bets
    ]
    rows += [
        (
            str(taken.box),
            taken.player,
            label_of(book, taken.area),
            format_money(taken.amount),
            f"{taken.odds}, after {taken.window} cards",
        )
        for taken in state.insured
    ]
    heads = ("box", "player", "bet", "stake", "")
    title = "On the layout, settled" if state.settled is not None else "On the layout"
    return Grid(heads, tuple(rows), title, right=(3,), grows=2)


def felt_record(state: State) -> dict[str, Any]:
    """The same for programs; a card that lies face down is null."""
    return {
        "phase": state.phase.value,
        "paused": state.is_paused,
        "since": moment(state.since),
        "player": slots_record(state.player),
        "banker": slots_record(state.banker),
        "carried": slots_record(state.carried),
        "shoe": state.shoe_number,
        "cards_left": None if state.shoe is None else state.shoe.cards_left,
        "last_round": state.last_round,
        "seats": {str(box): name for box, name in sorted(state.seats.items())},
        "away": sorted(state.away),
        "stakes": [
            {"box": s.box, "player": s.player, "area": s.area, "amount": format_amount(s.amount)}
            for s in state.stakes
        ],
        "window": state.window,
        "offers": [
            {
                "box": offer.box,
                "player": offer.player,
                "hand": offer.hand.value,
                "odds": offer.odds,
                "most": format_amount(offer.most),
            }
            for offer in state.offers
        ],
        "forgone": sorted(state.forgone | state.walked_off),
        "antes_open": [
            {"box": box, "player": player, "area": area} for box, player, area in state.antes_open
        ],
        "case": None if state.case is None else state.case.number,
        "settled": state.settled is not None,
    }


def slots_record(slots: tuple[Slot, ...]) -> list[str | None]:
    """The cards of a hand, null for one that lies face down."""
    return [str(slot.card) if slot.face_up and slot.card else None for slot in slots]
