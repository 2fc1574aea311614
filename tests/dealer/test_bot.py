from __future__ import annotations

import pytest

from punto.books import NAMES, load
from punto.cards.source import seeded_bytes, shuffled_shoe
from punto.dealer.bot import BOTS, Manner, next_bot
from punto.dealer.dealer import DrawCard, Give, next_step
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table import Table, act, default_terms
from punto.table.antes import WagerPlaced
from punto.table.betting import CallBets, PlaceBet
from punto.table.command import Command
from punto.table.event import Event
from punto.table.house import LoadShoe, OpenTable, TakeSeat
from punto.table.insurance import InsuranceTaken
from punto.table.settlement import RoundSettled
from punto.table.terms import boxes_of


def seated(book: str) -> tuple[Table, list[Event]]:
    """A table with a bot at every box."""
    rules = load(book)
    table, events = Table(rules), list[Event]()
    terms = default_terms(rules)
    commands: list[Command] = [OpenTable(actor="the house", role=Role.PIT_SUPERVISOR, terms=terms)]
    boxes = range(1, boxes_of(rules, terms) + 1)
    commands += [TakeSeat(actor=name, role=Role.PLAYER, box=box) for box, name in zip(boxes, BOTS, strict=False)]
    for command in commands:
        table = given(table, command, events)
    return table, events


def given(table: Table, command: Command, events: list[Event]) -> Table:
    step = act(table, command)
    assert not isinstance(step, Refusal), step.sentence
    events += step.events
    return step.table


def play(book: str, rounds: int, seed: str = "bots") -> list[Event]:
    """Rounds in which nobody but bots and the automatic dealer acts; whatever they give is accepted."""
    table, events = seated(book)
    order = shuffled_shoe(table.terms.decks, seeded_bytes(seed))
    number = 0
    while sum(isinstance(event, RoundSettled) for event in events) < rounds:
        for box in table.state.seats:
            while True:
                number += 1
                command = next_bot(table, box, seeded_bytes(f"{seed} {number}"))
                if command is None:
                    break
                table = given(table, command, events)
        due = next_step(table, ready=tuple(BOTS))
        assert isinstance(due, Give | DrawCard), due
        if isinstance(due, Give):
            table = given(table, due.command, events)
            continue
        shoe = table.state.shoe
        assert shoe is not None
        table = given(table, due.with_card(order[shoe.size - shoe.cards_left]), events)
    return events


@pytest.mark.parametrize("book", NAMES)
@pytest.mark.gli("A.2.5")
def test_bots_play_every_book_by_its_rules(book: str) -> None:
    events = play(book, 30)
    settled = [bet for event in events if isinstance(event, RoundSettled) for bet in event.bets]
    assert {bet.player for bet in settled} <= set(BOTS)
    assert len({bet.player for bet in settled}) >= 6
    by_name = {name: [bet for bet in settled if bet.player == name] for name in BOTS}
    steady = [bet for name, bets in by_name.items() if BOTS[name] is Manner.STEADY for bet in bets]
    assert {(bet.area, bet.stake) for bet in steady} == {("banker", 1000)}
    assert len({bet.area for bet in by_name["Dune"]}) > 2  # hopeful: side bets
    if book == "insurance":
        assert any(isinstance(event, InsuranceTaken) for event in events)
    if book == "knockout":
        assert any(isinstance(event, WagerPlaced) for event in events)


def test_the_same_bytes_give_the_same_game() -> None:
    assert play("insurance", 10) == play("insurance", 10) != play("insurance", 10, "other")


def test_a_bot_remembers_nothing_and_acts_only_in_its_own_seat() -> None:
    table, events = seated("ez")
    table = given(table, LoadShoe(actor="the dealer", role=Role.DEALER), events)
    assert next_bot(table, 1, seeded_bytes("x")) is None  # bets are not open
    burned = next_step(table)
    assert isinstance(burned, DrawCard)
    table = given(table, burned.with_card(shuffled_shoe(8, seeded_bytes("x"))[0]), events)
    table = given(table, CallBets(actor="the dealer", role=Role.DEALER), events)
    command = next_bot(table, 1, seeded_bytes("x"))
    assert command == next_bot(table, 1, seeded_bytes("x"))
    assert isinstance(command, PlaceBet)
    assert (command.actor, command.box) == (table.state.seats[1], 1)
    assert next_bot(table, 99, seeded_bytes("x")) is None


def test_a_person_is_no_bot() -> None:
    rules = load("ez")
    table, events = Table(rules), list[Event]()
    opened = OpenTable(actor="the house", role=Role.PIT_SUPERVISOR, terms=default_terms(rules))
    table = given(table, opened, events)
    table = given(table, TakeSeat(actor="somebody", role=Role.PLAYER, box=1), events)
    assert next_bot(table, 1, seeded_bytes("x")) is None
