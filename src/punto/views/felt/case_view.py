"""A case on the table: what went wrong, by which clause, and whom it waits for."""

from __future__ import annotations

import msgspec

from punto.cards.card import Card
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.irregularity import Finding
from punto.rules.words import rank_words
from punto.table.irregularities.case import Awaits, Case
from punto.table.irregularities.clause import entry_on
from punto.table.irregularities.commands import Option
from punto.table.irregularities.evidence import RoundCard
from punto.table.irregularities.sighting import Face, Place, Seen
from punto.table.state import Table
from punto.views.labels import LabelView, options_label, remedy_label, sense_label
from punto.views.seen import is_face_hidden, squeezes
from punto.views.viewer import Viewer


class EvidenceCardView(msgspec.Struct, frozen=True):
    """A card of the round as the evidence has it."""

    number: int
    """Its place among the cards of the round, from 1: commands on evidence name it by this."""
    card: Card | None
    """None where the viewer must not see it."""
    lies: Place
    face: Face
    recorded: bool
    """Whether it was on record before the case was opened."""
    hand: Hand | None
    """The hand it is played in whatever its order, where cards were left as they lie."""
    together: bool
    """Drawn at once with others."""
    foreign: bool
    carried: bool


class CaseView(msgspec.Struct, frozen=True):
    """An open case; the round stands still."""

    number: int
    finding: Finding | None
    clause: str | None
    """The clause that the evidence comes to."""
    sense: LabelView | None
    """What that clause says, in short."""
    remedy: LabelView | None
    """What the book does about it, in words."""
    options: LabelView | None
    """Whether players may have their bets back, in words."""
    awaits: Awaits | None
    decider: Role | None
    """The least rank whose word it takes; player where players choose."""
    decider_words: str | None
    house_term: bool
    """The document does not name who decides: it is the house's reading."""
    undecided: tuple[str, ...]
    """Players whose choice is still to come."""
    choices: tuple[Option, ...]
    """What the viewer may choose now."""
    reconstructed: bool
    """Whether to continue means with the hands put right."""
    options_clause: str | None
    cards: tuple[EvidenceCardView, ...]
    """The evidence, for those who work at the table; empty for players."""
    seen: tuple[Seen, ...]
    note: str
    """What was written down with it, for the same people."""


def case_view(table: Table, viewer: Viewer) -> CaseView | None:
    """The open case as a viewer sees it."""
    case = table.state.case
    if case is None:
        return None
    found = case.found
    entry = entry_on(table.book, found.finding) if found else None
    clause = table.book.clause(found.clause) if found and found.clause else None
    may_choose = found is not None and found.awaits is Awaits.OPTIONS
    is_asked = viewer.name in case.undecided and viewer.owns(viewer.name)
    return CaseView(
        number=case.number,
        finding=found.finding if found else None,
        clause=found.clause if found else None,
        sense=sense_label(clause) if clause else None,
        remedy=remedy_label(entry) if entry else None,
        options=options_label(entry) if entry else None,
        awaits=found.awaits if found else None,
        decider=found.decider if found else None,
        decider_words=rank_words(found.decider) if found and found.decider else None,
        house_term=found.house_term if found else False,
        undecided=case.undecided,
        choices=tuple(Option) if may_choose and is_asked else (),
        reconstructed=case.is_choice_reconstructed,
        options_clause=case.options_clause,
        cards=_cards(case, viewer) if viewer.is_staff else (),
        seen=case.evidence.seen if viewer.is_staff else (),
        note=case.evidence.note if viewer.is_staff else "",
    )


def _cards(case: Case, viewer: Viewer) -> tuple[EvidenceCardView, ...]:
    numbered = enumerate(case.evidence.cards, start=1)
    return tuple(_card(case, number, card, viewer) for number, card in numbered)


def _card(case: Case, number: int, card: RoundCard, viewer: Viewer) -> EvidenceCardView:
    before = case.state_before
    is_hidden = is_face_hidden(card) and not viewer.sees_named(before)
    return EvidenceCardView(
        number=number,
        card=None if is_hidden and not squeezes(before, card.nth, viewer) else card.card,
        lies=card.lies,
        face=card.face,
        recorded=card.nth is not None,
        hand=card.plays_in,
        together=card.together,
        foreign=card.foreign,
        carried=card.carried,
    )
