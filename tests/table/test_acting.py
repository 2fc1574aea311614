"""Deciding: one legality, JSON forms, and names that mean what they say."""

import subprocess
import sys
from inspect import Parameter, signature
from typing import Any, get_args

import msgspec
import pytest

from punto.rules.authority import Role
from punto.table import Refusal, decide, evolve, refusal_of
from punto.table.acting import VERBS
from punto.table.betting import BetPlaced, CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.event import EVENT_WORDS, Event
from punto.table.header import CommandHeader, EventHeader
from punto.table.house import PauseTable, TakeSeat
from punto.table.settlement import SettleRound
from punto.table.state import Case, LaidBet, LaidInsurance, Slot, SqueezeState, State, Wish
from tests.table.scenes import SUPERVISOR, Scene, made

COMMANDS: tuple[Any, ...] = get_args(Command)
EVENTS: tuple[Any, ...] = get_args(Event)


def structs_of(header: type[Any]) -> set[type[Any]]:
    """Those of the table that nothing else is made of; the server has its own for the cashier, loaded or not."""
    kinds = [kind for kind in header.__subclasses__() if kind.__module__.startswith("punto.table.")]
    return {struct for kind in kinds for struct in structs_of(kind) or {kind}}


def test_every_command_has_its_verb_and_every_event_its_words() -> None:
    assert set(VERBS) == set(COMMANDS) == structs_of(CommandHeader)
    assert set(EVENT_WORDS) == set(EVENTS) == structs_of(EventHeader)


@pytest.mark.parametrize("struct", [*COMMANDS, *EVENTS, State, LaidBet, LaidInsurance, Slot, Case, Wish, SqueezeState])
def test_values_are_frozen(struct: Any) -> None:
    assert struct.__struct_config__.frozen


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_says_is_named(command: Any) -> None:
    kinds = {parameter.kind for parameter in signature(command).parameters.values()}
    assert kinds == {Parameter.KEYWORD_ONLY}


def test_the_json_of_a_command_is_its_fields_beside_its_type() -> None:
    command = PlaceBet(actor="Lee", role=Role.PLAYER, time=5, key="k1", box=3, area="banker", amount=10000)
    told = (
        b'{"type":"place-bet","actor":"Lee","role":"player","time":5,"key":"k1","box":3,"area":"banker","amount":10000}'
    )
    assert msgspec.json.encode(command) == told
    assert msgspec.json.decode(told, type=Command) == command
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(told.replace(b'"key"', b'"keys"'), type=Command)


def test_the_json_of_an_event_likewise() -> None:
    event = BetPlaced("Lee", Role.PLAYER, 5, box=3, player="Lee", area="banker", amount=10000, is_seated=True)
    told = msgspec.json.encode(event)
    assert told.startswith(b'{"type":"bet-placed","by":"Lee","role":"player","time":5,"box":3,')
    assert msgspec.json.decode(told, type=Event) == event


def test_events_say_who_caused_them_and_when() -> None:
    scene = Scene("ez")
    (event,) = scene.do(PauseTable, SUPERVISOR, time=1234, key="x")
    assert (event.by, event.role, event.time) == (SUPERVISOR, Role.PIT_SUPERVISOR, 1234)


def test_the_question_and_the_decision_agree() -> None:
    scene = Scene("ez")
    for command in (CallBets, CloseBets, SettleRound, PauseTable):
        given: Any = made(command, "Dan")
        answer = decide(scene.table, given)
        assert refusal_of(scene.table, given) == (answer if isinstance(answer, Refusal) else None)


@pytest.mark.parametrize("role", [Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_who_is_not_at_the_table_gives_no_command(role: Role) -> None:
    scene = Scene("ez")
    scene.seat("Ann", 1)
    assert scene.refuse(CallBets, "Ada", role=role) == "not-allowed"
    assert scene.refuse(TakeSeat, "Ada", role=role, box=2, player="Ada") == "not-allowed"


@pytest.mark.parametrize(
    "first", ["punto.table.acting", "punto.table.event", "punto.table.legality", "punto.table.notation"]
)
def test_names_of_the_package_do_not_depend_on_what_was_loaded_before(first: str) -> None:
    code = f"import {first}; from punto.table import decide, evolve; print(callable(decide), callable(evolve))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "True"]
    assert callable(evolve)
