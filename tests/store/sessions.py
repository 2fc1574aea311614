"""What the tests of the store write: the events of playthroughs, and a table to write them to."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from punto.books import load
from punto.refusal import Refusal
from punto.rules.book import digest_of
from punto.store.transaction import Transaction
from punto.table.event import Event
from punto.table.notation import Played, parse_session, play_session
from punto.table.state import State

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


def playthroughs() -> list[Path]:
    """Every golden playthrough."""
    return sorted(PLAYTHROUGHS.glob("*/*.punto"))


@cache
def steps_of(name: str) -> tuple[Played, ...]:
    """What came of each line of a playthrough, such as `insurance/a-round`."""
    text = (PLAYTHROUGHS / f"{name}.punto").read_text(encoding="utf-8")
    return tuple(play_session(parse_session(text), load))


@cache
def events_of(name: str) -> tuple[Event, ...]:
    """All events of a playthrough."""
    outcomes = [step.outcome for step in steps_of(name)]
    return tuple(event for made in outcomes if not isinstance(made, Refusal) for event in made)


def state_after(events: tuple[Event, ...]) -> State:
    """What the events add up to."""
    state = State()
    for event in events:
        state = event.fold(state)
    return state


def add_table(transaction: Transaction, table: str, book: str = "insurance") -> None:
    """A new table of a built-in book."""
    document = msgspec.json.encode(load(book).text).decode()
    transaction.add_book(digest_of(load(book)), book, document)
    transaction.add_table(table, digest_of(load(book)), created_ms=1)
