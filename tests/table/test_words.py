from __future__ import annotations

from pathlib import Path

import pytest

from punto.books import load
from punto.refusal import Reason, Refusal
from punto.table.event import FACT_KINDS, Event, facts_of
from punto.table.header import EventHeader
from punto.table.notation import parse_session, play_session
from punto.words import ENGLISH, read_words

EVENTS: tuple[type[EventHeader], ...] = Event.__args__
PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*/*.punto"))


def test_every_event_has_its_sentences() -> None:
    assert {kind.name() for kind in EVENTS} <= set(read_words(ENGLISH, "events.toml"))


def test_a_refusal_is_a_fact() -> None:
    assert facts_of(Refusal(Reason.BETS_CLOSED, "5.2")) == [("refused", "bets-closed", "5.2")]
    assert facts_of(Refusal(Reason.PAUSED, None)) == [("refused", "paused")]


@pytest.mark.slow
def test_the_kinds_are_those_that_come_and_every_event_gives_one() -> None:
    kinds, told = set(), set()
    for path in PLAYTHROUGHS:
        for step in play_session(parse_session(path.read_text(encoding="utf-8")), load):
            kinds |= {fact[0] for fact in facts_of(step.outcome)}
            for event in () if isinstance(step.outcome, Refusal) else step.outcome:
                told.add(type(event))
                assert facts_of((event,))
    assert kinds == FACT_KINDS
    assert told == set(EVENTS)
