"""A finished round as an auditor goes through it: every event of it with who did it and who agreed, its clause, its
place in the chain of hashes, the money that it moved to the last unit, and the whole felt after it.

Nothing is hidden of bets, names, notes and money. A card that lay face down is named once it lay open in the same
round; one that never did stays a back, for an auditor as for everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from punto.audit.round_history import (
    PlayerBalance,
    RefusedCommand,
    RoundPlace,
    balances_of,
    case_of,
    given_commands,
    refused_of,
)
from punto.books.translation import name_in
from punto.cards.card import Card
from punto.ledger.movement import MovementKind, Posting
from punto.money import Money
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.outcome import Hand, Winner
from punto.store import reader as past
from punto.store.chain import first_hash, next_hash
from punto.store.dispute import round_disputes
from punto.store.reader import Reader
from punto.store.record import Dispute, Record, StoredTable, record_line
from punto.table.event import Event, tell
from punto.table.header import Person
from punto.table.irregularity_events import RoundVoided
from punto.table.notation import format_phrase
from punto.table.state import OfferMade, Phase, State, Table
from punto.views import deal_view
from punto.views.history_view import LaidView, RoundView, Steps, history_view, rounds_of
from punto.views.layout_view import area_label, title_label, written_odds
from punto.views.viewer import Viewer, seen_event
from punto.words import LabelView, in_every_language

AUDITOR = Viewer(None, Role.AUDITOR)


class MovedView(msgspec.Struct, frozen=True):
    """A movement of money that an event led to. Amounts are minor units, and sum to zero."""

    id: int
    kind: MovementKind
    player: str | None
    area: LabelView | None
    clause: str | None
    postings: tuple[Posting, ...]


class LinkView(msgspec.Struct, frozen=True):
    """The place of a record in the chain of its table."""

    hash: str  # As it is stored.
    before: str  # Of the record before it.
    fits: bool  # Whether the hash follows from the record and the one before it.


class AuditFelt(msgspec.Struct, frozen=True, kw_only=True):
    """The felt at one moment, whole; bets are places in the list of all that lay in the round."""

    phase: Phase
    paused: bool
    hands: deal_view.HandsView
    reasons: tuple[deal_view.ReasonView, ...]
    winner: Winner | None
    bets: tuple[int, ...]
    lines: tuple[deal_view.LineView, ...]  # Once they are settled.
    seats: dict[str, str]
    away: tuple[str, ...]
    offers: tuple[OfferMade, ...]  # Of insurance.
    cards_left: int | None
    case: int | None
    is_void: bool


class AuditStep(msgspec.Struct, frozen=True, kw_only=True):
    """An event of the round."""

    seq: int
    time: int
    type: str
    words: LabelView
    by: str
    role: Role
    second: Person | None  # Who agreed, where two people were needed.
    command: str | None  # What was said, in the notation of sessions; None where no command is kept.
    clause: str | None
    reason: str  # As whoever decided gave it.
    case: int | None
    link: LinkView
    money: tuple[MovedView, ...]
    felt: int  # Its place in the list of felts.
    event: dict[str, Any]  # The record itself, without the faces of cards that nobody has seen.


class AuditedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round, event by event."""

    table: str
    round: int
    shoe: int
    digest: str  # Of the book that it was played by.
    title: LabelView  # Of that book.
    currency: str
    imported: bool
    first: int  # Its events: the call for bets, and the last before the next call.
    last: int
    is_last: bool  # No later round has been called: more can happen in this one.
    odds: dict[str, tuple[str, ...]]  # By betting area, as the book writes them.
    played: RoundView | None  # None while it has no result.
    intact: bool  # Whether every hash follows from its record and the one before it.
    bets: tuple[LaidView, ...]
    felts: tuple[AuditFelt, ...]
    steps: tuple[AuditStep, ...]
    refused: tuple[RefusedCommand, ...]  # Each after the event that it names as `version`.
    balances: tuple[PlayerBalance, ...]
    disputes: tuple[Dispute, ...]


def audited_round(reader: Reader, table: StoredTable, book: Book, place: RoundPlace) -> AuditedRound:
    """A round of a table whole; `book` is the one that it is played by."""
    steps = tuple(reader.replayed(table.id, place.first - 1, place.last))
    records = [record for _, record in steps]
    links = _links(reader, table, place)
    commands = given_commands(reader, table.id, place.first, place.last)
    times = min(record.event.time for record in records), max(record.event.time for record in records)
    moved = _moved(reader, table.id, place, times, book)
    drawing = _Drawing(book, steps)
    told = []
    for before, record in steps:
        event, after = record.event, record.event.fold(before)
        given = next((each for each in commands if each.brought(record.seq)), None)
        told.append(
            AuditStep(
                seq=record.seq,
                time=event.time,
                type=event.name(),
                words=_words(book, after, event),
                by=event.by,
                role=event.role,
                second=given.command.second if given is not None else None,
                command=format_phrase(given.command) if given is not None else None,
                clause=getattr(event, "clause", None),
                reason=getattr(event, "reason", ""),
                case=case_of(before, after, event),
                link=links[record.seq],
                money=tuple(moved.get(record.seq, ())),
                felt=drawing.place_of(before, after, event),
                event=seen_event(before, event, AUDITOR),
            )
        )
    played, end = history_view(book, rounds_of(book, steps), AUDITOR), steps[-1][0]
    return AuditedRound(
        table=table.id,
        round=place.round,
        shoe=steps[0][1].event.fold(steps[0][0]).round_shoe,
        digest=table.digest,
        title=title_label(book),
        currency=end.terms.currency if end.terms is not None else "",
        imported=table.imported,
        first=place.first,
        last=place.last,
        is_last=place.is_last,
        odds={bet.area: written_odds(bet) for bet in book.bets},
        played=played[0] if played else None,
        intact=all(link.fits for link in links.values()),
        bets=tuple(drawing.bets),
        felts=tuple(drawing.felts),
        steps=tuple(told),
        refused=refused_of(commands),
        balances=() if table.imported else balances_of(reader, table.id, place.first, place.last, records),
        disputes=tuple(round_disputes(reader, table.id, place.round)),
    )


