"""The automatic dealer finishes any round in progress, and its shoe."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from punto.books import NAMES
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.dealer.dealer import Awaited, DrawCard, Give, Halt, Wait, next_step
from punto.rules.authority import Role
from punto.table import Refusal, Table, act, legal_commands
from punto.table.betting import WithdrawBet
from punto.table.command import Command
from punto.table.dealing import AnswerSqueeze, AskSqueeze
from punto.table.house import BurnCards, WalkAway
from punto.table.insurance import DeclineInsurance, OfferInsurance
from punto.table.irregularity_events import CloseOptions, JudgeReconstruction, OrderCards, Report
from punto.table.terms import Noticing
from tests.dealer.clocked import CLOCKS, after
from tests.table.machine_commands import ONWARD, PEOPLE, filled, random_terms
from tests.table.scenes import Scene

FOR_PEOPLE = (Awaited.CASE, Awaited.RESUMPTION)
"""What no clock ends: the pit decides it."""


@pytest.mark.parametrize("book", NAMES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=8, deadline=None)
def test_any_round_in_progress_is_finished_and_so_is_its_shoe(book: str, seed: int) -> None:
    """Anybody plays at random; then one table after another is handed to a dealer who knows nothing else."""
    random = Random(seed)
    table = wandered(opened(book, random), random, PEOPLE, random.randrange(40))
    shoes, time = table.state.shoe_number, 0
    for _ in range(900):
        due = next_step(Table(table.book, table.state), time, CLOCKS)
        if isinstance(due, Wait):
            time, table = passed(table, due, time, random)
            continue
        assert not isinstance(due, Halt), due.sentence
        command = due.with_card(drawn(table, random)) if isinstance(due, DrawCard) else due.command
        table = after(table, command)
        is_endless = table.terms.source is SourceKind.CONTINUOUS
        if table.state.shoe_number > shoes or (is_endless and table.state.round > 12):
            return
    raise AssertionError("the shoe never ends")


@pytest.mark.parametrize("book", NAMES)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=12, deadline=None)
def test_every_wait_of_a_dealer_by_the_clock_has_an_end(book: str, seed: int) -> None:
    """Whatever people do, irregularities included, and whenever they stop: only the pit is waited for."""
    random = Random(seed)
    table, time = opened(book, random, Noticing.STRICT), 0
    for _ in range(120):
        due = next_step(table, time, CLOCKS)
        if isinstance(due, Wait) and due.what not in FOR_PEOPLE:
            assert due.until is not None and due.until > time, due
            time = due.until if random.random() < 0.3 else time
        elif isinstance(due, Give | DrawCard):
            command = due.with_card(drawn(table, random)) if isinstance(due, DrawCard) else due.command
            table = after(table, command)
            continue
        table = wandered(table, random, PEOPLE, 1, ANYTHING)


def opened(book: str, random: Random, noticing: Noticing | None = None) -> Table:
    """A table with any terms and some cards before its cut card, its players seated."""
    terms = random_terms(book, random)
    terms = replace(terms, noticing=noticing or terms.noticing)
    terms = replace(terms, burn=str(terms.decks * 52 - random.choice((40, 60))), behind_cut=14)
    scene = Scene(book, **{name: getattr(terms, name) for name in terms.__struct_fields__ if name != "book"})
    if scene.state.burn_due:
        scene.do(BurnCards)
    for box, name in enumerate(("Ann", "Ben"), start=1):
        scene.seat(name, box)
    return scene.table


KINDS = (
    *(kind for kind in ONWARD if kind is not CloseOptions),
    *(AskSqueeze, AnswerSqueeze, WalkAway, OfferInsurance, DeclineInsurance),
)

ANYTHING = (*KINDS, Report, Report, JudgeReconstruction, OrderCards)


def wandered(
    table: Table,
    random: Random,
    people: Sequence[tuple[str, Role]],
    steps: int,
    kinds: tuple[type[Command], ...] = KINDS,
) -> Table:
    """The table after a number of things that people did, none of them a report if nothing else is said."""
    for _ in range(steps):
        actor, role = random.choice(people)
        listed = [each for each in legal_commands(table, actor, role) if isinstance(each.command, kinds)]
        if not listed:
            continue
        kind = random.choice(sorted({each.command.name() for each in listed}))
        chosen = random.choice([each for each in listed if each.command.name() == kind])
        step = act(table, filled(chosen, table, random))
        table = table if isinstance(step, Refusal) else step.table
    return table


def passed(table: Table, due: Wait, time: int, random: Random) -> tuple[int, Table]:
    """Time passes where there is a clock; where there is none, a player does what is waited for."""
    if due.until is not None:
        assert due.until > time
        return due.until, wandered(table, random, PEOPLE[:2], 2)
    assert due.what is Awaited.BETS, due
    bet = next(bet for bet in table.state.bets if bet.is_advised)
    withdrawal = WithdrawBet(actor=bet.player, role=Role.PLAYER, time=time, box=bet.box, area=bet.area)
    return time, after(table, withdrawal)


def drawn(table: Table, random: Random) -> Card:
    shoe = table.state.shoe
    assert shoe is not None
    return random.choice(shoe.composition.cards())
