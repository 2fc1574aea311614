"""What is published of a shoe: the commitment, what players added, the seed once opened, and every card.

All of it stands in the events of its table. A place in the shoe is counted from 1 as cards leave it. A card
that a report brought up has the place at which the shoe then stood; evidence that is taken back puts its
cards back, and the next card comes from the same place again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.table import event as e
from punto.table.irregularities.evidence import Evidence
from punto.table.irregularities.sighting import Place
from punto.table.shuffling.pledge import Pledge
from punto.table.state import State


class PlacedCard(msgspec.Struct, frozen=True):
    """A card, and the place in the shoe that it came from."""

    place: int
    card: Card
    round: int
    """0 for the card that is shown at the burn of a new table."""


class ShoeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was published of one shoe."""

    table: str
    shoe: int
    decks: int
    source: SourceKind = SourceKind.SHUFFLED
    commitment: str = ""
    """Empty where nothing was promised."""
    algorithm: str = ""
    pledges: tuple[Pledge, ...] = ()
    """In their order, each with its bytes if they were opened."""
    seed: str | None = None
    """In hexadecimal digits; None as long as it is not opened."""
    contributions: tuple[str, ...] = ()
    """What was mixed in, as it was told with the seed; what was opened before that."""
    dealt: tuple[PlacedCard, ...] = ()
    """In the order of events; a card that was put back can stand here twice."""

    @property
    def id(self) -> str:
        """As people write it."""
        return f"{self.table}/{self.shoe}"

    @property
    def opened(self) -> tuple[str, ...]:
        """The bytes that players opened, in the order of their pledges."""
        return tuple(pledge.opened for pledge in self.pledges if pledge.opened is not None)


Told = Iterable[tuple[State, e.Event]]
"""Events of a table, each with the state before it."""


def folded(events: Iterable[e.Event], state: State | None = None) -> Iterator[tuple[State, e.Event]]:
    """Events of a table, each with the state before it; `state` is that before the first."""
    state = state or State()
    for event in events:
        yield state, event
        state = event.fold(state)


def gathered(table: str, shoe: int, told: Told) -> ShoeRecord | None:
    """What was published of a shoe; None where it was never loaded. Stops reading when the seed is opened."""
    record: ShoeRecord | None = None
    dealt: list[PlacedCard] = []
    for before, event in told:
        if isinstance(event, e.ShoeLoaded) and event.number == shoe:
            record = _loaded(table, before, event)
        elif record is None:
            continue
        elif isinstance(event, e.SeedOpened) and event.shoe == shoe:
            record = replace(record, seed=event.seed, contributions=event.contributions)
            break
        elif before.shoe_number == shoe:
            record = _added(record, event)
            dealt += cards_of(before, event)
    if record is None:
        return None
    if record.seed is None:
        record = replace(record, contributions=record.opened)
    return replace(record, dealt=tuple(dealt))


def _loaded(table: str, before: State, event: e.ShoeLoaded) -> ShoeRecord:
    assert before.terms is not None
    return ShoeRecord(
        table=table,
        shoe=event.number,
        decks=event.decks,
        source=before.terms.source,
        commitment=event.commitment,
        algorithm=event.algorithm,
    )


def _added(record: ShoeRecord, event: e.Event) -> ShoeRecord:
    match event:
        case e.BytesPledged():
            return replace(record, pledges=(*record.pledges, Pledge(event.player, event.digest)))
        case e.BytesOpened():
            pledges = tuple(
                replace(pledge, opened=event.value) if pledge.player == event.player else pledge
                for pledge in record.pledges
            )
            return replace(record, pledges=pledges)
        case _:
            return record


def cards_of(before: State, event: e.Event) -> Iterator[PlacedCard]:
    """The cards that an event says have left the shoe in play, with their places."""
    shoe = before.shoe
    match event:
        case e.CardsBurned(shown=card) if card is not None and shoe is not None:
            yield PlacedCard(shoe.size - shoe.cards_left + 1, card, before.round)
        case e.CardDealt(card=card, carried=False) if card is not None and shoe is not None:
            yield PlacedCard(shoe.size - shoe.cards_left + 1, card, before.round)
        case e.CaseOpened():
            yield from _brought(before, event.evidence)
        case e.EvidenceAdded() | e.EvidenceWithdrawn():
            assert before.case is not None
            yield from _brought(before.case.state_before, event.evidence)
        case _:
            return


def _brought(before: State, evidence: Evidence) -> Iterator[PlacedCard]:
    """The cards that reports brought up; `before` is the table before the case."""
    if before.shoe is None or not before.are_cards_in_play:
        return
    back = sum(card.nth is not None and card.lies is Place.SHOE for card in evidence.cards)
    place = before.shoe.size - before.shoe.cards_left - back
    for card in evidence.brought:
        if card.carried or card.lies is Place.SHOE:
            continue
        place += 1
        if card.card is not None:
            yield PlacedCard(place, card.card, before.round)
