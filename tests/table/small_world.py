"""A small table and everything that can happen at it: every state of one round, and how each leads on.

One player, a few cards that differ, one report in a round. From the call on, whatever is legal for anybody
is done, each free card filled with each card of the small world, until nothing new comes up. What is then
asked of the whole graph needs no luck: from every state, legal commands lead to the end of the round.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from punto.books import NAMES
from punto.cards.card import Card
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.table import Legal, Refusal, Table, act
from punto.table.acting import refusal_of
from punto.table.betting import CloseBets
from punto.table.command import Command
from punto.table.dealing import AskSqueeze, CorrectCard
from punto.table.header import CommandHeader
from punto.table.irregularity_events import DismissReport, ReplaceCards, Report, WithdrawEvidence
from punto.table.legality import (
    Asking,
    ante_candidates,
    dealing_candidates,
    insurance_candidates,
    irregularity_candidates,
)
from punto.table.settlement import SettleRound
from punto.table.state import State
from punto.table.terms import Faces
from tests.table.machine_way_out import is_underway
from tests.table.scenes import DEALER, MANAGER, SHIFT, SUPERVISOR, Scene, evidence

PEOPLE = (
    ("Ann", Role.PLAYER),
    (DEALER, Role.DEALER),
    (SUPERVISOR, Role.PIT_SUPERVISOR),
    (MANAGER, Role.PIT_MANAGER),
    (SHIFT, Role.SHIFT_MANAGER),
)
LEFT_ALONE = (Report, WithdrawEvidence, DismissReport, CorrectCard, ReplaceCards)
"""Commands that go back to where one was, or begin something else."""
REPORTS = (
    *("9H:banker", "9H:player", "9H:table", "9H:table 9D:table", "9H:player:together 9D:banker:together"),
    *("1:banker", "2:player", "1:down", "2:up", "4:table", "2:shoe", "9H:table:foreign", "9H:floor:down"),
    *("+cards-run-out", "+interruption", "+insurance-neglected", "+uncovered", "+wrong-set"),
)
"""What may be seen: cards where they do not belong, and, after a plus, what concerns no single card."""


@dataclass
class World:
    """All states that were found, each by its number, and which lead to which."""

    states: list[Table] = field(default_factory=list)
    leads_to: list[set[int]] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)

    def number(self, table: Table) -> tuple[int, bool]:
        """The number of a state, and whether it is new."""
        key = _key(table.state)
        if key in self.numbers:
            return self.numbers[key], False
        self.numbers[key] = len(self.states)
        self.states.append(table)
        self.leads_to.append(set())
        return self.numbers[key], True

    def dead_ends(self) -> list[Table]:
        """The states from which no way leads to the end of the round."""
        comes_from: list[list[int]] = [[] for _ in self.states]
        for number, following in enumerate(self.leads_to):
            for other in following:
                comes_from[other].append(number)
        ended = [number for number, table in enumerate(self.states) if not is_underway(table)]
        safe, waiting = set(ended), deque(ended)
        while waiting:
            for number in comes_from[waiting.popleft()]:
                if number not in safe:
                    safe.add(number)
                    waiting.append(number)
        return [table for number, table in enumerate(self.states) if number not in safe]


def _key(state: State) -> bytes:
    return msgspec.msgpack.encode(state)


def explored(book: str, bets: tuple[str, ...], cards: str, reports: tuple[str, ...], **terms: Any) -> World:
    """Everything that can happen in a round with each of these bets, dealt with these cards."""
    world, waiting = World(), deque[int]()
    deck = tuple(Card.parse(card) for card in cards.split())
    for text in bets:
        scene = Scene(book, **terms)
        scene.seat("Ann", 1)
        scene.call()
        for bet in text.split():
            scene.bet("Ann", bet, 1000)
        waiting.append(world.number(scene.table)[0])
    while waiting:
        number = waiting.popleft()
        table = world.states[number]
        for command in _moves(table, deck, reports):
            step = act(table, command)
            if isinstance(step, Refusal):
                continue
            following, is_new = world.number(step.table)
            world.leads_to[number].add(following)
            if is_new:
                waiting.append(following)
    return world


def _moves(table: Table, deck: tuple[Card, ...], reports: tuple[str, ...]) -> Iterator[Command]:
    """What anybody may do, each thing once; free cards are any of the deck, and a round has one report."""
    done: set[tuple[Any, ...]] = set()
    for legal in _candidates(table):
        command = legal.command
        own = [name for name in command.__struct_fields__ if name not in CommandHeader.__struct_fields__]
        what = (type(command), *(getattr(command, name) for name in own if name != "player"))
        if isinstance(command, LEFT_ALONE) or what in done or refusal_of(table, command) is not None:
            continue
        if isinstance(command, AskSqueeze) and (table.state.squeezes or command.number in (1, 2)):
            continue  # one to a round, or there would be no end; those of the first cards are all alike
        done.add(what)
        cards = deck if "card" in legal.free else ()
        yield from (replace(command, card=card) for card in cards) if cards else (command,)
    if table.state.cases == 0 and (is_underway(table) or table.state.settled is not None):
        for report in reports:
            seen = evidence(seen=report[1:]) if report.startswith("+") else evidence(report)
            yield Report(actor=SUPERVISOR, role=Role.PIT_SUPERVISOR, **seen)


def _candidates(table: Table) -> Iterator[Legal]:
    """What the rooms of a table name for each of the people, as the list of legal commands is made."""
    dealer = Asking(table, DEALER, Role.DEALER)
    yield dealer.offer(CloseBets)
    yield dealer.offer(SettleRound)
    if table.state.case is not None:
        for actor, role in PEOPLE:
            yield from irregularity_candidates(Asking(table, actor, role))
    for asking in (dealer, Asking(table, "Ann", Role.PLAYER)):
        for candidates in (dealing_candidates, ante_candidates, insurance_candidates):
            yield from candidates(asking)


def main() -> int:
    """Every book with two cards, face up and face down, drawn by the system and told by the dealer."""
    found = 0
    for book in NAMES:
        bet = {"insurance": "player", "knockout": "ante-player"}.get(book, "banker")
        for faces, source in product(Faces, (SourceKind.SHUFFLED, SourceKind.ENTERED)):
            for cards, reports in (("KS 6D", ()), ("6D", REPORTS)):
                world = explored(book, (bet,), cards, reports, faces=faces, source=source)
                dead = world.dead_ends()
                found += len(dead)
                what = f"{book}, {faces.value}, {source.value}, {len(reports)} reports"
                print(f"{what}: {len(world.states):,} states, {len(dead)} dead ends", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
