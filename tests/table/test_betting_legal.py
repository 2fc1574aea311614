"""What is listed as the least and the most of a bet is what the table takes, chip by chip."""

from random import Random
from typing import Any

import msgspec
import pytest

from punto import books
from punto.rules.authority import Role
from punto.table import Legal, Refusal, act, legal_commands
from punto.table.betting import BetPlaced, BetReturned, PlaceBet, ReduceBet
from punto.table.terms import Noticing
from tests.table.scenes import Scene

CHIP, MINIMUM = 500, 1000
PLAYERS = ("Ann", "Ben", "Cid")
KINDS = (PlaceBet, ReduceBet)


def position(book: str, seed: int) -> Scene:
    """Bets of three players in two boxes, some standing, near the limits of the table."""
    random = Random(seed)
    measured = books.load(book).limits.kind.value == "differential"
    limits: dict[str, Any] = {"differential": 4000} if measured else {"maximum": 4000}
    noticing = random.choice((Noticing.STRICT, Noticing.STRICT, Noticing.DEALER))
    scene = Scene(book, chip=CHIP, minimum=MINIMUM, noticing=noticing, **{"maximum": None, **limits})
    scene.seat("Ann", 1)
    scene.seat("Ben", 2)
    scene.call()
    areas = books.load(book).opening_areas[:4]
    for _ in range(random.randint(3, 8)):
        scene.give(
            PlaceBet(
                actor=random.choice(PLAYERS),
                role=Role.PLAYER,
                box=random.choice((1, 1, 2)),
                area=random.choice(areas),
                amount=CHIP * random.randint(1, 9),
            )
        )
    return scene


def is_taken_whole(scene: Scene, command: PlaceBet | ReduceBet) -> bool:
    """Whether the table takes exactly what was asked."""
    step = act(scene.table, command)
    if isinstance(step, Refusal):
        return False
    first = step.events[0]
    assert isinstance(first, BetPlaced | BetReturned)
    return first.amount == command.amount and not getattr(first, "rejected", 0)


def listed_amounts(entries: list[Legal]) -> dict[tuple[object, ...], set[int]]:
    """By command, box and area: every amount that the list allows, up to a bound of our own."""
    found: dict[tuple[object, ...], set[int]] = {}
    for legal in entries:
        command = legal.command
        assert isinstance(command, KINDS)
        most = MOST if legal.most is None else min(legal.most, MOST)
        amounts = range(command.amount, most + 1, CHIP) if "amount" in legal.free else [command.amount]
        found.setdefault((type(command), command.box, command.area), set()).update(amounts)
    return found


MOST = 40 * CHIP


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_every_listed_amount_is_taken_and_no_other(book: str) -> None:
    compared = 0
    for seed in range(12):
        scene = position(book, seed)
        for player in PLAYERS:
            entries = [
                legal for legal in legal_commands(scene.table, player, Role.PLAYER) if isinstance(legal.command, KINDS)
            ]
            listed = listed_amounts(entries)
            for key, command in {key_of(legal): legal.command for legal in entries}.items():
                assert isinstance(command, KINDS)
                whole = {
                    amount
                    for amount in range(CHIP, MOST + 1, CHIP)
                    if is_taken_whole(scene, msgspec.structs.replace(command, amount=amount))
                }
                assert listed[key] == whole, (seed, player, key)
                compared += len(whole)
    assert compared > 100


def key_of(legal: Legal) -> tuple[object, ...]:
    command = legal.command
    assert isinstance(command, KINDS)
    return type(command), command.box, command.area


def test_taking_off_stops_at_the_differential() -> None:
    """Banker holds 50 against Player's 20 at a differential of 40: only 10 of the 20 may go."""
    scene = Scene("insurance", chip=500, minimum=500, differential=4000)
    scene.seat("Ann", 1)
    scene.call()
    scene.bet("Ann", "player", 2000)
    scene.bet("Ann", "banker", 5000)
    listed = [
        legal
        for legal in legal_commands(scene.table, "Ann", Role.PLAYER)
        if isinstance(legal.command, ReduceBet) and legal.command.area == "player"
    ]
    assert [(legal.command.amount, legal.most) for legal in listed if isinstance(legal.command, ReduceBet)] == [
        (500, 1000)
    ]
