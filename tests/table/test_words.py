from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import msgspec
import pytest

from punto.books import load
from punto.books.translation import name_in
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER
from punto.rules.book import Book
from punto.rules.book_text import Finding
from punto.table.event import FACT_KINDS, Event, facts_of, tell
from punto.table.header import EventHeader
from punto.table.irregularity_case import Resolution
from punto.table.irregularity_events import Effect
from punto.table.notation import parse_session, play_session
from punto.table.state import State
from punto.table.terms import Faces
from punto.words import ENGLISH, languages, read_words

EVENTS: tuple[type[EventHeader], ...] = Event.__args__
PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*/*.punto"))


def test_every_event_has_its_sentences() -> None:
    assert {kind.name() for kind in EVENTS} <= set(read_words(ENGLISH, "events.toml"))


def test_a_refusal_is_a_fact() -> None:
    assert facts_of(Refusal(Reason.BETS_CLOSED, "5.2")) == [("refused", "bets-closed", "5.2")]
    assert facts_of(Refusal(Reason.PAUSED, None)) == [("refused", "paused")]


def typed(value: object) -> Iterator[str]:
    """The texts in an event that somebody typed or that are names: they are the same in every language."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.structs.astuple(value)
    if isinstance(value, tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from typed(one)
    elif isinstance(value, str) and not isinstance(value, Enum):
        yield value


def assert_told_in_every_language(book: Book, state: State, event: Event) -> None:
    """As many sentences as in English, no gap left open, and no word of English but what somebody typed."""
    english = [sentence.text for sentence in tell(book, state, event)]
    own = sorted({*typed(event), *typed(state), "EZ", "Knockout"}, key=len, reverse=True)
    for language in languages()[1:]:
        others = [sentence.text for sentence in tell(book, state, event, language, name_in)]
        assert len(others) == len(english)
        for text in others:
            left = re.sub("|".join(re.escape(one) for one in own if one), "", text)
            assert "{" not in text and not re.search("[a-zA-Z]{2}", left), (language, text)


def test_every_value_that_is_said_has_its_words() -> None:
    """Whoever adds one says it in every language; `tests/words` compares the languages."""
    said = {"finding": Finding, "decider": LADDER, "resolution": Resolution, "effect": Effect, "faces": Faces}
    named = read_words(ENGLISH, "events.toml")["named"]
    assert {name: set(words) for name, words in named.items()} == {
        name: {str(one.value) for one in values} for name, values in said.items()
    }


@pytest.mark.slow
def test_the_kinds_are_those_that_come_and_every_event_gives_one() -> None:
    kinds, told = set(), set()
    for path in PLAYTHROUGHS:
        for step in play_session(parse_session(path.read_text(encoding="utf-8")), load):
            kinds |= {fact[0] for fact in facts_of(step.outcome)}
            book, state = step.before.book, step.before.state
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                told.add(type(event))
                assert facts_of((event,))
                state = event.fold(state)
                assert_told_in_every_language(book, state, event)
    assert kinds == FACT_KINDS
    assert told == set(EVENTS)
