"""What came of a command in words: the fact lines of its events or its refusal, and the story for people."""

from __future__ import annotations

from punto.refusal import Refusal
from punto.rules.book import Book
from punto.table.antes import words as antes
from punto.table.betting import words as betting
from punto.table.dealing import words as dealing
from punto.table.event import Event
from punto.table.header import EventHeader
from punto.table.house import words as house
from punto.table.insurance import words as insurance
from punto.table.irregularities import words as irregularities
from punto.table.settlement import words as settlement
from punto.table.shuffling import words as shuffling
from punto.table.state import State
from punto.table.words import FactLine, Telling, Told, Words, fact

WORDS: dict[type[EventHeader], Words] = {
    kind: words
    for room in (house, betting, dealing, antes, insurance, settlement, irregularities, shuffling)
    for kind, words in room.WORDS.items()
}
"""The words of every event."""

KINDS = frozenset(("refused", *(kind for words in WORDS.values() for kind in words.kinds)))
"""The first words of all fact lines."""


def facts_of(outcome: tuple[Event, ...] | Refusal) -> list[FactLine]:
    """Everything that came of one command."""
    if isinstance(outcome, Refusal):
        return [fact("refused", outcome.reason.value, outcome.clause)]
    return [line for event in outcome for line in facts_of_event(event)]


def facts_of_event(event: Event) -> list[FactLine]:
    """What one event says."""
    return list(WORDS[type(event)].facts(event))


def tell(book: Book, state: State, event: Event) -> list[Told]:
    """An event in sentences; `state` is the table after it."""
    return list(WORDS[type(event)].tell(Telling(book, state), event))