def _words(book: Book, after: State, event: Event) -> LabelView:
    return in_every_language(
        lambda language: "\n".join(each.text for each in tell(book, after, event, language, name_in))
    )


def _links(reader: Reader, table: StoredTable, place: RoundPlace) -> dict[int, LinkView]:
    before, links = first_hash(table.id, table.digest), dict[int, LinkView]()
    for seq, version, key, body, hash in past.links_between(reader, table.id, place.first - 1, place.last):
        stored = bytes(hash)
        if seq >= place.first:
            due = next_hash(before, record_line(table.id, seq, version, key, body))
            links[seq] = LinkView(stored.hex(), before.hex(), stored == due)
        before = stored
    return links


def _moved(
    reader: Reader, table: str, place: RoundPlace, times: tuple[int, int], book: Book
) -> dict[int, list[MovedView]]:
    moved: dict[int, list[MovedView]] = {}
    for seq, id, kind, player, area, clause, postings in past.movements_between(
        reader, table, place.first, place.last, times
    ):
        label = area_label(book, area) if area is not None else None
        posted = tuple(Posting(account, amount) for account, amount in postings)
        moved.setdefault(seq, []).append(MovedView(id, MovementKind(kind), player, label, clause, posted))
    return moved


class _Drawing:
    """The felts of a round, each kept once, and every bet that lay on one."""

    def __init__(self, book: Book, steps: Steps | Sequence[tuple[State, Record]]) -> None:
        self._book = book
        self._opened = _opened_cards(steps)
        self._bets: dict[LaidView, int] = {}
        self.felts: list[AuditFelt] = []

    @property
    def bets(self) -> list[LaidView]:
        return list(self._bets)

    def place_of(self, before: State, after: State, event: Event) -> int:
        """Of a round that is void the felt is shown as it lay."""
        is_void = isinstance(event, RoundVoided)
        felt = self._felt(Table(self._book, before if is_void else after), is_void=is_void)
        if not self.felts or self.felts[-1] != felt:
            self.felts.append(felt)
        return len(self.felts) - 1

    def _felt(self, table: Table, *, is_void: bool) -> AuditFelt:
        state, result = table.state, deal_view.result_view(table, AUDITOR)
        return AuditFelt(
            phase=state.phase,
            paused=state.is_paused,
            hands=self._hands(table),
            reasons=deal_view.reason_views(table),
            winner=state.winner,
            bets=tuple(self._bet(one.box, one.player, one.area, one.amount) for one in state.stakes),
            lines=result.lines if result is not None else (),
            seats={str(box): name for box, name in sorted(state.seats.items())},
            away=tuple(sorted(state.away)),
            offers=state.offers,
            cards_left=None if state.shoe is None else state.shoe.cards_left,
            case=None if state.case is None else state.case.number,
            is_void=is_void,
        )

    def _bet(self, box: int, player: str, area: str, amount: Money) -> int:
        laid = LaidView(box, player, area, area_label(self._book, area), amount, mine=False)
        return self._bets.setdefault(laid, len(self._bets))

    def _hands(self, table: Table) -> deal_view.HandsView:
        hands = deal_view.hands_view(table, AUDITOR)
        return deal_view.HandsView(
            self._named(hands.player, table.state, Hand.PLAYER), self._named(hands.banker, table.state, Hand.BANKER)
        )

    def _named(self, view: deal_view.HandView, state: State, hand: Hand) -> deal_view.HandView:
        """A hand with the faces of those cards that lay open later."""
        cards = tuple(
            msgspec.structs.replace(card, card=slot.card)
            if not card.up and slot.card in self._opened.get((hand, number), ())
            else card
            for number, (card, slot) in enumerate(zip(view.cards, state.slots(hand), strict=True), start=1)
        )
        return msgspec.structs.replace(view, cards=cards)


def _opened_cards(steps: Steps | Sequence[tuple[State, Record]]) -> dict[tuple[Hand, int], set[Card]]:
    """The cards that lay open in the round, by their places."""
    opened: dict[tuple[Hand, int], set[Card]] = {}
    for before, record in steps:
        after = record.event.fold(before)
        for hand in (Hand.PLAYER, Hand.BANKER):
            for number, slot in enumerate(after.slots(hand), start=1):
                if slot.face_up and slot.card is not None:
                    opened.setdefault((hand, number), set()).add(slot.card)
    return opened
