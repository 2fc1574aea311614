"""`punto table run`: gives lines of notation to a stored table, and tells what came of each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.options.completion import complete_table
from punto.cli.options.database import (
    AsOption,
    DatabaseOption,
    found_table,
    named_person,
    now_ms,
    running,
)
from punto.cli.tables.run import UNMET, read_session_text, session_printer
from punto.cli.terminal.say import complain, refuse_lines

if TYPE_CHECKING:
    from punto.floor.floor import Floor
    from punto.floor.job import Accepted
    from punto.refusal import Refusal
    from punto.table.command import Command
    from punto.table.header import Person
    from punto.table.notation.lines import Session
    from punto.table.notation.session import Played
    from punto.table.state import State

TableArgument = Annotated[
    str,
    typer.Argument(metavar="ID", help="A stored table.", show_default=False, autocompletion=complete_table),
]


def run(
    id: TableArgument,
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Lines of notation; - for stdin.", show_default=False),
    ],
    who: AsOption = None,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Give lines of notation to a table.

    A line without a name before its colon is given by --as. Bets that name no round are for the round that
    is open. A shuffled table draws its cards itself: write deal and burn without a card.
    """
    from punto.table.notation.session import unmet

    person = named_person("--as", who, "") if who is not None else None
    session = _read(file, person)
    steps: list[Played] = []
    printed = _print_json if json else _printed_for_people()
    with running(database) as floor:
        with floor.store.read() as reader:
            found_table(reader, id)
        for number, command in _commands(session, person):
            step, answer = _given(floor, id, number, command)
            printed(step, answer)
            steps.append(step)
    sys.stdout.flush()
    wrong = unmet(session, steps)
    for missed in wrong:
        complain(f"{file}: line {missed.number}: {missed.sentence}")
    if wrong:
        raise typer.Exit(UNMET)


def _read(file: str, person: Person | None) -> Session:
    from punto.rules.role import Role
    from punto.table.notation.lines import WrongLines, parse_session

    text = read_session_text(file)
    if person is not None:
        text = "\n".join(_with_person(line, person) for line in text.split("\n"))
    try:
        return parse_session(text, has_dealer=person is not None and person.role is Role.DEALER)
    except WrongLines as error:
        refuse_lines([f"{file}: line {number}: {sentence}" for number, sentence in error.problems])


def _with_person(line: str, person: Person) -> str:
    """A line that names nobody, with the person of `--as` before it."""
    from punto.cards.card import parse_cards
    from punto.table.notation.word import format_word, split_line

    try:
        words, _ = split_line(line)
    except ValueError:
        return line
    if not words or words[0] == ">" or any(word.endswith(":") for word in words):
        return line
    try:
        parse_cards(" ".join(words))
    except ValueError:
        return f"{format_word(person.name)} as {person.role.value}: {line}"
    return line


def _commands(session: Session, person: Person | None) -> Iterator[tuple[int, Command]]:
    from punto.rules.role import Role
    from punto.table.notation.session import commands_of

    dealer = person.name if person is not None and person.role is Role.DEALER else ""
    return commands_of(session, dealer)


def _given(floor: Floor, id: str, number: int, command: Command) -> tuple[Played, Accepted | Refusal]:
    """Give one command on the table as it is now."""
    from msgspec.structs import replace

    from punto.refusal import Refusal
    from punto.rules.role import Role
    from punto.table.notation.session import Played

    loaded = floor.table(id)
    assert loaded is not None, "a table is never removed"
    command = _filled(command, loaded.table.state)
    if not command.time:
        command = replace(command, time=now_ms())
    expected = loaded.version if command.role is Role.DEALER else None
    answer = floor.give(id, command, expected)
    if isinstance(answer, Refusal):
        return Played(number, command, loaded.table, answer), answer
    before = floor.table(id, answer.version - len(answer.records))
    assert before is not None
    events = tuple(record.event for record in answer.records)
    return Played(number, command, before.table, events), answer


def _filled(command: Command, state: State) -> Command:
    """A line means the round, and the window, that are open when it is given."""
    from msgspec.structs import replace

    from punto.floor.job import BETS, INSURANCES

    if isinstance(command, (*BETS, *INSURANCES)) and command.round is None:
        command = replace(command, round=state.round)
    if isinstance(command, INSURANCES) and command.window is None and state.window is not None:
        command = replace(command, window=state.window)
    return command


Printer = Callable[["Played", "Accepted | Refusal"], None]


def _printed_for_people() -> Printer:
    printed = session_printer()
    return lambda step, _: printed(step)


def _print_json(step: Played, answer: Accepted | Refusal) -> None:
    """As `punto run --json`, with the number under which each event is stored."""
    import msgspec

    from punto.cli.tables.run import refusal_record
    from punto.refusal import Refusal

    if isinstance(answer, Refusal):
        lines = [msgspec.json.encode({"line": step.number, "refusal": refusal_record(answer)})]
    else:
        lines = [
            msgspec.json.encode({"line": step.number, "seq": record.seq, "event": record.event})
            for record in answer.records
        ]
    sys.stdout.flush()
    sys.stdout.buffer.write(b"".join(line + b"\n" for line in lines))
    sys.stdout.buffer.flush()
