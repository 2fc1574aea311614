"""Playing a session: its commands one after the other, and whether what was expected came of them.

A refused command changes nothing and the session goes on. Expectations under a line are judged kind by kind:
whoever names one fact of a kind names them all, in their order, and `no` before a kind says there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from punto.refusal import Refusal
from punto.rules.book import Book
from punto.rules.role import Role
from punto.table.acting import act
from punto.table.command import ChangeTerms, Command, DealCard, OpenTable
from punto.table.event import Event
from punto.table.notation.lines import CardsDealt, CommandGiven, FactExpected, Session
from punto.table.notation.word import format_word
from punto.table.state import Phase, Table
from punto.table.transcript import facts_of
from punto.table.words import FactLine


@dataclass(frozen=True, slots=True)
class Played:
    """One command of a session, and what came of it."""

    number: int
    """The line it stands in."""
    command: Command
    before: Table
    outcome: tuple[Event, ...] | Refusal


class NoTable(ValueError):
    """A session in which nobody opens a table."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """An expectation that was not met, or a fact that was not expected."""

    number: int
    sentence: str


def play_session(session: Session, load: Callable[[str], Book]) -> Iterator[Played]:
    """Play a session; `load` brings the book that an opening names."""
    openings = [line.command for line in session if isinstance(line, CommandGiven)]
    named = next((command.terms.book for command in openings if isinstance(command, OpenTable)), None)
    if named is None:
        raise NoTable("no line opens a table")
    table = Table(load(named))
    for number, command in commands_of(session):
        if isinstance(command, OpenTable) and table.state.phase is Phase.NEW and command.terms.book != named:
            named = command.terms.book
            table = Table(load(named))
        command = _by_name(command, named, table.book)
        step = act(table, command)
        yield Played(number, command, table, step if isinstance(step, Refusal) else step.events)
        if not isinstance(step, Refusal):
            table = step.table


def commands_of(session: Session, dealer: str = "") -> Iterator[tuple[int, Command]]:
    """The commands of a session with their lines; `dealer` deals the cards before any dealer is named."""
    for number, line in enumerate(session, start=1):
        if isinstance(line, CommandGiven):
            if line.command.role is Role.DEALER:
                dealer = line.command.actor
            yield number, line.command
        elif isinstance(line, CardsDealt):
            for card in line.cards:
                yield number, DealCard(actor=dealer, role=Role.DEALER, card=card)


def _by_name(command: Command, named: str, book: Book) -> Command:
    """A book given by its file is known at the table by its own name."""
    if isinstance(command, (OpenTable, ChangeTerms)) and command.terms.book == named:
        terms = msgspec.structs.replace(command.terms, book=book.name)
        return msgspec.structs.replace(command, terms=terms)
    return command


# ── Expectations ─────────────────────────────────────────────────────────────────────────────────


def unmet(session: Session, steps: Iterable[Played]) -> list[Unmet]:
    """Every expectation that was not met, in the order of the lines."""
    came: dict[int, list[FactLine]] = {}
    for step in steps:
        came.setdefault(step.number, []).extend(facts_of(step.outcome))
    return [
        wrong
        for number, expected in expectations(session).items()
        for wrong in _compared(expected, came.get(number, []))
    ]


def expectations(session: Session) -> dict[int, list[tuple[int, FactLine]]]:
    """By the line of each command: the facts expected of it, with the lines they stand in."""
    found: dict[int, list[tuple[int, FactLine]]] = {}
    asked = 0
    for number, line in enumerate(session, start=1):
        if isinstance(line, (CommandGiven, CardsDealt)):
            asked = number
        elif isinstance(line, FactExpected):
            found.setdefault(asked, []).append((number, line.fact))
    return found


def _compared(expected: list[tuple[int, FactLine]], came: list[FactLine]) -> Iterator[Unmet]:
    kinds = dict.fromkeys(_kind(fact) for _, fact in expected)
    for kind in kinds:
        wanted = [(number, fact) for number, fact in expected if _kind(fact) == kind]
        facts = [fact for fact in came if fact[0] == kind]
        named = [(number, fact) for number, fact in wanted if fact[0] != "no"]
        for place, (number, fact) in enumerate(named):
            if place >= len(facts):
                yield Unmet(number, f"expected {format_fact(fact)}, and it did not come")
            elif facts[place] != fact:
                yield Unmet(number, f"expected {format_fact(fact)}, and {format_fact(facts[place])} came")
        for fact in facts[len(named) :]:
            yield Unmet(wanted[-1][0], f"{format_fact(fact)} came too, and was not expected")


def _kind(fact: FactLine) -> str:
    return fact[1] if fact[0] == "no" and len(fact) == 2 else fact[0]


def format_fact(fact: FactLine) -> str:
    """A fact as it is written in a session."""
    return " ".join(map(format_word, fact))


def unexpected_refusals(session: Session, steps: Iterable[Played]) -> list[Unmet]:
    """Refusals that the session does not name; a playthrough has none."""
    expected = expectations(session)
    return [
        Unmet(step.number, f"refused, and not expected: {step.outcome.reason.value}: {step.outcome.sentence}")
        for step in steps
        if isinstance(step.outcome, Refusal)
        and not any(fact[0] == "refused" for _, fact in expected.get(step.number, ()))
    ]
