"""Golden playthroughs: whole sessions whose draws, offers, refusals and amounts were worked out by hand.

Each file says in its first lines what it shows and by which clauses. Every fact that it expects must come, in
its order; every refusal must be one that it expects.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from punto.books import NAMES, load
from punto.refusal import Refusal
from punto.rules.book_text import Finding
from punto.table.acting import evolve
from punto.table.event import Event
from punto.table.header import EventHeader
from punto.table.house import OpenTable
from punto.table.irregularity_events import CaseClosed, ClauseFound, ErrorFoundLate, OptionsGiven
from punto.table.notation import (
    CommandGiven,
    Played,
    Remark,
    format_session,
    parse_session,
    play_session,
    unexpected_refusals,
    unmet,
)
from punto.table.state import State

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.punto"))
LEAST = 200
EVENTS: tuple[type[EventHeader], ...] = Event.__args__


def played(path: Path) -> list[Played]:
    return list(play_session(parse_session(path.read_text(encoding="utf-8")), load))


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_playthrough(path: Path) -> None:
    session = parse_session(path.read_text(encoding="utf-8"))
    steps = list(play_session(session, load))
    wrong = [*unmet(session, steps), *unexpected_refusals(session, steps)]
    assert not wrong, "\n".join(f"{path}:{missed.number}: {missed.sentence}" for missed in wrong)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_file_is_kept_whole_by_the_notation(path: Path) -> None:
    session = parse_session(path.read_text(encoding="utf-8"))
    assert parse_session(format_session(session)) == session
    opening = session[0]
    assert isinstance(opening, Remark), "the first line says what the playthrough shows"
    assert opening.comment
    commands = [line.command for line in session if isinstance(line, CommandGiven)]
    books = {command.terms.book for command in commands if isinstance(command, OpenTable)}
    assert books == {path.parent.name}


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_its_events_are_its_whole_life(path: Path) -> None:
    """Written as JSON, read back and folded from nothing, events give the state in which each step began."""
    state = State()
    for step in played(path):
        assert step.before.state == state
        if isinstance(step.outcome, Refusal):
            continue
        for event in step.outcome:
            again: Event = msgspec.json.decode(msgspec.json.encode(event), type=Event)
            assert again == event
            state = evolve(state, again)


def test_there_are_enough_of_every_book() -> None:
    assert len(FILES) >= LEAST
    assert {path.parent.name for path in FILES} == set(NAMES)


def test_every_event_and_every_irregularity_is_shown() -> None:
    shown: set[type[EventHeader]] = set()
    found: set[tuple[str, Finding]] = set()
    for path in FILES:
        for step in played(path):
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                shown.add(type(event))
                if isinstance(event, ClauseFound):
                    found.add((path.parent.name, event.finding))
                elif isinstance(event, ErrorFoundLate):
                    found.add((path.parent.name, Finding.FOUND_LATE))
    assert set(EVENTS) - shown == set()
    spoken = {(name, entry.kind) for name in NAMES for entry in load(name).irregularities}
    assert spoken - found == set()
    assert {finding for name, finding in found if name == "insurance"} == set(Finding)


def test_every_remedy_is_shown_before_and_after_an_outcome() -> None:
    """Each finding that gives a choice gives one, and where an outcome takes it away it is taken away."""
    given: set[Finding] = set()
    taken: set[Finding] = set()
    for path in (HERE / "insurance").glob("*.punto"):
        for step in played(path):
            case = step.before.state.case
            finding = case.found.finding if case is not None and case.found is not None else None
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                if isinstance(event, ClauseFound):
                    finding = event.finding
                if isinstance(event, OptionsGiven) and finding is not None:
                    given.add(finding)
                elif isinstance(event, CaseClosed) and event.resolution in ("reconstructed", "played-on"):
                    taken.add(event.finding)
    assert given == {
        Finding.DRAWN_TOGETHER,
        Finding.WRONG_SIDE,
        Finding.FACE_UP,
        Finding.EXCESS,
        Finding.EXPOSED,
        Finding.DEALING_ERROR,
    }
    # Exposed before it is known to be due: once that is known it is another clause, or out of play.
    # A slip of the record is no misdeal: it never gives a choice.
    assert taken == {Finding.WRONG_SIDE, Finding.FACE_UP, Finding.EXCESS, Finding.RECORD_SLIP}
