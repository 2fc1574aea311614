"""A round for programs: the same as its page, in fields. Amounts are minor units.

It is what the API answers; the command line prints it with amounts as text.
"""

from __future__ import annotations

import msgspec

from punto.audit.history_page import moment_text, outcome_sentence
from punto.audit.round_history import (
    ApprovedCommand,
    CardStep,
    Happened,
    PlayerBalance,
    RefusedCommand,
    RoundHistory,
    RoundStep,
    SettlementStep,
    StakeStep,
)
from punto.cards.card import Card
from punto.rules.outcome import Winner
from punto.table.state import OfferMade, Phase, Slot, Stake, State


class EventRecord(RoundStep, frozen=True):
    """An event of the round in words."""

    type: str
    clause: str | None
    words: tuple[str, ...]


class CaseRecord(msgspec.Struct, frozen=True):
    """Everything that was done about one case."""

    case: int
    events: tuple[EventRecord, ...]


class HandsRecord(msgspec.Struct, frozen=True):
    """The cards of both hands, null for one that lies face down."""

    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]


class UndecidedAnte(msgspec.Struct, frozen=True):
    """An ante that its player has to decide on."""

    box: int
    player: str
    area: str


class FeltRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The felt of a table at one moment, as everybody could see it; a card that lies face down is null."""

    phase: Phase
    paused: bool
    since: str
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    carried: tuple[Card | None, ...]
    shoe: int
    cards_left: int | None
    last_round: int | None
    seats: dict[str, str]
    away: tuple[str, ...]
    stakes: tuple[Stake, ...]
    window: int | None
    offers: tuple[OfferMade, ...]
    forgone: tuple[str, ...]
    antes_open: tuple[UndecidedAnte, ...]
    case: int | None
    settled: bool


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a round."""

    table: str
    round: int
    shoe: int
    book: str
    digest: str
    currency: str
    imported: bool
    first: int
    last: int
    at: int  # The last event that is looked at.
    outcome: str
    winner: Winner | None
    void: bool
    settled: bool
    hands: HandsRecord
    cards: tuple[CardStep, ...]
    stakes: tuple[StakeStep, ...]
    cases: tuple[CaseRecord, ...]
    rulings: tuple[EventRecord, ...]  # What was decided outside a case.
    found_late: tuple[EventRecord, ...]  # Errors of this round that were found out in a later one.
    approvals: tuple[ApprovedCommand, ...]
    refusals: tuple[RefusedCommand, ...]
    settlements: tuple[SettlementStep, ...]
    balances: tuple[PlayerBalance, ...]
    felt: FeltRecord
    events: tuple[EventRecord, ...]


def round_record(history: RoundHistory) -> RoundRecord:
    place, end = history.place, history.end
    return RoundRecord(
        table=history.table.id,
        round=place.round,
        shoe=end.round_shoe,
        book=history.book.name,
        digest=history.table.digest,
        currency=end.round_terms.currency,
        imported=history.table.imported,
        first=place.first,
        last=place.last,
        at=history.at,
        outcome=outcome_sentence(history),
        winner=None if history.void else end.winner,
        void=history.void is not None,
        settled=history.after.settled is not None,
        hands=HandsRecord(_seen_cards(end.player), _seen_cards(end.banker)),
        cards=tuple(one.card for one in history.happened if one.card is not None),
        stakes=tuple(step for one in history.happened for step in one.stakes),
        cases=tuple(CaseRecord(number, _event_records(happened)) for number, happened in history.cases),
        rulings=_event_records(history.rulings),
        found_late=_event_records(history.late),
        approvals=history.approved,
        refusals=history.refused,
        settlements=history.settlements,
        balances=history.balances,
        felt=_felt_record(history.after),
        events=_event_records(history.happened),
    )


def _event_records(happened: tuple[Happened, ...]) -> tuple[EventRecord, ...]:
    records = []
    for one in happened:
        event, words = one.event, tuple(sentence.text for sentence in one.sentences)
        head = (one.seq, event.time, event.by, event.role)
        records.append(EventRecord(*head, event.name(), getattr(event, "clause", None), words))
    return tuple(records)


def _felt_record(state: State) -> FeltRecord:
    return FeltRecord(
        phase=state.phase,
        paused=state.is_paused,
        since=moment_text(state.since),
        player=_seen_cards(state.player),
        banker=_seen_cards(state.banker),
        carried=_seen_cards(state.carried),
        shoe=state.shoe_number,
        cards_left=None if state.shoe is None else state.shoe.cards_left,
        last_round=state.last_round,
        seats={str(box): name for box, name in sorted(state.seats.items())},
        away=tuple(sorted(state.away)),
        stakes=state.stakes,
        window=state.window,
        offers=state.offers,
        forgone=tuple(sorted(state.forgone | state.walked_off)),
        antes_open=tuple(UndecidedAnte(*ante) for ante in state.antes_open),
        case=None if state.case is None else state.case.number,
        settled=state.settled is not None,
    )


def _seen_cards(slots: tuple[Slot, ...]) -> tuple[Card | None, ...]:
    return tuple(slot.card if slot.face_up else None for slot in slots)
