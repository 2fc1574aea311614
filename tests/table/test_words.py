from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import load
from punto.books.translation import name_in
from punto.refusal import Reason, Refusal
from punto.rules.book import Book
from punto.rules.book_text import Finding
from punto.table.event import FACT_KINDS, Event, facts_of, tell
from punto.table.header import EventHeader
from punto.table.irregularity_findings import entry_on
from punto.table.notation import parse_session, play_session
from punto.table.state import State
from punto.words import ENGLISH, languages, read_words

EVENTS: tuple[type[EventHeader], ...] = Event.__args__
PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*/*.punto"))


def test_every_event_has_its_sentences() -> None:
    assert {kind.name() for kind in EVENTS} <= set(read_words(ENGLISH, "events.toml"))


def test_a_refusal_is_a_fact() -> None:
    assert facts_of(Refusal(Reason.BETS_CLOSED, "5.2")) == [("refused", "bets-closed", "5.2")]
    assert facts_of(Refusal(Reason.PAUSED, None)) == [("refused", "paused")]


def assert_told_in_every_language(book: Book, state: State, event: Event) -> None:
    """As many sentences as in English, in the other's own words, and no gap left open. What somebody said stays so,
    and so do descriptions of irregularities, which books have in English only."""
    english = [sentence.text for sentence in tell(book, state, event)]
    described = {entry.label for finding in Finding if (entry := entry_on(book, finding)) is not None}
    for language in languages()[1:]:
        others = [sentence.text for sentence in tell(book, state, event, language, name_in)]
        assert len(others) == len(english)
        for text, plain in zip(others, english, strict=True):
            is_same_in_all = plain[0] == "“" or plain in described or book.title in plain
            assert "{" not in text and (text != plain or is_same_in_all), (language, text)


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
