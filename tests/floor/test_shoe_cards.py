"""Tables that draw their cards themselves: the next one follows from shoe and place, and nobody names one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from punto import books
from punto.audit.shuffle import CHACHA20
from punto.cards.card import Card
from punto.cards.shoe import Composition
from punto.cards.source import SourceKind
from punto.floor.shoe import Seed, drawn_card, shoe_order, with_cards
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.server.messages import KINDS
from punto.table import Table, act, default_terms
from punto.table.betting import CallBets, CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard, RevealCard
from punto.table.header import CommandHeader
from punto.table.house import BurnCards, LoadShoe, OpenTable
from punto.table.irregularity_case import Face, Place, Sighting
from punto.table.irregularity_events import Report
from punto.table.settlement import SettleRound
from punto.table.terms import Faces
from tests.server.samples import sample

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
        self.give(OpenTable, Role.PIT_SUPERVISOR, terms=agreed)
        for kind in (LoadShoe, CallBets, CloseBets):
            self.give(kind)

    def ask(self, kind: type[CommandHeader], role: Role = Role.DEALER, **fields: Any) -> Command | Refusal:
        """The command with its cards, or why it is refused."""
        command: Any = kind(actor="Dan", role=role, **fields)
        return with_cards(self.table, self.version, command, lambda _: self.seed)

    def give(self, kind: type[CommandHeader], role: Role = Role.DEALER, **fields: Any) -> Command:
        """Give a command that must be accepted; the command with its cards."""
        command = self.ask(kind, role, **fields)
        assert not isinstance(command, Refusal), command
        step = act(self.table, command)
        assert not isinstance(step, Refusal), step
        self.table, self.version = step.table, self.version + len(step.events)
        return command

    def deal(self) -> Card:
        command = self.give(DealCard)
        assert isinstance(command, DealCard)
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
    drawn.give(OpenTable, Role.PIT_SUPERVISOR, terms=replace(default_terms(loaded), burn="first-card"))
    drawn.give(LoadShoe)
    burned = drawn.give(BurnCards)
    order = shoe_order(SEED, 8)
    assert isinstance(burned, BurnCards)
    assert burned.card is order[0]
    drawn.give(CallBets)
    drawn.give(CloseBets)
    assert drawn.deal() is order[1 + (order[0].points or 10)]


def test_nobody_names_a_commitment() -> None:
    assert refused(Drawn().ask(LoadShoe, commitment="c" * 64, algorithm=CHACHA20))


@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_nobody_names_a_card(source: SourceKind) -> None:
    drawn = Drawn(source=source)
    named = Sighting(card=Card.SA, lies=Place.TABLE)
    assert refused(drawn.ask(DealCard, card=Card.SA))
    assert refused(drawn.ask(LoadShoe, algorithm=CHACHA20))
    assert refused(drawn.ask(Report, cards=(named,)))
    assert refused(drawn.ask(Report, cards=(replace(UP, is_=Card.SA),)))
    drawn.deal()
    assert refused(drawn.ask(Report, cards=(Sighting(nth=1, is_=Card.SA),)))
    assert refused(drawn.ask(Report, cards=(replace(UP, after=0),)))
    assert refused(drawn.ask(Report, cards=(Sighting(nth=1, after=0),)))


def test_a_person_names_the_cards_of_a_physical_shoe() -> None:
    drawn = Drawn(source=SourceKind.ENTERED)
    command = drawn.ask(DealCard, card=Card.SA)
    assert isinstance(command, DealCard)
    assert command.card is Card.SA


def test_a_card_of_another_set_has_its_name() -> None:
    foreign = Sighting(card=Card.SA, lies=Place.TABLE, foreign=True)
    command = Drawn().ask(Report, cards=(foreign,))
    assert isinstance(command, Report)
    assert command.cards == (foreign,)


NOTHING = Reason.NOTHING_WRONG
TOLD = (
    UP,
    replace(UP, face=None),
    replace(UP, lies=Place.PLAYER, together=True),
    replace(UP, carried=True),
    replace(UP, lies=Place.SHOE),
    Sighting(nth=1, lies=Place.BANKER),
    Sighting(nth=1, lies=Place.FLOOR),
    Sighting(nth=1, lies=Place.TABLE),
    Sighting(nth=1, face=Face.UP),
    Sighting(nth=1, face=Face.DOWN),
    Sighting(nth=1, together=True),
    Sighting(nth=1, foreign=True),
    Sighting(nth=1, carried=True),
    Sighting(nth=2, lies=Place.SHOE),
)
"""What a report can say of cards without naming one: that some left the shoe, fell, lie or show otherwise."""


@pytest.mark.parametrize("faces", Faces)
@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_nobody_says_of_a_drawn_card_what_the_record_does_not(source: SourceKind, faces: Faces) -> None:
    drawn = Drawn(source=source, faces=faces)
    for _ in range(2):
        drawn.deal()
    shown = Face(faces.value)
    for told in TOLD:
        if told.face is shown and isinstance(told.nth, int):
            continue  # so it lies
        for role in (Role.DEALER, Role.PIT_SUPERVISOR):
            answer = drawn.ask(Report, role, cards=(told,))
            assert isinstance(answer, Refusal) and answer.reason is NOTHING, (told, answer)
    order = shoe_order(SEED, 8)
    if source is SourceKind.SHUFFLED:
        assert drawn.deal() is order[2], "nothing has left the shoe"


def test_no_card_is_drawn_but_to_be_dealt_or_burned() -> None:
    """Whatever else is asked, the seed is not even looked at."""

    def closed(_: int) -> Seed:
        raise AssertionError("somebody looked into the shoe")

    drawn = Drawn()
    drawn.deal()
    for name in set(KINDS) - {"deal-card", "burn-cards"}:
        body = {**sample(name), "actor": "Dan", "role": "dealer"}
        command: Any = msgspec.convert(body, Command)
        with_cards(drawn.table, drawn.version, command, closed)
        if name == "report":
            for told in TOLD:
                with_cards(drawn.table, drawn.version, replace(command, cards=(told,)), closed)


@settings(max_examples=30)
@given(st.binary(min_size=32, max_size=32), st.sampled_from(Faces))
@pytest.mark.gli("4.4.4")
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
                drawn.give(RevealCard, hand=down[0][0], number=down[0][1])
            else:
                inside = Composition.of_decks(4).less(out.elements())
                expected = drawn_card(drawn.seed, inside, drawn.version * 1024)
                assert drawn.deal() is expected, "any card but those on the table"
                out[expected] += 1
        for kind in (SettleRound, CallBets, CloseBets):
            drawn.give(kind)
