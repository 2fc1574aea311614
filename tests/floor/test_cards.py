"""Tables that draw their cards themselves: the next one follows from shoe and place, and nobody names one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from punto import books
from punto.audit.shuffle.order import CHACHA20
from punto.cards.card import Card
from punto.cards.composition import Composition
from punto.cards.source import SourceKind
from punto.floor.cards import with_cards, without_cards
from punto.floor.seed import Seed, drawn_card, shoe_order
from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.table import Table, act, default_terms
from punto.table import command as c
from punto.table.header import CommandHeader
from punto.table.irregularities.sighting import Face, Place, Sighting
from punto.table.terms import Faces

SEED = Seed(CHACHA20, bytes(range(32)))
UP = Sighting(card=None, lies=Place.TABLE, face=Face.UP)
"""A card too many, which shows its face."""


class Drawn:
    """A table that draws its cards itself, from one seed for every shoe."""

    def __init__(self, book: str = "insurance", seed: Seed = SEED, **terms: Any) -> None:
        self.seed, self.version = seed, 0
        loaded = books.load(book)
        self.table = Table(loaded)
        agreed = replace(default_terms(loaded), **{"burn": "none", **terms})
        self.give(c.OpenTable, Role.PIT_SUPERVISOR, terms=agreed)
        for kind in (c.LoadShoe, c.CallBets, c.CloseBets):
            self.give(kind)

    def ask(self, kind: type[CommandHeader], role: Role = Role.DEALER, **fields: Any) -> c.Command | Refusal:
        """The command with its cards, or why it is refused."""
        command: Any = kind(actor="Dan", role=role, **fields)
        return with_cards(self.table, self.version, command, lambda _: self.seed)

    def give(self, kind: type[CommandHeader], role: Role = Role.DEALER, **fields: Any) -> c.Command:
        """Give a command that must be accepted; the command with its cards."""
        command = self.ask(kind, role, **fields)
        assert not isinstance(command, Refusal), command
        step = act(self.table, command)
        assert not isinstance(step, Refusal), step
        self.table, self.version = step.table, self.version + len(step.events)
        return command

    def deal(self) -> Card:
        command = self.give(c.DealCard)
        assert isinstance(command, c.DealCard)
        assert command.card is not None
        return command.card


def refused(answer: object) -> bool:
    return isinstance(answer, Refusal) and answer.reason is Reason.CARD_NAMED


def test_cards_come_in_the_order_of_the_shoe() -> None:
    drawn = Drawn()
    assert [drawn.deal() for _ in range(4)] == list(shoe_order(SEED, 8)[:4])


def test_the_burn_shows_the_first_card_and_passes_over_the_others() -> None:
    drawn = Drawn("commission", burn="none")
    loaded = books.load("commission")
    drawn.table, drawn.version = Table(loaded), 0
    drawn.give(c.OpenTable, Role.PIT_SUPERVISOR, terms=replace(default_terms(loaded), burn="first-card"))
    drawn.give(c.LoadShoe)
    burned = drawn.give(c.BurnCards)
    order = shoe_order(SEED, 8)
    assert isinstance(burned, c.BurnCards)
    assert burned.card is order[0]
    drawn.give(c.CallBets)
    drawn.give(c.CloseBets)
    assert drawn.deal() is order[1 + (order[0].points or 10)]


def test_nobody_names_a_commitment() -> None:
    assert refused(Drawn().ask(c.LoadShoe, commitment="c" * 64, algorithm=CHACHA20))


@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_nobody_names_a_card(source: SourceKind) -> None:
    drawn = Drawn(source=source)
    named = Sighting(card=Card.SA, lies=Place.TABLE)
    assert refused(drawn.ask(c.DealCard, card=Card.SA))
    assert refused(drawn.ask(c.Report, cards=(named,)))
    assert refused(drawn.ask(c.Report, cards=(replace(UP, is_=Card.SA),)))
    drawn.deal()
    assert refused(drawn.ask(c.Report, cards=(Sighting(nth=1, is_=Card.SA),)))
    assert refused(drawn.ask(c.Report, cards=(replace(UP, after=0),)))
    assert refused(drawn.ask(c.Report, cards=(Sighting(nth=1, after=0),)))


def test_a_person_names_the_cards_of_a_physical_shoe() -> None:
    drawn = Drawn(source=SourceKind.ENTERED)
    command = drawn.ask(c.DealCard, card=Card.SA)
    assert isinstance(command, c.DealCard)
    assert command.card is Card.SA


def test_a_card_of_another_set_has_its_name() -> None:
    foreign = Sighting(card=Card.SA, lies=Place.TABLE, foreign=True)
    command = Drawn().ask(c.Report, cards=(foreign,))
    assert isinstance(command, c.Report)
    assert command.cards == (foreign,)


def test_cards_that_left_the_shoe_wrongly_are_the_next_ones() -> None:
    drawn, order = Drawn(), shoe_order(SEED, 8)
    for _ in range(2):
        drawn.deal()
    report = drawn.give(c.Report, cards=(UP, replace(UP, face=None)))
    assert isinstance(report, c.Report)
    assert [(seen.card, seen.face) for seen in report.cards] == [(order[2], Face.UP), (order[3], Face.DOWN)]
    sent = without_cards(report)
    assert isinstance(sent, c.Report)
    assert [seen.card for seen in sent.cards] == [None, None]


def test_a_card_that_never_left_the_shoe_is_the_next_one_to_leave_it() -> None:
    drawn, order = Drawn(), shoe_order(SEED, 8)
    for _ in range(3):
        drawn.deal()
    report = drawn.ask(c.Report, cards=(Sighting(nth=3, lies=Place.SHOE), UP, UP))
    assert isinstance(report, c.Report)
    assert [seen.card for seen in report.cards[1:]] == [order[2], order[3]]


def test_evidence_of_cards_is_taken_back_from_the_last_one_on() -> None:
    drawn, order = Drawn(), shoe_order(SEED, 8)
    for _ in range(2):
        drawn.deal()
    drawn.give(c.Report, cards=(UP, UP))
    supervisor = Role.PIT_SUPERVISOR
    assert refused(drawn.ask(c.WithdrawEvidence, supervisor, cards=(3,)))
    drawn.give(c.WithdrawEvidence, supervisor, cards=(4,))
    drawn.give(c.WithdrawEvidence, supervisor, cards=(3,))
    assert drawn.table.state.case is None
    assert drawn.deal() is order[2], "it never left the shoe"


def test_only_the_last_card_can_prove_not_to_have_left() -> None:
    drawn = Drawn()
    for _ in range(3):
        drawn.deal()
    assert refused(drawn.ask(c.Report, cards=(Sighting(nth=2, lies=Place.SHOE),)))
    assert isinstance(drawn.ask(c.Report, cards=(Sighting(nth=3, lies=Place.SHOE),)), c.Report)


@settings(max_examples=30)
@given(st.binary(min_size=32, max_size=32), st.sampled_from(Faces))
def test_a_continuous_shuffler_never_gives_a_card_that_lies_on_the_table(secret: bytes, faces: Faces) -> None:
    drawn = Drawn("commission", Seed(CHACHA20, secret), source=SourceKind.CONTINUOUS, decks=4, faces=faces)
    for _ in range(12):
        out: Counter[Card] = Counter()
        while drawn.table.state.phase.value == "dealing":
            down = [
                (hand, number)
                for hand in Hand
                for number, slot in enumerate(drawn.table.state.slots(hand), start=1)
                if not slot.face_up
            ]
            if down and drawn.table.state.cards_out >= 4:
                drawn.give(c.RevealCard, hand=down[0][0], number=down[0][1])
            else:
                inside = Composition.of_decks(4).less(out.elements())
                expected = drawn_card(drawn.seed, inside, drawn.version * 1024)
                assert drawn.deal() is expected, "any card but those on the table"
                out[expected] += 1
        for kind in (c.SettleRound, c.CallBets, c.CloseBets):
            drawn.give(kind)
